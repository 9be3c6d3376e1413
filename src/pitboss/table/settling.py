"""Settling a box at the table: its cards and the others', the meters, and what a floorperson must validate."""

from collections.abc import Iterator

from pitboss.games import Balances, Hands, Line, Other, Outcome, Wager, limit_counts, settle
from pitboss.games.declare import ByTable, OnOthers
from pitboss.rulebook import ForOne
from pitboss.table.commands import Given
from pitboss.table.state import Box, Table


def box_lines(table: Table, box: Box, given: Given) -> tuple[Line, ...]:
    """Return what becomes of a box's wagers as the table stands."""
    terms = table.rules.terms
    before = [line for other in table.boxes.values() if other.patron == box.patron for line in other.lines]
    return settle(
        terms,
        _hands(table, box),
        box.wagers,
        box.decisions,
        Balances(given.meters, table.meters_at_reveal, _sharing(table)),
        won_before=limit_counts(terms, before),
        left=box.left,
    )


def needs_validation(table: Table, lines: tuple[Line, ...]) -> bool:
    """Whether a floorperson has to validate one of these payouts before it is made."""
    return any(line.meter or _from(table, line) for line in lines if line.outcome is Outcome.WIN)


def _from(table: Table, line: Line) -> bool:
    """Whether a fixed payout is as high as those that are validated."""
    least = table.rules.validated.get(line.wager)
    if least is None:
        return False
    by = table.rules.terms.game.wager(line.wager).by
    pay = table.rules.terms.tables[by.paytable][line.hand]
    return isinstance(pay, ForOne) and pay.pays >= least


def _hands(table: Table, box: Box) -> Hands:
    """Return the cards a box is settled on."""
    known = {place.name for place in table.rules.terms.game.places}
    cards = {name: tuple(slot.card for slot in held) for name, held in table.places.items() if name in known}
    cards["player"] = tuple(slot.card for slot in box.cards)
    lucky = tuple(place for place, drawn in (("dealer", "dealer"), ("player", str(box.seat))) if drawn in table.lucky)
    return Hands(cards, tuple(_others(table, box)), table.magic, lucky)


def _others(table: Table, box: Box) -> Iterator[Other]:
    """Yield the hands of other patrons, where a bonus is paid for them."""
    for bonus in table.rules.terms.game.bonuses:
        if isinstance(bonus.trigger, OnOthers):
            for other in table.boxes.values():
                if other.patron != box.patron:
                    cards = tuple(slot.card for slot in other.cards)
                    yield Other(cards, other.folded, bool(other.wagers.get(bonus.on)))


def _sharing(table: Table) -> int:
    """Return how many boxes divide a jackpot that is measured when the dealer's hand is turned."""

    def divides(wager: Wager) -> bool:
        return isinstance(wager.by, ByTable) and wager.by.at_reveal

    names = {wager.name for wager in table.rules.terms.game.wagers if divides(wager)}
    return max(1, sum(bool(names & box.wagers.keys()) for box in table.boxes.values()))
