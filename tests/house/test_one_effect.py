"""Guarantees 1, 3 and 5: an order that is repeated, or sent to several processes at once, is carried out once."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import TypeVar

from books_audit import Audit
from crowd import ADA, FOUR, Crowd, crowd_house
from desk_house import BOSS, PRIME, STUD, House
from slices import DELIVERIES_ON_POSTGRESQL, DELIVERIES_ON_SQLITE

from pitboss.house.desk.desk import Desk
from pitboss.house.desk.order_policy import FUNDS_RULE
from pitboss.house.desk.orders import Deal, Order, Reply
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import IDEMPOTENCY_RULE, Act, Approve, BuyIn, CashOut, Fill, OpenTable
from pitboss.house.office.office import ActResult, Office
from pitboss.house.office.people import Person
from pitboss.house.storage.connections import Conflict
from pitboss.house.storage.sqlite import Sqlite
from pitboss.money import CENT
from pitboss.submission import text_of
from pitboss.table import Leave, Sit, Wager

T = TypeVar("T")
TWELVE = {f"{name} {number}": preset for number in range(4) for name, preset in list(FOUR.items())[:3]}


def test_guarantee_3_a_key_delivered_often_and_out_of_order_has_one_effect(
    house: House, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """Every order comes one to five times, late and between others; a house that gets each once has the same books."""
    begun = time.monotonic()
    least = DELIVERIES_ON_SQLITE if house.kind == "SQLite" else DELIVERIES_ON_POSTGRESQL
    crowd, once = Crowd(house, "deliveries", TWELVE), House(lambda: Sqlite(tmp_path / "once.db"))
    crowd_house(once, TWELVE)
    answers: dict[str, Reply] = {}
    coming: list[Order] = []
    deliveries = 0
    while deliveries < least:
        orders = [crowd.order(name) for name in TWELVE]
        coming += [order for order in orders for _ in range(crowd.chance.randint(1, 5))]
        crowd.chance.shuffle(coming)
        batch, coming = coming[: len(coming) * 2 // 3], coming[len(coming) * 2 // 3 :]
        first = list({order.key: order for order in batch if order.key not in answers}.values())
        for held in (house, once):
            held.clock.time += 1
        for order, reply in zip(batch, house.desk.carry_out(batch), strict=True):
            assert answers.setdefault(order.key, reply) == reply
        assert once.desk.carry_out(first) == [answers[order.key] for order in first]
        for held in (house, once):
            held.desk.carry_out([Deal(name) for name in TWELVE])
        deliveries += len(batch)
    accepted = sum(reply.accepted for reply in answers.values())
    assert house.dump(but=()) == once.dump(but=())
    once.close()
    tell(
        f"{house.kind}: {deliveries} deliveries of {len(answers)} orders, {accepted} of them accepted, had one "
        f"effect each; {time.monotonic() - begun:.0f} s"
    )


def test_guarantee_3_refuses_the_same_key_with_another_order(house: House) -> None:
    house.open("stud")
    house.open("prime", PRIME)
    house.patrons("ann", "bob")
    sat = house.send("ann", "stud", Sit(1), key="once")
    before = house.dump(but=())
    assert house.send("ann", "stud", Sit(1), key="once") == sat
    for table, command, entered in (
        ("stud", Sit(2), {}),
        ("prime", Sit(1), {}),
        ("stud", Leave(1), {}),
        ("stud", Sit(1), {"depth": 20}),
    ):
        reply = house.send("ann", table, command, key="once", **entered)
        assert (reply.accepted, reply.cite) == (False, IDEMPOTENCY_RULE)
    assert house.dump(but=()) == before
    assert house.send("bob", "stud", Sit(2), key="once").accepted  # keys are per person
    bought = house.act(BuyIn("ann", 5_00), key="cash")
    assert house.act(BuyIn("ann", 5_00), key="cash") == bought
    other = house.act(BuyIn("ann", 6_00), key="cash")
    assert (other.accepted, other.cite) == (False, IDEMPOTENCY_RULE)
    assert house.account("patron/ann") == 1_000_005_00 * CENT


def test_guarantee_3_a_key_used_by_concurrent_processes_has_one_effect(postgres_house: House) -> None:
    house = postgres_house
    house.open("stud")
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    for round_number in range(20):
        orders = [house.order("ann", "stud", Wager(1, {"ante": 500 + 500 * (round_number % 2)}))] * 4
        seq = house.live_table("stud").seq
        replies = _send_at_once(house, orders)
        assert replies == [Reply(accepted=True, table="stud", seq=seq + 1)] * 4
    done = _act_at_once(house, [(BuyIn("bob", 1_00), "the same")] * 4)
    assert done == [done[0]] * 4
    assert house.account("patron/bob") == 1_000_001_00 * CENT


def _send_at_once(house: House, orders: Sequence[Order]) -> list[Reply]:
    """The replies to orders that come to several processes at the same time."""

    def ordered(order: Order, desk: Desk) -> Reply:
        for _ in range(20):
            with suppress(Conflict):  # as the pit has it
                return desk.carry_out([order])[0]
        return desk.carry_out([order])[0]

    return _run_at_once(house, [partial(ordered, order) for order in orders])


def _act_at_once(house: House, acts: Sequence[tuple[Act, str]], person: Person = BOSS) -> list[ActResult]:
    """The results of acts, with their keys, that come to several processes at the same time."""

    def done(act: Act, key: str, desk: Desk) -> ActResult:
        return Office(desk.db, house.clock).do(person, act, key)

    return _run_at_once(house, [partial(done, act, key) for act, key in acts])


def _run_at_once(house: House, works: Sequence[Callable[[Desk], T]]) -> list[T]:
    """Run all of these at the same time, each with its own connection."""
    start = Barrier(len(works))
    results: dict[int, T] = {}

    def run(number: int, work: Callable[[Desk], T], desk: Desk) -> None:
        start.wait()
        results[number] = work(desk)

    desks = [house.another_desk(own_connection=True) for _ in works]
    threads = [Thread(target=run, args=(number, work, desks[number])) for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(works))]


def test_guarantee_1_concurrent_tables_cannot_take_the_same_money(postgres_house: House) -> None:
    house = postgres_house
    tables = [f"stud {number}" for number in range(4)]
    house.patrons("ann", cents=10_00)
    for table in tables:
        house.open(table)
        house.seat(table, ann=1)
    orders = [house.order("ann", table, Wager(1, {"ante": 1000})) for table in tables]
    replies = _send_at_once(house, orders)
    assert sorted(reply.accepted for reply in replies) == [False, False, False, True]
    assert {reply.cite for reply in replies if not reply.accepted} == {FUNDS_RULE}
    assert house.account("patron/ann") == 0
    Audit(house.db).check({table: house.table(table) for table in tables})


def test_guarantee_1_the_same_money_is_paid_out_once(postgres_house: House) -> None:
    house = postgres_house
    house.patrons("ann", cents=10_00)
    done = _act_at_once(house, [(CashOut("ann", 10_00), key) for key in "abcd"])
    assert sorted(one.accepted for one in done) == [False, False, False, True]
    assert house.account("patron/ann") == 0


def test_guarantee_1_concurrent_approvals_carry_out_a_request_once(postgres_house: House) -> None:
    house = postgres_house
    house.open("stud")
    for number in range(1, 6):
        asked = house.act_ok(Fill("stud", 1_000_00))
        done = _act_at_once(house, [(Approve(asked.waiting), f"{number} {key}") for key in "abcd"], ADA)
        assert sorted(one.accepted for one in done) == [False, False, False, True]
        assert house.account("table/stud/inventory") == number * 1_000_00 * CENT


def test_guarantee_5_a_meter_opened_by_concurrent_processes_is_seeded_once(postgres_house: House) -> None:
    house = postgres_house
    text, links = text_of(STUD).replace('linked = "no"', 'linked = "tables"'), {"progressive": "floor"}
    opening = [(OpenTable(f"stud {number}", text, Settings(links=links)), f"open {number}") for number in range(4)]
    assert [done.accepted for done in _act_at_once(house, opening)] == [True] * 4
    assert house.account("meter/link:floor/progressive/main@100/current") == 10_000_00 * CENT
    Audit(house.db).check({f"stud {number}": house.table(f"stud {number}") for number in range(4)})
