"""Statistics of shuffled decks: tests whether all orders are equally likely.

The compiled code makes the same draws as `shoe.shuffled` for many decks at once; a test compares the two. Needs
numpy and numba.
"""

import math
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.table.shoe import Source

Decks = NDArray[np.uint8]
"""One deck per row, as card indices."""

CARDS: Final = 52
LEVEL: Final = 0.01
"""The chance that a fair source fails a statistic of a report."""
_BATCH: Final = 50_000
_BYTES: Final = 120
"""Bytes reserved per deck: about 68 are used on average, and one deck in millions needs more."""
_ORDERED: Final = 5


class Statistic(msgspec.Struct, frozen=True):
    """One statistic of many decks: chi-square, and the probability that a fair shuffle exceeds it."""

    name: str
    about: str
    value: float
    freedom: int
    likelihood: float

    @property
    def passed(self) -> bool:
        """Whether a fair shuffle gives such a value in 99 of 100 reports: neither too uneven nor too even."""
        return LEVEL / 2 < self.likelihood < 1 - LEVEL / 2


def shuffle_report(decks: int, source: Source, progress: Callable[[int], object] = id) -> list[Statistic]:
    """Shuffle decks from a source of random bytes and return the statistics of their orders."""
    positions = np.zeros((CARDS, CARDS), np.int64)
    pairs = np.zeros((CARDS, CARDS), np.int64)
    orders = np.zeros(math.factorial(_ORDERED), np.int64)
    bytes_seen = np.zeros(256, np.int64)
    for batch, used in shuffle_batches(decks, source):
        _count(batch, positions, pairs, orders)
        bytes_seen += used
        progress(len(batch))
    # A deck has each card and each place once, so 51 × 51 of the 52 × 52 counts are free. Their spread
    # is 52/51 of that of independent counts.
    fair = CARDS / (CARDS - 1)
    return [
        _statistic("position", "each card in each place", positions, (CARDS - 1) ** 2, fair),
        _statistic("pair", "the first two cards of a deck", pairs[~np.eye(CARDS, dtype=bool)]),
        _statistic("order", f"the order of {_ORDERED} cards among themselves", orders),
        _statistic("byte", "each value of a byte drawn", bytes_seen),
    ]


def shuffle_batches(decks: int, source: Source) -> Iterator[tuple[Decks, NDArray[np.int64]]]:
    """Yield decks in batches, each with the counts of the bytes drawn for them."""
    while decks:
        count = min(decks, _BATCH)
        data = np.frombuffer(source(count * _BYTES), np.uint8).reshape(count, _BYTES)
        batch, used = np.empty((count, CARDS), np.uint8), np.empty(count, np.int64)
        _shuffle(data, batch, used)
        whole = used > 0  # a deck whose bytes ran out is replaced by another
        yield batch[whole], _bytes_used(data[whole], used[whole])
        decks -= int(whole.sum())


@numba.njit(cache=True)
def _shuffle(data: NDArray[np.uint8], decks: Decks, used: NDArray[np.int64]) -> None:
    for row in range(len(data)):
        deck = decks[row]
        for card in range(CARDS):
            deck[card] = card
        place = 0
        for last in range(CARDS - 1, 0, -1):
            mask = 1
            while mask < last:
                mask = mask * 2 + 1
            other = last + 1
            while other > last and place < data.shape[1]:
                other = data[row, place] & mask
                place += 1
            if other > last:
                place = 0
                break
            deck[last], deck[other] = deck[other], deck[last]
        used[row] = place


@numba.njit(cache=True)
def _bytes_used(data: NDArray[np.uint8], used: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = np.zeros(256, np.int64)
    for row in range(len(data)):
        for place in range(used[row]):
            counts[data[row, place]] += 1
    return counts


@numba.njit(cache=True)
def _count(decks: Decks, positions: NDArray[np.int64], pairs: NDArray[np.int64], orders: NDArray[np.int64]) -> None:
    where = np.empty(CARDS, np.int64)
    for row in range(len(decks)):
        for place in range(CARDS):
            card = decks[row, place]
            positions[card, place] += 1
            where[card] = place
        pairs[decks[row, 0], decks[row, 1]] += 1
        # The order of the first five cards as a number in the factorial system.
        number = 0
        for card in range(_ORDERED):
            before = 0
            for other in range(card + 1, _ORDERED):
                before += where[other] < where[card]
            number = number * (_ORDERED - card) + before
        orders[number] += 1


def _statistic(name: str, about: str, counts: NDArray[np.int64], freedom: int = 0, spread: float = 1.0) -> Statistic:
    """Return the chi-square statistic of counts that should all be equal."""
    expected = counts.sum() / counts.size
    value = float(((counts - expected) ** 2 / expected).sum()) / spread
    degrees = freedom or counts.size - 1
    return Statistic(name, about, value, degrees, chi_square_tail(value, degrees))


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that chi-square with these degrees of freedom exceeds a value.

    This is the upper incomplete gamma function: its series below the mean, its continued fraction above.
    """
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-15:
            step += 1
            term *= x / step
            total += term
        return 1 - front * total
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for number in range(1, 100_000):
        factor = -number * (number - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:  # noqa: PLR2004 (the precision of a float)
            break
    return front * fraction
