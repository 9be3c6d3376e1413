"""The Rules Submission: what an operator offers at a table, as read from one TOML file."""

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
    """An amount in cents; the file has dollars: 25, "7.50" or "$1,000"."""

    @classmethod
    def read(cls, value: object) -> "Cents":
        """Parse an amount from the file."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST:
            return cls(value * DOLLAR)
        if isinstance(value, str):
            return cls(parse_money(value))
        raise Mistake(f"“{value}” is not an amount in dollars; write 25 or, in quotes, “7.50”.")

    def __str__(self) -> str:
        return format_money(self)


class Chance(Fraction):
    """How often the table game system draws a bonus: “1 in 40” rounds."""

    @classmethod
    def read(cls, value: object) -> "Chance":
        """Parse a frequency from the file."""
        form = re.fullmatch(r"([1-9][0-9]{0,8}) in ([1-9][0-9]{0,8})", value) if isinstance(value, str) else None
        if form is None or int(form[1]) > int(form[2]):
            raise Mistake(f"“{value}” is not a frequency; write “1 in 40”.")
        return cls(int(form[1]), int(form[2]))

    def __str__(self) -> str:
        return f"{self.numerator} in {self.denominator}"


class Dealing(StrEnum):
    """The ways to deal: sections .8, .9 and .10."""

    MANUAL_SHOE = "manual-shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated-shoe"

    @property
    def label(self) -> str:
        """The way to deal as a label: “manual shoe”, “from the hand”."""
        return "from the hand" if self is Dealing.HAND else self.value.replace("-", " ")

    @property
    def words(self) -> str:
        """The way to deal in a sentence: “from a manual shoe”."""
        article = {Dealing.MANUAL_SHOE: "from a ", Dealing.AUTOMATED_SHOE: "from an "}
        return f"{article.get(self, '')}{self.label}"


class Shuffler(StrEnum):
    """The ways to shuffle: section .5."""

    NONE = "none"
    AUTOMATED = "automated"
    COUNTING = "automated-with-count"
    APPROVED_DEVICE = "approved-device"


def is_automated_shuffler(shuffler: Shuffler, readings: Choice) -> bool:
    """Whether this shuffler allows two decks and dealing from the hand, which need an automated device."""
    approved = readings.get("approved-device-as-shuffler") != "no"
    return shuffler in (Shuffler.AUTOMATED, Shuffler.COUNTING) or (shuffler is Shuffler.APPROVED_DEVICE and approved)


class Link(StrEnum):
    """Which tables share a wager's meters."""

    NO = "no"
    TABLES = "tables"
    GAMES = "games"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table and its settings."""

    seats: int
    boxes: int
    """The number of adjacent boxes that a player may wager on."""
    dealing: Dealing
    shuffler: Shuffler
    decks: int
    unit: Cents
    """Every wager is a multiple of it."""
    payout_limit: Cents | None = None
    decision_timeout: int | None = None
    """Seconds; if unset, the floorperson is called."""
    abandoned_wagers: str = ""
    """An option of the reading abandoned-wagers."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One offered wager."""

    paytable: str = ""
    minimum: Cents | None = None
    maximum: Cents | None = None
    amounts: tuple[Cents, ...] = ()
    """For a wager with meters: its amounts; each has its own meters."""
    linked: Link = Link.NO
    starting: Mapping[str, Cents] = {}
    """The starting amount of each meter per dollar of the wager; by default its seed."""
    validated_from: int | None = None
    """The pay for 1 from which a floorperson validates, besides every share of a meter; if unset, every pay."""
    bonuses: Mapping[str, Chance] = {}
    """Optional bonuses on offer, by paytable, and how often the system draws each."""


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An approval by the Board or one of its bureaus."""

    reference: str = ""
    """The Board's reference."""
    date: dt.date


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """The Rules Submission of one table."""

    game: str
    property: str
    version: str
    approved: dt.date | None = None
    """The date of the Board's approval; None until approved."""
    table: Table
    wagers: Mapping[str, Offer]
    readings: Choice = {}
    approvals: Mapping[str, Approval] = {}
    """Approvals of layout, places, systems and devices, by the kinds of `submission.approvals`."""
