"""Commands of a table, the roles that may give them, their inputs (`Given`) and `Refusal`."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.submission import Dealing


class Role(StrEnum):
    """Role of a person or program at the table."""

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
    """Replace the wagers of a box, in cents; an empty mapping takes them back."""

    seat: int
    wagers: Mapping[str, int]


class Decide(msgspec.Struct, frozen=True, tag=True):
    """Raise by a multiple of the Ante, or fold with 0."""

    seat: int
    multiple: int


class Perform(msgspec.Struct, frozen=True, tag=True):
    """Perform the due step, or its next card or box."""


class Leave(msgspec.Struct, frozen=True, tag=True):
    """Report that the player of a seat left during the round."""

    seat: int


class Report(msgspec.Struct, frozen=True, tag=True):
    """Report an irregularity of section .13."""

    kind: str
    device: str = ""
    """For a malfunction: `shuffler` or `shoe`."""
    seat: int = 0
    place: str = ""
    """For an exposed card: its place. For a wrong number of cards: the place that has them, if known."""
    cards: int | None = None
    """For a wrong number of cards: the actual number, if known."""


class Acknowledge(msgspec.Struct, frozen=True, tag=True):
    """Acknowledge a void round, so that play continues; or validate a claimed payout, so that it is paid."""


class Recut(msgspec.Struct, frozen=True, tag=True):
    """Order the cards to be cut again."""


class Cover(msgspec.Struct, frozen=True, tag=True):
    """Cover a device that failed, or put a sign on it."""

    device: str


class Reject(msgspec.Struct, frozen=True, tag=True):
    """Refuse to validate the claimed payout; the dealer settles the box again."""


class Withhold(msgspec.Struct, frozen=True, tag=True):
    """Withhold a disputed payout for a reason; the rest of the box is settled."""

    reason: str


class Reshuffle(msgspec.Struct, frozen=True, tag=True):
    """Order the cards to be shuffled again."""


class Correct(msgspec.Struct, frozen=True, tag=True):
    """Correct a misnamed card of a scanned shoe, by its number in a box or place."""

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
    """Spread the cards at a table without players, until one arrives."""

    face_up: bool = False
    """A player asked to see the faces; cards already spread face down are turned."""


class ChangeDeck(msgspec.Struct, frozen=True, tag=True):
    """Remove the deck, so that a new one can be received."""


class ChangeDealing(msgspec.Struct, frozen=True, tag=True):
    """Switch the way of dealing while a device is out of order, or back to the Submission's way."""

    dealing: Dealing


class TakeOver(msgspec.Struct, frozen=True, tag=True):
    """Continue under a new version of Pitboss, named by the hashes of its rules and engine."""

    rules: str
    engine: str


class Warn(msgspec.Struct, frozen=True, tag=True):
    """Warn a patron who does not decide: the turn ends after a minute."""

    seat: int


class Tick(msgspec.Struct, frozen=True, tag=True):
    """Advance the clock: a player past the decision deadline folds."""


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
    | Warn
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
    Perform: _STAFF,  # each step names its role
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
    Warn: frozenset({Role.FLOORPERSON}),
    Withhold: frozenset({Role.FLOORPERSON}),
    Reshuffle: frozenset({Role.FLOORPERSON}),
    Correct: frozenset({Role.FLOORPERSON}),
}
"""Roles that may give each command. No command voids a round: a `Report` does."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs of a command that the table cannot derive: actor, time, cards, counts, meters."""

    actor: str
    role: Role
    time: int = 0
    """In seconds; never decreases."""
    preshuffled: bool = False
    """For receiving decks: they are preinspected and preshuffled."""
    backs: tuple[str, ...] = ()
    """For receiving decks: the colour of each deck's backs, if stated."""
    wrong: tuple[str, ...] = ()
    """For a step with questions (`table.decks`): the questions answered “no”."""
    depth: int = 0
    """For a cut: number of cards above the cover card."""
    counted: int | None = None
    """A count: of the cards, by a shuffler that counts; of the stub; or of the Progressive chips."""
    without_chip: tuple[int, ...] = ()
    """With too few Progressive chips: boxes without a chip, whose wager the floorperson cancels."""
    misdealt: bool = False
    """For a wrong stub count: whether a hand has a wrong number of cards."""
    first: str = ""
    """For a jackpot in a house: the first validator; the actor is the second."""
    light: bool = False
    """For validating a payout: the progressive system's light is on."""
    whole: bool = True
    """For a wrong stub count: whether there are 52 cards in all."""
    cards: tuple[Card, ...] = ()
    """For a shuffle: the deck in its new order. For a scanned shoe: the cards this command turns up, in order."""
    salts: tuple[str, ...] = ()
    """For a shuffle or cut: one secret salt per position, in hexadecimal, for the commitment."""
    meters: Mapping[str, int] = {}
    """Meter balances, in micro-cents."""
    magic: Card | None = None
    """For the call: the Magic Card that the table game system drew, if any."""
    lucky: tuple[str, ...] = ()
    """For the call: the positions it drew, each `dealer` or a seat number."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason why a command is refused."""

    why: str
    """A sentence."""
    cite: str
    """The clause or house rule behind it."""
