"""What each event did to a table: `(before, event, after)`.

The decider makes transitions while it decides, and a replay makes them from recorded events. Ledger, meters, round
summary, narration and audit read them, so that nobody evolves the same event again.
"""

from collections.abc import Iterable, Sequence

import msgspec

from pitboss.table.event_effects import evolve
from pitboss.table.events import Event
from pitboss.table.state import Table


class Transition(msgspec.Struct, frozen=True, gc=False):
    """An event, with the table before and after it."""

    before: Table
    event: Event
    after: Table


def apply_events(table: Table, new_events: Iterable[Event]) -> list[Transition]:
    """Apply events to a table, one after the other."""
    transitions = []
    for event in new_events:
        following = evolve(table, event)
        transitions.append(Transition(table, event, following))
        table = following
    return transitions


def after(table: Table, new_events: Iterable[Event]) -> Table:
    """Return the table after these events."""
    for event in new_events:
        table = evolve(table, event)
    return table


def last_table(table: Table, transitions: Sequence[Transition]) -> Table:
    """Return the table after transitions that began with `table`."""
    return transitions[-1].after if transitions else table


def round_end(transitions: Iterable[Transition]) -> Transition | None:
    """Return the transition that ends a round; the table before it still has the round's boxes."""
    return next((one for one in transitions if one.after.round != one.before.round), None)
