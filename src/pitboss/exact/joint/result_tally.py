"""Tally deals by net result and total wager."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from pitboss.exact import side_wagers
from pitboss.exact.analysis import WORKERS
from pitboss.exact.distribution import Distribution, WeightedOutcome
from pitboss.games import Balances, Terms
from pitboss.money import format_money
from pitboss.ranking import Ranking

Cell = tuple[int, int]
"""Net result and total wager, in cents."""


class ResultTally:
    """The number of deals for each net result and total wager."""

    def __init__(self) -> None:
        self.cells: dict[Cell, int] = {}

    def add(self, net: NDArray[np.int64], wagered: int, deals: NDArray[np.int64], more: Sequence[int] = (0,)) -> None:
        """Add deals with these net results; `deals` has one column for each amount in `more`."""
        if not len(net):
            return
        order = np.argsort(net)
        values = net[order]
        firsts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
        sums = np.add.reduceat(deals.reshape(len(net), -1)[order], firsts)
        for value, counts in zip(values[firsts].tolist(), sums.tolist(), strict=True):
            for extra, count in zip(more, counts, strict=True):
                if count:
                    self.cells[value + extra, wagered] = self.cells.get((value + extra, wagered), 0) + count

    def merge(self, other: "ResultTally") -> None:
        """Add the deals of another tally."""
        for cell, count in other.cells.items():
            self.cells[cell] = self.cells.get(cell, 0) + count

    def distribution(self, stake: int, times: int) -> Distribution:
        """Return the distribution; every deal was counted `times` times."""
        assert all(count % times == 0 for count in self.cells.values()), "a class was seen in other ways than there are"
        return Distribution(
            stake=stake,
            outcomes=tuple(
                WeightedOutcome(
                    f"{format_money(net)} with {format_money(wagered)} wagered", count // times, net, wagered
                )
                for (net, wagered), count in sorted(self.cells.items())
            ),
        )


def sum_over_threads(work: Callable[[int], ResultTally], parts: int, done: Callable[[], object]) -> ResultTally:
    """Sum the tallies of all parts, in threads; kernels and sorting release the interpreter lock."""
    found = ResultTally()
    with ThreadPoolExecutor(WORKERS) as pool:
        for part in pool.map(work, range(parts)):
            found.merge(part)
            done()
    return found


def joint_net_by_hand(
    terms: Terms, wager: str, stake: int, ranking: Ranking, meters: Balances | None = None
) -> NDArray[np.int64]:
    """Return the net of each hand of a side wager's ranking, in cents."""
    by_name = side_wagers.net_by_hand(terms, wager, stake, meters)
    return np.array([by_name.get(hand.name, 0) for hand in ranking.hands])
