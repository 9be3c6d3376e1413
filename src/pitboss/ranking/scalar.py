"""Evaluate one hand, checking every card; for tables, disputes and tests."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from pitboss.cards import RANKS, Card, Color, Suit, distinct
from pitboss.errors import Mistake
from pitboss.ranking.hands import Hand, Ranking, require_valid_ranking
from pitboss.ranking.keys import CARD_KEYS, RANK_BITS, flush_detector
from pitboss.ranking.match import TIEBREAK_BITS, by_color, by_ranks, by_suit

_RANKS_ONLY: Final = (1 << RANK_BITS) - 1


class HandRank(NamedTuple):
    """The rank of a hand of cards: a higher `order` is a better hand."""

    order: int
    hand: Hand


class Evaluator:
    """Evaluates hands under one ranking, with a cache."""

    def __init__(self, ranking: Ranking) -> None:
        """Check the ranking and prepare its tables."""
        require_valid_ranking(ranking)
        self.ranking: Final = ranking
        self._by_ranks: Final[dict[int, dict[int, int]]] = {size: {} for size in ranking.cards}
        self._by_suit: Final[dict[tuple[Suit, int], int]] = {}
        self._suit_bias, self._suit_alarm = flush_detector(ranking)
        self._colors: Final = any(hand.same_color for hand in ranking.hands)
        self._hands: Final = (None, *reversed(ranking.hands))

    def __call__(self, cards: Sequence[Card]) -> HandRank:
        """Return order and hand; raise `Mistake` for a wrong number of cards, a duplicate or a non-card."""
        try:
            known = self._by_ranks.get(len(cards))
            key = sum(map(CARD_KEYS.__getitem__, cards))
        except (KeyError, TypeError):
            raise _unknown(cards) from None
        if known is None:
            raise self._wrong_number(cards)
        if len(set(cards)) < len(cards):
            distinct(cards)
        order = known.get(key & _RANKS_ONLY)
        if order is None:
            order = known[key & _RANKS_ONLY] = by_ranks(self.ranking, _counts(cards))
        if (key + self._suit_bias) & self._suit_alarm:
            order = max(order, *(self._suited(suit, cards) for suit in Suit))
        if self._colors:
            reds = sum(card.suit.color is Color.RED for card in cards)
            order = max(order, by_color(self.ranking, max(reds, len(cards) - reds)))
        hand = self._hands[order >> TIEBREAK_BITS]
        if hand is None:
            raise Mistake(f"The ranking {self.ranking.name} has no hand for {' '.join(map(str, cards))}.")
        return HandRank(order, hand)

    def _suited(self, suit: Suit, cards: Sequence[Card]) -> int:
        """Return the best order from the cards of one suit."""
        held = [card for card in cards if card.suit is suit]
        key = suit, sum(1 << card.rank for card in held)
        if key not in self._by_suit:
            self._by_suit[key] = by_suit(self.ranking, suit.letter, _counts(held))
        return self._by_suit[key]

    def _wrong_number(self, cards: Sequence[Card]) -> Mistake:
        sizes = " or ".join(map(str, self.ranking.cards))
        return Mistake(f"The ranking {self.ranking.name} takes {sizes} cards, not {len(cards)}.")


@cache
def evaluator(ranking: Ranking) -> Evaluator:
    """Return the evaluator of a ranking, created once."""
    return Evaluator(ranking)


def _counts(cards: Sequence[Card]) -> list[int]:
    counts = [0] * len(RANKS)
    for card in cards:
        counts[card.rank - 2] += 1
    return counts


def _unknown(cards: object) -> Mistake:
    if not isinstance(cards, Sequence) or isinstance(cards, str):
        return Mistake(f"{cards!r} is not a sequence of cards; read one with hand(“Th Jh”).")
    stray = next(card for card in cards if not isinstance(card, Card))
    return Mistake(f"{stray!r} is not a card; read one with Card(“Th”) or several with hand(“Th Jh”).")
