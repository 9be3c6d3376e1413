"""Turns a command into events. Pure: no clock, no random numbers, no I/O."""

from typing import Final

from pitboss.errors import Mistake
from pitboss.games import FOLD
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.table import events
from pitboss.table.box_settlement import lines_without_claims, set_aside
from pitboss.table.commands import (
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
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
    Reshuffle,
    Sit,
    Stand,
    TakeOver,
    Tick,
    Wager,
    Warn,
    Withhold,
)
from pitboss.table.decks import decks_to_spread, failed_question
from pitboss.table.devices import device_wagers, shuffler_counts
from pitboss.table.event_effects import evolve
from pitboss.table.irregularities import report_events, void_events
from pitboss.table.refusals import refusal
from pitboss.table.state import Box, Table
from pitboss.table.steps import advance, after, next_to_decide, perform, settlement_events

DECK_SIZE: Final = 52
"""Number of cards in a deck."""
WARNING_SECONDS: Final = 60
"""Time to decide after a floorperson's warning."""


def decide(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return the events of a command; raise a `Mistake` if it is refused."""
    return react(table, command, given)[0]


def react(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    """Return the events of a command and the table after them; raise a `Mistake` if it is refused."""
    if refused := refusal(table, command, given):
        raise Mistake(f"{refused.why} ({refused.cite})")
    return decide_unchecked(table, command, given)


def decide_unchecked(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    """Do the same as `react` for a command that was already checked."""
    if given.time > table.now:
        passed = events.Passed(given.time)
        table = evolve(table, passed)
        new_events, state = _decide_command(table, command, given)
        new_events = [passed, *new_events]
    else:
        new_events, state = _decide_command(table, command, given)
    if table.rules.timeout and (timed := _deadline_event(table, state, given, table.rules.timeout)):
        return [*new_events, timed], evolve(state, timed)
    return new_events, state


def _deadline_event(before: Table, table: Table, given: Given, timeout: int) -> events.Timed | None:
    """Return the new deadline if the turn passed to another box."""
    was, box = next_to_decide(before), next_to_decide(table)
    if box is None or (was is not None and (was.seat, before.step) == (box.seat, table.step)):
        return None
    return events.Timed(given.time + timeout)


def _decide_command(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    match command:
        case Perform():
            return _perform_step(table, given)
        case Decide(seat, multiple):
            return advance(table, [events.Decided(seat, multiple)])
        case Tick():
            box = next_to_decide(table)
            assert box is not None  # `refusal` checked it
            return advance(table, [events.TimedOut(box.seat), events.Decided(box.seat, FOLD)])
        case Leave(seat) if table.due.do is Do.ASK:
            return advance(table, [events.Left(seat)])
        case Acknowledge() if not table.void:
            box = _claimed_box(table)
            validated_by = (given.first, given.actor) if given.first else (given.actor,)
            return advance(table, list(settlement_events(table, box, box.claimed, validated_by)))
        case Withhold(reason):
            box = _claimed_box(table)
            withheld = events.Withheld(box.seat, given.actor, reason, set_aside(table, box))
            return advance(table, [withheld, *settlement_events(table, box, lines_without_claims(table, box, reason))])
        case _:
            new_events = _simple_events(table, command, given)
            return new_events, after(table, new_events)


def _simple_events(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return the events of a command that does not advance the procedure."""
    match command:
        case Sit(seat):
            return [events.Seated(seat, given.actor)]
        case Stand(seat):
            return [events.Stood(seat)]
        case Wager(seat, wagers):
            accepted = device_wagers(table.rules, wagers)
            acknowledged = [events.Accepted(seat, accepted)] if accepted else []
            return [events.Wagered(seat, given.actor, wagers), *acknowledged]
        case Report():
            return report_events(table, command, given)
        case Leave(seat):
            return [events.Left(seat)]
        case Acknowledge():
            return [events.Acknowledged(given.actor)]
        case Recut():
            return [events.Recutting()]
        case Reject():
            return [events.Rejected(_claimed_box(table).seat, given.actor)]
        case Repair(device):
            return [events.Repaired(device)]
        case Cover(device):
            return [events.Covered(device)]
        case Document(seat):
            box = table.boxes[seat]
            return [events.Documented(seat, given.actor, box.validated_by, box.paid_by_hand)]
        case Idle(face_up):
            return [events.Idled(face_up, decks_to_spread(table))]
        case ChangeDeck():
            return [events.Removed(table.rules.grounds[Ground.DECK_CHANGE])]
        case ChangeDealing(dealing):
            return [events.DealingChanged(dealing)]
        case TakeOver(rules, engine):
            return [events.TakenOver(rules, engine)]
        case Reshuffle():
            return [events.Reshuffling()]
        case Warn(seat):
            return [events.Timed(given.time + WARNING_SECONDS, seat, given.actor)]
        case Correct(card, number, seat, place):
            return [events.Corrected(card, number, seat, place)]
        case Perform() | Decide() | Tick() | Withhold():
            raise AssertionError(command)  # `_decide_command` handles them


def _perform_step(table: Table, given: Given) -> tuple[list[events.Event], Table]:
    step = table.due
    do = step.do
    new_events: list[events.Event]
    if do is Do.DEAL:
        return advance(table, perform(table, given))
    if do in (Do.INSPECT, Do.VERIFY) and (question := failed_question(table, given)):
        new_events = [events.Removed(table.rules.grounds[question.ground])]
        return new_events, after(table, new_events)
    if do is Do.SHUFFLE and shuffler_counts(table) and not table.preshuffled and given.counted != DECK_SIZE:
        new_events = [events.Removed(table.rules.grounds[Ground.SHUFFLER_COUNT])]
        return new_events, after(table, new_events)
    new_events = perform(table, given)
    if do is Do.COUNT and given.counted != table.expected_stub_count:
        # Misdealt with 52 cards still there: void. Not misdealt: void, and the deck is removed.
        if not table.void:
            new_events += void_events(after(table, new_events), step.wrong, given)
        stays = given.whole or table.rules.terms.readings["misdeal-not-52"] == "void-return"
        if not (given.misdealt and stays):
            new_events.append(events.Removed(step.wrong))
        elif table.void:
            return advance(table, new_events)
        return new_events, after(table, new_events)
    return advance(table, new_events)


def _claimed_box(table: Table) -> Box:
    return next(box for box in table.boxes.values() if box.claimed)
