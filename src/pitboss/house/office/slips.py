"""Slips for fills, credits, jackpots and disputes; their numbers never repeat."""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house.storage.rounds import count_rounds
from pitboss.house.storage.slips import take_number
from pitboss.house.storage.tables import is_open
from pitboss.house.storage.unit_of_work import UnitOfWork

DIGITS: Final = 6


class SlipKind(StrEnum):
    """The subject of a slip; each kind has its own numbers."""

    FILL = "fill"
    CREDIT = "credit"
    JACKPOT = "jackpot"
    DISPUTE = "dispute"


class Slip(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A slip, as stored in its entry of the house's log."""

    kind: SlipKind
    table: str
    round: int
    """Counted from 1: the round under way, or else the last one."""
    number: int = 0
    entry: int = 0
    """For a jackpot, the entry of the table's log that validated it."""
    seat: int = 0

    @property
    def name(self) -> str:
        """The printed number: the kind's letter and six digits.

        >>> Slip(kind=SlipKind.FILL, table="T", round=1, number=12).name
        'F-000012'
        """
        return f"{self.kind[0].upper()}-{self.number:0{DIGITS}}"


def assign_number(unit: UnitOfWork, slip: Slip, entry: int) -> Slip:
    """Return a slip with the next number of its kind, for an entry of the house's log.

    The caller has locked that log, so no other transaction takes the same number. A failed transaction releases its
    number before anybody has seen it.
    """
    return replace(slip, number=take_number(unit.db, slip.kind, entry))


def table_slip(unit: UnitOfWork, kind: SlipKind, table: str) -> Slip:
    """Return a fill or credit slip for a table's current or last round."""
    return Slip(kind=kind, table=table, round=count_rounds(unit.db, table) + is_open(unit.db, table))


def read_name(text: str) -> tuple[SlipKind, int]:
    """Parse the printed number of a slip.

    >>> read_name("f-12")
    (<SlipKind.FILL: 'fill'>, 12)
    """
    letter, sign, digits = text.strip().upper().partition("-")
    kinds = {kind[0].upper(): kind for kind in SlipKind}
    if not sign or letter not in kinds or not (digits.isascii() and digits.isdigit()) or len(digits) > 18:  # noqa: PLR2004 (the database's integers)
        raise Mistake(f"“{text}” is not the number of a slip, such as F-000012.")
    return kinds[letter], int(digits)
