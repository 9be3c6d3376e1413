"""Grounds: which clause of a chapter plays a role that every game has, such as “how many seats a table has”.

Code asks for a role; `chapter.toml` says which clause it is. No citation is put together from pieces.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from pitboss.errors import hint
from pitboss.rulebook.citation import CitationMistake, Cite
from pitboss.rulebook.toml import DataMistake


class Ground(StrEnum):
    """A role that a clause plays in code."""

    SEATS = "seats"
    """How many betting positions a table has."""
    LAYOUT = "layout"
    """The layout is submitted and approved."""
    DROP_BOX = "drop-box"
    """Drop box and tip box stand as approved."""
    PROPERTY_NAME = "property-name"
    """The layout shows the operator's name or logo."""
    DECKS = "decks"
    """The game is played with one deck."""
    TWO_DECKS = "two-decks"
    """Two decks need an automated shuffler."""
    DECK_BACKS = "deck-backs"
    """Two decks share one design, and their backs have different colours."""
    OTHER_DECK = "other-deck"
    """While one deck is played, the other is in the shuffler."""
    DISCARD_RACK = "discard-rack"
    """The discard rack holds cards of one deck at a time."""
    DECK_CHANGE = "deck-change"
    """Decks are changed."""
    DECK_HOURS_HAND = "deck-hours-hand"
    """After so many hours, where cards are dealt from the hand."""
    DECK_HOURS_SHOE = "deck-hours-shoe"
    """After so many hours, where they are dealt from a shoe."""
    OPENING = "opening"
    """A table opens when its decks are received and inspected."""
    SHUFFLE = "shuffle"
    """When the cards are shuffled, and by whom."""
    SHUFFLER_COUNT = "shuffler-count"
    """A shuffler that counts a wrong number of cards: the deck is removed."""
    RECUT = "recut"
    """A floorperson may have the cards cut again."""
    NO_PLAY = "no-play"
    """The cards lie spread on an open table without play."""
    APPROVED_DEVICE = "approved-device"
    """A device that reshuffles and counts by itself."""
    SEATED = "seated"
    """Only seated players wager, and they stay until the round is over."""
    ABANDONED = "abandoned"
    """The wagers of a player who leaves during a round."""
    NO_MORE_BETS = "no-more-bets"
    """After the call no wager is made, increased or withdrawn."""
    WAGERS = "wagers"
    """The wagers that may be placed."""
    BOXES = "boxes"
    """The adjacent boxes a player may wager on."""
    MANUAL_SHOE = "manual-shoe"
    """Dealing from a manual shoe."""
    MANUAL_SHOE_PLACE = "manual-shoe-place"
    """A manual shoe stands on the table where it was approved."""
    HAND = "hand"
    """Dealing from the hand."""
    HAND_NEEDS_SHUFFLER = "hand-needs-shuffler"
    """Cards dealt from the hand are shuffled by an automated device."""
    AUTOMATED_SHOE = "automated-shoe"
    """Dealing from an automated shoe."""
    EXAMINE = "examine"
    """Players look at their cards after the deal."""
    PAYOUTS = "payouts"
    """Payout odds and limits."""
    OUT_OF_ORDER = "out-of-order"
    """A device that failed is covered or signed before another method is used."""
    LIGHT = "light"
    """The progressive system lights up for a winning hand."""
    PROGRESSIVE_SYSTEM = "progressive-system"
    """A table with the Progressive wager has a progressive table game system."""
    WAGERING_DEVICE = "wagering-device"
    """A device at each betting position acknowledges Progressive wagers."""
    PROGRESSIVE_LOCK_OUT = "progressive-lock-out"
    """A device takes no Progressive wager after “no more bets”."""
    ELECTRONIC_SYSTEM = "electronic-system"
    """An electronic wagering system takes Five Card Hand wagers, and no late one."""
    DOCUMENTATION = "documentation"
    """A hand paid off a meter stays on the table until the payout is documented."""


METER_GROUNDS: Final = frozenset(
    {
        Ground.LIGHT,
        Ground.DOCUMENTATION,
        Ground.PROGRESSIVE_SYSTEM,
        Ground.WAGERING_DEVICE,
        Ground.PROGRESSIVE_LOCK_OUT,
        Ground.ELECTRONIC_SYSTEM,
    }
)
"""The roles that only chapters with meters have."""

Grounds = Mapping[Ground, Cite]


def read_grounds(entries: Mapping[str, str], file: Path) -> Grounds:
    """Read the `[grounds]` of a `chapter.toml`."""
    grounds = {}
    for role, text in entries.items():
        if role not in list(Ground):
            raise DataMistake(file, f"grounds.{role}", f"there is no such role; {hint(role, Ground)}")
        try:
            grounds[Ground(role)] = Cite(text)
        except CitationMistake as error:
            raise DataMistake(file, f"grounds.{role}", str(error)) from None
    return grounds
