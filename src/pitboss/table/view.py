"""What somebody may see of a table, and nothing else: a card face down is a blank, whoever it is of."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.games import Line
from pitboss.table.state import Slot, Table
from pitboss.table.steps import to_act

Seen = tuple[str | None, ...]
"""Cards in their order; None is one face down."""


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One box as somebody sees it."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    decisions: tuple[int, ...]
    cards: Seen
    racked: bool
    lines: tuple[Line, ...]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as somebody sees it."""

    round: int
    due: str
    cite: str
    to_act: int | None
    """The seat that is to decide."""
    called: bool
    void: str
    """The clause under which the round is void, until a floorperson has acknowledged it."""
    claimed: int | None
    """The seat whose payout waits for a floorperson."""
    seated: Mapping[int, str]
    boxes: tuple[BoxView, ...]
    places: Mapping[str, Seen]
    root: str
    """The commitment to the order of the deck."""
    shoe: int
    """How many cards are left in it."""
    rack: int


def view(table: Table, viewer: str = "") -> View:
    """Return what a viewer sees: a patron his own cards, everybody what lies face up."""
    box = to_act(table)
    return View(
        round=table.round,
        due=table.due.do,
        cite=table.due.cite,
        to_act=box.seat if box else None,
        called=table.called,
        void=table.void,
        claimed=next((box.seat for box in table.boxes.values() if box.claimed), None),
        seated=table.seated,
        boxes=tuple(
            BoxView(
                seat=box.seat,
                patron=box.patron,
                wagers=box.wagers,
                decisions=box.decisions,
                cards=_seen(box.cards, own=bool(viewer) and box.patron == viewer),
                racked=box.racked,
                lines=box.lines,
            )
            for box in table.boxes.values()
        ),
        places={name: _seen(held) for name, held in table.places.items()},
        root=table.root,
        shoe=len(table.shoe),
        rack=len(table.rack),
    )


def seen_cards(table: Table, viewer: str) -> set[str]:
    """Return the cards a viewer has seen in this round: those whose openings he may have."""
    seen = view(table, viewer)
    shown = {card for box in seen.boxes for card in box.cards if card}
    return shown | {card for held in seen.places.values() for card in held if card}


def _seen(held: Sequence[Slot], *, own: bool = False) -> Seen:
    return tuple(str(slot.card) if own or slot.up else None for slot in held)
