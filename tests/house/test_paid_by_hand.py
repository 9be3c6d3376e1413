"""639a.11(c)(6)(iii) in the house, on SQLite and PostgreSQL: a share of the meter on a Five Card Hand wager."""

import pytest
from books_audit import Audit
from crowd import NOTHING, ROYAL
from desk_house import House, dealt_one_by_one

from pitboss.house.evidence import list_significant_events, slip_paper, verify_house
from pitboss.house.storage.logs import entries
from pitboss.money import CENT
from pitboss.record.chain import decode_entry
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Decide, Document, Report, Reshuffle, Wager, Withhold, events

METER = "stud/five-card-hand/five-card-hand@100"
WON = 10_000_13
"""$10,000 and 13 per cent of one dollar, in cents: 639a.12(e)(4)."""


def claim_royal_flush(house: House, table: str = "stud") -> Audit:
    """A royal flush of ann's is claimed, with $1 on her Five Card Hand; she folded her Ante."""
    house.patrons("ann", cents=100_00)
    house.open(table)
    house.seat(table, ann=1)
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.send_ok("flo", table, Reshuffle())
    house.send_ok("ann", table, Wager(1, {"ante": 1000, "five-card-hand-player": 100}))
    house.send_ok("ann", table, Decide(1, 0))
    return Audit(house.db)


def validate_claim(house: House) -> None:
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Acknowledge())


def documented_events(house: House) -> list[events.Documented]:
    told = [event for _, body, _ in entries(house.db, "stud") for event in decode_entry(body).events]
    return [event for event in told if isinstance(event, events.Documented)]


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_a_payout_by_hand_goes_from_the_meter_through_a_payable_to_the_cage(house: House) -> None:
    audit = claim_royal_flush(house)
    assert house.meter(METER).pending == WON * CENT
    validate_claim(house)
    held = {name: house.account(name) for name in ("patron/ann", "payable/ann", f"meter/{METER}/pending")}
    assert held == {"patron/ann": 89_00 * CENT, "payable/ann": WON * CENT, f"meter/{METER}/pending": 0}
    audit.check({"stud": house.table("stud")})
    cage = house.account("cage")
    house.send_ok("floyd", "stud", Document(1))
    assert (house.account("patron/ann"), house.account("payable/ann")) == (89_00 * CENT, 0)
    assert house.account("cage") - cage == WON * CENT
    assert house.table("stud").round == 1
    audit.check({"stud": house.table("stud")})
    assert verify_house(house.db).problems == []


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_the_hand_stays_until_the_documentation_has_both_names(house: House) -> None:
    claim_royal_flush(house)
    validate_claim(house)
    house.pass_time(3600, "stud")
    table = house.table("stud")
    assert (table.due.do, table.round) == (Do.CLEAR, 0)  # the automatic dealer waits for the documentation
    assert [str(slot.card) for slot in table.boxes[1].cards] == ROYAL.split()
    refused = house.send("dealer", "stud", Document(1))
    assert (refused.accepted, documented_events(house)) == (False, [])
    facts = {fact.label: (fact.value, fact.cite) for fact in slip_paper(house.db, "J-000001").facts}
    assert facts["By hand"] == ("$10,000.13; no account is credited", "639a.11(c)(6)(iii)")
    assert facts["The hand"] == ("stays on the table until this slip is signed", "639a.11(c)(6)(iii)")
    house.send_ok("floyd", "stud", Document(1))
    assert documented_events(house) == [events.Documented(1, "floyd", ("flo", "floyd"), WON)]
    noted = list_significant_events(house.db, limit=1)[0]
    assert noted.what.endswith("$10,000.13 paid to ann by hand")
    assert (noted.actor, noted.after) == ("floyd", "validated by flo and floyd")


@pytest.mark.proves("639a.13(c)")
@pytest.mark.parametrize("paid", [False, True])
def test_a_void_reverses_the_payable_or_makes_the_patron_owe_it(house: House, *, paid: bool) -> None:
    house.patrons("bob", cents=100_00)
    claim_royal_flush_of_two(house)
    audit = Audit(house.db)
    before = house.meter(METER)
    house.send_ok("flo", "stud", Acknowledge())
    house.send_ok("floyd", "stud", Acknowledge())
    if paid:
        house.send_ok("flo", "stud", Document(2))
    house.send_ok("flo", "stud", Report("wrong-number"))
    audit.check({"stud": house.table("stud")})
    assert house.account("payable/bob") == 0
    assert house.account("owed/bob") == (-10_000_26 * CENT if paid else 0)
    assert (house.account("patron/ann"), house.account("patron/bob")) == (100_00 * CENT, 100_00 * CENT)
    meter = house.meter(METER)
    assert (meter.current, meter.pending, meter.paid) == (10_000_00 * CENT, 0, before.paid)
    house.send_ok("flo", "stud", Acknowledge())
    assert verify_house(house.db).problems == []


def claim_royal_flush_of_two(house: House) -> None:
    """Bob, settled first, has the royal flush; ann's box is not settled yet while his is claimed."""
    house.patrons("ann", cents=100_00)
    house.open("stud", automatic=True)
    house.seat("stud", ann=1, bob=2)
    house.source.stack(dealt_one_by_one("9d 8d 7d 6d 5d", ROYAL, NOTHING))
    house.send_ok("flo", "stud", Reshuffle())
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "five-card-hand-player": 100}))
    house.send_ok("bob", "stud", Wager(2, {"ante": 1000, "five-card-hand-player": 100}))
    house.send_ok("ann", "stud", Decide(1, 2))
    house.send_ok("bob", "stud", Decide(2, 2))
    assert house.table("stud").boxes[2].claimed


@pytest.mark.proves("639a.12(e)(2)", "639a.11(c)(6)(iii)")
def test_two_winners_of_the_dealers_jackpot_have_a_document_each(house: House) -> None:
    house.patrons("ann", "bob", cents=100_00)
    house.open("stud")
    house.seat("stud", ann=1, bob=2)
    house.source.stack(dealt_one_by_one(NOTHING, "3c 6h 8h Tc Qd", "As Ks Qs Js Ts"))
    house.send_ok("flo", "stud", Reshuffle())
    for name, seat in (("ann", 1), ("bob", 2)):
        house.send_ok(name, "stud", Wager(seat, {"ante": 1000, "five-card-hand-dealer": 100}))
    for name, seat in (("ann", 1), ("bob", 2)):
        house.send_ok(name, "stud", Decide(seat, 0))
    audit, each = Audit(house.db), 5_000_13 * CENT  # half of $10,000 and twice 13 cents
    validate_claim(house)
    audit.check({"stud": house.table("stud")})
    assert (house.account("payable/bob"), house.meter(METER).pending) == (each, each)
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Withhold("the dealer's hand is disputed"))
    audit.check({"stud": house.table("stud")})
    assert (house.account("payable/ann"), house.meter(METER).pending) == (0, 0)
    for seat in (1, 2):
        house.send_ok("flo", "stud", Document(seat))
    assert [(one.seat, one.paid) for one in documented_events(house)] == [(1, 0), (2, 5_000_13)]
    audit.check({"stud": house.table("stud")})
    assert verify_house(house.db).problems == []
