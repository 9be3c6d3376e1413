"""Find cards that make a given hand: lay out its pattern, fill up with free cards, and check with the evaluator."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from pitboss.cards import DECK, RANKS, Card, Color, Suit
from pitboss.ranking import Evaluator, Hand, Ranking

TRIES: Final = 60


def build_hand(
    evaluate: Evaluator, wanted: Hand, size: int, chance: Random, taken: Collection[Card]
) -> list[Card] | None:
    """Return `size` free cards that make this hand, in any order; None if random tries do not find any."""
    free = [card for card in DECK if card not in taken]
    for _ in range(TRIES):
        chance.shuffle(free)
        cards = _pattern(evaluate.ranking, wanted, size, chance, free)
        cards += [card for card in free if card not in cards][: size - len(cards)]
        if len(cards) == size and evaluate(cards).hand is wanted:
            chance.shuffle(cards)
            return cards
    return None


def _pattern(ranking: Ranking, hand: Hand, size: int, chance: Random, free: Sequence[Card]) -> list[Card]:
    """Return cards for the hand's pattern, as far as the free cards allow."""
    if hand.same_rank:
        return _groups(hand, chance, free)
    if hand.high:
        below = RANKS[: RANKS.index(hand.high)]
        others = chance.sample(below, min(size - 1, len(below)))
        return _of_ranks([hand.high, *others], free)
    if hand.same_color:
        color = chance.choice(list(Color))
        return [card for card in free if card.suit.color is color][: hand.same_color]
    if hand.same_suit:
        suit = hand.suit or chance.choice([suit.letter for suit in Suit])
        free = [card for card in free if card.suit.letter == suit]
    if hand.run:
        ladder = ("A" if ranking.ace_low else "") + RANKS
        first = chance.randrange(len(ladder) - hand.run + 1)
        return _of_ranks(ladder[first : first + hand.run], free)
    if hand.ranks:
        return _of_ranks([chance.choice(slot) for slot in hand.ranks], free)
    return list(free[: hand.same_suit])


def _groups(hand: Hand, chance: Random, free: Sequence[Card]) -> list[Card]:
    cards: list[Card] = []
    used: set[str] = set()
    for place, size in enumerate(hand.same_rank):
        rank = chance.choice([rank for rank in (hand.of if hand.of and not place else RANKS) if rank not in used])
        used.add(rank)
        cards += [card for card in free if card.rank.letter == rank][:size]
    return cards


def _of_ranks(ranks: Sequence[str], free: Sequence[Card]) -> list[Card]:
    """Return the first free card of each of these ranks."""
    found = (next((card for card in free if card.rank.letter == rank), None) for rank in ranks)
    return [card for card in found if card]
