"""The value of leaked information: hidden dealer cards in a duel, or a community card on a board.

If some dealer cards are known, few dealer hands are possible. The pays of these are stored by the cards they
contain, so that hands with one of the player's cards can be subtracted. The sweep goes through the player's hands
from the lowest to the highest, and so dealer hands turn from winning to losing.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import comb
from typing import Final

import msgspec
import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cache import load_or_make
from pitboss.errors import Mistake
from pitboss.exact import duel, staged
from pitboss.exact.analysis import CACHED_CODE
from pitboss.exact.dealer_counts import LOSE, TIE, UNQUALIFIED, WIN
from pitboss.exact.distribution import Distribution
from pitboss.exact.payoffs import STAKE
from pitboss.exact.suit_classes import BINOMIALS, list_suit_classes
from pitboss.games import Terms
from pitboss.ranking.batch import Cards, all_hands, evaluate_many

WORKERS: Final = 2
CHUNK: Final = 64
"""The number of sets of known cards per batch."""


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of information, and the result of the best decisions with it."""

    known: str
    cents: int
    """The sum of the player's results for an initial wager of a dollar; every deal is counted `times` times."""
    times: int
    """The number of times that every deal was counted."""
    deals: int

    @property
    def net(self) -> Fraction:
        """The sum of the player's results over all deals, in initial wagers."""
        return Fraction(self.cents, self.times * STAKE)

    @property
    def house_edge(self) -> Fraction:
        """The house's share of the initial wager; negative if the player has the advantage."""
        return -self.net / self.deals


def _leak_without_knowledge(found: Distribution, known: str) -> Leak:
    return Leak(known=known, cents=int(found.net * STAKE), times=1, deals=found.deals)


def leaks_of(terms: Terms, done: Callable[[], object] = lambda: None) -> list[Leak]:
    """Return the value of each possible leak, starting with none; cached."""
    contest = terms.game.contest
    if contest and not contest.qualifying:
        raise Mistake(f"Pitboss cannot calculate leaks for {terms.game.name}.")
    work = _dealers_cards if contest else _board_cards
    key = ("leaks", terms.game.name, sorted(terms.letters.items()), sorted(terms.readings.items()))
    return load_or_make(key, *CACHED_CODE, of=list[Leak], make=lambda: work(terms, done))


def steps_of(terms: Terms) -> int:
    """Return the number of steps of `leaks_of`, for a progress bar."""
    if not terms.game.contest:
        return 4
    return 2 + sum(len(_chunks(known)) for known in (2, 3, 4))


def _dealers_cards(terms: Terms, done: Callable[[], object]) -> list[Leak]:
    solved = duel.solve(terms, STAKE)
    of = solved.duel
    deals = solved.distribution.deals
    found = [_leak_without_knowledge(solved.distribution, "one dealer's card, the up-card")]
    done()
    for known in (2, 3, 4):
        cents = best_result_with_known_cards(solved, terms, known, done)
        times, rest = divmod(comb(5, known), 5)  # the ways to show one of five cards, or `known` of them
        assert not rest
        found.append(Leak(known=f"{known} dealer's cards", cents=cents, times=times, deals=deals))
    ends = of.counts.sum(axis=1, dtype=np.int64) * of.player.weight[:, None]
    best = solved.nets.max(axis=0)[of.hand_index]  # the better decision for every end
    found.append(Leak(known="all 5 dealer's cards", cents=int((ends * best).sum()), times=1, deals=deals))
    done()
    return found


def best_result_with_known_cards(
    solved: duel.DuelSolution, terms: Terms, known: int, done: Callable[[], object] = lambda: None
) -> int:
    """Return the best result, in cents, summed over all player hands, sets of known cards and dealer completions."""
    hands = all_hands(5)
    order = evaluate_many(solved.duel.ranking, hands)
    qualifying = terms.evaluators[terms.game.contest.qualifying].ranking  # type: ignore[union-attr]
    low = evaluate_many(qualifying, hands).place == len(qualifying.hands) - 1
    rank = np.argsort(order.order, kind="stable")
    players = np.ascontiguousarray(hands[rank]), order.order[rank].astype(np.int64), order.place[rank]
    number = BINOMIALS[hands.astype(np.int64), np.arange(1, 6)].sum(axis=1)
    by_number = np.empty(len(hands), np.int64)
    by_number[number] = np.where(low, -1, order.order.astype(np.int64))
    fold = int(solved.nets[0, 0, 0])
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = []
        for sets, weight in _chunks(known):
            part = pool.submit(_best_result_kernel, sets, weight, *players, by_number, solved.nets[1], fold)
            part.add_done_callback(lambda _: done())
            parts.append(part)
        return sum(int(part.result()) for part in parts)


def _chunks(known: int) -> list[tuple[Cards, NDArray[np.int64]]]:
    found = list_suit_classes(known)
    return [
        (found.cards[first : first + CHUNK], found.weight[first : first + CHUNK])
        for first in range(0, len(found.weight), CHUNK)
    ]


@numba.njit(cache=True, nogil=True)
def _best_result_kernel(  # noqa: C901, PLR0912, PLR0913, PLR0917 (one loop per case)
    sets: Cards,
    weight: NDArray[np.int64],
    cards: Cards,
    order: NDArray[np.int64],
    place: NDArray[np.uint8],
    by_number: NDArray[np.int64],
    pays: NDArray[np.int64],
    fold: int,
) -> int:
    known = sets.shape[1]
    more = 5 - known
    total = 0
    ones, twos, threes = np.zeros(52, np.int64), np.zeros((52, 52), np.int64), np.zeros(22_100, np.int64)
    bits = np.zeros(len(cards), np.uint64)
    for row in range(len(cards)):
        for card in cards[row]:
            bits[row] |= np.uint64(1) << np.uint64(card)
    for number in range(len(sets)):
        rest, dealer = _complete_hands(sets[number], more, by_number)
        rank = np.argsort(dealer)
        rest, dealer = rest[rank], dealer[rank]
        seen = np.uint64(0)
        for card in sets[number]:
            seen |= np.uint64(1) << np.uint64(card)
        free = _choose(47 - known, more)
        sum_all, passed, held = np.int64(0), 0, -1
        ones[:], twos[:], threes[:] = 0, 0, 0
        won = np.zeros(len(rest), np.int64)  # the pay of each dealer hand against the current player hand
        best, row = np.int64(0), 0
        while row < len(order):
            worth = order[row]
            if place[row] != held:  # another hand in the ranking has other pays
                held = place[row]
                for other in range(len(rest)):
                    end = UNQUALIFIED if dealer[other] < 0 else WIN if dealer[other] < worth else LOSE
                    sum_all += _move(rest[other], pays[held, end] - won[other], ones, twos, threes)
                    won[other] = pays[held, end]
                while passed < len(rest) and dealer[passed] < worth:
                    passed += 1
            while passed < len(rest) and dealer[passed] < worth:
                if dealer[passed] >= 0:
                    sum_all += _move(rest[passed], pays[held, WIN] - won[passed], ones, twos, threes)
                    won[passed] = pays[held, WIN]
                passed += 1
            equal = passed
            while equal < len(rest) and dealer[equal] == worth:
                sum_all += _move(rest[equal], pays[held, TIE] - won[equal], ones, twos, threes)
                won[equal] = pays[held, TIE]
                equal += 1
            while row < len(order) and order[row] == worth:
                if bits[row] & seen == 0:
                    hand = cards[row]
                    value = sum_all
                    for a in range(5):
                        value -= ones[hand[a]]
                        if more > 1:
                            for b in range(a):
                                value += twos[hand[b], hand[a]]
                                if more > 2:  # noqa: PLR2004 (three unknown cards)
                                    for c in range(b):
                                        value -= threes[_triple(hand[c], hand[b], hand[a])]
                    best += value if value > fold * free else np.int64(fold * free)
                row += 1
        total += weight[number] * best
    return total


@numba.njit(cache=True, nogil=True)
def _move(rest: Cards, by: int, ones: NDArray[np.int64], twos: NDArray[np.int64], threes: NDArray[np.int64]) -> int:
    """Change the stored pay of one dealer hand; `rest` contains none of the player's cards."""
    size = len(rest)
    for a in range(size):
        ones[rest[a]] += by
        for b in range(a):
            twos[rest[b], rest[a]] += by
            for c in range(b):
                threes[_triple(rest[c], rest[b], rest[a])] += by
    return by


@numba.njit(cache=True, nogil=True)
def _triple(a: int, b: int, c: int) -> int:
    return int(BINOMIALS[a, 1] + BINOMIALS[b, 2] + BINOMIALS[c, 3])


@numba.njit(cache=True, nogil=True)
def _choose(cards: int, size: int) -> int:
    return int(BINOMIALS[cards, size])


@numba.njit(cache=True, nogil=True)
def _complete_hands(known: Cards, more: int, by_number: NDArray[np.int64]) -> tuple[Cards, NDArray[np.int64]]:
    """Return the possible unknown cards, ascending, and the order of the whole hand; -1 if it does not qualify."""
    left = np.zeros(52 - len(known), np.uint8)
    count = 0
    for card in range(52):
        if card not in known:
            left[count] = card
            count += 1
    size = BINOMIALS[count, more]
    rest, worth = np.zeros((size, more), np.uint8), np.zeros(size, np.int64)
    drawn = np.arange(more)
    hand = np.zeros(5, np.uint8)
    for row in range(size):
        for column in range(more):
            rest[row, column] = left[drawn[column]]
            hand[column] = left[drawn[column]]
        hand[more:] = known
        ordered = np.sort(hand)
        number = 0
        for column in range(5):
            number += BINOMIALS[ordered[column], column + 1]
        worth[row] = by_number[number]
        moved = more - 1
        while moved >= 0 and drawn[moved] == count - more + moved:
            moved -= 1
        if moved >= 0:
            drawn[moved] += 1
            for column in range(moved + 1, more):
                drawn[column] = drawn[column - 1] + 1
    return rest, worth


def _board_cards(terms: Terms, done: Callable[[], object]) -> list[Leak]:
    """Return the value of knowing one community card before the first decision.

    A player who knows the second or third card can use it in all three decisions. He sees two board cards at the
    second decision, and with the last one known, the whole board at the third.
    """
    solved, pairs = staged.solve(terms, STAKE), list_suit_classes(2)
    deals = solved.distribution.deals
    found = [_leak_without_knowledge(solved.distribution, "nothing more than the rules show")]
    done()
    for which, words in enumerate(("first", "second", "third")):
        cents = int((best_result_with_known_board_card(solved, which).sum(axis=1) * pairs.weight).sum())
        found.append(Leak(known=f"the {words} community card from the start", cents=cents, times=1, deals=deals))
        done()
    return found


def best_result_with_known_board_card(solved: staged.StagedSolution, which: int) -> NDArray[np.int64]:
    """Return the best result, in cents over 49 · 48 deals, by class of player cards and known board card."""
    pairs = list_suit_classes(2).cards
    fold, second_fold, _ = solved.pays.folds
    worth = (
        np.maximum(solved.worth[1].max(axis=3), 49 * 48 * second_fold)
        if which == 0
        else _first_raise_values(solved, which)
    )
    best = np.maximum(worth.max(axis=2), 49 * 48 * fold)
    best[np.arange(len(pairs))[:, None], pairs] = 0  # the player's own cards are not on the board
    return np.asarray(best)


def _first_raise_values(solved: staged.StagedSolution, which: int) -> NDArray[np.int64]:
    """Return the value of each first raise, by class, known second or third board card, and raise."""
    counts = staged.final_hand_counts(solved.ranking).astype(np.int64)
    there = counts.any(axis=3)
    _, second_fold, third_fold = solved.pays.folds
    by_raise = []
    for a in range(len(solved.multiples)):
        worth = np.where(there, 48 * second_fold[a], 0)
        for b in range(len(solved.multiples)):
            pays = solved.pays.hands[a, b]
            if which == 1:
                value = np.maximum((counts @ pays.T).max(axis=3), 48 * third_fold[a, b])
            else:  # at the third decision the whole hand is known
                value = counts @ np.maximum(pays.max(axis=0), third_fold[a, b])
            worth = np.where(there, np.maximum(worth, value), 0)
        by_raise.append(worth.sum(axis=1))  # sum over the first board card; the known card is the column
    return np.stack(by_raise, axis=2)
