"""Side wagers, which are paid by the cards alone: the number of deals of each row, and its pay from `settle`."""

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.exact.distribution import Distribution, WeightedOutcome
from pitboss.exact.hand_counts import count_hands
from pitboss.exact.payoffs import STAKE, lay_out_cards, table_wager
from pitboss.games import Balances, Hands, Terms, settle
from pitboss.games import Outcome as Result
from pitboss.games.declarations import ByTable
from pitboss.games.outcomes import joint_outcomes
from pitboss.games.paytable_pays import paytable_row
from pitboss.money import CENT
from pitboss.progressive import open_bank, reveal
from pitboss.rulebook import Share


def distribution_of(terms: Terms, wager: str, stake: int) -> Distribution:
    """Return the distribution of a side wager in cents; meters are at their seeds."""
    ranking, by = table_wager(terms, wager)
    rows: dict[tuple[str, int], WeightedOutcome] = {}
    for hand in count_hands(ranking, _size(terms, by)):
        one = _outcome(terms, wager, stake, lay_out_cards(terms, by.places, hand.example), hand.deals)
        before = rows.get((one.name, one.net))  # a hand that counts as another belongs to its row
        rows[one.name, one.net] = msgspec.structs.replace(one, count=one.count + (before.count if before else 0))
    return Distribution(stake=stake, outcomes=tuple(rows.values()))


def net_by_hand(terms: Terms, wager: str, stake: int, meters: Balances | None = None) -> dict[str, int]:
    """Return the net of each hand of a side wager's ranking, in cents; meters are at their seeds unless given."""
    ranking, by = table_wager(terms, wager)
    found = count_hands(ranking, _size(terms, by))
    dealt = {hand.name: lay_out_cards(terms, by.places, hand.example) for hand in found}
    return {name: _outcome(terms, wager, stake, hands, 1, meters).net for name, hands in dealt.items()}


def nets_of_two(terms: Terms, made: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the joint net, in cents, of each pair of hands of two wagers, by their indices in the rankings.

    For wagers that share a payout limit. It settles one deal for each possible pair.
    """
    rankings, bys = zip(*(table_wager(terms, name) for name in made), strict=True)
    places = [{hand.name: place for place, hand in enumerate(ranking.hands)} for ranking in rankings]
    found = np.zeros([len(names) for names in places], np.int64)
    where = max((by.places for by in bys), key=len)
    for names, hands in joint_outcomes(terms, tuple(made)).items():
        cell = tuple(of[name] for of, name in zip(places, names, strict=True))
        dealt = lay_out_cards(terms, where, hands.together(where))
        lines = settle(terms, dealt, {terms.game.required: STAKE, **made}, _never_fold(terms))
        found[cell] = sum(line.net for line in lines if line.wager in made or line.outcome is Result.LIMITED)
    return found


def meters_after_dealer_win(terms: Terms, wager: str, stake: int, hand: str) -> Balances:
    """Return the meters after a dealer's hand has won from them."""
    ranking, by = table_wager(terms, wager)
    (example,) = (one.example for one in count_hands(ranking, _size(terms, by)) if one.name == hand)
    bank = open_bank(terms, {terms.game.wager(wager).offer: stake})
    return Balances(reveal(bank, lay_out_cards(terms, by.places, example), {wager: 1}).shows)


def _size(terms: Terms, by: ByTable) -> int:
    """Return the number of cards of a wager."""
    return sum(place.cards for place in terms.game.places if place.name in by.places)


def _never_fold(terms: Terms) -> list[int]:
    """Return the lowest raise for every decision."""
    return [decision.multiples[0] for decision in terms.game.decisions]


def meter_seeds(terms: Terms, paytable: str, stake: int) -> dict[str, int]:
    """Return the seeds of the meters for a wager in cents, in micro-cents."""
    return {
        name: meter.seed.cents(stake) * CENT
        for name, meter in terms.meters.get(paytable, {}).items()
        if meter.seed is not None
    }


def _outcome(  # noqa: PLR0913, PLR0917 (one wager on one deal)
    terms: Terms, wager: str, stake: int, hands: Hands, count: int, meters: Balances | None = None
) -> WeightedOutcome:
    """Settle one deal; other wagers do not matter, so the player never folds."""
    _, by = table_wager(terms, wager)
    name, pay = paytable_row(terms, by.paytable, hands.together(by.places))
    meters = meters or Balances(meter_seeds(terms, by.paytable, stake))
    lines = settle(terms, hands, {terms.game.required: stake, wager: stake}, _never_fold(terms), meters)
    limited = terms.game.limit is not None and wager in terms.game.limit.wagers
    net = sum(line.net for line in lines if line.wager == wager or (limited and line.outcome is Result.LIMITED))
    if isinstance(pay, Share):
        return WeightedOutcome(name, count, net, stake, terms.meter(by.paytable, pay), pay.percent)
    return WeightedOutcome(name, count, net, stake)
