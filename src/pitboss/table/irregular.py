"""Irregularities: what section .13 orders when something goes wrong, and the settlement of a void round."""

from collections.abc import Iterator
from typing import Final

from pitboss.games import Line, Outcome, stakes
from pitboss.rulebook.procedures import Do, Effect
from pitboss.submission import Dealing, Shuffler
from pitboss.table import events
from pitboss.table.commands import Given, Refusal, Report
from pitboss.table.settling import box_lines
from pitboss.table.state import Box, Table
from pitboss.table.steps import advanced, after, perform

DEALING: Final = frozenset({Do.LOCK, Do.CHIPS, Do.DEAL, Do.COUNT, Do.STUB})
DEVICES: Final = ("shuffler", "shoe")


def report_refusal(table: Table, report: Report) -> Refusal | None:
    """Say why a report cannot be: the irregularity is none of this game, or not at this moment."""
    known = table.rules.irregularities
    if report.kind not in known:
        return Refusal(
            f"There is no irregularity “{report.kind}”; there are {', '.join(known)}.", "house rule: reports"
        )
    do = table.due.do
    moments = {
        "face-up-card": do in DEALING and bool(table.shoe),
        "drawn-in-error": do in DEALING,
        "wrong-number": any(box.cards for box in table.boxes.values()) and _unsettled(table),
        "exposed": bool(table.places) and _undecided(table),
        "shuffler-jam": do is Do.SHUFFLE and table.rules.shuffler is not Shuffler.NONE,
        "shoe-jam": table.called and _unsettled(table) and table.rules.dealing is Dealing.AUTOMATED_SHOE,
        "malfunction": report.device in DEVICES and report.device not in (*table.broken, *table.covered),
    }
    if not table.ready or table.void or not moments[report.kind]:
        return Refusal(f"That cannot be reported now: {report.kind}.", known[report.kind].cite)
    return None


def reported(table: Table, report: Report, given: Given) -> list[events.Event]:
    """Return what an irregularity orders."""
    irregularity = table.rules.irregularities[report.kind]
    told: list[events.Event] = [events.Reported(report.kind, irregularity.cite, report.device)]
    match irregularity.effect:
        case Effect.SET_ASIDE:
            told.append(events.SetAside())
            return [*told, *voided(after(table, told), irregularity.cite, given)] if table.set_aside else told
        case Effect.VOID:
            return [*told, *voided(table, irregularity.cite, given)]
        case Effect.VOID_BUT_SIDES:
            told += _dealt_out(table, given)
            return [*told, *voided(after(table, told), irregularity.cite, given, sides=True)]
        case _:  # noted; reshuffled, which is due anyway; or out of order, which `Cover` answers
            return told


def voided(table: Table, cite: str, given: Given, *, sides: bool = False) -> list[events.Event]:
    """Return all wagers, except those of the side where the clause has them settled; then the round is void."""
    happened: list[events.Event] = []
    for seat in reversed(list(table.boxes)):
        state = after(table, happened)
        lines = tuple(_void_lines(state, state.boxes[seat], cite, given, sides=sides))
        happened.append(events.Settled(seat, lines))
    return [*happened, events.Voided(cite)]


def _void_lines(table: Table, box: Box, cite: str, given: Given, *, sides: bool) -> Iterator[Line]:
    game = table.rules.terms.game
    base = {game.required, *(decision.wager for decision in game.decisions)}
    keeps = box.folded and table.rules.terms.readings["void-after-fold"] == "no"
    for name, stake in stakes(table.rules.terms, box.wagers, box.decisions).items():
        if keeps and not game.wager(name).survives_fold:
            yield Line(wager=name, outcome=Outcome.FORFEITED, stake=stake, cite=cite, why="Forfeited before the void.")
        elif name in base or not sides:
            why = "The round is void: the wager is returned."
            yield Line(wager=name, outcome=Outcome.RETURNED, stake=stake, returned=stake, cite=cite, why=why)
    if sides:
        whole = box if len(box.decisions) == len(game.decisions) or box.folded else _undecided_box(box)
        yield from (line for line in box_lines(table, whole, given) if line.wager not in base)


def _undecided_box(box: Box) -> Box:
    """Return a box as if its open decision were a fold: its side wagers do not depend on it."""
    return Box(
        seat=box.seat,
        patron=box.patron,
        wagers=box.wagers,
        decisions=(*box.decisions, 0),
        cards=box.cards,
        left=box.left,
    )


def _dealt_out(table: Table, given: Given) -> list[events.Event]:
    """Return the rest of the deal and all cards turned: side wagers are settled on complete hands."""
    happened: list[events.Event] = []
    state = table
    while state.due.do in DEALING:
        happened += advanced(state, perform(state, given))
        state = after(table, happened)
    happened += [events.Turned(tuple(range(len(held))), place=place) for place, held in state.places.items()]
    return [*happened, *(events.Turned(tuple(range(len(box.cards))), seat=box.seat) for box in _shown(state))]


def _shown(table: Table) -> list[Box]:
    return [box for box in table.boxes.values() if not box.racked]


def _unsettled(table: Table) -> bool:
    """Whether a round is being played and no box of it is settled yet."""
    return bool(table.boxes) and not any(box.settled for box in table.boxes.values())


def _undecided(table: Table) -> bool:
    """Whether a decision of the round is still to come."""
    return any(step.do is Do.ASK for step in table.rules.steps[table.step :])
