"""Wagers that a paytable settles by the cards alone: how many deals come to each row, and what `settle` pays for it."""

import msgspec

from pitboss.exact.distribution import Distribution, Outcome
from pitboss.exact.payoffs import laid, table_of
from pitboss.exact.tally import tally
from pitboss.games import Balances, Hands, Terms, settle
from pitboss.games import Outcome as Result
from pitboss.games.settle import row_of
from pitboss.money import CENT, DOLLAR
from pitboss.rulebook import Share


def distribution_of(terms: Terms, wager: str, stake: int) -> Distribution:
    """Return what a side wager of so many cents comes to; meters stand at their seeds."""
    ranking, by = table_of(terms, wager)
    sizes = {place.name: place.cards for place in terms.game.places}
    size = sum(sizes[place] for place in by.places)
    rows: dict[tuple[str, int], Outcome] = {}
    for hand in tally(ranking, size):
        one = _outcome(terms, wager, stake, laid(terms, by.places, hand.example), hand.deals)
        before = rows.get((one.name, one.net))  # hands that are paid as another are of its row
        rows[one.name, one.net] = msgspec.structs.replace(one, count=one.count + (before.count if before else 0))
    return Distribution(stake=stake, outcomes=tuple(rows.values()))


def nets(terms: Terms, wager: str, stake: int) -> dict[str, int]:
    """Return what each hand of a side wager's ranking comes to, in cents; meters stand at their seeds."""
    ranking, by = table_of(terms, wager)
    sizes = {place.name: place.cards for place in terms.game.places}
    found = tally(ranking, sum(sizes[place] for place in by.places))
    return {hand.name: _outcome(terms, wager, stake, laid(terms, by.places, hand.example), 1).net for hand in found}


def seeds(terms: Terms, paytable: str, stake: int) -> dict[str, int]:
    """Return what the meters of a wager of so many cents start with, in micro-cents."""
    return {
        name: meter.seed.dollars * DOLLAR * CENT * (stake // DOLLAR if meter.seed.for_one else 1)
        for name, meter in terms.meters.get(paytable, {}).items()
        if meter.seed is not None
    }


def _outcome(terms: Terms, wager: str, stake: int, hands: Hands, count: int) -> Outcome:
    """Ask `settle` what one deal pays; what else is wagered does not matter, so that nobody folds."""
    _, by = table_of(terms, wager)
    name, pay = row_of(terms, by.paytable, hands.together(by.places))
    decisions = [decision.multiples[0] for decision in terms.game.decisions]
    meters = Balances(seeds(terms, by.paytable, stake))
    lines = settle(terms, hands, {terms.game.required: stake, wager: stake}, decisions, meters)
    limited = terms.game.limit is not None and wager in terms.game.limit.wagers
    net = sum(line.net for line in lines if line.wager == wager or (limited and line.outcome is Result.LIMITED))
    if isinstance(pay, Share):
        return Outcome(name, count, net, stake, terms.meter(by.paytable, pay), pay.percent)
    return Outcome(name, count, net, stake)
