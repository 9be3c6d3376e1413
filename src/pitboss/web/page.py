"""The front end: one page for every screen, and the scripts, styles and pictures it is built of."""

import gzip
from functools import cache
from pathlib import Path
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException

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
    "/calculator",
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
_KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
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


@get("/assets/{name:str}", include_in_schema=False)
async def asset(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give out one file of the front end; its name changes with what is in it."""
    file = BUILT / "assets" / name
    if file.suffix not in _KINDS or file.parent != BUILT / "assets" or not file.is_file():
        raise NotFoundException("There is no such file.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.read_bytes(), media_type=_KINDS[file.suffix], headers=headers)
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(_packed(file), media_type=_KINDS[file.suffix], headers=headers)


@cache
def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


FRONT: Final = [screen, asset]
