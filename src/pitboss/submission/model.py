"""The Rules Submission: what an operator offers at a table, as one TOML file says it."""

import datetime as dt
import re
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.money import DOLLAR, format_money, parse_money
from pitboss.rulebook.readings import Choice

_MOST: Final = 10**15


class Cents(int):
    """An amount of money in cents; in the file dollars: 25, "7.50" or "$1,000"."""

    @classmethod
    def read(cls, value: object) -> "Cents":
        """Read an amount as the file writes it."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST:
            return cls(value * DOLLAR)
        if isinstance(value, str):
            return cls(parse_money(value))
        raise Mistake(f"“{value}” is not an amount in dollars; write 25 or, in quotes, “7.50”.")

    def __str__(self) -> str:
        return format_money(self)


class Chance(Fraction):
    """How often the table game system selects: “1 in 40” rounds."""

    @classmethod
    def read(cls, value: object) -> "Chance":
        """Read a frequency as the file writes it."""
        form = re.fullmatch(r"([1-9][0-9]{0,8}) in ([1-9][0-9]{0,8})", value) if isinstance(value, str) else None
        if form is None or int(form[1]) > int(form[2]):
            raise Mistake(f"“{value}” is not a frequency; write “1 in 40”.")
        return cls(int(form[1]), int(form[2]))

    def __str__(self) -> str:
        return f"{self.numerator} in {self.denominator}"


class Dealing(StrEnum):
    """How cards are dealt: sections .8, .9 and .10."""

    MANUAL_SHOE = "manual-shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated-shoe"


class Shuffler(StrEnum):
    """What shuffles the cards: section .5."""

    NONE = "none"
    AUTOMATED = "automated"
    COUNTING = "automated-with-count"
    APPROVED_DEVICE = "approved-device"


def is_automated_shuffler(shuffler: Shuffler, readings: Choice) -> bool:
    """Whether a device is the automated card shuffling device that two decks and dealing from the hand need."""
    approved = readings.get("approved-device-as-shuffler") != "no"
    return shuffler in (Shuffler.AUTOMATED, Shuffler.COUNTING) or (shuffler is Shuffler.APPROVED_DEVICE and approved)


class Link(StrEnum):
    """What shares a wager's meters."""

    NO = "no"
    TABLES = "tables"
    GAMES = "games"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table and how it is run."""

    seats: int
    boxes: int
    """Adjacent boxes a player may wager on."""
    dealing: Dealing
    shuffler: Shuffler
    decks: int
    unit: Cents
    """Every wager is a multiple of it."""
    payout_limit: Cents | None = None
    decision_timeout: int | None = None
    """Seconds; without it the floorperson is called."""
    abandoned_wagers: str = ""
    """An option of the reading abandoned-wagers."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One wager on offer."""

    paytable: str = ""
    minimum: Cents | None = None
    maximum: Cents | None = None
    amounts: tuple[Cents, ...] = ()
    """Of a wager with meters: the amounts taken; each feeds meters of its own."""
    linked: Link = Link.NO
    starting: Mapping[str, Cents] = {}
    """What each meter starts at, for every dollar of the wager; its seed where nothing is said."""
    validated_from: int | None = None
    """A floorperson validates pays of so many for 1, and every share of a meter; without it every pay."""
    bonuses: Mapping[str, Chance] = {}
    """Bonuses that may be left out, by their paytables, and how often the system draws each."""


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An approval by the Board or a bureau of it."""

    reference: str = ""
    """What the Board calls it."""
    date: dt.date


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator offers at a table."""

    game: str
    property: str
    version: str
    approved: dt.date | None = None
    """When the Board approved it; nothing before it did."""
    table: Table
    wagers: Mapping[str, Offer]
    readings: Choice = {}
    approvals: Mapping[str, Approval] = {}
    """Of layout, places, systems and devices, by the kinds of `submission.approvals`."""
