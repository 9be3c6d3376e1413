"""The clauses of the chapters: the duty of each, its bearer, and how Pitboss meets it."""

from enum import StrEnum
from pathlib import Path

import msgspec

from pitboss.rulebook.citation import FORM, CitationMistake, Cite
from pitboss.rulebook.grounds import Grounds, read_grounds
from pitboss.rulebook.toml import DataMistake, convert, read_toml, require_table


class Bearer(StrEnum):
    """The person or body that has a duty."""

    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    PLAYER = "player"
    OPERATOR = "operator"
    SYSTEM = "system"
    BOARD = "board"


class Kind(StrEnum):
    """The subject of a clause."""

    DEFINITION = "definition"
    EQUIPMENT = "equipment"
    LAYOUT = "layout"
    PROCEDURE = "procedure"
    RANKING = "ranking"
    WAGER = "wager"
    SETTLEMENT = "settlement"
    PAYOUT = "payout"
    METER = "meter"
    IRREGULARITY = "irregularity"
    SIGN = "sign"
    SUBMISSION = "submission"


class Status(StrEnum):
    """How Pitboss meets a clause."""

    ENFORCED = "enforced"
    """The software does it, or refuses violations."""
    PROMPTED = "prompted"
    """The software tells a person to do it."""
    RECORDED = "recorded"
    """The software records it."""
    PRINTED = "printed"
    """A sign or report shows it."""
    PHYSICAL = "physical"
    """It happens outside the software; `recorded` says what the software records."""


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause, paraphrased."""

    id: Cite
    edition: str
    duty: str
    bearer: Bearer
    kind: Kind
    status: Status
    met_by: tuple[str, ...]
    open: str
    """For a clause met in part: what is missing."""
    recorded: str
    """For a physical clause: what the software records."""
    proposed: str
    """The text of the proposed rulemaking of 2017, if it differs from the codified text."""


class Section(msgspec.Struct, frozen=True):
    """One section of a chapter."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An example hand, and the ranking that names it."""

    ranking: str
    cards: str


class ChapterHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The name, edition, colour and summary of a chapter and its game."""

    chapter: str
    title: str
    edition: str
    source: str
    proposed_edition: str = ""
    """The earlier edition that the `proposed` fields of its clauses paraphrase, if any."""
    proposal: str = ""
    """The note for signs and PAR sheets if the text is a proposal and the chapter in force was not available."""
    about: str
    """How the game is played, in three sentences."""
    accent: str
    """The game's colour on screens and papers."""
    example: Example
    grounds: dict[str, str] = {}
    """The clause of each role."""


class Chapter(msgspec.Struct, frozen=True):
    """One chapter, which is one game."""

    id: str
    game: str
    head: ChapterHead
    sections: tuple[Section, ...]
    grounds: Grounds
    """The clause of each role."""

    @property
    def title(self) -> str:
        """The game's name."""
        return self.head.title

    @property
    def edition(self) -> str:
        """The edition of the text; signs and reports name it."""
        return self.head.edition

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Every clause in printed order."""
        return tuple(clause for section in self.sections for clause in section.clauses)


class _SectionHead(msgspec.Struct, forbid_unknown_fields=True):
    section: int
    title: str


class _ClauseEntry(msgspec.Struct, forbid_unknown_fields=True):
    duty: str
    bearer: Bearer
    kind: Kind
    status: Status
    met_by: tuple[str, ...] = ()
    open: str = ""
    recorded: str = ""
    proposed: str = ""

    def problem(self) -> str | None:
        built = self.status is not Status.PHYSICAL
        if not self.duty:
            return "the duty is empty"
        if built != bool(self.met_by):
            return f"a clause that is {self.status} {'needs' if built else 'has no'} met_by"
        if self.open and not built:
            return f"a clause that is {self.status} has no “open” part"
        if (self.status is Status.PHYSICAL) != bool(self.recorded):
            return "“recorded” goes with the status physical, and only with it"
        return None


def load_chapter(folder: Path) -> Chapter:
    """Read `chapter.toml` and `clauses/` of one game's folder."""
    file = folder / "chapter.toml"
    head = convert(read_toml(file), ChapterHead, file, "")
    if not FORM.fullmatch(f"{head.chapter}.1"):
        raise DataMistake(file, "chapter", f"“{head.chapter}” is not a chapter such as 639a")
    sections = tuple(_load_section(file, head) for file in sorted((folder / "clauses").glob("*.toml")))
    return Chapter(head.chapter, folder.name, head, sections, read_grounds(head.grounds, file))


def _load_section(file: Path, chapter: ChapterHead) -> Section:
    data = read_toml(file)
    labels = [key for key in data if key not in _SectionHead.__struct_fields__]
    head = convert({key: data[key] for key in data if key not in labels}, _SectionHead, file, "")
    if not file.name.startswith(f"{head.section:02}-"):
        raise DataMistake(file, "section", f"section {head.section} belongs in a file {head.section:02}-….toml")
    section = f"{chapter.chapter}.{head.section}"
    clauses = tuple(_clause(file, section, label, data[label], chapter) for label in labels)
    for clause in clauses:
        parent = clause.id[: clause.id.rfind("(")] if "(" in clause.id.path else section
        if parent != section and parent not in {other.id for other in clauses}:
            raise DataMistake(file, clause.id.path, f"its parent clause {parent} is missing")
    return Section(section, head.title, clauses)


def _clause(file: Path, section: str, label: str, data: object, chapter: ChapterHead) -> Clause:
    entry = convert(require_table(data, file, label), _ClauseEntry, file, label)
    if problem := entry.problem():
        raise DataMistake(file, label, problem)
    if entry.proposed and not chapter.proposed_edition:
        raise DataMistake(file, label, "“proposed” needs a proposed_edition in chapter.toml")
    if label.startswith("(") == (section == f"{chapter.chapter}.1"):
        raise DataMistake(file, label, "section 1 has terms, every other section has labels such as (a)")
    try:
        cite = Cite(section + (label if label.startswith("(") else f":{label}"))
    except CitationMistake as error:
        raise DataMistake(file, label, str(error)) from None
    return Clause(id=cite, edition=chapter.edition, **msgspec.structs.asdict(entry))
