"""Types that all drills share: the drill's id, its clause, and its answers."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec

from pitboss.games import GAMES
from pitboss.rulebook import CitationMistake, Cite, DataMistake, rulebook

DATA: Final = Path(__file__).parent / "data"


class DrillKind(StrEnum):
    """The kinds of dealer's drills."""

    PAY = "pay"
    """Take and pay: settle every wager."""
    READ = "read"
    """Name the hand that the cards make."""
    IRREGULAR = "irregular"
    """Handle an irregularity."""
    PROCEDURE = "procedure"
    """Name the next step or an order."""
    TEST = "test"
    """A timed test with questions of all kinds."""


Name = Annotated[str, msgspec.Meta(max_length=80)]
GameName = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(GAMES)})$", examples=[*GAMES])]


class DrillId(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The id of a drill. The same id always gives the same drill, so an answer carries only the id."""

    game: GameName
    kind: DrillKind
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9.-]+$")]
    table: Name = ""
    preset: Name = ""
    """The source of its Submission: an open table or a preset; the game's standard preset by default."""


class DrillClause(msgspec.Struct, frozen=True):
    """A clause and its duty."""

    cite: str
    duty: str


class DrillOption(msgspec.Struct, frozen=True):
    """One answer and its text."""

    answer: str
    says: str


def check_cites(file: Path, key: str, cites: Iterable[Cite]) -> None:
    """Raise `DataMistake` for an unknown clause, or a chapter that is cited twice."""
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
    """Return the citation that belongs to a chapter."""
    return next(cite for cite in cites if cite.chapter == chapter)


def clause_of(cite: str) -> DrillClause:
    """Return a clause with its duty, which is empty for a section."""
    known = rulebook().clauses.get(cite)
    return DrillClause(str(cite), known.duty if known else "")
