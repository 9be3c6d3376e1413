"""A table at a glance, as the pit sees it: counts, voids, devices and approvals that wait for a person."""

from typing import Any

from desk_house import House as EitherHouse

from pitboss.house.floor.table_overview import overview_of
from pitboss.house.office.acts import Fill, Suspend
from pitboss.house.office.office import pending_requests
from pitboss.house.office.people import Person, Post
from pitboss.table import Acknowledge, Decide, Report, Wager


def test_the_pit_shows_duties(sqlite_house: EitherHouse) -> None:
    house = sqlite_house
    house.patrons("ann")
    house.open("639a", betting=1)
    house.seat("639a", ann=1)

    def seen() -> Any:
        return overview_of(house.live_table("639a"), house.clock.time, pending_requests(house.db))

    assert (seen().void, seen().claims, seen().approvals) == ("", (), [])
    counted = []
    for number in range(6):
        counted.append(seen().count.rounds)
        house.send_ok("ann", "639a", Wager(1, {"ante": 1000, "progressive": 100}))
        house.pass_time(5, "639a")
        assert (seen().called, seen().money, seen().boxes) == (True, 1000, 1)
        if number < 5:
            house.send_ok("ann", "639a", Decide(1, 0))
    assert counted == [4, 3, 2, 1, 0, 4]  # 639a.8(f): at least every fifth round
    house.send_ok("dealer dan", "639a", Report("wrong-number", seat=1, cards=6))
    assert seen().void == "639a.13(c)"
    assert any("639a.13(c)" in duty.clauses for duty in seen().duties)
    house.send_ok("flo", "639a", Acknowledge())
    house.send_ok("dealer dan", "639a", Report("malfunction", device="shuffler"))
    assert (seen().broken, seen().void) == (("shuffler",), "")
    request = house.act_ok(Fill("639a", 1000_00), Person("flo", Post.FLOORPERSON)).waiting
    (waits,) = seen().approvals
    assert (waits.id, waits.kind, waits.by) == (request, "Fill", "flo")
    house.act_ok(Suspend("639a", "progressive", "the link failed"))
    house.desk.forget("639a")
    assert seen().suspended == ("progressive",)
