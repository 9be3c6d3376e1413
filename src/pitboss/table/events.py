"""Events of a table: small, typed, and enough to rebuild every round."""

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
    """A patron left a seat between rounds."""

    seat: int


class Wagered(msgspec.Struct, frozen=True, tag=True):
    """A box has these wagers now."""

    seat: int
    patron: str
    wagers: Mapping[str, int]


class Accepted(msgspec.Struct, frozen=True, tag=True):
    """The wagering devices of a betting position acknowledged these wagers."""

    seat: int
    wagers: Mapping[str, int]


class Received(msgspec.Struct, frozen=True, tag=True):
    """The decks arrived at the table."""

    time: int
    preshuffled: bool = False
    backs: tuple[str, ...] = ()
    """Colour of each deck's backs, if stated."""


class Stored(msgspec.Struct, frozen=True, tag=True):
    """With two decks: the deck not in use went into the shuffler."""

    deck: int


class Inspected(msgspec.Struct, frozen=True, tag=True):
    """A person inspected a deck."""

    by: str


class Recutting(msgspec.Struct, frozen=True, tag=True):
    """A floorperson ordered a recut."""


class Rejected(msgspec.Struct, frozen=True, tag=True):
    """A floorperson did not validate a payout; the dealer settles the box again."""

    seat: int
    by: str


class Withheld(msgspec.Struct, frozen=True, tag=True):
    """A floorperson withheld a disputed payout; the box is settled without it."""

    seat: int
    by: str
    reason: str
    aside: Mapping[str, int] = {}
    """Meter wins, in cents by wager, set aside until the dispute is decided."""


class Reshuffling(msgspec.Struct, frozen=True, tag=True):
    """A floorperson ordered a reshuffle."""


class Corrected(msgspec.Struct, frozen=True, tag=True):
    """A misnamed card of a scanned shoe got its right name."""

    card: Card
    number: int
    seat: int = 0
    place: str = ""


class Passed(msgspec.Struct, frozen=True, tag=True):
    """The clock advanced to this time."""

    time: int


class Repaired(msgspec.Struct, frozen=True, tag=True):
    """A device is back in use."""

    device: str


class TakenOver(msgspec.Struct, frozen=True, tag=True):
    """Other rules or another engine decide from here on; named by their hashes."""

    rules: str
    engine: str


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The table is open for gaming."""


class Removed(msgspec.Struct, frozen=True, tag=True):
    """The deck was removed from the table."""

    cite: str


class Cut(msgspec.Struct, frozen=True, tag=True):
    """The cards above the cover card went under the rest; the commitment is new."""

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
    """Actual number of cards, for a wrong number."""


class Reversed(msgspec.Struct, frozen=True, tag=True):
    """The settlement of a box was undone because the round is void."""

    seat: int


class DealingChanged(msgspec.Struct, frozen=True, tag=True):
    """The way of dealing changed."""

    dealing: Dealing


class Timed(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The box in turn has a deadline for its decision."""

    deadline: int
    warned: int = 0  # the seat that a floorperson warned; 0 for the table's own clock
    by: str = ""


class TimedOut(msgspec.Struct, frozen=True, tag=True):
    """A box missed its deadline and folds: house policy, not a clause."""

    seat: int


class SetAside(msgspec.Struct, frozen=True, tag=True):
    """The next card of the shoe was face up and went to the discard rack."""

    shown: Card | None = None  # for a scanned shoe


class Voided(msgspec.Struct, frozen=True, tag=True):
    """The round is void; its boxes are settled as the clause says."""

    cite: str


class Acknowledged(msgspec.Struct, frozen=True, tag=True):
    """A floorperson acknowledged a void."""

    by: str


class Documented(msgspec.Struct, frozen=True, tag=True):
    """A meter payout was documented, so its hand may be cleared."""

    seat: int
    by: str = ""
    """Person who completed the documentation."""
    validated_by: tuple[str, ...] = ()
    """Persons who validated the payout: two in a house."""
    paid: int = 0
    """Amount paid by hand, in cents."""


class Idled(msgspec.Struct, frozen=True, tag=True):
    """The cards were spread at a table without players."""

    face_up: bool = False
    decks: int = 1
    """Number of decks spread; each is washed before play."""


class Covered(msgspec.Struct, frozen=True, tag=True):
    """A failed device was covered or signed."""

    device: str


class Left(msgspec.Struct, frozen=True, tag=True):
    """A player left during the round."""

    seat: int


class Claimed(msgspec.Struct, frozen=True, tag=True):
    """A box's lines await validation by a floorperson; the amounts are fixed."""

    seat: int
    lines: tuple[Line, ...]


class Shuffled(msgspec.Struct, frozen=True, tag=True):
    """The deck was shuffled; the order is secret, the root of its commitment public.

    `cards` is empty for a scanned shoe, whose order is unknown.
    """

    cards: tuple[Card, ...]
    root: str = ""


class Called(msgspec.Struct, frozen=True, tag=True):
    """The dealer called “no more bets”."""

    magic: Card | None = None
    lucky: tuple[str, ...] = ()


class ChipsPlaced(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The chips of a wager were counted and moved to the table inventory, before the deal."""

    offer: str
    counted: int
    amount: int
    """Total of the accepted wagers, in cents, without cancelled ones."""
    cancelled: tuple[int, ...] = ()
    """Boxes whose wager had no chip: cancelled, and its stake returned."""


class Dealt(msgspec.Struct, frozen=True, tag=True):
    """Cards moved from the shoe, or from a place, to a box or another place."""

    cards: int
    seat: int = 0
    place: str = ""
    source: str = ""
    up: bool = False
    shown: tuple[Card, ...] = ()
    """The cards, where a scanned shoe deals them face up."""


class Slid(msgspec.Struct, frozen=True, tag=True):
    """Cards moved from the top of a pile to another place, the last dealt first."""

    cards: int
    place: str
    source: str


class Turned(msgspec.Struct, frozen=True, tag=True):
    """Cards of a place or a box were turned face up, by their numbers."""

    which: tuple[int, ...]
    seat: int = 0
    place: str = ""
    meters: Mapping[str, int] = {}
    """Meter balances, where this hand can win a share of them."""
    shown: tuple[Card, ...] = ()
    """The unknown cards among them, in order, for a scanned shoe."""


class Decided(msgspec.Struct, frozen=True, tag=True):
    """A box raised by a multiple of its Ante; 0 is a fold."""

    seat: int
    multiple: int


class Collected(msgspec.Struct, frozen=True, tag=True):
    """The dealer collected a box's forfeited wagers, and its cards unless a wager still needs them.

    The player folded, or left without deciding.
    """

    seat: int
    cards: bool
    under: str = ""
    """The wager that the cards are tucked under, if any."""


class Announced(msgspec.Struct, frozen=True, tag=True):
    """The dealer announced a player's best hand."""

    seat: int
    hand: str


class Settled(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A box was settled."""

    seat: int
    lines: tuple[Line, ...]
    by_hand: tuple[str, ...] = ()
    """Wagers paid by hand after documentation, not to an account."""
    validated_by: tuple[str, ...] = ()
    """Persons who validated a payout, if needed."""


class Added(msgspec.Struct, frozen=True, tag=True):
    """A box already settled won a bonus because of a hand turned up later."""

    seat: int
    lines: tuple[Line, ...]


class Stepped(msgspec.Struct, frozen=True, tag=True):
    """The procedure moved on to this step."""

    step: int


class Racked(msgspec.Struct, frozen=True, tag=True):
    """The stub went to the discard rack."""


class Cleared(msgspec.Struct, frozen=True, tag=True):
    """The round is over: all cards are in the discard rack."""

    unattended: bool = False
    """Nobody sits at the table; records of older versions lack this."""


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
