"""Classes of hands that are equal up to a renaming of suits: an example, the size and the number of each class.

A hand is four sets of ranks, one per suit. Two hands are in the same class if they have the same sets in another
order. No ranking that compares player and dealer distinguishes them.
"""

from functools import cache
from itertools import permutations
from math import comb
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, RANKS, Suit
from pitboss.ranking.batch import Cards

SUITS: Final = len(Suit)
RENAMINGS: Final = np.array(list(permutations(range(SUITS))), np.uint8)
"""Every renaming of suits, one per row: the new suit of each suit."""
_MOST: Final = 6
BINOMIALS: Final = np.array(
    [[comb(card, size) for size in range(_MOST + 2)] for card in range(len(DECK) + 1)], np.int64
)
"""Binomial coefficients: `BINOMIALS[n, k]` is n over k.

The index of sorted cards c0 < c1 < … among all hands of their size is Σ BINOMIALS[ci, i + 1].
"""


class Classes(NamedTuple):
    """Every class of hands of one size."""

    cards: Cards
    """One hand of each class, cards ascending."""
    weight: NDArray[np.int64]
    """The number of hands in each class."""


class Numbering(NamedTuple):
    """For every hand of up to a size: its class, and the renaming to the class's example."""

    start: NDArray[np.int64]
    """The index of the first hand of each size."""
    number: NDArray[np.int32]
    """The class of each hand, numbered over all sizes."""
    renaming: NDArray[np.uint8]
    """The renaming of each hand: a row of `RENAMINGS`."""
    weight: NDArray[np.int64]
    """The number of hands in each class."""


@cache
def list_suit_classes(size: int) -> Classes:
    """Return every class of hands of `size` cards."""
    by_size = [np.array([ranks for ranks in range(1 << len(RANKS)) if ranks.bit_count() == n]) for n in range(size + 1)]
    starts = np.cumsum([0, *map(len, by_size)])
    masks = np.concatenate(by_size)
    count = _list_classes(size, masks, starts, np.empty((0, size), np.uint8), np.empty(0, np.int64))
    cards, weight = np.empty((count, size), np.uint8), np.empty(count, np.int64)
    _list_classes(size, masks, starts, cards, weight)
    return Classes(cards, weight)


@cache
def number_hands(size: int) -> Numbering:
    """Assign a class number to every hand of up to `size` cards."""
    sizes = [comb(len(DECK), n) for n in range(size + 1)]
    start = np.cumsum([0, *sizes])
    number, renaming = np.zeros(start[-1], np.int32), np.zeros(start[-1], np.uint8)
    weights, first = [np.ones(1, np.int64)], 1
    for n in range(1, size + 1):
        found = list_suit_classes(n)
        _number_hands(found.cards, first, number[start[n] : start[n + 1]], renaming[start[n] : start[n + 1]])
        weights.append(found.weight)
        first += len(found.weight)
    return Numbering(start, number, renaming, np.concatenate(weights))


@numba.njit(cache=True, nogil=True)
def _list_classes(
    size: int, masks: NDArray[np.int64], starts: NDArray[np.int64], cards: Cards, weight: NDArray[np.int64]
) -> int:
    """Write one hand of each class, its suits' rank sets descending, as space allows; return the number."""
    count = 0
    held = np.zeros(4, np.int64)
    for sizes in range((size + 1) ** 3):
        first, second, third = sizes // (size + 1) ** 2, sizes // (size + 1) % (size + 1), sizes % (size + 1)
        fourth = size - first - second - third
        if not first >= second >= third >= fourth >= 0:
            continue
        for a in range(starts[first], starts[first + 1]):
            held[0] = masks[a]
            for b in range(starts[second], min(a + 1, starts[second + 1])):
                held[1] = masks[b]
                for c in range(starts[third], min(b + 1, starts[third + 1])):
                    held[2] = masks[c]
                    for d in range(starts[fourth], min(c + 1, starts[fourth + 1])):
                        held[3] = masks[d]
                        if len(weight):
                            weight[count] = _arrangements(held)
                            column = 0
                            for card in range(52):
                                if held[card % 4] >> (card // 4) & 1:
                                    cards[count, column] = card
                                    column += 1
                        count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _arrangements(held: NDArray[np.int64]) -> int:
    """Return the number of distinct orders of four sets."""
    ways, alike = 24, 1
    for suit in range(1, 4):
        alike = alike + 1 if held[suit] == held[suit - 1] else 1
        ways //= alike
    return ways


@numba.njit(cache=True, nogil=True)
def _number_hands(cards: Cards, first: int, number: NDArray[np.int32], renaming: NDArray[np.uint8]) -> None:
    """Write the class of every hand that is a renaming of one of these, and the renaming back."""
    size = cards.shape[1]
    back = np.zeros(24, np.uint8)
    for name in range(24):
        for other in range(24):
            same = True
            for suit in range(4):
                same &= RENAMINGS[other, RENAMINGS[name, suit]] == suit
            if same:
                back[name] = other
    for row in range(len(cards)):
        for name in range(24):
            bits = np.uint64(0)
            for column in range(size):
                card = cards[row, column]
                bits |= np.uint64(1) << np.uint64(card - card % 4 + RENAMINGS[name, card % 4])
            place, held = 0, 0
            for card in range(52):
                if bits >> np.uint64(card) & np.uint64(1):
                    held += 1
                    place += BINOMIALS[card, held]
            number[place] = first + row
            renaming[place] = back[name]
