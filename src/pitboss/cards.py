"""The fifty-two cards, parsed from text and formatted as text.

>>> Card("10h"), Card("T♥"), Card("th")
(Card('Th'), Card('Th'), Card('Th'))
>>> Card("Ah") > Card("Kh")
True
>>> hand("Ah Kh Qh Jh Th")
(Card('Ah'), Card('Kh'), Card('Qh'), Card('Jh'), Card('Th'))
"""

import re
from collections.abc import Iterable
from enum import Enum, IntEnum
from functools import total_ordering
from typing import Final, Self

from pitboss.errors import Mistake

__all__ = ["DECK", "RANKS", "Card", "CardMistake", "Color", "Rank", "Suit", "distinct", "hand"]

RANKS: Final = "23456789TJQKA"
"""Rank letters, lowest first."""


class CardMistake(Mistake):
    """A card that does not exist, or a card given twice."""


class Rank(IntEnum):
    """A card's rank. The ace is high; a ranking says where it may also be low."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The rank in one character: `T` for ten."""
        return RANKS[self - 2]


class Color(Enum):
    """The colour of a suit."""

    BLACK = "black"
    RED = "red"


class Suit(IntEnum):
    """A card's suit. The order is for sorting only: all suits rank equal."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit in one lower-case letter: `h` for hearts."""
        return "cdhs"[self]

    @property
    def symbol(self) -> str:
        """The pip: `♥` for hearts."""
        return "♣♦♥♠"[self]

    @property
    def color(self) -> Color:
        """The colour: red for diamonds and hearts."""
        return Color.RED if self in (Suit.DIAMONDS, Suit.HEARTS) else Color.BLACK


@total_ordering
class Card:
    """One of the fifty-two cards.

    Each card is one object, so cards compare and hash by identity. They sort by rank, then suit.
    """

    __slots__ = ("index", "rank", "suit", "text")

    rank: Rank
    suit: Suit
    index: int
    """Position in `DECK`, 0 to 51: four cards of each rank, twos first."""
    text: str
    """Rank and suit: `Th`."""

    def __new__(cls, text: str) -> Self:
        """Return the card written as `Th`, `10h` or `T♥`."""
        card = _BY_TEXT.get(text) or _BY_TEXT.get(_normalize(str(text)))
        if card is None:
            raise CardMistake(
                f"“{text}” is not a card: write a rank (2-9, T or 10, J, Q, K, A) and a suit (c, d, h, s)."
            )
        return card  # type: ignore[return-value] # there are no subclasses

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return self.index < other.index

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Cards are immutable: {name} of {self} cannot be set.")

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (str(self),)

    @property
    def pretty(self) -> str:
        """The card with its pip: `T♥`."""
        return self.rank.letter + self.suit.symbol


def _normalize(text: str) -> str:
    """Return `10♥`, `tH` and the like as `Th`, without a symbol's variation selector."""
    text = text.strip().removesuffix("\N{VARIATION SELECTOR-15}").removesuffix("\N{VARIATION SELECTOR-16}")
    rank, suit = text[:-1].upper(), text[-1:].lower()
    return ("T" if rank == "10" else rank) + _SUIT_LETTERS.get(suit, suit)


_SUIT_LETTERS: Final = dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True))
_BY_TEXT: Final[dict[str, Card]] = {}


def _make_deck() -> tuple[Card, ...]:
    for rank in Rank:
        for suit in Suit:
            card, text = object.__new__(Card), rank.letter + suit.letter
            for name, value in (("rank", rank), ("suit", suit), ("index", len(_BY_TEXT)), ("text", text)):
                object.__setattr__(card, name, value)
            _BY_TEXT[text] = card
    return tuple(_BY_TEXT.values())


DECK: Final = _make_deck()
"""The fifty-two cards in order of rank, then suit."""


def hand(text: str) -> tuple[Card, ...]:
    """Parse several different cards, separated by spaces or commas, or written together."""
    words = re.findall(r"(?:10|[2-9TtJjQqKkAa])[^\s,][\ufe0e\ufe0f]?|[^\s,]+", text)
    return distinct(map(Card, words))


def distinct(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return these cards; raise `CardMistake` if one is listed twice."""
    cards = tuple(cards)
    if len(set(cards)) < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        raise CardMistake(f"{twice} is listed twice; a card can appear only once.")
    return cards
