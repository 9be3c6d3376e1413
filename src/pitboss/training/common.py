"""What every drill is made of: which one it is, its clause, and the answers there are to choose from."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec

from pitboss.games import GAMES
from pitboss.rulebook import CitationMistake, Cite, DataMistake, rulebook

DATA: Final = Path(__file__).parent / "data"


class DrillKind(StrEnum):
    """What a dealer is drilled in."""

    PAY = "pay"
    """Take and pay: what becomes of every wager."""
    READ = "read"
    """Which hand some cards make."""
    IRREGULAR = "irregular"
    """What to do when something goes wrong."""
    PROCEDURE = "procedure"
    """What comes next, and in which order."""
    TEST = "test"
    """A fixed number of all of these, against the clock."""


Name = Annotated[str, msgspec.Meta(max_length=80)]
GameName = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(GAMES)})$", examples=[*GAMES])]


class DrillId(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which drill it is: the same id is the same drill, so that an answer needs to carry no more."""

    game: GameName
    kind: DrillKind
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9.-]+$")]
    table: Name = ""
    preset: Name = ""
    """Whose Submission it goes by: an open table's or a preset; without either the game's standard one."""


class DrillClause(msgspec.Struct, frozen=True):
    """A clause, and what it asks in our words."""

    cite: str
    duty: str


class DrillOption(msgspec.Struct, frozen=True):
    """One answer to choose, and how it reads."""

    answer: str
    says: str


def check_cites(file: Path, key: str, cites: Iterable[Cite]) -> None:
    """Raise `DataMistake` for a clause that does not exist, or a chapter that is cited twice."""
    chapters: set[str] = set()
    for cite in cites:
        try:
            rulebook().cite(cite)
        except CitationMistake as error:
            raise DataMistake(file, key, str(error)) from None
        if cite.chapter in chapters:
            raise DataMistake(file, key, f"it cites chapter {cite.chapter} twice")
        chapters.add(cite.chapter)


def clause_in_chapter(chapter: str, cites: Iterable[Cite]) -> Cite:
    """Return the clause of a chapter."""
    return next(cite for cite in cites if cite.chapter == chapter)


def clause_of(cite: str) -> DrillClause:
    """Return a clause with what it asks; nothing where only a section has that name."""
    known = rulebook().clauses.get(cite)
    return DrillClause(str(cite), known.duty if known else "")
