"""The number of deals for each hand of a ranking, with an example."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.suit_classes import SUITS, list_suit_classes
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, evaluate_many
from pitboss.ranking.symmetry import distinct_renamings


class HandCount(NamedTuple):
    """The count and an example of one hand of a ranking."""

    name: str
    deals: int
    example: tuple[Card, ...]


@cache
def count_hands(ranking: Ranking, size: int) -> tuple[HandCount, ...]:
    """Count all hands of `size` cards by their hand in the ranking; impossible hands are left out."""
    found, ways = list_suit_classes(size), distinct_renamings([ranking])
    counts = [0] * len(ranking.hands)
    example: list[Cards | None] = [None] * len(ranking.hands)

    def add(cards: Cards, weight: NDArray[np.int64], times: int) -> None:
        place = evaluate_many(ranking, cards).place
        for number in range(len(counts)):
            here = place == number
            counts[number] += times * int(weight[here].sum())
            if example[number] is None and here.any():
                example[number] = cards[here.argmax()]

    telling = _depends_on_suits(ranking, found.cards) if len(ways) > 1 else slice(0)
    once = np.ones(len(found.cards), bool)
    once[telling] = False
    add(found.cards[once], found.weight[once], len(ways))
    for way in ways if len(ways) > 1 else ():
        cards = found.cards[telling]
        add(cards - cards % SUITS + np.array(way, np.uint8)[cards % SUITS], found.weight[telling], 1)
    assert all(count % len(ways) == 0 for count in counts), "a class was seen in other ways than there are"
    return tuple(
        HandCount(hand.name, count // len(ways), tuple(DECK[index] for index in cards))
        for hand, count, cards in zip(ranking.hands, counts, example, strict=True)
        if cards is not None
    )


def _depends_on_suits(ranking: Ranking, cards: Cards) -> NDArray[np.bool_]:
    """Return which hands may change their order when suits are renamed."""
    if any(hand.same_color for hand in ranking.hands):
        return np.ones(len(cards), bool)
    least = min(hand.same_suit for hand in ranking.hands if hand.suit)
    most = np.zeros(len(cards), np.uint8)
    for suit in range(SUITS):
        np.maximum(most, (cards % SUITS == suit).sum(axis=1, dtype=np.uint8), out=most)
    return np.asarray(most >= least)
