"""Counting dealer's hands below, equal to and above the player's, for every player's hand at once.

How many hands of the dealer avoid the player's cards P and rank below them is, by inclusion and exclusion,
Σ over T ⊆ P of (-1)^|T| · N(T), where N(T) counts those that contain T. N is the same for all T of a class.
The sweep takes hands from the lowest to the highest: a dealer's hand is added to N when its rank is
passed, so that N always is about the hands below the player's whose turn it is.

Everything is an integer. N is kept 24-fold, since 24 is a multiple of every class's size.
"""

from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.exact.classes import CHOOSE, RENAMINGS, Classes, Numbering, classes, numbering
from pitboss.ranking.batch import Cards

FOLD: Final = 24
"""How many times everything is counted, until the end."""
LANES: Final = 16
"""Ranks of a suit, filled up to a power of two."""
Orders = NDArray[np.int64]


class Sorted(NamedTuple):
    """Classes of hands from the lowest to the highest."""

    cards: Cards
    weight: NDArray[np.int64]
    order: Orders
    row: NDArray[np.int64]
    """Where each stood before."""


def from_lowest(found: Classes, order: Orders) -> Sorted:
    """Sort classes by what their hands are worth."""
    row = np.argsort(order, kind="stable")
    return Sorted(np.ascontiguousarray(found.cards[row]), found.weight[row], order[row], row)


def below_and_equal(player: Sorted, dealer: Sorted) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for each class of player's hands as sorted, how many dealer's hands are below it and equal to it."""
    names = numbering(player.cards.shape[1])
    below, equal = np.zeros(len(player.order), np.int64), np.zeros(len(player.order), np.int64)
    within = np.zeros(len(names.weight), np.int64)
    _sweep(*player[:3], *dealer[:3], names.start, names.number, FOLD // names.weight, within, below, equal)
    return below, equal


@numba.njit(cache=True, nogil=True)
def _sweep(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    cards: Cards,
    weight: NDArray[np.int64],
    order: Orders,
    dealer: Cards,
    dealer_weight: NDArray[np.int64],
    dealer_order: Orders,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    share: NDArray[np.int64],
    within: NDArray[np.int64],
    below: NDArray[np.int64],
    equal: NDArray[np.int64],
) -> None:
    added, row = 0, 0
    while row < len(order):
        worth = order[row]
        while added < len(dealer_order) and dealer_order[added] < worth:
            _add(dealer[added], dealer_weight[added], start, number, within, cards.shape[1])
            added += 1
        last = row
        while last < len(order) and order[last] == worth:
            below[last] = _avoiding(cards[last], start, number, share, within)
            last += 1
        while added < len(dealer_order) and dealer_order[added] == worth:
            _add(dealer[added], dealer_weight[added], start, number, within, cards.shape[1])
            added += 1
        for same in range(row, last):
            equal[same] = _avoiding(cards[same], start, number, share, within) - below[same]
        row = last


@numba.njit(cache=True, nogil=True)
def _add(
    hand: Cards, weight: int, start: NDArray[np.int64], number: NDArray[np.int32], within: NDArray[np.int64], most: int
) -> None:
    """Add a class of dealer's hands to the classes of what they contain."""
    held, place = _parts(hand)
    for part in range(len(held)):
        if held[part] <= most:
            within[number[start[held[part]] + place[part]]] += weight


@numba.njit(cache=True, nogil=True)
def _avoiding(
    hand: Cards,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    share: NDArray[np.int64],
    within: NDArray[np.int64],
) -> int:
    """Return how many of the dealer's hands added so far have none of these cards."""
    held, place = _parts(hand)
    total = 0
    for part in range(len(held)):
        name = number[start[held[part]] + place[part]]
        total += (1 - 2 * (held[part] & 1)) * within[name] * share[name]
    return total // 24


@numba.njit(cache=True, nogil=True)
def _parts(hand: Cards) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for every part of a hand, how many cards it has and its place among the hands of that size."""
    held, place = np.zeros(1 << len(hand), np.int64), np.zeros(1 << len(hand), np.int64)
    for column in range(len(hand)):
        bit = 1 << column
        for rest in range(bit):
            held[bit | rest] = held[rest] + 1
            place[bit | rest] = place[rest] + CHOOSE[hand[column], held[rest] + 1]
    return held, place


class UpCard(NamedTuple):
    """For each class of player's hands as sorted and each up-card: how many of the dealer's hands come to what."""

    unqualified: NDArray[np.int32]
    below: NDArray[np.int32]
    """Qualified, and below the player's."""
    equal: NDArray[np.int32]


def by_up_card(player: Sorted, dealer: Sorted, unqualified: int) -> UpCard:
    """Count dealer's hands by up-card; so many of the lowest classes of them do not qualify."""
    names = numbering(dealer.cards.shape[1] - 1)
    spread, times = _alike(names)
    counts = [np.zeros((len(player.order), 52), np.int32) for _ in range(3)]
    within = np.zeros((len(names.weight), 4, LANES), np.int32)
    tables = (names.start, names.number, names.renaming, spread, times, within)
    _sweep_up(player.cards, player.order, *dealer[:3], unqualified, *tables, *counts)
    return UpCard(*counts)


def _alike(names: Numbering) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return, for each class and suit, the suits that could stand in its place (as bits), and 24 by their number."""
    size = np.searchsorted(names.start, len(names.number), side="left") - 1
    held = np.zeros((1, 4), np.int64)
    for count in range(1, size + 1):
        cards = classes(count).cards.astype(np.int64)
        ranks = [np.where(cards % 4 == suit, 1 << cards // 4, 0).sum(axis=1) for suit in range(4)]
        held = np.vstack([held, np.stack(ranks, axis=1)])
    same = held[:, :, None] == held[:, None, :]
    spread = (same * (1 << np.arange(4))).sum(axis=2).astype(np.uint8)
    times = (FOLD // names.weight)[:, None] // same.sum(axis=2)
    return spread, times.astype(np.int32)


@numba.njit(cache=True, nogil=True)
def _sweep_up(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    cards: Cards,
    order: Orders,
    dealer: Cards,
    dealer_weight: NDArray[np.int64],
    dealer_order: Orders,
    unqualified: int,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    renaming: NDArray[np.uint8],
    spread: NDArray[np.uint8],
    times: NDArray[np.int32],
    within: NDArray[np.int32],
    low: NDArray[np.int32],
    below: NDArray[np.int32],
    equal: NDArray[np.int32],
) -> None:
    total = np.zeros((4, LANES), np.int32)
    for added in range(unqualified):
        _add_up(dealer[added], dealer_weight[added], start, number, renaming, spread, times, within)
    for row in range(len(order)):
        _avoiding_up(cards[row], start, number, renaming, within, total, low[row])
    added, row = unqualified, 0
    while row < len(order) and order[row] < dealer_order[unqualified]:
        row += 1
    while row < len(order):
        worth = order[row]
        while added < len(dealer_order) and dealer_order[added] < worth:
            _add_up(dealer[added], dealer_weight[added], start, number, renaming, spread, times, within)
            added += 1
        last = row
        while last < len(order) and order[last] == worth:
            _avoiding_up(cards[last], start, number, renaming, within, total, below[last])
            last += 1
        while added < len(dealer_order) and dealer_order[added] == worth:
            _add_up(dealer[added], dealer_weight[added], start, number, renaming, spread, times, within)
            added += 1
        for same in range(row, last):
            _avoiding_up(cards[same], start, number, renaming, within, total, equal[same])
            for card in range(52):
                equal[same, card] -= below[same, card]
                below[same, card] -= low[same, card]
        row = last


@numba.njit(cache=True, nogil=True)
def _add_up(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    weight: int,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    renaming: NDArray[np.uint8],
    spread: NDArray[np.uint8],
    times: NDArray[np.int32],
    within: NDArray[np.int32],
) -> None:
    """Add a class of dealer's hands to the classes of what they contain besides each card that may be up."""
    held, place = _parts(hand)
    for part in range(len(held) - 1):
        at = start[held[part]] + place[part]
        name, rename = number[at], renaming[at]
        for column in range(len(hand)):
            if not part >> column & 1:
                suit, rank = RENAMINGS[rename, hand[column] % 4], hand[column] // 4
                more = np.int32(weight * times[name, suit])
                for other in range(4):
                    if spread[name, suit] >> other & 1:
                        within[name, other, rank] += more


@numba.njit(cache=True, nogil=True)
def _avoiding_up(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    renaming: NDArray[np.uint8],
    within: NDArray[np.int32],
    total: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> None:
    """Write, for each up-card, how many of the dealer's hands added so far have none of these cards."""
    held, place = _parts(hand)
    total[:] = 0
    for part in range(len(held) - 1):  # all of the player's cards together leave the dealer none for an up-card
        at = start[held[part]] + place[part]
        name, rename = number[at], renaming[at]
        for suit in range(4):
            row = within[name, RENAMINGS[rename, suit]]
            if held[part] & 1:
                for rank in range(LANES):
                    total[suit, rank] -= row[rank]
            else:
                for rank in range(LANES):
                    total[suit, rank] += row[rank]
    for suit in range(4):
        for rank in range(13):
            counts[rank * 4 + suit] = total[suit, rank] // 24
    for card in hand:
        counts[card] = 0
