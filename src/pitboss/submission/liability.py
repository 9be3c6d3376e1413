"""The most a patron could win: what a payout limit may not be below.

682a.12(g) and 683a.12(f): the greater of $50,000 and the most one patron could win in a round at the
minimum wager. Worked out through `settle`, exactly: over every joint outcome of the wagers the limit is
on, and over all deals to as many boxes as a patron may have.
"""

from collections.abc import Sequence

import msgspec

from pitboss.cards import DECK
from pitboss.games import Hands, Terms, limit_counts, settle, stakes
from pitboss.games.declare import Limit
from pitboss.rulebook import Odds


def most_if_all_hit(terms: Terms) -> int:
    """Return what the limited wagers of a box pay at their minimum if each had its best hand: never too low."""
    limit = terms.game.limit
    assert limit is not None
    made = stakes(terms, _minimums(terms, limit), _decisions(terms))
    return sum(_best(terms, name, made[name], limit) for name in limit.wagers if name in made)


def _best(terms: Terms, wager: str, stake: int, limit: Limit) -> int:
    table = terms.tables[terms.game.wager(wager).by.paytable]
    odds = [pay for hand, pay in table.items() if isinstance(pay, Odds) and hand not in limit.exempt]
    return max(stake * pay.wins // pay.per for pay in odds)


def most_at_minimum(terms: Terms, boxes: int = 1) -> int:
    """Return the most, in cents, that the limited wagers pay at their minimum with every Raise the least."""
    limit = terms.game.limit
    assert limit is not None
    from pitboss.games.outcomes import best_boxes, joint_outcomes  # noqa: PLC0415 (numpy)

    free = msgspec.structs.replace(terms, payout_limit=None)
    wagers, decisions = _minimums(free, limit), _decisions(free)
    limited = [name for name in limit.wagers if name in stakes(free, wagers, decisions)]
    worth = {
        outcome: limit_counts(free, settle(free, _dealt(free, hands), wagers, decisions))
        for outcome, hands in joint_outcomes(free, limited).items()
    }
    return max(worth.values()) if boxes == 1 else best_boxes(free, limited, worth, boxes)


def _minimums(terms: Terms, limit: Limit) -> dict[str, int]:
    """Return the least amount of each wager that the limit is on, and of the required one."""
    names = [wager for wager in terms.game.initial if wager.name in (*limit.wagers, terms.game.required)]
    bounds = {wager.name: terms.offered[wager.offer] for wager in names if wager.offer in terms.offered}
    return {name: min(bound.amounts) if bound.amounts else bound.minimum for name, bound in bounds.items()}


def _decisions(terms: Terms) -> Sequence[int]:
    return [min(decision.multiples) for decision in terms.game.decisions]


def _dealt(terms: Terms, hands: Hands) -> Hands:
    """Give cards to the places that the limited wagers do not look at: any will do."""
    used = {card for held in hands.cards.values() for card in held}
    rest = [card for card in DECK if card not in used]
    cards = dict(hands.cards)
    for place in terms.game.places:
        if place.name not in cards and not place.only_for:
            cards[place.name], rest = tuple(rest[: place.cards]), rest[place.cards :]
    return Hands(cards)
