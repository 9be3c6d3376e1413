"""Linked meters, guarantee 5: tables that share a meter lose nothing, win off it in turn, and it drifts by nothing."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Thread

import msgspec
import pytest

from pitboss.cards import DECK, hand
from pitboss.house.acts import OpenTable
from pitboss.house.desk import Desk
from pitboss.house.driver import Broken, Conflict, Row
from pitboss.house.evidence.audit import verify
from pitboss.house.orders import Order, Reply
from pitboss.house.postgres import Postgres
from pitboss.house.standing import Settings
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Decide, Document, Report, Reshuffle, Table, Wager, Withhold
from pitboss.table.settling import undocumented

from .conftest import STUD, Audit, House, Stacked, dealt_one_by_one, meters

LINKS = {"progressive": "floor", "five-card-hand": "floor"}
MAIN, FIVE = "link:floor/progressive/main@100", "link:floor/progressive/main@500"
HAND = "link:floor/five-card-hand/five-card-hand@100"
ROYAL, ROYAL_TOO, NOTHING = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "2c 5h 9h Jc Kd"
CONTRIBUTIONS = int(os.environ.get("PITBOSS_CONTRIBUTIONS", "200000"))
ROUNDS = int(os.environ.get("PITBOSS_LINKED_ROUNDS", "2000"))
PRESET = text_of(STUD).replace('linked = "no"', 'linked = "tables"')


def submission(*, paytable: str = "A", starting: str = "", dealing: str = "manual-shoe", **readings: str) -> str:
    """A Submission of linked Caribbean Stud with these choices."""
    text = PRESET.replace('paytable = "A"            # A to H', f'paytable = "{paytable}" #')
    text = text.replace('dealing = "manual-shoe"', f'dealing = "{dealing}"')
    text = text.replace("# starting = { main = 12_500 }", f"starting = {{ main = {starting} }} #") if starting else text
    return text + "".join(f'{name.replace("_", "-")} = "{option}"\n' for name, option in readings.items())


def linked(house: House, *tables: str, text: str = PRESET) -> None:
    """Open linked tables, each with a patron of its name at seat 1."""
    house.patrons(*tables)
    for name in tables:
        house.open(name, text, links=LINKS)
        house.seat(name, **{name: 1})


def wagered(house: House, table: str, *hands: str, **wagers: int) -> None:
    """Wager at a table, whose cards are stacked; the cards are dealt then."""
    if hands:
        house.source.stack(dealt_one_by_one(*hands))
        house.took("flo", table, Reshuffle())
    made = {name.replace("_", "-"): amount for name, amount in wagers.items()}
    house.took(table, table, Wager(1, {"ante": 1000, **made}))


def decided(house: House, table: str, times: int = 2) -> None:
    house.took(table, table, Decide(1, times))


def validated(house: House, table: str) -> None:
    for person in ("flo", "floyd"):
        house.took(person, table, Acknowledge(), light=True)
    house.took("flo", table, Document(1))


def test_639a_12_d_4_every_table_feeds_the_one_meter_of_its_amount(house: House) -> None:
    linked(house, "ann", "bob", "cy")
    for table, amount in (("ann", 100), ("bob", 100), ("cy", 500)):
        wagered(house, table, progressive=amount)
    assert len(house.db.execute("SELECT id FROM meter")) == 4
    one, five = house.meter(MAIN), house.meter(FIVE)
    # 53 % and 15 %: of $1 twice, of $5 once.
    assert (one.current, one.reserve, one.contributed) == (10_001_06 * CENT, 30 * CENT, 136 * CENT)
    assert (five.current, five.reserve, five.contributed) == (50_002_65 * CENT, 75 * CENT, 340 * CENT)


@pytest.mark.parametrize("other", [{"paytable": "B"}, {"paytable": "C"}, {"paytable": "D"}, {"starting": "12_500"}])
def test_parameters_stay_as_they_are_while_a_meter_is_in_play(house: House, other: Mapping[str, str]) -> None:
    """Another paytable, with the same seed and rates or others, or another start: refused, and nothing is opened."""
    linked(house, "ann")
    before = house.dump()
    done = house.does(OpenTable("bob", submission(**other), Settings(links=LINKS)))
    assert not done.accepted
    assert MAIN.removesuffix("@100") in done.why
    assert house.dump() == before
    house.open("bob", submission(**other))  # with meters of its own it may
    house.open("cy", PRESET, links=LINKS)
    assert len(house.db.execute("SELECT id FROM meter")) == 8


@pytest.mark.parametrize("reading", ["partial_reseed", "own_contribution", "void_increment"])
def test_linked_tables_read_the_chapter_alike(house: House, reading: str) -> None:
    option = {"partial_reseed": "always", "own_contribution": "no", "void_increment": "kept"}[reading]
    linked(house, "ann")
    assert not house.does(OpenTable("bob", submission(**{reading: option}), Settings(links=LINKS))).accepted


@pytest.mark.proves("639a.12(d)(5)")
def test_639a_12_d_5_hits_at_two_tables_at_once_are_paid_in_turn_each_from_what_is_there(house: House) -> None:
    """The first takes all there is, the second the reseed; a third table plays on; the order is written down."""
    linked(house, "ann", "bob", "cy")
    audit = Audit(house.db)
    tables = ("ann", "bob", "cy")
    for table in ("ann", "bob"):
        wagered(house, table, ROYAL, NOTHING, progressive=100)
    wagered(house, "cy", progressive=100)
    desks = {table: house.another_desk(own_connection=house.kind == "PostgreSQL") for table in ("ann", "bob")}
    if house.kind == "SQLite":
        desks = dict.fromkeys(desks, house.desk)
    for table in ("bob", "ann"):  # Bob's turn comes first
        assert desks[table].carry_out([house.order(table, table, Decide(1, 2))])[0].accepted
    # Three wagers of 53 cents on $10,000; Bob has it all, and the reserve of 45 cents goes into the reseed.
    assert [line.pays for line in house.table("bob").boxes[1].claimed if line.meter] == [10_001_59]
    assert [line.pays for line in house.table("ann").boxes[1].claimed if line.meter] == [10_000_00]
    meter = house.meter(MAIN)
    assert (meter.current, meter.pending) == (10_000_00 * CENT, 20_001_59 * CENT)
    assert meter.house == (30_000_00 - 45) * CENT
    audit.check({table: house.table(table) for table in tables})
    decided(house, "cy", 0)
    wagered(house, "cy", progressive=100)  # others play on
    assert house.meter(MAIN).current == 10_000_53 * CENT
    validated(house, "ann")
    assert (house.meter(MAIN).pending, house.meter(MAIN).paid) == (10_001_59 * CENT, 10_000_00 * CENT)
    validated(house, "bob")
    meter = house.meter(MAIN)
    assert (meter.pending, meter.paid, meter.current) == (0, 20_001_59 * CENT, 10_000_53 * CENT)
    audit.check({table: house.table(table) for table in tables})
    assert _wins(house, MAIN) == ["bob", "ann"]
    assert verify(house.db).problems == []


def _wins(house: House, meter: str) -> list[str]:
    """The tables that won off a meter, in the order in which it was measured."""
    moves = house.db.execute("SELECT chain, change FROM move WHERE meter = ? ORDER BY meter_seq", (meter,))
    return [chain for chain, change in moves if msgspec.json.decode(bytes(change)).get("pending", 0) > 0]


def test_a_win_that_is_not_validated_goes_back_to_the_meter_that_others_have_won_off_since(house: House) -> None:
    linked(house, "ann", "bob")
    audit = Audit(house.db)
    for table in ("ann", "bob"):
        wagered(house, table, ROYAL, NOTHING, progressive=100)
    for table in ("ann", "bob"):
        decided(house, table)
    for person in ("flo", "floyd"):
        house.took(person, "ann", Withhold("the light was out"))
    # Ann's $10,001.06 are on the meter again, on top of the second reseed; what her own reseed took is put back
    # where it came from: 30 cents into the reserve, the rest to the house.
    meter = house.meter(MAIN)
    assert (meter.pending, meter.current) == (10_000_00 * CENT, 10_001_36 * CENT - 30 * CENT)
    assert (meter.reserve, meter.house) == (30 * CENT, 20_000_00 * CENT)
    validated(house, "bob")
    audit.check({table: house.table(table) for table in ("ann", "bob")})


@pytest.mark.proves("639a.13(c)")
def test_639a_13_c_a_void_at_one_table_takes_back_what_that_table_put_there_and_no_more(house: House) -> None:
    linked(house, "ann", "bob", "cy")
    wagered(house, "ann", progressive=100, five_card_hand_player=100, five_card_hand_dealer=100)
    before = meters(house.db)
    wagered(house, "bob", progressive=100, five_card_hand_player=100)
    wagered(house, "cy", progressive=500)
    house.took("flo", "bob", Report("wrong-number"))
    house.took("flo", "cy", Report("wrong-number"))
    assert meters(house.db) == before
    decided(house, "ann", 0)
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob", "cy")})


def test_a_void_after_another_table_has_won_comes_off_the_reseeded_meter_at_the_houses_cost(house: House) -> None:
    """Reading void-increment: below the reseed amount the house makes it good."""
    linked(house, "ann", "bob")
    wagered(house, "ann", ROYAL, NOTHING, progressive=100)
    wagered(house, "bob", progressive=100)
    decided(house, "ann")
    won = house.meter(MAIN)
    assert (won.pending, won.current, won.reserve) == (10_001_06 * CENT, 10_000_00 * CENT, 0)
    house.took("flo", "bob", Report("wrong-number"))
    after = house.meter(MAIN)
    assert (after.pending, after.current, after.contributed) == (10_001_06 * CENT, 10_000_00 * CENT, 68 * CENT)
    assert after.house == won.house + 68 * CENT
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


def test_a_voided_win_is_undone_though_others_have_played_on(house: House) -> None:
    linked(house, "ann", "bob")
    wagered(house, "ann", ROYAL, NOTHING, progressive=100)
    decided(house, "ann")
    wagered(house, "bob", progressive=100)
    house.took("flo", "ann", Report("wrong-number"))
    meter = house.meter(MAIN)
    # As if only Bob had wagered: 53 cents and 15.
    assert meter == Meter(current=10_000_53 * CENT, reserve=15 * CENT, house=10_000_00 * CENT, contributed=68 * CENT)


def test_reading_own_contribution_what_a_round_contributes_waits_for_its_own_table_only(house: House) -> None:
    """Ann's round and Bob's overlap; each table's increments are on the meter when its own round is over."""
    linked(house, "ann", "bob", text=submission(own_contribution="no"))
    wagered(house, "ann", progressive=100)
    wagered(house, "bob", progressive=100)
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_00 * CENT, 106 * CENT)
    decided(house, "bob", 0)
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_53 * CENT, 53 * CENT)
    house.took("flo", "ann", Report("wrong-number"))
    assert (house.meter(MAIN).current, house.meter(MAIN).waiting) == (10_000_53 * CENT, 0)
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


def test_639a_12_e_2_a_dealers_royal_flush_is_divided_at_its_table_and_the_next_table_has_what_is_left(
    house: House,
) -> None:
    """639a.12(e)(4): the Five Card Hand is reseeded at $0 and restarts at its reserve."""
    linked(house, "ann", "bob")
    for table in ("ann", "bob"):
        wagered(house, table, NOTHING, ROYAL, five_card_hand_dealer=100)
    decided(house, "ann")
    # 13 % of $1 twice on $10,000; the reserve of 16 cents is the next jackpot.
    assert house.meter(HAND).pending == 10_000_26 * CENT
    assert (house.meter(HAND).current, house.meter(HAND).reserve) == (16 * CENT, 0)
    decided(house, "bob")
    assert (house.meter(HAND).current, house.meter(HAND).pending) == (0, 10_000_42 * CENT)
    for table in ("ann", "bob"):
        validated(house, table)
    assert house.meter(HAND).paid == 10_000_42 * CENT
    Audit(house.db).check({table: house.table(table) for table in ("ann", "bob")})


# Drift.


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
        """What is due at a table as it stands, of all who are there; now and then a void or a withheld jackpot."""
        standing, order = desk.look(name), partial(self.house.order, table=name)
        assert standing is not None
        table, chance = standing.table, pick.random()
        if any(box.claimed for box in table.boxes.values()) or table.unacknowledged:
            told = Withhold("no light") if chance < 0.1 and not table.unacknowledged else Acknowledge()
            yield from (order(person=who, command=told, light=True) for who in ("flo", "floyd"))
        elif held := undocumented(table):
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
        """What came in less what is there or went out: by the printed rates, the postings, and the lines that paid."""
        audit.check(self.tables)
        funded = Counter[str]()
        for meter, change in self.house.db.execute("SELECT meter, change FROM move"):
            funded[meter] += msgspec.json.decode(bytes(change)).get("house", 0)
        seeds = {MAIN: 10_000_00, FIVE: 50_000_00, HAND: 10_000_00, HAND.replace("@100", "@500"): 50_000_00}
        assert meters(self.house.db).keys() == seeds.keys()
        there = sum(audit.balances.get(f"meter/{name}/{part}", 0) for name in seeds for part in PARTS)
        came = sum(seeds.values()) * CENT + funded.total() + sum(audit.contributed.values())
        return came - sum(audit.paid.values()) - there


METERED = ("progressive", "five-card-hand-player", "five-card-hand-dealer")
PARTS = ("current", "reserve", "pending")


def reshuffled(house: House, desk: Desk, source: Stacked, name: str, pick: Random) -> None:
    """Have the next hand of a table be a royal flush, if bets are still taken: of a box, or of the dealer."""
    royal = hand(pick.choice((ROYAL, ROYAL_TOO)))
    rest = pick.sample([card for card in DECK if card not in royal], len(DECK) - len(royal))
    place = 5 * pick.randrange(8)
    source.stack((*rest[:place], *royal, *rest[place:]))
    desk.carry_out([house.order("flo", name, Reshuffle())])
    source.forget()


def test_no_drift_over_two_hundred_thousand_contributions(
    sqlite_house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sixteen tables on SQLite, every batch of orders for all of them: jackpots, voids and withheld payouts between."""
    house, begun = sqlite_house, time.monotonic()
    floor, pick = Floor(house, 16, "aaabbbc", by_hand=8), Random("drift")  # noqa: S311 (a test that can be repeated)
    audit = Audit(house.db)
    while audit.contributions < CONTRIBUTIONS:
        for _ in range(20):
            if pick.random() < 0.2:
                reshuffled(house, house.desk, house.source, pick.choice(floor.names), pick)
            house.desk.carry_out([order for name in floor.names for order in floor.orders(house.desk, name, pick)])
        audit.check(floor.tables)
    _report(floor, audit, begun, capsys, "")


def _report(floor: Floor, audit: Audit, begun: float, capsys: pytest.CaptureFixture[str], also: str) -> None:
    """Demand that nothing drifted, and that there was something to drift by; print the figures."""
    db = floor.house.db
    assert floor.drift(audit) == 0
    ((rounds, voids),) = db.execute("SELECT COUNT(*), SUM(is_void) FROM round")
    wins = sum(len(_wins(floor.house, name)) for name in meters(db))
    assert voids > 0
    assert wins > 0
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{floor.house.kind}: {audit.contributions} contributions of {len(floor.names)} linked tables in {rounds} "
            f"rounds ({voids} void), {wins} wins off meters, ${sum(audit.paid.values()) / CENT / 100:,.2f} paid{also}: "
            f"drift {floor.drift(audit)} micro-cents; {time.monotonic() - begun:.0f} s"
        )


class Crashing(Postgres):
    """A connection that now and then dies in the middle of a transaction, or right after its commit."""

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
        raise Broken("the process was killed")

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        self._used()
        return super().execute(sql, values)

    def many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self._used()
        super().many(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with super().transaction():
            yield
        if self._left < 0:
            self._die()


class Process:
    """One of several processes that serve the same tables; whenever it dies, it comes back and asks again."""

    def __init__(self, floor: Floor, url: str, number: int) -> None:
        self.floor, self.url = floor, url
        self.pick = Random(f"process {number}")  # noqa: S311 (a test that can be repeated)
        self.source = Stacked(f"process {number}")
        self.crashes, self.conflicts = 0, 0
        self.failed: BaseException | None = None
        self.desk = self._desk()

    def _desk(self) -> Desk:
        return Desk(Crashing(self.url, self.pick), source=self.source, now=self.floor.house.clock)

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
            self._again(lambda: reshuffled(self.floor.house, self.desk, self.source, names[0], self.pick))
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
        """Do something until it is done, however often this process dies over it."""
        while True:
            try:
                return work()
            except Conflict:
                self.conflicts += 1
            except Broken:
                self.crashes += 1
                self.desk = self._desk()


def test_no_drift_with_several_processes_that_die_at_any_moment(
    postgres_house: House, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four at once over the same linked tables on PostgreSQL, killed in transactions and after commits."""
    house, begun = postgres_house, time.monotonic()
    floor = Floor(house, 6, "abc", by_hand=2)
    processes = [Process(floor, postgres_url, number) for number in range(4)]

    def enough() -> bool:
        return sum(standing.table.round for standing in processes[0].desk.standings.values()) >= ROUNDS

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
    _report(floor, Audit(house.db), begun, capsys, f", 4 processes, {crashes} crashes, {conflicts} conflicts")


def test_a_table_is_linked_only_as_its_submission_says(house: House) -> None:
    """639a.12(d)(3): what shares a meter is approved with the Submission."""
    alone = house.does(OpenTable("alone", text_of(STUD), Settings(links=LINKS)))
    assert (alone.accepted, alone.why) == (False, "The Submission does not link “progressive” with other tables.")
    unknown = house.does(OpenTable("alone", PRESET, Settings(links={"roulette": "floor"})))
    assert not unknown.accepted
