"""What a command leads to: a refusal with its clause, or events. Pure: no clock, no chance, no I/O."""

from collections.abc import Mapping
from functools import reduce

from pitboss.errors import Mistake
from pitboss.games import FOLD, check_wagers
from pitboss.rulebook.procedures import Do
from pitboss.table import events
from pitboss.table.commands import MAY, Command, Decide, Given, Perform, Refusal, Sit, Stand, Wager
from pitboss.table.evolve import evolve
from pitboss.table.state import Table
from pitboss.table.steps import applies, complete, perform, to_act

ROLES = "house rule: who may do what"
SEATS = "house rule: one seat for a patron, one patron for a seat"
DECK = 52


def refusal(table: Table, command: Command, given: Given) -> Refusal | None:
    """Say why a command is not carried out, if it is not: the only source of “may I”."""
    if given.role not in MAY[type(command)]:
        return Refusal(f"That is not for a {given.role} to do.", ROLES)
    match command:
        case Sit(seat):
            return _sit(table, seat, given)
        case Stand(seat):
            return _stand(table, seat, given)
        case Wager(seat, wagers):
            return _wager(table, seat, wagers, given)
        case Decide(seat, multiple):
            return _decide(table, seat, multiple, given)
        case Perform():
            return _perform(table, given)


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
            return _advanced(table, [events.Decided(seat, multiple)])
        case Perform():
            return _advanced(table, perform(table, given))


def after(table: Table, happened: list[events.Event]) -> Table:
    """Return the table after these events."""
    return reduce(evolve, happened, table)


def _advanced(table: Table, happened: list[events.Event]) -> list[events.Event]:
    """Add that the step is done, where it is, and which of the next ones is due."""
    state = after(table, happened)
    if state.round != table.round or not complete(state):
        return happened
    step = state.step + 1
    while not applies(state, state.rules.steps[step]):
        step += 1
    return [*happened, events.Stepped(step)]


def _sit(table: Table, seat: int, given: Given) -> Refusal | None:
    if not 1 <= seat <= table.rules.seats:
        return Refusal(f"The table has seats 1 to {table.rules.seats}.", _chapter(table, ".2(a)"))
    if seat in table.seated or given.actor in table.seated.values():
        return Refusal("The seat is taken, or you have one.", SEATS)
    box = table.boxes.get(seat)
    if box and box.patron != given.actor:
        return Refusal("Another patron plays this box in this round.", SEATS)
    return None


def _stand(table: Table, seat: int, given: Given) -> Refusal | None:
    if table.seated.get(seat) != given.actor:
        return Refusal("You do not sit there.", SEATS)
    if any(box.patron == given.actor for box in table.boxes.values()):
        return Refusal("Who has wagered stays seated until the round is over.", _chapter(table, ".7(b)"))
    return None


def _wager(table: Table, seat: int, wagers: Mapping[str, int], given: Given) -> Refusal | None:  # noqa: PLR0911 (each its own reason)
    if table.called:
        return Refusal("No more bets: none is made, increased or withdrawn now.", _chapter(table, ".7(c)"))
    own = next((place for place, patron in table.seated.items() if patron == given.actor), None)
    if own is None:
        return Refusal("Only seated players wager.", _chapter(table, ".7(b)"))
    if not 1 <= seat <= table.rules.seats:
        return Refusal(f"The table has boxes 1 to {table.rules.seats}.", _chapter(table, ".2(a)"))
    taken = table.boxes.get(seat)
    if table.seated.get(seat, given.actor) != given.actor or (taken and taken.patron != given.actor):
        return Refusal("Another patron has this box.", SEATS)
    boxes = {box.seat for box in table.boxes.values() if box.patron == given.actor} | {seat}
    if not wagers:
        return None
    reach = boxes | {own}
    if len(boxes) > table.rules.boxes or max(reach) - min(reach) + 1 > len(reach):
        most = table.rules.boxes
        return Refusal(f"A player wagers on at most {most} adjacent boxes.", _chapter(table, ".7(e)"))
    try:
        check_wagers(table.rules.terms, wagers)
    except Mistake as mistake:
        return Refusal(str(mistake), _chapter(table, ".7(d)"))
    return None


def _decide(table: Table, seat: int, multiple: int, given: Given) -> Refusal | None:
    box = to_act(table)
    if box is None:
        return Refusal("There is nothing to decide now.", table.due.cite)
    if box.seat != seat:
        return Refusal(f"It is the turn of seat {box.seat}.", table.due.cite)
    if box.patron != given.actor:
        return Refusal("Another patron plays this box.", table.due.cite)
    decision = table.rules.terms.game.decisions[len(box.decisions)]
    if multiple != FOLD and multiple not in decision.multiples:
        allowed = " or ".join(map(str, decision.multiples))
        return Refusal(f"Wager {allowed} times the Ante, or fold.", decision.cite)
    return None


def _perform(table: Table, given: Given) -> Refusal | None:
    step = table.due
    if step.do is Do.ASK:
        box = to_act(table)
        assert box is not None
        return Refusal(f"Seat {box.seat} has not decided.", step.cite)
    if step.do is Do.SHUFFLE and (len(given.cards) != DECK or len(set(given.cards)) != DECK):
        return Refusal("A deck is 52 different cards.", step.cite)
    if step.do is Do.CALL and not table.boxes:
        return Refusal("Nobody has wagered.", step.cite)
    return None


def _chapter(table: Table, rest: str) -> str:
    return table.due.cite.chapter + rest
