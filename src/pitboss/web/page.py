"""The front end: one page for every screen, and the scripts, styles and pictures it is built of."""

from pathlib import Path
from typing import Final

from litestar import MediaType, Response, Router, get
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.static_files import create_static_files_router

BUILT: Final = Path(__file__).parent / "static"
"""Where `make ui` puts what it builds from the sources in `ui/`."""
SCREENS: Final = (
    "/",
    "/table/{table:str}",
    "/deal/{table:str}",
    "/round/{table:str}/{number:int}",
    "/history",
    "/pit",
    "/operator",
    "/auditor",
    "/mathematics",
    "/mathematics/{game:str}",
    "/training",
    "/training/{part:str}",
)
POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'"
)
_MISSING: Final = (
    "<!doctype html><html lang=en><title>Pitboss</title><p>The front end is not built: run <code>make ui</code>. "
    'Programs: the API is described at <a href="/schema/openapi.json">/schema/openapi.json</a>.'
)


@get(list(SCREENS), media_type=MediaType.HTML, include_in_schema=False)
async def screen() -> Response[str]:
    """Show the page; which screen it is, it reads from its address."""
    index = BUILT / "index.html"
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(index.read_text() if index.exists() else _MISSING, headers=headers)


async def _kept(response: Response[object]) -> Response[object]:
    response.headers |= {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
    return response


def front() -> list[HTTPRouteHandler | Router]:
    """Return the page and what it is built of: files whose names change with what is in them."""
    if not (BUILT / "assets").exists():
        return [screen]
    assets = create_static_files_router(
        path="/assets",
        directories=[BUILT / "assets"],
        include_in_schema=False,
        after_request=_kept,
    )
    return [screen, assets]
