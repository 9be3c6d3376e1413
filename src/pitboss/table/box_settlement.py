"""Settling a box at the table: its cards and the others', the meters, and what a floorperson must validate."""

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
    """Return what becomes of a box's wagers as the table stands."""
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
    """Return what a box's cards make in words, by the cards of a wager and the ranking of its name."""
    terms = table.rules.terms
    by = terms.game.wager(wager).by
    assert isinstance(by, ByTable), f"{wager} is paid by a table"
    cards = hands_of(table, box).together(by.places)
    return describe_hand(terms.evaluators[wager](cards).hand, cards)


def late_bonus_lines(table: Table, box: Box, turned: Box) -> tuple[Line, ...]:
    """Return what a box that was settled before is paid for a hand that is turned only now.

    Only bonuses are kept of it, so that no matter what the meters show.
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
    """Whether a box's hand may entitle another to a bonus: it is another patron's, or by a reading one's own."""
    if table.rules.terms.readings.get("envy-own-boxes") == "between-own":
        return other.seat != box.seat
    return other.patron != box.patron


class PaidFrom(StrEnum):
    """Where the money of a payout comes from, or goes to."""

    INVENTORY = "table inventory"
    ACCOUNT = "game account"
    """Credited to the player's, as electronic wagers are."""
    METER = "meter"
    """Neither: a share of a meter is paid outside both, and the hand stays until that is documented."""


def paid_from(table: Table, line: Line) -> PaidFrom:
    """Return where a line's payout comes from (639a.11(c)(5)(iv) and (6)(iii))."""
    if line.meter:
        return PaidFrom.METER
    game = table.rules.terms.game
    on = next((bonus.on for bonus in game.bonuses if bonus.name == line.wager), line.wager)
    electronic = any(wager.name == on and wager.electronic for wager in game.wagers)
    return PaidFrom.ACCOUNT if electronic else PaidFrom.INVENTORY


def payable_by_hand(table: Table, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the electronic wagers that won a share of a meter: no game account is credited with it.

    It is paid by hand against completed documentation (639a.11(c)(6)(iii)).
    """
    electronic = {wager.name for wager in table.rules.terms.game.wagers if wager.electronic}
    return tuple(line.wager for line in lines if line.meter and line.pays and line.wager in electronic)


def undocumented_boxes(table: Table) -> list[Box]:
    """Return the boxes whose hands stay on the table until their payouts are documented."""
    held = (box for box in table.boxes.values() if not box.documented)
    return [box for box in held if any(line.meter or line.outcome is Outcome.WITHHELD for line in box.lines)]


def set_aside(table: Table, box: Box) -> dict[str, int]:
    """Return what a claimed box's wagers win off meters, in cents, where a dispute keeps that off them."""
    if table.rules.terms.readings.get("withheld-jackpot") != "set-aside":
        return {}
    return {line.wager: line.pays for line in box.claimed if line.meter and line.pays}


def lines_without_claims(table: Table, box: Box, reason: str) -> tuple[Line, ...]:
    """Return a claimed box's lines without the payouts that a floorperson would not validate."""
    why = f"Not validated: {reason.rstrip('.')}."
    return tuple(
        replace(line, outcome=Outcome.WITHHELD, returned=0, pays=0, meter="", why=why)
        if needs_validation(table, (line,))
        else line
        for line in box.claimed
    )


def needs_validation(table: Table, lines: tuple[Line, ...]) -> bool:
    """Whether a floorperson has to validate one of these payouts before it is made."""
    return any(line.meter or _reaches_validation(table, line) for line in lines if line.outcome is Outcome.WIN)


def _reaches_validation(table: Table, line: Line) -> bool:
    """Whether a fixed payout is as high as those that are validated."""
    if line.wager not in table.rules.validated:
        return False
    least, _ = table.rules.validated[line.wager]
    by = table.rules.terms.game.wager(line.wager).by
    pay = table.rules.terms.tables[by.paytable][line.hand]
    return isinstance(pay, ForOne) and pay.pays >= least


def hands_of(table: Table, box: Box) -> Hands:
    """Return the cards a box is settled on."""
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
    """Return a box's cards, with others for those that nobody has seen: they were racked, and no wager needs them."""
    spare = (card for card in DECK if card not in table.cards)
    return tuple(slot.card or next(spare) for slot in box.cards)


def _fill_undealt_cards(table: Table, cards: Mapping[str, tuple[Card, ...]]) -> dict[str, tuple[Card, ...]]:
    """Return hands with other cards for those never dealt: no wager that is settled looks at them."""
    spare = (card for card in DECK if not any(card in held for held in cards.values()))
    known = [place for place in table.rules.terms.game.places if place.name in cards or not place.only_for]
    held = {place.name: cards.get(place.name, ()) for place in known}
    return {place.name: (*held[place.name], *islice(spare, place.cards))[: place.cards] for place in known}


def _others(table: Table, turned: Iterable[Box]) -> Iterator[Other]:
    """Yield hands of other patrons that were turned before, where a bonus is paid for them.

    A hand still face down pays nothing yet, and tells nothing (reading envy-timing).
    """
    for bonus in table.rules.terms.game.bonuses:
        if isinstance(bonus.trigger, OnOthers):
            for other in turned:
                cards = tuple(slot.card for slot in other.cards if slot.card and slot.up)
                undecided = len(other.decisions) < len(table.rules.terms.game.decisions)
                folded = other.folded or (other.left and undecided)  # who left with a decision open has folded
                if len(cards) == len(other.cards) and not _refused(table, other, bonus.on):
                    yield Other(cards, folded, bool(other.wagers.get(bonus.on)))


def _refused(table: Table, other: Box, wager: str) -> bool:
    """Whether a hand entitles nobody else, since its own payout was not validated (reading envy-withheld-hand)."""
    withheld = any(line.wager == wager and line.outcome is Outcome.WITHHELD for line in other.lines)
    return withheld and table.rules.terms.readings.get("envy-withheld-hand") != "yes"


def _sharing(table: Table, box: Box) -> int:
    """Return how many parts a jackpot on the dealer's hand has that this box wagered on."""
    names = [wager.name for wager in table.rules.terms.game.at_reveal if wager.name in box.wagers]
    return max([1, *(jackpot_parts(table, name, box.wagers[name]) for name in names)])


def jackpot_parts(table: Table, wager: str, amount: int | None) -> int:
    """Return how many parts a jackpot has that is measured when the dealer's hand is turned.

    Who had left by then has none where the wagers of players who leave are lost.
    """
    lost = table.rules.terms.readings[ABANDONED] == "all-lose"
    alike = [box for box in table.boxes.values() if box.wagers.get(wager) == amount and not (lost and box.absent)]
    return len({box.patron for box in alike}) if _one_part_per_player(table) else len(alike)


def _one_part_per_player(table: Table) -> bool:
    """Whether a jackpot on the dealer's hand has a part for each player, however many boxes he has."""
    return table.rules.terms.readings.get("dealer-hand-jackpot") == "one-part-per-player"


def _gets_part_elsewhere(table: Table, box: Box) -> bool:
    """Whether the player's part of such a jackpot goes to another box of his, which is settled before this one."""
    settled_before = takewhile(lambda other: other.seat != box.seat, list(table.boxes.values())[::-1])
    own = (
        [other.wagers for other in settled_before if other.patron == box.patron] if _one_part_per_player(table) else []
    )
    names = [wager.name for wager in table.rules.terms.game.at_reveal]
    return any(wagers.get(name) == box.wagers.get(name) for wagers in own for name in names)
