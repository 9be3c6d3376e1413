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
from pitboss.house.storage.people import lock_out, post_of_active, read_sign_in, reset_failures, set_failures
from pitboss.house.storage.sessions import delete_sessions_before, insert_session, read_session, sessions_since
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
    """Whether a password matches a hash; without a hash, take as long as with one and return False."""
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
    post = post_of_active(db, name)
    return Person(name, Post(post)) if post else None


def read_password_hash(db: Connection, name: str) -> tuple[str | None, int]:
    """Return the password hash of an active person, and the end of a lockout."""
    found = read_sign_in(db, name)
    return (found.password, found.locked_until) if found else (None, 0)


def begin_session(db: Connection, name: str, now: int, kept: str | None = None) -> tuple[str, Session] | None:
    """Begin a session; return its token for the browser, and the session.

    Return None if the person was locked out or dismissed, or the stored hash is no longer `kept`, which was verified.
    """
    post = reset_failures(db, name, now, kept)
    if post is None:
        return None
    delete_sessions_before(db, now - SESSION_SECONDS)
    token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    insert_session(db, _id(token), name, csrf, now)
    return token, Session(_id(token), Person(name, Post(post)), csrf)


def count_failure(db: Connection, name: str, now: int) -> Failure:
    """Count a wrong password of an active person; five in a row lock the account."""
    found = read_sign_in(db, name)
    if found is None:
        return Failure(f"failed sign-in of {_quote_name(name)}, not known here")
    failures = found.failures + 1
    if found.locked_until > now:
        return Failure("failed sign-in while locked out", actor=name)
    locked = failures >= FAILURES
    set_failures(db, name, 0 if locked else failures)
    if locked:
        lock_out(db, name, now + LOCKOUT_SECONDS)
    return Failure("failed sign-in", "locked out" if locked else "", name)


def _quote_name(name: str) -> str:
    """Return the typed name in quotes, if it is valid."""
    with suppress(Mistake):
        return f"“{require_name(name)}”"
    return "an invalid name"


def session_of(db: Connection, token: str, now: int) -> Session | None:
    """Return the session of a browser's token, unless it expired."""
    found = read_session(db, _id(token), now - SESSION_SECONDS)
    return Session(found.id, Person(found.person, Post(found.post)), found.csrf) if found else None


def active_sessions(db: Connection, now: int) -> set[str]:
    """Return the ids of unexpired sessions of active people."""
    return sessions_since(db, now - SESSION_SECONDS)


def _id(token: str) -> str:
    return sha256(token.encode()).hexdigest()
