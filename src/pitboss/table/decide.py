"""What a command leads to: events. Pure: no clock, no chance, no I/O."""

from typing import Final

from pitboss.errors import Mistake
from pitboss.rulebook.procedures import Do
from pitboss.table import events
from pitboss.table.commands import (
    Acknowledge,
    ChangeDeck,
    Command,
    Cover,
    Decide,
    Document,
    Given,
    Idle,
    Leave,
    Perform,
    Recut,
    Reject,
    Repair,
    Report,
    Sit,
    Stand,
    Wager,
)
from pitboss.table.irregular import reported, voided
from pitboss.table.refuse import refusal
from pitboss.table.state import Box, Table
from pitboss.table.steps import advanced, after, counts, perform

WHOLE: Final = 52
"""Cards of a deck."""


def decide(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return what a command that is not refused leads to."""
    if refused := refusal(table, command, given):
        raise Mistake(f"{refused.why} ({refused.cite})")
    match command:
        case Sit(seat):
            return [events.Seated(seat, given.actor)]
        case Stand(seat):
            return [events.Stood(seat)]
        case Wager(seat, wagers):
            return [events.Wagered(seat, given.actor, wagers)]
        case Decide(seat, multiple):
            return advanced(table, [events.Decided(seat, multiple)])
        case Perform():
            return _performed(table, given)
        case Report():
            return reported(table, command, given)
        case Leave(seat):
            return advanced(table, [events.Left(seat)]) if table.due.do is Do.ASK else [events.Left(seat)]
        case Acknowledge():
            return _acknowledged(table, given)
        case Recut():
            return [events.Recutting()]
        case Reject():
            return [events.Rejected(_claimed(table).seat, given.actor)]
        case Repair(device):
            return [events.Repaired(device)]
        case Cover(device):
            return [events.Covered(device)]
        case Document(seat):
            return [events.Documented(seat)]
        case Idle():
            return [events.Idled()]
        case ChangeDeck():
            return [events.Removed(f"{table.due.cite.chapter}.3(c)")]


def _performed(table: Table, given: Given) -> list[events.Event]:
    step = table.due
    if step.do is Do.SHUFFLE and counts(table) and given.counted != WHOLE:
        return [events.Removed(f"{step.cite.chapter}.5(b)")]
    happened = perform(table, given)
    if step.do is Do.COUNT and given.counted != len(table.shoe):
        # Misdealt with 52 cards still there: void. Anything else: void, and the deck is removed.
        happened += voided(after(table, happened), step.wrong, given)
        return happened if given.misdealt and given.whole else [*happened, events.Removed(step.wrong)]
    return advanced(table, happened)


def _acknowledged(table: Table, given: Given) -> list[events.Event]:
    if table.void:
        return [events.Acknowledged(given.actor)]
    box = _claimed(table)
    return advanced(table, [events.Settled(box.seat, box.claimed)])


def _claimed(table: Table) -> Box:
    return next(box for box in table.boxes.values() if box.claimed)
