"""View of a table for one viewer; hidden cards are left out."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.games import Line, stakes
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.commands import Role
from pitboss.table.state import Box, Slot, Table
from pitboss.table.steps import dealing_is_over, in_settling_order, is_timed, next_to_decide
from pitboss.table.visible_hands import dealer_hand, player_hand, visible_rows

VisibleCards = tuple[str | None, ...]
"""Cards in order; None for a hidden one."""


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One box as a viewer sees it."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    accepted: Mapping[str, int]
    """Wagers that the wagering devices of this position acknowledged."""
    staked: Mapping[str, int]
    """All stakes: the wagers, and those added by decisions."""
    decisions: tuple[int, ...]
    cards: VisibleCards
    racked: bool
    tucked: str
    """The wager that the cards are tucked under."""
    left: bool
    """The player left during the round."""
    lines: tuple[Line, ...]
    nets: Mapping[str, int]
    """Net result of each settled wager, in cents."""
    net: int | None
    """Net result of the box, in cents; None before settlement."""
    by_hand: int
    """Part payable by hand, in cents."""
    documented: bool
    """The meter payout is documented, and any payment by hand is made."""
    hand: str = ""
    """Name of the hand: “Two pair, aces and eights”; empty while the viewer does not see all its cards."""
    rows: Mapping[str, str] = {}
    """The paytable row that the visible cards make for each wager with a stake or still to decide."""


class StaffView(msgspec.Struct, frozen=True, kw_only=True):
    """Additional fields for dealer, floorperson and surveillance."""

    dealing: str
    since: int
    """Time when the deck was received."""
    uncounted: int
    """Rounds since the stub was last counted."""
    miscount: int
    inspected_by: str
    set_aside: int
    """Number of cards set aside because they were face up."""
    broken: tuple[str, ...]
    covered: tuple[str, ...]
    claims: Mapping[int, tuple[Line, ...]]
    """Payouts awaiting validation, by seat."""
    undocumented: tuple[int, ...]
    """Seats whose payouts are not documented yet."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a viewer sees it."""

    round: int
    due: str
    cite: str
    to_act: int | None
    """Seat whose decision is due."""
    called: bool
    spread: str
    """How the cards are spread at a table without players: `down`, `up`, or empty."""
    void: str
    """The clause of a void that no floorperson has acknowledged yet."""
    in_inventory: tuple[str, ...]
    """Wagers whose chips went to the table inventory before the deal."""
    magic: str | None
    lucky: tuple[str, ...]
    """Positions that the table game system drew; `magic` is the card it drew."""
    claimed: int | None
    """Seat whose payout awaits validation."""
    seated: Mapping[int, str]
    boxes: tuple[BoxView, ...]
    settles: tuple[int, ...]
    """Seats in settling order."""
    places: Mapping[str, VisibleCards]
    root: str
    """Public commitment to the order of the deck."""
    shoe: int
    """Number of undealt cards."""
    rack: int
    deadline: int | None
    """Deadline of the due decision, if it is timed."""
    house: StaffView | None
    hands: Mapping[str, str] = {}
    """Names of hands outside the boxes, by place: the dealer's."""


def view(table: Table, viewer: str = "", role: Role | None = None) -> View:
    """Return the table for a viewer: face-up cards, and for patrons their own cards after the deal.

    Staff also see `house`, but no further cards. The public, who neither work nor play here, see no names.
    """
    box = next_to_decide(table)
    staff = role not in (None, Role.PLAYER)
    names = staff or is_present(table, viewer)
    looks = not staff and bool(viewer) and dealing_is_over(table)  # reading cards-examined
    places = {name: _visible_cards(held) for name, held in table.places.items()}
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
        deadline=table.deadline if is_timed(table) else None,
        seated={seat: patron if names else "" for seat, patron in table.seated.items()},
        boxes=tuple(
            _box(table, box, places, names=names, own=looks and box.patron == viewer) for box in table.boxes.values()
        ),
        settles=tuple(box.seat for box in in_settling_order(table)),
        places=places,
        root=table.root,
        shoe=len(table.shoe),
        rack=len(table.stub) + len(table.rack),
        house=_house(table) if staff else None,
        hands=dealer_hand(table.rules.terms, places),
    )


def _box(table: Table, box: Box, places: Mapping[str, VisibleCards], *, names: bool, own: bool) -> BoxView:
    terms, cards = table.rules.terms, _visible_cards(box.cards, own=own)
    staked, seen = stakes(terms, box.wagers, box.decisions), {**places, "player": cards}
    due = [] if box.folded or box.left else [step.wager for step in terms.game.decisions[len(box.decisions) :]]
    return BoxView(
        seat=box.seat,
        patron=box.patron if names else "",
        wagers=box.wagers,
        accepted=box.accepted,
        staked=staked,
        decisions=box.decisions,
        cards=cards,
        racked=box.racked,
        tucked=box.tucked,
        left=box.left,
        lines=box.lines,
        nets=_nets(box.lines),
        net=sum(line.net for line in box.lines) if box.lines else None,
        by_hand=box.paid_by_hand,
        documented=box.documented,
        hand=player_hand(terms, seen),
        rows=visible_rows(terms, seen, {*staked, *due}),
    )


def is_present(table: Table, name: str) -> bool:
    """Whether a patron has a seat or a box at the table."""
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
    """Return the cards that a viewer can see, and whose commitment openings are therefore theirs to check."""
    visible = view(table, viewer)
    shown = {card for box in visible.boxes for card in box.cards if card}
    return shown | {card for cards in visible.places.values() for card in cards if card}


def _visible_cards(slots: Sequence[Slot], *, own: bool = False) -> VisibleCards:
    return tuple(str(slot.card) if slot.card and (own or slot.up) else None for slot in slots)
