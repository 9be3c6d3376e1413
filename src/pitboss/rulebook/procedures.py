"""Procedures: what is done at the table in a round, step by step, each with its clause.

One list for each way of dealing, and one for completing the round; the table runs them and knows no game.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import msgspec

from pitboss.rulebook.citation import Cite
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml


class Do(StrEnum):
    """What kind of step it is."""

    RECEIVE = "receive"
    """Decks come to the table."""
    INSPECT = "inspect"
    VERIFY = "verify"
    """The floorperson confirms the inspection."""
    SPREAD = "spread"
    """The cards lie face up for the first player to see."""
    WASH = "wash"
    """They are turned down, mixed and stacked."""
    SHUFFLE = "shuffle"
    """The cards are made ready in an order nobody knows."""
    CUT = "cut"
    COUNT = "count"
    """The stub is counted, to see whether the deck is whole."""
    CALL = "call"
    """“No more bets”: until then wagers are taken, after it none."""
    LOCK = "lock"
    """Electronic wagers are locked out."""
    CHIPS = "chips"
    """Chips of electronic wagers are counted against those accepted."""
    DEAL = "deal"
    TURN = "turn"
    """Cards are turned face up."""
    STUB = "stub"
    """What is left of the deck goes to the discard rack unseen."""
    ASK = "ask"
    """Each player in turn decides."""
    COLLECT = "collect"
    """What was forfeited is collected, with cards that no wager needs."""
    SETTLE = "settle"
    """Each player's wagers are settled in turn."""
    CLEAR = "clear"
    """The remaining cards go to the discard rack."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step of a procedure."""

    do: Do
    cite: Cite
    by: str = "dealer"
    to: str = ""
    """Of a deal: a place, the discard rack, or `boxes`: every box with the required wager, clockwise."""
    source: str = ""
    """Of a deal: the place the cards come from, where it is not the shoe."""
    top: bool = False
    """Of a deal from a place: off the top of its pile, the card dealt there last first."""
    cards: int = 1
    """How many at a time; 0 is all there are."""
    up: bool = False
    """Of a deal: face up."""
    by_hand: bool = False
    """Of a deal: by hand, after the cards left an automated shoe."""
    place: str = ""
    """Of a turn: whose cards."""
    first: int = 0
    """Of a turn: from this card on; -1 is the last one."""
    decision: str = ""
    """Of an ask: the wager that is decided on."""
    wrong: str = ""
    """Of a count: the clause that says what a wrong one orders."""
    needs: str = ""
    """The offered wager without which the step falls away."""
    announces: str = ""
    """Of a settlement: the wager by whose cards, and the ranking of its name, a player's best hand is announced."""
    within: Do | None = None
    """Of a turn: it is done in the course of that step, for the first box that has the wager it needs."""
    when: Choice = msgspec.field(default_factory=dict)
    unless: Choice = msgspec.field(default_factory=dict)

    def under(self, options: Mapping[str, str]) -> bool:
        """Whether the step belongs to a round under these readings."""
        return meets_condition(self.when, options) and not (self.unless and meets_condition(self.unless, options))


class Effect(StrEnum):
    """What an irregularity orders."""

    NOTE = "note"
    """Play goes on; it is written down."""
    SET_ASIDE = "set-aside"
    """The card is not used; a second one in a round voids it."""
    VOID = "void"
    """All hands are void, all wagers returned."""
    VOID_BUT_SIDES = "void-but-sides"
    """The same, but wagers that do not need the contest are settled."""
    RESHUFFLE = "reshuffle"
    OUT_OF_ORDER = "out-of-order"
    """The device is covered or signed before another method is used."""


class Irregularity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that goes wrong, and what the chapter orders then."""

    cite: Cite
    effect: Effect


class Procedures(msgspec.Struct, frozen=True):
    """The procedures of one game."""

    opening: tuple[Step, ...]
    dealing: Mapping[str, tuple[Step, ...]]
    """By the way of dealing."""
    completion: tuple[Step, ...]
    irregularities: Mapping[str, Irregularity]

    def round(self, dealing: str, options: Mapping[str, str]) -> tuple[Step, ...]:
        """Return every step of a round dealt this way, under these readings."""
        return tuple(step for step in (*self.dealing[dealing], *self.completion) if step.under(options))


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    opening: tuple[Step, ...]
    completion: tuple[Step, ...]
    dealing: dict[str, tuple[Step, ...]]
    irregularities: dict[str, Irregularity]


def load_procedures(folder: Path) -> Procedures:
    """Read `procedures.toml` of one game's folder, if it has one."""
    file = folder / "procedures.toml"
    if not file.exists():
        return Procedures((), {}, (), {})
    entry = convert(read_toml(file), _Entry, file, "")
    return Procedures(entry.opening, entry.dealing, entry.completion, entry.irregularities)
