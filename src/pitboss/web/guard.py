"""Who asks, and whether that is allowed: sessions, the origin of browsers, forged requests, and how often."""

import time
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotAuthorizedException, PermissionDeniedException

from pitboss.house.config import Config
from pitboss.house.people import Person, Session, session_of
from pitboss.house.pit import Pit
from pitboss.web.rate import Rate

COOKIE: Final = "pitboss"
CSRF: Final = "X-CSRF-Token"
FRESH: Final = 0.5
"""Seconds that a session is believed without asking the database again."""
TOUCHED: Final = 60
"""Seconds between two notes that a session is in use."""
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
Asker = ASGIConnection[Any, Any, Any, Any]


class Guard:
    """Knows who asks."""

    def __init__(self, pit: Pit, config: Config) -> None:
        """Begin with nobody known."""
        self._pit, self._config = pit, config
        self._known: dict[str, tuple[float, Session]] = {}
        self._touched: dict[str, float] = {}
        self.orders = Rate(config.orders_per_second, config.orders_per_second * 5)
        self.sign_ins = Rate(0.5, 20)

    async def session(self, asker: Asker) -> Session | None:
        """Return the session of who asks, if there is one."""
        token = token_of(asker)
        if not token:
            return None
        at, known = self._known.get(token, (0.0, None))
        if known and time.monotonic() - at < FRESH:
            return known
        found = await self._pit.read(lambda db: session_of(db, token, int(self._pit.now())))
        if found is None:
            self._known.pop(token, None)
            return None
        if len(self._known) > 100_000:  # noqa: PLR2004 (more than there are people)
            self._known.clear()
        self._known[token] = (time.monotonic(), found)
        self.touch(found.id)
        return found

    def touch(self, session: str) -> None:
        """Note that a session is in use, now and then."""
        if time.monotonic() - self._touched.get(session, 0) > TOUCHED:
            self._touched[session] = time.monotonic()
            now = int(self._pit.now())
            self._pit.do(lambda clerk: clerk.touch(session, now))

    def forget(self, token: str) -> None:
        """Believe a session no longer."""
        self._known.pop(token, None)

    async def person(self, asker: Asker) -> Person:
        """Return who asks; refuse nobody, and requests that another site forged."""
        session = await self.session(asker)
        if session is None:
            raise NotAuthorizedException("Nobody is signed in here.")
        if asker.scope.get("method") not in _SAFE and not by_bearer(asker):
            self.same_origin(asker)
            if asker.headers.get(CSRF) != session.csrf:
                raise PermissionDeniedException(f"The header {CSRF} is missing or wrong.")
        return session.person

    def same_origin(self, asker: Asker) -> None:
        """Refuse a browser that another site sent."""
        origin = asker.headers.get("origin")
        allowed = {self._config.origin.rstrip("/")} if self._config.origin else set()
        host = asker.headers.get("host")
        if origin is not None and origin not in allowed and origin.partition("://")[2] != host:
            raise PermissionDeniedException("That comes from another site.")

    def limit(self, rate: Rate, key: str) -> None:
        """Refuse who asks too often."""
        if not rate.allows(key):
            raise HTTPException("Too many requests; wait a moment.", status_code=429)


def token_of(asker: Asker) -> str:
    """Return what a browser's cookie or a program's header holds of a session."""
    if by_bearer(asker):
        return asker.headers["authorization"].partition(" ")[2].strip()
    return asker.cookies.get(COOKIE, "")


def by_bearer(asker: Asker) -> bool:
    """Whether a program asks, with its session in a header that no browser sends by itself."""
    return asker.headers.get("authorization", "").startswith("Bearer ")
