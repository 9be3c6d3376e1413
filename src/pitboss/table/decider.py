"""Turns a command into events, and applies each as soon as it is decided. Pure: no clock, no random numbers, no I/O."""

from typing import Final

from pitboss.cards import DECK
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
from pitboss.table.evolution import Transition, apply_events, last_table
from pitboss.table.irregularities import apply_report, void_round
from pitboss.table.refusals import refusal
from pitboss.table.state import Box, Table
from pitboss.table.steps import advance, next_to_decide, perform, settlement_events

WARNING_SECONDS: Final = 60
"""Time to decide after a floorperson's warning."""


def decide(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return the events of a command; raise a `Mistake` if it is refused."""
    return [one.event for one in transitions(table, command, given)]


def react(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    """Return the events of a command and the table after them; raise a `Mistake` if it is refused."""
    decided = transitions(table, command, given)
    return [one.event for one in decided], last_table(table, decided)


def transitions(table: Table, command: Command, given: Given) -> list[Transition]:
    """Return the events of a command, each with the table before and after it; raise a `Mistake` if it is refused."""
    if refused := refusal(table, command, given):
        raise Mistake(f"{refused.why} ({refused.cite})")
    return unchecked_transitions(table, command, given)


def unchecked_transitions(table: Table, command: Command, given: Given) -> list[Transition]:
    """Do the same as `transitions` for a command that was already checked."""
    passed: list[Transition] = []
    if given.time > table.now:
        passed = apply_events(table, [events.Passed(given.time)])
        table = passed[-1].after
    decided = _decide_command(table, command, given)
    if timeout := table.rules.timeout:
        state = last_table(table, decided)
        if timed := _deadline_event(table, state, given, timeout):
            decided += apply_events(state, [timed])
    return passed + decided if passed else decided


def _deadline_event(before: Table, table: Table, given: Given, timeout: int) -> events.Timed | None:
    """Return the new deadline if the turn passed to another box."""
    was, box = next_to_decide(before), next_to_decide(table)
    if box is None or (was is not None and (was.seat, before.step) == (box.seat, table.step)):
        return None
    return events.Timed(given.time + timeout)


def _decide_command(table: Table, command: Command, given: Given) -> list[Transition]:
    match command:
        case Perform():
            return _perform_step(table, given)
        case Decide(seat, multiple):
            return advance(table, apply_events(table, [events.Decided(seat, multiple)]))
        case Tick():
            box = next_to_decide(table)
            assert box is not None  # `refusal` checked it
            return advance(table, apply_events(table, [events.TimedOut(box.seat), events.Decided(box.seat, FOLD)]))
        case Leave(seat) if table.due.do is Do.ASK:
            return advance(table, apply_events(table, [events.Left(seat)]))
        case Acknowledge() if not table.void:
            box = _claimed_box(table)
            validated_by = (given.first, given.actor) if given.first else (given.actor,)
            return advance(table, apply_events(table, settlement_events(table, box, box.claimed, validated_by)))
        case Withhold(reason):
            box = _claimed_box(table)
            withheld = events.Withheld(box.seat, given.actor, reason, set_aside(table, box))
            settled = settlement_events(table, box, lines_without_claims(table, box, reason))
            return advance(table, apply_events(table, [withheld, *settled]))
        case Report():
            return apply_report(table, command, given)
        case _:
            return apply_events(table, _simple_events(table, command, given))


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
        case Perform() | Decide() | Tick() | Withhold() | Report():
            raise AssertionError(command)  # `_decide_command` handles them


def _perform_step(table: Table, given: Given) -> list[Transition]:
    step = table.due
    do = step.do
    if do is Do.DEAL:
        return advance(table, perform(table, given))
    if do in (Do.INSPECT, Do.VERIFY) and (question := failed_question(table, given)):
        return apply_events(table, [events.Removed(table.rules.grounds[question.ground])])
    if do is Do.SHUFFLE and shuffler_counts(table) and not table.preshuffled and given.counted != len(DECK):
        return apply_events(table, [events.Removed(table.rules.grounds[Ground.SHUFFLER_COUNT])])
    performed = perform(table, given)
    if do is Do.COUNT and given.counted != table.expected_stub_count:
        # Misdealt with 52 cards still there: void. Not misdealt: void, and the deck is removed.
        if not table.void:
            performed += void_round(last_table(table, performed), step.wrong, given)
        stays = given.whole or table.rules.terms.readings["misdeal-not-52"] == "void-return"
        if not (given.misdealt and stays):
            performed += apply_events(last_table(table, performed), [events.Removed(step.wrong)])
        elif table.void:
            return advance(table, performed)
        return performed
    return advance(table, performed)


def _claimed_box(table: Table) -> Box:
    return next(box for box in table.boxes.values() if box.claimed)
