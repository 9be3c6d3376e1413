"""The mathematics of the games over HTTP, for everybody: worked out once by the other process, and remembered."""

from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.params import QueryParameter

from pitboss.report.workings import HoldVerdict, Mathematics
from pitboss.web.advice import Adviser
from pitboss.web.workshop import worked
from pitboss.web.workshop.submissions import PDF, Asker, known_game, refused

_KEPT: Final = {"Cache-Control": "public, max-age=3600"}
_SAME: Final = 304
Letter = Annotated[str | None, QueryParameter(max_length=8)]


@get("/api/math/holds", tags=["mathematics"])
async def published(request: Asker, state: State) -> Response[list[HoldVerdict]]:
    """Show the hold percentages of rulemaking 125-204 beside ours, by every definition and reading that matters."""
    adviser: Adviser = state["adviser"]
    return _tagged(request, await adviser.once(worked.published))


@get("/api/math/{game:str}", tags=["mathematics"])
async def mathematics(game: str, request: Asker, state: State) -> Response[Mathematics]:
    """Show every wager and paytable compared, results, bankrolls, limits, meters, strategies and charts of a game."""
    adviser: Adviser = state["adviser"]
    return _tagged(request, await adviser.once(worked.mathematics, known_game(game)))


@get("/api/math/{game:str}/chart.pdf", media_type=PDF, tags=["mathematics"])
async def chart(game: str, request: Asker, state: State, paytable: Letter = None) -> Response[bytes]:
    """Print the strategy chart of a game with rules for people and what they cost; for one paytable, or for each."""
    adviser: Adviser = state["adviser"]
    worked_out = await adviser.once(worked.mathematics, known_game(game))
    letters = [one.paytable for one in worked_out.required]
    if paytable is not None and paytable not in letters:
        raise ClientException(
            f"There is no Paytable {paytable} of its required wagers; there are {', '.join(letters)}."
        )
    made = await refused(adviser.once(worked.chart, known_game(game), paytable))
    name = f"{game}-strategy{f'-{paytable}' if paytable else ''}.pdf"
    return _tagged(request, made, {"Content-Disposition": f'inline; filename="{name}"'}, PDF)


def _tagged(request: Asker, content: Any, more: dict[str, str] | None = None, kind: str = "") -> Response[Any]:  # noqa: ANN401 (whatever was worked out)
    """Return what was worked out with a tag; nothing more where who asks has it already."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    headers = {**_KEPT, **(more or {}), "ETag": f'"{sha256(body).hexdigest()[:32]}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=_SAME, headers=headers)
    return Response(body, media_type=kind or "application/json", headers=headers)


MATHEMATICS: Final = [published, mathematics, chart]
