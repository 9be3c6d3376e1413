"""Guarantee 8, on SQLite and PostgreSQL: a refused order changes nothing and says why."""

from typing import Any

from crowd import Crowd, play
from desk_house import House

from pitboss.house.desk.desk import OPEN_TABLE_RULE
from pitboss.house.desk.order_policy import FUNDS_RULE
from pitboss.house.desk.orders import Reply
from pitboss.house.office.acts import BuyIn, CloseTable
from pitboss.table import Acknowledge, Decide, Report, Wager
from pitboss.table.steps import next_to_decide


def test_guarantee_8_a_refused_order_changes_nothing_and_cites_a_clause(house: House) -> None:
    """In random play, a refused order changes no row of the database except the stored answer."""
    before: dict[str, list[Any]] = {}
    refused = 0

    def check(reply: Reply, _: Crowd) -> None:
        nonlocal before, refused
        now = house.dump()
        if not reply.accepted:
            assert now == before
            assert reply.why.endswith((".", "”."))
            assert reply.cite
            refused += 1
        before = now

    play(house, "refusals", 400, check)
    assert refused > 50


def test_guarantee_8_a_refused_order_leaves_the_meter_rows_unchanged(house: House) -> None:
    """A refused order that reads the meters leaves contributions as they are."""
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    before = house.dump()
    assert not house.send("flo", "stud", Acknowledge()).accepted
    assert not house.send("flo", "stud", Report("malfunction", device="shoe")).accepted
    assert house.dump() == before


def test_guarantee_8_refuses_wagers_and_raises_above_the_balance(house: House) -> None:
    house.open("stud")
    house.patrons("ann", cents=25_00)
    house.seat("stud", ann=1)
    before = house.dump()
    reply = house.send("ann", "stud", Wager(1, {"ante": 2500, "progressive": 100}))
    assert reply == Reply(
        accepted=False, table="stud", why="The account holds $25.00; this takes $26.00.", cite=FUNDS_RULE
    )
    assert house.dump() == before
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    before = house.dump()
    reply = house.send("ann", "stud", Decide(1, 2))
    assert reply == Reply(
        accepted=False, table="stud", why="The account holds $14.00; this takes $20.00.", cite=FUNDS_RULE
    )
    assert house.dump() == before
    assert next_to_decide(house.table("stud"))
    house.act_ok(BuyIn("ann", 6_00))
    assert house.send("ann", "stud", Decide(1, 2)).accepted


def test_guarantee_8_a_closed_table_takes_no_orders_and_wagers_prevent_closing(house: House) -> None:
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.open("other")
    house.seat("other", ann=1)
    house.pass_time(0, "other")
    house.send_ok("ann", "other", Wager(1, {"ante": 1000}))
    assert not house.act(CloseTable("other")).accepted
    house.act_ok(CloseTable("stud"))
    reply = house.another_desk().carry_out([house.order("ann", "stud", Wager(1, {"ante": 1000}))])[0]
    assert (reply.accepted, reply.cite) == (False, OPEN_TABLE_RULE)
