"""Solve games of player against dealer with one decision: Caribbean Stud and Four Card Prime.

`dealer_counts` counts, for each player hand, how often the dealer does not qualify, loses, ties or wins. `settle`
gives the net of each of these results. The solver takes the best decision for each hand and up-card.
"""

from functools import cache
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.exact.dealer_counts import (
    LOSE,
    RESULTS,
    TIE,
    UNQUALIFIED,
    WIN,
    Counts,
    SortedClasses,
    count_by_up_card,
    count_without_up_card,
    sort_ascending,
)
from pitboss.exact.distribution import Distribution, WeightedOutcome
from pitboss.exact.payoffs import lay_out_cards, settle_net
from pitboss.exact.suit_classes import RENAMINGS, list_suit_classes
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, Terms
from pitboss.money import format_money
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, evaluate_many

_STRIDE: Final = 1_000_003
"""A prime step, which visits all hands without visiting similar ones in sequence."""
Choices = NDArray[np.uint8]
"""The index of the decision among fold and the multiples, by class of player hands and up-card."""


class DuelCounts(NamedTuple):
    """The counts of results for every player hand, independent of pays."""

    ranking: Ranking
    player: SortedClasses
    hand_index: NDArray[np.uint8]
    """For each class of player hands, the index of its hand in `ranking.hands`."""
    counts: Counts
    example_deals: dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]
    """For every possible hand and result: the player's and the dealer's cards of one deal."""

    @property
    def has_up_card(self) -> bool:
        """Whether the dealer has an up-card."""
        return bool(self.counts.shape[1] > 1)


class DuelSolution(NamedTuple):
    """The best decisions and their distribution."""

    wager: str
    """The wager that the decision adds, such as bet."""
    duel: DuelCounts
    options: tuple[int, ...]
    """The decisions: fold, and the multiples."""
    nets: NDArray[np.int64]
    """The player's net result by decision, hand and result, in cents."""
    choices: Choices
    distribution: Distribution


class _Settlements(NamedTuple):
    options: tuple[int, ...]
    """The decisions: fold, and the multiples."""
    nets: NDArray[np.int64]
    """The player's net result by decision, hand and result, in cents."""
    wagered: list[int]
    """The total wager of each decision, in cents."""


def duel_of(terms: Terms) -> DuelCounts:
    """Count the results of every hand under the rankings of these terms."""
    contest = terms.game.contest
    visible = visible_cards_at_decisions(terms.game.name, terms.readings)
    sees_no_card = visible == ({},)
    sees_up_card = contest is not None and visible == ({contest.dealer[0]: 1},)
    if contest is None or len(terms.game.decisions) != 1 or not (sees_no_card or sees_up_card):
        raise Mistake(
            f"{terms.game.name} is not a one-decision game against a dealer; the duel solver cannot solve it."
        )
    sizes = {place.name: place.cards for place in terms.game.places}
    qualifying = terms.evaluators[contest.qualifying].ranking if contest.qualifying else None
    ranking = terms.evaluators[contest.ranking].ranking
    return duel_between(ranking, qualifying, sizes[contest.player[0]], sizes[contest.dealer[0]], sees_up_card)


@cache
def duel_between(
    ranking: Ranking,
    qualifying: Ranking | None,
    player_size: int,
    dealer_size: int,
    has_up_card: bool,  # noqa: FBT001 (of the key)
) -> DuelCounts:
    """Count the results of every player hand of this size against the dealer's; cached."""
    player_classes, dealer_classes = list_suit_classes(player_size), list_suit_classes(dealer_size)
    player_ranks = evaluate_many(ranking, player_classes.cards)
    player = sort_ascending(player_classes, player_ranks.order.astype(np.int64))
    dealer = sort_ascending(dealer_classes, evaluate_many(ranking, dealer_classes.cards).order.astype(np.int64))
    unqualified = 0
    if qualifying:
        is_unqualified = evaluate_many(qualifying, dealer.cards).place == len(qualifying.hands) - 1
        unqualified = int(is_unqualified.sum())
        assert is_unqualified[:unqualified].all(), "a hand that does not qualify beats one that does"
    if has_up_card:
        counts = count_by_up_card(player, dealer, unqualified)
    elif qualifying:
        raise Mistake("The duel solver needs an up-card if the dealer must qualify.")
    else:
        counts = count_without_up_card(player, dealer)
    hand_index = player_ranks.place[player.row]
    examples = _example_deals(player, hand_index, dealer, counts, unqualified)
    return DuelCounts(ranking, player, hand_index, counts, examples)


def solve(terms: Terms, stake: int) -> DuelSolution:
    """Find the best decisions for an initial wager in cents, and their distribution."""
    duel = duel_of(terms)
    settled = _settle_examples(terms, duel, stake)
    choices = np.zeros(duel.counts.shape[:2], np.uint8)
    _choose(duel.counts, duel.hand_index, settled.nets, terms.readings["ev-ties"] == "larger-wager", choices)
    return DuelSolution(
        wager=terms.game.decisions[0].wager,
        duel=duel,
        options=settled.options,
        nets=settled.nets,
        choices=choices,
        distribution=_distribution_of(terms, duel, settled, choices, stake),
    )


def evaluate_choices(solved: DuelSolution, terms: Terms, choices: Choices) -> Distribution:
    """Return the distribution that these choices give instead of the best ones."""
    stake = solved.distribution.stake
    return _distribution_of(terms, solved.duel, _settle_examples(terms, solved.duel, stake), choices, stake)


def _distribution_of(
    terms: Terms, duel: DuelCounts, settled: _Settlements, choices: Choices, stake: int
) -> Distribution:
    wager, nets = terms.game.decisions[0].wager, settled.nets
    deal_counts = np.zeros(nets.shape, np.int64)
    _count_deals(duel.counts, duel.hand_index, duel.player.weight, choices, deal_counts)
    outcomes = [WeightedOutcome("fold", int(deal_counts[0].sum()), int(nets[0, 0, 0]), settled.wagered[0])]
    for index, multiple in enumerate(settled.options):
        for hand_index, hand in enumerate(duel.ranking.hands):
            for result, name in enumerate(RESULTS):
                if multiple != FOLD and (count := int(deal_counts[index, hand_index, result])):
                    label = f"{wager} {multiple} ×: {hand.name.lower()}, {name}"
                    net = int(nets[index, hand_index, result])
                    outcomes.append(WeightedOutcome(label, count, net, settled.wagered[index]))
    return Distribution(stake=stake, outcomes=tuple(outcomes))


def _settle_examples(terms: Terms, duel: DuelCounts, stake: int) -> _Settlements:
    """Settle the example deal of each hand and result, for each decision."""
    options = (FOLD, *terms.game.decisions[0].multiples)
    nets = np.zeros((len(options), len(duel.ranking.hands), len(RESULTS)), np.int64)
    wagers = {terms.game.required: stake}
    wagered = [stake] * len(options)
    contest = terms.game.contest
    assert contest
    for (hand_index, result), (player, dealer) in duel.example_deals.items():
        hands = lay_out_cards(terms, (*contest.player, *contest.dealer), (*player, *dealer))
        for index, multiple in enumerate(options):
            nets[index, hand_index, result], wagered[index] = settle_net(terms, hands, wagers, [multiple])
    largest_sum = int(np.abs(nets).max()) * int(duel.counts[0].sum(axis=1, dtype=np.int64).max())
    if largest_sum >= 2**62:  # the sums in `_choose` are 64-bit
        raise Mistake(f"A wager of {format_money(stake)} is too large to calculate.")
    # A fold costs the same with all cards. Results that cannot occur are still 0; the minimum replaces them.
    nets[0] = nets[0].min()
    return _Settlements(options, nets, wagered)


def _example_deals(
    player: SortedClasses, hand_index: NDArray[np.uint8], dealer: SortedClasses, counts: Counts, unqualified: int
) -> dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Find an example deal for every hand and result with a count."""
    examples, totals = {}, counts.sum(axis=1, dtype=np.int64)
    for hand in np.unique(hand_index).tolist():
        rows = np.flatnonzero(hand_index == hand)
        for result in range(len(RESULTS)):
            row = int(rows[np.argmax(totals[rows, result])])
            if totals[row, result]:
                tie_start, tie_end = (
                    int(np.searchsorted(dealer.order, player.order[row], side)) for side in ("left", "right")
                )
                start, stop = {
                    UNQUALIFIED: (0, unqualified),
                    WIN: (unqualified, tie_start),
                    TIE: (tie_start, tie_end),
                    LOSE: (max(unqualified, tie_end), len(dealer.order)),
                }[result]
                examples[hand, result] = _find_deal(player.cards[row].tolist(), dealer.cards[start:stop])
    return examples


def _find_deal(player: list[int], dealers: Cards) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the player's cards, and a dealer hand under any renaming of suits that shares no card with them."""
    for number in range(len(dealers)):
        dealer = dealers[number * _STRIDE % len(dealers)].tolist()
        for names in RENAMINGS.tolist():
            renamed = {card - card % 4 + names[card % 4] for card in dealer}
            if renamed.isdisjoint(player):
                return tuple(DECK[card] for card in player), tuple(DECK[card] for card in sorted(renamed))
    raise AssertionError("a counted deal was not found")


@numba.njit(cache=True, nogil=True)
def _choose(
    counts: Counts,
    hand_index: NDArray[np.uint8],
    nets: NDArray[np.int64],
    ties_take_larger: bool,  # noqa: FBT001 (compiled)
    choices: Choices,
) -> None:
    rows, ups, results = counts.shape
    for row in range(rows):
        for up in range(ups):
            best, most = 0, np.int64(0)
            for index in range(len(nets)):
                value = np.int64(0)
                for result in range(results):
                    value += counts[row, up, result] * nets[index, hand_index[row], result]
                if index == 0 or value > most or (ties_take_larger and value == most):
                    best, most = index, value
            choices[row, up] = best


@numba.njit(cache=True, nogil=True)
def _count_deals(
    counts: Counts,
    hand_index: NDArray[np.uint8],
    weight: NDArray[np.int64],
    choices: Choices,
    deal_counts: NDArray[np.int64],
) -> None:
    rows, ups, results = counts.shape
    for row in range(rows):
        for up in range(ups):
            for result in range(results):
                deal_counts[choices[row, up], hand_index[row], result] += weight[row] * counts[row, up, result]
