"""Consistent reads of a house while others write: its logs, page by page."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.unit_of_work import Chain

HOUSE: Final = "house"
"""The name of the house's own log."""
PAGE: Final = 1_000
"""Rows read at once."""
MOST: Final = 2**62


@contextmanager
def read_snapshot(db: Connection) -> Iterator[None]:
    """Read from one snapshot of the database while others write."""
    db.execute("BEGIN" if db.one_writer else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def read_pages(db: Connection, sql: str, values: Sequence[object], place: Row) -> Iterator[Row]:
    """Yield a statement's rows in pages; its last values are the position to continue after and a limit."""
    while rows := db.execute(sql, (*values, *place, PAGE)):
        yield from rows
        if len(rows) < PAGE:
            return
        place = rows[-1][: len(place)]


def as_bytes(value: object) -> bytes:
    """Return a column's value as bytes, of whatever type: SQLite stores any."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else str(value).encode()


def entries(db: Connection, chain: str, first: int = 1, last: int = MOST) -> Iterator[tuple[int, bytes, str]]:
    """Yield number, body and hash of a log's entries."""
    sql = "SELECT seq, body, hash FROM entry WHERE chain = ? AND seq <= ? AND seq > ? ORDER BY seq LIMIT ?"
    for seq, body, digest in read_pages(db, sql, (chain, last), (first - 1,)):
        yield seq, as_bytes(body), digest


def chains(db: Connection) -> dict[str, Chain]:
    """Return every log by name."""
    rows = db.execute(f"SELECT {', '.join(Chain._fields)} FROM chain ORDER BY id")  # noqa: S608 (our columns)
    found = (Chain(*row) for row in rows)
    return {
        one.id: one._replace(header=as_bytes(one.header), settings=as_bytes(one.settings), played=as_bytes(one.played))
        for one in found
    }


def last_finished_entry(db: Connection, chain: Chain) -> int:
    """Return the last entry that shows no round under way; for a table, the end of its last finished round."""
    if chain.kind == HOUSE:
        return chain.seq
    rows = db.execute("SELECT last FROM round WHERE chain = ? ORDER BY number DESC LIMIT 1", (chain.id,))
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
