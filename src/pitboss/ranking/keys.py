"""Keys of cards whose sum identifies a hand's ranks, in any order of the cards."""

from collections.abc import Iterator
from typing import Final

from pitboss.cards import DECK, RANKS, Card
from pitboss.ranking.hands import MOST_CARDS, Ranking

RANK_KEYS: Final = (0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437)
"""For each rank the smallest key for which all hands of up to six cards have different sums."""

RANK_BITS: Final = 24
"""The bits above these hold the number of cards of each suit, four bits each."""

CARD_KEYS: Final[dict[Card, int]] = {card: RANK_KEYS[card.rank - 2] | 1 << RANK_BITS + 4 * card.suit for card in DECK}
"""The key of each card: its rank key, and 1 in the bits of its suit. A hand's key is the sum."""


def rank_counts(cards: int) -> Iterator[tuple[int, ...]]:
    """Yield every combination of ranks for a hand of this size, as counts per rank, twos first."""

    def deal(ranks: int, left: int) -> Iterator[tuple[int, ...]]:
        if not ranks:
            if not left:
                yield ()
            return
        for count in range(min(4, left) + 1):
            for rest in deal(ranks - 1, left - count):
                yield count, *rest

    if not 0 < cards <= MOST_CARDS:
        raise ValueError(f"Hands of {cards} cards are not supported.")
    return deal(len(RANKS), cards)


def flush_detector(ranking: Ranking) -> tuple[int, int]:
    """Return a number to add to a hand's key, and the bits that are then set if there are enough cards of one suit."""
    fewest = min((hand.same_suit for hand in ranking.hands if hand.same_suit), default=0)
    each_suit = 0x1111 << RANK_BITS
    return (8 - fewest) * each_suit if fewest else 0, 8 * each_suit
