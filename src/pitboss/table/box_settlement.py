"""Settlement of a box at the table: its cards, other boxes' cards, meters, and validation of payouts."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice, takewhile

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.games import Balances, Hands, Line, Other, Outcome, limit_counts, settle
from pitboss.games.declarations import ByTable, OnOthers
from pitboss.games.hand_names import describe_hand
from pitboss.rulebook import ForOne
from pitboss.rulebook.procedures import Do
from pitboss.submission.terms import ABANDONED
from pitboss.table.commands import Given
from pitboss.table.state import Box, Table


def box_lines(table: Table, box: Box, given: Given) -> tuple[Line, ...]:
    """Settle a box on the present state of the table."""
    terms = table.rules.terms
    before = [line for other in table.boxes.values() if other.patron == box.patron for line in other.lines]
    return settle(
        terms,
        hands_of(table, box),
        box.wagers,
        box.decisions,
        Balances(
            given.meters, table.meters_at_reveal, _sharing(table, box), has_its_part=_gets_part_elsewhere(table, box)
        ),
        won_before=limit_counts(terms, before),
        left=box.left,
    )


def best_hand(table: Table, box: Box, wager: str) -> str:
    """Describe the best hand of a box, by the places and ranking of a wager."""
    terms = table.rules.terms
    by = terms.game.wager(wager).by
    assert isinstance(by, ByTable), f"{wager} is paid by a table"
    cards = hands_of(table, box).together(by.places)
    return describe_hand(terms.evaluators[wager](cards).hand, cards)


def late_bonus_lines(table: Table, box: Box, turned: Box) -> tuple[Line, ...]:
    """Return the bonus lines of a settled box for another hand that is turned after it.

    Meter balances are zero here: only bonuses are kept, and they use no meter.
    """
    if not earns_bonus_for(table, box, turned):
        return ()
    bonuses = {bonus.name for bonus in table.rules.terms.game.bonuses if isinstance(bonus.trigger, OnOthers)}
    nothing = {name: 0 for meters in table.rules.terms.meters.values() for name in meters}
    hands = replace(hands_of(table, box), others=tuple(_others(table, [turned])))
    lines = settle(
        table.rules.terms,
        hands,
        box.wagers,
        box.decisions,
        Balances(nothing, at_reveal=nothing),
        left=box.left,
    )
    return tuple(line for line in lines if line.wager in bonuses)


def earns_bonus_for(table: Table, box: Box, other: Box) -> bool:
    """Whether one box's hand can earn another box a bonus: by default only between different patrons."""
    if table.rules.terms.readings.get("envy-own-boxes") == "between-own":
        return other.seat != box.seat
    return other.patron != box.patron


class PaidFrom(StrEnum):
    """Source or destination of a payout."""

    INVENTORY = "table inventory"
    ACCOUNT = "game account"
    """Credited to the player's game account, as for electronic wagers."""
    METER = "meter"
    """A share of a meter; the hand stays on the table until the payout is documented."""


def paid_from(table: Table, line: Line) -> PaidFrom:
    """Return the source of a line's payout (639a.11(c)(5)(iv) and (6)(iii))."""
    if line.meter:
        return PaidFrom.METER
    game = table.rules.terms.game
    on = next((bonus.on for bonus in game.bonuses if bonus.name == line.wager), line.wager)
    electronic = any(wager.name == on and wager.electronic for wager in game.wagers)
    return PaidFrom.ACCOUNT if electronic else PaidFrom.INVENTORY


def payable_by_hand(table: Table, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the electronic wagers that won a share of a meter.

    No game account is credited: staff pay it by hand after documentation (639a.11(c)(6)(iii)).
    """
    electronic = {wager.name for wager in table.rules.terms.game.wagers if wager.electronic}
    return tuple(line.wager for line in lines if line.meter and line.pays and line.wager in electronic)


def undocumented_boxes(table: Table) -> list[Box]:
    """Return the boxes whose hands stay on the table until their payouts are documented."""
    held = (box for box in table.boxes.values() if not box.documented)
    return [box for box in held if any(line.meter or line.outcome is Outcome.WITHHELD for line in box.lines)]


def set_aside(table: Table, box: Box) -> dict[str, int]:
    """Return the meter wins of a claimed box, in cents, that a dispute keeps off the meters."""
    if table.rules.terms.readings.get("withheld-jackpot") != "set-aside":
        return {}
    return {line.wager: line.pays for line in box.claimed if line.meter and line.pays}


def lines_without_claims(table: Table, box: Box, reason: str) -> tuple[Line, ...]:
    """Return a claimed box's lines with the payouts that need validation withheld."""
    why = f"Not validated: {reason.rstrip('.')}."
    return tuple(
        replace(line, outcome=Outcome.WITHHELD, returned=0, pays=0, meter="", why=why)
        if needs_validation(table, (line,))
        else line
        for line in box.claimed
    )


def needs_validation(table: Table, lines: tuple[Line, ...]) -> bool:
    """Whether a floorperson must validate one of these payouts first."""
    return any(line.meter or _reaches_validation(table, line) for line in lines if line.outcome is Outcome.WIN)


def _reaches_validation(table: Table, line: Line) -> bool:
    """Whether a fixed payout reaches the validation threshold of its wager."""
    if line.wager not in table.rules.validated:
        return False
    least, _ = table.rules.validated[line.wager]
    by = table.rules.terms.game.wager(line.wager).by
    pay = table.rules.terms.tables[by.paytable][line.hand]
    return isinstance(pay, ForOne) and pay.pays >= least


def hands_of(table: Table, box: Box) -> Hands:
    """Return all cards that count for the settlement of a box."""
    known = {place.name for place in table.rules.terms.game.places}
    held = {name: held for name, held in table.places.items() if name in known} | {"player": box.cards}
    cards = {name: tuple(slot.card for slot in slots if slot.card) for name, slots in held.items()}
    if table.rules.scanned:
        cards["player"] = _fill_unknown_cards(table, box)
    if table.due.do is Do.DEAL:  # the round ends before all cards are dealt
        cards = _fill_undealt_cards(table, cards)
    lucky = tuple(place for place, drawn in (("dealer", "dealer"), ("player", str(box.seat))) if drawn in table.lucky)
    turned = [other for other in table.boxes.values() if earns_bonus_for(table, box, other) and other.settled]
    return Hands(cards, tuple(_others(table, turned)), table.magic, lucky)


def _fill_unknown_cards(table: Table, box: Box) -> tuple[Card, ...]:
    """Return a box's cards with fillers for unseen ones: those were racked, and no wager needs them."""
    spare = (card for card in DECK if card not in table.cards)
    return tuple(slot.card or next(spare) for slot in box.cards)


def _fill_undealt_cards(table: Table, cards: Mapping[str, tuple[Card, ...]]) -> dict[str, tuple[Card, ...]]:
    """Fill up hands that were never dealt in full; no settled wager looks at the fillers."""
    spare = (card for card in DECK if not any(card in held for held in cards.values()))
    known = [place for place in table.rules.terms.game.places if place.name in cards or not place.only_for]
    held = {place.name: cards.get(place.name, ()) for place in known}
    return {place.name: (*held[place.name], *islice(spare, place.cards))[: place.cards] for place in known}


def _others(table: Table, turned: Iterable[Box]) -> Iterator[Other]:
    """Yield other patrons' face-up hands that can earn a bonus.

    A hand still face down earns nothing yet (reading envy-timing).
    """
    for bonus in table.rules.terms.game.bonuses:
        if isinstance(bonus.trigger, OnOthers):
            for other in turned:
                cards = tuple(slot.card for slot in other.cards if slot.card and slot.up)
                undecided = len(other.decisions) < len(table.rules.terms.game.decisions)
                folded = other.folded or (other.left and undecided)  # a player who left undecided has folded
                if len(cards) == len(other.cards) and not _refused(table, other, bonus.on):
                    yield Other(cards, folded, bool(other.wagers.get(bonus.on)))


def _refused(table: Table, other: Box, wager: str) -> bool:
    """Whether a hand earns others no bonus because its own payout was withheld (reading envy-withheld-hand)."""
    withheld = any(line.wager == wager and line.outcome is Outcome.WITHHELD for line in other.lines)
    return withheld and table.rules.terms.readings.get("envy-withheld-hand") != "yes"


def _sharing(table: Table, box: Box) -> int:
    """Return how many parts share the jackpot on the dealer's hand that this box wagered on."""
    names = [wager.name for wager in table.rules.terms.game.at_reveal if wager.name in box.wagers]
    return max([1, *(jackpot_parts(table, name, box.wagers[name]) for name in names)])


def jackpot_parts(table: Table, wager: str, amount: int | None) -> int:
    """Return how many parts share a jackpot that is fixed when the dealer's hand is turned.

    A player who left before has no part where abandoned wagers lose.
    """
    lost = table.rules.terms.readings[ABANDONED] == "all-lose"
    alike = [box for box in table.boxes.values() if box.wagers.get(wager) == amount and not (lost and box.absent)]
    return len({box.patron for box in alike}) if _one_part_per_player(table) else len(alike)


def _one_part_per_player(table: Table) -> bool:
    """Whether each player has one part of a jackpot on the dealer's hand, whatever the number of boxes."""
    return table.rules.terms.readings.get("dealer-hand-jackpot") == "one-part-per-player"


def _gets_part_elsewhere(table: Table, box: Box) -> bool:
    """Whether an earlier-settled box of the same player already gets the player's part."""
    settled_before = takewhile(lambda other: other.seat != box.seat, list(table.boxes.values())[::-1])
    own = (
        [other.wagers for other in settled_before if other.patron == box.patron] if _one_part_per_player(table) else []
    )
    names = [wager.name for wager in table.rules.terms.game.at_reveal]
    return any(wagers.get(name) == box.wagers.get(name) for wagers in own for name in names)
