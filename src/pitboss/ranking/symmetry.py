"""Which renamings of suits rankings cannot notice."""

from collections.abc import Iterable
from itertools import permutations

from pitboss.cards import Suit
from pitboss.ranking.hands import Ranking

Renaming = tuple[Suit, ...]
"""For each suit the one it becomes."""


def equivalent_renamings(rankings: Iterable[Ranking]) -> list[Renaming]:
    """Return the renamings of suits that none of these rankings can tell apart."""
    hands = [hand for ranking in rankings for hand in ranking.hands]
    fixed = [suit for suit in Suit if suit.letter in {hand.suit for hand in hands}]
    colors = any(hand.same_color for hand in hands)
    return [
        order
        for order in permutations(Suit)
        if all(order[suit] == suit for suit in fixed)
        and not (colors and order[Suit.HEARTS].color is not order[Suit.DIAMONDS].color)
    ]


def distinct_renamings(rankings: Iterable[Ranking]) -> list[Renaming]:
    """Return one renaming for each way in which these rankings can see a hand whose suits were renamed."""
    unseen = equivalent_renamings(rankings)
    seen: dict[frozenset[Renaming], Renaming] = {}
    for order in permutations(Suit):
        alike = frozenset(tuple(other[suit] for suit in order) for other in unseen)
        seen.setdefault(alike, order)
    return list(seen.values())
