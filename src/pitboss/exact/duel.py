"""Player against dealer, one decision: Caribbean Stud and Four Card Prime.

The sweep counts how often the dealer does not qualify, is below, equals or beats each hand of the player's;
`settle` says what each of these pays; the better decision is taken for each hand, and each up-card if there is one.
"""

from functools import cache
from math import comb
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.exact.classes import RENAMINGS, classes
from pitboss.exact.distribution import Distribution, Outcome
from pitboss.exact.payoffs import laid, net_of
from pitboss.exact.seen import seen_at_decisions
from pitboss.exact.sweep import Sorted, below_and_equal, by_up_card, from_lowest
from pitboss.games import FOLD, Hands, Terms
from pitboss.games.declare import Contest
from pitboss.ranking import Ranking
from pitboss.ranking.batch import evaluate_many

ENDS: Final = ("dealer does not qualify", "win", "tie", "lose")
UNQUALIFIED, WIN, TIE, LOSE = range(4)
Choices = NDArray[np.uint8]
"""For each class of player's hands and each up-card, the place of the decision among fold and the multiples."""


class Duel(NamedTuple):
    """How every hand of the player's fares, whatever it is paid."""

    ranking: Ranking
    player: Sorted
    place: NDArray[np.uint8]
    """Of each class of player's hands: its hand in the ranking."""
    dealer: Sorted
    counts: NDArray[np.int64]
    """By class, up-card (or one column for none) and `ENDS`: how many dealer's hands."""
    unqualified: int
    """How many classes of the dealer's hands, from the lowest, do not qualify."""

    @property
    def up_card(self) -> bool:
        """Whether one of the dealer's cards is seen."""
        return self.counts.shape[1] > 1


class Solved(NamedTuple):
    """The best decisions, and what they come to."""

    duel: Duel
    options: tuple[int, ...]
    """The decisions: fold, and the multiples."""
    payoffs: NDArray[np.int64]
    """By decision, hand and end, in cents."""
    choices: Choices
    distribution: Distribution


def duel_of(terms: Terms) -> Duel:
    """Count how every hand fares under the rankings of these terms."""
    contest = terms.game.contest
    seen = seen_at_decisions(terms.game.name, terms.readings)
    if contest is None or len(terms.game.decisions) != 1 or seen not in (({},), ({contest.dealer[0]: 1},)):
        raise Mistake(f"{terms.game.name} is no duel of one decision: it is solved in another way.")
    sizes = {place.name: place.cards for place in terms.game.places}
    qualifying = terms.evaluators[contest.qualifying].ranking if contest.qualifying else None
    ranking = terms.evaluators[contest.ranking].ranking
    return _duel(ranking, qualifying, sizes[contest.player[0]], sizes[contest.dealer[0]], bool(seen[0]))


@cache
def _duel(ranking: Ranking, qualifying: Ranking | None, hand: int, dealers: int, up_card: bool) -> Duel:  # noqa: FBT001 (of the key)
    standings = evaluate_many(ranking, classes(hand).cards)
    player = from_lowest(classes(hand), standings.order.astype(np.int64))
    dealer = from_lowest(classes(dealers), evaluate_many(ranking, classes(dealers).cards).order.astype(np.int64))
    unqualified = 0
    if qualifying:
        low = evaluate_many(qualifying, dealer.cards).place == len(qualifying.hands) - 1
        unqualified = int(low.sum())
        assert low[:unqualified].all(), "a hand that does not qualify beats one that does"
    if up_card:
        found = by_up_card(player, dealer, unqualified)
        counts = np.zeros((len(player.order), len(DECK), len(ENDS)), np.int64)
        counts[..., UNQUALIFIED], counts[..., WIN], counts[..., TIE] = found
        total = comb(len(DECK) - hand - 1, dealers - 1)
        counts[..., LOSE] = total - counts.sum(axis=2)
        counts[np.arange(len(player.order))[:, None], player.cards] = 0  # no up-card is the player's
    elif qualifying:
        raise Mistake("A dealer who may not qualify shows a card in every game that is solved here.")
    else:
        counts = np.zeros((len(player.order), 1, len(ENDS)), np.int64)
        counts[:, 0, WIN], counts[:, 0, TIE] = below_and_equal(player, dealer)
        counts[..., LOSE] = comb(len(DECK) - hand, dealers) - counts.sum(axis=2)
    return Duel(ranking, player, standings.place[player.row], dealer, counts, unqualified)


def solve(terms: Terms, stake: int) -> Solved:
    """Find the best decisions for an initial wager of so many cents, and what they come to."""
    duel = duel_of(terms)
    options = (FOLD, *terms.game.decisions[0].multiples)
    payoffs, wagered = _payoffs(terms, duel, options, stake)
    choices = np.zeros(duel.counts.shape[:2], np.uint8)
    _choose(duel.counts, duel.place, payoffs, terms.readings["ev-ties"] == "larger-wager", choices)
    return Solved(duel, options, payoffs, choices, _played(duel, options, payoffs, wagered, choices, stake))


def play(solved: Solved, terms: Terms, choices: Choices) -> Distribution:
    """Return what other decisions come to."""
    stake = solved.distribution.stake
    _, wagered = _payoffs(terms, solved.duel, solved.options, stake)
    return _played(solved.duel, solved.options, solved.payoffs, wagered, choices, stake)


def _played(  # noqa: PLR0913, PLR0917 (all of `Solved`)
    duel: Duel,
    options: tuple[int, ...],
    payoffs: NDArray[np.int64],
    wagered: list[int],
    choices: Choices,
    stake: int,
) -> Distribution:
    cells = np.zeros(payoffs.shape, np.int64)
    _tally(duel.counts, duel.place, duel.player.weight, choices, cells)
    outcomes = [Outcome("fold", int(cells[0].sum()), int(payoffs[0, 0, 0]), wagered[0])]
    for option, multiple in enumerate(options):
        for place, hand in enumerate(duel.ranking.hands):
            for end, name in enumerate(ENDS):
                if multiple != FOLD and (count := int(cells[option, place, end])):
                    label = f"raise {multiple} ×: {name} with {hand.name[0].lower()}{hand.name[1:]}"
                    outcomes.append(Outcome(label, count, int(payoffs[option, place, end]), wagered[option]))
    return Distribution(stake=stake, outcomes=tuple(outcomes))


def _payoffs(terms: Terms, duel: Duel, options: tuple[int, ...], stake: int) -> tuple[NDArray[np.int64], list[int]]:
    """Ask `settle` what each end pays each hand after each decision, and what is wagered then."""
    payoffs = np.zeros((len(options), len(duel.ranking.hands), len(ENDS)), np.int64)
    wagers = {terms.game.required: stake}
    wagered = [stake] * len(options)
    for (place, end), hands in _examples(terms, duel).items():
        for option, multiple in enumerate(options):
            payoffs[option, place, end], wagered[option] = net_of(terms, hands, wagers, [multiple])
    most = int(np.abs(payoffs).max()) * int(duel.counts.sum(axis=(1, 2)).max()) * int(duel.player.weight.sum())
    assert most < 2**63, "the sums would not fit"
    payoffs[0] = -stake  # a fold needs no cards
    return payoffs, wagered


def _examples(terms: Terms, duel: Duel) -> dict[tuple[int, int], Hands]:
    """Return a deal for every hand and end that there is."""
    contest = terms.game.contest
    assert contest
    found = {}
    often = duel.counts.sum(axis=1)
    for place in range(len(duel.ranking.hands)):
        rows = np.flatnonzero(duel.place == place)
        for end in range(len(ENDS)):
            if len(rows) and (row := rows[np.argmax(often[rows, end])]) is not None and often[row, end]:
                found[place, end] = _example(terms, contest, duel, int(row), end)
    return found


def _example(terms: Terms, contest: Contest, duel: Duel, row: int, end: int) -> Hands:
    """Return a deal in which this hand of the player's ends so."""
    worth = duel.player.order[row]
    order = duel.dealer.order
    first, last = {
        UNQUALIFIED: (0, duel.unqualified),
        WIN: (duel.unqualified, np.searchsorted(order, worth, "left")),
        TIE: (np.searchsorted(order, worth, "left"), np.searchsorted(order, worth, "right")),
        LOSE: (max(duel.unqualified, np.searchsorted(order, worth, "right")), len(order)),
    }[end]
    cards = set(duel.player.cards[row].tolist())
    for dealer in duel.dealer.cards[first:last].tolist():
        for names in RENAMINGS.tolist():
            held = {card - card % 4 + names[card % 4] for card in dealer}
            if not held & cards:
                both = [*sorted(cards), *sorted(held)]
                return laid(terms, (*contest.player, *contest.dealer), [_card(card) for card in both])
    raise AssertionError("a deal that was counted is not there")


def _card(index: int) -> Card:
    return DECK[index]


@numba.njit(cache=True, nogil=True)
def _choose(
    counts: NDArray[np.int64],
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
    counts: NDArray[np.int64],
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
