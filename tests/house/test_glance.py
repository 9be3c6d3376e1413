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
        return overview_of(house.standing("639a"), house.clock.time, pending_requests(house.db))

    assert (seen().void, seen().claims, seen().approvals) == ("", (), [])
    counted = []
    for number in range(6):
        counted.append(seen().count.rounds)
        house.took("ann", "639a", Wager(1, {"ante": 1000, "progressive": 100}))
        house.passes(5, "639a")
        assert (seen().called, seen().money, seen().boxes) == (True, 1000, 1)
        if number < 5:
            house.took("ann", "639a", Decide(1, 0))
    assert counted == [4, 3, 2, 1, 0, 4]  # 639a.8(f): at least every fifth round
    house.took("dealer dan", "639a", Report("wrong-number", seat=1, cards=6))
    assert seen().void == "639a.13(c)"
    assert any("639a.13(c)" in duty.clauses for duty in seen().duties)
    house.took("flo", "639a", Acknowledge())
    house.took("dealer dan", "639a", Report("malfunction", device="shuffler"))
    assert (seen().broken, seen().void) == (("shuffler",), "")
    request = house.did(Fill("639a", 1000_00), Person("flo", Post.FLOORPERSON)).waiting
    (waits,) = seen().approvals
    assert (waits.id, waits.kind, waits.by) == (request, "Fill", "flo")
    house.did(Suspend("639a", "progressive", "the link failed"))
    house.desk.forget("639a")
    assert seen().suspended == ("progressive",)
