"""Serves the front end: one page for every screen, and its scripts, styles and pictures."""

import gzip
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from litestar import HttpMethod, Request, Response, route
from litestar.exceptions import NotFoundException
from litestar.exceptions.responses import create_exception_response

STATIC_FOLDER: Final = Path(__file__).parent / "static"
"""Output folder of `make ui`."""
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
GET_AND_HEAD: Final = [HttpMethod.GET, HttpMethod.HEAD]
API_PATHS: Final = "/(api|assets)(/|$)"
"""Paths for programs: their 404 is JSON, not a page."""
POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'"
)
_KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_MISSING: Final = (
    "<!doctype html><html lang=en><title>Pitboss</title><p>The front end is not built: run <code>make ui</code>. "
    'Programs: the API is described at <a href="/schema/openapi.json">/schema/openapi.json</a>.'
)


@route(list(SCREENS), http_method=GET_AND_HEAD, status_code=200, include_in_schema=False)
async def screen(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the page, which picks its screen from the address."""
    return _page(request, 200)


@route("/assets/{name:str}", http_method=GET_AND_HEAD, status_code=200, include_in_schema=False)
async def asset(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return one asset; browsers cache it forever, because its name contains a hash of its content."""
    file = STATIC_FOLDER / "assets" / name
    if file.suffix not in _KINDS or file.parent != STATIC_FOLDER / "assets" or not file.is_file():
        raise NotFoundException("There is no such file.")
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return _answer(request, file.read_bytes(), _KINDS[file.suffix], headers)
    headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return _answer(request, _compress(file), _KINDS[file.suffix], headers)


def not_found(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
    """Return the page with status 404 to browsers, and JSON to programs."""
    is_program = request.method not in GET_AND_HEAD or re.match(API_PATHS, request.scope["path"])
    return create_exception_response(request, error) if is_program else _page(request, 404)


def _page(request: Request[Any, Any, Any], status: int) -> Response[bytes]:
    index = STATIC_FOLDER / "index.html"
    content = index.read_bytes() if index.exists() else _MISSING.encode()
    headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
    return _answer(request, content, "text/html; charset=utf-8", headers, status)


def _answer(
    request: Request[Any, Any, Any], content: bytes, kind: str, headers: dict[str, str], status: int = 200
) -> Response[bytes]:
    """Return content, or only its headers for HEAD."""
    headers = {
        **headers,
        "x-content-type-options": "nosniff",
        "content-type": kind,
        "content-length": str(len(content)),
    }
    return Response(b"" if request.method == HttpMethod.HEAD else content, headers=headers, status_code=status)


@cache
def _compress(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


FRONT: Final = [screen, asset]
