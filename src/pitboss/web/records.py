"""Finished rounds and what mattered, over HTTP: patrons see their own, staff what their post lets them."""

from typing import Annotated, Any, Final

from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import QueryParameter

from pitboss.errors import Mistake
from pitboss.house.evidence import Found, Significant, find_rounds, round_record, significant
from pitboss.house.people import Person, Post
from pitboss.record.telling import EVERYTHING
from pitboss.web.runtime import Runtime

Number = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]
_EVERY_CARD: Final = (Post.AUDITOR, Post.OPERATOR)
"""Who may see every card of a round that is over."""


@get("/api/rounds", tags=["records"])
async def rounds(  # noqa: PLR0913, PLR0917 (what rounds are found by)
    request: Request[Any, Any, Any],
    state: State,
    table: str | None = None,
    patron: str | None = None,
    since: Number = None,
    until: Number = None,
    least: Number = None,
    most: Number = None,
    limit: Limit = 50,
) -> list[Found]:
    """Find finished rounds, the newest first, by table, patron, time and highest payout in cents."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    if person.post is Post.PATRON and patron not in {None, person.name}:
        raise PermissionDeniedException("A patron sees his own rounds.")
    who = person.name if person.post is Post.PATRON else patron
    return await run.pit.read(
        lambda db: find_rounds(
            db, table=table, patron=who, since=since, until=until, least=least, most=most, limit=limit
        )
    )


@get("/api/rounds/{table:str}/{number:int}", tags=["records"])
async def one_round(table: str, number: int, request: Request[Any, Any, Any], state: State) -> dict[str, Any]:
    """Tell a finished round line by line, each with its clause, as who asks may read it."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    if not 0 < number < 2**53:
        raise NotFoundException("Rounds are counted from 1.")
    try:
        found = await run.pit.read(lambda db: round_record(db, table, number))
    except Mistake as mistake:
        raise NotFoundException(str(mistake)) from None
    if person.post is Post.PATRON and person.name not in found.found.patrons:
        raise PermissionDeniedException("A patron sees his own rounds.")
    return {"round": found.found, "lines": found.lines(_viewer(person))}


@get("/api/events", tags=["records"])
async def events(
    request: Request[Any, Any, Any], state: State, since: Number = None, limit: Limit = 100
) -> list[Significant]:
    """List what mattered: restarts, people, parameters, overrides, voids, jackpots, with before and after."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    if person.post in {Post.PATRON, Post.DEALER}:
        raise PermissionDeniedException(f"That is not for a {person.post} to see.")
    return await run.pit.read(lambda db: significant(db, since, limit))


def _viewer(person: Person) -> str | None:
    if person.post in _EVERY_CARD:
        return EVERYTHING
    return person.name if person.post is Post.PATRON else ""


RECORDS: Final = [rounds, one_round, events]
