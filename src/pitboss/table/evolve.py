"""How each event changes the table; nothing else does."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pitboss.table import events
from pitboss.table.state import Box, Slot, Table


def evolve(table: Table, event: events.Event) -> Table:
    """Return the table after an event."""
    return _HOW[type(event)](table, event)


def _seated(table: Table, event: events.Seated) -> Table:
    return replace(table, seated={**table.seated, event.seat: event.patron})


def _stood(table: Table, event: events.Stood) -> Table:
    return replace(table, seated={seat: patron for seat, patron in table.seated.items() if seat != event.seat})


def _wagered(table: Table, event: events.Wagered) -> Table:
    boxes = {seat: box for seat, box in table.boxes.items() if seat != event.seat}
    if event.wagers:
        boxes[event.seat] = Box(seat=event.seat, patron=event.patron, wagers=event.wagers)
    return replace(table, boxes=dict(sorted(boxes.items())))


def _shuffled(table: Table, event: events.Shuffled) -> Table:
    return replace(table, shoe=event.cards, rack=())


def _called(table: Table, event: events.Called) -> Table:
    return replace(table, called=True, magic=event.magic, lucky=event.lucky)


def _dealt(table: Table, event: events.Dealt) -> Table:
    if event.source:
        held = table.places[event.source]
        drawn, left = held[: event.cards], held[event.cards :]
        table = replace(table, places={**table.places, event.source: left})
    else:
        drawn = tuple(Slot(card, event.up) for card in table.shoe[: event.cards])
        table = replace(table, shoe=table.shoe[event.cards :])
    if event.seat:
        box = table.boxes[event.seat]
        return _with(replace(table, turn=table.turn + 1), replace(box, cards=(*box.cards, *drawn)))
    if event.place == "rack":
        return replace(table, rack=(*table.rack, *(slot.card for slot in drawn)))
    laid = (*table.places.get(event.place, ()), *drawn)
    return replace(table, places={**table.places, event.place: laid})


def _turned(table: Table, event: events.Turned) -> Table:
    box = table.boxes.get(event.seat)
    held = box.cards if box else table.places[event.place]
    turned = tuple(Slot(slot.card, slot.up or place in event.which) for place, slot in enumerate(held))
    if box:
        return _with(table, replace(box, cards=turned))
    table = replace(table, places={**table.places, event.place: turned})
    return replace(table, meters_at_reveal=event.meters) if event.meters else table


def _decided(table: Table, event: events.Decided) -> Table:
    box = table.boxes[event.seat]
    return _with(table, replace(box, decisions=(*box.decisions, event.multiple)))


def _collected(table: Table, event: events.Collected) -> Table:
    box = table.boxes[event.seat]
    table = _with(table, replace(box, collected=True, racked=event.cards))
    return replace(table, rack=(*table.rack, *(slot.card for slot in box.cards))) if event.cards else table


def _settled(table: Table, event: events.Settled) -> Table:
    return _with(table, replace(table.boxes[event.seat], lines=event.lines, settled=True))


def _stepped(table: Table, event: events.Stepped) -> Table:
    return replace(table, step=event.step, turn=0)


def _racked(table: Table, _: events.Racked) -> Table:
    return replace(table, rack=(*table.rack, *table.shoe), shoe=())


def _cleared(table: Table, _: events.Cleared) -> Table:
    return Table(rules=table.rules, round=table.round + 1, seated=table.seated, rack=tuple(reversed(table.cards)))


def _with(table: Table, box: Box) -> Table:
    return replace(table, boxes={**table.boxes, box.seat: box})


_HOW: Final[Mapping[type[events.Event], Callable[[Table, Any], Table]]] = {
    events.Seated: _seated,
    events.Stood: _stood,
    events.Wagered: _wagered,
    events.Shuffled: _shuffled,
    events.Called: _called,
    events.Dealt: _dealt,
    events.Turned: _turned,
    events.Decided: _decided,
    events.Collected: _collected,
    events.Settled: _settled,
    events.Stepped: _stepped,
    events.Racked: _racked,
    events.Cleared: _cleared,
}
