"""A ranking as data: its hands, highest first, each a pattern of cards."""

from typing import Final

import msgspec

from pitboss.cards import RANKS, Suit
from pitboss.errors import Mistake

FEWEST_CARDS: Final = 2
MOST_CARDS: Final = 6
"""A Pocket Bonus hand has the fewest cards, an All-Six hand the most."""
MOST_PLAYED: Final = 5
MOST_HANDS: Final = 255


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One hand of a ranking, such as a full house, and the clause that defines it.

    A hand without a pattern matches all cards that match no higher hand.
    """

    name: str
    """The name as the paytables print it."""
    cite: str
    same_rank: tuple[int, ...] = ()
    """Sizes of groups of equal rank: `[3, 2]` is a full house."""
    of: str = ""
    """The ranks allowed for the first group: `"JQKA"` with `[2]` is jacks or better."""
    run: int = 0
    """The number of cards of consecutive rank."""
    ranks: tuple[str, ...] = ()
    """The ranks allowed for each of several different cards: `["A", "KQJ"]`."""
    high: str = ""
    """The rank of the highest card."""
    same_suit: int = 0
    """The number of cards of one suit; the rest of the pattern must be among them."""
    suit: str = ""
    """The required suit, if any."""
    same_color: int = 0
    """The number of cards of one colour."""
    counts_as: str = ""
    """The hand whose pay applies in a paytable without a pay for this one."""
    unordered: bool = False
    """Whether all hands of this name tie."""

    @property
    def takes_anything(self) -> bool:
        """Whether it has no pattern."""
        return not (self.same_rank or self.run or self.ranks or self.high or self.same_suit or self.same_color)


class Ranking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hands of one wager or comparison, highest first.

    A hand of cards belongs to the first `Hand` whose pattern it contains.
    """

    name: str
    cites: tuple[str, ...]
    cards: tuple[int, ...]
    """The allowed numbers of cards: four-card hands are formed from five or six."""
    plays: int = 0
    """The number of cards that break ties; 0 if hands are not compared."""
    ace_low: bool = False
    """Whether an ace may also begin a run."""
    hands: tuple[Hand, ...]

    def problem(self) -> str | None:
        """Return the first error in this data, if any, with the name of the hand."""
        if not self.cards or min(self.cards) < FEWEST_CARDS or max(self.cards) > MOST_CARDS:
            return f"cards must be numbers from {FEWEST_CARDS} to {MOST_CARDS}"
        if not 0 <= self.plays <= MOST_PLAYED:
            return f"plays must be a number from 0 to {MOST_PLAYED}"
        if not 0 < len(self.hands) <= MOST_HANDS:
            return f"it must have 1 to {MOST_HANDS} hands"
        names = [hand.name for hand in self.hands]
        for hand in self.hands:
            wrong = _problem(hand, self)
            if not wrong and names.count(hand.name) > 1:
                wrong = "is listed twice"
            if not wrong and hand.takes_anything and hand is not self.hands[-1]:
                wrong = "has no pattern, so the hands below it are never reached"
            if not wrong and hand.counts_as and hand.counts_as not in names:
                wrong = f"counts as “{hand.counts_as}”, which is not one of the hands"
            if wrong:
                return f"hand “{hand.name}” {wrong}"
        return None


def require_valid_ranking(ranking: Ranking) -> None:
    """Raise `Mistake` for an invalid ranking."""
    if problem := ranking.problem():
        raise Mistake(f"The ranking {ranking.name} is invalid: {problem}.")


def _problem(hand: Hand, ranking: Ranking) -> str | None:
    """Return the first error in one hand's pattern, if any."""
    most = max(ranking.cards)
    groups = list(hand.same_rank)
    own = hand.run or len(hand.ranks) or hand.same_suit
    needs = max(sum(groups), len(hand.ranks), hand.run, hand.same_suit, hand.same_color)
    shapes = (hand.same_rank, hand.run, hand.ranks, hand.high, hand.same_color)
    wrong = {
        f"names a rank that is not one of {RANKS}": set(hand.of + hand.high + "".join(hand.ranks)) - set(RANKS),
        "has a slot of “ranks” without a rank": "" in hand.ranks,
        "has more than one rank in “high”": len(hand.high) > 1,
        "asks for a negative number of cards": min(hand.run, hand.same_suit, hand.same_color) < 0,
        "has a run of one card": hand.run == 1,
        "has groups that are not of 2 to 4 cards, largest first": groups != sorted(groups, reverse=True)
        or not all(2 <= size <= len(Suit) for size in groups),  # noqa: PLR2004 (a group)
        f"asks for {needs} of {most} cards": needs > most,
        "has more than one of same_rank, run, ranks, high and same_color": sum(map(bool, shapes)) > 1,
        "has “of” without same_rank": hand.of and not hand.same_rank,
        "has “suit” without same_suit": hand.suit and not hand.same_suit,
        "has a suit that is not one of c, d, h, s": hand.suit not in ("", *(suit.letter for suit in Suit)),
        "has same_suit together with same_rank or same_color": hand.same_suit and (hand.same_rank or hand.same_color),
        "has fewer cards of one suit than its pattern": 0 < hand.same_suit < max(hand.run, len(hand.ranks)),
        f"breaks ties by {own} cards, but a hand has {ranking.plays}": 0 < own < ranking.plays,
        "counts as itself": hand.counts_as == hand.name,
    }
    return next((problem for problem, found in wrong.items() if found), None)
