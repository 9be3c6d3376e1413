"""Consistent reads while others write, and long reads in pages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pitboss.house.storage.connections import Connection, Row

PAGE: Final = 1_000
"""Rows read at once."""
MOST: Final = 2**62
"""Greater than every number in the database."""


@contextmanager
def read_snapshot(db: Connection) -> Iterator[None]:
    """Read from one snapshot of the database while others write."""
    db.execute(db.dialect.begin_snapshot)
    try:
        yield
    finally:
        db.execute("ROLLBACK")


@contextmanager
def snapshot_transaction(db: Connection) -> Iterator[None]:
    """Write in a transaction that reads one snapshot."""
    with db.transaction():
        if db.dialect.hold_snapshot:
            db.execute(db.dialect.hold_snapshot)
        yield


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
