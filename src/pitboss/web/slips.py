"""HTTP routes that list and print slips."""

from typing import Annotated, Any, Final, Literal

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from pitboss.house.evidence import SlipSummary, find_slips, slip_paper
from pitboss.house.office.permissions import Permission
from pitboss.web.advice import WorkerProcesses
from pitboss.web.operator import worker_jobs
from pitboss.web.operator.submission_routes import PDF, file_response
from pitboss.web.runtime import Runtime

Table = Annotated[str | None, QueryParameter(max_length=80)]
Of = Literal["fill", "credit", "jackpot", "dispute"]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]


@get("/api/slips", tags=["floor"])
async def list_slips(
    request: Request[Any, Any, Any], state: State, table: Table = None, kind: Of | None = None, limit: Limit = 50
) -> list[SlipSummary]:
    """List slips for fills, credits, jackpots and disputes, newest first."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.OVERSEE)
    run.guard.limit(run.guard.orders, person.name)
    return await run.read_in_thread(lambda db: find_slips(db, table, kind, limit))


@get("/api/slips/{number:str}", media_type=PDF, tags=["floor"], raises=[NotFoundException])
async def print_slip(number: str, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Print a slip with a signature line for each signer."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.OVERSEE)
    run.guard.limit(run.guard.orders, person.name)
    zone = run.config.timezone
    paper = await run.read_in_thread(lambda db: slip_paper(db, number, zone))
    adviser: WorkerProcesses = state["adviser"]
    return file_response(f"{paper.slip}.pdf", await adviser.work(worker_jobs.slip, paper))


SLIPS: Final = [list_slips, print_slip]
