"""Replies by idempotency key (`answered`): a repeated key gets the same reply."""

from collections.abc import Iterable, Sequence

from pitboss.house.storage.connections import Connection


def read_reply(db: Connection, person: str, key: str) -> tuple[str, bytes] | None:
    """Return the payload and the reply stored for a person's key."""
    rows = db.execute("SELECT payload, reply FROM answered WHERE person = ? AND key = ?", (person, key))
    return (rows[0][0], bytes(rows[0][1])) if rows else None


def used_keys_sql(keys: Sequence[tuple[str, str]]) -> tuple[str, Sequence[object]]:
    """Return PostgreSQL's query for those of some keys that were used, each with its person."""
    return (
        "SELECT person, key FROM answered WHERE (person, key) IN (SELECT * FROM unnest(?::text[], ?::text[]))",
        ([person for person, _ in keys], [key for _, key in keys]),
    )


def insert_replies(db: Connection, rows: Iterable[tuple[str, str, str, bytes, int]]) -> None:
    """Add replies: person, key, payload, reply, time."""
    db.execute_many("INSERT INTO answered (person, key, payload, reply, time) VALUES (?, ?, ?, ?, ?)", rows)
