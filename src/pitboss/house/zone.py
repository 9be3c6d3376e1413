"""The time zone of the house, in which people read and enter times; stored times are seconds since 1970."""

from datetime import date, datetime, timedelta
from difflib import get_close_matches
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from pitboss.errors import Mistake

PENNSYLVANIA: Final = "America/New_York"
"""The default: the law is Pennsylvania's."""
_NO_PLACE: Final = {"Factory", "localtime"}
"""Names that differ between machines or are unknown to browsers."""


def require_zone(name: str) -> str:
    """Return the name of a known time zone."""
    if name == PENNSYLVANIA:
        return name  # skips loading all names, which takes 0.1 s
    known = available_timezones() - _NO_PLACE
    if name in known:
        return name
    by_ending = {place.rpartition("/")[2].casefold(): place for place in sorted(known)}
    by_name = {place.casefold(): place for place in known} | by_ending
    near = get_close_matches(name.strip().replace(" ", "_").casefold(), by_name, 1)
    meant = f"did you mean “{by_name[near[0]]}”?" if near else f"write one such as {PENNSYLVANIA}."
    raise Mistake(f"Unknown time zone “{name}” in the setting “timezone”; {meant}")


def local_time(seconds: float, zone: str) -> datetime:
    """Convert seconds to the house's local time."""
    return datetime.fromtimestamp(seconds, ZoneInfo(zone))


def format_time(seconds: int, zone: str) -> str:
    """Format a time with the zone's abbreviation or offset.

    >>> format_time(1_793_511_000, "America/New_York"), format_time(1_793_514_600, "America/New_York")
    ('2026-11-01 01:30:00 EDT', '2026-11-01 01:30:00 EST')
    """
    return f"{local_time(seconds, zone):%Y-%m-%d %H:%M:%S %Z}"


def parse_time(text: str, zone: str, *, end: bool = False) -> int:
    """Parse a local day or time; the end of a day is its last second.

    When clocks change, a local time may occur twice or never. Then a start takes the earlier reading and an end the
    later one, so that a range misses nothing.

    >>> begin, end = (parse_time("2026-11-01", "America/New_York", end=end) for end in (False, True))
    >>> (end + 1 - begin) / 3600
    25.0
    """
    try:
        if len(text) == len("2026-01-31"):
            day = date.fromisoformat(text)
            begins = datetime.combine(day + timedelta(days=end), datetime.min.time(), ZoneInfo(zone))
            return int(begins.timestamp()) - end
        time = datetime.fromisoformat(text)
        if time.tzinfo:
            return int(time.timestamp())
        both = [int(time.replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()) for fold in (0, 1)]
        return max(both) if end else min(both)
    except (ValueError, OverflowError):
        raise Mistake(f"“{text}” is not a time such as 2026-01-31 or 2026-01-31T18:30.") from None
