"""Theoretical against actual hold of the open tables, over HTTP."""

from typing import Final

from litestar import get
from litestar.datastructures import State

from pitboss.house.holds import Holds, sums
from pitboss.house.people import Post
from pitboss.web.advice import Adviser
from pitboss.web.workshop import worked
from pitboss.web.workshop.submissions import Asker, staff


@get("/api/holds", tags=["house"])
async def holds(request: Asker, state: State) -> Holds:
    """Show what each wager of each open table came to, beside what its exact edge lets one expect."""
    run, _ = await staff(request, state, Post.OPERATOR, Post.AUDITOR)
    adviser: Adviser = state["adviser"]
    return await adviser.work(worked.compare, await run.pit.read(sums))


HOLDS: Final = [holds]
