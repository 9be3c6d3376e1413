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

SHUFFLER_JAM: Final = "shuffler-jam"
SHOE_JAM: Final = "shoe-jam"
_STEPS_UNTIL_DEALT: Final = frozenset({Do.LOCK, Do.CHIPS, Do.DEAL, Do.STUB})
"""The steps of a deal. The stub is counted later, after the void."""
_REPORTABLE_WHEN: Final[Mapping[str, str]] = {
    "face-up-card": "while cards are being dealt",
    "drawn-in-error": "while cards are being dealt",
    "wrong-number": "after the deal has begun, and for a hand that can have that many cards",
    "exposed": "while a card lies face down at that place, before the last decision or the reveal",
    SHUFFLER_JAM: "while a device shuffles",
    SHOE_JAM: "while the automated shoe deals",
    "malfunction": "for a device of this table that is not already out of order",
}
"""When each irregularity can be reported, for the refusal of a report."""


def report_refusal(table: Table, report: Report) -> Refusal | None:
    """Return the reason to refuse a report: unknown irregularity, or one that cannot occur now."""
    known = table.rules.irregularities
    if report.kind not in known:
        return Refusal(f"Unknown irregularity “{report.kind}”; use one of {', '.join(known)}.", "house rule: reports")
    due = table.due.do
    can_be_reported = {
        "face-up-card": _is_dealing(table),
        "drawn-in-error": _is_dealing(table),
        "wrong-number": _has_dealt_cards(table) and _is_possible_count(table, report),
        "exposed": _has_face_down_card(table, report.place)
        and (_has_open_decision(table) or _has_community_cards_at(table, report.place)),
        SHUFFLER_JAM: not is_shuffled_by_hand(table) and (due is Do.SHUFFLE or uses_two_decks(table)),
        SHOE_JAM: table.rules.dealing is Dealing.AUTOMATED_SHOE and _shoe_has_cards_to_deal(table),
        "malfunction": report.device in _devices_that_can_fail(table)
        and report.device not in (*table.broken, *table.covered),
    }
    if not table.ready or table.void or not can_be_reported[report.kind]:
        return Refusal(f"Report this only {_REPORTABLE_WHEN[report.kind]}.", known[report.kind].cite)
    return None


def apply_report(table: Table, report: Report, given: Given) -> list[Transition]:
    """Return the transitions of a report and of its consequences."""
    rule = _rule_for(table, report)
    device = report.device if rule.effect is Effect.OUT_OF_ORDER else ""
    reported = events.Reported(report.kind, rule.cite, device)
    if report.kind == "wrong-number":
        reported = replace(reported, seat=report.seat, place=report.place, cards=report.cards)
    elif report.kind == "exposed":
        reported = replace(reported, place=report.place)
    is_first = not table.set_aside
    transitions = apply_events(table, [reported])
    state = transitions[-1].after
    match rule.effect:
        case Effect.OUT_OF_ORDER if device == "shoe" and _shoe_has_cards_to_deal(table):
            jam = table.rules.irregularities[SHOE_JAM]  # a shoe that fails during a round cannot deal all cards
            return transitions + void_round(state, jam.cite, given)
        case Effect.SET_ASIDE:
            transitions += apply_events(state, [events.SetAside(given.cards[0] if table.rules.scanned else None)])
            if is_first:
                return transitions
            return transitions + void_round(transitions[-1].after, rule.cite, given)
        case Effect.VOID:
            return transitions + void_round(state, rule.cite, given)
        case Effect.VOID_BUT_SIDES:
            transitions += _finish_deal(state, given)
            return transitions + void_round(transitions[-1].after, rule.cite, given, settles_side_wagers=True)
        case Effect.NOTE | Effect.RESHUFFLE | Effect.OUT_OF_ORDER:
            # a note changes nothing; a reshuffle is due anyway; a device out of order waits for `Cover`
            return transitions


def _rule_for(table: Table, report: Report) -> Irregularity:
    """Return the rule for a report.

    If a side wager's card is exposed, the reading all-six-irregular chooses the rule.
    """
    known = table.rules.irregularities
    if report.kind != "exposed" or report.place not in _side_wager_places(table):
        return known[report.kind]
    if table.rules.terms.readings["all-six-irregular"] == "exposed-plays-on":
        return replace(known["exposed"], effect=Effect.NOTE)
    return known["wrong-number"]


def void_round(table: Table, cite: str, given: Given, *, settles_side_wagers: bool = False) -> list[Transition]:
    """Void a round: wagers are returned; with `settles_side_wagers`, side wagers are settled."""
    transitions: list[Transition] = []
    for seat in [box.seat for box in in_settling_order(table)]:  # a list, since `table` changes in the loop
        if table.boxes[seat].settled:
            transitions += apply_events(table, [events.Reversed(seat)])
            table = transitions[-1].after
        lines = tuple(_void_lines(table, table.boxes[seat], cite, given, settles_side_wagers=settles_side_wagers))
        transitions += apply_events(table, [events.Settled(seat, lines)])
        table = transitions[-1].after
    return transitions + apply_events(table, [events.Voided(cite)])


def _void_lines(table: Table, box: Box, cite: str, given: Given, *, settles_side_wagers: bool) -> Iterator[Line]:
    game = table.rules.terms.game
    main_wagers = {game.required, *(decision.wager for decision in game.decisions)}
    forfeits_stand = (box.folded or box.collected) and table.rules.terms.readings["void-after-fold"] == "no"
    for name, stake in stakes(table.rules.terms, box.wagers, box.decisions).items():
        if forfeits_stand and not game.wager(name).survives_fold:
            fold_cite = game.decisions[max(len(box.decisions) - 1, 0)].cite
            yield Line(
                wager=name,
                outcome=Outcome.FORFEITED,
                stake=stake,
                cite=fold_cite,
                why="Forfeited before the round was void.",
            )
        elif name in main_wagers or not settles_side_wagers:
            yield _return_line(name, stake, cite, "The round is void. The wager is returned.")
    if settles_side_wagers:
        undealt = [name for name in box.wagers if name not in main_wagers and not _all_dealt(table, box, name)]
        why = "The round was voided before this wager's cards were dealt. The wager is returned."
        for name in undealt:
            yield _return_line(name, box.wagers[name], cite, why)
        # Settle as if folded: a void hand has no contest, and so no bonus on a contest.
        dealt_wagers = {name: stake for name, stake in box.wagers.items() if name not in undealt}
        folded = replace(box, decisions=(FOLD,), wagers=dealt_wagers)
        yield from (line for line in box_lines(table, folded, given) if line.wager not in main_wagers)


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
    """Finish the deal, unless a reading stops it, and turn up the cards that side wagers need."""
    transitions: list[Transition] = []
    state = table
    deals_out = table.rules.terms.readings["exposed-card-side-wagers"] == "deal-out-and-settle"
    while deals_out and state.due.do in _STEPS_UNTIL_DEALT:
        dealt = advance(state, perform(state, given))
        transitions += dealt
        state, given = last_table(state, dealt), without_named_cards(given, dealt)
    turn_events = [events.Turned(tuple(range(len(slots))), place=place) for place, slots in state.places.items()]
    boxes_to_turn = [box for box in state.boxes.values() if not box.racked and needs_cards(state, box)]
    turn_events += [events.Turned(tuple(range(len(box.cards))), seat=box.seat) for box in boxes_to_turn]
    for event in turn_events:
        applied = apply_events(state, [add_card_names(state, event, given)])
        transitions += applied
        state, given = applied[-1].after, without_named_cards(given, applied)
    return transitions


def count_cards_a_report_turns(table: Table, report: Report, given: Given) -> int:
    """Return how many cards of a scanned shoe a report turns up."""
    match _rule_for(table, report).effect:
        case Effect.SET_ASIDE:
            return 1
        case Effect.VOID_BUT_SIDES:
            return count_unnamed_cards(last_table(table, _finish_deal(table, replace(given, cards=()))))
        case _:
            return 0


def _is_possible_count(table: Table, report: Report) -> bool:
    """Whether a report of a wrong number names no hand, or one that can have that many cards."""
    box = table.boxes.get(report.seat)
    # without a count no hand may be named; with one, exactly one hand
    if report.cards is None:
        return not (report.seat or report.place)
    if bool(report.seat) == bool(report.place) or (report.seat and box is None):
        return False
    places = {place.name for place in table.rules.terms.game.places} & table.places.keys()
    is_hand = not box.racked if box else report.place in places  # a stack in the rack is not yet a hand
    if not is_hand:
        return False
    count = len(box.cards if box else table.places[report.place])
    undealt = table.shoe or table.stub
    return count != report.cards and 0 <= report.cards <= count + len(undealt)


def _has_face_down_card(table: Table, place: str) -> bool:
    """Whether a card lies face down at a place; for an empty name, at any place but those of side wagers."""
    names = {place} if place else {one.name for one in table.rules.terms.game.places} - _side_wager_places(table)
    return any(not slot.up for name, slots in table.places.items() if name in names for slot in slots)


def _side_wager_places(table: Table) -> set[str]:
    """Return the places whose cards belong to one side wager."""
    return {place.name for place in table.rules.terms.game.places if place.only_for}


def _has_dealt_cards(table: Table) -> bool:
    """Whether any card of the round is dealt."""
    return any(table.places.values()) or any(box.cards for box in table.boxes.values())


def _is_dealing(table: Table) -> bool:
    """Whether the deal is under way, with cards still to come from the shoe or deck."""
    begun, due = _has_dealt_cards(table), table.due
    to_come = (step for step in table.rules.steps[table.step :] if step.do is Do.DEAL and not step.source)
    return (begun or due.do is Do.DEAL) and any(applies(table, step) for step in to_come)


def _shoe_has_cards_to_deal(table: Table) -> bool:
    """Whether the automated shoe still has cards of this round to deal."""
    rest = table.rules.steps[table.step :]
    return table.called and any(step.do is Do.DEAL and not step.source and not step.by_hand for step in rest)


def _devices_that_can_fail(table: Table) -> list[str]:
    """Return the shuffler and the automated shoe, if the table has them."""
    shoe = table.rules.dealing is Dealing.AUTOMATED_SHOE
    return [*(["shuffler"] if table.rules.shuffler is not Shuffler.NONE else []), *(["shoe"] if shoe else [])]


def _has_community_cards_at(table: Table, place: str) -> bool:
    """Whether the game is without a dealer's hand, so that a place's cards are community cards (683a.13(d)).

    The dealer reveals them after the last decision. Places of side wagers do not count.
    """
    return table.rules.terms.game.contest is None and place not in _side_wager_places(table)


def _has_open_decision(table: Table) -> bool:
    """Whether this round still has a decision to come."""
    return any(step.do is Do.ASK for step in table.rules.steps[table.step :])
