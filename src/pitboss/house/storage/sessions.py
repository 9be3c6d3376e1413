"""Sessions of people who signed in (`session`)."""

from typing import NamedTuple

from pitboss.house.storage.connections import Connection


class SessionRow(NamedTuple):
    """A session with its person and post."""

    id: str
    person: str
    post: str
    csrf: str


def insert_session(db: Connection, name: str, person: str, csrf: str, now: int) -> None:
    """Add a session."""
    db.execute(
        "INSERT INTO session (id, person, csrf, began, seen) VALUES (?, ?, ?, ?, ?)", (name, person, csrf, now, now)
    )


def read_session(db: Connection, name: str, since: int) -> SessionRow | None:
    """Return a session of an active person that was used after a time."""
    rows = db.execute(
        "SELECT s.id, s.person, p.post, s.csrf FROM session s JOIN person p ON p.name = s.person"
        " WHERE s.id = ? AND s.seen > ? AND p.is_active = 1",
        (name, since),
    )
    return SessionRow(*rows[0]) if rows else None


def sessions_since(db: Connection, since: int) -> set[str]:
    """Return the ids of active people's sessions that were used after a time."""
    rows = db.execute(
        "SELECT s.id FROM session s JOIN person p ON p.name = s.person WHERE s.seen > ? AND p.is_active = 1", (since,)
    )
    return {name for (name,) in rows}


def touch_session(db: Connection, name: str, now: int) -> None:
    """Store the last use of a session."""
    db.execute("UPDATE session SET seen = ? WHERE id = ?", (now, name))


def delete_session(db: Connection, name: str) -> None:
    """End a session."""
    db.execute("DELETE FROM session WHERE id = ?", (name,))


def delete_sessions_of(db: Connection, person: str) -> None:
    """End all sessions of a person."""
    db.execute("DELETE FROM session WHERE person = ?", (person,))


def delete_sessions_before(db: Connection, time: int) -> None:
    """Delete sessions that were last used before a time."""
    db.execute("DELETE FROM session WHERE seen < ?", (time,))
