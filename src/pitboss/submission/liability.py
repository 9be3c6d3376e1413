"""The highest possible payouts: to one patron, which a payout limit may not be below; and of a whole round.

682a.12(g) and 683a.12(f): the greater of $50,000 and the most one patron could win in a round at the
minimum wager. The calculation is exact and uses `settle`: it covers every joint outcome of the limited wagers
and all deals to as many boxes as a patron may have.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import msgspec

from pitboss.cards import DECK
from pitboss.games import Bonus, Hands, Terms, limit_counts, settle, stakes
from pitboss.games.declarations import LIMIT_MEANING, METER_PAY_STAKE, Limit, OnOthers, OnResult
from pitboss.money import DOLLAR
from pitboss.rulebook import ForOne, Odds, Pay, Share


def highest_payout_if_all_win(terms: Terms) -> int:
    """Return an upper bound: the pay of a box's limited wagers at their minimum if each had its best hand."""
    limit = terms.game.limit
    assert limit is not None
    wagers = stakes(terms, _minimums(terms, limit), _decisions(terms))
    stake = sum(wagers.values()) if terms.readings.get(LIMIT_MEANING) == "stake-included" else 0
    bonuses = sum(_bonuses(terms, wagers, 1).values()) if limit.on_all else 0
    return stake + bonuses + sum(_best(terms, name, wagers[name], limit) for name in limit.wagers if name in wagers)


def _best(terms: Terms, wager: str, stake: int, limit: Limit) -> int:
    table = terms.tables[terms.game.wager(wager).by.paytable]
    odds = [pay for hand, pay in table.items() if isinstance(pay, Odds) and hand not in limit.exempt]
    return max(stake * pay.wins // pay.per for pay in odds)


def highest_payout_at_minimum(terms: Terms, boxes: int = 1) -> int:
    """Return the highest pay, in cents, of the limited wagers at their minimum and every Raise at its lowest.

    A limit on all wagers covers too many cards to list, so the result is then the upper bound of
    `highest_payout_if_all_win`.
    """
    limit = terms.game.limit
    assert limit is not None
    if terms.readings.get(LIMIT_MEANING) == "per-box":
        boxes = 1
    if limit.on_all:
        return highest_payout_if_all_win(terms) * boxes
    from pitboss.games.outcomes import highest_total, joint_outcomes  # noqa: PLC0415 (numpy)

    free = msgspec.structs.replace(terms, payout_limit=None)
    wagers, decisions = _minimums(free, limit), _decisions(free)
    limited = [name for name in limit.wagers if name in stakes(free, wagers, decisions)]
    worth = {
        outcome: limit_counts(free, settle(free, _fill_places(free, hands), wagers, decisions))
        for outcome, hands in joint_outcomes(free, limited).items()
    }
    return max(worth.values()) if boxes == 1 else highest_total(free, limited, worth, boxes)


def _minimums(terms: Terms, limit: Limit) -> dict[str, int]:
    """Return the minimum of each limited wager and of the required one."""
    names = [wager for wager in terms.game.initial if wager.name in (*limit.wagers, terms.game.required)]
    bounds = {wager.name: terms.offered[wager.offer] for wager in names if wager.offer in terms.offered}
    return {name: min(bound.amounts) if bound.amounts else bound.minimum for name, bound in bounds.items()}


def _decisions(terms: Terms) -> Sequence[int]:
    return [min(decision.multiples) for decision in terms.game.decisions]


def _fill_places(terms: Terms, hands: Hands) -> Hands:
    """Put arbitrary cards on the places that the limited wagers ignore."""
    used = {card for cards in hands.cards.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    cards = dict(hands.cards)
    for place in terms.game.places:
        if place.name not in cards and not place.only_for:
            cards[place.name], rest = tuple(rest[: place.cards]), rest[place.cards :]
    return Hands(cards)


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
    for name, amount in _bonuses(terms, placed, seats).items():
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
            yield _row_pay(pay, stake) - (stake if isinstance(pay, ForOne) else 0)


def _row_pay(pay: Pay, stake: int) -> int:
    match pay:
        case Odds(wins, per):
            return stake * wins // per
        case ForOne(pays):
            return stake * pays
        case _:
            return 0


def _bonuses(terms: Terms, placed: Mapping[str, int], seats: int) -> dict[str, int]:
    """Return the highest bonus pay by wager; only one of the bonuses that depend on the result is paid."""
    by_result: dict[str, int] = {}
    others: dict[str, int] = {}
    for bonus in terms.game.bonuses:
        if stake := placed.get(bonus.on, 0):
            most = _most(terms, bonus, stake, seats)
            if isinstance(bonus.trigger, OnResult):
                by_result[bonus.on] = max(by_result.get(bonus.on, 0), most)
            else:
                others[bonus.on] = others.get(bonus.on, 0) + most
    return {name: by_result.get(name, 0) + others.get(name, 0) for name in by_result | others}


def _most(terms: Terms, bonus: Bonus, stake: int, seats: int) -> int:
    if isinstance(bonus.trigger, OnOthers):
        return max(terms.envy.get(stake, {}).values(), default=0) * (seats - 1)
    return max(_row_pay(pay, stake) for pay in terms.tables[bonus.paytable].values())


def _limit_reduction(terms: Terms, placed: Mapping[str, int], limit: Limit, most: int) -> int:
    """Return the least amount by which the payout limit reduces the best rows of the limited wagers."""
    free, capped = [], []
    for name in limit.wagers:
        if name in placed:
            table = terms.tables[terms.game.wager(name).by.paytable]
            pays = {row: _row_pay(pay, placed[name]) for row, pay in table.items()}
            free.append(max((paid for row, paid in pays.items() if row in limit.exempt), default=0))
            capped.append(max((paid for row, paid in pays.items() if row not in limit.exempt), default=0))
    best = sum(map(max, zip(free, capped, strict=True)))
    under = max(
        sum(one for one, is_free in zip(free, ways, strict=True) if is_free)
        + min(most, sum(one for one, is_free in zip(capped, ways, strict=True) if not is_free))
        for ways in product((True, False), repeat=len(free))
    )
    return best - under
