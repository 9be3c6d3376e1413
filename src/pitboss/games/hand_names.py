"""Descriptions of hands: “pair of kings”, “two pair, aces and sixes”, “ace-king high”."""

from collections import Counter
from collections.abc import Sequence

from pitboss.cards import Card, Rank
from pitboss.ranking import Hand


def plural(rank: Rank) -> str:
    """Return the plural of a rank: “kings”, “sixes”."""
    return rank.name.lower() + ("es" if rank is Rank.SIX else "s")


def describe_hand(hand: Hand, cards: Sequence[Card]) -> str:
    """Describe a hand by its name and the ranks that matter."""
    counts = Counter(sorted((card.rank for card in cards), reverse=True))
    name = hand.name.lower()
    if hand.same_rank:
        ranks: list[Rank] = []
        for size in hand.same_rank:
            ranks.append(next(rank for rank in counts if counts[rank] >= size and rank not in ranks))
        return f"{name}{' of ' if name == 'pair' else ', '}{' and '.join(map(plural, ranks))}"
    if hand.takes_anything:
        first, second = (rank.name.lower() for rank in list(counts)[:2])
        return f"{first}-{second} high"
    return name
