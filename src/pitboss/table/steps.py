"""Interpreter of the procedures: whether a step applies, which events it causes, when it is complete."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.games import Line
from pitboss.games.declarations import OnOthers
from pitboss.rulebook.procedures import Do, Step
from pitboss.rulebook.readings import meets_condition
from pitboss.submission.terms import ABANDONED
from pitboss.table import events
from pitboss.table.box_settlement import (
    best_hand,
    box_lines,
    earns_bonus_for,
    late_bonus_lines,
    needs_validation,
    payable_by_hand,
)
from pitboss.table.commands import Given
from pitboss.table.commitment import commit
from pitboss.table.decks import uses_two_decks
from pitboss.table.devices import approved_device_works, is_shuffled_by_hand, stub_count_due
from pitboss.table.evolution import Transition, apply_events, last_table
from pitboss.table.shoe import cut
from pitboss.table.state import Box, Table

BOXES: Final = "boxes"


def advance(table: Table, transitions: list[Transition]) -> list[Transition]:
    """Return the transitions from a table, followed by the next step if this one is complete."""
    state = last_table(table, transitions)
    if state.round != table.round or state.step != table.step or state.ready != table.ready or not is_complete(state):
        return transitions
    return transitions + apply_events(state, [_next_step_event(state)])


def _next_step_event(table: Table) -> events.Event:
    """Return the event after a completed step: the next step, or the opening of the table."""
    if table.back:
        return events.Stepped(table.back)
    if table.void:
        return events.Stepped(len(table.rules.steps) - 1)  # a void round has only its stub count left
    steps = table.rules.steps if table.ready else table.rules.opening
    step = table.step + 1
    while step < len(steps) and not applies(table, steps[step]):
        step += 1
    if step < len(steps):
        return events.Stepped(step)
    if not table.preshuffled and table.opened + 1 < table.rules.decks:
        return events.Stepped(1)  # .4(d): each deck is inspected, spread and washed
    return events.Ready()


def applies(table: Table, step: Step) -> bool:
    """Whether a step applies in the present state."""
    if step.within or (step.needs and not _is_wagered(table, step)):
        return False
    match step.do:
        case Do.DEAL:
            return True
        case Do.ASK:
            return next_to_decide(table, step) is not None
        case Do.COLLECT:
            return next(_boxes_to_collect(table, step), None) is not None
        case Do.CUT:
            return is_shuffled_by_hand(table) or (table.preshuffled and not approved_device_works(table))
        case Do.COUNT:
            return stub_count_due(table)
        case Do.INSPECT | Do.VERIFY | Do.SPREAD | Do.WASH:
            return not table.preshuffled  # .4(e)
        case _:
            return True


def is_complete(table: Table) -> bool:
    """Whether the due step is complete."""
    step = table.due
    match step.do:
        case Do.DEAL:
            return step.to != BOXES or table.turn == len(table.boxes)
        case Do.ASK:
            return next_to_decide(table) is None
        case Do.COLLECT:
            return next(_boxes_to_collect(table, step), None) is None
        case Do.SETTLE:
            return next_to_settle(table) is None
        case _:
            return True


def next_to_decide(table: Table, step: Step | None = None) -> Box | None:
    """Return the next box to decide, clockwise from the dealer's left."""
    step = step or table.due
    if step.do is not Do.ASK:
        return None
    wagers = [decision.wager for decision in table.rules.terms.game.decisions]
    number = wagers.index(step.decision)
    undecided = (box for box in table.boxes.values() if len(box.decisions) == number and not box.folded)
    return next((box for box in undecided if not box.left), None)


def is_timed(table: Table) -> bool:
    """Whether the decision in turn has a deadline: by the table's clock, or by a floorperson's warning."""
    box = next_to_decide(table)
    return box is not None and (bool(table.rules.timeout) or table.warned == (table.round, table.step, box.seat))


def dealing_is_over(table: Table) -> bool:
    """Whether all cards are dealt and the stub is racked, so that players may look at theirs: .11(a)."""
    if table.void:  # a round voided before that has nothing to look at
        return not table.shoe
    return not any(step.do in (Do.DEAL, Do.COUNT, Do.STUB) for step in table.rules.steps[table.step :])


def in_settling_order(table: Table) -> list[Box]:
    """Return the boxes in settling order, counter-clockwise from the dealer's right."""
    return list(table.boxes.values())[::-1]


def next_to_settle(table: Table) -> Box | None:
    """Return the next box to settle."""
    return next((box for box in in_settling_order(table) if not box.settled), None)


def perform(table: Table, given: Given) -> list[Transition]:
    """Perform one move of the due step: one card or stack, one box, or all of it."""
    step = table.due
    return _settle(table, given) if step.do is Do.SETTLE else apply_events(table, _move_events(table, step, given))


def _move_events(table: Table, step: Step, given: Given) -> list[events.Event]:
    """Return the events of one move of a step that settles no box."""
    match step.do:
        case Do.DEAL:
            if step.top:
                return [events.Slid(step.cards, step.to, step.source)]
            dealt = _deal(table, step)
            return [add_card_names(table, dealt, given) if table.rules.scanned else dealt]
        case Do.INSPECT:
            return [events.Inspected(given.actor)]
        case Do.RECEIVE:
            return [events.Received(given.time, given.preshuffled, given.backs)]
        case Do.SHUFFLE:
            stored = [events.Stored((table.deck + 1) % table.rules.decks)] if uses_two_decks(table) else []
            return [events.Shuffled(given.cards, _root(given.cards, given)), *stored]
        case Do.CUT:
            return [events.Cut(given.depth, _root(cut(table.shoe, given.depth), given))]
        case Do.CALL:
            return [events.Called(given.magic, given.lucky)]
        case Do.CHIPS:
            assert given.counted is not None  # or it was refused
            cancelled = tuple(sorted(set(given.without_chip)))
            return [events.ChipsPlaced(step.needs, given.counted, _chip_total(table, step, cancelled), cancelled)]
        case Do.TURN:
            return [add_card_names(table, _turn(table, step, given), given)]
        case Do.COUNT:
            return [] if given.counted is None else [events.Counted(given.counted)]
        case Do.STUB:
            return [events.Racked()]
        case Do.COLLECT:
            box = next(_boxes_to_collect(table, step))
            stay = needs_cards(table, box)
            return [events.Collected(box.seat, cards=not stay, under=_tucked_under(table, box) if stay else "")]
        case Do.CLEAR:
            return [events.Cleared(unattended=not table.seated)]
        case _:  # no event: verifying, spreading, washing, locking out
            return []


def _root(cards: tuple[Card | None, ...], given: Given) -> str:
    """Return the commitment to an order of the deck; empty without salts."""
    known = [card for card in cards if card]
    return commit(known, [bytes.fromhex(salt) for salt in given.salts]).root if given.salts else ""


def _is_wagered(table: Table, step: Step) -> bool:
    terms = table.rules.terms
    if step.do is Do.LOCK:
        return step.needs in terms.offered
    names = table.rules.offered[step.needs]
    return any(names & box.wagers.keys() for box in table.boxes.values())


def _chip_total(table: Table, step: Step, cancelled: tuple[int, ...]) -> int:
    """Return the total of an offered wager's chips, in cents."""
    stand = (seat for seat in table.boxes if seat not in cancelled)
    return sum(sum(table.wagers_of(seat, step.needs).values()) for seat in stand)


def add_card_names(table: Table, event: events.Dealt | events.Turned, given: Given) -> events.Dealt | events.Turned:
    """Add the given names to an event that turns up unknown cards."""
    if not table.rules.scanned:
        return event
    if isinstance(event, events.Dealt):
        unknown = event.cards if event.up and not event.source else 0
    else:
        slots = table.boxes[event.seat].cards if event.seat else table.places[event.place]
        unknown = sum(slots[number].card is None for number in event.which)
    return replace(event, shown=given.cards[:unknown])


def without_named_cards(given: Given, transitions: Iterable[Transition]) -> Given:
    """Return the inputs without the cards that these transitions used."""
    new_events = (one.event for one in transitions)
    used = sum(len(event.shown) for event in new_events if isinstance(event, events.Dealt | events.Turned))
    return replace(given, cards=given.cards[used:]) if used else given


def count_unnamed_cards(table: Table) -> int:
    """Return the number of face-up cards without a name."""
    groups = [*table.places.values(), *(box.cards for box in table.boxes.values())]
    return sum(slot.up and slot.card is None for slots in groups for slot in slots)


def cards_to_name(table: Table, given: Given) -> int:
    """Return how many cards of a scanned shoe the due step turns up."""
    if table.due.do is Do.SETTLE:
        box = next_to_settle(table)
        if box is None or box.racked:
            return 0
        exposed = (slot for turn in exposures(table, box) for slot in table.places[turn.place])
        return sum(slot.card is None for slot in (*box.cards, *exposed))
    if table.due.do in (Do.DEAL, Do.TURN):
        return count_unnamed_cards(last_table(table, perform(table, replace(given, cards=()))))
    return 0


def _deal(table: Table, step: Step) -> events.Dealt:
    if step.to == BOXES:
        seat = list(table.boxes)[table.turn]
        return events.Dealt(step.cards, seat=seat, up=step.up)
    count = step.cards or len(table.places[step.source])
    return events.Dealt(count, place=step.to, source=step.source, up=step.up)


def _turn(table: Table, step: Step, given: Given) -> events.Turned:
    count = len(table.places[step.place])
    first = step.first % count
    which = tuple(range(first, count if not step.cards else first + step.cards))
    contest = table.rules.terms.game.contest
    revealed = contest is not None and step.place in contest.dealer and not step.cards
    return events.Turned(which, place=step.place, meters=given.meters if revealed else {})


def _boxes_to_collect(table: Table, step: Step) -> Iterator[Box]:
    """Yield the boxes whose wagers a step collects: the player folded, or left without deciding."""
    decisions_before = [one.do for one in takewhile(lambda one: one is not step, table.rules.steps)].count(Do.ASK)
    plays_on = table.rules.terms.readings[ABANDONED] == "played-out"
    for box in table.boxes.values():
        abandoned = box.left and not plays_on and len(box.decisions) < decisions_before
        if (box.folded or abandoned) and not box.collected:
            yield box


def _tucked_under(table: Table, box: Box) -> str:
    """Return the first side wager that a folded player's cards can be tucked under."""
    terms = table.rules.terms
    if terms.readings["folded-cards"] != "tucked":
        return ""
    keeps = (wager.name for wager in terms.game.wagers if wager.keeps_cards and not wager.electronic)
    return next((name for name in keeps if box.wagers.get(name)), "")


def needs_cards(table: Table, box: Box) -> bool:
    """Whether a forfeited box's cards stay on the table, for another wager or for Envy."""
    terms = table.rules.terms
    all_lost = box.left and terms.readings[ABANDONED] == "all-lose"
    if not all_lost and any(box.wagers.get(wager.name) and wager.keeps_cards for wager in terms.game.wagers):
        return True
    others = [other for other in table.boxes.values() if earns_bonus_for(table, other, box)]
    shown = (bonus for bonus in terms.game.bonuses if isinstance(bonus.trigger, OnOthers) and terms.envy)
    return any(
        meets_condition(bonus.trigger.folded, terms.readings) and any(other.wagers.get(bonus.on) for other in others)
        for bonus in shown
        if isinstance(bonus.trigger, OnOthers)
    )


def _settle(table: Table, given: Given) -> list[Transition]:
    """Settle the next box: turn its cards, announce its hand, then pay or claim."""
    box = next_to_settle(table)
    assert box is not None
    transitions: list[Transition] = []
    if not box.racked:
        turned = events.Turned(tuple(range(len(box.cards))), seat=box.seat)
        transitions += apply_events(table, [add_card_names(table, turned, given)])
        table = transitions[-1].after
        if table.due.announces:
            hand = best_hand(table, table.boxes[box.seat], table.due.announces)
            transitions += apply_events(table, [events.Announced(box.seat, hand)])
        for step in exposures(table, box):
            rest = without_named_cards(given, transitions)
            transitions += apply_events(table, [add_card_names(table, _turn(table, step, rest), rest)])
            table = transitions[-1].after
        box = table.boxes[box.seat]
    lines = box_lines(table, box, without_named_cards(given, transitions))
    if needs_validation(table, lines):
        return transitions + apply_events(table, [events.Claimed(box.seat, lines)])
    return transitions + apply_events(table, settlement_events(table, box, lines))


def exposures(table: Table, box: Box) -> list[Step]:
    """Return the steps that turn face-down cards while a box is settled, for a wager that it has."""
    within = [step for step in table.rules.steps if step.within is Do.SETTLE]
    needed = [step for step in within if table.rules.offered[step.needs] & box.wagers.keys()]
    return [step for step in needed if not all(slot.up for slot in table.places[step.place])]


def settlement_events(
    table: Table, box: Box, lines: tuple[Line, ...], validated_by: tuple[str, ...] = ()
) -> Iterator[events.Event]:
    """Yield the settlement of a box, and the bonuses that its hand earns boxes settled before it."""
    yield events.Settled(box.seat, lines, payable_by_hand(table, lines), validated_by)
    for earlier in table.boxes.values():
        if earlier.settled and (added := late_bonus_lines(table, earlier, replace(box, lines=lines))):
            yield events.Added(earlier.seat, added)
