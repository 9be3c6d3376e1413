"""What happened at a table: small, typed, and enough to rebuild every round."""

from collections.abc import Mapping

import msgspec

from pitboss.cards import Card
from pitboss.games import Line
from pitboss.submission import Dealing


class Seated(msgspec.Struct, frozen=True, tag=True):
    """A patron took a seat."""

    seat: int
    patron: str


class Stood(msgspec.Struct, frozen=True, tag=True):
    """A patron gave a seat up."""

    seat: int


class Wagered(msgspec.Struct, frozen=True, tag=True):
    """A box has these wagers now."""

    seat: int
    patron: str
    wagers: Mapping[str, int]


class Accepted(msgspec.Struct, frozen=True, tag=True):
    """The wagering devices of a betting position acknowledge these wagers; the player checks them."""

    seat: int
    wagers: Mapping[str, int]


class Received(msgspec.Struct, frozen=True, tag=True):
    """A deck is at the table."""

    time: int
    preshuffled: bool = False
    backs: tuple[str, ...] = ()
    """The colour of each deck's backs, where it was said."""


class Stored(msgspec.Struct, frozen=True, tag=True):
    """The other deck is in the shuffler, and none of its cards is in the discard rack."""

    deck: int


class Inspected(msgspec.Struct, frozen=True, tag=True):
    """A deck was inspected."""

    by: str


class Recutting(msgspec.Struct, frozen=True, tag=True):
    """The cards are to be cut again."""


class Rejected(msgspec.Struct, frozen=True, tag=True):
    """A floorperson did not validate a payout; the box is settled again."""

    seat: int
    by: str


class Withheld(msgspec.Struct, frozen=True, tag=True):
    """A floorperson refused a payout for good; the box is settled without it."""

    seat: int
    by: str
    reason: str
    aside: Mapping[str, int] = {}
    """What its wagers would have won off a meter, in cents, where that waits for the dispute's outcome."""


class Reshuffling(msgspec.Struct, frozen=True, tag=True):
    """The cards are to be shuffled again."""


class Corrected(msgspec.Struct, frozen=True, tag=True):
    """A card of a scanned shoe is another than was said."""

    card: Card
    number: int
    seat: int = 0
    place: str = ""


class Passed(msgspec.Struct, frozen=True, tag=True):
    """It is this late now."""

    time: int


class Repaired(msgspec.Struct, frozen=True, tag=True):
    """A device is in order again."""

    device: str


class TakenOver(msgspec.Struct, frozen=True, tag=True):
    """Other rules or another engine than before decide from here on: their hashes."""

    rules: str
    engine: str


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The table is open for gaming."""


class Removed(msgspec.Struct, frozen=True, tag=True):
    """The cards were taken off the table."""

    cite: str


class Cut(msgspec.Struct, frozen=True, tag=True):
    """The cards above the cover card are under the rest; the order is committed to anew."""

    depth: int
    root: str = ""


class Counted(msgspec.Struct, frozen=True, tag=True):
    """The stub was counted."""

    cards: int


class Reported(msgspec.Struct, frozen=True, tag=True):
    """An irregularity was reported."""

    kind: str
    cite: str
    device: str = ""
    seat: int = 0
    place: str = ""
    cards: int | None = None
    """So many cards are there, as a fact."""


class Reversed(msgspec.Struct, frozen=True, tag=True):
    """What a box was settled for is undone, since the round is void."""

    seat: int


class DealingChanged(msgspec.Struct, frozen=True, tag=True):
    """Cards are dealt in this way from now on."""

    dealing: Dealing


class Timed(msgspec.Struct, frozen=True, tag=True):
    """The box whose turn it is has until then to decide."""

    deadline: int


class TimedOut(msgspec.Struct, frozen=True, tag=True):
    """A box has not decided in time: it is folded by house policy, not by a clause."""

    seat: int


class SetAside(msgspec.Struct, frozen=True, tag=True):
    """The next card of the shoe was found face up and is in the discard rack."""

    shown: Card | None = None
    """Which it is, where the order of the shoe is not known."""


class Voided(msgspec.Struct, frozen=True, tag=True):
    """The round is void; its boxes are settled as the clause says, and the table is to be cleared."""

    cite: str


class Acknowledged(msgspec.Struct, frozen=True, tag=True):
    """A floorperson acknowledged a void."""

    by: str


class Documented(msgspec.Struct, frozen=True, tag=True):
    """A payout off a meter is documented, and the hand may go."""

    seat: int
    by: str = ""
    """Who completed the documentation."""
    validated_by: tuple[str, ...] = ()
    """Who had validated the payout; in a house two persons do."""
    paid: int = 0
    """What was paid by hand against it, in cents."""


class Idled(msgspec.Struct, frozen=True, tag=True):
    """The cards lie spread on a table without play."""

    face_up: bool = False
    decks: int = 1
    """How many decks are spread, and washed before play."""


class Covered(msgspec.Struct, frozen=True, tag=True):
    """A device that failed is covered or signed."""

    device: str


class Left(msgspec.Struct, frozen=True, tag=True):
    """A player left during the round."""

    seat: int


class Claimed(msgspec.Struct, frozen=True, tag=True):
    """A box's lines, with a payout that a floorperson has to validate; the amounts are fixed."""

    seat: int
    lines: tuple[Line, ...]


class Shuffled(msgspec.Struct, frozen=True, tag=True):
    """The deck is ready in this order; nobody at the table knows it, but the root of the commitment is public.

    Without cards, nobody at all knows the order: the shoe is scanned.
    """

    cards: tuple[Card, ...]
    root: str = ""


class Called(msgspec.Struct, frozen=True, tag=True):
    """“No more bets” was said."""

    magic: Card | None = None
    lucky: tuple[str, ...] = ()


class ChipsPlaced(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The chips of a wager were counted and are in the table inventory, before any card is dealt."""

    offer: str
    counted: int
    amount: int
    """What the accepted wagers come to, in cents; without those that are cancelled."""
    cancelled: tuple[int, ...] = ()
    """The boxes whose wager had no chip: it is off, and its stake goes back."""


class Dealt(msgspec.Struct, frozen=True, tag=True):
    """So many cards left the shoe, or a place, for a box or another place."""

    cards: int
    seat: int = 0
    place: str = ""
    source: str = ""
    up: bool = False
    shown: tuple[Card, ...] = ()
    """Which they are, where they came up from a shoe whose order is not known."""


class Slid(msgspec.Struct, frozen=True, tag=True):
    """So many cards slid off the top of a pile to another place, the card dealt last first."""

    cards: int
    place: str
    source: str


class Turned(msgspec.Struct, frozen=True, tag=True):
    """Cards of a place or a box lie face up now, by their numbers."""

    which: tuple[int, ...]
    seat: int = 0
    place: str = ""
    meters: Mapping[str, int] = {}
    """What the meters showed, where a hand that may win off them was turned."""
    shown: tuple[Card, ...] = ()
    """Which they are, in order, where that was not known."""


class Decided(msgspec.Struct, frozen=True, tag=True):
    """A box has decided."""

    seat: int
    multiple: int


class Collected(msgspec.Struct, frozen=True, tag=True):
    """The house has a box's forfeited wagers, and its cards unless a wager still needs them.

    Its player folded, or left without deciding.
    """

    seat: int
    cards: bool
    under: str = ""
    """The wager its cards are tucked under, where the house does that."""


class Announced(msgspec.Struct, frozen=True, tag=True):
    """The dealer announced the best hand of a player, in words."""

    seat: int
    hand: str


class Settled(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A box is settled."""

    seat: int
    lines: tuple[Line, ...]
    by_hand: tuple[str, ...] = ()
    """Wagers whose payouts are not credited: they are payable, and paid by hand once they are documented."""
    validated_by: tuple[str, ...] = ()
    """Who validated a payout, where that was needed."""


class Added(msgspec.Struct, frozen=True, tag=True):
    """A box that was settled before is paid for a hand that was turned after it."""

    seat: int
    lines: tuple[Line, ...]


class Stepped(msgspec.Struct, frozen=True, tag=True):
    """A step is done and the next is due."""

    step: int


class Racked(msgspec.Struct, frozen=True, tag=True):
    """The stub is in the discard rack."""


class Cleared(msgspec.Struct, frozen=True, tag=True):
    """The round is over: all cards are in the discard rack."""

    unattended: bool = False
    """Nobody sits at the table then; records of older versions do not say so."""


Event = (
    Seated
    | Stood
    | Wagered
    | Shuffled
    | Called
    | ChipsPlaced
    | Dealt
    | Slid
    | Turned
    | Decided
    | Collected
    | Announced
    | Settled
    | Added
    | Stepped
    | Racked
    | Cleared
    | Received
    | Ready
    | Removed
    | Cut
    | Counted
    | Reported
    | SetAside
    | Voided
    | Acknowledged
    | Covered
    | Documented
    | Idled
    | Inspected
    | Recutting
    | Rejected
    | Repaired
    | Left
    | Claimed
    | Reversed
    | DealingChanged
    | Timed
    | TimedOut
    | Withheld
    | Reshuffling
    | Corrected
    | Passed
    | TakenOver
    | Stored
    | Accepted
)
