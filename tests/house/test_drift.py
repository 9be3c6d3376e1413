"""Linked meters, guarantee 5: play, voids, withheld payouts and crashes cause no drift."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Thread

import msgspec
from books_audit import Audit
from desk_house import House, StackedSource, meters
from linked_meters import FIVE, HAND, LINKS, MAIN, ROYAL, submission, winners
from slices import CONTRIBUTIONS, LINKED_ROUNDS

from pitboss.cards import DECK, hand
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Order, Reply
from pitboss.house.storage.connections import Conflict, DatabaseFailure, Row
from pitboss.house.storage.postgres import Postgres
from pitboss.money import CENT
from pitboss.table import Acknowledge, Decide, Document, Report, Reshuffle, Table, Wager, Withhold
from pitboss.table.box_settlement import undocumented_boxes

ROYAL_TOO = "As Ks Qs Js Ts"
METERED = ("progressive", "five-card-hand-player", "five-card-hand-dealer")
PARTS = ("current", "reserve", "pending")
Tell = Callable[[str], None]


class Floor:
    """Linked tables with three patrons each, who have every metered wager on all their boxes, at $1 or $5."""

    def __init__(self, house: House, tables: int, boxes: str, *, by_hand: int) -> None:
        """Open the tables; `boxes` says whose each box is. One in so many deals from a manual shoe, card by card."""
        self.house, self.boxes = house, boxes
        self.names = [f"t{number}" for number in range(tables)]
        for number, name in enumerate(self.names):
            house.patrons(*(f"{who}{number}" for who in "abc"))
            house.open(name, submission(dealing="automated-shoe" if number % by_hand else "manual-shoe"), links=LINKS)
            house.seat(name, **{f"{who}{number}": boxes.index(who) + 1 for who in "abc"})

    @property
    def tables(self) -> dict[str, Table]:
        return {name: self.house.table(name) for name in self.names}

    def orders(self, desk: Desk, name: str, pick: Random) -> Iterator[Order]:
        """The orders due at a table; sometimes a void or a withheld jackpot."""
        live, order = desk.read_table(name), partial(self.house.order, table=name)
        assert live is not None
        table, chance = live.table, pick.random()
        if any(box.claimed for box in table.boxes.values()) or table.unacknowledged_void:
            told = Withhold("no light") if chance < 0.1 and not table.unacknowledged_void else Acknowledge()
            yield from (order(person=who, command=told, light=True) for who in ("flo", "floyd"))
        elif held := undocumented_boxes(table):
            yield from (order(person="flo", command=Document(box.seat)) for box in held)
        elif table.called and chance < 0.02:
            yield order(person="flo", command=Report("wrong-number"))
        elif table.called:
            for box in table.boxes.values():
                yield order(person=box.patron, command=Decide(box.seat, pick.choice((0, 0, 2))))
        else:
            for seat, who in enumerate(self.boxes, 1):
                wagers = dict.fromkeys(METERED, pick.choice((100, 500)))
                yield order(person=f"{who}{name[1:]}", command=Wager(seat, {"ante": 100, **wagers}))

    def drift(self, audit: Audit) -> int:
        """Increments less balance and payouts: by the printed rates, the postings, and the lines that paid."""
        audit.check(self.tables)
        funded = Counter[str]()
        for meter, change in self.house.db.execute("SELECT meter, change FROM move"):
            funded[meter] += msgspec.json.decode(bytes(change)).get("house", 0)
        seeds = {MAIN: 10_000_00, FIVE: 50_000_00, HAND: 10_000_00, HAND.replace("@100", "@500"): 50_000_00}
        assert meters(self.house.db).keys() == seeds.keys()
        there = sum(audit.balances.get(f"meter/{name}/{part}", 0) for name in seeds for part in PARTS)
        came = sum(seeds.values()) * CENT + funded.total() + sum(audit.contributed.values())
        return came - sum(audit.paid.values()) - there


def stack_royal_flush(house: House, desk: Desk, source: StackedSource, name: str, pick: Random) -> None:
    """Stack a royal flush for the next round of a table, if bets are still open: for a box or for the dealer."""
    royal = hand(pick.choice((ROYAL, ROYAL_TOO)))
    rest = pick.sample([card for card in DECK if card not in royal], len(DECK) - len(royal))
    place = 5 * pick.randrange(8)
    source.stack((*rest[:place], *royal, *rest[place:]))
    desk.carry_out([house.order("flo", name, Reshuffle())])
    source.forget()


def test_no_drift_over_many_contributions(sqlite_house: House, tell: Tell) -> None:
    """Sixteen tables on SQLite, every batch of orders for all of them: jackpots, voids and withheld payouts between."""
    house, begun = sqlite_house, time.monotonic()
    floor, pick = Floor(house, 16, "aaabbbc", by_hand=8), Random("drift")  # noqa: S311 (a test that can be repeated)
    audit = Audit(house.db)
    while audit.contributions < CONTRIBUTIONS:
        for _ in range(20):
            if pick.random() < 0.2:
                stack_royal_flush(house, house.desk, house.source, pick.choice(floor.names), pick)
            house.desk.carry_out([order for name in floor.names for order in floor.orders(house.desk, name, pick)])
        audit.check(floor.tables)
    _report(floor, audit, begun, tell, "")


def _report(floor: Floor, audit: Audit, begun: float, tell: Tell, also: str) -> None:
    """Assert that nothing drifted and that the meters moved; print the figures."""
    db = floor.house.db
    assert floor.drift(audit) == 0
    ((rounds, voids),) = db.execute("SELECT COUNT(*), SUM(is_void) FROM round")
    wins = sum(len(winners(db, name)) for name in meters(db))
    assert voids > 0
    assert wins > 0
    tell(
        f"{floor.house.kind}: {audit.contributions} contributions of {len(floor.names)} linked tables in {rounds} "
        f"rounds ({voids} void), {wins} wins off meters, ${sum(audit.paid.values()) / CENT / 100:,.2f} paid{also}: "
        f"drift {floor.drift(audit)} micro-cents; {time.monotonic() - begun:.0f} s"
    )


class CrashingConnection(Postgres):
    """A connection that sometimes dies during a transaction or right after its commit."""

    def __init__(self, url: str, pick: Random) -> None:
        super().__init__(url)
        self._left = pick.randint(50, 600)
        self._after = pick.random() < 0.3

    def _used(self) -> None:
        self._left -= 1
        if self._left < 0 and not self._after:
            self._die()

    def _die(self) -> None:
        self.db.close()
        raise DatabaseFailure("the process was killed")

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        self._used()
        return super().execute(sql, values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self._used()
        super().execute_many(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with super().transaction():
            yield
        if self._left < 0:
            self._die()


class Process:
    """One of several processes that serve the same tables; after a crash it restarts and repeats its orders."""

    def __init__(self, floor: Floor, url: str, number: int) -> None:
        self.floor, self.url = floor, url
        self.pick = Random(f"process {number}")  # noqa: S311 (a test that can be repeated)
        self.source = StackedSource(f"process {number}")
        self.crashes, self.conflicts = 0, 0
        self.failed: BaseException | None = None
        self.desk = self._desk()

    def _desk(self) -> Desk:
        return Desk(CrashingConnection(self.url, self.pick), source=self.source, now=self.floor.house.clock)

    def run(self, goal: Callable[[], bool]) -> None:
        try:
            while not goal():
                self._serve()
        except BaseException as error:  # noqa: BLE001 (the test raises it)
            self.failed = error
        finally:
            self.desk.db.close()

    def _serve(self) -> None:
        names = self.pick.sample(self.floor.names, self.pick.choice((1, 1, 1, 2)))
        if self.pick.random() < 0.05:
            self._again(lambda: stack_royal_flush(self.floor.house, self.desk, self.source, names[0], self.pick))
        orders: list[Order] = []
        self._again(
            lambda: orders.extend([one for name in names for one in self.floor.orders(self.desk, name, self.pick)])
        )
        replies: list[Reply] = []
        self._again(lambda: replies.extend(self.desk.carry_out(orders)))
        assert len(replies) == len(orders)
        if self.pick.random() < 0.1:  # delivered once more
            again: list[Reply] = []
            self._again(lambda: again.extend(self.desk.carry_out(orders)))
            assert again == replies

    def _again(self, work: Callable[[], None]) -> None:
        """Retry until the operation succeeds, however often this process dies."""
        while True:
            try:
                return work()
            except Conflict:
                self.conflicts += 1
            except DatabaseFailure:
                self.crashes += 1
                self.desk = self._desk()


def test_no_drift_with_several_crashing_processes(postgres_house: House, postgres_url: str, tell: Tell) -> None:
    """Four at once over the same linked tables on PostgreSQL, killed in transactions and after commits."""
    house, begun = postgres_house, time.monotonic()
    floor = Floor(house, 6, "abc", by_hand=2)
    processes = [Process(floor, postgres_url, number) for number in range(4)]

    def enough() -> bool:
        return sum(live.table.round for live in processes[0].desk.live_tables.values()) >= LINKED_ROUNDS

    threads = [Thread(target=process.run, args=(enough,)) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in processes:
        if process.failed:
            raise process.failed
    crashes, conflicts = (sum(getattr(process, what) for process in processes) for what in ("crashes", "conflicts"))
    assert crashes > 10
    _report(floor, Audit(house.db), begun, tell, f", 4 processes, {crashes} crashes, {conflicts} conflicts")
