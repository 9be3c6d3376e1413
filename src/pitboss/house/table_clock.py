"""What time it is at a table: never before its last entry, and it passes though the clock be set back."""

import time
from collections.abc import Callable
from typing import NamedTuple

from pitboss.house.live_table import LiveTable


class TableTime(NamedTuple):
    """The time at a table, and by how many seconds it is ahead of the server's clock."""

    now: int
    ahead: int


class TableClocks:
    """The clock of a server, and the time at each of its tables."""

    def __init__(self, now: Callable[[], float] = time.time, steady: Callable[[], float] | None = None) -> None:
        """Begin with a clock, and one that nobody sets; a clock of a test is both."""
        self._now = now
        self._steady = steady or (time.monotonic if now is time.time else now)
        self._since: dict[str, tuple[int, float]] = {}
        """By table: the time of the last entry that was seen, and what the steady clock lacks to its time."""

    def __call__(self) -> float:
        """Return what the server's clock says."""
        return self._now()

    def at(self, standing: LiveTable) -> TableTime:
        """Return the time at a table.

        It is that of the clock, or where that is behind, the time of the table's last entry and what passed since that
        was seen. Another server's clock, or this one before it was set back, may have written that entry.
        """
        last, clock, steady = standing.table.now, self._now(), self._steady()
        seen, lacks = self._since.get(standing.chain, (-1, float("-inf")))
        if last > seen:
            lacks = max(lacks, max(clock, last) - steady)
            self._since[standing.chain] = last, lacks
        now = max(last, int(max(clock, steady + lacks)))
        return TableTime(now, now - int(clock))


def table_clocks(now: Callable[[], float]) -> TableClocks:
    """Return the times of a clock; those of a server are kept by all of it together."""
    return now if isinstance(now, TableClocks) else TableClocks(now)
