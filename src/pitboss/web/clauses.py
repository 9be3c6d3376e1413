"""HTTP routes for clauses: the matrix, and one clause with its duty, readings, modules and tests."""

from typing import Annotated, Final

import msgspec
from litestar import get
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import QueryParameter

from pitboss.errors import Mistake
from pitboss.rulebook import Bearer, Cite, Kind, Status, rulebook
from pitboss.rulebook.clause_matrix import ClauseLine, Filter, filter_clauses, is_under, readings_of
from pitboss.rulebook.proofs import tests_of

Words = Annotated[str | None, QueryParameter(max_length=80)]


class ClauseRow(msgspec.Struct, frozen=True, kw_only=True):
    """One clause in the matrix."""

    cite: str
    edition: str
    chapter: str
    section: str
    title: str
    """Title of its section."""
    duty: str
    """The duty, in our words."""
    bearer: Bearer
    kind: Kind
    status: Status
    """How Pitboss meets it."""
    readings: list[str]
    tests: int
    """Number of tests that prove it."""


class ClauseReading(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a clause leaves open, with its options and default."""

    id: str
    clauses: tuple[str, ...]
    question: str
    options: dict[str, str]
    default: str
    evidence: str


class ClauseSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One clause or section with everything on file about it."""

    cite: str
    edition: str
    chapter: str
    game: str
    title: str
    """Title of its section."""
    duty: str
    """The duty in our words; for a section, its title."""
    bearer: Bearer | None = None
    kind: Kind | None = None
    status: Status | None = None
    met_by: tuple[str, ...] = ()
    """The modules that carry it out or refuse a violation."""
    open: str = ""
    """The part not built yet."""
    recorded: str = ""
    """What Pitboss records about a duty that people fulfil without it."""
    other_editions: dict[str, str] = {}
    """The duty in the proposed edition, if it differs; the key names the edition."""
    readings: list[ClauseReading] = []
    tests: list[str] = []
    above: list[ClauseRow] = []
    """Its enclosing clauses, outermost first."""
    parts: list[ClauseRow] = []
    """Its subclauses."""


@get("/api/clauses", tags=["law"])
async def list_clauses(  # noqa: PLR0913, PLR0917 (filters)
    chapter: Words = None,
    under: Words = None,
    text: Words = None,
    bearer: Bearer | None = None,
    kind: Kind | None = None,
    status: Status | None = None,
) -> list[ClauseRow]:
    """List clauses, filtered by chapter or game, parent clause, text, bearer, kind or status."""
    place = strip_section_sign(under) if under else None
    wanted = Filter(chapter=chapter or None, under=place, text=text, bearer=bearer, kind=kind, status=status)
    try:
        return [_row(line) for line in filter_clauses(wanted)]
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


@get("/api/clauses/{cite:str}", tags=["law"])
async def get_clause(cite: str) -> ClauseSheet:
    """Show one clause or section, such as 639a.11(c)(3)(i) or § 639a.1:bet-wager."""
    try:
        clause = rulebook().cite(strip_section_sign(cite))
    except Mistake as mistake:
        raise NotFoundException(str(mistake)) from None
    return _sheet(clause)


def strip_section_sign(text: str) -> str:
    """Return a citation without its leading §."""
    return text.strip().removeprefix("§").strip()


def _row(line: ClauseLine) -> ClauseRow:
    clause = line.clause
    return ClauseRow(
        cite=str(clause.id),
        edition=clause.edition,
        chapter=line.rules.chapter.id,
        section=line.section.id,
        title=line.section.title,
        duty=clause.duty,
        bearer=clause.bearer,
        kind=clause.kind,
        status=clause.status,
        readings=[reading.id for reading in readings_of(clause.id)],
        tests=len(tests_of(clause.id)),
    )


def _sheet(cite: Cite) -> ClauseSheet:
    chapter = next(rules.chapter for rules in rulebook().games.values() if rules.chapter.id == cite.chapter)
    section = rulebook().sections[cite.section]
    lines = list(filter_clauses(Filter(chapter=cite.chapter, under=cite.section)))
    sheet = ClauseSheet(
        cite=str(cite),
        edition=chapter.edition,
        chapter=chapter.id,
        game=chapter.game,
        title=section.title,
        duty=section.title,
        readings=_readings(cite),
        above=[_row(line) for line in lines if line.clause.id != cite and is_under(cite, line.clause.id)],
        parts=[_row(line) for line in lines if line.clause.id != cite and is_under(line.clause.id, cite)],
    )
    if cite not in rulebook().clauses:
        return sheet
    clause = rulebook().clauses[cite]
    return msgspec.structs.replace(
        sheet,
        duty=clause.duty,
        bearer=clause.bearer,
        kind=clause.kind,
        status=clause.status,
        met_by=clause.met_by,
        open=clause.open,
        recorded=clause.recorded,
        other_editions={chapter.head.proposed_edition: clause.proposed} if clause.proposed else {},
        tests=tests_of(cite),
    )


def _readings(cite: Cite) -> list[ClauseReading]:
    """Return the readings of a clause and its subclauses."""
    return [
        ClauseReading(
            id=reading.id,
            clauses=tuple(map(str, reading.clauses)),
            question=reading.question,
            options=dict(reading.options),
            default=reading.default,
            evidence=reading.evidence,
        )
        for reading in rulebook().readings.values()
        if any(is_under(clause, cite) for clause in reading.clauses)
    ]


CLAUSES: Final = [list_clauses, get_clause]
