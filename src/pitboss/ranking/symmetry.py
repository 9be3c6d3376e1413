"""Renamings of suits that do not change how rankings order hands."""

from collections.abc import Iterable
from itertools import permutations

from pitboss.cards import Suit
from pitboss.ranking.hands import Ranking

Renaming = tuple[Suit, ...]
"""The new suit of each suit."""


def equivalent_renamings(rankings: Iterable[Ranking]) -> list[Renaming]:
    """Return the renamings of suits under which all these rankings stay the same."""
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
    """Return one renaming from each set that these rankings cannot distinguish."""
    unseen = equivalent_renamings(rankings)
    seen: dict[frozenset[Renaming], Renaming] = {}
    for order in permutations(Suit):
        alike = frozenset(tuple(other[suit] for suit in order) for other in unseen)
        seen.setdefault(alike, order)
    return list(seen.values())
