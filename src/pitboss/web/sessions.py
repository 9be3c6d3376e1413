"""HTTP routes to sign in and out; a session says what its person may do."""

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie, State
from litestar.exceptions import NotAuthorizedException

from pitboss.house.office.people import Session, begin_session, count_failure, password_matches, read_password_hash
from pitboss.house.office.permissions import Permission, acts_of, permissions_of
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.sessions import delete_session
from pitboss.house.writers import Writer
from pitboss.web.guard import COOKIE, token_of
from pitboss.web.runtime import Runtime

_SIGN_IN_FAILED: Final = "Wrong name or password, or too many attempts."


class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """A name and a password."""

    name: Annotated[str, msgspec.Meta(max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class SessionInfo(msgspec.Struct, kw_only=True):
    """The signed-in person. Browsers send `csrf` with every change; programs send `token`."""

    name: str
    post: str
    csrf: str
    token: str = ""
    may: list[Permission]
    """What this person may see and do, besides acts."""
    acts: list[str]
    """The types of the acts that this person may give."""


@post("/api/session", status_code=201, raises=[NotAuthorizedException], tags=["people"])
async def sign_in(data: SignIn, request: Request[Any, Any, Any], state: State) -> Response[SessionInfo]:
    """Sign in. Browsers receive a cookie, programs a token."""
    run: Runtime = state["runtime"]
    run.guard.require_same_origin(request)
    run.guard.limit(run.guard.sign_ins, request.client.host if request.client else "")
    now = int(run.pit.now())
    password_hash, locked = await run.pit.read(lambda db: read_password_hash(db, data.name))
    matches = await asyncio.to_thread(password_matches, data.password, password_hash)
    begun = None
    if password_hash is not None and locked <= now and matches:
        begun = await run.pit.do(lambda clerk: _sign_in(clerk.db, data.name, now, password_hash))
    if begun is None:
        await run.pit.do(lambda clerk: _note_failure(clerk, data.name, now))
        run.metrics.sign_ins.labels("refused").inc()
        raise NotAuthorizedException(_SIGN_IN_FAILED)
    token, session = begun
    run.metrics.sign_ins.labels("accepted").inc()
    who = session_info(session, token)
    secure = run.config.origin.startswith("https")
    cookie = Cookie(COOKIE, value=token, httponly=True, samesite="strict", secure=secure, path="/")
    return Response(who, cookies=[cookie])


def session_info(session: Session, token: str = "") -> SessionInfo:
    """Return the person of a session with the permissions."""
    person = session.person
    return SessionInfo(
        name=person.name,
        post=person.post,
        csrf=session.csrf,
        token=token,
        may=permissions_of(person),
        acts=acts_of(person),
    )


def _sign_in(db: Connection, name: str, now: int, password_hash: str) -> tuple[str, Session] | None:
    with db.transaction():
        return begin_session(db, name, now, password_hash)


def _note_failure(clerk: Writer, name: str, now: int) -> None:
    with clerk.db.transaction():
        noted = count_failure(clerk.db, name, now)
    clerk.office.note(noted.what, after=noted.after, actor=noted.actor)


@get("/api/session", tags=["people"])
async def who_am_i(request: Request[Any, Any, Any], state: State) -> SessionInfo:
    """Return the signed-in person."""
    run: Runtime = state["runtime"]
    session = await run.guard.session(request)
    if session is None:
        raise NotAuthorizedException("You are not signed in.")
    return session_info(session)


@delete("/api/session", status_code=204, tags=["people"])
async def sign_out(request: Request[Any, Any, Any], state: State) -> None:
    """Sign out: end the session and close its sockets."""
    run: Runtime = state["runtime"]
    await run.guard.person(request)
    session = await run.guard.session(request)
    if session:
        await run.pit.do(lambda clerk: _end(clerk.db, session.id))
        run.guard.forget(token_of(request))
        run.close(session.id)


def _end(db: Connection, session: str) -> None:
    with db.transaction():
        delete_session(db, session)


SESSIONS: Final = [sign_in, who_am_i, sign_out]
