"""Solve three decisions while the board is revealed card by card: Cajun Stud.

The solver goes from the last decision to the first. The value of a decision is the sum over the cards still to
come, with the best decision at every later step. `settle` gives the pay of each hand after each raise.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.errors import Mistake
from pitboss.exact.board_counts import FinalHandCounts, count_final_hands
from pitboss.exact.distribution import Distribution, WeightedOutcome
from pitboss.exact.hand_counts import count_hands
from pitboss.exact.payoffs import lay_out_cards, settle_net, table_wager
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, Terms
from pitboss.money import format_money
from pitboss.ranking import Ranking

UNSEEN_CARDS_BY_STAGE: Final = (50, 49, 48)
"""The number of unseen cards before the first, second and third board card."""
ORDINALS: Final = ("first", "second", "third")


class StagedPayoffs(NamedTuple):
    """The pays of hands and folds, in cents; raises are indices of the multiples."""

    hands: NDArray[np.int64]
    """The pays by raises and hand."""
    folds: tuple[int, NDArray[np.int64], NDArray[np.int64]]
    """The pay of a fold at each decision, by earlier raises."""


class StagedSolution(NamedTuple):
    """The best decisions (0 is a fold, else 1 + the index of the multiple) and their distribution."""

    ranking: Ranking
    multiples: tuple[int, ...]
    pays: StagedPayoffs
    first: NDArray[np.uint8]
    """The first decision by class of player cards."""
    second: NDArray[np.uint8]
    """The second decision by class, first board card and first raise."""
    third: NDArray[np.uint8]
    """The third decision by class, both board cards and both raises."""
    worth: tuple[NDArray[np.int64], NDArray[np.int64]]
    """The values of the first raises by class, and of the second raises by class, first board card and first raise;
    summed over the cards to come, in cents."""
    distribution: Distribution


def solve(terms: Terms, stake: int, row: int | None = None) -> StagedSolution:
    """Find the best decisions for an initial wager in cents, and their distribution.

    With a `row`, only this class of player cards is solved, and the distribution is not meaningful.
    """
    ranking, by = table_wager(terms, terms.game.required)
    seen = visible_cards_at_decisions(terms.game.name, terms.readings)
    if by.places != ("player", "board") or seen != ({}, {"board": 1}, {"board": 2}):
        raise Mistake(f"{terms.game.name} does not have a three-card board; the staged solver cannot solve it.")
    multiples = terms.game.decisions[0].multiples
    pays = _pays(terms, ranking, multiples, stake)
    rows = slice(None) if row is None else slice(row, row + 1)
    counts, pairs = final_hand_counts(ranking)[rows], list_suit_classes(2).cards[rows]
    many = len(multiples)
    first = np.zeros(len(pairs), np.uint8)
    second = np.zeros((len(pairs), 52, many), np.uint8)
    third = np.zeros((len(pairs), 52, 52, many, many), np.uint8)
    larger = terms.readings["ev-ties"] == "larger-wager"
    worth = np.zeros((len(pairs), many), np.int64), np.zeros((len(pairs), 52, many, many), np.int64)
    _solve(pairs, counts, pays.hands, *pays.folds, larger, first, second, third, *worth)
    distribution = Distribution(stake=stake, outcomes=())
    if row is None:
        distribution = evaluate_choices(ranking, multiples, pays, (first, second, third), stake)
    return StagedSolution(ranking, multiples, pays, first, second, third, worth, distribution)


def evaluate_choices(
    ranking: Ranking, multiples: tuple[int, ...], pays: StagedPayoffs, choices: Sequence[NDArray[np.uint8]], stake: int
) -> Distribution:
    """Return the distribution of these first, second and third decisions, encoded as in `StagedSolution`."""
    many, pairs = len(multiples), list_suit_classes(2)
    cells = np.zeros((many, many, many, len(ranking.hands)), np.int64)
    folds = np.zeros(1, np.int64), np.zeros(many, np.int64), np.zeros((many, many), np.int64)
    first, second, third = choices
    _tally(pairs.cards, pairs.weight, final_hand_counts(ranking), first, second, third, cells, *folds)
    outcomes = [
        *_fold_outcomes(multiples, pays, folds, stake),
        *_showdown_outcomes(ranking, multiples, pays, cells, stake),
    ]
    return Distribution(stake=stake, outcomes=tuple(outcome for outcome in outcomes if outcome.count))


@cache
def final_hand_counts(ranking: Ranking) -> FinalHandCounts:
    """Return the counts of final hands; cached."""
    return count_final_hands(ranking)


def _pays(terms: Terms, ranking: Ranking, multiples: tuple[int, ...], stake: int) -> StagedPayoffs:
    """Return the pay of every hand after every raise, from `settle`."""
    wagers, many = {terms.game.required: stake}, len(multiples)
    deals = [lay_out_cards(terms, ("player", "board"), hand.example) for hand in count_hands(ranking, 5)]
    assert len(deals) == len(ranking.hands), "a hand of the paytable is impossible"
    hands = np.zeros((many, many, many, len(ranking.hands)), np.int64)
    for raises in product(range(many), repeat=3):
        chosen = [multiples[place] for place in raises]
        for place, hand in enumerate(deals):
            hands[(*raises, place)], _ = settle_net(terms, hand, wagers, chosen)
    second, third = np.zeros(many, np.int64), np.zeros((many, many), np.int64)
    for a in range(many):
        second[a], _ = settle_net(terms, deals[0], wagers, [multiples[a], FOLD])
        for b in range(many):
            third[a, b], _ = settle_net(terms, deals[0], wagers, [multiples[a], multiples[b], FOLD])
    fold, _ = settle_net(terms, deals[0], wagers, [FOLD])
    most = int(np.abs(hands).max()) * UNSEEN_CARDS_BY_STAGE[0] * UNSEEN_CARDS_BY_STAGE[1] * UNSEEN_CARDS_BY_STAGE[2]
    if most >= 2**62:
        raise Mistake(f"A wager of {format_money(stake)} is too large to calculate.")
    return StagedPayoffs(hands, (fold, second, third))


def _fold_outcomes(
    multiples: tuple[int, ...], pays: StagedPayoffs, folds: tuple[NDArray[np.int64], ...], stake: int
) -> list[WeightedOutcome]:
    """Return the outcomes of folds, by decision and earlier raises; all wagers are lost."""
    first, second, third = folds
    lost = int(pays.folds[0])
    found = [WeightedOutcome("fold at the first decision", int(first[0]), lost, stake)]
    for a, one in enumerate(multiples):
        lost = int(pays.folds[1][a])
        found.append(WeightedOutcome(f"raise {one} ×, fold at the second decision", int(second[a]), lost, -lost))
        for b, two in enumerate(multiples):
            lost = int(pays.folds[2][a, b])
            found.append(
                WeightedOutcome(f"raise {one} ×, {two} ×, fold at the third decision", int(third[a, b]), lost, -lost)
            )
    return found


def _showdown_outcomes(
    ranking: Ranking,
    multiples: tuple[int, ...],
    pays: StagedPayoffs,
    cells: NDArray[np.int64],
    stake: int,
) -> list[WeightedOutcome]:
    """Return the outcomes of hands that were played to the end."""
    return [
        WeightedOutcome(
            f"raise {', '.join(f'{multiples[place]} ×' for place in raises)}: {hand.name.lower()}",
            int(cells[(*raises, place)]),
            int(pays.hands[(*raises, place)]),
            stake * (1 + sum(multiples[place] for place in raises)),
        )
        for raises in product(range(len(multiples)), repeat=3)
        for place, hand in enumerate(ranking.hands)
    ]


@numba.njit(cache=True, nogil=True)
def _is_better(value: Any, most: Any, larger: bool) -> bool:  # noqa: ANN401, FBT001 (compiled)
    return bool(value > most or (larger and value == most))


@numba.njit(cache=True, nogil=True)
def _solve(  # noqa: C901, PLR0912, PLR0913, PLR0917 (one loop per card and raise)
    pairs: NDArray[np.uint8],
    counts: FinalHandCounts,
    hands: NDArray[np.int64],
    fold: int,
    second_fold: NDArray[np.int64],
    third_fold: NDArray[np.int64],
    larger: bool,  # noqa: FBT001 (compiled)
    first: NDArray[np.uint8],
    second: NDArray[np.uint8],
    third: NDArray[np.uint8],
    first_worth: NDArray[np.int64],
    second_worth: NDArray[np.int64],
) -> None:
    many = len(second_fold)
    for row in range(len(pairs)):
        value, worth = first_worth[row], second_worth[row]
        for one in range(52):
            for two in range(one):
                if one in pairs[row] or two in pairs[row]:
                    continue
                for a in range(many):
                    for b in range(many):
                        best, most = 0, 48 * third_fold[a, b]
                        for c in range(many):
                            total = np.int64(0)
                            for hand in range(hands.shape[3]):
                                total += hands[a, b, c, hand] * counts[row, one, two, hand]
                            if _is_better(total, most, larger):
                                best, most = c + 1, total
                        third[row, one, two, a, b] = best
                        third[row, two, one, a, b] = best
                        worth[one, a, b] += most
                        worth[two, a, b] += most
        for one in range(52):
            if one in pairs[row]:
                continue
            for a in range(many):
                best, most = 0, 49 * 48 * second_fold[a]
                for b in range(many):
                    if _is_better(worth[one, a, b], most, larger):
                        best, most = b + 1, worth[one, a, b]
                second[row, one, a] = best
                value[a] += most
        best, most = 0, 50 * 49 * 48 * fold
        for a in range(many):
            if _is_better(value[a], most, larger):
                best, most = a + 1, value[a]
        first[row] = best


@numba.njit(cache=True, nogil=True)
def _tally(  # noqa: PLR0913, PLR0917 (a kernel takes flat arguments)
    pairs: NDArray[np.uint8],
    weight: NDArray[np.int64],
    counts: FinalHandCounts,
    first: NDArray[np.uint8],
    second: NDArray[np.uint8],
    third: NDArray[np.uint8],
    cells: NDArray[np.int64],
    fold: NDArray[np.int64],
    second_fold: NDArray[np.int64],
    third_fold: NDArray[np.int64],
) -> None:
    for row in range(len(pairs)):
        if first[row] == 0:
            fold[0] += weight[row] * 50 * 49 * 48
            continue
        a = first[row] - 1
        for one in range(52):
            if one in pairs[row]:
                continue
            if second[row, one, a] == 0:
                second_fold[a] += weight[row] * 49 * 48
                continue
            b = second[row, one, a] - 1
            for two in range(52):
                if two == one or two in pairs[row]:
                    continue
                if third[row, one, two, a, b] == 0:
                    third_fold[a, b] += weight[row] * 48
                    continue
                c = third[row, one, two, a, b] - 1
                for hand in range(cells.shape[3]):
                    cells[a, b, c, hand] += weight[row] * counts[row, one, two, hand]
