"""Evaluate many hands at once, as numpy arrays of card indices; for analysis.

The tables of `match` become arrays. One compiled loop adds the keys of each hand, looks up the sum, and
looks at suits only if there are enough cards of one.
"""

from functools import cache
from math import comb
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cache import load_or_make_arrays
from pitboss.cards import DECK, RANKS, Suit
from pitboss.errors import Mistake
from pitboss.ranking.hands import MOST_CARDS, Ranking, require_valid_ranking
from pitboss.ranking.keys import CARD_KEYS, RANK_BITS, RANK_KEYS, flush_detector, rank_counts
from pitboss.ranking.match import TIEBREAK_BITS, by_color, by_ranks, by_suit

Cards = NDArray[np.uint8]
"""Card indices (`Card.index`), one hand per row."""

# All unsigned, so that numba omits the checks for negative indices.
KEYS: Final = np.array([CARD_KEYS[card] for card in DECK], np.uint64)
_DECK: Final = len(DECK)
_RANKS_ONLY: Final = np.uint64((1 << RANK_BITS) - 1)
_DIAMONDS: Final = np.uint64(RANK_BITS + 4 * Suit.DIAMONDS)
_HEARTS: Final = np.uint64(RANK_BITS + 4 * Suit.HEARTS)
_ONE_SUIT: Final = np.uint64(15)
_TIEBREAK: Final = np.uint32(TIEBREAK_BITS)
_FINE, _UNKNOWN, _TWICE, _NO_HAND = range(4)


class HandRanks(NamedTuple):
    """The order of each hand (higher is better) and its place in `Ranking.hands`."""

    order: NDArray[np.uint32]
    place: NDArray[np.uint8]


class _Tables(NamedTuple):
    """A ranking as lookup tables."""

    by_ranks: NDArray[np.uint32]
    by_suit: NDArray[np.uint32]
    by_color: NDArray[np.uint32]
    suit_bias: np.uint64
    suit_alarm: np.uint64


def evaluate_many(ranking: Ranking, cards: Cards) -> HandRanks:
    """Evaluate every row; raise `Mistake` for the first row with an invalid card."""
    if type(cards) is not np.ndarray:  # a masked array would be ranked by its hidden values
        raise Mistake(f"Hands must be the rows of a plain numpy array, not of a {type(cards).__name__}.")
    if cards.ndim != 2 or cards.dtype != np.uint8:  # noqa: PLR2004 (rows and columns)
        raise Mistake(f"Hands must be the rows of a uint8 array; this is {cards.dtype} in {cards.ndim} dimensions.")
    size = cards.shape[1]
    order = np.empty(len(cards), np.uint32)
    place = np.empty(len(cards), np.uint8)
    hands = np.ascontiguousarray(cards)
    fault, row = _evaluate(hands, KEYS, len(ranking.hands), order, place, *compile_ranking(ranking, size))
    if fault != _FINE:
        raise Mistake(f"Row {row}: {_explain(fault, cards[row], ranking)}")
    return HandRanks(order, place)


def all_hands(size: int) -> Cards:
    """Return every hand of `size` cards, in lexicographic order."""
    if size not in range(1, MOST_CARDS + 1):
        raise Mistake(f"Hands have 1 to {MOST_CARDS} cards, not {size}.")
    hands = np.empty((comb(_DECK, size), size), np.uint8)
    _combinations(hands, _DECK)
    return hands


def compile_ranking(ranking: Ranking, size: int) -> tuple[Any, ...]:
    """Return a ranking of hands of this size as arrays: the last arguments of `order_of_row`."""
    if size not in ranking.cards:
        raise Mistake(f"The ranking {ranking.name} takes {' or '.join(map(str, ranking.cards))} cards, not {size}.")
    return (_dense(size), *_tables(ranking, size))


@cache
def _dense(size: int) -> NDArray[np.uint16]:
    """Return, by sum of rank keys, the index of those ranks in `rank_counts`."""
    sums = [sum(map(int.__mul__, counts, RANK_KEYS)) for counts in rank_counts(size)]
    dense = np.zeros(max(sums) + 1, np.uint16)
    dense[sums] = np.arange(len(sums))
    return dense


@cache
def _tables(ranking: Ranking, size: int) -> _Tables:
    """Calculate the order of every set of ranks, every set of cards of a suit and every split of colours."""
    require_valid_ranking(ranking)
    return _Tables(
        *load_or_make_arrays(
            ("ranking", ranking, size), "cards.py", "ranking", make=lambda: list(_make_tables(ranking, size))
        )
    )


def _make_tables(ranking: Ranking, size: int) -> _Tables:
    suited = np.zeros((len(Suit), 1 << len(RANKS)), np.uint32)
    fewest = min((hand.same_suit for hand in ranking.hands if hand.same_suit), default=MOST_CARDS + 1)
    for ranks in range(1 << len(RANKS)):
        if fewest <= ranks.bit_count() <= size:
            counts = [ranks >> rank & 1 for rank in range(len(RANKS))]
            suited[:, ranks] = [by_suit(ranking, suit.letter, counts) for suit in Suit]
    return _Tables(
        np.array([by_ranks(ranking, counts) for counts in rank_counts(size)], np.uint32),
        suited,
        np.array([by_color(ranking, max(reds, size - reds)) for reds in range(size + 1)], np.uint32),
        *(np.uint64(number) for number in flush_detector(ranking)),
    )


@numba.njit(cache=True, nogil=True)
def _evaluate(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    cards: Cards,
    keys: NDArray[np.uint64],
    hands: int,
    order: NDArray[np.uint32],
    place: NDArray[np.uint8],
    dense: NDArray[np.uint16],
    by_ranks: NDArray[np.uint32],
    by_suit: NDArray[np.uint32],
    by_color: NDArray[np.uint32],
    suit_bias: np.uint64,
    suit_alarm: np.uint64,
) -> tuple[int, int]:
    rows, size = cards.shape
    colors = bool(by_color.any())
    for row in range(rows):
        key = np.uint64(0)
        seen = np.uint64(0)
        for column in range(size):
            card = cards[row, column]
            if card >= _DECK:
                return _UNKNOWN, row
            bit = np.uint64(1) << np.uint64(card)
            if seen & bit:
                return _TWICE, row
            seen |= bit
            key += keys[card]
        best = by_ranks[dense[key & _RANKS_ONLY]]
        if colors:
            best = max(best, by_color[(key >> _DIAMONDS & _ONE_SUIT) + (key >> _HEARTS & _ONE_SUIT)])
        if (key + suit_bias) & suit_alarm:
            best = max(best, _best_of_a_suit(cards[row], by_suit))
        if best == 0:
            return _NO_HAND, row
        order[row] = best
        place[row] = hands - (best >> _TIEBREAK)
    return _FINE, 0


@numba.njit(cache=True, nogil=True)
def order_of_row(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    key: np.uint64,
    cards: Cards,
    row: int,
    colors: bool,  # noqa: FBT001 (the same)
    dense: NDArray[np.uint16],
    by_ranks: NDArray[np.uint32],
    by_suit: NDArray[np.uint32],
    by_color: NDArray[np.uint32],
    suit_bias: np.uint64,
    suit_alarm: np.uint64,
) -> np.uint32:
    """Return the order of the hand in a row, given the sum of its cards' keys; 0 if it makes no hand.

    For other kernels. `_evaluate` repeats this code, since a call would make it four times slower.
    """
    best = by_ranks[dense[key & _RANKS_ONLY]]
    if colors:
        best = max(best, by_color[(key >> _DIAMONDS & _ONE_SUIT) + (key >> _HEARTS & _ONE_SUIT)])
    if (key + suit_bias) & suit_alarm:
        best = max(best, _best_of_a_suit(cards[row], by_suit))
    return np.uint32(best)


@numba.njit(cache=True, nogil=True)
def _best_of_a_suit(hand: Cards, by_suit: NDArray[np.uint32]) -> np.uint32:
    best = np.uint32(0)
    for suit in range(4):
        ranks = 0
        for card in hand:
            if card % 4 == suit:
                ranks |= 1 << card // 4
        best = max(best, by_suit[suit, ranks])
    return best


@numba.njit(cache=True, nogil=True)
def _combinations(hands: Cards, deck: int) -> None:
    size = hands.shape[1]
    drawn = np.arange(size)
    for row in range(len(hands)):
        for column in range(size):
            hands[row, column] = drawn[column]
        moved = size - 1
        while moved >= 0 and drawn[moved] == deck - size + moved:
            moved -= 1
        drawn[moved] += 1
        for column in range(moved + 1, size):
            drawn[column] = drawn[column - 1] + 1


def _explain(fault: int, cards: Cards, ranking: Ranking) -> str:
    stray = [int(index) for index in cards if index >= _DECK]
    if stray:
        return f"{stray[0]} is not a card; cards are numbered 0 to {_DECK - 1}."
    words = " ".join(str(DECK[index]) for index in cards)
    if fault == _TWICE:
        return f"a card is listed twice in {words}; a card can appear only once."
    return f"the ranking {ranking.name} has no hand for {words}."
