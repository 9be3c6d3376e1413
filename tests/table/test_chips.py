"""Progressive chips: counted, in the table inventory before a card is dealt, and back out of it when a round is void."""

import pytest
from desk_house import dealt_one_by_one
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    as_replayed_entry,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss import record
from pitboss.house import ledger
from pitboss.money import CENT
from pitboss.progressive import accept, open_bank
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Acknowledge, Perform, Refusal, Report, Role, Table, decide, events, refusal, transitions, view
from pitboss.table.actions import possible_actions
from pitboss.table.commands import Command, Given
from pitboss.table.metering import apply_to_bank

CLAUSES = {
    Dealing.MANUAL_SHOE: "639a.8(b)",
    Dealing.HAND: "639a.9(a)(3)",
    Dealing.AUTOMATED_SHOE: "639a.10(a)(2)",
}
WAGERS = {1: {**ANTE, "progressive": 100}, 2: {**ANTE, "progressive": 500}, 3: ANTE}


def chips_due(dealing: Dealing) -> Table:
    """A table where the chip count is due: $1 and $5 of the Progressive, and a box without it."""
    seats = {1: "Ann", 2: "Bob", 3: "Cy"}
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], seats, dealing=dealing), WAGERS)
    return advance_until(table, Do.CHIPS)


def postings_in_cents(table: Table, command: Command, given: Given) -> dict[str, int]:
    """The postings of a command, in cents by account."""
    sums = ledger.sum_by_account(ledger.table_postings("T", transitions(table, command, given)))
    return {account: amount // CENT for account, amount in sums.items() if amount}


@pytest.mark.proves(*CLAUSES.values())
@pytest.mark.parametrize(("dealing", "clause"), CLAUSES.items())
def test_progressive_chips_go_into_the_inventory_before_the_deal(dealing: Dealing, clause: str) -> None:
    table = chips_due(dealing)
    assert table.due.cite == clause
    assert not any(box.cards for box in table.boxes.values())
    counted = replace(DEALER, counted=2)
    assert events.ChipsPlaced("progressive", 2, 600) in decide(table, Perform(), counted)
    assert postings_in_cents(table, Perform(), counted) == {"table/T/wagers": -600, "table/T/inventory": 600}
    placed = after_command(table, Perform(), counted)
    assert placed.due.do is Do.DEAL
    assert (view(table, "Ann").in_inventory, view(placed, "Ann").in_inventory) == ((), ("progressive",))
    assert ledger.cents_in_play(table) - ledger.cents_in_play(placed) == 600


@pytest.mark.proves("639a.8(b)")
def test_a_floorperson_may_accept_a_wrong_chip_count() -> None:
    table = chips_due(Dealing.MANUAL_SHOE)
    assert events.ChipsPlaced("progressive", 3, 600) in decide(table, Perform(), replace(FLOORPERSON, counted=3))


@pytest.mark.proves("639a.13(c)")
def test_a_void_round_returns_the_chips_from_the_inventory() -> None:
    table = advance_until(chips_due(Dealing.MANUAL_SHOE), Do.ASK)
    assert postings_in_cents(table, Report("wrong-number"), DEALER) == {
        "table/T/inventory": -600,
        "table/T/wagers": -3000,
        "patron/Ann": 1100,
        "patron/Bob": 1500,
        "patron/Cy": 1000,
    }


@pytest.mark.proves("639a.13(c)")
def test_a_void_before_the_chip_count_returns_the_chips_from_the_table() -> None:
    moved = postings_in_cents(chips_due(Dealing.AUTOMATED_SHOE), Report("shoe-jam"), DEALER)  # 639a.13(f)
    assert moved == {"table/T/wagers": -3600, "patron/Ann": 1100, "patron/Bob": 1500, "patron/Cy": 1000}


MISSING = replace(FLOORPERSON, counted=1, without_chip=(1,))
"""One chip for two wagers: the floorperson cancels Ann's."""


@pytest.mark.proves(*CLAUSES.values())
@pytest.mark.parametrize(("dealing", "clause"), CLAUSES.items())
def test_only_the_wager_without_a_chip_is_cancelled(dealing: Dealing, clause: str) -> None:
    """The stake goes back, the light goes out; only the chips that were placed go into the inventory."""
    table = chips_due(dealing)
    assert decide(table, Perform(), MISSING)[0] == events.ChipsPlaced("progressive", 1, 500, (1,))
    assert postings_in_cents(table, Perform(), MISSING) == {
        "table/T/wagers": -600,
        "table/T/inventory": 500,
        "patron/Ann": 100,
    }
    placed = after_command(table, Perform(), MISSING)
    ann, bob, cy = view(placed, "Ann").boxes
    assert (ann.wagers, ann.accepted) == (ANTE, {})
    assert (bob.wagers, bob.accepted) == (WAGERS[2], {"progressive": 500})
    assert cy.wagers == ANTE
    assert placed.due.do is Do.DEAL
    assert ledger.cents_in_play(placed) == 3000
    told = narration(table, MISSING)
    assert told == [
        f"{clause:<16} chips counted: 1, wagers accepted: 2; Floor decides",
        f"{clause:<16} 1: no chip, so progressive is cancelled; $1.00 goes back to Ann",
        f"{clause:<16} progressive chips go into the table inventory: $5.00",
    ]


def narration(table: Table, given: Given) -> list[str]:
    """The log's narration of a step."""
    return record.narrate(as_replayed_entry(table, Perform(), given))


@pytest.mark.proves("639a.8(b)")
def test_all_wagers_may_be_cancelled_for_missing_chips() -> None:
    table = chips_due(Dealing.MANUAL_SHOE)
    none = replace(FLOORPERSON, counted=0, without_chip=(2, 1))
    assert postings_in_cents(table, Perform(), none) == {"table/T/wagers": -600, "patron/Ann": 100, "patron/Bob": 500}
    assert not any(box.accepted for box in view(after_command(table, Perform(), none)).boxes)


@pytest.mark.proves("639a.8(b)")
def test_an_extra_chip_goes_back_to_the_patron() -> None:
    table = chips_due(Dealing.MANUAL_SHOE)
    for counted, said in ((3, "1 chip goes back to the patron"), (4, "2 chips go back to the patron")):
        given = replace(FLOORPERSON, counted=counted)
        assert postings_in_cents(table, Perform(), given) == {"table/T/wagers": -600, "table/T/inventory": 600}
        assert said in narration(table, given)[1]
    assert "back" not in " ".join(narration(table, replace(FLOORPERSON, counted=1)))  # none is named: all stand


@pytest.mark.proves("639a.8(b)")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        (replace(MISSING, role=Role.DEALER), "Chips counted: 1, wagers accepted: 2. A floorperson must decide first."),
        (
            replace(MISSING, role=Role.DEALER, counted=2),
            "Chips counted: 2, wagers accepted: 2. No chip is missing, so no wager is cancelled.",
        ),
        (
            replace(MISSING, counted=2),
            "Chips counted: 2, wagers accepted: 2. No chip is missing, so no wager is cancelled.",
        ),
        (
            replace(MISSING, counted=3),
            "Chips counted: 3, wagers accepted: 2. No chip is missing, so no wager is cancelled.",
        ),
        (replace(MISSING, without_chip=(3,)), "Box 3 has no progressive wager."),
        (replace(MISSING, without_chip=(4,)), "Box 4 has no progressive wager."),
        (
            replace(MISSING, without_chip=(1, 2)),
            "Chips counted: 1, wagers accepted: 2, wagers remaining: 0. One wager must remain for each chip.",
        ),
        (
            replace(MISSING, counted=0),
            "Chips counted: 0, wagers accepted: 2, wagers remaining: 1. One wager must remain for each chip.",
        ),
        (replace(MISSING, counted=None), "The chips must be counted."),
        (replace(MISSING, counted=-1), "The chips must be counted."),
    ],
)
def test_wagers_are_cancelled_only_for_missing_chips(given: Given, why: str) -> None:
    assert refusal(chips_due(Dealing.MANUAL_SHOE), Perform(), given) == Refusal(why, "639a.8(b)")


def test_refuses_to_cancel_a_wager_at_another_step_or_for_a_player() -> None:
    table = chips_due(Dealing.MANUAL_SHOE)
    refused = refusal(table, Perform(), replace(MISSING, role=Role.PLAYER))
    assert refused
    assert refused.why == "Only a dealer or a floorperson may do this."
    dealing = after_command(table, Perform(), MISSING)
    late = Refusal("A wager can be cancelled only while the chips are counted.", "639a.8(d)(1)")
    assert refusal(dealing, Perform(), replace(DEALER, without_chip=(2,))) == late


@pytest.mark.proves("639a.8(b)", "639a.12(d)(4)")
@pytest.mark.parametrize("void_increment", ["reversed", "kept"])
@pytest.mark.parametrize("own", ["yes", "no"])
def test_a_cancelled_wager_is_taken_off_the_meter(own: str, void_increment: str) -> None:
    """Also where the increments of void rounds are kept: this wager was never made."""
    readings = {"own-contribution": own, "void-increment": void_increment}
    seats = {1: "Ann", 2: "Bob"}
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], seats, readings=readings), {1: WAGERS[1], 2: WAGERS[1]})
    start = open_bank(table.rules.terms, {"progressive": 100})
    bank, alone = apply_to_bank(start, transitions(table, Perform(), DEALER)), accept(start, WAGERS[1])
    table = advance_until(table, Do.CHIPS)
    assert bank.meters != alone.meters
    bank = apply_to_bank(bank, transitions(table, Perform(), MISSING))
    assert bank.meters == alone.meters
    assert bank.meters["main"].is_balanced


@pytest.mark.proves("639a.8(b)")
def test_a_cancelled_wager_wins_no_jackpot_and_no_envy() -> None:
    """Ann's royal flush is no claim without the wager; Bob, with it, has a royal flush too, and Ann no Envy for it."""
    deck = dealt_one_by_one("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "2c 3c 2d 3d 4d")
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob"}, paytable_letters={"progressive": "D"}),
        {seat: {**ANTE, "progressive": 100} for seat in (1, 2)},
        deck,
    )
    lines = {}
    for without, counted in (((), 2), ((1,), 1)):
        given = replace(FLOORPERSON, counted=counted, without_chip=without)
        over = advance_until(after_command(advance_until(table, Do.CHIPS), Perform(), given), Do.SETTLE)
        while any(not box.settled for box in over.boxes.values()):
            claimed = any(box.claimed for box in over.boxes.values())
            over = (
                after_command(over, Acknowledge(), replace(FLOORPERSON, light=True))
                if claimed
                else after_command(over, Perform())
            )
        lines[without] = [{line.wager: line.pays for line in box.lines} for box in over.boxes.values()]
    both, (ann, bob) = lines[()], lines[1,]
    assert all(paid["progressive"] and paid["envy-bonus"] for paid in both)
    assert ann.keys() == {"ante", "bet"}
    assert bob["progressive"] == both[1]["progressive"]


@pytest.mark.proves("639a.8(b)")
def test_only_a_floorperson_may_choose_boxes_to_cancel() -> None:
    table = chips_due(Dealing.MANUAL_SHOE)
    offered = {role: possible_actions(table, "Somebody", role)[0] for role in (Role.DEALER, Role.FLOORPERSON)}
    assert {role: (one.needs, one.boxes, one.why) for role, one in offered.items()} == {
        Role.DEALER: (("counted",), (), ""),
        Role.FLOORPERSON: (("counted", "without_chip"), (1, 2), ""),
    }
    assert possible_actions(after_command(table, Perform(), MISSING), "Somebody", Role.FLOORPERSON)[0].boxes == ()
