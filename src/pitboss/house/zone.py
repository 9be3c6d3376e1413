"""The time zone of the house: in it people read and write every time. What is stored is seconds since 1970."""

from datetime import date, datetime, timedelta
from difflib import get_close_matches
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from pitboss.errors import Mistake

PENNSYLVANIA: Final = "America/New_York"
"""The default, since the law is Pennsylvania's."""
_NO_PLACE: Final = {"Factory", "localtime"}
"""Names that differ from machine to machine, or that browsers do not know."""


def require_zone(name: str) -> str:
    """Return the name of a time zone; an unknown one is refused."""
    if name == PENNSYLVANIA:
        return name  # without a look at all the others, which takes a tenth of a second
    known = available_timezones() - _NO_PLACE
    if name in known:
        return name
    by_ending = {place.rpartition("/")[2].casefold(): place for place in sorted(known)}
    by_name = {place.casefold(): place for place in known} | by_ending
    near = get_close_matches(name.strip().replace(" ", "_").casefold(), by_name, 1)
    meant = f"did you mean “{by_name[near[0]]}”?" if near else f"write one such as {PENNSYLVANIA}."
    raise Mistake(f"The setting “timezone” names no known time zone: “{name}”; {meant}")


def local_time(seconds: float, zone: str) -> datetime:
    """Return a time as the clocks of the house show it."""
    return datetime.fromtimestamp(seconds, ZoneInfo(zone))


def format_time(seconds: int, zone: str) -> str:
    """Write a time for people, with the zone's abbreviation or offset.

    >>> format_time(1_793_511_000, "America/New_York"), format_time(1_793_514_600, "America/New_York")
    ('2026-11-01 01:30:00 EDT', '2026-11-01 01:30:00 EST')
    """
    return f"{local_time(seconds, zone):%Y-%m-%d %H:%M:%S %Z}"


def parse_time(text: str, zone: str, *, end: bool = False) -> int:
    """Read a day or a time on the clocks of the house; the end of a day is its last second.

    Where clocks are set back a time comes twice, where they are set forward some never come: a beginning is the earlier
    of both then, an end the later, so that nothing between them is left out.

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
