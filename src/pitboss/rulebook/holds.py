"""The hold percentages that a rulemaking published, as it printed them."""

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from pitboss.rulebook.toml import convert, read

_FILE: Final = Path(__file__).parent / "data" / "holds.toml"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One wager's range: over its paytables, so they say, from `low` to `high` per cent."""

    game: str
    wager: str
    low: Decimal
    high: Decimal
    readings: tuple[str, ...] = ()
    """Those that could change what is found for the wager."""


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    published: tuple[Published, ...]


@cache
def published_holds() -> tuple[Published, ...]:
    """Return every range there is."""
    return convert(read(_FILE), _Entry, _FILE, "").published
