"""People and their sign-in (`person`)."""

from typing import NamedTuple

from pitboss.house.storage.connections import Connection


class PersonRow(NamedTuple):
    """A person's name, post, and whether the account is active."""

    name: str
    post: str
    is_active: bool


class SignIn(NamedTuple):
    """What the sign-in of an active person depends on."""

    password: str
    failures: int
    locked_until: int


def post_of_active(db: Connection, name: str) -> str | None:
    """Return the post of an active person."""
    rows = db.execute("SELECT post FROM person WHERE name = ? AND is_active = 1", (name,))
    return rows[0][0] if rows else None


def post_of_staff(db: Connection, name: str) -> str | None:
    """Return the post of a staff member, who may have left."""
    rows = db.execute("SELECT post FROM person WHERE name = ? AND post <> 'patron'", (name,))
    return rows[0][0] if rows else None


def all_people(db: Connection) -> list[PersonRow]:
    """Return everybody, also people who left."""
    rows = db.execute("SELECT name, post, is_active FROM person")
    return [PersonRow(name, post, bool(is_active)) for name, post, is_active in rows]


def active_staff(db: Connection) -> list[tuple[str, str]]:
    """Return name and post of the active staff, sorted by name."""
    rows = db.execute("SELECT name, post FROM person WHERE post <> 'patron' AND is_active = 1 ORDER BY name")
    return [(name, post) for name, post in rows]


def active_passwords(db: Connection) -> list[tuple[str, str, str]]:
    """Return name, post and password hash of active people, sorted by post and name."""
    rows = db.execute("SELECT name, post, password FROM person WHERE is_active = 1 ORDER BY post, name")
    return [(name, post, password) for name, post, password in rows]


def count_active_by_post(db: Connection) -> dict[str, int]:
    """Return the number of active people by post."""
    return dict(db.execute("SELECT post, COUNT(*) FROM person WHERE is_active = 1 GROUP BY post"))


def has_people(db: Connection) -> bool:
    """Whether anybody was ever hired."""
    return bool(db.execute("SELECT 1 FROM person LIMIT 1"))


def has_patron(db: Connection, name: str) -> bool:
    """Whether a patron has that name."""
    return bool(db.execute("SELECT 1 FROM person WHERE name = ? AND post = 'patron'", (name,)))


def has_active_person(db: Connection, name: str) -> bool:
    """Whether an active person has that name."""
    return bool(db.execute("SELECT 1 FROM person WHERE name = ? AND is_active = 1", (name,)))


def has_active_staff(db: Connection, name: str) -> bool:
    """Whether an active staff member has that name."""
    sql = "SELECT 1 FROM person WHERE name = ? AND is_active = 1 AND post <> 'patron'"
    return bool(db.execute(sql, (name,)))


def hire(db: Connection, name: str, post: str, password: str) -> None:
    """Add a person, or give an existing one a new post and password hash."""
    db.execute(
        "INSERT INTO person (name, post, password, is_active, failures, locked_until) VALUES (?, ?, ?, 1, 0, 0)"
        " ON CONFLICT (name) DO UPDATE SET post = excluded.post, password = excluded.password, is_active = 1",
        (name, post, password),
    )


def dismiss(db: Connection, name: str) -> None:
    """Mark a person as no longer active."""
    db.execute("UPDATE person SET is_active = 0 WHERE name = ?", (name,))


def read_sign_in(db: Connection, name: str) -> SignIn | None:
    """Return what the sign-in of an active person depends on."""
    rows = db.execute("SELECT password, failures, locked_until FROM person WHERE name = ? AND is_active = 1", (name,))
    return SignIn(*rows[0]) if rows else None


def reset_failures(db: Connection, name: str, now: int, password: str | None) -> str | None:
    """Reset the failures of an active person who is not locked out, and return the post.

    A given password hash must still be the stored one. The update locks the person until the transaction ends.
    """
    rows = db.execute(
        "UPDATE person SET failures = 0, locked_until = 0 WHERE name = ? AND is_active = 1 AND locked_until <= ?"
        " AND password = COALESCE(?, password) RETURNING post",
        (name, now, password),
    )
    return rows[0][0] if rows else None


def set_failures(db: Connection, name: str, failures: int) -> None:
    """Store the number of wrong passwords in a row."""
    db.execute("UPDATE person SET failures = ? WHERE name = ?", (failures, name))


def lock_out(db: Connection, name: str, until: int) -> None:
    """Lock a person out until a time."""
    db.execute("UPDATE person SET locked_until = ? WHERE name = ?", (until, name))
