"""The liability of a table: an upper bound of the house's loss in one round."""

from collections.abc import Iterator, Mapping
from itertools import product

import msgspec

from pitboss.games import Terms, stakes
from pitboss.games.declarations import METER_PAY_STAKE, Limit
from pitboss.money import DOLLAR
from pitboss.rulebook import ForOne, Share
from pitboss.submission.payout_floor import highest_bonuses, row_pay


class Liability(msgspec.Struct, frozen=True):
    """An upper bound of the house's loss in one round, in cents."""

    offers: Mapping[str, int]
    """By offer, for one box: maximum wager, maximum Raises, the best row of each paytable."""
    box: int
    """The sum for one box, under the payout limit if there is one."""
    round: int
    """The sum for all boxes, each with a different patron."""


def highest_round_loss(terms: Terms, seats: int, starting: Mapping[str, Mapping[str, int]]) -> Liability:
    """Return an upper bound of the house's loss in a round at maximum wagers.

    `starting` has, by offer, the starting amount of each meter per dollar; other meters are at their seeds.
    """
    greatest = {wager.name: _greatest(terms, wager.offer) for wager in terms.game.initial}
    initial = {name: amount for name, amount in greatest.items() if amount}
    placed = stakes(terms, initial, [max(decision.multiples) for decision in terms.game.decisions])
    offers: dict[str, int] = {}
    for wager, stake in placed.items():
        offer = _offer_of(terms, wager)
        offers[offer] = offers.get(offer, 0) + max(_rows(terms, wager, stake, starting.get(offer, {})), default=0)
    for name, amount in highest_bonuses(terms, placed, seats).items():
        offers[_offer_of(terms, name)] += amount
    limit, most = terms.game.limit, terms.payout_limit
    box = sum(offers.values()) - (_limit_reduction(terms, placed, limit, most) if limit and most is not None else 0)
    return Liability(offers, box, box * seats)


def _greatest(terms: Terms, offer: str) -> int:
    bounds = terms.offered.get(offer)
    return 0 if bounds is None else max(bounds.amounts, default=bounds.maximum or 0)


def _offer_of(terms: Terms, wager: str) -> str:
    """Return the offer of a wager; a Raise belongs to the offer of the wager it multiplies."""
    on = {decision.wager: decision.on for decision in terms.game.decisions}
    return terms.game.wager(on.get(wager, wager)).offer


def _rows(terms: Terms, wager: str, stake: int, starting: Mapping[str, int]) -> Iterator[int]:
    """Yield the player's net win for each row of a wager's paytable."""
    table = terms.game.wager(wager).by.paytable
    for pay in terms.tables[table].values():
        if isinstance(pay, Share):
            name = terms.meter(table, pay)
            seed = terms.meters[table][name].seed
            assert seed is not None
            start = starting.get(name)
            shows = start * (stake // DOLLAR) if start else seed.cents(stake)
            back = stake if terms.readings.get(METER_PAY_STAKE) == "returned" else 0
            yield shows * pay.percent // 100 + back - stake
        else:
            yield row_pay(pay, stake) - (stake if isinstance(pay, ForOne) else 0)


def _limit_reduction(terms: Terms, placed: Mapping[str, int], limit: Limit, most: int) -> int:
    """Return the least amount by which the payout limit reduces the best rows of the limited wagers."""
    free, capped = [], []
    for name in limit.wagers:
        if name in placed:
            table = terms.tables[terms.game.wager(name).by.paytable]
            pays = {row: row_pay(pay, placed[name]) for row, pay in table.items()}
            free.append(max((paid for row, paid in pays.items() if row in limit.exempt), default=0))
            capped.append(max((paid for row, paid in pays.items() if row not in limit.exempt), default=0))
    best = sum(map(max, zip(free, capped, strict=True)))
    under = max(
        sum(one for one, is_free in zip(free, ways, strict=True) if is_free)
        + min(most, sum(one for one, is_free in zip(capped, ways, strict=True) if not is_free))
        for ways in product((True, False), repeat=len(free))
    )
    return best - under
