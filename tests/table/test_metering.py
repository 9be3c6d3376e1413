"""The meters follow the table: increments at the call, wins at each turn, and reversal when the round is void."""

import pytest
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.money import CENT
from pitboss.progressive import Bank, open_bank
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Decide, Given, Perform, Report, Table, transitions
from pitboss.table.commands import Command
from pitboss.table.evolution import last_table
from pitboss.table.metering import apply_to_bank

WAGERS = {**ANTE, "progressive": 100, "five-card-hand-dealer": 100}


def step_with_bank(bank: Bank, table: Table, command: Command, given: Given) -> tuple[Bank, Table]:
    decided = transitions(table, command, given)
    return apply_to_bank(bank, decided), last_table(table, decided)


@pytest.mark.proves("639a.12(d)(4)", "639a.12(e)(4)")
def test_wagers_feed_the_meters_at_the_call_and_a_void_reverses_it() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob"}), {1: WAGERS, 2: WAGERS})
    start = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(start, table, Perform(), DEALER)
    # Paytable A: 53 % of $1 on the meter, 15 % in reserve; Five Card Hand: 13 % and 8 %; two of each.
    assert bank.shows == {"main": 10_001_06 * CENT, "five-card-hand": 10_000_26 * CENT}
    assert (bank.meters["main"].reserve, bank.meters["five-card-hand"].reserve) == (30 * CENT, 16 * CENT)
    bank, table = step_with_bank(bank, advance_until(table, Do.ASK), Report("wrong-number"), DEALER)
    assert bank.meters == start.meters
    bank, table = step_with_bank(bank, table, Acknowledge(), FLOORPERSON)
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    assert (bank.meters, table.round) == (start.meters, 1)


@pytest.mark.proves("639a.12(d)(5)", "639a.12(e)(2)")
def test_a_win_leaves_the_meter_at_settlement_or_when_the_dealers_hand_is_turned() -> None:
    low = [card for card in DECK if card.suit.letter == "h" and card.rank < 7]
    royal = [card for card in DECK if card.suit.letter == "s" and card.rank >= 10]
    rest = [card for card in DECK if card not in (*low, *royal)]
    deck = tuple(card for pair in zip(royal, low, strict=True) for card in pair) + tuple(rest)
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: WAGERS}, deck)
    bank = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    table = advance_until(table, Do.ASK)
    bank, table = step_with_bank(bank, table, Decide(1, 2), given_by_patron("Ann"))
    shown = Given(actor="Dealer", role=DEALER.role, meters=bank.shows)
    bank, table = step_with_bank(bank, table, Perform(), shown)
    # The dealer's straight flush takes a tenth of $10,000.13.
    assert bank.shows["five-card-hand"] == (10_000_13 - 1_000_01) * CENT
    bank, table = step_with_bank(bank, table, Perform(), Given(actor="Dealer", role=DEALER.role, meters=bank.shows))
    bank, table = step_with_bank(bank, table, Acknowledge(), Given(actor="Floor", role=FLOORPERSON.role, light=True))
    won = {line.wager: line.pays for line in table.boxes[1].lines}
    assert (won["progressive"], won["five-card-hand-dealer"]) == (10_000_53, 1_000_01)
    # Reseeded at $10,000: fifteen cents from the reserve, the rest from the house.
    main = bank.meters["main"]
    assert (main.current, main.pending, main.reserve) == (10_000_00 * CENT, 10_000_53 * CENT, 0)
    # A hand of six cards is found now: the wins and the round's increments are undone.
    bank, table = step_with_bank(bank, table, Report("wrong-number", place="dealer", cards=6), DEALER)
    fresh = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    assert bank.meters == fresh.meters
    assert {line.net for line in table.boxes[1].lines} == {0}


@pytest.mark.proves("639a.12(e)(2)")
def test_639a_12_e_2_boxes_with_the_wager_share_the_dealers_jackpot() -> None:
    """Three boxes, two of them with the wager: each is paid half of the meter as the dealer's hand was turned."""
    royal = [card for card in DECK if card.suit.letter == "s" and card.rank >= 10]
    rest = [card for card in DECK if card not in royal]
    hands = [rest[number * 10 : number * 10 + 5] for number in range(3)]
    dealt = [card for four in zip(*hands, royal, strict=True) for card in four]
    deck = (*dealt, *(card for card in DECK if card not in dealt))
    wagers = {1: WAGERS, 2: ANTE, 3: {**ANTE, "five-card-hand-dealer": 100}}
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob", 3: "Cy"}), wagers, deck)
    bank = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    assert bank.shows["five-card-hand"] == 10_000_26 * CENT
    table = advance_until(table, Do.TURN)
    bank, table = step_with_bank(bank, table, Perform(), Given(actor="Dealer", role=DEALER.role, meters=bank.shows))
    won = {}
    for _ in range(3):
        bank, table = step_with_bank(bank, table, Perform(), Given(actor="Dealer", role=DEALER.role, meters=bank.shows))
        if any(box.claimed for box in table.boxes.values()):
            bank, table = step_with_bank(
                bank, table, Acknowledge(), Given(actor="Floor", role=FLOORPERSON.role, light=True)
            )
    for seat, box in table.boxes.items():
        won[seat] = [line.pays for line in box.lines if line.wager == "five-card-hand-dealer"]
    assert won == {1: [5_000_13], 2: [], 3: [5_000_13]}
