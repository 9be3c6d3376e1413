"""639a.11(c)(6)(iii): a share of the meter on a Five Card Hand wager is paid by hand, and the hand stays until then."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    as_replayed_entry,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card, hand
from pitboss.house import ledger
from pitboss.money import CENT
from pitboss.record.narration import narrate_sentences
from pitboss.rulebook.procedures import Do
from pitboss.table import (
    Acknowledge,
    Command,
    Decide,
    Document,
    Given,
    Perform,
    Table,
    decide,
    events,
    refusal,
    transitions,
    view,
)
from pitboss.table.actions import possible_actions

FIVE = "five-card-hand-player"
METERS = {"main": 20_000_00 * CENT, "five-card-hand": 15_000_00 * CENT}
FLO = replace(FLOORPERSON, actor="Flo", light=True)


def deck_of(player: str, dealer: str) -> tuple[Card, ...]:
    woven = [card for pair in zip(hand(player), hand(dealer), strict=True) for card in pair]
    return (*woven, *(card for card in DECK if card not in woven))


def after_settlement(sides: Mapping[str, int], player: str = "Ah Kh Qh Jh Th") -> Table:
    """Ann's box is settled, or its payout waits to be validated."""
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: {**ANTE, **sides}}, deck_of(player, "2c 5h 9h Jc Kd")
    )
    table = advance_until(after_command(advance_until(table, Do.ASK), Decide(1, 2), given_by_patron("Ann")), Do.SETTLE)
    return after_command(table, Perform(), replace(DEALER, meters=METERS))


def after_validation(sides: Mapping[str, int], player: str = "Ah Kh Qh Jh Th") -> Table:
    """The same after Flo has validated the payout, if it needs validation."""
    table = after_settlement(sides, player)
    return after_command(table, Acknowledge(), FLO) if table.boxes[1].claimed else table


def postings_in_cents(table: Table, command: Command, given: Given) -> dict[str, int]:
    sums = ledger.sum_by_account(ledger.table_postings("T", transitions(table, command, given)))
    return {account: amount // CENT for account, amount in sums.items() if amount}


@pytest.mark.proves("639a.11(c)(6)(iii)")
@pytest.mark.parametrize(
    ("player", "by_hand"),
    [
        ("Ah Kh Qh Jh Th", 15_000_00),  # 100 % of the meter
        ("Ah Kh 8h 7h 6h", 0),  # 50 for 1
        ("9d 8d 7d 6d 5d", 1_500_00),  # 10 % of it
        ("4c 4d 4h 4s 8c", 0),  # 500 for 1: to the game account
        ("4c 4d 4h 8s 8c", 0),
    ],
)
def test_only_meter_payouts_are_paid_by_hand(player: str, by_hand: int) -> None:
    box = after_validation({FIVE: 100}, player).boxes[1]
    assert box.paid_by_hand == by_hand


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_a_payout_becomes_payable_when_validated_and_is_paid_when_documented() -> None:
    moved = postings_in_cents(after_settlement({FIVE: 100}), Acknowledge(), FLO)
    # The Ante is paid 1 to 1 and the Bet returned, as the dealer does not qualify; the stake of $1 is the house's.
    assert moved["patron/Ann"] == 10_00 + 10_00 + 20_00
    assert (moved["payable/Ann"], moved["house"]) == (15_000_00, 1_00 - 15_000_00)
    assert postings_in_cents(after_validation({FIVE: 100}), Document(1), FLOORPERSON) == {
        "payable/Ann": -15_000_00,
        "cage": 15_000_00,
    }


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_the_hand_stays_until_the_documentation_has_all_names() -> None:
    table = after_validation({FIVE: 100})
    refused = refusal(table, Perform(), DEALER)
    assert refused
    assert (refused.why, refused.cite) == (
        "The hand of seat 1 stays until its payout is documented.",
        "639a.11(c)(6)(iii)",
    )
    assert decide(table, Document(1), FLOORPERSON) == [events.Documented(1, "Floor", ("Flo",), 15_000_00)]
    paid = after_command(table, Document(1), FLOORPERSON)
    assert len(paid.boxes[1].cards) == 5
    assert after_command(paid, Perform()).round == 1


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_the_patron_sees_a_payout_by_hand_without_staff_names() -> None:
    table = after_validation({FIVE: 100})
    (box,) = view(table, "Ann").boxes
    assert (box.by_hand, box.documented) == (15_000_00, False)
    says = {type(one.command): one.says for one in possible_actions(table, "Flo", FLO.role)}
    assert says[Document] == "The payout of seat 1 is documented: pay $15,000.00 to Ann by hand"
    moment = as_replayed_entry(table, Document(1), FLOORPERSON)
    (box,) = view(moment.after, "Ann").boxes
    assert (box.by_hand, box.documented) == (15_000_00, True)
    assert [said.text for said in narrate_sentences(moment, "Ann", staff=False)] == [
        "the payout of 1 is documented",
        "1: $15,000.00 is paid to Ann by hand",
    ]
    assert narrate_sentences(moment)[0].text == "the payout of 1 is documented by Floor, validated by Flo"


@pytest.mark.proves("639a.11(c)(5)(iv)")
def test_a_progressive_payout_is_documented_too() -> None:
    table = after_validation({"progressive": 100})
    assert table.boxes[1].by_hand == ()
    assert refusal(table, Perform(), DEALER)
    assert decide(table, Document(1), FLOORPERSON) == [events.Documented(1, "Floor", ("Flo",), 0)]
