"""The SQL table `checkpoint`: signed states of all logs and meters."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.reading import MOST, as_bytes, read_pages

_AFTER: Final = "SELECT number, time, body, signature FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?"


class CheckpointRow(NamedTuple):
    """A stored checkpoint: its number and time, the encoded content, and the signature."""

    number: int
    time: int
    body: bytes
    signature: str


def iter_checkpoints(db: Connection, after: int = -MOST) -> Iterator[CheckpointRow]:
    """Yield every checkpoint after a number, in order.

    The default is below every number, so that the audit reads every row, even one with an invalid number.
    """
    yield from map(_checkpoint_row, read_pages(db, _AFTER, (), (after,)))


def checkpoints_after(db: Connection, number: int, limit: int) -> list[CheckpointRow]:
    """Return at most `limit` checkpoints after a number."""
    return [_checkpoint_row(row) for row in db.execute(_AFTER, (number, limit))]


def last_checkpoint(db: Connection, up_to: int = MOST) -> CheckpointRow | None:
    """Return the last checkpoint up to a number."""
    rows = db.execute(
        "SELECT number, time, body, signature FROM checkpoint WHERE number <= ? ORDER BY number DESC LIMIT 1", (up_to,)
    )
    return _checkpoint_row(rows[0]) if rows else None


def insert_checkpoint(db: Connection, row: CheckpointRow) -> None:
    """Add a checkpoint."""
    db.execute("INSERT INTO checkpoint (number, time, body, signature) VALUES (?, ?, ?, ?)", row)


def _checkpoint_row(row: Row) -> CheckpointRow:
    number, time, body, signature = row
    return CheckpointRow(number, time, as_bytes(body), signature)
