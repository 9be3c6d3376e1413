"""What a command leads to: events. Pure: no clock, no chance, no I/O."""

from typing import Final

from pitboss.errors import Mistake
from pitboss.games import FOLD
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.table import events
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
    Withhold,
)
from pitboss.table.decks import decks_to_spread, wrong
from pitboss.table.devices import counts, on_devices
from pitboss.table.evolve import evolve
from pitboss.table.irregular import reported, voided
from pitboss.table.refuse import refusal
from pitboss.table.settling import set_aside, withheld
from pitboss.table.state import Box, Table
from pitboss.table.steps import advanced, after, perform, settled, to_act

WHOLE: Final = 52
"""Cards of a deck."""


def decide(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return what a command that is not refused leads to."""
    return react(table, command, given)[0]


def react(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    """Return what a command that is not refused leads to, and the table after it."""
    if refused := refusal(table, command, given):
        raise Mistake(f"{refused.why} ({refused.cite})")
    return led_to(table, command, given)


def led_to(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    """Return the same for a command of which it is known that it is not refused."""
    if given.time > table.now:
        passed = events.Passed(given.time)
        table = evolve(table, passed)
        happened, state = _reacted(table, command, given)
        happened = [passed, *happened]
    else:
        happened, state = _reacted(table, command, given)
    if table.rules.timeout and (timed := _timed(table, state, given, table.rules.timeout)):
        return [*happened, timed], evolve(state, timed)
    return happened, state


def _timed(before: Table, table: Table, given: Given, timeout: int) -> events.Timed | None:
    """Return until when the next box has to decide, if another's turn has come."""
    was, box = to_act(before), to_act(table)
    if box is None or (was is not None and (was.seat, before.step) == (box.seat, table.step)):
        return None
    return events.Timed(given.time + timeout)


def _reacted(table: Table, command: Command, given: Given) -> tuple[list[events.Event], Table]:
    match command:
        case Perform():
            return _performed(table, given)
        case Decide(seat, multiple):
            return advanced(table, [events.Decided(seat, multiple)])
        case Tick():
            box = to_act(table)
            assert box is not None  # or it was refused
            return advanced(table, [events.TimedOut(box.seat), events.Decided(box.seat, FOLD)])
        case Leave(seat) if table.due.do is Do.ASK:
            return advanced(table, [events.Left(seat)])
        case Acknowledge() if not table.void:
            box = _claimed(table)
            validated_by = (given.first, given.actor) if given.first else (given.actor,)
            return advanced(table, list(settled(table, box, box.claimed, validated_by)))
        case Withhold(reason):
            box = _claimed(table)
            told = events.Withheld(box.seat, given.actor, reason, set_aside(table, box))
            return advanced(table, [told, *settled(table, box, withheld(table, box, reason))])
        case _:
            happened = _told(table, command, given)
            return happened, after(table, happened)


def _told(table: Table, command: Command, given: Given) -> list[events.Event]:
    """Return what a command that does not move the procedure on leads to."""
    match command:
        case Sit(seat):
            return [events.Seated(seat, given.actor)]
        case Stand(seat):
            return [events.Stood(seat)]
        case Wager(seat, wagers):
            accepted = on_devices(table.rules, wagers)
            acknowledged = [events.Accepted(seat, accepted)] if accepted else []
            return [events.Wagered(seat, given.actor, wagers), *acknowledged]
        case Report():
            return reported(table, command, given)
        case Leave(seat):
            return [events.Left(seat)]
        case Acknowledge():
            return [events.Acknowledged(given.actor)]
        case Recut():
            return [events.Recutting()]
        case Reject():
            return [events.Rejected(_claimed(table).seat, given.actor)]
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
        case Correct(card, number, seat, place):
            return [events.Corrected(card, number, seat, place)]
        case Perform() | Decide() | Tick() | Withhold():
            raise AssertionError(command)  # `react` has seen to them


def _performed(table: Table, given: Given) -> tuple[list[events.Event], Table]:
    step = table.due
    do = step.do
    happened: list[events.Event]
    if do is Do.DEAL:
        return advanced(table, perform(table, given))
    if do in (Do.INSPECT, Do.VERIFY) and (question := wrong(table, given)):
        happened = [events.Removed(table.rules.grounds[question.ground])]
        return happened, after(table, happened)
    if do is Do.SHUFFLE and counts(table) and not table.preshuffled and given.counted != WHOLE:
        happened = [events.Removed(table.rules.grounds[Ground.SHUFFLER_COUNT])]
        return happened, after(table, happened)
    happened = perform(table, given)
    if do is Do.COUNT and given.counted != table.to_count:
        # Misdealt with 52 cards still there: void. Not misdealt: void, and the deck is removed.
        if not table.void:
            happened += voided(after(table, happened), step.wrong, given)
        stays = given.whole or table.rules.terms.readings["misdeal-not-52"] == "void-return"
        if not (given.misdealt and stays):
            happened.append(events.Removed(step.wrong))
        elif table.void:
            return advanced(table, happened)
        return happened, after(table, happened)
    return advanced(table, happened)


def _claimed(table: Table) -> Box:
    return next(box for box in table.boxes.values() if box.claimed)
