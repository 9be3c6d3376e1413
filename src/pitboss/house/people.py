"""People of the house: what each may do, passwords, and sessions that only the server knows."""

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
from pitboss.house.connections import Connection
from pitboss.table.commands import Role

SESSION_SECONDS: Final = 30 * 60
"""Seconds after which a session that was not used is over."""
FAILURES: Final = 5
"""Wrong passwords in a row that lock a person out."""
LOCKOUT_SECONDS: Final = 15 * 60
"""For so many seconds."""
SHORTEST: Final = 10
"""Letters of a password."""


RESERVED: Final = ("house", "automatic dealer", "automatic floorperson")
"""Names under which the house itself acts."""


class Post(StrEnum):
    """What somebody is in the house."""

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
"""Who they are at a table: auditor and operator see what surveillance sees there, and do as little."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who is known here."""

    name: str
    post: Post

    @property
    def role(self) -> Role:
        """Who they are at a table."""
        return ROLES[self.post]


class Session(msgspec.Struct, frozen=True):
    """Somebody who is signed in."""

    id: str
    person: Person
    csrf: str


class Failure(msgspec.Struct, frozen=True):
    """Somebody who did not get in, as it is noted."""

    what: str
    after: str = ""
    actor: str = "house"
    """Whose password it should have been."""


_HASHER: Final = argon2.PasswordHasher()
_DUMMY_HASH: Final = _HASHER.hash(secrets.token_hex())
"""A password that nobody has: checking it takes as long as any other."""


def hash_password(password: str) -> str:
    """Return what is kept of a password: argon2id."""
    if len(password) < SHORTEST:
        raise Mistake(f"A password has at least {SHORTEST} letters.")
    return _HASHER.hash(password)


def password_matches(password: str, kept: str | None) -> bool:
    """Whether a password is the one that was kept; it takes as long where nobody is known."""
    try:
        return _HASHER.verify(kept or _DUMMY_HASH, password) and kept is not None
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False


def require_name(text: str) -> str:
    """Return a name, refusing what could be mistaken for another or for a path."""
    if not re.fullmatch(r"\w(?:[\w .-]{0,38}\w)?", text) or "  " in text or normalize("NFKC", text) != text:
        raise Mistake("A name has 1 to 40 letters, digits, blanks, dots or hyphens.")
    return text


def active_person(db: Connection, name: str) -> Person | None:
    """Return somebody in the post they have now, if they are still there."""
    rows = db.execute("SELECT post FROM person WHERE name = ? AND is_active = 1", (name,))
    return Person(name, Post(rows[0][0])) if rows else None


def read_password_hash(db: Connection, name: str) -> tuple[str | None, int]:
    """Return what is kept of somebody's password, and until when they are locked out."""
    rows = db.execute("SELECT password, locked_until FROM person WHERE name = ? AND is_active = 1", (name,))
    return (rows[0][0], rows[0][1]) if rows else (None, 0)


def begin_session(db: Connection, name: str, now: int, kept: str | None = None) -> tuple[str, Session] | None:
    """Begin a session; return what the browser keeps of it, and the session.

    Who was locked out or dismissed meanwhile gets none; nor whose password is no longer the one that was found to fit,
    known by what was `kept` of it.
    """
    found = db.execute(  # and nobody changes the person until the session is begun
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
    """Count a wrong password, of whom it could let in; five in a row lock the person out."""
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
    """Return what somebody typed for a name, if it could be one."""
    with suppress(Mistake):
        return f"“{require_name(name)}”"
    return "what is no name"


def session_of(db: Connection, token: str, now: int) -> Session | None:
    """Return the session a browser has, unless it is over."""
    rows = db.execute(
        "SELECT s.id, s.person, p.post, s.csrf FROM session s JOIN person p ON p.name = s.person"
        " WHERE s.id = ? AND s.seen > ? AND p.is_active = 1",
        (_id(token), now - SESSION_SECONDS),
    )
    return Session(rows[0][0], Person(rows[0][1], Post(rows[0][2])), rows[0][3]) if rows else None


def active_sessions(db: Connection, now: int) -> set[str]:
    """Return the sessions that are not over."""
    return {
        row[0]
        for row in db.execute(
            "SELECT s.id FROM session s JOIN person p ON p.name = s.person WHERE s.seen > ? AND p.is_active = 1",
            (now - SESSION_SECONDS,),
        )
    }


def _id(token: str) -> str:
    return sha256(token.encode()).hexdigest()
