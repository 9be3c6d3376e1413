"""HTTP routes for the floor: an overview of open tables, and noted disputes."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from pitboss.house.evidence import Dispute, list_disputes
from pitboss.house.floor.table_overview import PendingRequest, TableOverview, overview_of, requests
from pitboss.house.live_table import LiveTable
from pitboss.house.office.office import pending_requests
from pitboss.house.office.people import Person
from pitboss.house.office.permissions import Permission
from pitboss.web.runtime import Runtime

Table = Annotated[str | None, QueryParameter(max_length=80)]
Number = Annotated[int | None, QueryParameter(name="round", ge=1, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]


class PitView(msgspec.Struct, frozen=True, kw_only=True):
    """The overview of the pit."""

    now: int
    """The server's clock, in seconds since 1970, as reference for all times."""
    tables: list[TableOverview]
    approvals: list[PendingRequest]
    """All requests that wait for a second person, of tables or the house."""


@get("/api/pit", tags=["floor"])
async def pit(request: Request[Any, Any, Any], state: State) -> PitView:
    """Show an overview of every open table: what is due, what needs a person now or soon."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_FLOOR)
    pending, now = await run.pit.read(pending_requests), int(run.pit.now())
    overviews = [_overview(run, live, pending, person) for _, live in sorted(run.hub.live_tables.items())]
    return PitView(now=now, tables=overviews, approvals=requests(pending, person))


@get("/api/pit/{table:str}", tags=["floor"])
async def get_pit_table(table: str, request: Request[Any, Any, Any], state: State) -> TableOverview:
    """Show the overview of one open table."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_FLOOR)
    pending = await run.pit.read(pending_requests)
    return _overview(run, run.live(table), pending, person)


def _overview(run: Runtime, live: LiveTable, pending: Sequence[dict[str, Any]], viewer: Person) -> TableOverview:
    now, ahead = run.pit.now.at(live)
    return overview_of(live, now, pending, ahead, viewer)


@get("/api/disputes", tags=["floor"])
async def get_disputes(
    request: Request[Any, Any, Any],
    state: State,
    table: Table = None,
    number: Number = None,
    limit: Limit = 100,
) -> list[Dispute]:
    """List noted disputes, newest first: all, of one table, or of one round."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.OVERSEE)
    run.guard.limit(run.guard.orders, person.name)
    return await run.read_in_thread(lambda db: list_disputes(db, table, number, limit))


FLOOR: Final = [pit, get_pit_table, get_disputes]
