"""Rate limiting."""

import time
from collections.abc import Callable


class Rate:
    """A token bucket for each key: a rate per second with a burst."""

    def __init__(self, per_second: float, at_once: float, now: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets."""
        self._rate, self._most, self._now = per_second, max(1.0, at_once), now  # a smaller bucket never holds one token
        self._buckets: dict[str, tuple[float, float]] = {}

    def allows(self, key: str, many: int = 1) -> bool:
        """Take tokens from a key's bucket if it holds enough; at most a full bucket's worth."""
        many = min(many, int(self._most))
        now = self._now()
        tokens, since = self._buckets.get(key, (self._most, now))
        tokens = min(self._most, tokens + (now - since) * self._rate)
        if len(self._buckets) > 100_000:  # noqa: PLR2004 (more than there are people)
            self._buckets.clear()
        self._buckets[key] = (tokens - many if tokens >= many else tokens, now)
        return tokens >= many
