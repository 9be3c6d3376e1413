"""Slips for fills, credits, jackpots and disputes: which entry takes one, and its number, which cannot repeat."""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house.store import UnitOfWork

DIGITS: Final = 6


class SlipKind(StrEnum):
    """What a slip is about; each kind is numbered by itself."""

    FILL = "fill"
    CREDIT = "credit"
    JACKPOT = "jackpot"
    DISPUTE = "dispute"


class Slip(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A slip as the house's log has it, in the entry it is about."""

    kind: SlipKind
    table: str
    round: int
    """Counted from 1: the one under way, or the next."""
    number: int = 0
    entry: int = 0
    """Of the table's log, where a jackpot was validated."""
    seat: int = 0

    @property
    def name(self) -> str:
        """The kind's letter and the number: what is printed.

        >>> Slip(kind=SlipKind.FILL, table="T", round=1, number=12).name
        'F-000012'
        """
        return f"{self.kind[0].upper()}-{self.number:0{DIGITS}}"


def assign_number(unit: UnitOfWork, slip: Slip, entry: int) -> Slip:
    """Return a slip with the next number of its kind, for an entry of the house's log.

    Who writes that log has locked it, so that no other transaction takes a number meanwhile. A transaction that fails
    gives its number back, and nobody has seen it.
    """
    ((number,),) = unit.db.execute(
        "INSERT INTO slip (kind, number, entry) SELECT ?, COALESCE(MAX(number), 0) + 1, ? FROM slip WHERE kind = ?"
        " RETURNING number",
        (slip.kind, entry, slip.kind),
    )
    return replace(slip, number=int(number))


def table_slip(unit: UnitOfWork, kind: SlipKind, table: str) -> Slip:
    """Return a slip for chips of a table, in the round under way there or the last one it had."""
    ((finished,),) = unit.db.execute("SELECT COUNT(*) FROM round WHERE chain = ?", (table,))
    ((is_open,),) = unit.db.execute("SELECT is_open FROM chain WHERE id = ?", (table,))
    return Slip(kind=kind, table=table, round=finished + is_open)


def read_name(text: str) -> tuple[SlipKind, int]:
    """Read what is printed on a slip.

    >>> read_name("f-12")
    (<Kind.FILL: 'fill'>, 12)
    """
    letter, sign, digits = text.strip().upper().partition("-")
    kinds = {kind[0].upper(): kind for kind in SlipKind}
    if not sign or letter not in kinds or not (digits.isascii() and digits.isdigit()) or len(digits) > 18:  # noqa: PLR2004 (as a database counts)
        raise Mistake(f"“{text}” is not the number of a slip, such as F-000012.")
    return kinds[letter], int(digits)
