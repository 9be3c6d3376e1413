"""Count the hands of a wager with extra cards besides the board, for every board."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.exact.suit_classes import BINOMIALS
from pitboss.ranking.batch import Cards, order_of_row
from pitboss.ranking.match import TIEBREAK_BITS


@numba.njit(cache=True, nogil=True)
def count_six_card_hands(  # noqa: C901, PLR0913, PLR0917 (a kernel takes flat arguments)
    pair: Cards,
    rest: Cards,
    keys: NDArray[np.uint64],
    value: NDArray[np.int64],
    hands: int,
    tables: Any,  # noqa: ANN401 (the last arguments of `order_of_row`)
    boards: NDArray[np.int64],
    with_board: bool,  # noqa: FBT001 (compiled)
) -> NDArray[np.int64]:
    """Count, for each board, the hands of the player's cards with the board and one more card, or with four others.

    Four cards that contain the board are the board and one more. Sets of four that avoid the board are counted by
    inclusion and exclusion.
    """
    many, unseen = value.max() + 1, len(rest)
    none, one = np.zeros(many, np.int64), np.zeros((unseen, many), np.int64)
    two, three = np.zeros((unseen, unseen, many), np.int64), np.zeros((BINOMIALS[unseen, 3], many), np.int64)
    cards = np.zeros((1, 6), np.uint8)
    cards[0, :2] = pair
    colors = tables[3].any()
    at = np.zeros(4, np.int64)
    for a in range(unseen):
        at[0] = a
        for b in range(a + 1, unseen):
            at[1] = b
            for c in range(b + 1, unseen):
                at[2] = c
                key = keys[pair[0]] + keys[pair[1]] + keys[rest[a]] + keys[rest[b]] + keys[rest[c]]
                for d in range(c + 1, unseen):
                    at[3] = d
                    for column in range(4):
                        cards[0, 2 + column] = rest[at[column]]
                    best = order_of_row(key + keys[rest[d]], cards, 0, colors, *tables)
                    kind = value[hands - (best >> TIEBREAK_BITS)]
                    none[kind] += 1
                    for x in range(4):
                        one[at[x], kind] += 1
                        for y in range(x):
                            two[at[y], at[x], kind] += 1
                            for z in range(y):
                                three[_place(at[z], at[y], at[x]), kind] += 1
    counts = np.zeros((len(boards), many), np.int64)
    for number in range(len(boards)):
        a, b, c = boards[number]
        if with_board:
            counts[number] = three[_place(a, b, c)]
            continue
        for kind in range(many):
            singles = one[a, kind] + one[b, kind] + one[c, kind]
            doubles = two[a, b, kind] + two[a, c, kind] + two[b, c, kind]
            counts[number, kind] = none[kind] - singles + doubles - three[_place(a, b, c), kind]
    return counts


@numba.njit(cache=True, nogil=True)
def _place(a: int, b: int, c: int) -> int:
    return int(BINOMIALS[a, 1] + BINOMIALS[b, 2] + BINOMIALS[c, 3])
