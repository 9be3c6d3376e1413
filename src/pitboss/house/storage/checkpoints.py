"""Signed checkpoints (`checkpoint`)."""

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.reading import MOST, as_bytes, read_pages


class CheckpointRow(NamedTuple):
    """A stored checkpoint: its number and time, the encoded content, and the signature."""

    number: int
    time: int
    body: bytes
    signature: str


def all_checkpoints(db: Connection, after: int = -MOST) -> Iterator[CheckpointRow]:
    """Yield every checkpoint after a number, in order."""
    sql = "SELECT number, time, body, signature FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?"
    for number, time, body, signature in read_pages(db, sql, (), (after,)):
        yield CheckpointRow(number, time, as_bytes(body), signature)


def checkpoints_after(db: Connection, number: int, limit: int) -> list[CheckpointRow]:
    """Return the first checkpoints after one."""
    rows = db.execute(
        "SELECT number, time, body, signature FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?",
        (number, limit),
    )
    return [CheckpointRow(one, time, as_bytes(body), signature) for one, time, body, signature in rows]


def last_checkpoint(db: Connection, up_to: int = MOST) -> CheckpointRow | None:
    """Return the last checkpoint up to a number."""
    rows = db.execute(
        "SELECT number, time, body, signature FROM checkpoint WHERE number <= ? ORDER BY number DESC LIMIT 1", (up_to,)
    )
    return CheckpointRow(rows[0][0], rows[0][1], as_bytes(rows[0][2]), rows[0][3]) if rows else None


def insert_checkpoint(db: Connection, row: CheckpointRow) -> None:
    """Add a checkpoint."""
    db.execute("INSERT INTO checkpoint (number, time, body, signature) VALUES (?, ?, ?, ?)", row)
