"""How each event changes the table; nothing else does."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.rulebook.procedures import Do
from pitboss.table import events
from pitboss.table.devices import approved_device_works, is_shuffled_by_hand, stub_count_due
from pitboss.table.shoe import cut
from pitboss.table.state import Box, Slot, Table

UNKNOWN: Final[tuple[Card | None, ...]] = (None,) * len(DECK)
"""A deck of unknown order, for a scanned shoe."""


def evolve(table: Table, event: events.Event) -> Table:
    """Return the table after an event."""
    return _EFFECTS[type(event)](table, event)


def _seated(table: Table, event: events.Seated) -> Table:
    unattended = table.unattended and not approved_device_works(table)
    return replace(table, seated={**table.seated, event.seat: event.patron}, unattended=unattended)


def _stood(table: Table, event: events.Stood) -> Table:
    seated = {seat: patron for seat, patron in table.seated.items() if seat != event.seat}
    return _mark_unattended(replace(table, seated=seated))


def _mark_unattended(table: Table) -> Table:
    """Mark an open table as unattended if it has neither players nor boxes."""
    return replace(table, unattended=True) if table.ready and not table.seated and not table.boxes else table


def _wagered(table: Table, event: events.Wagered) -> Table:
    boxes = {seat: box for seat, box in table.boxes.items() if seat != event.seat}
    if event.wagers:
        wagers = dict(sorted(event.wagers.items()))  # records sort them too, so a replay keeps the order
        boxes[event.seat] = Box(seat=event.seat, patron=event.patron, wagers=wagers)
        table = replace(table, unattended=False)  # a player wagers: .5(f) no longer applies
    return replace(table, boxes=dict(sorted(boxes.items())))


def _accepted(table: Table, event: events.Accepted) -> Table:
    return _replace_box(table, replace(table.boxes[event.seat], accepted=event.wagers))


def _shuffled(table: Table, event: events.Shuffled) -> Table:
    return replace(table, shoe=event.cards or UNKNOWN, stub=(), rack=(), root=event.root, was_cut=False, jammed=False)


def _called(table: Table, event: events.Called) -> Table:
    return replace(table, called=True, magic=event.magic, lucky=event.lucky)


def _chipsplaced(table: Table, event: events.ChipsPlaced) -> Table:
    names = table.rules.offered[event.offer]
    for seat in event.cancelled:
        box = table.boxes[seat]
        others = ((name, amount) for name, amount in box.wagers.items() if name not in names)
        lit = ((name, amount) for name, amount in box.accepted.items() if name not in names)
        table = _replace_box(table, replace(box, wagers=dict(others), accepted=dict(lit)))
    return replace(table, in_inventory=(*table.in_inventory, *sorted(names)))


def _dealt(table: Table, event: events.Dealt) -> Table:
    if event.seat and not event.source:  # most cards go from the shoe to a box
        box = table.boxes[event.seat]
        dealt = tuple(Slot(card, event.up) for card in event.shown or table.shoe[: event.cards])
        boxes = {**table.boxes, event.seat: replace(box, cards=(*box.cards, *dealt))}
        return replace(table, shoe=table.shoe[event.cards :], boxes=boxes, turn=table.turn + 1)
    if event.source:
        slots = table.places[event.source]
        drawn, left = slots[: event.cards], slots[event.cards :]
        table = replace(table, places={**table.places, event.source: left})
    else:
        drawn = tuple(Slot(card, event.up) for card in event.shown or table.shoe[: event.cards])
        table = replace(table, shoe=table.shoe[event.cards :])
    if event.place == "rack":
        return replace(table, rack=(*table.rack, *(slot.card for slot in drawn)))
    return _replace_place(table, event.place, (*table.places.get(event.place, ()), *drawn))


def _slid(table: Table, event: events.Slid) -> Table:
    pile = table.places[event.source]
    table = replace(table, places={**table.places, event.source: pile[: -event.cards]})
    return _replace_place(table, event.place, (*table.places.get(event.place, ()), *pile[-event.cards :][::-1]))


def _turned(table: Table, event: events.Turned) -> Table:
    box = table.boxes.get(event.seat)
    slots = box.cards if box else table.places[event.place]
    names = iter(event.shown)
    turned = list(slots)
    for place in event.which:
        turned[place] = Slot(slots[place].card or next(names, None), True)  # noqa: FBT003 (face up)
    if box:
        return _replace_box(table, replace(box, cards=tuple(turned)))
    table = _replace_place(table, event.place, tuple(turned))
    if not event.meters:
        return table
    boxes = {seat: replace(box, absent=box.left) for seat, box in table.boxes.items()}
    return replace(table, meters_at_reveal=event.meters, boxes=boxes)


def _decided(table: Table, event: events.Decided) -> Table:
    box = table.boxes[event.seat]
    return _replace_box(table, replace(box, decisions=(*box.decisions, event.multiple)))


def _collected(table: Table, event: events.Collected) -> Table:
    box = table.boxes[event.seat]
    table = _replace_box(table, replace(box, collected=True, racked=event.cards, tucked=event.under))
    return replace(table, rack=(*table.rack, *(slot.card for slot in box.cards))) if event.cards else table


def _settled(table: Table, event: events.Settled) -> Table:
    box = table.boxes[event.seat]
    validated = {"by_hand": event.by_hand, "validated_by": event.validated_by}
    return _replace_box(table, replace(box, lines=event.lines, claimed=(), settled=True, **validated))


def _added(table: Table, event: events.Added) -> Table:
    box = table.boxes[event.seat]
    return _replace_box(table, replace(box, lines=(*box.lines, *event.lines)))


def _stepped(table: Table, event: events.Stepped) -> Table:
    again = not table.ready and event.step <= table.step  # the next deck of two is opened: .4(d)
    return replace(table, step=event.step, turn=0, back=0, opened=table.opened + again)


def _racked(table: Table, _: events.Racked) -> Table:
    return replace(table, stub=table.shoe, shoe=())


def _cleared(table: Table, event: events.Cleared) -> Table:
    return replace(
        Table(rules=table.rules, ready=True, seated=table.seated, rack=tuple(reversed(table.cards))),
        round=table.round + 1,
        now=table.now,
        since=table.since,
        # Two decks only with an automated shuffler: .3(b).
        deck=table.deck if is_shuffled_by_hand(table) else (table.deck + 1) % table.rules.decks,
        uncounted=table.uncounted + 1,
        unattended=event.unattended,
        jammed=table.jammed,
        covered=table.covered,
        broken=table.broken,
        made_by=table.made_by,
    )


def _received(table: Table, event: events.Received) -> Table:
    return replace(table, since=event.time, preshuffled=event.preshuffled, uncounted=0, opened=0)


def _takenover(table: Table, event: events.TakenOver) -> Table:
    return replace(table, made_by=(event.rules, event.engine))


def _ready(table: Table, _: events.Ready) -> Table:
    return replace(table, ready=True, step=0, turn=0, spread="")


def _removed(table: Table, _: events.Removed) -> Table:
    return replace(
        Table(rules=table.rules, seated=table.seated),
        boxes={} if table.called else table.boxes,  # wagers before the call stay
        round=table.round + table.called,
        now=table.now,
        void=table.unacknowledged_void,
        covered=table.covered,
        broken=table.broken,
        made_by=table.made_by,
    )


def _cut(table: Table, event: events.Cut) -> Table:
    return replace(table, shoe=cut(table.shoe, event.depth), preshuffled=False, was_cut=True, root=event.root)


def _counted(table: Table, event: events.Counted) -> Table:
    miscount = event.cards - table.expected_stub_count
    return replace(table, miscount=miscount, uncounted=-1)  # this round is the first of the next five


def _reported(table: Table, event: events.Reported) -> Table:
    if event.cards is not None:
        return _correct_card_count(table, event, event.cards)
    if event.kind == "shuffler-jam":
        return replace(table, jammed=True)
    return replace(table, broken=(*table.broken, event.device)) if event.device else table


def _correct_card_count(table: Table, event: events.Reported, cards: int) -> Table:
    """Set the actual number of cards of a hand; the difference comes from or goes to the stub."""
    box = table.boxes.get(event.seat)
    slots = box.cards if box else table.places[event.place]
    stub = "shoe" if table.shoe else "stub"
    left: tuple[Card | None, ...] = getattr(table, stub)
    more = max(cards - len(slots), 0)
    slots, spare = slots[:cards], tuple(slot.card for slot in slots[cards:])
    slots = (*slots, *(Slot(card) for card in left[len(left) - more :]))
    table = replace(table, **{stub: (*left[: len(left) - more], *spare)})
    return _replace_box(table, replace(box, cards=slots)) if box else _replace_place(table, event.place, slots)


def _reversed(table: Table, event: events.Reversed) -> Table:
    unsettled = {"lines": (), "settled": False, "documented": False, "by_hand": (), "aside": {}}
    return _replace_box(table, replace(table.boxes[event.seat], **unsettled))


def _dealingchanged(table: Table, event: events.DealingChanged) -> Table:
    steps = table.rules.ways[event.dealing]
    return replace(table, rules=replace(table.rules, dealing=event.dealing, steps=steps))


def _timed(table: Table, event: events.Timed) -> Table:
    warned = (table.round, table.step, event.warned) if event.warned else ()
    return replace(table, deadline=event.deadline, warned=warned)


def _announced(table: Table, _: events.Announced) -> Table:
    return table  # no change: the cards are face up


def _timedout(table: Table, _: events.TimedOut) -> Table:
    return table  # no change: `Decided` folds the box


def _setaside(table: Table, event: events.SetAside) -> Table:
    top, *rest = table.shoe
    return replace(table, shoe=tuple(rest), rack=(*table.rack, event.shown or top), set_aside=table.set_aside + 1)


def _voided(table: Table, event: events.Voided) -> Table:
    steps = table.rules.steps
    count = next((place for place, step in enumerate(steps) if step.do is Do.COUNT), None)
    uncounted = count is not None and bool(table.shoe) and stub_count_due(table)  # reading void-round-in-count
    return replace(table, void=event.cite, step=count if uncounted else len(steps) - 1, turn=0)


def _acknowledged(table: Table, _: events.Acknowledged) -> Table:
    if not table.boxes:  # the deck was removed, so the round is gone
        return replace(table, void="")
    return replace(table, acknowledged=True)


def _documented(table: Table, event: events.Documented) -> Table:
    return _replace_box(table, replace(table.boxes[event.seat], documented=True))


def _idled(table: Table, event: events.Idled) -> Table:
    # .5(f): after a player has looked, the cards are washed and shuffled as after the opening.
    wash = next(place for place, step in enumerate(table.rules.opening) if step.do is Do.WASH)
    return replace(
        table,
        ready=False,
        step=wash,
        turn=0,
        back=0,
        unattended=False,
        spread="up" if event.face_up else "down",
        opened=table.rules.decks - 1,  # one wash covers all spread decks
        preshuffled=False,
        root="",
        shoe=(),
        rack=tuple(table.cards),
    )


def _stored(table: Table, _: events.Stored) -> Table:
    return table  # no change: `deck` has the deck in use


def _inspected(table: Table, event: events.Inspected) -> Table:
    return replace(table, inspected_by=event.by)


def _recutting(table: Table, _: events.Recutting) -> Table:
    cut_step = next(place for place, step in enumerate(table.rules.steps) if step.do is Do.CUT)
    return replace(table, step=cut_step, turn=0, back=table.step)


def _rejected(table: Table, event: events.Rejected) -> Table:
    return _replace_box(table, replace(table.boxes[event.seat], claimed=()))


def _withheld(table: Table, event: events.Withheld) -> Table:
    return _replace_box(table, replace(table.boxes[event.seat], aside=event.aside))  # the next event settles the box


def _reshuffling(table: Table, _: events.Reshuffling) -> Table:
    return replace(table, step=0, turn=0, back=0, shoe=(), rack=tuple(table.cards), root="", preshuffled=False)


def _corrected(table: Table, event: events.Corrected) -> Table:
    box = table.boxes.get(event.seat)
    slots = list(box.cards if box else table.places[event.place])
    slots[event.number] = Slot(event.card, up=True)
    return (
        _replace_box(table, replace(box, cards=tuple(slots)))
        if box
        else _replace_place(table, event.place, tuple(slots))
    )


def _passed(table: Table, event: events.Passed) -> Table:
    return replace(table, now=event.time)


def _repaired(table: Table, event: events.Repaired) -> Table:
    return replace(table, covered=tuple(device for device in table.covered if device != event.device))


def _covered(table: Table, event: events.Covered) -> Table:
    broken = tuple(device for device in table.broken if device != event.device)
    return replace(table, broken=broken, covered=(*table.covered, event.device))


def _left(table: Table, event: events.Left) -> Table:
    seated = {seat: patron for seat, patron in table.seated.items() if seat != event.seat}
    gone = table.seated[event.seat]
    if not table.called:  # no cards yet: the player takes the wagers back
        boxes = {seat: box for seat, box in table.boxes.items() if box.patron != gone}
        return _mark_unattended(replace(table, seated=seated, boxes=boxes))
    boxes = {  # settled and claimed boxes stay as they are
        seat: replace(box, left=True) if box.patron == gone and not (box.settled or box.claimed) else box
        for seat, box in table.boxes.items()
    }
    return replace(table, seated=seated, boxes=boxes)


def _claimed(table: Table, event: events.Claimed) -> Table:
    return _replace_box(table, replace(table.boxes[event.seat], claimed=event.lines))


def _replace_box(table: Table, box: Box) -> Table:
    return replace(table, boxes={**table.boxes, box.seat: box})


def _replace_place(table: Table, place: str, slots: tuple[Slot, ...]) -> Table:
    return replace(table, places={**table.places, place: slots})


_EFFECTS: Final[Mapping[type[events.Event], Callable[[Table, Any], Table]]] = {
    events.Seated: _seated,
    events.Stood: _stood,
    events.Wagered: _wagered,
    events.Shuffled: _shuffled,
    events.Called: _called,
    events.ChipsPlaced: _chipsplaced,
    events.Dealt: _dealt,
    events.Slid: _slid,
    events.Turned: _turned,
    events.Decided: _decided,
    events.Collected: _collected,
    events.Announced: _announced,
    events.Settled: _settled,
    events.Added: _added,
    events.Stepped: _stepped,
    events.Racked: _racked,
    events.Cleared: _cleared,
    events.Received: _received,
    events.Ready: _ready,
    events.Removed: _removed,
    events.Cut: _cut,
    events.Counted: _counted,
    events.Reported: _reported,
    events.SetAside: _setaside,
    events.Voided: _voided,
    events.Acknowledged: _acknowledged,
    events.Covered: _covered,
    events.Documented: _documented,
    events.Idled: _idled,
    events.Inspected: _inspected,
    events.Recutting: _recutting,
    events.Rejected: _rejected,
    events.Repaired: _repaired,
    events.Left: _left,
    events.Claimed: _claimed,
    events.Reversed: _reversed,
    events.DealingChanged: _dealingchanged,
    events.Timed: _timed,
    events.TimedOut: _timedout,
    events.Withheld: _withheld,
    events.Reshuffling: _reshuffling,
    events.Corrected: _corrected,
    events.Passed: _passed,
    events.TakenOver: _takenover,
    events.Stored: _stored,
    events.Accepted: _accepted,
}
