"""The floor over HTTP: every open table at a glance, and the disputes that were noted."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from pitboss.house.evidence import Dispute, list_disputes
from pitboss.house.live_table import LiveTable
from pitboss.house.office import pending_requests
from pitboss.house.table_overview import PendingRequest, TableOverview, overview_of, requests
from pitboss.web.guard import OVERSEERS, STAFF
from pitboss.web.runtime import Runtime

Table = Annotated[str | None, QueryParameter(max_length=80)]
Number = Annotated[int | None, QueryParameter(name="round", ge=1, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]


class PitView(msgspec.Struct, frozen=True, kw_only=True):
    """The pit at a glance."""

    now: int
    """The server's clock, in seconds since 1970: what times are counted from."""
    tables: list[TableOverview]
    approvals: list[PendingRequest]
    """All that waits for a second person, whether it concerns a table or not."""


@get("/api/pit", tags=["floor"])
async def pit(request: Request[Any, Any, Any], state: State) -> PitView:
    """Show every open table at a glance: what is due, what needs a person, what soon will."""
    run: Runtime = state["runtime"]
    await run.guard.person_at_post(request, *STAFF)
    asked, now = await run.pit.read(pending_requests), int(run.pit.now())
    found = [_glance(run, standing, asked) for _, standing in sorted(run.hub.standings.items())]
    return PitView(now=now, tables=found, approvals=requests(asked))


@get("/api/pit/{table:str}", tags=["floor"])
async def get_pit_table(table: str, request: Request[Any, Any, Any], state: State) -> TableOverview:
    """Show one open table at a glance."""
    run: Runtime = state["runtime"]
    await run.guard.person_at_post(request, *STAFF)
    asked = await run.pit.read(pending_requests)
    return _glance(run, run.standing(table), asked)


def _glance(run: Runtime, standing: LiveTable, asked: Sequence[dict[str, Any]]) -> TableOverview:
    now, ahead = run.pit.now.at(standing)
    return overview_of(standing, now, asked, ahead)


@get("/api/disputes", tags=["floor"])
async def get_disputes(
    request: Request[Any, Any, Any],
    state: State,
    table: Table = None,
    number: Number = None,
    limit: Limit = 100,
) -> list[Dispute]:
    """List what was noted of disputes, the newest first: of all, of a table, or of one of its rounds."""
    run: Runtime = state["runtime"]
    person = await run.guard.person_at_post(request, *OVERSEERS)
    run.guard.limit(run.guard.orders, person.name)
    return await run.read_in_thread(lambda db: list_disputes(db, table, number, limit))


FLOOR: Final = [pit, get_pit_table, get_disputes]
