"""Grounds: the clause of each chapter for a role that every game has, such as “number of seats”.

Code names a role; `chapter.toml` names the clause. So no code builds a citation from pieces.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from pitboss.errors import hint
from pitboss.rulebook.citation import CitationMistake, Cite
from pitboss.rulebook.toml import DataMistake


class Ground(StrEnum):
    """A role that code cites a clause for."""

    SEATS = "seats"
    """The number of betting positions of a table."""
    LAYOUT = "layout"
    """The layout needs approval."""
    DROP_BOX = "drop-box"
    """The places of drop box and tip box need approval."""
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
    """Decks are changed regularly."""
    DECK_HOURS_HAND = "deck-hours-hand"
    """The hours between deck changes if cards are dealt from the hand."""
    DECK_HOURS_SHOE = "deck-hours-shoe"
    """The hours between deck changes if cards are dealt from a shoe."""
    OPENING = "opening"
    """A table opens after its decks are received and inspected."""
    SHUFFLE = "shuffle"
    """When the cards are shuffled, and by whom."""
    SHUFFLER_COUNT = "shuffler-count"
    """A deck is removed when the shuffler counts a wrong number of cards."""
    RECUT = "recut"
    """A floorperson may have the cards cut again."""
    NO_PLAY = "no-play"
    """The cards are spread on an open table without play."""
    APPROVED_DEVICE = "approved-device"
    """An approved device reshuffles and counts by itself."""
    SEATED = "seated"
    """Only seated players wager, and they stay until the end of the round."""
    ABANDONED = "abandoned"
    """What happens to the wagers of a player who leaves mid-round."""
    NO_MORE_BETS = "no-more-bets"
    """After the call no wager is made, increased or withdrawn."""
    WAGERS = "wagers"
    """The wagers that may be placed."""
    BOXES = "boxes"
    """The adjacent boxes a player may wager on."""
    MANUAL_SHOE = "manual-shoe"
    """Dealing from a manual shoe."""
    MANUAL_SHOE_PLACE = "manual-shoe-place"
    """The place of a manual shoe needs approval."""
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
    """A failed device is covered or signed before another method is used."""
    LIGHT = "light"
    """The progressive system lights up for a winning hand."""
    PROGRESSIVE_SYSTEM = "progressive-system"
    """A table with the Progressive wager has a progressive table game system."""
    WAGERING_DEVICE = "wagering-device"
    """A device at each betting position acknowledges Progressive wagers."""
    PROGRESSIVE_LOCK_OUT = "progressive-lock-out"
    """A device takes no Progressive wager after “no more bets”."""
    ELECTRONIC_SYSTEM = "electronic-system"
    """An electronic wagering system takes Five Card Hand wagers and locks out late ones."""
    DOCUMENTATION = "documentation"
    """A hand paid from a meter stays on the table until the payout is documented."""


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
    """Parse the `[grounds]` of a `chapter.toml`."""
    grounds = {}
    for role, text in entries.items():
        if role not in list(Ground):
            raise DataMistake(file, f"grounds.{role}", f"unknown role; {hint(role, Ground)}")
        try:
            grounds[Ground(role)] = Cite(text)
        except CitationMistake as error:
            raise DataMistake(file, f"grounds.{role}", str(error)) from None
    return grounds
