"""The kind of money of a house, play or real, as its log records it."""

from typing import Final

from pitboss.house.office.acts import BuyIn, Noted
from pitboss.house.office.house_log import house_entries
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE

MONEY_KIND_NOTE: Final = "the house opens for money of one kind"
"""The note in the log that records it."""
PLAY: Final = "play money"
REAL: Final = "real money"


def read_money_kind(db: Connection) -> str:
    """Return the house's kind of money, or an empty string for a new house.

    Older logs have no note: there, a buy-in by the house or by the patron alone means play money.
    """
    for written in house_entries(db):
        match written.act:
            case Noted(what, _, kind) if what == MONEY_KIND_NOTE:
                return kind
            case BuyIn(patron) if written.actor in {HOUSE, patron}:
                return PLAY
            case _:
                pass
    return ""
