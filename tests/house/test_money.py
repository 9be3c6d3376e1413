"""Guarantees 1 and 5 of the house, on SQLite and PostgreSQL: the books balance, and every meter is its accounts."""

import time
from collections import Counter
from collections.abc import Callable

import pytest
from books_audit import Audit
from crowd import ROYAL, Crowd, play, royal
from desk_house import House, dealt_one_by_one

from pitboss.house.evidence.audit import verify_house
from pitboss.house.office.acts import CashOut, CloseTable
from pitboss.house.office.people import Person, Post
from pitboss.money import CENT
from pitboss.record.chain import decode_entry
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Decide, Document, Leave, Perform, Report, Reshuffle, Wager, events
from pitboss.table.steps import next_to_decide

HARD = {
    events.Claimed,
    events.Collected,
    events.Counted,
    events.Covered,
    events.Documented,
    events.Left,
    events.Rejected,
    events.Removed,
    events.Reshuffling,
    events.Reversed,
    events.Stood,
    events.Voided,
    events.Withheld,
}
"""Events that must have happened before random play ends."""


def test_guarantees_1_and_5_hold_after_each_random_order(house: House, tell: Callable[[str], None]) -> None:
    """Balances and entries sum to zero, no account is negative, and every meter equals its accounts in the ledger."""
    audit, replies, begun = Audit(house.db), Counter[bool](), time.monotonic()
    crowd, happened, won = Crowd(house, "all together"), Counter[type[events.Event]](), 0
    while replies.total() < 1_500 or not (won and happened.keys() >= HARD):
        assert replies.total() < 10_000, HARD - happened.keys()
        for _ in range(250):
            replies[crowd.act().accepted] += 1
            audit.check(crowd.tables)
        bodies = house.db.execute("SELECT body FROM entry WHERE chain != 'house'")
        happened = Counter(type(event) for (body,) in bodies for event in decode_entry(bytes(body)).events)
        won = sum(audit.paid.values())
    assert _two_amounts_in_one_round(house)
    assert verify_house(house.db).problems == []
    tell(
        f"{house.kind}: {replies.total()} orders ({replies[False]} refused), {audit.entries} entries, "
        f"{audit.rounds} rounds ({happened[events.Voided]} void), ${won / CENT / 100:,.2f} paid off meters: "
        f"the books balance after each; {time.monotonic() - begun:.0f} s"
    )


def _two_amounts_in_one_round(house: House) -> bool:
    """Whether Progressive wagers of $1 and $5 fed their meters at one table with one call."""
    fed = Counter(
        (chain, seq)
        for chain, seq, _ in house.db.execute(
            "SELECT chain, seq, meter FROM contribution WHERE meter LIKE '%/main@100' OR meter LIKE '%/main@500'"
        )
    )
    return max(fed.values()) == 2


def test_both_databases_have_the_same_books(sqlite_house: House, postgres_house: House) -> None:
    """The same orders lead to the same logs, to the byte, and to the same accounts and meters."""
    kept = []
    for house in (sqlite_house, postgres_house):
        play(house, "the same for both", 250, lambda _reply, _crowd: None)
        kept.append(house.dump(but=()))
    assert kept[0] == kept[1]


def test_guarantee_1_a_patron_who_leaves_before_the_call_gets_the_wagers_back(house: House) -> None:
    house.open("stud")
    house.patrons("ann", "bob", cents=100_00)
    house.seat("stud", ann=1, bob=4)
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    house.send_ok("ann", "stud", Wager(2, {"ante": 500}))
    assert house.account("patron/ann") == 84_00 * CENT
    assert house.account("table/stud/wagers") == 16_00 * CENT
    house.send_ok("ann", "stud", Leave(1))
    assert house.account("patron/ann") == 100_00 * CENT
    assert house.account("table/stud/wagers") == 0


def test_guarantee_1_a_patron_owes_a_voided_payout_that_is_already_cashed(house: House) -> None:
    """639a.13(c): Bob's win is void after he cashed it; his account stays at zero, and the rest is owed."""
    house.open("stud")
    house.patrons("ann", "bob", cents=100_00)
    house.seat("stud", ann=1, bob=2)
    audit = Audit(house.db)
    house.source.stack(dealt_one_by_one(ROYAL, "9d 8d 7d 6d 5d", "Ac Ks 7c 3s 2h"))
    house.send_ok("flo", "stud", Reshuffle())
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    house.send_ok("bob", "stud", Wager(2, {"ante": 1000}))
    house.send_ok("ann", "stud", Decide(1, 2))
    house.send_ok("bob", "stud", Decide(2, 2))
    # Bob, settled first, has a straight flush against ace-king: 1 to 1 on $10, 50 to 1 on $20 (639a.12(b)).
    assert house.account("patron/bob") == 1_110_00 * CENT
    house.act_ok(CashOut("bob", 1_110_00), Person("bob", Post.PATRON))
    house.send_ok("flo", "stud", Report("wrong-number"))
    audit.check({"stud": house.table("stud")})
    assert house.account("patron/bob") == 0
    assert house.account("owed/bob") == -1_010_00 * CENT
    assert house.account("patron/ann") == 100_00 * CENT
    assert house.meter("stud/progressive/main@100").current == 10_000_00 * CENT


def test_guarantee_5_a_void_for_a_miscounted_stub_reverses_the_increments(house: House) -> None:
    """639a.8(h): the fifth round's stub is miscounted, and its wagers, returned, have no increment to give."""
    house.open("by hand", automatic=False)
    house.patrons("ann")
    house.seat("by hand", ann=1)
    audit = Audit(house.db)

    def dealt(*until: Do, counted: int = 0) -> None:
        while (table := house.table("by hand")).due.do not in until:
            if next_to_decide(table):
                house.send_ok("ann", "by hand", Decide(1, 0))
            else:
                count = {Do.COUNT: table.expected_stub_count + counted, Do.CHIPS: 1}.get(table.due.do)
                by = "floyd" if table.due.by == "floorperson" else "dealer"
                house.send_ok(by, "by hand", Perform(), counted=count, depth=20)

    dealt(Do.CALL)
    for number in range(1, 6):
        house.send_ok("ann", "by hand", Wager(1, {"ante": 1000, "progressive": 100}))
        dealt(Do.COUNT if number == 5 else Do.SHUFFLE)
        dealt(Do.COUNT if number == 5 else Do.CALL)
    before = house.meter("by hand/progressive/main@100")
    assert before.contributed == 5 * 68 * CENT  # 53 % and 15 % of $1, five times
    house.send_ok("dealer", "by hand", Perform(), counted=1)
    audit.check({"by hand": house.table("by hand")})
    after = house.meter("by hand/progressive/main@100")
    assert (after.contributed, after.current) == (4 * 68 * CENT, (10_000_00 + 4 * 53) * CENT)


def test_guarantee_5_a_jackpot_goes_from_the_meter_to_pending_to_the_patron(house: House) -> None:
    """639a.12(d)(5): measured at the player's turn, the meter reseeded for others; the house pays the patron."""
    house.patrons("ann", cents=100_00)
    royal(house)
    claimed = house.meter("stud/progressive/main@100")
    # $10,000 and 53 cents; the reseed is $10,000: 15 cents of it from the reserve.
    assert (claimed.pending, claimed.current, claimed.reserve) == (10_000_53 * CENT, 10_000_00 * CENT, 0)
    assert claimed.house == (20_000_00 - 15) * CENT
    assert house.account("patron/ann") == 69_00 * CENT
    house.send_ok("flo", "stud", Acknowledge(), light=True)
    house.send_ok("floyd", "stud", Acknowledge(), light=True)
    house.send_ok("flo", "stud", Document(1))
    paid = house.meter("stud/progressive/main@100")
    assert (paid.pending, paid.paid) == (0, 10_000_53 * CENT)
    # A royal flush against king-high: Ante 1 to 1, the Bet returned; the Progressive for its dollar.
    assert house.account("patron/ann") == (69_00 + 20_00 + 20_00 + 10_000_53) * CENT


@pytest.mark.proves("639a.8(b)", "639a.11(c)(5)(iv)")
def test_a_progressive_chip_goes_to_the_inventory_but_the_meter_pays(house: House) -> None:
    house.patrons("ann", cents=100_00)
    royal(house)
    inventory, wagers = "table/stud/inventory", "table/stud/wagers"
    assert (house.account(inventory), house.account(wagers)) == (1_00 * CENT, 30_00 * CENT)
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Acknowledge(), light=True)
    # The Ante is paid 1 to 1 from the inventory, which keeps the Progressive's dollar; the meter pays the jackpot.
    assert (house.account(inventory), house.account(wagers)) == ((1_00 - 10_00) * CENT, 0)
    house.send_ok("flo", "stud", Document(1))
    Audit(house.db).check({"stud": house.table("stud")})
    assert verify_house(house.db).problems == []


@pytest.mark.proves("639a.8(b)")
def test_guarantees_1_and_5_a_wager_without_a_chip_is_returned_and_taken_off_the_meter(house: House) -> None:
    """Bob's meter of $5 keeps its increment; a refused decision moves nothing."""
    house.open("by hand", automatic=False)
    house.patrons("ann", "bob", cents=100_00)
    house.seat("by hand", ann=1, bob=3)
    audit = Audit(house.db)

    def dealt(until: Do) -> None:
        while (table := house.table("by hand")).due.do is not until:
            by = "floyd" if table.due.by == "floorperson" else "dealer"
            house.send_ok(by, "by hand", Perform(), depth=20)

    dealt(Do.CALL)
    house.send_ok("ann", "by hand", Wager(1, {"ante": 1000, "progressive": 100}))
    house.send_ok("bob", "by hand", Wager(3, {"ante": 1000, "progressive": 500}))
    dealt(Do.CHIPS)
    assert house.meter("by hand/progressive/main@100").contributed == 68 * CENT
    before = house.dump()
    assert not house.send("dealer", "by hand", Perform(), counted=1, without_chip=(1,)).accepted
    assert not house.send("flo", "by hand", Perform(), counted=1, without_chip=(2,)).accepted
    assert house.dump() == before
    house.send_ok("flo", "by hand", Perform(), counted=1, without_chip=(1,))
    audit.check({"by hand": house.table("by hand")})
    ann, bob = (house.meter(f"by hand/progressive/main@{amount}") for amount in (100, 500))
    assert (ann.current, ann.reserve, ann.contributed) == (10_000_00 * CENT, 0, 0)
    assert (bob.current, bob.contributed) == ((50_000_00 + 5 * 53) * CENT, 5 * 68 * CENT)
    assert (house.account("patron/ann"), house.account("patron/bob")) == (90_00 * CENT, 85_00 * CENT)
    assert (house.account("table/by hand/inventory"), house.account("table/by hand/wagers")) == (
        5_00 * CENT,
        20_00 * CENT,
    )
    assert verify_house(house.db).problems == []


@pytest.mark.proves("639a.13(c)")
def test_a_void_after_a_jackpot_returns_the_chip_from_the_inventory(house: House) -> None:
    house.patrons("ann", cents=100_00)
    royal(house)
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Acknowledge(), light=True)
    house.send_ok("flo", "stud", Report("wrong-number"))
    assert (house.account("table/stud/inventory"), house.account("patron/ann")) == (0, 100_00 * CENT)
    assert house.meter("stud/progressive/main@100").current == 10_000_00 * CENT
    Audit(house.db).check({"stud": house.table("stud")})


def test_guarantee_5_refuses_to_close_a_table_with_a_pending_payout(house: House) -> None:
    """A pending payout would have no table to be paid at."""
    house.patrons("ann")
    royal(house)
    assert not house.act(CloseTable("stud")).accepted
    house.send_ok("flo", "stud", Acknowledge(), light=True)
    house.send_ok("floyd", "stud", Acknowledge(), light=True)
    assert house.account("table/stud/wagers") == 0
    assert not house.act(CloseTable("stud")).accepted
    house.send_ok("flo", "stud", Document(1))
    house.act_ok(CloseTable("stud"))
    assert house.meter("stud/progressive/main@100").pending == 0
