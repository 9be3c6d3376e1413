"""The ledger: double-entry postings for a table's events, in micro-cents.

Accounts are named by paths: `patron/ann`, `table/T/wagers` (in play), `table/T/inventory`, `table/T/disputed`
(stakes of withheld payouts, and jackpots set aside), `payable/ann` (to be paid by hand), `owed/ann` (payouts
reversed after payment), `meter/M/current` with `reserve` and `pending`, `house`, and `cage`, the world outside. The
cage is negative by the amount of money in the house, so that all balances sum to zero.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from pitboss.games import Line, Outcome, stakes
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.table import events
from pitboss.table.box_settlement import PaidFrom, paid_from
from pitboss.table.evolution import Transition
from pitboss.table.state import Box, Table

HOUSE: Final = "house"
CAGE: Final = "cage"
Posting = tuple[str, int]
"""An account, and the amount that it gains or loses."""


def patron_account(name: str) -> str:
    """Return the name of a patron's account."""
    return f"patron/{name}"


def payable_account(name: str) -> str:
    """Return the account for payouts that a patron receives by hand."""
    return f"payable/{name}"


def debt_account(name: str) -> str:
    """Return the account for a patron's debt after a reversed payout."""
    return f"owed/{name}"


def table_account(chain: str, what: str) -> str:
    """Return one of a table's accounts: `wagers`, `inventory` or `disputed`."""
    return f"table/{chain}/{what}"


def meter_account(meter: str, what: str) -> str:
    """Return one of a meter's accounts: `current`, `reserve` or `pending`."""
    return f"meter/{meter}/{what}"


def transfer(giver: str, taker: str, amount: int) -> Iterator[Posting]:
    """Yield the two postings of one transfer, if it moves anything."""
    if amount and giver != taker:
        yield giver, -amount
        yield taker, amount


_MOVING: Final = {
    events.Wagered,
    events.ChipsPlaced,
    events.Decided,
    events.Settled,
    events.Added,
    events.Documented,
    events.Withheld,
    events.Reversed,
    events.Left,
}


def table_postings(chain: str, transitions: Iterable[Transition]) -> Iterator[Posting]:
    """Yield the postings of a table's transitions, without meters."""
    for one in transitions:
        if type(one.event) in _MOVING:
            yield from _event_postings(chain, one.before, one.event)


def _event_postings(chain: str, table: Table, event: events.Event) -> Iterator[Posting]:
    """Yield the postings of an event; `table` is the table before it."""
    wagers = table_account(chain, "wagers")
    match event:
        case events.Wagered(seat, who, made):
            before = sum(table.boxes[seat].wagers.values()) if seat in table.boxes else 0
            yield from transfer(patron_account(who), wagers, (sum(made.values()) - before) * CENT)
        case events.ChipsPlaced(offer, amount=amount, cancelled=seats):
            yield from transfer(wagers, table_account(chain, "inventory"), amount * CENT)
            yield from _cancelled(chain, table, seats, offer)
        case events.Decided(seat, multiple):
            box = table.boxes[seat]
            more = _decision_stakes(table, box, (*box.decisions, multiple)) - _decision_stakes(
                table, box, box.decisions
            )
            yield from transfer(patron_account(box.patron), wagers, more * CENT)
        case events.Settled(seat, lines, by_hand):
            yield from _lines(chain, table, table.boxes[seat], lines, dict.fromkeys(by_hand, payable_account))
        case events.Added(seat, lines):
            yield from _lines(chain, table, table.boxes[seat], lines, {})
        case events.Documented(seat, paid=paid):
            yield from transfer(payable_account(table.boxes[seat].patron), CAGE, paid * CENT)
        case events.Withheld(seat, aside=aside):
            yield from transfer(HOUSE, table_account(chain, "disputed"), sum(aside.values()) * CENT)
        case events.Reversed(seat):
            box = table.boxes[seat]
            yield from transfer(table_account(chain, "disputed"), HOUSE, sum(box.aside.values()) * CENT)
            to = dict.fromkeys(
                box.by_hand, debt_account if box.documented else payable_account
            )  # a payout that left the house becomes a debt
            yield from ((name, -amount) for name, amount in _lines(chain, table, box, box.lines, to))
        case events.Left(seat) if not table.called:  # the player takes the wagers back
            gone = table.seated[seat]
            back = sum(
                _decision_stakes(table, box, box.decisions) for box in table.boxes.values() if box.patron == gone
            )
            yield from transfer(wagers, patron_account(gone), back * CENT)
        case _:
            pass


def _cancelled(chain: str, table: Table, seats: Iterable[int], offer: str) -> Iterator[Posting]:
    """Yield the refunds of wagers that had no chip."""
    for seat in seats:
        back = sum(table.wagers_of(seat, offer).values())
        yield from transfer(table_account(chain, "wagers"), patron_account(table.boxes[seat].patron), back * CENT)


def cents_in_play(table: Table) -> int:
    """Return the cents in play at a table, which equal its `wagers` account."""
    open_boxes = [box for box in table.boxes.values() if not box.settled]
    placed = sum(box.wagers.get(name, 0) for box in open_boxes for name in table.in_inventory)
    return sum(_decision_stakes(table, box, box.decisions) for box in open_boxes) - placed


def meter_postings(meter: str, before: Meter, after: Meter) -> Iterator[Posting]:
    """Yield the postings of a meter's change: the house funds the meter, and gets payouts back to pay them."""
    change = {name: getattr(after, name) - getattr(before, name) for name in Meter.__struct_fields__}
    parts = {
        meter_account(meter, "current"): change["current"] + change["waiting"],
        meter_account(meter, "reserve"): change["reserve"],
        meter_account(meter, "pending"): change["pending"],
        HOUSE: change["paid"] - change["house"] - change["contributed"],
    }
    assert sum(parts.values()) == 0, f"the meter {meter} does not balance: {change}"
    yield from ((account, amount) for account, amount in parts.items() if amount)


def sum_by_account(postings: Iterable[Posting]) -> dict[str, int]:
    """Return the net change of every account."""
    sums: dict[str, int] = {}
    for account, amount in postings:
        sums[account] = sums.get(account, 0) + amount
    return sums


def _decision_stakes(table: Table, box: Box, decisions: tuple[int, ...]) -> int:
    return sum(stakes(table.rules.terms, box.wagers, decisions).values())


_SOURCES: Final[Mapping[PaidFrom, str]] = {PaidFrom.ACCOUNT: HOUSE, PaidFrom.METER: HOUSE}
"""Payers of payouts and receivers of lost stakes, other than the table's inventory."""


def _lines(
    chain: str, table: Table, box: Box, lines: Iterable[Line], to: Mapping[str, Callable[[str], str]]
) -> Iterator[Posting]:
    """Yield the postings of lines; `to` names the account for a wager's payout, by default the patron's."""
    for line in lines:
        yield from _line(chain, table, box, line, to.get(line.wager, patron_account))


def _line(chain: str, table: Table, box: Box, line: Line, to: Callable[[str], str]) -> Iterator[Posting]:
    """Yield the postings of one line: its stake, the returned part, and the payout.

    Chips that are already in the inventory stay there unless the stake is returned, even if the wager wins off a meter.
    """
    inventory, who = table_account(chain, "inventory"), patron_account(box.patron)
    house = _SOURCES.get(paid_from(table, line), inventory)
    placed = line.wager in table.in_inventory
    staked = inventory if placed else table_account(chain, "wagers")
    lost = table_account(chain, "disputed") if line.outcome is Outcome.WITHHELD else inventory if placed else house
    yield from transfer(staked, who, line.returned * CENT)
    if _is_wager(table, line):
        yield from transfer(staked, lost, (line.stake - line.returned) * CENT)
    yield from transfer(house, to(box.patron), line.pays * CENT)


def _is_wager(table: Table, line: Line) -> bool:
    """Whether a line is a wager's own; a bonus shows the stake of another wager."""
    return any(wager.name == line.wager for wager in table.rules.terms.game.wagers)
