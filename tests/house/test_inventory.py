"""A table's chips: a credit cannot exceed them, and closing the table returns them; on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from books_audit import Audit
from crowd import ADA, FLO, NOTHING, ROYAL
from desk_house import House, dealt_one_by_one
from waiting import until

from pitboss.house.evidence import verify_house
from pitboss.house.office.acts import Approve, CloseTable, Credit, Fill
from pitboss.house.office.office import ActResult, Office, pending_requests
from pitboss.house.storage.logs import HOUSE
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.money import CENT
from pitboss.table import Decide, Reshuffle, Wager

INVENTORY = "table/stud/inventory"
WAITING = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def move_chips(house: House, act: Fill | Credit) -> ActResult:
    """A floorperson asks to move chips, and an auditor approves."""
    return house.act(Approve(house.act_ok(act, FLO).waiting), ADA)


def test_refuses_a_credit_above_the_inventory(house: House) -> None:
    house.open("stud")
    assert move_chips(house, Fill("stud", 5_000_00)).accepted
    before = house.dump(but=("answered", "approval"))
    refused = move_chips(house, Credit("stud", 5_000_01))
    assert (refused.accepted, refused.why) == (False, "The inventory of stud holds $5,000.00.")
    assert house.dump(but=("answered", "approval")) == before
    assert [one["body"]["amount"] for one in pending_requests(house.db)] == [
        5_000_01
    ]  # to be declined, or filled first
    assert move_chips(house, Credit("stud", 5_000_00)).accepted
    assert house.account(INVENTORY) == 0
    assert not move_chips(house, Credit("stud", 1)).accepted


def test_refuses_a_credit_from_a_negative_inventory(house: House) -> None:
    """Winnings are always paid: the inventory is negative until it is filled."""
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.send_ok("flo", "stud", Reshuffle())
    house.send_ok("ann", "stud", Wager(1, {"ante": 10_00}))
    house.send_ok("ann", "stud", Decide(1, 2))
    assert house.account(INVENTORY) == -10_00 * CENT
    refused = move_chips(house, Credit("stud", 1))
    assert (refused.accepted, refused.why) == (False, "The inventory of stud holds $0.00.")
    assert move_chips(house, Fill("stud", 30_00)).accepted
    assert not move_chips(house, Credit("stud", 20_01)).accepted
    assert move_chips(house, Credit("stud", 20_00)).accepted
    Audit(house.db).check({"stud": house.table("stud")})


def test_two_concurrent_credits_do_not_take_the_same_chips(postgres_house: House) -> None:
    """On two servers: the second decision sees the result of the first."""
    house = postgres_house
    house.open("stud")
    assert move_chips(house, Fill("stud", 5_000_00)).accepted
    asked = [house.act_ok(Credit("stud", 3_000_00), FLO).waiting for _ in range(2)]
    offices = [Office(house.another_connection(), house.clock) for _ in asked]
    looking = house.another_connection()
    with ThreadPoolExecutor() as threads:
        with house.db.transaction():  # the house's log stays locked until both have started
            assert UnitOfWork(house.db).chain(HOUSE)
            doing = [
                threads.submit(office.do, ADA, Approve(name), name) for office, name in zip(offices, asked, strict=True)
            ]
            until(lambda: looking.execute(WAITING) == [(2,)], "both wait for the house's log")
            assert not any(one.done() for one in doing)
        assert sorted(one.result().accepted for one in doing) == [False, True]
    assert house.account(INVENTORY) == 2_000_00 * CENT


@pytest.mark.parametrize("closed_before", ["it is asked for", "it is approved"])
def test_closing_a_table_returns_its_chips(house: House, closed_before: str) -> None:
    house.open("stud")
    held = house.account("house")
    assert move_chips(house, Fill("stud", 5_000_00)).accepted
    if closed_before == "it is asked for":
        house.act_ok(CloseTable("stud"))
        asked = house.act_ok(Credit("stud", 5_000_00), FLO)
    else:
        asked = house.act_ok(Credit("stud", 5_000_00), FLO)
        house.act_ok(CloseTable("stud"))
    house.act_ok(Approve(asked.waiting), ADA)
    assert house.account(INVENTORY) == 0
    assert house.account("house") == held
    assert not house.act(Fill("stud", 1_00), FLO).accepted
    assert not house.act(Credit("steady", 1_00), FLO).accepted
    assert verify_house(house.db).problems == []
