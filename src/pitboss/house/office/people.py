"""People of the house: posts, passwords, and sessions stored on the server."""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from hashlib import sha256
from typing import Final
from unicodedata import normalize

import argon2
import msgspec

from pitboss.errors import Mistake
from pitboss.house.storage.connections import Connection
from pitboss.table.commands import Role

SESSION_SECONDS: Final = 30 * 60
"""Seconds after which an unused session expires."""
FAILURES: Final = 5
"""Wrong passwords in a row before a lockout."""
LOCKOUT_SECONDS: Final = 15 * 60
"""Seconds of a lockout."""
SHORTEST: Final = 10
"""Minimum length of a password."""


RESERVED: Final = ("house", "automatic dealer", "automatic floorperson")
"""Names that the house itself uses as an actor."""


class Post(StrEnum):
    """The post of a person in the house."""

    PATRON = "patron"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    OPERATOR = "operator"


ROLES: Final[Mapping[Post, Role]] = {
    Post.PATRON: Role.PLAYER,
    Post.DEALER: Role.DEALER,
    Post.FLOORPERSON: Role.FLOORPERSON,
    Post.SURVEILLANCE: Role.SURVEILLANCE,
    Post.AUDITOR: Role.SURVEILLANCE,
    Post.OPERATOR: Role.SURVEILLANCE,
}
"""The role of each post at a table; auditor and operator have the view of surveillance."""


class Person(msgspec.Struct, frozen=True):
    """A person with an account."""

    name: str
    post: Post

    @property
    def role(self) -> Role:
        """The person's role at a table."""
        return ROLES[self.post]


class Session(msgspec.Struct, frozen=True):
    """A signed-in session."""

    id: str
    person: Person
    csrf: str


class Failure(msgspec.Struct, frozen=True):
    """A failed sign-in, as noted in the house's log."""

    what: str
    after: str = ""
    actor: str = "house"
    """The account it was tried for, if it exists."""


_HASHER: Final = argon2.PasswordHasher()
_DUMMY_HASH: Final = _HASHER.hash(secrets.token_hex())
"""A hash to verify for unknown names, so that they take as long as known ones."""


def hash_password(password: str) -> str:
    """Return the argon2id hash of a password; reject a short one."""
    if len(password) < SHORTEST:
        raise Mistake(f"A password needs at least {SHORTEST} characters.")
    return _HASHER.hash(password)


def password_matches(password: str, kept: str | None) -> bool:
    """Whether a password matches a hash; without a hash it takes as long and returns False."""
    try:
        return _HASHER.verify(kept or _DUMMY_HASH, password) and kept is not None
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False


def require_name(text: str) -> str:
    """Return a valid name; reject one that resembles another or is a path."""
    if not re.fullmatch(r"\w(?:[\w .-]{0,38}\w)?", text) or "  " in text or normalize("NFKC", text) != text:
        raise Mistake("A name must have 1 to 40 letters, digits, spaces, dots or hyphens.")
    return text


def active_person(db: Connection, name: str) -> Person | None:
    """Return an active person with the current post."""
    rows = db.execute("SELECT post FROM person WHERE name = ? AND is_active = 1", (name,))
    return Person(name, Post(rows[0][0])) if rows else None


def read_password_hash(db: Connection, name: str) -> tuple[str | None, int]:
    """Return the password hash of an active person, and the end of a lockout."""
    rows = db.execute("SELECT password, locked_until FROM person WHERE name = ? AND is_active = 1", (name,))
    return (rows[0][0], rows[0][1]) if rows else (None, 0)


def begin_session(db: Connection, name: str, now: int, kept: str | None = None) -> tuple[str, Session] | None:
    """Begin a session; return its token for the browser, and the session.

    Return None if the person was locked out or dismissed, or the password hash is no longer `kept`, the verified one.
    """
    found = db.execute(  # the update also locks the row until the session exists
        "UPDATE person SET failures = 0, locked_until = 0 WHERE name = ? AND is_active = 1 AND locked_until <= ?"
        " AND password = COALESCE(?, password) RETURNING post",
        (name, now, kept),
    )
    if not found:
        return None
    post = found[0][0]
    db.execute("DELETE FROM session WHERE seen < ?", (now - SESSION_SECONDS,))
    token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    db.execute(
        "INSERT INTO session (id, person, csrf, began, seen) VALUES (?, ?, ?, ?, ?)",
        (_id(token), name, csrf, now, now),
    )
    return token, Session(_id(token), Person(name, Post(post)), csrf)


def count_failure(db: Connection, name: str, now: int) -> Failure:
    """Count a wrong password of an active person; five in a row lock the account."""
    rows = db.execute("SELECT failures, locked_until FROM person WHERE name = ? AND is_active = 1", (name,))
    if not rows:
        return Failure(f"failed sign-in of {_quote_name(name)}, not known here")
    failures, until = int(rows[0][0]) + 1, int(rows[0][1])
    if until > now:
        return Failure("failed sign-in while locked out", actor=name)
    locked = failures >= FAILURES
    db.execute("UPDATE person SET failures = ? WHERE name = ?", (0 if locked else failures, name))
    if locked:
        db.execute("UPDATE person SET locked_until = ? WHERE name = ?", (now + LOCKOUT_SECONDS, name))
    return Failure("failed sign-in", "locked out" if locked else "", name)


def _quote_name(name: str) -> str:
    """Return the typed name in quotes, if it is valid."""
    with suppress(Mistake):
        return f"“{require_name(name)}”"
    return "an invalid name"


def session_of(db: Connection, token: str, now: int) -> Session | None:
    """Return the session of a browser's token, unless it expired."""
    rows = db.execute(
        "SELECT s.id, s.person, p.post, s.csrf FROM session s JOIN person p ON p.name = s.person"
        " WHERE s.id = ? AND s.seen > ? AND p.is_active = 1",
        (_id(token), now - SESSION_SECONDS),
    )
    return Session(rows[0][0], Person(rows[0][1], Post(rows[0][2])), rows[0][3]) if rows else None


def active_sessions(db: Connection, now: int) -> set[str]:
    """Return the ids of unexpired sessions of active people."""
    return {
        row[0]
        for row in db.execute(
            "SELECT s.id FROM session s JOIN person p ON p.name = s.person WHERE s.seen > ? AND p.is_active = 1",
            (now - SESSION_SECONDS,),
        )
    }


def _id(token: str) -> str:
    return sha256(token.encode()).hexdigest()
