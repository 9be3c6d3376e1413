"""Guarantee 2, on SQLite and PostgreSQL: wherever the database fails, an order is stored completely or not at all."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from crowd import NOTHING, ROYAL
from desk_house import House, dealt_one_by_one

from pitboss.house.storage.connections import DatabaseFailure
from pitboss.table import Acknowledge, Decide, Document, Reshuffle, Wager


@pytest.mark.parametrize("done", [0, 1, 4], ids=["the call", "a claim", "the end of a round"])
def test_guarantee_2_a_failed_order_is_stored_completely_or_not_at_all(
    house: House, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """The database fails at the first statement, at the second, …: nothing is stored, and the order can be repeated."""
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.send_ok("flo", "stud", Reshuffle())
    orders = (
        house.order("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100, "five-card-hand-player": 500})),
        house.order("ann", "stud", Decide(1, 2)),
        house.order("flo", "stud", Acknowledge(), light=True),
        house.order("floyd", "stud", Acknowledge(), light=True),
        house.order("flo", "stud", Document(1)),
    )
    house.desk.carry_out(orders[:done])
    last = orders[done]
    before, known = house.dump(but=()), house.live_table("stud")
    failures = 0
    with monkeypatch.context() as patch:
        countdown = _fail_after(house, patch)
        for statements in count():
            countdown[0] = statements
            try:
                (reply,) = house.desk.carry_out([last])
            except DatabaseFailure:
                failures += 1
            else:
                break
            countdown[0] = 1_000
            assert house.dump(but=()) == before
            assert house.live_table("stud") == known
    assert reply.accepted
    assert failures > 5
    after = house.dump(but=())
    assert house.desk.carry_out([last]) == [reply]
    assert house.dump(but=()) == after
    assert len(after["entry"]) > len(before["entry"])
    assert len(after["answered"]) == len(before["answered"]) + 1


def _fail_after(house: House, patch: pytest.MonkeyPatch) -> list[int]:
    """Make the database fail after as many statements as the returned number says."""
    countdown = [1_000]

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def statement(sql: str, *values: Any) -> Any:
            if sql != "ROLLBACK":
                countdown[0] -= 1
            if countdown[0] < 0:
                raise DatabaseFailure("the disk is gone")
            return real(sql, *values)

        return statement

    for name in ("execute", "execute_many"):
        patch.setattr(house.db, name, failing(getattr(house.db, name)))
    return countdown
