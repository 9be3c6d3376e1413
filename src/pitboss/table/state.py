"""State of a table: seats, boxes and wagers, the place of every card, and the due step."""

from collections.abc import Mapping

import msgspec

from pitboss.cards import Card
from pitboss.games import FOLD, Line, Terms
from pitboss.rulebook.grounds import Grounds
from pitboss.rulebook.procedures import Irregularity, Step
from pitboss.submission import Dealing, Shuffler


class Slot(msgspec.Struct, frozen=True):
    """One card on the table; None while a card of a scanned shoe is unturned."""

    card: Card | None
    up: bool = False


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """One betting position in play."""

    seat: int
    patron: str
    wagers: Mapping[str, int]
    accepted: Mapping[str, int] = {}
    """Wagers that a wagering device acknowledged."""
    decisions: tuple[int, ...] = ()
    cards: tuple[Slot, ...] = ()
    collected: bool = False
    """The dealer collected its forfeited wagers."""
    racked: bool = False
    """Its cards are in the discard rack; `cards` still lists them, so that the hand can be rebuilt."""
    tucked: str = ""
    """The wager that the folded cards are tucked under."""
    left: bool = False
    """Its player left during the round."""
    absent: bool = False
    """The player had left before the dealer's hand was turned."""
    claimed: tuple[Line, ...] = ()
    """Lines with a payout that a floorperson must validate."""
    lines: tuple[Line, ...] = ()
    settled: bool = False
    by_hand: tuple[str, ...] = ()
    """Wagers whose payouts are paid by hand after documentation."""
    validated_by: tuple[str, ...] = ()
    """Persons who validated a payout of this box."""
    documented: bool = False
    """The meter payout is documented."""
    aside: Mapping[str, int] = {}
    """Withheld payouts that stay off the meters, in cents by wager (reading withheld-jackpot)."""

    @property
    def paid_by_hand(self) -> int:
        """Total payable by hand, in cents."""
        return sum(line.pays for line in self.lines if line.wager in self.by_hand)

    @property
    def folded(self) -> bool:
        """Whether the player folded."""
        return FOLD in self.decisions


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Rules of a table; constant during a round."""

    terms: Terms
    opening: tuple[Step, ...]
    steps: tuple[Step, ...]
    """Steps of a round, for the current way of dealing."""
    ways: Mapping[Dealing, tuple[Step, ...]]
    """Steps of a round by way of dealing."""
    submitted: Dealing
    """The Submission's way of dealing."""
    irregularities: Mapping[str, Irregularity]
    grounds: Grounds
    """The chapter's clause for each `Ground`."""
    seats: int
    boxes: int
    """Maximum of adjacent boxes for a player."""
    dealing: Dealing
    shuffler: Shuffler
    decks: int
    timeout: int | None
    """Seconds to decide; None for no limit."""
    scanned: bool
    """Whether the order of the shoe is unknown, so that each card is named when it is turned."""
    offered: Mapping[str, frozenset[str]]
    """Wagers by the name under which a Submission offers them."""
    draws: Mapping[str, tuple[int, int]]
    """Chance that the table game system draws a bonus, by its paytable: (times, rounds)."""
    validated: Mapping[str, tuple[int, str]]
    """By wager: the lowest fixed payout, for 1, that needs validation, and the clause."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of a table."""

    rules: Rules
    ready: bool = False
    """The table is open; before that the steps of the opening are due."""
    round: int = 0
    step: int = 0
    """Index of the due step."""
    turn: int = 0
    """Number of boxes dealt to in this step."""
    seated: Mapping[int, str] = {}
    """Patrons by seat, numbered clockwise from the dealer's left."""
    boxes: Mapping[int, Box] = {}
    """Boxes in play, by seat."""
    shoe: tuple[Card | None, ...] = ()
    root: str = ""
    """Public commitment to the order of the deck."""
    places: Mapping[str, tuple[Slot, ...]] = {}
    stub: tuple[Card | None, ...] = ()
    """The undealt rest of the deck, in the discard rack."""
    rack: tuple[Card | None, ...] = ()
    called: bool = False
    """The dealer called “no more bets”."""
    in_inventory: tuple[str, ...] = ()
    """Wagers whose chips went to the table inventory before the deal."""
    magic: Card | None = None
    lucky: tuple[str, ...] = ()
    meters_at_reveal: Mapping[str, int] = {}
    now: int = 0
    """Time of the last command, in seconds; earlier commands are refused."""
    deadline: int = 0
    """Deadline of the decision in turn, if it is timed."""
    warned: tuple[int, ...] = ()
    """Round, step and seat of the decision that a floorperson's warning times."""
    since: int = 0
    """Time when the deck was received, in seconds."""
    deck: int = 0
    """Index of the deck in use."""
    preshuffled: bool = False
    back: int = 0
    """Step to return to after a recut."""
    inspected_by: str = ""
    was_cut: bool = False
    """The cards of this round were cut."""
    uncounted: int = 0
    """Rounds since the stub was last counted."""
    miscount: int = 0
    """Difference of the last stub count: positive for too many cards."""
    set_aside: int = 0
    """Number of cards set aside in this round because they were face up."""
    jammed: bool = False
    """The shuffler jammed on the cards for the next round."""
    unattended: bool = False
    """The last player left and the cards are not spread yet (reading no-gaming-activity)."""
    spread: str = ""
    """How the cards are spread at a table without players: `down`, `up`, or empty."""
    opened: int = 0
    """Number of decks that went through the opening."""
    void: str = ""
    """The clause under which the round is void."""
    acknowledged: bool = False
    """A floorperson acknowledged the void."""
    broken: tuple[str, ...] = ()
    """Failed devices that are not yet covered or signed."""
    covered: tuple[str, ...] = ()
    """Failed devices that are covered or signed."""

    made_by: tuple[str, ...] = ()
    """Hashes of rules and engine, where they differ from those in the record's header."""

    @property
    def due(self) -> Step:
        """The due step."""
        return (self.rules.steps if self.ready else self.rules.opening)[self.step]

    @property
    def cards(self) -> list[Card | None]:
        """Every card of the deck, wherever it is; None for an unknown one."""
        laid = [slot.card for held in self.places.values() for slot in held]
        laid += [slot.card for box in self.boxes.values() if not box.racked for slot in box.cards]
        return [*self.shoe, *laid, *self.stub, *self.rack]

    def wagers_of(self, seat: int, offer: str) -> dict[str, int]:
        """Return the wagers of a box under one offer, such as its Progressive."""
        names = self.rules.offered.get(offer, frozenset())
        return {name: amount for name, amount in self.boxes[seat].wagers.items() if name in names}

    @property
    def expected_stub_count(self) -> int:
        """The correct stub count: undealt cards plus this round's cards in the discard rack.

        Readings last-stack-in-count and face-up-card-in-count.
        """
        return len(self.shoe) + len(self.rack)

    @property
    def unacknowledged_void(self) -> str:
        """The clause of a void that no floorperson has acknowledged yet."""
        return "" if self.acknowledged else self.void
