"""The clause matrix: for every clause its bearer, its status, its readings and the tests that prove it."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.book import GameRules
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.clauses import Bearer, Clause, Kind, Section, Status
from pitboss.rulebook.loader import rulebook
from pitboss.rulebook.readings import Reading


class ClauseLine(NamedTuple):
    """One line of the matrix: a clause, its readings and its tests."""

    rules: GameRules
    section: Section
    clause: Clause


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions on clauses; without any, all clauses match."""

    chapter: str | None = None
    """A chapter or its game."""
    under: str | None = None
    """A clause or section, and everything under it."""
    bearer: Bearer | None = None
    kind: Kind | None = None
    status: Status | None = None
    text: str | None = None
    """Text in the duty, ignoring case."""

    def matches(self, clause: Clause) -> bool:
        """Whether a clause meets all conditions."""
        return (
            (not self.under or is_under(clause.id, self.under))
            and self.bearer in (None, clause.bearer)
            and self.kind in (None, clause.kind)
            and self.status in (None, clause.status)
            and (not self.text or self.text.casefold() in f"{clause.id} {clause.duty}".casefold())
        )


def chapters(name: str | None) -> list[GameRules]:
    """Return the game with this name or chapter; all games for None."""
    book = rulebook()
    if name is None:
        return list(book.games.values())
    for rules in book.games.values():
        if name in (rules.chapter.game, rules.chapter.id):
            return [rules]
    names = ", ".join(f"{game} ({rules.chapter.id})" for game, rules in book.games.items())
    raise Mistake(f"There is no game “{name}”; there are {names}.")


def filter_clauses(wanted: Filter) -> Iterator[ClauseLine]:
    """Yield the matching clauses in printed order."""
    if wanted.under:
        rulebook().cite(wanted.under)
    for rules in chapters(wanted.chapter):
        for section in rules.chapter.sections:
            for clause in section.clauses:
                if wanted.matches(clause):
                    yield ClauseLine(rules, section, clause)


def is_under(cite: str, prefix: str) -> bool:
    """Whether a clause is `prefix` itself or under it.

    >>> [is_under("639a.11(c)", prefix) for prefix in ("639a.11(c)", "639a.11", "639a.1")]
    [True, True, False]
    """
    rest = cite.removeprefix(prefix)
    return cite.startswith(prefix) and (not rest or rest[0] in "(:")


def readings_of(cite: Cite) -> list[Reading]:
    """Return the readings that interpret a clause."""
    return [reading for reading in rulebook().readings.values() if cite in reading.clauses]
