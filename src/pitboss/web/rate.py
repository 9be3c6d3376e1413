"""How often somebody may do something."""

import time
from collections.abc import Callable


class Rate:
    """So many things a second for each key, and some at once: a bucket that fills again."""

    def __init__(self, per_second: float, at_once: float, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with full buckets."""
        self._rate, self._most, self._now = per_second, max(1.0, at_once), now  # less than one would never be one
        self._buckets: dict[str, tuple[float, float]] = {}

    def allows(self, key: str, many: int = 1) -> bool:
        """Take so many out of a key's bucket, if it holds them; or all of a full one."""
        many = min(many, int(self._most))
        now = self._now()
        held, since = self._buckets.get(key, (self._most, now))
        held = min(self._most, held + (now - since) * self._rate)
        if len(self._buckets) > 100_000:  # noqa: PLR2004 (more than there are people)
            self._buckets.clear()
        self._buckets[key] = (held - many if held >= many else held, now)
        return held >= many
