"""Procedures: the steps of a round at the table, each with its clause.

There is one list for each way of dealing and one for completing the round. The table runs them and knows no game.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import msgspec

from pitboss.rulebook.citation import Cite
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml


class Do(StrEnum):
    """The kind of a step."""

    RECEIVE = "receive"
    """Decks come to the table."""
    INSPECT = "inspect"
    VERIFY = "verify"
    """The floorperson confirms the inspection."""
    SPREAD = "spread"
    """The cards are spread face up for the first player to inspect."""
    WASH = "wash"
    """The cards are turned face down, mixed and stacked."""
    SHUFFLE = "shuffle"
    """The cards are shuffled into an unknown order."""
    CUT = "cut"
    COUNT = "count"
    """The stub is counted to check that the deck is complete."""
    CALL = "call"
    """“No more bets”: wagers are taken until this call."""
    LOCK = "lock"
    """Electronic wagers are locked out."""
    CHIPS = "chips"
    """Chips of electronic wagers are counted against those accepted."""
    DEAL = "deal"
    TURN = "turn"
    """Cards are turned face up."""
    STUB = "stub"
    """The stub goes to the discard rack face down."""
    ASK = "ask"
    """Each player decides in turn."""
    COLLECT = "collect"
    """Forfeited wagers are collected, with the cards that no wager needs."""
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
    """For a deal, the target: a place, the discard rack, or `boxes`: every box with the required wager, clockwise."""
    source: str = ""
    """For a deal: the place that the cards come from, if not the shoe."""
    top: bool = False
    """For a deal from a place: take from the top of its pile, last dealt card first."""
    cards: int = 1
    """The number of cards at a time; 0 means all."""
    up: bool = False
    """For a deal: face up."""
    by_hand: bool = False
    """For a deal: by hand, after the cards left an automated shoe."""
    place: str = ""
    """For a turn: the place whose cards are turned."""
    first: int = 0
    """For a turn: the first card turned; -1 is the last card."""
    decision: str = ""
    """For an ask: the wager to decide on."""
    wrong: str = ""
    """For a count: the clause for a wrong count."""
    needs: str = ""
    """The wager that must be offered for this step."""
    announces: str = ""
    """For a settlement: the wager whose cards and ranking give the player's best hand, which is announced."""
    within: Do | None = None
    """For a turn: the step during which it is done, for the first box with the wager it needs."""
    when: Choice = msgspec.field(default_factory=dict)
    unless: Choice = msgspec.field(default_factory=dict)

    def under(self, options: Mapping[str, str]) -> bool:
        """Whether the step is part of a round under these readings."""
        return meets_condition(self.when, options) and not (self.unless and meets_condition(self.unless, options))


class Effect(StrEnum):
    """The effect of an irregularity."""

    NOTE = "note"
    """Play goes on; the irregularity is recorded."""
    SET_ASIDE = "set-aside"
    """The card is not used; a second one voids the round."""
    VOID = "void"
    """All hands are void and all wagers are returned."""
    VOID_BUT_SIDES = "void-but-sides"
    """As above, but wagers that do not need the contest are settled."""
    RESHUFFLE = "reshuffle"
    OUT_OF_ORDER = "out-of-order"
    """The device is covered or signed before another method is used."""


class Irregularity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An irregularity, and what the chapter orders."""

    cite: Cite
    effect: Effect


class Procedures(msgspec.Struct, frozen=True):
    """The procedures of one game."""

    opening: tuple[Step, ...]
    dealing: Mapping[str, tuple[Step, ...]]
    """Steps by way of dealing."""
    completion: tuple[Step, ...]
    irregularities: Mapping[str, Irregularity]

    def round(self, dealing: str, options: Mapping[str, str]) -> tuple[Step, ...]:
        """Return the steps of a round dealt this way under these readings."""
        return tuple(step for step in (*self.dealing[dealing], *self.completion) if step.under(options))


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    opening: tuple[Step, ...]
    completion: tuple[Step, ...]
    dealing: dict[str, tuple[Step, ...]]
    irregularities: dict[str, Irregularity]


def load_procedures(folder: Path) -> Procedures:
    """Load `procedures.toml` of one game's folder, if it exists."""
    file = folder / "procedures.toml"
    if not file.exists():
        return Procedures((), {}, (), {})
    entry = convert(read_toml(file), _Entry, file, "")
    return Procedures(entry.opening, entry.dealing, entry.completion, entry.irregularities)
