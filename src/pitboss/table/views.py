"""What somebody may see of a table, and nothing else: a card face down is a blank, whoever it is of."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.games import Line, stakes
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.commands import Role
from pitboss.table.state import Slot, Table
from pitboss.table.steps import dealing_is_over, in_settling_order, next_to_decide

VisibleCards = tuple[str | None, ...]
"""Cards in their order; None is one face down."""


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One box as somebody sees it."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    accepted: Mapping[str, int]
    """Those that the wagering devices of this position have acknowledged."""
    staked: Mapping[str, int]
    """The same, with what was decided on top."""
    decisions: tuple[int, ...]
    cards: VisibleCards
    racked: bool
    tucked: str
    """The wager that its cards are tucked under."""
    left: bool
    """Its player left during the round."""
    lines: tuple[Line, ...]
    nets: Mapping[str, int]
    """What each wager that is settled brought or cost."""
    net: int | None
    """What all of them did, once any is settled."""
    by_hand: int
    """What of it is paid by hand and not to an account, in cents."""
    documented: bool
    """The payout off a meter is documented; what is paid by hand has been paid."""


class StaffView(msgspec.Struct, frozen=True, kw_only=True):
    """What dealer, floorperson and surveillance see besides."""

    dealing: str
    since: int
    """When the deck came to the table."""
    uncounted: int
    """Rounds since the stub was last counted."""
    miscount: int
    inspected_by: str
    set_aside: int
    """Cards found face up."""
    broken: tuple[str, ...]
    covered: tuple[str, ...]
    claims: Mapping[int, tuple[Line, ...]]
    """Payouts that wait for a floorperson, by seat."""
    undocumented: tuple[int, ...]
    """The seats whose hands stay until their payouts are documented."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as somebody sees it."""

    round: int
    due: str
    cite: str
    to_act: int | None
    """The seat that is to decide."""
    called: bool
    spread: str
    """How the cards of a table without play lie until a player has looked: face `down` or `up`."""
    void: str
    """The clause under which the round is void, until a floorperson has acknowledged it."""
    in_inventory: tuple[str, ...]
    """Wagers whose chips are no longer on the layout: they are in the table inventory since before the deal."""
    magic: str | None
    lucky: tuple[str, ...]
    """The card and the positions that the table game system drew."""
    claimed: int | None
    """The seat whose payout waits for a floorperson."""
    seated: Mapping[int, str]
    boxes: tuple[BoxView, ...]
    settles: tuple[int, ...]
    """The seats of the boxes in the order they are settled."""
    places: Mapping[str, VisibleCards]
    root: str
    """The commitment to the order of the deck."""
    shoe: int
    """How many cards are left in it."""
    rack: int
    deadline: int | None
    """When the seat that is to decide has to have decided, where the clock folds."""
    house: StaffView | None


def view(table: Table, viewer: str = "", role: Role | None = None) -> View:
    """Return what a viewer sees: everybody what lies face up, patrons their own cards after the deal.

    Who has a role besides that of a player sees what the house keeps for itself, but no more cards; who neither
    works nor plays here, the public, sees nobody's name.
    """
    box = next_to_decide(table)
    staff = role not in (None, Role.PLAYER)
    names = staff or is_present(table, viewer)
    looks = not staff and bool(viewer) and dealing_is_over(table)  # reading cards-examined
    return View(
        round=table.round,
        due=table.due.do,
        cite=table.due.cite,
        to_act=box.seat if box else None,
        called=table.called,
        spread=table.spread,
        void=table.unacknowledged_void,
        in_inventory=table.in_inventory,
        magic=str(table.magic) if table.magic else None,
        lucky=table.lucky,
        claimed=next((box.seat for box in table.boxes.values() if box.claimed), None),
        deadline=table.deadline if box and table.rules.timeout else None,
        seated={seat: patron if names else "" for seat, patron in table.seated.items()},
        boxes=tuple(
            BoxView(
                seat=box.seat,
                patron=box.patron if names else "",
                wagers=box.wagers,
                accepted=box.accepted,
                staked=stakes(table.rules.terms, box.wagers, box.decisions),
                decisions=box.decisions,
                cards=_visible_cards(box.cards, own=looks and box.patron == viewer),
                racked=box.racked,
                tucked=box.tucked,
                left=box.left,
                lines=box.lines,
                nets=_nets(box.lines),
                net=sum(line.net for line in box.lines) if box.lines else None,
                by_hand=box.paid_by_hand,
                documented=box.documented,
            )
            for box in table.boxes.values()
        ),
        settles=tuple(box.seat for box in in_settling_order(table)),
        places={name: _visible_cards(held) for name, held in table.places.items()},
        root=table.root,
        shoe=len(table.shoe),
        rack=len(table.stub) + len(table.rack),
        house=_house(table) if staff else None,
    )


def is_present(table: Table, name: str) -> bool:
    """Whether a patron sits at a table, or has a box there."""
    return name in table.seated.values() or any(box.patron == name for box in table.boxes.values())


def _nets(lines: Sequence[Line]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for line in lines:
        nets[line.wager] = nets.get(line.wager, 0) + line.net
    return nets


def _house(table: Table) -> StaffView:
    return StaffView(
        dealing=table.rules.dealing,
        since=table.since,
        uncounted=table.uncounted,
        miscount=table.miscount,
        inspected_by=table.inspected_by,
        set_aside=table.set_aside,
        broken=table.broken,
        covered=table.covered,
        claims={box.seat: box.claimed for box in table.boxes.values() if box.claimed},
        undocumented=tuple(box.seat for box in undocumented_boxes(table)),
    )


def cards_seen_by(table: Table, viewer: str) -> set[str]:
    """Return the cards a viewer has seen in this round: those whose openings he may have."""
    seen = view(table, viewer)
    shown = {card for box in seen.boxes for card in box.cards if card}
    return shown | {card for held in seen.places.values() for card in held if card}


def _visible_cards(held: Sequence[Slot], *, own: bool = False) -> VisibleCards:
    return tuple(str(slot.card) if slot.card and (own or slot.up) else None for slot in held)
