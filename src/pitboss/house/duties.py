"""What a table needs a person for, in words with the clause: the pit's first look."""

from collections.abc import Iterator
from typing import Final

from pitboss.house.standing import Standing
from pitboss.rulebook.procedures import Do
from pitboss.table.refuse import HOUR, deck_hours
from pitboss.table.settling import undocumented
from pitboss.table.steps import COUNT_EVERY, counts

SOON: Final = HOUR // 4
"""Seconds before a deck must go that it is said."""


def duties(standing: Standing, now: int) -> Iterator[str]:  # noqa: C901 (one duty after another)
    """Yield what waits for a person, or soon will."""
    table = standing.table
    chapter = table.due.cite.chapter
    if table.unacknowledged:
        yield f"The round is void: a floorperson acknowledges it (§ {table.unacknowledged})."
    for box in table.boxes.values():
        if box.claimed:
            yield f"Seat {box.seat}: a payout waits to be validated (§ {box.claimed[0].cite})."
    if table.due.do is Do.CLEAR:
        for box in undocumented(table):
            yield f"Seat {box.seat}: a payout waits to be documented."
    for device in table.broken:
        yield f"The {device} failed: cover it or put a sign on it (§ {chapter}.13(g))."
    if table.ready and table.since:
        hours, cite = deck_hours(table)
        left = table.since + hours * HOUR - now
        if left <= SOON:
            when = "now" if left <= 0 else f"in {left // 60} minutes"
            yield f"The deck must be changed {when} (§ {cite})."
    if table.ready and not counts(table) and table.uncounted + 1 >= COUNT_EVERY:
        yield "The stub is counted in this round."
    if not table.ready and standing.settings.automatic and table.due.by == "floorperson":
        yield f"The opening waits for a floorperson: {table.due.do} (§ {table.due.cite})."
