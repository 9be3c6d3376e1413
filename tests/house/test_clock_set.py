"""Setting the clock back, or forward and back, stops no table, and the times of a log never decrease."""

import asyncio
import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_house import BEGIN, STUD, House
from waiting import TIMEOUT

from pitboss.house.config import Config
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Deal, Order
from pitboss.house.desk.table_clock import TableClocks, TableTime
from pitboss.house.floor.table_overview import overview_of
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import Act, BuyIn, Hire, OpenTable
from pitboss.house.office.office import HOUSE_PERSON, Office
from pitboss.house.office.people import Post
from pitboss.house.startup import prepare_database
from pitboss.house.storage.logs import entries
from pitboss.house.storage.sqlite import Sqlite
from pitboss.house.writers import WriterPool
from pitboss.record.chain import decode_entry
from pitboss.submission import text_of
from pitboss.table import Role, Sit, Wager
from pitboss.web.hub import table_message
from pitboss.web.runtime import Runtime

HOUR = 3600
TIMED = text_of(STUD).replace("# decision_timeout = 60", "decision_timeout = 30")


class Clocks:
    """A clock that can be set, and a monotonic one."""

    def __init__(self) -> None:
        self.clock, self.steady = float(BEGIN), 5_000.0
        self.times = TableClocks(lambda: self.clock, lambda: self.steady)

    def set(self, seconds: int) -> None:
        self.clock += seconds

    def passes(self, seconds: float) -> None:
        self.clock, self.steady = self.clock + seconds, self.steady + seconds

    def restarted(self) -> None:
        """Another process starts, with a new monotonic clock."""
        self.steady, self.times = 0.0, TableClocks(lambda: self.clock, lambda: self.steady)


@pytest.fixture
def clocks(house: House) -> Clocks:
    """A house with a table where Ann has wagered and Bob has not."""
    clocks = Clocks()
    house.desk = Desk(house.db, source=house.source, now=clocks.times)
    house.open("stud", TIMED, betting=20, rest=4)
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    house.send_ok("ann", "stud", Wager(1, {"ante": 10_00}))
    return clocks


def _dealer_goes_on(house: House) -> bool:
    """Whether the dealer goes on now."""
    before = house.live_table("stud").seq
    house.desk.carry_out([Deal("stud")])
    return house.live_table("stud").seq > before


def _log_times(house: House) -> list[int]:
    """The times of a table's log, which never decrease."""
    found = [decode_entry(body).given.time for _, body, _ in entries(house.db, "stud")]
    assert found == sorted(found)
    return found


@pytest.mark.parametrize("step", [-HOUR, -5, 0])
def test_bets_close_on_time_whatever_the_clock_is_set_to(house: House, clocks: Clocks, step: int) -> None:
    clocks.passes(10)
    clocks.set(step)
    clocks.passes(9.5)
    assert not _dealer_goes_on(house)
    clocks.passes(0.5)
    assert _dealer_goes_on(house)
    assert house.table("stud").called
    assert _log_times(house)[-1] == BEGIN + 20


def test_a_clock_set_forward_and_back_does_not_stop_the_table(house: House, clocks: Clocks) -> None:
    clocks.set(HOUR)
    house.send_ok("bob", "stud", Wager(2, {"ante": 10_00}))  # in that hour the cards are dealt, and Ann is asked
    clocks.set(-HOUR)
    clocks.passes(29)
    assert not _dealer_goes_on(house)
    clocks.passes(1)
    assert _dealer_goes_on(house)
    assert _log_times(house)[-1] == BEGIN + HOUR + 30


def test_a_short_jump_of_the_clock_without_orders_has_no_effect(house: House, clocks: Clocks) -> None:
    clocks.set(HOUR)
    assert clocks.times.at(house.live_table("stud")) == TableTime(BEGIN + HOUR, 0)
    clocks.set(-HOUR)
    assert clocks.times.at(house.live_table("stud")) == TableTime(BEGIN, 0)


def test_a_server_starts_with_a_clock_behind_the_log(house: House, clocks: Clocks) -> None:
    clocks.set(-HOUR)
    clocks.restarted()
    house.desk = Desk(house.another_connection(), source=house.source, now=clocks.times)
    assert not _dealer_goes_on(house)
    for _ in range(40):  # in steps of less than a second nothing is lost
        assert not house.table("stud").called
        clocks.passes(0.5)
        house.desk.carry_out([Deal("stud")])
    assert house.table("stud").called
    assert _log_times(house)[-1] == BEGIN + 20


def test_a_server_follows_another_with_a_clock_ahead(postgres_house: House) -> None:
    house, here, there = postgres_house, Clocks(), Clocks()
    there.set(HOUR)
    house.desk = Desk(house.db, source=house.source, now=here.times)
    other = Desk(house.another_connection(), source=house.source, now=there.times)
    house.open("stud", TIMED, betting=20)
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    (reply,) = other.carry_out([house.order("ann", "stud", Wager(1, {"ante": 10_00}))])
    assert reply.accepted
    assert not _dealer_goes_on(house)
    here.passes(20)
    assert _dealer_goes_on(house)
    assert _log_times(house)[-1] == BEGIN + HOUR + 20


def test_screens_show_the_time_of_the_servers_clock(house: House, clocks: Clocks) -> None:
    def seen() -> tuple[int | None, int | None, int, list[str]]:
        live, moment = house.live_table("stud"), clocks.times.at(house.live_table("stud"))
        screen = table_message(live, ("", Role.FLOORPERSON), (), moment)
        deck = overview_of(live, moment.now, (), moment.ahead).deck
        assert deck
        return screen.closes, screen.view.deadline, deck.at, [duty for duty in screen.duties if "clock" in duty]

    closes, _, deck, duties = seen()
    assert (closes, duties) == (BEGIN + 20, [])
    clocks.set(-HOUR)
    behind = [f"The server clock is {HOUR} seconds behind this table's log. Check the clock."]
    assert seen() == (BEGIN - HOUR + 20, None, deck - HOUR, behind)
    clocks.passes(20)
    assert _dealer_goes_on(house)
    assert seen() == (None, BEGIN - HOUR + 50, deck - HOUR, behind)


@pytest.fixture
def collector() -> Iterator[None]:
    """Restore the garbage collector, which a server changes."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("collector")
def test_a_server_keeps_dealing_when_its_clock_is_set_back(tmp_path: Path) -> None:
    back = 0

    async def played() -> None:
        nonlocal back
        config = Config(data=str(tmp_path))
        now = TableClocks(lambda: time.time() - back, time.monotonic)
        pit = WriterPool(lambda: Sqlite(file), lambda: Sqlite(file, read_only=True), now=now)
        run = Runtime(config, pit)
        await run.begin()
        try:
            for who, command in (("bob", Sit(2)), ("ann", Sit(1)), ("ann", Wager(1, {"ante": 10_00}))):
                key = type(command).__name__
                order = Order(person=who, role=Role.PLAYER, key=key, chain="stud", command=command)
                assert (await run.carry_out(order)).accepted
            back = HOUR
            async with asyncio.timeout(TIMEOUT):
                while not run.live("stud").table.called:  # noqa: ASYNC110 (nobody tells when they are)
                    await asyncio.sleep(0.05)
        finally:
            await run.end()

    file = tmp_path / "house.db"
    db = Sqlite(file)
    prepare_database(db)
    office = Office(db, time.time)
    people = (Hire(name, Post.PATRON, "none") for name in ("ann", "bob"))
    acts: tuple[Act, ...] = *people, BuyIn("ann", 100_00), OpenTable("stud", text_of(STUD), Settings(betting=2))
    assert all(office.do(HOUSE_PERSON, act, str(number)).accepted for number, act in enumerate(acts))
    db.close()
    asyncio.run(played())
