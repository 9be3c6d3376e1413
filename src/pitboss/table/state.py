"""The table as it stands: who sits where, what is wagered, where every card lies, which step is due."""

from collections.abc import Mapping

import msgspec

from pitboss.cards import Card
from pitboss.games import FOLD, Line, Terms
from pitboss.rulebook.procedures import Step


class Slot(msgspec.Struct, frozen=True):
    """One card that lies somewhere."""

    card: Card
    up: bool = False


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """One betting position that is played in a round."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    decisions: tuple[int, ...] = ()
    cards: tuple[Slot, ...] = ()
    collected: bool = False
    """Its forfeited wagers are with the house."""
    racked: bool = False
    """Its cards are in the discard rack; they are remembered here, so that the hand can be rebuilt."""
    lines: tuple[Line, ...] = ()
    settled: bool = False

    @property
    def folded(self) -> bool:
        """Whether its player has folded."""
        return FOLD in self.decisions


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is run by: it does not change while a round is played."""

    terms: Terms
    steps: tuple[Step, ...]
    seats: int
    boxes: int
    """Adjacent boxes a player may wager on."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of a table."""

    rules: Rules
    round: int = 0
    step: int = 0
    """The step that is due."""
    turn: int = 0
    """How many boxes have had their turn in this step."""
    seated: Mapping[int, str] = {}
    """Patrons by seat; seats are counted clockwise from the dealer's left."""
    boxes: Mapping[int, Box] = {}
    """What is played in this round, by seat."""
    shoe: tuple[Card, ...] = ()
    places: Mapping[str, tuple[Slot, ...]] = {}
    rack: tuple[Card, ...] = ()
    called: bool = False
    """“No more bets” was said."""
    magic: Card | None = None
    lucky: tuple[str, ...] = ()
    meters_at_reveal: Mapping[str, int] = {}

    @property
    def due(self) -> Step:
        """The step that is due."""
        return self.rules.steps[self.step]

    @property
    def cards(self) -> list[Card]:
        """Every card there is, wherever it lies."""
        laid = [slot.card for held in self.places.values() for slot in held]
        laid += [slot.card for box in self.boxes.values() if not box.racked for slot in box.cards]
        return [*self.shoe, *laid, *self.rack]
