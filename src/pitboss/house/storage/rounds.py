"""Finished rounds (`round`), and the result of each patron in them (`played`). Rounds count from 0 here."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.reading import as_bytes

ROUND_COLUMNS: Final = ("first", "last", "ended", "wagered", "highest", "is_void")
"""The columns of `round` between its key and the snapshot after it."""


class RoundEnd(NamedTuple):
    """The last entry of a finished round, and the table after it."""

    last: int
    after: bytes


class RoundAmounts(NamedTuple):
    """When a round ended, and its amounts in cents."""

    ended: int
    wagered: int
    highest: int
    is_void: int


class VoidRound(NamedTuple):
    """A void round: its table, number, entries, and the cents wagered."""

    chain: str
    number: int
    first: int
    last: int
    wagered: int


class PatronRound(NamedTuple):
    """A patron's result in one round, in cents."""

    ended: int
    chain: str
    number: int
    wagered: int
    net: int


class PatronResult(NamedTuple):
    """The result of one patron in a given round, in cents."""

    patron: str
    ended: int
    wagered: int
    net: int


def last_round_until(db: Connection, chain: str, seq: int) -> RoundEnd | None:
    """Return the end of the last round that finished by an entry."""
    rows = db.execute(
        "SELECT last, after FROM round WHERE chain = ? AND last <= ? ORDER BY number DESC LIMIT 1",
        (chain, seq),
    )
    return RoundEnd(rows[0][0], as_bytes(rows[0][1])) if rows else None


def last_finished_round_end(db: Connection, chain: str) -> int:
    """Return the last entry of a table's last finished round, or 0."""
    rows = db.execute("SELECT last FROM round WHERE chain = ? ORDER BY number DESC LIMIT 1", (chain,))
    return rows[0][0] if rows else 0


def round_ending_at(db: Connection, chain: str, seq: int) -> tuple[int, int] | None:
    """Return number and last entry of the first finished round that ends at or after an entry.

    A binary search, since rounds are in the order of their entries.
    """
    sql = "SELECT number, last FROM round WHERE chain = ? AND number >= ? ORDER BY number LIMIT 1"
    ((most,),) = db.execute("SELECT COALESCE(MAX(number), -1) FROM round WHERE chain = ?", (chain,))
    low, high, found = 0, int(most), None
    while low <= high:
        middle = (low + high) // 2
        ((number, last),) = db.execute(sql, (chain, middle))
        if last >= seq:
            found, high = (int(number), int(last)), middle - 1
        else:
            low = number + 1
    return found


def round_since(db: Connection, chain: str, time: int) -> int | None:
    """Return the first round of a table that ended at or after a time."""
    rows = db.execute(
        "SELECT number FROM round WHERE chain = ? AND ended >= ? ORDER BY ended, number LIMIT 1", (chain, time)
    )
    return rows[0][0] if rows else None


def round_after(db: Connection, chain: str, number: int) -> int | None:
    """Return the finished round after a round."""
    rows = db.execute(
        "SELECT number FROM round WHERE chain = ? AND number > ? ORDER BY number LIMIT 1", (chain, number)
    )
    return rows[0][0] if rows else None


def count_rounds(db: Connection, chain: str) -> int:
    """Return the number of a table's finished rounds."""
    ((count,),) = db.execute("SELECT COUNT(*) FROM round WHERE chain = ?", (chain,))
    return int(count)


def count_results(db: Connection, chain: str) -> int:
    """Return the number of patrons' results in a table's rounds."""
    ((count,),) = db.execute("SELECT COUNT(*) FROM played WHERE chain = ?", (chain,))
    return int(count)


def count_rounds_by_table(db: Connection) -> dict[str, int]:
    """Return the number of finished rounds by table; a table without one is missing."""
    return dict(db.execute("SELECT chain, COUNT(*) FROM round GROUP BY chain"))


def has_rounds(db: Connection) -> bool:
    """Whether a round was finished at any table."""
    return bool(db.execute("SELECT 1 FROM round LIMIT 1"))


def entries_of_round(db: Connection, chain: str, number: int) -> tuple[int, int] | None:
    """Return the first and the last entry of a finished round."""
    rows = db.execute("SELECT first, last FROM round WHERE chain = ? AND number = ?", (chain, number))
    return (rows[0][0], rows[0][1]) if rows else None


def last_entry_of_round(db: Connection, chain: str, number: int) -> int | None:
    """Return the last entry of a finished round."""
    rows = db.execute("SELECT last FROM round WHERE chain = ? AND number = ?", (chain, number))
    return rows[0][0] if rows else None


def snapshot_after_round(db: Connection, chain: str, number: int) -> bytes | None:
    """Return the table after a finished round."""
    rows = db.execute("SELECT after FROM round WHERE chain = ? AND number = ?", (chain, number))
    return as_bytes(rows[0][0]) if rows else None


def round_amounts(db: Connection, chain: str, number: int) -> RoundAmounts:
    """Return the end and the amounts of a finished round."""
    ((ended, wagered, highest, is_void),) = db.execute(
        "SELECT ended, wagered, highest, is_void FROM round WHERE chain = ? AND number = ?", (chain, number)
    )
    return RoundAmounts(ended, wagered, highest, is_void)


def round_row(db: Connection, chain: str, number: int) -> tuple[Row, bytes] | None:
    """Return the values of `ROUND_COLUMNS` of a finished round, and the table after it."""
    rows = db.execute(
        f"SELECT {', '.join(ROUND_COLUMNS)}, after FROM round WHERE chain = ? AND number = ?",  # noqa: S608 (our columns)
        (chain, number),
    )
    return (rows[0][:-1], as_bytes(rows[0][-1])) if rows else None


def patrons_of_round(db: Connection, chain: str, number: int) -> tuple[str, ...]:
    """Return the patrons of a finished round, sorted."""
    rows = db.execute("SELECT patron FROM played WHERE chain = ? AND number = ? ORDER BY patron", (chain, number))
    return tuple(name for (name,) in rows)


def results_of_round(db: Connection, chain: str, number: int) -> list[PatronResult]:
    """Return the patrons' results in a finished round, sorted by patron."""
    rows = db.execute(
        "SELECT patron, ended, wagered, net FROM played WHERE chain = ? AND number = ? ORDER BY patron",
        (chain, number),
    )
    return [PatronResult(*row) for row in rows]


def rounds_of_patron(db: Connection, patron: str, limit: int) -> list[PatronRound]:
    """Return a patron's last rounds, the newest first."""
    rows = db.execute(
        "SELECT ended, chain, number, wagered, net FROM played WHERE patron = ? ORDER BY ended DESC LIMIT ?",
        (patron, limit),
    )
    return [PatronRound(*row) for row in rows]


def void_rounds(db: Connection, limit: int) -> list[VoidRound]:
    """Return the last void rounds, the newest first."""
    rows = db.execute(
        "SELECT chain, number, first, last, wagered FROM round WHERE is_void = 1"
        " ORDER BY ended DESC, chain DESC, number DESC LIMIT ?",
        (limit,),
    )
    return [VoidRound(*row) for row in rows]


def tables_with_rounds(db: Connection) -> list[str]:
    """Return the logs that have finished rounds."""
    return [chain for (chain,) in db.execute("SELECT DISTINCT chain FROM round")]


def results_without_round(db: Connection) -> list[tuple[str, int]]:
    """Return log and number of missing rounds that patrons have results in."""
    rows = db.execute(
        "SELECT DISTINCT p.chain, p.number FROM played p WHERE NOT EXISTS"
        " (SELECT 1 FROM round r WHERE r.chain = p.chain AND r.number = p.number)"
    )
    return [(chain, number) for chain, number in rows]


def insert_rounds(db: Connection, rows: Iterable[Row]) -> None:
    """Add finished rounds."""
    db.execute_many(
        "INSERT INTO round (chain, number, first, last, ended, wagered, highest, is_void, after)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def insert_results(db: Connection, rows: Iterable[Row]) -> None:
    """Add patrons' results: patron, end, log, number, cents wagered, net."""
    db.execute_many("INSERT INTO played (patron, ended, chain, number, wagered, net) VALUES (?, ?, ?, ?, ?, ?)", rows)
