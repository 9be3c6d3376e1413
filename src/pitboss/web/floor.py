"""The floor over HTTP: every open table at a glance, and the disputes that were noted."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from pitboss.house.evidence import Dispute, disputes
from pitboss.house.glance import Glance, Waits, glance, requests
from pitboss.house.office import waiting
from pitboss.house.standing import Standing
from pitboss.web.guard import OVERSEERS, STAFF
from pitboss.web.runtime import Runtime

Table = Annotated[str | None, QueryParameter(max_length=80)]
Number = Annotated[int | None, QueryParameter(name="round", ge=1, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]


class PitView(msgspec.Struct, frozen=True, kw_only=True):
    """The pit at a glance."""

    now: int
    """The server's clock, in seconds since 1970: what times are counted from."""
    tables: list[Glance]
    approvals: list[Waits]
    """All that waits for a second person, whether it concerns a table or not."""


@get("/api/pit", tags=["floor"])
async def pit(request: Request[Any, Any, Any], state: State) -> PitView:
    """Show every open table at a glance: what is due, what needs a person, what soon will."""
    run: Runtime = state["runtime"]
    await run.guard.one_of(request, *STAFF)
    asked, now = await run.pit.read(waiting), int(run.pit.now())
    found = [_glance(run, standing, asked) for _, standing in sorted(run.hub.standings.items())]
    return PitView(now=now, tables=found, approvals=requests(asked))


@get("/api/pit/{table:str}", tags=["floor"])
async def one_of_the_pit(table: str, request: Request[Any, Any, Any], state: State) -> Glance:
    """Show one open table at a glance."""
    run: Runtime = state["runtime"]
    await run.guard.one_of(request, *STAFF)
    asked = await run.pit.read(waiting)
    return _glance(run, run.standing(table), asked)


def _glance(run: Runtime, standing: Standing, asked: Sequence[dict[str, Any]]) -> Glance:
    now, ahead = run.pit.now.at(standing)
    return glance(standing, now, asked, ahead)


@get("/api/disputes", tags=["floor"])
async def disputed(
    request: Request[Any, Any, Any],
    state: State,
    table: Table = None,
    number: Number = None,
    limit: Limit = 100,
) -> list[Dispute]:
    """List what was noted of disputes, the newest first: of all, of a table, or of one of its rounds."""
    run: Runtime = state["runtime"]
    person = await run.guard.one_of(request, *OVERSEERS)
    run.guard.limit(run.guard.orders, person.name)
    return await run.apart(lambda db: disputes(db, table, number, limit))


FLOOR: Final = [pit, one_of_the_pit, disputed]
