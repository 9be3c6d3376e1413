"""The hold percentages that a rulemaking published, as it printed them, and what we find for the same wagers."""

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
    """What a wager holds under one choice of readings."""

    readings: Mapping[str, str] = {}
    of: str = ""
    """What it is a share of, an option of the reading hold-definition; empty where that makes no difference."""
    percent: Mapping[str, Decimal]
    """By paytable."""

    @property
    def choice(self) -> Choice:
        """Every reading it was found under, the definition of a hold among them."""
        return {**self.readings, **({"hold-definition": self.of} if self.of else {})}


class PublishedHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One wager's range: over its paytables, so they say, from `low` to `high` per cent."""

    game: str
    wager: str
    low: Decimal
    high: Decimal
    readings: tuple[str, ...] = ()
    """Those that could change what is found for the wager."""
    found: tuple[HoldAtReadings, ...] = ()

    @property
    def follows(self) -> bool:
        """Whether both ends follow from the paytables under one choice of readings."""
        return any(
            _rounded(min(one.percent.values()), self.low) == self.low
            and _rounded(max(one.percent.values()), self.high) == self.high
            for one in self.found
        )

    def under(self, options: Mapping[str, str]) -> HoldAtReadings:
        """Return what is found when each reading has the given option."""
        return next(one for one in self.found if meets_condition(one.choice, options))

    def includes(self, percent: Decimal) -> bool:
        """Whether a hold, rounded as each end is printed, lies in the range.

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
    """Return every range there is."""
    return convert(read_toml(_FILE), _Entry, _FILE, "").published
