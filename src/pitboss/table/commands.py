"""What may be asked of a table, by whom, with what at hand; and how it is refused."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.submission import Dealing


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


class Leave(msgspec.Struct, frozen=True, tag=True):
    """Report that the player of a seat left during the round."""

    seat: int


class Report(msgspec.Struct, frozen=True, tag=True):
    """Report an irregularity of section .13."""

    kind: str
    device: str = ""
    """Of a malfunction: `shuffler` or `shoe`."""
    seat: int = 0
    place: str = ""
    """Of a card that was exposed: where. Of a wrong number of cards, where it is known: whose they are."""
    cards: int | None = None
    """And how many."""


class Acknowledge(msgspec.Struct, frozen=True, tag=True):
    """Acknowledge that a round is void, or validate the payout that is claimed."""


class Recut(msgspec.Struct, frozen=True, tag=True):
    """Order the cards to be cut again."""


class Cover(msgspec.Struct, frozen=True, tag=True):
    """Cover a device that failed, or put a sign on it."""

    device: str


class Reject(msgspec.Struct, frozen=True, tag=True):
    """Refuse to validate the payout that is claimed; the dealer settles the box again."""


class Withhold(msgspec.Struct, frozen=True, tag=True):
    """Refuse the payout that is claimed for good, and say why: it is in dispute, the rest of the box is settled."""

    reason: str


class Reshuffle(msgspec.Struct, frozen=True, tag=True):
    """Order the cards to be shuffled again."""


class Correct(msgspec.Struct, frozen=True, tag=True):
    """Correct the name of a card from a scanned shoe, by its number in a box or place."""

    card: Card
    number: int
    seat: int = 0
    place: str = ""


class Repair(msgspec.Struct, frozen=True, tag=True):
    """Put a device back into use."""

    device: str


class Document(msgspec.Struct, frozen=True, tag=True):
    """Complete the documentation of a payout off a meter."""

    seat: int


class Idle(msgspec.Struct, frozen=True, tag=True):
    """Spread the cards out at a table without play, until somebody comes."""

    face_up: bool = False
    """A player asks to see their faces; cards that lie face down already are turned then."""


class ChangeDeck(msgspec.Struct, frozen=True, tag=True):
    """Take the cards off the table, for others to be received."""


class ChangeDealing(msgspec.Struct, frozen=True, tag=True):
    """Deal in another way while a device is out of order, or again in the way of the Submission."""

    dealing: Dealing


class TakeOver(msgspec.Struct, frozen=True, tag=True):
    """Go on with other rules or another engine, by their hashes: a new version of Pitboss runs the table now."""

    rules: str
    engine: str


class Tick(msgspec.Struct, frozen=True, tag=True):
    """Say what time it is: who has not decided in time has folded."""


Command = (
    Sit
    | Stand
    | Wager
    | Decide
    | Perform
    | Leave
    | Report
    | Acknowledge
    | Recut
    | Cover
    | Document
    | Idle
    | Reject
    | Repair
    | ChangeDeck
    | ChangeDealing
    | Tick
    | Withhold
    | Reshuffle
    | Correct
    | TakeOver
)

_STAFF: Final = frozenset({Role.DEALER, Role.FLOORPERSON, Role.SYSTEM})
ROLES_BY_COMMAND: Final[Mapping[type[Command], frozenset[Role]]] = {
    Sit: frozenset({Role.PLAYER}),
    Stand: frozenset({Role.PLAYER}),
    Wager: frozenset({Role.PLAYER}),
    Decide: frozenset({Role.PLAYER}),
    Perform: _STAFF,  # each step says by whom
    Leave: _STAFF | {Role.PLAYER},
    Report: _STAFF,
    Acknowledge: frozenset({Role.FLOORPERSON}),
    Recut: frozenset({Role.FLOORPERSON}),
    Cover: frozenset({Role.DEALER, Role.FLOORPERSON}),
    Document: frozenset({Role.FLOORPERSON}),
    Idle: _STAFF,
    Reject: frozenset({Role.FLOORPERSON}),
    Repair: frozenset({Role.FLOORPERSON}),
    ChangeDeck: frozenset({Role.FLOORPERSON}),
    ChangeDealing: frozenset({Role.FLOORPERSON}),
    TakeOver: frozenset({Role.SYSTEM}),  # the house itself, when it starts
    Tick: frozenset(Role),
    Withhold: frozenset({Role.FLOORPERSON}),
    Reshuffle: frozenset({Role.FLOORPERSON}),
    Correct: frozenset({Role.FLOORPERSON}),
}
"""Who may do what."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a command comes with that the table cannot know by itself."""

    actor: str
    role: Role
    time: int = 0
    """In seconds; it never goes back."""
    preshuffled: bool = False
    """With the receipt of decks: they come preinspected and preshuffled."""
    backs: tuple[str, ...] = ()
    """And the colour of each deck's backs, where it is said."""
    wrong: tuple[str, ...] = ()
    """With a step that asks something (`table.decks`): the questions whose answer is no."""
    depth: int = 0
    """With a cut: the cards above the cover card."""
    counted: int | None = None
    """With a shuffle by a device that counts: the cards. With a count of the stub: its cards. With the chips of
    the Progressive: the chips."""
    without_chip: tuple[int, ...] = ()
    """And, where there are fewer chips than wagers: the boxes whose wager a floorperson cancels, since no chip was
    placed for it."""
    misdealt: bool = False
    """With a count of the stub that is wrong: whether somebody has a wrong number of cards."""
    first: str = ""
    """With the validation of a jackpot in a house: the first of the two persons; the actor is the second."""
    light: bool = False
    """With the validation of a payout: the progressive system shows its light."""
    whole: bool = True
    """And whether there are 52 cards in all."""
    cards: tuple[Card, ...] = ()
    """With a shuffle: the deck in its new order. Of a scanned shoe, where nobody knows it: the cards that this
    command turns up, one after another."""
    salts: tuple[str, ...] = ()
    """With a shuffle or a cut: a secret for each position, in hexadecimal, to commit to the order with."""
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
