"""Progressive chips: counted, in the table inventory before a card is dealt, and back out of it when a round is void."""

import pytest
from msgspec.structs import replace
from table_play import ANTE, DEALER, FLOOR, PRESETS, bets, done, opened, until

from pitboss.house import ledger
from pitboss.money import CENT
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Perform, Report, Table, decide, events, view
from pitboss.table.commands import Command, Given

CLAUSES = {
    Dealing.MANUAL_SHOE: "639a.8(b)",
    Dealing.HAND: "639a.9(a)(3)",
    Dealing.AUTOMATED_SHOE: "639a.10(a)(2)",
}
WAGERS = {1: {**ANTE, "progressive": 100}, 2: {**ANTE, "progressive": 500}, 3: ANTE}


def due(dealing: Dealing) -> Table:
    """A table whose chips are to be counted: $1 and $5 of the Progressive, and a box without it."""
    seats = {1: "Ann", 2: "Bob", 3: "Cy"}
    table = bets(opened(PRESETS["639a"], seats, dealing=dealing), WAGERS)
    return until(table, Do.CHIPS)


def posted(table: Table, command: Command, given: Given) -> dict[str, int]:
    """What a command moves, in cents by account."""
    sums = ledger.summed(ledger.played("T", table, decide(table, command, given)))
    return {account: amount // CENT for account, amount in sums.items() if amount}


@pytest.mark.proves(*CLAUSES.values())
@pytest.mark.parametrize(("dealing", "clause"), CLAUSES.items())
def test_progressive_chips_are_in_the_inventory_before_a_card_is_dealt(dealing: Dealing, clause: str) -> None:
    table = due(dealing)
    assert table.due.cite == clause
    assert not any(box.cards for box in table.boxes.values())
    counted = replace(DEALER, counted=2)
    assert events.ChipsPlaced("progressive", 2, 600) in decide(table, Perform(), counted)
    assert posted(table, Perform(), counted) == {"table/T/wagers": -600, "table/T/inventory": 600}
    placed = done(table, Perform(), counted)
    assert placed.due.do is Do.DEAL
    assert (view(table, "Ann").in_inventory, view(placed, "Ann").in_inventory) == ((), ("progressive",))
    assert ledger.in_play(table) - ledger.in_play(placed) == 600


@pytest.mark.proves("639a.8(b)")
def test_where_the_floorperson_decides_on_a_count_that_differs_the_accepted_wagers_go_in() -> None:
    table = due(Dealing.MANUAL_SHOE)
    assert events.ChipsPlaced("progressive", 3, 600) in decide(table, Perform(), replace(FLOOR, counted=3))


@pytest.mark.proves("639a.13(c)")
def test_a_void_round_gives_the_chips_back_out_of_the_inventory() -> None:
    table = until(due(Dealing.MANUAL_SHOE), Do.ASK)
    assert posted(table, Report("wrong-number"), DEALER) == {
        "table/T/inventory": -600,
        "table/T/wagers": -3000,
        "patron/Ann": 1100,
        "patron/Bob": 1500,
        "patron/Cy": 1000,
    }


@pytest.mark.proves("639a.13(c)")
def test_a_void_before_the_chips_were_counted_gives_them_back_off_the_table() -> None:
    moved = posted(due(Dealing.AUTOMATED_SHOE), Report("shoe-jam"), DEALER)  # 639a.13(f)
    assert moved == {"table/T/wagers": -3600, "patron/Ann": 1100, "patron/Bob": 1500, "patron/Cy": 1000}
