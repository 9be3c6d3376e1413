"""Solve games of player against dealer with one decision: Caribbean Stud and Four Card Prime.

The sweep counts, for each player hand, how often the dealer does not qualify, loses, ties or wins. `settle` gives
the pay of each of these ends. The solver takes the better decision for each hand and up-card.
"""

from functools import cache
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.exact.dealer_counts import (
    ENDS,
    LOSE,
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
from pitboss.exact.payoffs import STAKE, lay_out_cards, settle_net
from pitboss.exact.suit_classes import RENAMINGS, list_suit_classes
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, Terms
from pitboss.money import format_money
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, evaluate_many

_STRIDE: Final = 1_000_003
"""A prime step, which visits all hands without visiting similar ones in sequence."""
NO_DISTRIBUTION: Final = Distribution(stake=STAKE, outcomes=())
Choices = NDArray[np.uint8]
"""The index of the decision among fold and the multiples, by class of player hands and up-card."""


class Duel(NamedTuple):
    """The counts of ends for every player hand, independent of pays."""

    ranking: Ranking
    player: SortedClasses
    place: NDArray[np.uint8]
    """The hand in the ranking of each class of player hands."""
    counts: Counts
    deals: dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]
    """For every possible hand and end: the player's and the dealer's cards of one deal."""

    @property
    def up_card(self) -> bool:
        """Whether the dealer has an up-card."""
        return bool(self.counts.shape[1] > 1)


class DuelSolution(NamedTuple):
    """The best decisions and their distribution."""

    wager: str
    """The wager to decide on."""
    duel: Duel
    options: tuple[int, ...]
    """The decisions: fold, and the multiples."""
    payoffs: NDArray[np.int64]
    """The pays by decision, hand and end, in cents."""
    choices: Choices
    distribution: Distribution


def duel_of(terms: Terms) -> Duel:
    """Count the ends of every hand under the rankings of these terms."""
    contest = terms.game.contest
    seen = visible_cards_at_decisions(terms.game.name, terms.readings)
    if contest is None or len(terms.game.decisions) != 1 or seen not in (({},), ({contest.dealer[0]: 1},)):
        raise Mistake(
            f"{terms.game.name} is not a one-decision game against a dealer; the duel solver cannot solve it."
        )
    sizes = {place.name: place.cards for place in terms.game.places}
    qualifying = terms.evaluators[contest.qualifying].ranking if contest.qualifying else None
    ranking = terms.evaluators[contest.ranking].ranking
    return duel_between(ranking, qualifying, sizes[contest.player[0]], sizes[contest.dealer[0]], bool(seen[0]))


@cache
def duel_between(ranking: Ranking, qualifying: Ranking | None, hand: int, dealers: int, up_card: bool) -> Duel:  # noqa: FBT001 (of the key)
    """Count the ends of every player hand of this size against the dealer's; cached."""
    standings = evaluate_many(ranking, list_suit_classes(hand).cards)
    player = sort_ascending(list_suit_classes(hand), standings.order.astype(np.int64))
    dealer = sort_ascending(
        list_suit_classes(dealers), evaluate_many(ranking, list_suit_classes(dealers).cards).order.astype(np.int64)
    )
    unqualified = 0
    if qualifying:
        low = evaluate_many(qualifying, dealer.cards).place == len(qualifying.hands) - 1
        unqualified = int(low.sum())
        assert low[:unqualified].all(), "a hand that does not qualify beats one that does"
    if up_card:
        counts = count_by_up_card(player, dealer, unqualified)
    elif qualifying:
        raise Mistake("The duel solver needs an up-card if the dealer must qualify.")
    else:
        counts = count_without_up_card(player, dealer)
    place = standings.place[player.row]
    return Duel(ranking, player, place, counts, _example_deals(player, place, dealer, counts, unqualified))


def solve(terms: Terms, stake: int) -> DuelSolution:
    """Find the best decisions for an initial wager in cents, and their distribution."""
    duel = duel_of(terms)
    options = (FOLD, *terms.game.decisions[0].multiples)
    payoffs, wagered = _payoffs(terms, duel, options, stake)
    choices = np.zeros(duel.counts.shape[:2], np.uint8)
    _choose(duel.counts, duel.place, payoffs, terms.readings["ev-ties"] == "larger-wager", choices)
    solved = DuelSolution(terms.game.decisions[0].wager, duel, options, payoffs, choices, NO_DISTRIBUTION)
    return solved._replace(distribution=_distribution_of(solved, wagered, choices, stake))


def evaluate_choices(solved: DuelSolution, terms: Terms, choices: Choices) -> Distribution:
    """Return the distribution of other decisions."""
    stake = solved.distribution.stake
    _, wagered = _payoffs(terms, solved.duel, solved.options, stake)
    return _distribution_of(solved, wagered, choices, stake)


def _distribution_of(solved: DuelSolution, wagered: list[int], choices: Choices, stake: int) -> Distribution:
    wager, duel, options, payoffs = solved[:4]
    cells = np.zeros(payoffs.shape, np.int64)
    _tally(duel.counts, duel.place, duel.player.weight, choices, cells)
    outcomes = [WeightedOutcome("fold", int(cells[0].sum()), int(payoffs[0, 0, 0]), wagered[0])]
    for option, multiple in enumerate(options):
        for place, hand in enumerate(duel.ranking.hands):
            for end, name in enumerate(ENDS):
                if multiple != FOLD and (count := int(cells[option, place, end])):
                    label = f"{wager} {multiple} ×: {hand.name.lower()}, {name}"
                    outcomes.append(WeightedOutcome(label, count, int(payoffs[option, place, end]), wagered[option]))
    return Distribution(stake=stake, outcomes=tuple(outcomes))


def _payoffs(terms: Terms, duel: Duel, options: tuple[int, ...], stake: int) -> tuple[NDArray[np.int64], list[int]]:
    """Return, from `settle`, the pay of each end by decision and hand, and the total wager of each decision."""
    payoffs = np.zeros((len(options), len(duel.ranking.hands), len(ENDS)), np.int64)
    wagers = {terms.game.required: stake}
    wagered = [stake] * len(options)
    contest = terms.game.contest
    assert contest
    for (place, end), (player, dealer) in duel.deals.items():
        hands = lay_out_cards(terms, (*contest.player, *contest.dealer), (*player, *dealer))
        for option, multiple in enumerate(options):
            payoffs[option, place, end], wagered[option] = settle_net(terms, hands, wagers, [multiple])
    most = int(np.abs(payoffs).max()) * int(duel.counts[0].sum(axis=1, dtype=np.int64).max())
    if most >= 2**62:
        raise Mistake(f"A wager of {format_money(stake)} is too large to calculate.")
    payoffs[0] = payoffs[0].min()  # a fold pays the same for all cards, also for impossible ends
    return payoffs, wagered


def _example_deals(
    player: SortedClasses, place: NDArray[np.uint8], dealer: SortedClasses, counts: Counts, unqualified: int
) -> dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Find an example deal for every hand and end with a count."""
    found, often = {}, counts.sum(axis=1, dtype=np.int64)
    for hand in np.unique(place).tolist():
        rows = np.flatnonzero(place == hand)
        for end in range(len(ENDS)):
            row = int(rows[np.argmax(often[rows, end])])
            if often[row, end]:
                left, right = (
                    int(np.searchsorted(dealer.order, player.order[row], side)) for side in ("left", "right")
                )
                first, last = {
                    UNQUALIFIED: (0, unqualified),
                    WIN: (unqualified, left),
                    TIE: (left, right),
                    LOSE: (max(unqualified, right), len(dealer.order)),
                }[end]
                found[hand, end] = _deal(player.cards[row].tolist(), dealer.cards[first:last])
    return found


def _deal(player: list[int], dealers: Cards) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Find a dealer hand, under any renaming of suits, without the player's cards."""
    for number in range(len(dealers)):
        dealer = dealers[number * _STRIDE % len(dealers)].tolist()
        for names in RENAMINGS.tolist():
            held = {card - card % 4 + names[card % 4] for card in dealer}
            if held.isdisjoint(player):
                return tuple(DECK[card] for card in player), tuple(DECK[card] for card in sorted(held))
    raise AssertionError("a counted deal was not found")


@numba.njit(cache=True, nogil=True)
def _choose(
    counts: Counts,
    place: NDArray[np.uint8],
    payoffs: NDArray[np.int64],
    larger: bool,  # noqa: FBT001 (compiled)
    choices: Choices,
) -> None:
    rows, ups, ends = counts.shape
    for row in range(rows):
        for up in range(ups):
            best, most = 0, np.int64(0)
            for option in range(len(payoffs)):
                value = np.int64(0)
                for end in range(ends):
                    value += counts[row, up, end] * payoffs[option, place[row], end]
                if option == 0 or value > most or (larger and value == most):
                    best, most = option, value
            choices[row, up] = best


@numba.njit(cache=True, nogil=True)
def _tally(
    counts: Counts,
    place: NDArray[np.uint8],
    weight: NDArray[np.int64],
    choices: Choices,
    cells: NDArray[np.int64],
) -> None:
    rows, ups, ends = counts.shape
    for row in range(rows):
        for up in range(ups):
            for end in range(ends):
                cells[choices[row, up], place[row], end] += weight[row] * counts[row, up, end]
