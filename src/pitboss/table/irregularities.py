"""Irregularities of section .13: their consequences, and the settlement of a void round."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from pitboss.games import FOLD, Line, Outcome, stakes
from pitboss.games.declarations import ByTable
from pitboss.rulebook.procedures import Do, Effect, Irregularity
from pitboss.submission import Dealing, Shuffler
from pitboss.table import events
from pitboss.table.box_settlement import box_lines
from pitboss.table.commands import Given, Refusal, Report
from pitboss.table.decks import uses_two_decks
from pitboss.table.devices import is_shuffled_by_hand
from pitboss.table.evolution import Transition, apply_events, last_table
from pitboss.table.state import Box, Table
from pitboss.table.steps import (
    add_card_names,
    advance,
    applies,
    count_unnamed_cards,
    in_settling_order,
    needs_cards,
    perform,
    without_named_cards,
)

JAM: Final = "shuffler-jam"
DEALING: Final = frozenset({Do.LOCK, Do.CHIPS, Do.DEAL, Do.COUNT, Do.STUB})
_WHEN: Final[Mapping[str, str]] = {
    "face-up-card": "while cards are being dealt",
    "drawn-in-error": "while cards are being dealt",
    "wrong-number": "after the deal has begun, and for a hand that can have that many cards",
    "exposed": "while a card lies face down there and a decision or the reveal is to come",
    JAM: "while a device shuffles",
    "shoe-jam": "while the automated shoe deals",
    "malfunction": "for a device of this table that works",
}
"""When each irregularity can be reported, for the refusal of a report."""


def report_refusal(table: Table, report: Report) -> Refusal | None:
    """Return the reason to refuse a report: unknown irregularity, or wrong moment."""
    known = table.rules.irregularities
    if report.kind not in known:
        return Refusal(f"Unknown irregularity “{report.kind}”; use one of {', '.join(known)}.", "house rule: reports")
    do = table.due.do
    moments = {
        "face-up-card": _is_dealing(table),
        "drawn-in-error": _is_dealing(table),
        "wrong-number": _has_dealt_cards(table) and _is_possible_count(table, report),
        "exposed": _has_face_down_card(table, report.place)
        and (_has_open_decision(table) or _awaits_reveal(table, report.place)),
        JAM: not is_shuffled_by_hand(table) and (do is Do.SHUFFLE or uses_two_decks(table)),
        "shoe-jam": table.rules.dealing is Dealing.AUTOMATED_SHOE and _in_shoe(table),
        "malfunction": report.device in _devices(table) and report.device not in (*table.broken, *table.covered),
    }
    if not table.ready or table.void or not moments[report.kind]:
        return Refusal(f"Report this only {_WHEN[report.kind]}.", known[report.kind].cite)
    return None


def apply_report(table: Table, report: Report, given: Given) -> list[Transition]:
    """Report an irregularity, with its consequences."""
    irregularity = _irregularity(table, report)
    device = report.device if irregularity.effect is Effect.OUT_OF_ORDER else ""
    exposed = report.place if report.kind == "exposed" else ""
    details = (report.seat, report.place, report.cards) if report.kind == "wrong-number" else (0, exposed, None)
    transitions = apply_events(table, [events.Reported(report.kind, irregularity.cite, device, *details)])
    state = transitions[-1].after
    match irregularity.effect:
        case Effect.OUT_OF_ORDER if device == "shoe" and _in_shoe(table):
            jam = table.rules.irregularities["shoe-jam"]  # a shoe that fails during a round cannot deal all cards
            return transitions + void_round(state, jam.cite, given)
        case Effect.SET_ASIDE:
            transitions += apply_events(state, [events.SetAside(given.cards[0] if table.rules.scanned else None)])
            if not table.set_aside:
                return transitions
            return transitions + void_round(transitions[-1].after, irregularity.cite, given)
        case Effect.VOID:
            return transitions + void_round(state, irregularity.cite, given)
        case Effect.VOID_BUT_SIDES:
            transitions += _finish_deal(state, given)
            return transitions + void_round(transitions[-1].after, irregularity.cite, given, sides=True)
        case _:  # only noted; or a reshuffle, due anyway; or out of order, which waits for `Cover`
            return transitions


def _irregularity(table: Table, report: Report) -> Irregularity:
    """Return the rule for a report; a reading decides for an exposed card of a side wager."""
    known = table.rules.irregularities
    if report.kind != "exposed" or report.place not in _side_wager_places(table):
        return known[report.kind]
    if table.rules.terms.readings["all-six-irregular"] == "exposed-plays-on":
        return replace(known["exposed"], effect=Effect.NOTE)
    return known["wrong-number"]


def void_round(table: Table, cite: str, given: Given, *, sides: bool = False) -> list[Transition]:
    """Void a round: wagers are returned; with `sides`, side wagers are settled."""
    transitions: list[Transition] = []
    for seat in [box.seat for box in in_settling_order(table)]:
        if table.boxes[seat].settled:
            transitions += apply_events(table, [events.Reversed(seat)])
            table = transitions[-1].after
        lines = tuple(_void_lines(table, table.boxes[seat], cite, given, sides=sides))
        transitions += apply_events(table, [events.Settled(seat, lines)])
        table = transitions[-1].after
    return transitions + apply_events(table, [events.Voided(cite)])


def _void_lines(table: Table, box: Box, cite: str, given: Given, *, sides: bool) -> Iterator[Line]:
    game = table.rules.terms.game
    base = {game.required, *(decision.wager for decision in game.decisions)}
    keeps = (box.folded or box.collected) and table.rules.terms.readings["void-after-fold"] == "no"
    for name, stake in stakes(table.rules.terms, box.wagers, box.decisions).items():
        if keeps and not game.wager(name).survives_fold:
            fold = game.decisions[max(len(box.decisions) - 1, 0)].cite
            yield Line(
                wager=name,
                outcome=Outcome.FORFEITED,
                stake=stake,
                cite=fold,
                why="Forfeited before the round was void.",
            )
        elif name in base or not sides:
            yield _return_line(name, stake, cite, "The round is void. The wager is returned.")
    if sides:
        short = [name for name in box.wagers if name not in base and not _all_dealt(table, box, name)]
        for name in short:
            yield _return_line(
                name, box.wagers[name], cite, "The round was void before its cards were dealt. Returned."
            )
        # Settled as a fold: void hands have no contest and no bonus on it.
        dealt = {name: stake for name, stake in box.wagers.items() if name not in short}
        folded = replace(box, decisions=(FOLD,), wagers=dealt)
        yield from (line for line in box_lines(table, folded, given) if line.wager not in base)


def _return_line(name: str, stake: int, cite: str, why: str) -> Line:
    return Line(wager=name, outcome=Outcome.RETURNED, stake=stake, returned=stake, cite=cite, why=why)


def _all_dealt(table: Table, box: Box, wager: str) -> bool:
    """Whether all cards that a side wager needs are dealt."""
    terms = table.rules.terms
    by = terms.game.wager(wager).by
    counts = {name: len(cards) for name, cards in table.places.items()} | {"player": len(box.cards)}
    places = by.places if isinstance(by, ByTable) else ()
    return all(counts.get(place.name, 0) >= place.cards for place in terms.game.places if place.name in places)


def _finish_deal(table: Table, given: Given) -> list[Transition]:
    """Finish the deal, unless a reading stops it, and turn all cards for the side wagers."""
    transitions: list[Transition] = []
    state = table
    goes_on = table.rules.terms.readings["exposed-card-side-wagers"] == "deal-out-and-settle"
    while goes_on and state.due.do in DEALING - {Do.COUNT}:  # the stub is counted after the void
        dealt = advance(state, perform(state, given))
        transitions += dealt
        state, given = last_table(state, dealt), without_named_cards(given, dealt)
    turned = [events.Turned(tuple(range(len(slots))), place=place) for place, slots in state.places.items()]
    shown = [box for box in state.boxes.values() if not box.racked and needs_cards(state, box)]
    turned += [events.Turned(tuple(range(len(box.cards))), seat=box.seat) for box in shown]
    for turn in turned:
        up = apply_events(state, [add_card_names(state, turn, given)])
        transitions += up
        state, given = up[-1].after, without_named_cards(given, up)
    return transitions


def report_cards_to_name(table: Table, report: Report, given: Given) -> int:
    """Return how many cards of a scanned shoe a report turns up."""
    match _irregularity(table, report).effect:
        case Effect.SET_ASIDE:
            return 1
        case Effect.VOID_BUT_SIDES:
            return count_unnamed_cards(last_table(table, _finish_deal(table, replace(given, cards=()))))
        case _:
            return 0


def _is_possible_count(table: Table, report: Report) -> bool:
    """Whether a report of a wrong number names no hand, or one that can have that many cards."""
    box = table.boxes.get(report.seat)
    if report.cards is None:
        return not (report.seat or report.place)
    if bool(report.seat) == bool(report.place) or (report.seat and box is None):
        return False
    places = {place.name for place in table.rules.terms.game.places} & table.places.keys()
    if box.racked if box else report.place not in places:  # a stack that is not yet a hand does not count
        return False
    count = len(box.cards if box else table.places[report.place])
    return count != report.cards and 0 <= report.cards <= count + len(table.shoe or table.stub)


def _has_face_down_card(table: Table, where: str) -> bool:
    """Whether a card lies face down at a place; without one, any dealer's or community card."""
    names = {where} if where else {place.name for place in table.rules.terms.game.places} - _side_wager_places(table)
    return any(not slot.up for name, slots in table.places.items() if name in names for slot in slots)


def _side_wager_places(table: Table) -> set[str]:
    """Return the places whose cards belong to one side wager."""
    return {place.name for place in table.rules.terms.game.places if place.only_for}


def _has_dealt_cards(table: Table) -> bool:
    """Whether any card of the round is dealt."""
    return any(table.places.values()) or any(box.cards for box in table.boxes.values())


def _is_dealing(table: Table) -> bool:
    """Whether the deal is under way, with cards still to come from the shoe or deck."""
    begun, step = _has_dealt_cards(table), table.due
    to_come = (step for step in table.rules.steps[table.step :] if step.do is Do.DEAL and not step.source)
    return (begun or step.do is Do.DEAL) and any(applies(table, step) for step in to_come)


def _in_shoe(table: Table) -> bool:
    """Whether cards of this round are still in the automated shoe."""
    rest = table.rules.steps[table.step :]
    return table.called and any(step.do is Do.DEAL and not step.source and not step.by_hand for step in rest)


def _devices(table: Table) -> list[str]:
    """Return the devices of the table that can fail."""
    shoe = table.rules.dealing is Dealing.AUTOMATED_SHOE
    return [*(["shuffler"] if table.rules.shuffler is not Shuffler.NONE else []), *(["shoe"] if shoe else [])]


def _awaits_reveal(table: Table, where: str) -> bool:
    """Whether community cards await the dealer's reveal after the last decision (683a.13(d))."""
    return table.rules.terms.game.contest is None and where not in _side_wager_places(table)


def _has_open_decision(table: Table) -> bool:
    """Whether this round still has a decision to come."""
    return any(step.do is Do.ASK for step in table.rules.steps[table.step :])
