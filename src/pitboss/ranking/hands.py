"""A ranking as data: the hands it knows, highest first, each a pattern of cards."""

from typing import Final

import msgspec

from pitboss.cards import RANKS, Suit

FEWEST_CARDS: Final = 2
MOST_CARDS: Final = 6
"""From a Pocket Bonus hand to an All-Six hand."""
MOST_PLAYED: Final = 5
MOST_HANDS: Final = 255


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One hand of a ranking, such as a full house, and the clause that defines it.

    Without any pattern a hand takes whatever the hands above it left over.
    """

    hand: str
    """The name, as the paytables print it."""
    cite: str
    same_rank: tuple[int, ...] = ()
    """Sizes of groups of one rank: `[3, 2]` is a full house."""
    of: str = ""
    """Ranks allowed for the first group: `"JQKA"` with `[2]` is jacks or better."""
    run: int = 0
    """This many cards of consecutive rank."""
    ranks: tuple[str, ...] = ()
    """Different cards, each of one of these ranks: `["A", "KQJ"]`."""
    high: str = ""
    """The rank of the highest card."""
    same_suit: int = 0
    """This many cards of one suit, and the rest of the pattern among them."""
    suit: str = ""
    """That one suit, where it matters."""
    same_color: int = 0
    """This many cards of one colour."""
    counts_as: str = ""
    """The hand it is paid as by a paytable without a row for it."""
    unordered: bool = False
    """All hands of this name tie, whatever their cards."""

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
    """How many cards may be evaluated: four-card hands are formed of five or six."""
    plays: int = 0
    """How many cards settle a comparison of equal hands; 0 where none are compared."""
    ace_low: bool = False
    """Whether an ace may also begin a run."""
    hands: tuple[Hand, ...]

    def hand(self, name: str) -> Hand:
        """Return the hand of that name; `KeyError` if the ranking has none."""
        for hand in self.hands:
            if hand.hand == name:
                return hand
        raise KeyError(name)

    def problem(self) -> str | None:
        """Say what is wrong with this data, if anything, naming the hand."""
        if not self.cards or min(self.cards) < FEWEST_CARDS or max(self.cards) > MOST_CARDS:
            return f"cards must be numbers from {FEWEST_CARDS} to {MOST_CARDS}"
        if not 0 <= self.plays <= MOST_PLAYED:
            return f"plays must be a number from 0 to {MOST_PLAYED}"
        if not 0 < len(self.hands) <= MOST_HANDS:
            return f"it must have 1 to {MOST_HANDS} hands"
        names = [hand.hand for hand in self.hands]
        for hand in self.hands:
            wrong = _problem(hand, max(self.cards))
            if not wrong and names.count(hand.hand) > 1:
                wrong = "is there twice"
            if not wrong and hand.takes_anything and hand is not self.hands[-1]:
                wrong = "has no pattern, so the hands below it are never reached"
            if not wrong and hand.counts_as and hand.counts_as not in names:
                wrong = f"counts as “{hand.counts_as}”, which is not one of the hands"
            if wrong:
                return f"hand “{hand.hand}” {wrong}"
        return None


def _problem(hand: Hand, cards: int) -> str | None:
    """Say what is wrong with one hand's pattern, given the most cards it may be made of."""
    letters = set(hand.of + hand.high + "".join(hand.ranks))
    sizes = (*hand.same_rank, hand.run, hand.same_suit, hand.same_color)
    most = max(sum(hand.same_rank), len(hand.ranks), hand.run, hand.same_suit, hand.same_color)
    shapes = (hand.same_rank, hand.run, hand.ranks, hand.high, hand.same_color)
    wrong = {
        f"names a rank that is none of {RANKS}": letters - set(RANKS),
        "asks for a negative number of cards": min(sizes) < 0,
        f"asks for {most} of {cards} cards": most > cards,
        "has more than one of same_rank, run, ranks, high and same_color": sum(map(bool, shapes)) > 1,
        "has “of” without same_rank": hand.of and not hand.same_rank,
        "has “suit” without same_suit": hand.suit and not hand.same_suit,
        "has a suit that is none of c, d, h, s": hand.suit not in ("", *(suit.letter for suit in Suit)),
        "has same_suit together with same_rank or same_color": hand.same_suit and (hand.same_rank or hand.same_color),
    }
    return next((problem for problem, found in wrong.items() if found), None)
