"""HTTP routes for logs: their list, their entries in words, and their verification in pieces.

Each request reads on its own connection, so that slow queries do not delay orders.
"""

from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.params import QueryParameter

from pitboss.house.evidence import PUBLIC, EntryFilter, Log, Page, PieceReport, check_log, list_logs, page, public_key
from pitboss.house.office.permissions import Permission, has_permission
from pitboss.house.storage.logs import HOUSE
from pitboss.record.narration import ALL_CARDS
from pitboss.record.sentences import Part, parse_text
from pitboss.web.runtime import Runtime

Number = Annotated[int, QueryParameter(ge=0, le=2**53)]
Time = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]
Word = Annotated[str | None, QueryParameter(max_length=80)]
Name = Annotated[str, QueryParameter(min_length=1, max_length=80)]


class VerifiedPiece(PieceReport, kw_only=True):
    """The report on a piece, with the parts of its problems."""

    problem_parts: list[tuple[Part, ...]]


@get("/api/chains", tags=["records"])
async def chains(request: Request[Any, Any, Any], state: State) -> list[Log]:
    """List every log with its length, its first and last time, and its last signed checkpoint."""
    run: Runtime = state["runtime"]
    await run.guard.require(request, Permission.SEE_EVERY_CARD)
    return await run.read_in_thread(list_logs)


@get("/api/chains/{chain:str}/verify", tags=["records"], raises=[ClientException])
async def verify(
    chain: str, request: Request[Any, Any, Any], state: State, since: Number = 0, checkpoint: Number = 0
) -> VerifiedPiece:
    """Verify a piece of a log. `next` has the parameters for the following piece, if there is one."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_EVERY_CARD)
    run.guard.limit(run.guard.orders, person.name)
    file = Path(run.config.data) / PUBLIC
    key = public_key(file) if file.is_file() else None
    found = await run.read_in_thread(lambda db: check_log(db, chain, since, checkpoint, key))
    return VerifiedPiece(**msgspec.structs.asdict(found), problem_parts=[parse_text(one) for one in found.problems])


@get("/api/log", tags=["records"], raises=[ClientException])
async def log(  # noqa: PLR0913, PLR0917 (search parameters)
    chain: Name,
    request: Request[Any, Any, Any],
    state: State,
    kind: Word = None,
    actor: Word = None,
    since: Time = None,
    until: Time = None,
    after: Number = 0,
    limit: Limit = 50,
) -> Page:
    """Show a log's entries in words: finished rounds of a table, or the house log. `next` is the next `after`."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_EVERY_CARD if chain == HOUSE else Permission.OVERSEE)
    run.guard.limit(run.guard.orders, person.name)
    wanted = EntryFilter(after=after, kind=kind or None, actor=actor or None, since=since, until=until)
    viewer = ALL_CARDS if has_permission(person, Permission.SEE_EVERY_CARD) else ""
    return await run.read_in_thread(lambda db: page(db, chain, wanted, limit, viewer))


PROOFS: Final = [chains, verify, log]
