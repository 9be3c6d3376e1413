"""The search for finished rounds: a query for the most selective index of `round` and `played`."""

from collections.abc import Sequence
from typing import Final

import msgspec

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.reading import MOST

RARE_ROUNDS: Final = 20_000
"""Below this number of rounds, sorting them is faster than scanning by time."""


class RoundFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter for rounds: times in seconds, the highest payout to one box in cents."""

    table: str | None = None
    patron: str | None = None
    since: int | None = None
    until: int | None = None
    least: int | None = None
    most: int | None = None


def search_rounds(db: Connection, sought: RoundFilter, limit: int) -> list[tuple[str, int]]:
    """Return table and number, from 0, of rounds that pass a filter, the newest first."""
    sql, values = statement(db, sought, limit)
    return [(chain, number) for _, chain, number in db.execute(sql, values)]


def statement(db: Connection, sought: RoundFilter, limit: int) -> tuple[str, list[object]]:
    """Return the query for these rounds and its values, written for the most selective index."""
    limits = {"chain = ?": sought.table, "ended >= ?": sought.since, "ended <= ?": sought.until}
    tests = [f"x.{test}" for test, value in limits.items() if value is not None]
    values: list[object] = [value for value in limits.values() if value is not None]
    paid = sought.least is not None or sought.most is not None
    bounds: list[object] = [sought.least or 0, MOST if sought.most is None else sought.most]
    if paid and _is_rare_payout(db, bounds):
        few = "WITH few AS MATERIALIZED (SELECT ended, chain, number FROM round WHERE highest BETWEEN ? AND ?) "
        if sought.patron is not None:
            same = "p.ended = x.ended AND p.chain = x.chain AND p.number = x.number"
            tests.append(f"EXISTS (SELECT 1 FROM played p WHERE p.patron = ? AND {same})")  # noqa: S608 (our words)
            values.append(sought.patron)
        return few + _newest("few x", tests), [*bounds, *values, limit]
    source = "round x"
    if sought.patron is not None:
        source, tests, values = "played x", ["x.patron = ?", *tests], [sought.patron, *values]
    if paid and sought.patron is not None:
        source, tests = "played x CROSS JOIN round r", [*tests, "r.chain = x.chain", "r.number = x.number"]
    if paid:
        tests.append(f"+{source[-1]}.highest BETWEEN ? AND ?")  # the plus keeps SQLite off the index by amount
        values += bounds
    return _newest(source, tests), [*values, limit]


def _newest(source: str, tests: Sequence[str]) -> str:
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    order = "ORDER BY x.ended DESC, x.chain DESC, x.number DESC LIMIT ?"
    return f"SELECT x.ended, x.chain, x.number FROM {source}{where} {order}"  # noqa: S608 (our words)


def _is_rare_payout(db: Connection, bounds: Sequence[object]) -> bool:
    """Whether few rounds have such a payout."""
    sql = "SELECT COUNT(*) FROM (SELECT 1 FROM round WHERE highest BETWEEN ? AND ? LIMIT ?) few"
    return bool(db.execute(sql, (*bounds, RARE_ROUNDS))[0][0] < RARE_ROUNDS)
