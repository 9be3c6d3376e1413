"""The table as it stands: who sits where, what is wagered, where every card lies, which step is due."""

from collections.abc import Mapping

import msgspec

from pitboss.cards import Card
from pitboss.games import FOLD, Line, Terms
from pitboss.rulebook.grounds import Grounds
from pitboss.rulebook.procedures import Irregularity, Step
from pitboss.submission import Dealing, Shuffler


class Slot(msgspec.Struct, frozen=True):
    """One card that lies somewhere; from a scanned shoe it is unknown until it is turned."""

    card: Card | None
    up: bool = False


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """One betting position that is played in a round."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    accepted: Mapping[str, int] = {}
    """Those of them that a wagering device has acknowledged."""
    decisions: tuple[int, ...] = ()
    cards: tuple[Slot, ...] = ()
    collected: bool = False
    """Its forfeited wagers are with the house."""
    racked: bool = False
    """Its cards are in the discard rack; they are remembered here, so that the hand can be rebuilt."""
    tucked: str = ""
    """The wager that its cards are tucked under, since its player folded."""
    left: bool = False
    """Its player left during the round."""
    absent: bool = False
    """The player had left when the dealer\'s hand was turned."""
    claimed: tuple[Line, ...] = ()
    """Lines that wait for a floorperson to validate a payout."""
    lines: tuple[Line, ...] = ()
    settled: bool = False
    by_hand: tuple[str, ...] = ()
    """Wagers whose payouts are paid by hand, against completed documentation."""
    validated_by: tuple[str, ...] = ()
    """Who validated a payout of this box."""
    documented: bool = False
    """The paperwork of a payout off a meter is done."""
    aside: Mapping[str, int] = {}
    """What its withheld payouts keep off the meters, in cents by wager (reading withheld-jackpot)."""

    @property
    def paid_by_hand(self) -> int:
        """What is paid by hand, or is to be, in cents."""
        return sum(line.pays for line in self.lines if line.wager in self.by_hand)

    @property
    def folded(self) -> bool:
        """Whether its player has folded."""
        return FOLD in self.decisions


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is run by: it does not change while a round is played."""

    terms: Terms
    opening: tuple[Step, ...]
    steps: tuple[Step, ...]
    """Of a round."""
    ways: Mapping[Dealing, tuple[Step, ...]]
    """The same for every way of dealing, where another must be used for a while."""
    submitted: Dealing
    """The way of the Submission."""
    irregularities: Mapping[str, Irregularity]
    grounds: Grounds
    """Which clause plays which role."""
    seats: int
    boxes: int
    """Adjacent boxes a player may wager on."""
    dealing: Dealing
    shuffler: Shuffler
    decks: int
    timeout: int | None
    """Seconds to decide; without it nobody is folded by the clock."""
    scanned: bool
    """Whether nobody knows the order of the cards, and each is named when it is turned."""
    offered: Mapping[str, frozenset[str]]
    """By what a Submission offers: the wagers that are placed so."""
    draws: Mapping[str, tuple[int, int]]
    """By the paytable of a bonus: in how many of how many rounds the table game system draws it."""
    validated: Mapping[str, tuple[int, str]]
    """By wager: from how many for 1 on a floorperson validates a payout, besides every share of a meter; the clause."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of a table."""

    rules: Rules
    ready: bool = False
    """The cards were received and prepared; before that the steps of the opening are due."""
    round: int = 0
    step: int = 0
    """The step that is due."""
    turn: int = 0
    """How many boxes have had their turn in this step."""
    seated: Mapping[int, str] = {}
    """Patrons by seat; seats are counted clockwise from the dealer's left."""
    boxes: Mapping[int, Box] = {}
    """What is played in this round, by seat."""
    shoe: tuple[Card | None, ...] = ()
    root: str = ""
    """The commitment to the order of the deck, for everybody to keep."""
    places: Mapping[str, tuple[Slot, ...]] = {}
    stub: tuple[Card | None, ...] = ()
    """What was left of the deck: on the discard rack, apart from what came there after it."""
    rack: tuple[Card | None, ...] = ()
    called: bool = False
    """“No more bets” was said."""
    in_inventory: tuple[str, ...] = ()
    """Wagers whose chips were put into the table inventory before the deal."""
    magic: Card | None = None
    lucky: tuple[str, ...] = ()
    meters_at_reveal: Mapping[str, int] = {}
    now: int = 0
    """The latest time that mattered, in seconds: no command comes from before it."""
    deadline: int = 0
    """When the box whose turn it is has to have decided, where the clock folds."""
    since: int = 0
    """When the deck came to the table, in seconds."""
    deck: int = 0
    """Which of the decks is in use."""
    preshuffled: bool = False
    back: int = 0
    """The step to go back to after a recut."""
    inspected_by: str = ""
    was_cut: bool = False
    """The cards of this round were cut."""
    uncounted: int = 0
    """Rounds since the stub was last counted."""
    miscount: int = 0
    """How many cards too many, or too few, the count of the stub found."""
    set_aside: int = 0
    """Cards found face up in this round."""
    jammed: bool = False
    """The shuffler did not finish with the cards that come next."""
    unattended: bool = False
    """The last player has left, and the cards were not spread since: reading no-gaming-activity."""
    spread: str = ""
    """How the cards of a table without play lie until a player has looked: face `down` or `up`."""
    opened: int = 0
    """Decks that were taken through the opening."""
    void: str = ""
    """The clause under which the round is void."""
    acknowledged: bool = False
    """A floorperson has acknowledged that."""
    broken: tuple[str, ...] = ()
    """Devices that failed and are not yet covered or signed."""
    covered: tuple[str, ...] = ()
    """Devices that are, and are not used."""

    made_by: tuple[str, ...] = ()
    """Hashes of the rules and the engine that decide, where others than those of the record's header do."""

    @property
    def due(self) -> Step:
        """The step that is due."""
        return (self.rules.steps if self.ready else self.rules.opening)[self.step]

    @property
    def cards(self) -> list[Card | None]:
        """Every card there is, wherever it lies."""
        laid = [slot.card for held in self.places.values() for slot in held]
        laid += [slot.card for box in self.boxes.values() if not box.racked for slot in box.cards]
        return [*self.shoe, *laid, *self.stub, *self.rack]

    def wagers_of(self, seat: int, offer: str) -> dict[str, int]:
        """Return the wagers of a box that are placed as an offer, such as its Progressive."""
        names = self.rules.offered.get(offer, frozenset())
        return {name: amount for name, amount in self.boxes[seat].wagers.items() if name in names}

    @property
    def expected_stub_count(self) -> int:
        """The cards that a right count of the stub finds: those left, with those of this round in the discard rack.

        Readings last-stack-in-count and face-up-card-in-count.
        """
        return len(self.shoe) + len(self.rack)

    @property
    def unacknowledged_void(self) -> str:
        """The clause under which the round is void, while no floorperson has acknowledged that."""
        return "" if self.acknowledged else self.void
