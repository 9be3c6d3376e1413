"""Linked meters, guarantee 5: tables that share a meter lose nothing, and win off it in turn."""

from collections.abc import Mapping

import pytest
from books_audit import Audit
from desk_house import STUD, House, dealt_one_by_one, meters
from linked_meters import FIVE, HAND, LINKS, MAIN, PRESET, ROYAL, submission, winners

from pitboss.house.evidence.audit import verify_house
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import OpenTable
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Decide, Document, Report, Reshuffle, Wager, Withhold

NOTHING = "2c 5h 9h Jc Kd"


def open_linked(house: House, *tables: str, text: str = PRESET) -> None:
    """Open linked tables, each with a patron of its name at seat 1."""
    house.patrons(*tables)
    for name in tables:
        house.open(name, text, links=LINKS)
        house.seat(name, **{name: 1})


def wager_and_deal(house: House, table: str, *hands: str, **wagers: int) -> None:
    """Wager at a table, whose cards are stacked; the cards are dealt then."""
    if hands:
        house.source.stack(dealt_one_by_one(*hands))
        house.send_ok("flo", table, Reshuffle())
    made = {name.replace("_", "-"): amount for name, amount in wagers.items()}
    house.send_ok(table, table, Wager(1, {"ante": 1000, **made}))


def decide_box(house: House, table: str, times: int = 2) -> None:
    house.send_ok(table, table, Decide(1, times))


def validate_jackpot(house: House, table: str) -> None:
    for person in ("flo", "floyd"):
        house.send_ok(person, table, Acknowledge(), light=True)
    house.send_ok("flo", table, Document(1))


def test_639a_12_d_4_every_table_feeds_the_shared_meter_of_its_amount(house: House) -> None:
    open_linked(house, "ann", "bob", "cy")
    for table, amount in (("ann", 100), ("bob", 100), ("cy", 500)):
        wager_and_deal(house, table, progressive=amount)
    assert len(house.db.execute("SELECT id FROM meter")) == 4
    one, five = house.meter(MAIN), house.meter(FIVE)
    # 53 % and 15 %: of $1 twice, of $5 once.
    assert (one.current, one.reserve, one.contributed) == (10_001_06 * CENT, 30 * CENT, 136 * CENT)
    assert (five.current, five.reserve, five.contributed) == (50_002_65 * CENT, 75 * CENT, 340 * CENT)


@pytest.mark.parametrize("other", [{"paytable": "B"}, {"paytable": "C"}, {"paytable": "D"}, {"starting": "12_500"}])
def test_refuses_other_parameters_for_a_meter_in_play(house: House, other: Mapping[str, str]) -> None:
    """Another paytable, with the same seed and rates or others, or another start: refused, and nothing is opened."""
    open_linked(house, "ann")
    before = house.dump()
    done = house.act(OpenTable("bob", submission(**other), Settings(links=LINKS)))
    assert not done.accepted
    assert MAIN.removesuffix("@100") in done.why
    assert house.dump() == before
    house.open("bob", submission(**other))  # with meters of its own it may
    house.open("cy", PRESET, links=LINKS)
    assert len(house.db.execute("SELECT id FROM meter")) == 8


@pytest.mark.parametrize("reading", ["partial_reseed", "own_contribution", "void_increment"])
def test_linked_tables_need_the_same_readings(house: House, reading: str) -> None:
    option = {"partial_reseed": "always", "own_contribution": "no", "void_increment": "kept"}[reading]
    open_linked(house, "ann")
    assert not house.act(OpenTable("bob", submission(**{reading: option}), Settings(links=LINKS))).accepted


@pytest.mark.proves("639a.12(d)(5)")
def test_639a_12_d_5_simultaneous_jackpots_are_paid_in_turn(house: House) -> None:
    """The first wins the whole meter, the second the reseed; a third table plays on; the log has the order."""
    open_linked(house, "ann", "bob", "cy")
    audit = Audit(house.db)
    tables = ("ann", "bob", "cy")
    for table in ("ann", "bob"):
        wager_and_deal(house, table, ROYAL, NOTHING, progressive=100)
    wager_and_deal(house, "cy", progressive=100)
    desks = {table: house.another_desk(own_connection=house.kind == "PostgreSQL") for table in ("ann", "bob")}
    if house.kind == "SQLite":
        desks = dict.fromkeys(desks, house.desk)
    for table in ("bob", "ann"):  # Bob's turn comes first
        assert desks[table].carry_out([house.order(table, table, Decide(1, 2))])[0].accepted
    # Three wagers of 53 cents on $10,000; Bob has it all, and the reserve of 45 cents goes into the reseed.
    assert [line.pays for line in house.table("bob").boxes[1].claimed if line.meter] == [10_001_59]
    assert [line.pays for line in house.table("ann").boxes[1].claimed if line.meter] == [10_000_00]
    meter = house.meter(MAIN)
    assert (meter.current, meter.pending) == (10_000_00 * CENT, 20_001_59 * CENT)
    assert meter.house == (30_000_00 - 45) * CENT
    audit.check({table: house.table(table) for table in tables})
    decide_box(house, "cy", 0)
    wager_and_deal(house, "cy", progressive=100)  # others play on
    assert house.meter(MAIN).current == 10_000_53 * CENT
    validate_jackpot(house, "ann")
    assert (house.meter(MAIN).pending, house.meter(MAIN).paid) == (10_001_59 * CENT, 10_000_00 * CENT)
    validate_jackpot(house, "bob")
    meter = house.meter(MAIN)
    assert (meter.pending, meter.paid, meter.current) == (0, 20_001_59 * CENT, 10_000_53 * CENT)
    audit.check({table: house.table(table) for table in tables})
    assert winners(house.db, MAIN) == ["bob", "ann"]
    assert verify_house(house.db).problems == []


def test_a_withheld_win_goes_back_after_another_table_has_won(house: House) -> None:
    open_linked(house, "ann", "bob")
    audit = Audit(house.db)
    for table in ("ann", "bob"):
        wager_and_deal(house, table, ROYAL, NOTHING, progressive=100)
    for table in ("ann", "bob"):
        decide_box(house, table)
    for person in ("flo", "floyd"):
        house.send_ok(person, "ann", Withhold("the light was out"))
    # Ann's $10,001.06 are on the meter again, on top of the second reseed; what her own reseed took is put back
    # where it came from: 30 cents into the reserve, the rest to the house.
    meter = house.meter(MAIN)
    assert (meter.pending, meter.current) == (10_000_00 * CENT, 10_001_36 * CENT - 30 * CENT)
    assert (meter.reserve, meter.house) == (30 * CENT, 20_000_00 * CENT)
    validate_jackpot(house, "bob")
    audit.check({table: house.table(table) for table in ("ann", "bob")})


@pytest.mark.proves("639a.13(c)")
def test_639a_13_c_a_void_reverses_only_that_tables_increments(house: House) -> None:
    open_linked(house, "ann", "bob", "cy")
    wager_and_deal(house, "ann", progressive=100, five_card_hand_player=100, five_card_hand_dealer=100)
    before = meters(house.db)
    wager_and_deal(house, "bob", progressive=100, five_card_hand_player=100)
    wager_and_deal(house, "cy", progressive=500)
    house.send_ok("flo", "bob", Report("wrong-number"))
    house.send_ok("flo", "cy", Report("wrong-number"))
    assert meters(house.db) == before
    decide_box(house, "ann", 0)
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob", "cy")})


def test_the_house_pays_for_a_void_after_another_table_has_won(house: House) -> None:
    """Reading void-increment: below the reseed amount the house makes it good."""
    open_linked(house, "ann", "bob")
    wager_and_deal(house, "ann", ROYAL, NOTHING, progressive=100)
    wager_and_deal(house, "bob", progressive=100)
    decide_box(house, "ann")
    won = house.meter(MAIN)
    assert (won.pending, won.current, won.reserve) == (10_001_06 * CENT, 10_000_00 * CENT, 0)
    house.send_ok("flo", "bob", Report("wrong-number"))
    after = house.meter(MAIN)
    assert (after.pending, after.current, after.contributed) == (10_001_06 * CENT, 10_000_00 * CENT, 68 * CENT)
    assert after.house == won.house + 68 * CENT
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


def test_a_voided_win_is_reversed_after_others_have_played_on(house: House) -> None:
    open_linked(house, "ann", "bob")
    wager_and_deal(house, "ann", ROYAL, NOTHING, progressive=100)
    decide_box(house, "ann")
    wager_and_deal(house, "bob", progressive=100)
    house.send_ok("flo", "ann", Report("wrong-number"))
    meter = house.meter(MAIN)
    # As if only Bob had wagered: 53 cents and 15.
    assert meter == Meter(current=10_000_53 * CENT, reserve=15 * CENT, house=10_000_00 * CENT, contributed=68 * CENT)


def test_reading_own_contribution_increments_wait_only_at_their_own_table(house: House) -> None:
    """Ann's round and Bob's overlap; each table's increments are on the meter when its own round is over."""
    open_linked(house, "ann", "bob", text=submission(own_contribution="no"))
    wager_and_deal(house, "ann", progressive=100)
    wager_and_deal(house, "bob", progressive=100)
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_00 * CENT, 106 * CENT)
    decide_box(house, "bob", 0)
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_53 * CENT, 53 * CENT)
    house.send_ok("flo", "ann", Report("wrong-number"))
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_53 * CENT, 0)
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


def test_639a_12_e_2_a_dealers_jackpot_is_divided_at_its_own_table_only(
    house: House,
) -> None:
    """639a.12(e)(4): the Five Card Hand is reseeded at $0 and restarts at its reserve."""
    open_linked(house, "ann", "bob")
    for table in ("ann", "bob"):
        wager_and_deal(house, table, NOTHING, ROYAL, five_card_hand_dealer=100)
    decide_box(house, "ann")
    # 13 % of $1 twice on $10,000; the reserve of 16 cents is the next jackpot.
    assert house.meter(HAND).pending == 10_000_26 * CENT
    assert (house.meter(HAND).current, house.meter(HAND).reserve) == (16 * CENT, 0)
    decide_box(house, "bob")
    assert (house.meter(HAND).current, house.meter(HAND).pending) == (0, 10_000_42 * CENT)
    for table in ("ann", "bob"):
        validate_jackpot(house, table)
    assert house.meter(HAND).paid == 10_000_42 * CENT
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


def test_a_table_has_the_links_of_its_submission(house: House) -> None:
    """639a.12(d)(3): what shares a meter is approved with the Submission."""
    alone = house.act(OpenTable("alone", text_of(STUD), Settings(links=LINKS)))
    assert (alone.accepted, alone.why) == (False, "The Submission does not link “progressive” with other tables.")
    unknown = house.act(OpenTable("alone", PRESET, Settings(links={"roulette": "floor"})))
    assert not unknown.accepted
