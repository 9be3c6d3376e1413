"""HTTP routes for tables, money and the house, described by OpenAPI."""

import time
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter

from pitboss.disclaimer import DISCLAIMER, SHORT_DISCLAIMER
from pitboss.errors import Mistake
from pitboss.house.desk.orders import DealerInput, Order, Reply
from pitboss.house.live_table import meter_ids, submission_of
from pitboss.house.office.acts import POSTS_BY_ACT, Act, BuyIn, CashOut, Dismiss, Hire, Resume, Suspend
from pitboss.house.office.office import ActResult, pending_requests
from pitboss.house.office.people import (
    Post,
)
from pitboss.house.office.permissions import Permission
from pitboss.house.startup import DEMO_PASSWORD, demo_people
from pitboss.submission.signs import HELP_LINE, Sign, sign_of
from pitboss.table import Command
from pitboss.web.hiring import hire_once
from pitboss.web.hub import table_message, viewer_of
from pitboss.web.messages import TableMessage
from pitboss.web.money_routes import MONEY
from pitboss.web.runtime import Runtime
from pitboss.web.sessions import SessionInfo, session_info

Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=80,
        pattern="^[!-~]+$",
        description="A repeated key is carried out only once.",
        examples=[Example(value="6f1c2d")],
    ),
]


class OrderBody(msgspec.Struct, forbid_unknown_fields=True):
    """A command for a table, with the dealer's input."""

    command: Command
    entered: DealerInput = DealerInput()


class ActBody(msgspec.Struct, forbid_unknown_fields=True):
    """An act that concerns the whole house."""

    act: Act


class LobbyTable(msgspec.Struct):
    """One table in the lobby."""

    table: str
    game: str
    title: str
    edition: str
    accent: str
    limits: str
    """Limits of the required wager, in words."""
    dealing: str
    round: int
    seats: int
    seated: int
    automatic: bool


class Demonstration(msgspec.Struct):
    """The demonstration's people and their shared password."""

    password: str
    people: dict[str, str]


class Welcome(msgspec.Struct):
    """Facts about the house for a visitor."""

    play_money: bool
    money: str
    help_line: str
    time: float
    """The server's clock, in seconds since 1970."""
    timezone: str
    """The house's IANA time zone; screens show and read times in it."""
    disclaimer: str
    disclaimer_short: str
    demonstration: Demonstration | None
    who: SessionInfo | None
    """The requester, if signed in."""


def runtime(state: State) -> Runtime:
    """Return the server's Runtime."""
    run: Runtime = state["runtime"]
    return run


@cache
def _sign(submission: str) -> Sign:
    """Return the sign of a Submission, cached because the lobby is public."""
    return sign_of(submission_of(submission))


def _refusal_response(why: str, cite: str) -> HTTPException:
    return HTTPException(why, status_code=409, extra={"cite": cite})


@get("/api/house", tags=["house"])
async def get_house(request: Request[Any, Any, Any], state: State) -> Welcome:
    """Describe the house and the requester."""
    run, config = runtime(state), runtime(state).config
    session = await run.guard.session(request)
    who = session_info(session) if session else None
    demo = dict(await run.pit.read(demo_people)) if config.demo and config.play_money else {}
    money = "Play money: chips have no value." if config.play_money else "Real money, under a licence."
    shared = Demonstration(DEMO_PASSWORD, demo) if demo else None
    return Welcome(
        config.play_money, money, HELP_LINE, time.time(), config.timezone, DISCLAIMER, SHORT_DISCLAIMER, shared, who
    )


@get("/api/tables", tags=["tables"])
async def tables(state: State) -> list[LobbyTable]:
    """List the open tables."""
    rows = []
    for name, live in sorted(runtime(state).hub.live_tables.items()):
        sign = _sign(live.header.submission)
        table = live.table
        rows.append(
            LobbyTable(
                name,
                live.submission.game,
                sign.title,
                sign.edition,
                sign.accent,
                sign.wagers,
                table.rules.dealing.label,
                table.round,
                table.rules.seats,
                len(table.seated),
                live.settings.automatic,
            )
        )
    return rows


@get("/api/tables/{table:str}", tags=["tables"])
async def get_table(table: str, request: Request[Any, Any, Any], state: State) -> TableMessage:
    """Show a table as the requester may see it; the public view without a session."""
    run = runtime(state)
    live = run.live(table)
    session = await run.guard.session(request)
    return table_message(live, viewer_of(live, session.person if session else None), (), run.pit.now.at(live))


@get("/api/tables/{table:str}/sign", tags=["tables"])
async def sign(table: str, state: State) -> dict[str, Any]:
    """Return the table's sign: wagers, limits and odds."""
    posted = _sign(runtime(state).live(table).header.submission)
    return dict(msgspec.to_builtins(posted, enc_hook=str))


@post("/api/tables/{table:str}/orders", status_code=200, tags=["tables"])
async def post_order(table: str, data: OrderBody, key: Key, request: Request[Any, Any, Any], state: State) -> Reply:
    """Send a command to a table. A refusal is 409 with its reason and clause."""
    run = runtime(state)
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    run.live(table)
    reply = await run.carry_out(
        Order(person=person.name, role=person.role, key=key, chain=table, command=data.command, entered=data.entered)
    )
    if not reply.accepted:
        raise _refusal_response(reply.why, reply.cite)
    return reply


@post("/api/acts", status_code=200, tags=["house"])
async def post_act(data: ActBody, key: Key, request: Request[Any, Any, Any], state: State) -> ActResult:
    """Carry out an act of the house: cash, people, tables, corrections. Some acts wait for a second person."""
    run = runtime(state)
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    asked: Act = data.act
    if isinstance(asked, BuyIn | CashOut) and person.post is Post.PATRON and not run.config.play_money:
        raise PermissionDeniedException("With real money, only the cage buys in and cashes out.")
    if isinstance(asked, Hire) and person.post in POSTS_BY_ACT[Hire]:
        try:
            done = await hire_once(run.pit, person, asked, key)
        except Mistake as mistake:
            raise _refusal_response(str(mistake), "house rule: passwords") from None
    else:
        done = await run.pit.do(lambda clerk: clerk.do(person, asked, key))
    if not done.accepted:
        raise _refusal_response(done.why, done.cite)
    if isinstance(asked, Dismiss | Hire):
        await run.close_ended_sessions()
    if isinstance(asked, Suspend | Resume):
        await run.refresh_table(asked.table)
    await run.refresh_tables()
    return done


@get("/api/approvals", tags=["house"])
async def approvals(request: Request[Any, Any, Any], state: State) -> list[dict[str, Any]]:
    """List the requests that wait for a second person."""
    run = runtime(state)
    await run.guard.require(request, Permission.SEE_FLOOR)
    return await run.pit.read(pending_requests)


@get("/api/meters", tags=["tables"])
async def meters(state: State) -> dict[str, dict[str, int]]:
    """Show the meters of every table, in cents."""
    run = runtime(state)
    return {
        table: {f"{offer}/{name}@{amount}": run.shown.get(meter, 0) for (offer, amount, name), meter in ids.items()}
        for table, live in run.hub.live_tables.items()
        if (ids := meter_ids(live))
    }


@get("/health", tags=["operations"])
async def health() -> dict[str, str]:
    """Confirm that the server runs."""
    return {"status": "runs"}


@get("/ready", tags=["operations"])
async def ready(state: State) -> Response[dict[str, str]]:
    """Report whether the house takes orders."""
    run = runtime(state)
    if run.pit.halted:
        return Response({"status": "halted"}, status_code=503)
    return Response({"status": "takes orders", "since": str(int(time.time() - run.began))})


ROUTES: Final = [
    get_house,
    tables,
    get_table,
    sign,
    post_order,
    post_act,
    *MONEY,
    approvals,
    meters,
    health,
    ready,
]
