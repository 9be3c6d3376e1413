"""The time at a table: it never runs backwards, even if the server clock is set back."""

import time
from collections.abc import Callable
from typing import NamedTuple

from pitboss.house.live_table import LiveTable


class TableTime(NamedTuple):
    """The time at a table, and its lead over the server clock in seconds."""

    now: int
    ahead: int


class TableClocks:
    """The server clock, and the time at each table."""

    def __init__(self, now: Callable[[], float] = time.time, steady: Callable[[], float] | None = None) -> None:
        """Use a wall clock and a monotonic one; a test clock serves as both."""
        self._now = now
        self._steady = steady or (time.monotonic if now is time.time else now)
        self._since: dict[str, tuple[int, float]] = {}
        """By table: the time of its last known entry, and the offset from the monotonic clock to its time."""

    def __call__(self) -> float:
        """Return the time of the server clock."""
        return self._now()

    def at(self, live: LiveTable) -> TableTime:
        """Return the time at a table.

        This is the server clock's time. If the clock is behind the table's last entry, it is the time of that entry
        plus the seconds since it was loaded. Another server, or this one before its clock was set back, wrote it.
        """
        last, clock, steady = live.table.now, self._now(), self._steady()
        seen, lacks = self._since.get(live.chain, (-1, float("-inf")))
        if last > seen:
            lacks = max(lacks, max(clock, last) - steady)
            self._since[live.chain] = last, lacks
        now = max(last, int(max(clock, steady + lacks)))
        return TableTime(now, now - int(clock))


def table_clocks(now: Callable[[], float]) -> TableClocks:
    """Return the table clocks of a clock; all parts of a server share one instance."""
    return now if isinstance(now, TableClocks) else TableClocks(now)
