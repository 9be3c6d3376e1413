"""The kind of money that a house was opened for, as its log says."""

from typing import Final

from pitboss.house.acts import BuyIn, Noted
from pitboss.house.connections import Connection
from pitboss.house.evidence.significant_events import decode_house_entry
from pitboss.house.evidence.snapshot import entries
from pitboss.house.house_log import HOUSE

MONEY_KIND_NOTE: Final = "the house opens for money of one kind"
"""What the log says when it does."""
PLAY: Final = "play money"
REAL: Final = "real money"


def read_money_kind(db: Connection) -> str:
    """Return the kind of money that a house was opened for, as its log says; nothing where it says nothing yet.

    Where it was not written down, money that nobody paid in was play money: the house's gift, or a patron's wish.
    """
    for _, body, _ in entries(db, HOUSE):
        written = decode_house_entry(body)
        match written.act:
            case Noted(what, _, kind) if what == MONEY_KIND_NOTE:
                return kind
            case BuyIn(patron) if written.actor in {HOUSE, patron}:
                return PLAY
            case _:
                pass
    return ""
