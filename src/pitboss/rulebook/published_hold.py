"""The hold percentages that a rulemaking published, and our own figures for the same wagers."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml

_FILE: Final = Path(__file__).parent / "data" / "holds.toml"


class HoldAtReadings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hold of a wager under one choice of readings."""

    readings: Mapping[str, str] = {}
    of: str = ""
    """What the hold is a share of: an option of the reading hold-definition; empty if both give the same."""
    percent: Mapping[str, Decimal]
    """The hold by paytable."""

    @property
    def choice(self) -> Choice:
        """All readings of this figure, including the definition of hold."""
        return {**self.readings, **({"hold-definition": self.of} if self.of else {})}


class PublishedHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The published range of one wager over its paytables: from `low` to `high` per cent."""

    game: str
    wager: str
    """Its name in an analysis, which takes the required wagers together."""
    offer: str
    """Its name in a Submission."""
    low: Decimal
    high: Decimal
    readings: tuple[str, ...] = ()
    """The readings that can change our figures."""
    found: tuple[HoldAtReadings, ...] = ()

    @property
    def follows(self) -> bool:
        """Whether our figures give both published ends under one choice of readings."""
        return any(
            _rounded(min(one.percent.values()), self.low) == self.low
            and _rounded(max(one.percent.values()), self.high) == self.high
            for one in self.found
        )

    def under(self, options: Mapping[str, str]) -> HoldAtReadings:
        """Return our figures under these readings."""
        return next(one for one in self.found if meets_condition(one.choice, options))

    def includes(self, percent: Decimal) -> bool:
        """Whether a hold, rounded like the printed ends, is in the range.

        >>> aces = next(one for one in published_holds() if one.wager == "aces-bonus")
        >>> aces.includes(Decimal("6.6146")), aces.includes(Decimal("46.3191"))
        (True, False)
        """
        return _rounded(percent, self.low) >= self.low and _rounded(percent, self.high) <= self.high


def _rounded(percent: Decimal, like: Decimal) -> Decimal:
    return percent.quantize(like, rounding=ROUND_HALF_UP)


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    published: tuple[PublishedHold, ...]


@cache
def published_holds() -> tuple[PublishedHold, ...]:
    """Return all published ranges."""
    return convert(read_toml(_FILE), _Entry, _FILE, "").published
