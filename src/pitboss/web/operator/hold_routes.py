"""HTTP route for the actual hold of open tables beside the theoretical one."""

from typing import Final

from litestar import get
from litestar.datastructures import State

from pitboss.house.hold.actual_hold import HoldReport, read_table_totals
from pitboss.house.office.permissions import Permission
from pitboss.web.advice import WorkerProcesses
from pitboss.web.operator import worker_jobs
from pitboss.web.operator.submission_routes import Asker, require_staff


@get("/api/holds", tags=["house"])
async def holds(request: Asker, state: State) -> HoldReport:
    """Show the actual hold of each wager at each open table beside the exact expectation."""
    run, _ = await require_staff(request, state, Permission.SEE_HOLDS)
    adviser: WorkerProcesses = state["adviser"]
    return await adviser.work(worker_jobs.compare, await run.pit.read(read_table_totals))


HOLDS: Final = [holds]
