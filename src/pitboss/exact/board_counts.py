"""Count the final hands of two player cards and a three-card board.

For one pair of each class and every two board cards, count the last cards that lead to each hand.
"""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.ranking import Ranking
from pitboss.ranking.batch import KEYS, Cards, compile_ranking, order_of_row
from pitboss.ranking.keys import RANK_BITS
from pitboss.ranking.match import TIEBREAK_BITS

_SUITS_ONLY: Final = ~np.uint64((1 << RANK_BITS) - 1)

FinalHandCounts = NDArray[np.uint8]
"""The number of last cards by class of player cards, board card, other board card and hand."""


def count_final_hands(ranking: Ranking) -> FinalHandCounts:
    """Count, for every two player cards and two board cards, the final hands over the last board card."""
    pairs = list_suit_classes(2).cards
    counts = np.zeros((len(pairs), len(DECK), len(DECK), len(ranking.hands)), np.uint8)
    _count_final_hands(pairs, KEYS, compile_ranking(ranking, 5), TIEBREAK_BITS, counts)
    return counts


@numba.njit(cache=True, nogil=True)
def _count_final_hands(  # noqa: C901 (one loop per card)
    pairs: Cards, keys: NDArray[np.uint64], tables: tuple[Any, ...], tiebreak: int, counts: FinalHandCounts
) -> None:
    cards = np.zeros((1, 5), np.uint8)
    hand = cards[0]
    hands = counts.shape[3]
    by_color, bias, alarm = tables[3], tables[4], tables[5]
    colors = by_color.any()
    for row in range(len(pairs)):
        hand[:2] = pairs[row]
        pair = np.uint64(1) << np.uint64(hand[0]) | np.uint64(1) << np.uint64(hand[1])
        for one in range(52):
            for two in range(one):
                seen = pair | np.uint64(1) << np.uint64(one) | np.uint64(1) << np.uint64(two)
                if _cards(seen) < 4:  # noqa: PLR2004 (a board card is one of the player's)
                    continue
                hand[2], hand[3] = one, two
                found = counts[row, one, two]
                key = keys[hand[0]] + keys[hand[1]] + keys[one] + keys[two]
                suited = colors
                for suit in range(4):  # whether one more card of a suit could make a suited hand
                    suited |= (key + (keys[suit] & _SUITS_ONLY) + bias) & alarm != 0
                for rank in range(13):
                    like = 0
                    for card in range(4 * rank, 4 * rank + 4):
                        if not seen >> np.uint64(card) & np.uint64(1):
                            like += 1
                            hand[4] = card
                            if suited:  # otherwise all cards of a rank lead to the same hand
                                best = order_of_row(key + keys[card], cards, 0, colors, *tables)
                                found[hands - (best >> tiebreak)] += 1
                    if like and not suited:
                        best = order_of_row(key + keys[hand[4]], cards, 0, colors, *tables)
                        found[hands - (best >> tiebreak)] += like
                counts[row, two, one] = found


@numba.njit(cache=True, nogil=True)
def _cards(bits: np.uint64) -> int:
    count = 0
    while bits:
        bits &= bits - np.uint64(1)
        count += 1
    return count
