"""Who asks, and whether that is allowed: sessions, the origin of browsers, forged requests, and how often."""

import time
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotAuthorizedException, PermissionDeniedException

from pitboss.house.config import Config
from pitboss.house.people import Person, Post, Session, session_of
from pitboss.house.writers import WriterPool
from pitboss.web.rate import Rate

COOKIE: Final = "pitboss"
CSRF: Final = "X-CSRF-Token"
SESSION_CACHE_SECONDS: Final = 0.5
"""Seconds that a session is believed without asking the database again."""
TOUCH_SECONDS: Final = 60
"""Seconds between two notes that a session is in use."""
MANY: Final = 100_000
"""Sessions that are remembered: more than there are people."""
STAFF: Final = (Post.DEALER, Post.FLOORPERSON, Post.SURVEILLANCE, Post.AUDITOR, Post.OPERATOR)
OVERSEERS: Final = (Post.FLOORPERSON, Post.SURVEILLANCE, Post.AUDITOR, Post.OPERATOR)
"""Those of the staff who watch the others."""
EVERY_CARD: Final = (Post.AUDITOR, Post.OPERATOR)
"""Who may see every card of a round that is over, and what moves between accounts."""
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
Requester = ASGIConnection[Any, Any, Any, Any]


class Guard:
    """Knows who asks."""

    def __init__(self, pit: WriterPool, config: Config) -> None:
        """Begin with nobody known."""
        self._pit, self._config = pit, config
        self._known: dict[str, tuple[float, Session]] = {}
        self._touched: dict[str, float] = {}
        self.orders = Rate(config.orders_per_second, config.orders_per_second * 5)
        self.sign_ins = Rate(0.5, 20)

    async def session(self, asker: Requester) -> Session | None:
        """Return the session of who asks, if there is one."""
        token = token_of(asker)
        if not token:
            return None
        at, known = self._known.get(token, (0.0, None))
        if known and time.monotonic() - at < SESSION_CACHE_SECONDS:
            return known
        found = await self._pit.read(lambda db: session_of(db, token, int(self._pit.now())))
        if found is None:
            self._known.pop(token, None)
            return None
        if len(self._known) > MANY:
            self._known.clear()
        self._known[token] = (time.monotonic(), found)
        self.touch(found.id)
        return found

    def touch(self, session: str) -> None:
        """Note that a session is in use, now and then."""
        if time.monotonic() - self._touched.get(session, 0) > TOUCH_SECONDS:
            if len(self._touched) > MANY:
                self._touched.clear()
            self._touched[session] = time.monotonic()
            now = int(self._pit.now())
            self._pit.do(lambda clerk: clerk.touch(session, now))

    def forget(self, token: str) -> None:
        """Believe a session no longer."""
        self._known.pop(token, None)

    async def person(self, asker: Requester) -> Person:
        """Return who asks; refuse nobody, and requests that another site forged."""
        session = await self.session(asker)
        if session is None:
            raise NotAuthorizedException("Nobody is signed in here.")
        if asker.scope.get("method") not in _SAFE and not has_bearer_token(asker):
            self.require_same_origin(asker)
            if asker.headers.get(CSRF) != session.csrf:
                raise PermissionDeniedException(f"The header {CSRF} is missing or wrong.")
        return session.person

    async def person_at_post(self, asker: Requester, *posts: Post) -> Person:
        """Return who asks, if it is for his post to see."""
        person = await self.person(asker)
        if person.post not in posts:
            raise PermissionDeniedException(f"That is not for a {person.post} to see.")
        return person

    def require_same_origin(self, asker: Requester) -> None:
        """Refuse a browser that another site sent."""
        origin = asker.headers.get("origin")
        if origin is not None and not self._is_ours(origin.rstrip("/"), asker.headers.get("host", "")):
            raise PermissionDeniedException("That comes from another site.")

    def _is_ours(self, origin: str, host: str) -> bool:
        """Whether a browser's page is of this house: a name that was made to point at this machine is not."""
        if self._config.origin:
            return origin == self._config.origin.rstrip("/")
        own = origin.partition("://")[2] == host
        return own and (not is_loopback(self._config.host) or is_loopback(urlsplit(origin).hostname or ""))

    def limit(self, rate: Rate, key: str, many: int = 1) -> None:
        """Refuse who asks too often, or for too much."""
        if not rate.allows(key, many):
            raise HTTPException("Too many requests; wait a moment.", status_code=429)


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine itself is reached under an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_of(asker: Requester) -> str:
    """Return what a browser's cookie or a program's header holds of a session."""
    if has_bearer_token(asker):
        return asker.headers["authorization"].partition(" ")[2].strip()
    return asker.cookies.get(COOKIE, "")


def has_bearer_token(asker: Requester) -> bool:
    """Whether a program asks, with its session in a header that no browser sends by itself."""
    return asker.headers.get("authorization", "").startswith("Bearer ")
