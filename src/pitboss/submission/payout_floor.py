"""The floor of a payout limit: the most that one patron could win in a round at the minimum wager.

682a.12(g) and 683a.12(f): a limit is no lower than this and no lower than $50,000. The calculation is exact and
uses `settle`: it covers every joint outcome of the limited wagers and all deals to as many boxes as a patron may have.
"""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.cards import DECK
from pitboss.games import Bonus, Hands, Terms, limit_counts, settle, stakes
from pitboss.games.declarations import LIMIT_MEANING, Limit, OnOthers, OnResult
from pitboss.rulebook import ForOne, Odds, Pay


def highest_payout_if_all_win(terms: Terms) -> int:
    """Return an upper bound: the pay of a box's limited wagers at their minimum if each had its best hand."""
    limit = terms.game.limit
    assert limit is not None
    wagers = stakes(terms, _minimums(terms, limit), _decisions(terms))
    stake = sum(wagers.values()) if terms.readings.get(LIMIT_MEANING) == "stake-included" else 0
    bonuses = sum(highest_bonuses(terms, wagers, 1).values()) if limit.on_all else 0
    return stake + bonuses + sum(_best(terms, name, wagers[name], limit) for name in limit.wagers if name in wagers)


def _best(terms: Terms, wager: str, stake: int, limit: Limit) -> int:
    table = terms.tables[terms.game.wager(wager).by.paytable]
    return max(row_pay(pay, stake) for hand, pay in table.items() if hand not in limit.exempt)


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


def row_pay(pay: Pay, stake: int) -> int:
    """Return the pay of a paytable row for a stake in cents; 0 for a row that pays from a meter or nothing."""
    match pay:
        case Odds(wins, per):
            return stake * wins // per
        case ForOne(pays):
            return stake * pays
        case _:
            return 0


def highest_bonuses(terms: Terms, placed: Mapping[str, int], seats: int) -> dict[str, int]:
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
    return max(row_pay(pay, stake) for pay in terms.tables[bonus.paytable].values())
