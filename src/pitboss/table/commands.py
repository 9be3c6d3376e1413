"""What may be asked of a table, by whom, with what at hand; and how it is refused."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from pitboss.cards import Card


class Role(StrEnum):
    """Who somebody is at the table."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SURVEILLANCE = "surveillance"
    SYSTEM = "system"


class Sit(msgspec.Struct, frozen=True, tag=True):
    """Take a seat."""

    seat: int


class Stand(msgspec.Struct, frozen=True, tag=True):
    """Give a seat up, between rounds."""

    seat: int


class Wager(msgspec.Struct, frozen=True, tag=True):
    """Wager on a box, instead of what was wagered there before; nothing takes it all back. Money in cents."""

    seat: int
    wagers: Mapping[str, int]


class Decide(msgspec.Struct, frozen=True, tag=True):
    """Decide for a box: a multiple, or 0 to fold."""

    seat: int
    multiple: int


class Perform(msgspec.Struct, frozen=True, tag=True):
    """Do what is due: the next card, the next box, the next step."""


Command = Sit | Stand | Wager | Decide | Perform

MAY: Final[Mapping[type[Command], frozenset[Role]]] = {
    Sit: frozenset({Role.PLAYER}),
    Stand: frozenset({Role.PLAYER}),
    Wager: frozenset({Role.PLAYER}),
    Decide: frozenset({Role.PLAYER}),
    Perform: frozenset({Role.DEALER, Role.SYSTEM}),
}
"""Who may do what."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a command comes with that the table cannot know by itself."""

    actor: str
    role: Role
    cards: tuple[Card, ...] = ()
    """With a shuffle: the deck in its new order."""
    meters: Mapping[str, int] = {}
    """What the meters show, in micro-cents."""
    magic: Card | None = None
    """With the call: the card the table game system drew, if it did."""
    lucky: tuple[str, ...] = ()
    """With the call: the positions it drew: `dealer`, or a seat's number."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a command is not carried out."""

    why: str
    """A sentence."""
    cite: str
    """The clause, or the house rule in words, that refuses it."""
