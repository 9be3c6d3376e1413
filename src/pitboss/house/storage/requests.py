"""Requests that wait for a second person (`approval`)."""

from typing import NamedTuple

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.reading import as_bytes


class RequestRow(NamedTuple):
    """A request that waits for a second person."""

    id: str
    kind: str
    chain: str
    body: bytes
    requested_by: str
    time: int


def read_request(db: Connection, name: str, *, lock: bool) -> tuple[str, bytes, str] | None:
    """Return the kind, body and requester of a request; `lock` holds it until the transaction ends."""
    row_lock = db.dialect.row_lock if lock else ""
    rows = db.execute(f"SELECT kind, body, requested_by FROM approval WHERE id = ?{row_lock}", (name,))  # noqa: S608 (our words)
    return (rows[0][0], bytes(rows[0][1]), rows[0][2]) if rows else None


def list_requests(db: Connection) -> list[RequestRow]:
    """Return all requests, the oldest first."""
    rows = db.execute("SELECT id, kind, chain, body, requested_by, time FROM approval ORDER BY time, id")
    return [RequestRow(name, kind, chain, as_bytes(body), by, time) for name, kind, chain, body, by, time in rows]


def insert_request(db: Connection, row: RequestRow) -> None:
    """Add a request."""
    db.execute("INSERT INTO approval (id, kind, chain, body, requested_by, time) VALUES (?, ?, ?, ?, ?, ?)", row)


def delete_request(db: Connection, name: str) -> None:
    """Delete a request that no longer waits."""
    db.execute("DELETE FROM approval WHERE id = ?", (name,))
