"""Match cards against the patterns of a ranking.

Every pattern of the three chapters depends on ranks alone, on the ranks within one suit, or on colours alone.
So the order of a hand is the maximum of three: by its ranks, by the cards of one of its suits, by its colours.
Three small tables replace one entry for each of twenty million hands.
"""

from collections.abc import Sequence
from typing import Final

from pitboss.cards import RANKS
from pitboss.ranking.hands import MOST_PLAYED, Hand, Ranking

Counts = Sequence[int]
"""The number of cards of each rank, twos first."""

TIEBREAK_BITS: Final = 4 * MOST_PLAYED
"""The bits for breaking ties: the ranks of the cards that play, four bits each."""

_ACE: Final = len(RANKS) - 1


def strength(ranking: Ranking, place: int, cards: Sequence[int] = ()) -> int:
    """Return the order of the hand at `place` in the ranking, including the cards that break a tie.

    Higher is better; 0 means "no hand".
    """
    order = len(ranking.hands) - place
    if ranking.hands[place].unordered:
        cards = ()
    for slot in range(MOST_PLAYED):
        order = order << 4 | (cards[slot] + 1 if slot < len(cards) else 0)
    return order


def by_ranks(ranking: Ranking, counts: Counts) -> int:
    """Return the order of the best hand by ranks alone; 0 for none."""
    for place, hand in enumerate(ranking.hands):
        if not (hand.same_suit or hand.same_color):
            cards = match_hand(ranking, hand, counts)
            if cards is not None:
                return strength(ranking, place, cards)
    return 0


def by_suit(ranking: Ranking, suit: str, counts: Counts) -> int:
    """Return the order of the best hand from cards of one suit; 0 for none."""
    held = sum(counts)
    for place, hand in enumerate(ranking.hands):
        if 0 < hand.same_suit <= held and hand.suit in ("", suit):
            cards = match_hand(ranking, hand, counts)
            if cards is not None:
                return strength(ranking, place, cards)
    return 0


def by_color(ranking: Ranking, alike: int) -> int:
    """Return the order of the best hand from `alike` cards of one colour; 0 for none."""
    for place, hand in enumerate(ranking.hands):
        if 0 < hand.same_color <= alike:
            return strength(ranking, place)
    return 0


def match_hand(ranking: Ranking, hand: Hand, counts: Counts) -> list[int] | None:
    """Return the ranks that break ties between hands of this name, most significant first; None if it does not match.

    Only as many cards count as the ranking plays: those of the pattern, then the rest from the highest.
    """
    if hand.same_rank:
        return _groups(hand, counts, ranking.plays)
    if hand.run:
        top = _run(hand.run, counts, ace_low=ranking.ace_low)
        return None if top is None else [top][: ranking.plays]
    if hand.ranks:
        return [] if _has_slots(hand.ranks, counts) else None
    cards = _descending(counts)
    if hand.high and RANKS[cards[0]] != hand.high:
        return None
    return cards[: ranking.plays]


def _groups(hand: Hand, counts: Counts, plays: int) -> list[int] | None:
    """Find the highest rank for each group; the first group must be in `hand.of`."""
    found: list[int] = []
    allowed = [RANKS.index(rank) for rank in hand.of or RANKS]
    for size in hand.same_rank:
        ranks = [rank for rank in allowed if counts[rank] >= size and rank not in found]
        if not ranks:
            return None
        found.append(max(ranks))
        allowed = list(range(len(RANKS)))
    rest = _descending([0 if rank in found else count for rank, count in enumerate(counts)])
    return (found + rest[: max(0, plays - sum(hand.same_rank))]) if plays else []


def _run(length: int, counts: Counts, *, ace_low: bool) -> int | None:
    """Return the top rank of the highest run; an ace that begins a run is below the two."""
    for top in range(_ACE, length - 3, -1):
        if all(counts[rank] for rank in range(top, max(top - length, -1), -1)) and (
            top >= length - 1 or (ace_low and counts[_ACE])
        ):
            return top
    return None


def _has_slots(slots: Sequence[str], counts: Counts) -> bool:
    """Whether every slot can have a different card."""
    if not slots:
        return True
    for letter in slots[0]:
        rank = RANKS.index(letter)
        if counts[rank]:
            rest = [count - (other == rank) for other, count in enumerate(counts)]
            if _has_slots(slots[1:], rest):
                return True
    return False


def _descending(counts: Counts) -> list[int]:
    """Return the rank of every card, highest first."""
    return [rank for rank in range(_ACE, -1, -1) for _ in range(counts[rank])]
