"""Count the dealer hands below, equal to and above the player's, for all player hands at once.

Let P be the player's cards and N(T) the number of lower dealer hands that contain the cards T. By inclusion and
exclusion, Σ over T ⊆ P of (-1)^|T| · N(T) dealer hands are lower and contain no card of P. N is the same for all T
of a suit class. The sweep goes through hands from the lowest to the highest and adds each dealer hand to N when it
passes its rank, so N always counts the hands below the current player hand.

Everything is an integer. N is stored 24-fold, since 24 is a multiple of every class's size.
"""

from math import comb
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.exact.suit_classes import BINOMIALS, RENAMINGS, Classes, Numbering, list_suit_classes, number_hands
from pitboss.ranking.batch import Cards

COUNT_FACTOR: Final = 24
"""The factor by which all counts are multiplied until the end."""
MISSING_HAND: Final = 1 << 62
"""The order that stands for no hand."""
LANES: Final = 16
"""The ranks of a suit, rounded up to a power of two."""
SUBSET_SIZES: Final = np.array([part.bit_count() for part in range(64)], np.int64)
"""The number of cards in each subset of a hand; the bits of the index select the cards."""
Orders = NDArray[np.int64]
RESULTS: Final = ("dealer does not qualify", "win", "tie", "lose")
UNQUALIFIED, WIN, TIE, LOSE = range(4)
Counts = NDArray[np.int32]
"""The number of dealer hands by sorted class of player hands, up-card (one column if none) and `RESULTS`."""


class SortedClasses(NamedTuple):
    """Classes of hands from the lowest to the highest."""

    cards: Cards
    weight: NDArray[np.int64]
    order: Orders
    row: NDArray[np.int64]
    """The index of each class before sorting."""


def sort_ascending(found: Classes, order: Orders) -> SortedClasses:
    """Sort classes by the order of their hands."""
    row = np.argsort(order, kind="stable")
    return SortedClasses(np.ascontiguousarray(found.cards[row]), found.weight[row], order[row], row)


def count_without_up_card(player: SortedClasses, dealer: SortedClasses) -> Counts:
    """Count dealer hands in a game without an up-card; every dealer hand qualifies."""
    names = number_hands(player.cards.shape[1])
    counts = np.zeros((len(player.order), 1, len(RESULTS)), np.int32)
    within = np.zeros(len(names.weight), np.int64)
    tables = (names.start, names.number, COUNT_FACTOR // names.weight, within, np.zeros(len(SUBSET_SIZES), np.int64))
    total = comb(len(DECK) - player.cards.shape[1], dealer.cards.shape[1])
    _sweep(player.cards, player.order, dealer.cards, dealer.weight, dealer.order, total, tables, counts)
    return counts


@numba.njit(cache=True, nogil=True)
def _sweep(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    cards: Cards,
    order: Orders,
    dealer: Cards,
    dealer_weight: NDArray[np.int64],
    dealer_order: Orders,
    total: int,
    tables: Any,  # noqa: ANN401 (arguments of `_add` and `_count_disjoint`)
    counts: Counts,
) -> None:
    added, row = 0, 0
    while row < len(order):
        worth = order[row]
        while added < len(dealer_order) and dealer_order[added] < worth:
            _add(dealer[added], dealer_weight[added], cards.shape[1], *tables)
            added += 1
        last = row
        while last < len(order) and order[last] == worth:
            counts[last, 0, WIN] = _count_disjoint(cards[last], *tables)
            last += 1
        while added < len(dealer_order) and dealer_order[added] == worth:
            _add(dealer[added], dealer_weight[added], cards.shape[1], *tables)
            added += 1
        for same in range(row, last):
            upto = _count_disjoint(cards[same], *tables)
            counts[same, 0, TIE] = upto - counts[same, 0, WIN]
            counts[same, 0, LOSE] = total - upto
        row = last


@numba.njit(cache=True, nogil=True)
def _add(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    weight: int,
    most: int,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    share: NDArray[np.int64],  # noqa: ARG001 (same tables as `_count_disjoint`)
    within: NDArray[np.int64],
    place: NDArray[np.int64],
) -> None:
    """Add a class of dealer hands to N for all subsets of their cards."""
    for part in range(_parts(hand, place)):
        if SUBSET_SIZES[part] <= most:
            within[number[start[SUBSET_SIZES[part]] + place[part]]] += weight


@numba.njit(cache=True, nogil=True)
def _count_disjoint(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    share: NDArray[np.int64],
    within: NDArray[np.int64],
    place: NDArray[np.int64],
) -> int:
    """Return the number of dealer hands added so far that contain none of these cards."""
    total = 0
    for part in range(_parts(hand, place)):
        name = number[start[SUBSET_SIZES[part]] + place[part]]
        total += (1 - 2 * (SUBSET_SIZES[part] & 1)) * within[name] * share[name]
    return total // 24


@numba.njit(cache=True, nogil=True)
def _parts(hand: Cards, place: NDArray[np.int64]) -> int:
    """Write the index of every subset of a hand among the hands of its size; return the number of subsets."""
    place[0] = 0
    for column in range(len(hand)):
        bit = 1 << column
        for rest in range(bit):
            place[bit | rest] = place[rest] + BINOMIALS[hand[column], SUBSET_SIZES[rest] + 1]
    return 1 << len(hand)


def count_by_up_card(player: SortedClasses, dealer: SortedClasses, unqualified: int, *, whole: bool = True) -> Counts:
    """Count dealer hands by up-card; the lowest `unqualified` classes do not qualify.

    If the dealer's classes are not all hands (`whole` is False), the hands above the player's are counted as well;
    otherwise they are the remainder.
    """
    size = dealer.cards.shape[1]
    # The sum over subsets has at most 16 positive terms, each a 24-fold count of hands with a given card.
    assert 16 * COUNT_FACTOR * comb(len(DECK) - 1, size - 1) < 2**31, "sums overflow"
    names = number_hands(size - 1)
    counts = np.zeros((len(player.order), len(DECK), len(RESULTS)), np.int32)
    within = np.zeros((len(names.weight), 4, LANES), np.int32)
    total = comb(len(DECK) - player.cards.shape[1] - 1, size - 1)
    least = int(dealer.order[unqualified]) if unqualified < len(dealer.order) else MISSING_HAND
    tables = (
        size - 1,
        names.start,
        names.number,
        names.renaming,
        *_interchangeable_suits(names),
        within,
        np.zeros(len(SUBSET_SIZES), np.int64),
    )
    orders = (player.order, dealer.order, least)
    _sweep_up(player.cards, *orders, dealer.cards, dealer.weight, unqualified, total, whole, tables, counts)
    return counts


def _interchangeable_suits(names: Numbering) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return, for each class and suit, the interchangeable suits as bits, and 24 divided by their number."""
    size = np.searchsorted(names.start, len(names.number), side="left") - 1
    held = np.zeros((1, 4), np.int64)
    for count in range(1, size + 1):
        cards = list_suit_classes(count).cards.astype(np.int64)
        ranks = [np.where(cards % 4 == suit, 1 << cards // 4, 0).sum(axis=1) for suit in range(4)]
        held = np.vstack([held, np.stack(ranks, axis=1)])
    same = held[:, :, None] == held[:, None, :]
    spread = (same * (1 << np.arange(4))).sum(axis=2).astype(np.uint8)
    times = (COUNT_FACTOR // names.weight)[:, None] // same.sum(axis=2)
    return spread, times.astype(np.int32)


@numba.njit(cache=True, nogil=True)
def _sweep_up(  # noqa: C901, PLR0912, PLR0913, PLR0917 (a kernel takes flat arguments)
    cards: Cards,
    order: Orders,
    dealer_order: Orders,
    least: int,
    dealer: Cards,
    dealer_weight: NDArray[np.int64],
    unqualified: int,
    total: int,
    whole: bool,  # noqa: FBT001 (compiled)
    tables: Any,  # noqa: ANN401 (arguments of `_add_up` and `_count_disjoint_by_up_card`)
    counts: Counts,
) -> None:
    sums, row = np.zeros((4, LANES), np.int32), 0
    for added in range(unqualified):
        _add_up(dealer[added], dealer_weight[added], *tables)
    for number in range(len(order)):
        _count_disjoint_by_up_card(cards[number], sums, counts[number, :, UNQUALIFIED], *tables)
    added = unqualified
    while row < len(order):
        worth = order[row]
        while added < len(dealer_order) and dealer_order[added] < worth:
            _add_up(dealer[added], dealer_weight[added], *tables)
            added += 1
        last = row
        while last < len(order) and order[last] == worth:
            if worth >= least:
                _count_disjoint_by_up_card(cards[last], sums, counts[last, :, WIN], *tables)
            last += 1
        while added < len(dealer_order) and dealer_order[added] == worth:
            _add_up(dealer[added], dealer_weight[added], *tables)
            added += 1
        for same in range(row, last):
            if worth >= least:
                _count_disjoint_by_up_card(cards[same], sums, counts[same, :, TIE], *tables)
            _finish(cards[same], total, worth >= least, counts[same])
        row = last
    if not whole:
        while added < len(dealer_order):
            _add_up(dealer[added], dealer_weight[added], *tables)
            added += 1
        for number in range(len(order)):
            ends = counts[number]
            _count_disjoint_by_up_card(cards[number], sums, ends[:, LOSE], *tables)
            for card in range(52):
                ends[card, LOSE] -= ends[card, UNQUALIFIED] + ends[card, WIN] + ends[card, TIE]
            for card in cards[number]:
                ends[card] = 0


@numba.njit(cache=True, nogil=True)
def _finish(hand: Cards, total: int, contested: bool, counts: NDArray[np.int32]) -> None:  # noqa: FBT001 (compiled)
    """Turn counts of lower and of lower-or-equal hands into counts per end; the player's cards are not up-cards."""
    for card in range(52):
        ends = counts[card]
        if contested:
            ends[TIE] -= ends[WIN]
            ends[WIN] -= ends[UNQUALIFIED]
        ends[LOSE] = total - ends[UNQUALIFIED] - ends[WIN] - ends[TIE]
    for card in hand:
        counts[card] = 0


@numba.njit(cache=True, nogil=True)
def _add_up(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    weight: int,
    most: int,  # noqa: ARG001 (same tables as `_count_disjoint_by_up_card`)
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    renaming: NDArray[np.uint8],
    spread: NDArray[np.uint8],
    times: NDArray[np.int32],
    within: NDArray[np.int32],
    place: NDArray[np.int64],
) -> None:
    """Add a class of dealer hands, for each possible up-card, to N for all subsets of the other cards."""
    for part in range(_parts(hand, place) - 1):
        at = start[SUBSET_SIZES[part]] + place[part]
        name, rename = number[at], renaming[at]
        for column in range(len(hand)):
            if not part >> column & 1:
                suit, rank = RENAMINGS[rename, hand[column] % 4], hand[column] // 4
                more = np.int32(weight * times[name, suit])
                for other in range(4):
                    if spread[name, suit] >> other & 1:
                        within[name, other, rank] += more


@numba.njit(cache=True, nogil=True)
def _count_disjoint_by_up_card(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    hand: Cards,
    total: NDArray[np.int32],
    counts: NDArray[np.int32],
    most: int,
    start: NDArray[np.int64],
    number: NDArray[np.int32],
    renaming: NDArray[np.uint8],
    spread: NDArray[np.uint8],  # noqa: ARG001 (same tables as `_add_up`)
    times: NDArray[np.int32],  # noqa: ARG001 (as above)
    within: NDArray[np.int32],
    place: NDArray[np.int64],
) -> None:
    """Write, for each up-card, the number of dealer hands added so far that contain none of these cards."""
    total[:] = 0
    for part in range(_parts(hand, place)):
        if SUBSET_SIZES[part] > most:  # more cards than the dealer has besides the up-card
            continue
        at = start[SUBSET_SIZES[part]] + place[part]
        name, rename = number[at], renaming[at]
        for suit in range(4):
            row = within[name, RENAMINGS[rename, suit]]
            if SUBSET_SIZES[part] & 1:
                for rank in range(LANES):
                    total[suit, rank] -= row[rank]
            else:
                for rank in range(LANES):
                    total[suit, rank] += row[rank]
    for suit in range(4):
        for rank in range(13):
            counts[rank * 4 + suit] = total[suit, rank] // 24
