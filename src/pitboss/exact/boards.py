"""What a player's two cards and the board come to: counts of final hands for every stage of the board.

One pair of each class, every pair of board cards, and under each of these how many of the cards that may
come last lead to which hand.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.exact.classes import classes
from pitboss.ranking import Ranking
from pitboss.ranking.batch import KEYS, Cards, compiled, worth
from pitboss.ranking.match import TIEBREAK_BITS

Finals = NDArray[np.uint8]
"""By the player's class, board card, other board card and hand: how many last cards lead to it."""


def finals(ranking: Ranking) -> Finals:
    """Count the hands that two cards and two of the board come to with the last one."""
    pairs = classes(2).cards
    counts = np.zeros((len(pairs), len(DECK), len(DECK), len(ranking.hands)), np.uint8)
    _finals(pairs, KEYS, compiled(ranking, 5), TIEBREAK_BITS, counts)
    return counts


@numba.njit(cache=True, nogil=True)
def _finals(
    pairs: Cards, keys: NDArray[np.uint64], tables: tuple[NDArray[np.uint32], ...], tiebreak: int, counts: Finals
) -> None:
    hand = np.zeros(5, np.uint8)
    hands = counts.shape[3]
    for row in range(len(pairs)):
        hand[:2] = pairs[row]
        for first in range(52):
            hand[2] = first
            for second in range(first):
                hand[3] = second
                if first in pairs[row] or second in pairs[row]:
                    continue
                key = keys[hand[0]] + keys[hand[1]] + keys[first] + keys[second]
                for last in range(52):
                    if last == first or last == second or last == hand[0] or last == hand[1]:  # noqa: PLR1714
                        continue
                    hand[4] = last
                    best = worth(key + keys[last], hand, False, *tables)  # noqa: FBT003 (compiled)
                    counts[row, first, second, hands - (best >> tiebreak)] += 1
                counts[row, second, first] = counts[row, first, second]
