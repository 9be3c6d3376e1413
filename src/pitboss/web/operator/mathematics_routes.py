"""Public HTTP routes for the mathematics of the games, calculated by a worker process and cached."""

from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.params import QueryParameter

from pitboss.report.math_views import HoldVerdict, Mathematics
from pitboss.web.advice import WorkerProcesses
from pitboss.web.operator import worker_jobs
from pitboss.web.operator.submission_routes import PDF, Asker, mistakes_as_400, require_game

_CACHE_HEADERS: Final = {"Cache-Control": "public, max-age=3600"}
_NOT_MODIFIED: Final = 304
Letter = Annotated[str | None, QueryParameter(max_length=8)]


@get("/api/math/holds", tags=["mathematics"])
async def get_published_hold(request: Asker, state: State) -> Response[list[HoldVerdict]]:
    """Compare the hold of rulemaking 125-204 with calculated figures, by definition and reading."""
    adviser: WorkerProcesses = state["adviser"]
    return _cacheable_response(request, await adviser.run_cached(worker_jobs.published_hold))


@get("/api/math/{game:str}", tags=["mathematics"])
async def mathematics(game: str, request: Asker, state: State) -> Response[Mathematics]:
    """Show the figures of a game: wagers, paytables, results, bankrolls, limits, meters, strategies and charts."""
    adviser: WorkerProcesses = state["adviser"]
    return _cacheable_response(request, await adviser.run_cached(worker_jobs.mathematics, require_game(game)))


@get("/api/math/{game:str}/chart.pdf", media_type=PDF, tags=["mathematics"])
async def chart(game: str, request: Asker, state: State, paytable: Letter = None) -> Response[bytes]:
    """Print the strategy chart of a game for one paytable or all, with simple strategies and their cost."""
    adviser: WorkerProcesses = state["adviser"]
    figures = await adviser.run_cached(worker_jobs.mathematics, require_game(game))
    letters = [one.paytable for one in figures.required]
    if paytable is not None and paytable not in letters:
        raise ClientException(f"The required wagers have no Paytable {paytable}; choose from {', '.join(letters)}.")
    pdf = await mistakes_as_400(adviser.run_cached(worker_jobs.chart, require_game(game), paytable))
    name = f"{game}-strategy{f'-{paytable}' if paytable else ''}.pdf"
    return _cacheable_response(request, pdf, {"Content-Disposition": f'inline; filename="{name}"'}, PDF)


def _cacheable_response(
    request: Asker,
    content: Any,  # noqa: ANN401 (any calculated result)
    more: dict[str, str] | None = None,
    kind: str = "",
) -> Response[Any]:
    """Return a result with its ETag, or 304 if the client has it."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    headers = {**_CACHE_HEADERS, **(more or {}), "ETag": f'"{sha256(body).hexdigest()[:32]}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=_NOT_MODIFIED, headers=headers)
    return Response(body, media_type=kind or "application/json", headers=headers)


MATHEMATICS: Final = [get_published_hold, mathematics, chart]
