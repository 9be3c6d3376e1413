"""Checks requests: session, post, browser origin, CSRF token and rate."""

import time
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotAuthorizedException, PermissionDeniedException

from pitboss.house.config import Config
from pitboss.house.office.people import Person, Session, session_of
from pitboss.house.office.permissions import Permission, has_permission
from pitboss.house.writers import WriterPool
from pitboss.web.rate import Rate

COOKIE: Final = "pitboss"
CSRF: Final = "X-CSRF-Token"
SESSION_CACHE_SECONDS: Final = 0.5
"""Seconds before a cached session is read from the database again."""
TOUCH_SECONDS: Final = 60
"""Seconds between two writes of a session's last use."""
MANY: Final = 100_000
"""Upper bound of cached sessions: more than there are people."""
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
Requester = ASGIConnection[Any, Any, Any, Any]


class Guard:
    """Identifies requesters and rejects requests they may not make."""

    def __init__(self, pit: WriterPool, config: Config) -> None:
        """Start with empty caches."""
        self._pit, self._config = pit, config
        self._cached: dict[str, tuple[float, Session]] = {}
        self._touched: dict[str, float] = {}
        self.orders = Rate(config.orders_per_second, config.orders_per_second * 5)
        self.sign_ins = Rate(0.5, 20)

    async def session(self, asker: Requester) -> Session | None:
        """Return the requester's session, if there is one."""
        token = token_of(asker)
        if not token:
            return None
        at, cached = self._cached.get(token, (0.0, None))
        if cached and time.monotonic() - at < SESSION_CACHE_SECONDS:
            return cached
        session = await self._pit.read(lambda db: session_of(db, token, int(self._pit.now())))
        if session is None:
            self._cached.pop(token, None)
            return None
        if len(self._cached) > MANY:
            self._cached.clear()
        self._cached[token] = (time.monotonic(), session)
        self.touch(session.id)
        return session

    def touch(self, session: str) -> None:
        """Record that a session is in use, at most once a minute."""
        if time.monotonic() - self._touched.get(session, 0) > TOUCH_SECONDS:
            if len(self._touched) > MANY:
                self._touched.clear()
            self._touched[session] = time.monotonic()
            now = int(self._pit.now())
            self._pit.do(lambda clerk: clerk.touch(session, now))

    def forget(self, token: str) -> None:
        """Remove a session from the cache."""
        self._cached.pop(token, None)

    async def person(self, asker: Requester) -> Person:
        """Return the requester. Reject anonymous requests and requests forged by another site."""
        session = await self.session(asker)
        if session is None:
            raise NotAuthorizedException("You are not signed in.")
        if asker.scope.get("method") not in _SAFE and not has_bearer_token(asker):
            self.require_same_origin(asker)
            if asker.headers.get(CSRF) != session.csrf:
                raise PermissionDeniedException(f"The header {CSRF} is missing or wrong.")
        return session.person

    async def require(self, asker: Requester, permission: Permission) -> Person:
        """Return the requester if he has a permission."""
        person = await self.person(asker)
        if not has_permission(person, permission):
            raise PermissionDeniedException(f"Your post ({person.post}) may not see this.")
        return person

    def require_same_origin(self, asker: Requester) -> None:
        """Reject a browser request that another site's page sent."""
        origin = asker.headers.get("origin")
        if origin is not None and not self._is_ours(origin.rstrip("/"), asker.headers.get("host", "")):
            raise PermissionDeniedException("The request comes from another site.")

    def _is_ours(self, origin: str, host: str) -> bool:
        """Whether a page belongs to this house. A foreign name that resolves to this machine does not."""
        if self._config.origin:
            return origin == self._config.origin.rstrip("/")
        own = origin.partition("://")[2] == host
        return own and (not is_loopback(self._config.host) or is_loopback(urlsplit(origin).hostname or ""))

    def limit(self, rate: Rate, key: str, many: int = 1) -> None:
        """Reject a requester who exceeds a rate."""
        if not rate.allows(key, many):
            raise HTTPException("Too many requests; wait a moment.", status_code=429)


def is_loopback(host: str) -> bool:
    """Whether an address reaches only this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_of(asker: Requester) -> str:
    """Return the session token from a browser's cookie or a program's header."""
    if has_bearer_token(asker):
        return asker.headers["authorization"].partition(" ")[2].strip()
    return asker.cookies.get(COOKIE, "")


def has_bearer_token(asker: Requester) -> bool:
    """Whether the token is in the Authorization header, which no browser sends by itself."""
    return asker.headers.get("authorization", "").startswith("Bearer ")
