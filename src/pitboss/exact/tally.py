"""How many of all hands come to each hand of a ranking."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.classes import SUITS, classes
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, evaluate_many
from pitboss.ranking.symmetry import Renaming, told_apart


def tally(ranking: Ranking, size: int) -> list[int]:
    """Return how many of all hands of so many cards come to each hand of a ranking, in its order."""
    found, ways = classes(size), told_apart([ranking])
    telling = _telling(ranking, found.cards) if len(ways) > 1 else np.zeros(len(found.cards), bool)
    counts = len(ways) * _tally(ranking, found.cards[~telling], found.weight[~telling])
    for cards in renamed(found.cards[telling], ways):
        counts += _tally(ranking, cards, found.weight[telling])
    assert not (counts % len(ways)).any(), "a class was seen in other ways than there are"
    return [int(count) for count in counts // len(ways)]


def _telling(ranking: Ranking, cards: Cards) -> NDArray[np.bool_]:
    """Return which hands may be worth something else when their suits are renamed."""
    if any(hand.same_color for hand in ranking.hands):
        return np.ones(len(cards), bool)
    least = min(hand.same_suit for hand in ranking.hands if hand.suit)
    return np.max([(cards % SUITS == suit).sum(axis=1) for suit in range(SUITS)], axis=0) >= least


def _tally(ranking: Ranking, cards: Cards, weight: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the weights of the hands that come to each; in whole numbers, which `bincount` would not give."""
    place = evaluate_many(ranking, cards).place
    return np.array([weight[place == number].sum() for number in range(len(ranking.hands))], np.int64)


def renamed(cards: Cards, ways: list[Renaming]) -> Iterator[Cards]:
    """Yield hands with their suits renamed in each of these ways."""
    for way in ways:
        yield cards - cards % SUITS + np.array(way, np.uint8)[cards % SUITS]
