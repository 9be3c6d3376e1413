"""The money rules of the desk and the office, on SQLite and PostgreSQL: guarantees 1, 2, 3, 5, 8 and 9 of the house."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from threading import Barrier, Thread
from typing import Any, TypeVar

import pytest

from pitboss.cards import Card
from pitboss.house.acts import (
    KEYS,
    SECOND,
    Act,
    Amend,
    Approve,
    BuyIn,
    CashOut,
    CloseTable,
    Credit,
    Decline,
    Fill,
    OpenTable,
)
from pitboss.house.desk import CLOSED, Desk
from pitboss.house.driver import Broken, Conflict, Sqlite
from pitboss.house.evidence.audit import verify
from pitboss.house.office import Done, Office, waiting
from pitboss.house.orders import Deal, Order, Reply
from pitboss.house.people import Person, Post
from pitboss.house.policy import FUNDS
from pitboss.house.standing import Settings
from pitboss.money import CENT
from pitboss.record.chain import entry_of
from pitboss.rulebook.procedures import Do
from pitboss.submission import text_of
from pitboss.table import (
    Acknowledge,
    ChangeDeck,
    Command,
    Cover,
    Decide,
    Document,
    Leave,
    Perform,
    Recut,
    Reject,
    Repair,
    Report,
    Reshuffle,
    Sit,
    Stand,
    Table,
    Wager,
    Withhold,
    events,
)
from pitboss.table.refuse import accepted_wagers
from pitboss.table.settling import undocumented
from pitboss.table.steps import to_act

from .conftest import BOSS, CAJUN, PRIME, STUD, Audit, House, dealt_one_by_one

SIDES: Mapping[str, Mapping[str, Sequence[int]]] = {
    STUD: {
        "bonus": (500,),
        "progressive": (100, 500),
        "five-card-hand-player": (100, 500),
        "five-card-hand-dealer": (100, 500),
    },
    PRIME: {"prime": (500,), "aces-bonus": (100, 2000), "all-six": (100,)},
    CAJUN: {"pocket-bonus": (500,), "board-bonus": (100,), "lo-ball": (1000,), "all-six": (100,)},
}
FOUR = {"stud": STUD, "prime": PRIME, "cajun": CAJUN, "by hand": STUD}
"""Tables of random play; where it says `by hand`, a person deals."""
PATRONS = ("ann", "bob", "cy", "dee", "poor")
HANDS = ("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "9d 8d 7d 6d 5d", "4c 4d 4h 4s 8c", "2c 5h 9h Jc Kd", "3c 6h 8h Tc Qd")
"""Two royal flushes, a straight flush, four of a kind, and nothing."""
ROYAL, NOTHING = HANDS[0], HANDS[4]
FLO, ADA = Person("flo", Post.FLOORPERSON), Person("ada", Post.AUDITOR)
T = TypeVar("T")
Entering = tuple[str, Command, dict[str, Any]]


class Crowd:
    """Patrons, dealers and floorpersons who do anything at all, and now and then what they may not; all from a seed."""

    def __init__(self, house: House, seed: str, tables: Mapping[str, str] = FOUR) -> None:
        self.house, self.games, self.chance = house, tables, Random(seed)  # noqa: S311 (a test that can be repeated)
        crowd_house(house, tables)

    @property
    def tables(self) -> dict[str, Table]:
        return {name: self.house.table(name) for name in self.games}

    def act(self) -> Reply:
        """Do something somewhere, with stacked decks and cash."""
        house, pick = self.house, self.chance
        name = pick.choice(list(self.games))
        table = house.table(name)
        if pick.random() < 0.05:
            return self._cash()
        if pick.random() < 0.2 and table.boxes and not table.called:
            house.clock.time += pick.choice((1, 21, 21))
            return house.desk.carry_out([Deal(name)])[0]
        order = self.order(name)
        if isinstance(order.command, Reshuffle) and order.person in {"flo", "floyd"} and not table.called:
            house.source.stack(self._stacked(len(table.boxes)))
        return house.desk.carry_out([order])[0]

    def order(self, name: str) -> Order:
        """Something for one table; now and then by somebody else."""
        pick = self.chance
        person, command, entered = pick.choice(list(self._sensible(name)))
        if pick.random() < 0.05:
            person = pick.choice((*PATRONS, "flo", "floyd", "dealer", "nobody"))
        return self.house.order(person, name, command, **entered)

    def _stacked(self, boxes: int) -> tuple[Card, ...]:
        """A deck with hands that win off meters, for boxes or dealer."""
        return dealt_one_by_one(*self.chance.sample(HANDS, min(boxes + 1, len(HANDS))))

    def _cash(self) -> Reply:
        pick, name = self.chance, self.chance.choice(PATRONS[:-1])
        act = pick.choice((BuyIn, CashOut))(name, pick.choice((5_00, 3_000_00, 100_000_00)))
        done = self.house.does(act, Person(name, Post.PATRON))
        return Reply(accepted=done.accepted, table="", why=done.why, cite=done.cite)

    def _sensible(self, name: str) -> Iterator[Entering]:
        """What would be in place at a table as it stands: who, what, and what they enter with it."""
        table, pick = self.house.table(name), self.chance
        floor = pick.choice(("flo", "floyd"))
        if any(box.claimed for box in table.boxes.values()) or table.unacknowledged:
            yield floor, Acknowledge(), {"light": pick.random() < 0.9}
            yield floor, Acknowledge(), {"light": True}
            yield floor, pick.choice((Reject(), Withhold("no light"), Withhold("no light"), Report("wrong-number"))), {}
        yield from ((floor, Document(box.seat), {}) for box in undocumented(table))
        yield from ((floor, Cover(device), {}) for device in table.broken)
        yield from ((floor, Repair(device), {}) for device in table.covered)
        if pick.random() < 0.2 and table.called:
            kind = pick.choice(("wrong-number", "wrong-number", "exposed", "face-up-card", "malfunction"))
            yield floor, Report(kind, device="shuffler" if kind == "malfunction" else ""), {}
        elif pick.random() < 0.5 and table.boxes and not table.called:
            yield floor, pick.choice((*(Reshuffle(),) * 8, ChangeDeck(), Recut())), {}
        if box := to_act(table):
            decision = table.rules.terms.game.decisions[len(box.decisions)]
            yield from ((box.patron, Decide(box.seat, times), {}) for times in (0, *decision.multiples * 2))
        elif name.startswith("by hand"):
            yield from self._dealer(table, floor)
        yield from self._patron(table, SIDES[self.games[name]])

    def _dealer(self, table: Table, floor: str) -> Iterator[Entering]:
        counted = {Do.COUNT: len(table.shoe), Do.CHIPS: accepted_wagers(table, table.due.needs)}.get(table.due.do)
        if counted is not None and self.chance.random() < 0.3:
            counted += 1
        entered = {"counted": counted, "depth": 20, "misdealt": self.chance.random() < 0.5}
        yield from ((floor if table.due.by == "floorperson" else "dealer", Perform(), entered) for _ in range(8))

    def _patron(self, table: Table, sides: Mapping[str, Sequence[int]]) -> Iterator[Entering]:
        pick = self.chance
        patron = pick.choice((*table.seated.values(), pick.choice(PATRONS)))
        seat = next((seat for seat, who in table.seated.items() if who == patron), 0)
        if not seat:
            yield patron, Sit(pick.choice((1, 3, 5))), {}
            return
        if pick.random() < 0.1:
            yield patron, pick.choice((Stand(seat), Leave(seat))), {}
        for box in (seat, seat, seat + 1) if not table.called or pick.random() < 0.1 else ():
            made = {side: pick.choice(amounts) for side, amounts in sides.items() if pick.random() < 0.7}
            yield patron, Wager(box, {"ante": pick.choice((500, 1000)), **made} if pick.random() < 0.95 else {}), {}


def crowd_house(house: House, tables: Mapping[str, str]) -> None:
    """Open what a crowd plays at, with somebody who has hardly any money."""
    house.patrons(*PATRONS[:-1], cents=50_000_00)
    house.patrons(PATRONS[-1], cents=40_00)
    for name, preset in tables.items():
        house.open(name, preset, automatic=not name.startswith("by hand"))


def play(house: House, seed: str, orders: int, after_each: Callable[[Reply, Crowd], None]) -> None:
    """Have a crowd play."""
    crowd = Crowd(house, seed)
    for _ in range(orders):
        after_each(crowd.act(), crowd)


# Guarantees 1 and 5.

HARD = {
    events.Claimed,
    events.Collected,
    events.Counted,
    events.Covered,
    events.Documented,
    events.Left,
    events.Rejected,
    events.Removed,
    events.Reshuffling,
    events.Reversed,
    events.Stood,
    events.Voided,
    events.Withheld,
}
"""What must have happened before the books have been through everything."""


def test_guarantees_1_and_5_hold_after_every_order_of_random_play(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """All balances and every entry sum to nothing, nobody is below it, and every meter is its accounts in the ledger."""
    audit, replies, begun = Audit(house.db), Counter[bool](), time.monotonic()
    crowd, happened, won = Crowd(house, "all together"), Counter[type[events.Event]](), 0
    while replies.total() < 1_500 or not (won and happened.keys() >= HARD):
        assert replies.total() < 10_000, HARD - happened.keys()
        for _ in range(250):
            replies[crowd.act().accepted] += 1
            audit.check(crowd.tables)
        bodies = house.db.execute("SELECT body FROM entry WHERE chain != 'house'")
        happened = Counter(type(event) for (body,) in bodies for event in entry_of(bytes(body)).events)
        won = sum(audit.paid.values())
    assert _two_amounts_in_one_round(house)
    assert verify(house.db).problems == []
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{house.kind}: {replies.total()} orders ({replies[False]} refused), {audit.entries} entries, "
            f"{audit.rounds} rounds ({happened[events.Voided]} void), ${won / CENT / 100:,.2f} paid off meters: "
            f"the books balance after each; {time.monotonic() - begun:.0f} s"
        )


def _two_amounts_in_one_round(house: House) -> bool:
    """Whether Progressive wagers of $1 and $5 fed their meters at one table with one call."""
    fed = Counter(
        (chain, seq)
        for chain, seq, _ in house.db.execute(
            "SELECT chain, seq, meter FROM contribution WHERE meter LIKE '%/main@100' OR meter LIKE '%/main@500'"
        )
    )
    return max(fed.values()) == 2


def test_both_databases_keep_the_same_books(sqlite_house: House, postgres_house: House) -> None:
    """The same orders lead to the same logs, to the byte, and to the same accounts and meters."""
    kept = []
    for house in (sqlite_house, postgres_house):
        play(house, "the same for both", 250, lambda _reply, _crowd: None)
        kept.append(house.dump(but=()))
    assert kept[0] == kept[1]


def test_guarantee_1_a_patron_who_leaves_before_the_call_takes_his_wagers_with_him(house: House) -> None:
    house.open("stud")
    house.patrons("ann", "bob", cents=100_00)
    house.seat("stud", ann=1, bob=4)
    house.took("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    house.took("ann", "stud", Wager(2, {"ante": 500}))
    assert house.account("patron/ann") == 84_00 * CENT
    assert house.account("table/stud/wagers") == 16_00 * CENT
    house.took("ann", "stud", Leave(1))
    assert house.account("patron/ann") == 100_00 * CENT
    assert house.account("table/stud/wagers") == 0


def test_guarantee_1_what_a_patron_cannot_pay_back_of_a_voided_payout_is_owed(house: House) -> None:
    """639a.13(c): Bob's win is void after he cashed it; his account stays at nothing, and what is missing is written down."""
    house.open("stud")
    house.patrons("ann", "bob", cents=100_00)
    house.seat("stud", ann=1, bob=2)
    audit = Audit(house.db)
    house.source.stack(dealt_one_by_one(ROYAL, "9d 8d 7d 6d 5d", "Ac Ks 7c 3s 2h"))
    house.took("flo", "stud", Reshuffle())
    house.took("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    house.took("bob", "stud", Wager(2, {"ante": 1000}))
    house.took("ann", "stud", Decide(1, 2))
    house.took("bob", "stud", Decide(2, 2))
    # Bob, settled first, has a straight flush against ace-king: 1 to 1 on $10, 50 to 1 on $20 (639a.12(b)).
    assert house.account("patron/bob") == 1_110_00 * CENT
    house.did(CashOut("bob", 1_110_00), Person("bob", Post.PATRON))
    house.took("flo", "stud", Report("wrong-number"))
    audit.check({"stud": house.table("stud")})
    assert house.account("patron/bob") == 0
    assert house.account("owed/bob") == -1_010_00 * CENT
    assert house.account("patron/ann") == 100_00 * CENT
    assert house.meter("stud/progressive/main@100").current == 10_000_00 * CENT


def test_guarantee_5_a_void_for_a_miscounted_stub_takes_the_increments_back(house: House) -> None:
    """639a.8(h): the fifth round's stub is miscounted, and its wagers, returned, have no increment to give."""
    house.open("by hand", automatic=False)
    house.patrons("ann")
    house.seat("by hand", ann=1)
    audit = Audit(house.db)

    def dealt(*until: Do, counted: int = 0) -> None:
        while (table := house.table("by hand")).due.do not in until:
            if to_act(table):
                house.took("ann", "by hand", Decide(1, 0))
            else:
                count = {Do.COUNT: len(table.shoe) + counted, Do.CHIPS: 1}.get(table.due.do)
                by = "floyd" if table.due.by == "floorperson" else "dealer"
                house.took(by, "by hand", Perform(), counted=count, depth=20)

    dealt(Do.CALL)
    for number in range(1, 6):
        house.took("ann", "by hand", Wager(1, {"ante": 1000, "progressive": 100}))
        dealt(Do.COUNT if number == 5 else Do.SHUFFLE)
        dealt(Do.COUNT if number == 5 else Do.CALL)
    before = house.meter("by hand/progressive/main@100")
    assert before.contributed == 5 * 68 * CENT  # 53 % and 15 % of $1, five times
    house.took("dealer", "by hand", Perform(), counted=1)
    audit.check({"by hand": house.table("by hand")})
    after = house.meter("by hand/progressive/main@100")
    assert (after.contributed, after.current) == (4 * 68 * CENT, (10_000_00 + 4 * 53) * CENT)


def test_guarantee_5_a_jackpot_goes_from_the_meter_to_pending_to_the_patron(house: House) -> None:
    """639a.12(d)(5): measured at the player's turn, the meter reseeded for others; the house pays the patron."""
    house.patrons("ann", cents=100_00)
    _royal(house)
    claimed = house.meter("stud/progressive/main@100")
    # $10,000 and 53 cents; the reseed is $10,000: 15 cents of it from the reserve.
    assert (claimed.pending, claimed.current, claimed.reserve) == (10_000_53 * CENT, 10_000_00 * CENT, 0)
    assert claimed.house == (20_000_00 - 15) * CENT
    assert house.account("patron/ann") == 69_00 * CENT
    house.took("flo", "stud", Acknowledge(), light=True)
    house.took("floyd", "stud", Acknowledge(), light=True)
    house.took("flo", "stud", Document(1))
    paid = house.meter("stud/progressive/main@100")
    assert (paid.pending, paid.paid) == (0, 10_000_53 * CENT)
    # A royal flush against king-high: Ante 1 to 1, the Bet returned; the Progressive for its dollar.
    assert house.account("patron/ann") == (69_00 + 20_00 + 20_00 + 10_000_53) * CENT


def test_guarantee_5_a_table_whose_payout_waits_is_not_closed(house: House) -> None:
    """What is pending would have no table left to be paid at."""
    house.patrons("ann")
    _royal(house)
    assert not house.does(CloseTable("stud")).accepted
    house.took("flo", "stud", Acknowledge(), light=True)
    house.took("floyd", "stud", Acknowledge(), light=True)
    assert house.account("table/stud/wagers") == 0
    assert not house.does(CloseTable("stud")).accepted
    house.took("flo", "stud", Document(1))
    house.did(CloseTable("stud"))
    assert house.meter("stud/progressive/main@100").pending == 0


def _royal(house: House, table: str = "stud", patron: str = "ann", amount: int = 100) -> None:
    """Have a patron claim a royal flush at a table of his own."""
    house.open(table)
    house.seat(table, **{patron: 1})
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.took("flo", table, Reshuffle())
    house.took(patron, table, Wager(1, {"ante": 1000, "progressive": amount}))
    house.took(patron, table, Decide(1, 2))
    assert house.table(table).boxes[1].claimed


# Guarantee 2.


@pytest.mark.parametrize("done", [0, 1, 4], ids=["the call", "a claim", "the end of a round"])
def test_guarantee_2_whatever_fails_all_of_an_order_is_kept_or_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """The database fails at the first statement, the second, and so on: nothing is left but the order to try again."""
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.took("flo", "stud", Reshuffle())
    orders = (
        house.order("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100, "five-card-hand-player": 500})),
        house.order("ann", "stud", Decide(1, 2)),
        house.order("flo", "stud", Acknowledge(), light=True),
        house.order("floyd", "stud", Acknowledge(), light=True),
        house.order("flo", "stud", Document(1)),
    )
    house.desk.carry_out(orders[:done])
    last = orders[done]
    before, known = house.dump(but=()), house.standing("stud")
    failures = 0
    with monkeypatch.context() as patch:
        countdown = _fails(house, patch)
        for statements in count():
            countdown[0] = statements
            try:
                (reply,) = house.desk.carry_out([last])
            except Broken:
                failures += 1
            else:
                break
            countdown[0] = 1_000
            assert house.dump(but=()) == before
            assert house.standing("stud") == known
    assert reply.accepted
    assert failures > 5
    after = house.dump(but=())
    assert house.desk.carry_out([last]) == [reply]
    assert house.dump(but=()) == after
    assert len(after["entry"]) > len(before["entry"])
    assert len(after["answered"]) == len(before["answered"]) + 1


def _fails(house: House, patch: pytest.MonkeyPatch) -> list[int]:
    """Have the database fail after so many statements, as the returned number says."""
    countdown = [1_000]

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def statement(sql: str, *values: Any) -> Any:
            if sql != "ROLLBACK":
                countdown[0] -= 1
            if countdown[0] < 0:
                raise Broken("the disk is gone")
            return real(sql, *values)

        return statement

    for name in ("execute", "many"):
        patch.setattr(house.db, name, failing(getattr(house.db, name)))
    return countdown


# Guarantee 3.

TWELVE = {f"{name} {number}": preset for number in range(4) for name, preset in list(FOUR.items())[:3]}


def test_guarantee_3_however_often_and_in_whatever_order_a_key_is_delivered_it_has_one_effect(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every order comes one to five times, late and between others; a house that gets each once has the same books."""
    least, begun = 20_000 if house.kind == "SQLite" else 2_500, time.monotonic()
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
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{house.kind}: {deliveries} deliveries of {len(answers)} orders, {accepted} of them accepted, had one "
            f"effect each; {time.monotonic() - begun:.0f} s"
        )


def test_guarantee_3_the_same_key_with_another_order_is_refused(house: House) -> None:
    house.open("stud")
    house.open("prime", PRIME)
    house.patrons("ann", "bob")
    sat = house.takes("ann", "stud", Sit(1), key="once")
    before = house.dump(but=())
    assert house.takes("ann", "stud", Sit(1), key="once") == sat
    for table, command, entered in (
        ("stud", Sit(2), {}),
        ("prime", Sit(1), {}),
        ("stud", Leave(1), {}),
        ("stud", Sit(1), {"depth": 20}),
    ):
        reply = house.takes("ann", table, command, key="once", **entered)
        assert (reply.accepted, reply.cite) == (False, KEYS)
    assert house.dump(but=()) == before
    assert house.takes("bob", "stud", Sit(2), key="once").accepted  # his own keys are his own
    bought = house.does(BuyIn("ann", 5_00), key="cash")
    assert house.does(BuyIn("ann", 5_00), key="cash") == bought
    other = house.does(BuyIn("ann", 6_00), key="cash")
    assert (other.accepted, other.cite) == (False, KEYS)
    assert house.account("patron/ann") == 1_000_005_00 * CENT


def test_guarantee_3_the_same_key_at_once_in_several_processes_has_one_effect(postgres_house: House) -> None:
    house = postgres_house
    house.open("stud")
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    for round_number in range(20):
        orders = [house.order("ann", "stud", Wager(1, {"ante": 500 + 500 * (round_number % 2)}))] * 4
        seq = house.standing("stud").seq
        replies = _ordered_at_once(house, orders)
        assert replies == [Reply(accepted=True, table="stud", seq=seq + 1)] * 4
    done = _done_at_once(house, [(BuyIn("bob", 1_00), "the same")] * 4)
    assert done == [done[0]] * 4
    assert house.account("patron/bob") == 1_000_001_00 * CENT


def _ordered_at_once(house: House, orders: Sequence[Order]) -> list[Reply]:
    """What becomes of orders that come to several processes at the same time."""

    def ordered(order: Order, desk: Desk) -> Reply:
        for _ in range(20):
            with suppress(Conflict):  # as the pit has it
                return desk.carry_out([order])[0]
        return desk.carry_out([order])[0]

    return _at_once(house, [partial(ordered, order) for order in orders])


def _done_at_once(house: House, acts: Sequence[tuple[Act, str]], person: Person = BOSS) -> list[Done]:
    """What becomes of acts, with their keys, that somebody asks several processes for at the same time."""

    def done(act: Act, key: str, desk: Desk) -> Done:
        return Office(desk.db, house.clock).do(person, act, key)

    return _at_once(house, [partial(done, act, key) for act, key in acts])


def _at_once(house: House, works: Sequence[Callable[[Desk], T]]) -> list[T]:
    """Do all of this at the same time, each with a connection of its own."""
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


def test_guarantee_1_money_for_one_wager_is_wagered_once_at_several_tables_at_once(postgres_house: House) -> None:
    house = postgres_house
    tables = [f"stud {number}" for number in range(4)]
    house.patrons("ann", cents=10_00)
    for table in tables:
        house.open(table)
        house.seat(table, ann=1)
    orders = [house.order("ann", table, Wager(1, {"ante": 1000})) for table in tables]
    replies = _ordered_at_once(house, orders)
    assert sorted(reply.accepted for reply in replies) == [False, False, False, True]
    assert {reply.cite for reply in replies if not reply.accepted} == {FUNDS}
    assert house.account("patron/ann") == 0
    Audit(house.db).check({table: house.table(table) for table in tables})


def test_guarantee_1_the_same_money_is_cashed_out_once(postgres_house: House) -> None:
    house = postgres_house
    house.patrons("ann", cents=10_00)
    done = _done_at_once(house, [(CashOut("ann", 10_00), key) for key in "abcd"])
    assert sorted(one.accepted for one in done) == [False, False, False, True]
    assert house.account("patron/ann") == 0


def test_guarantee_1_what_is_approved_in_several_processes_at_once_is_done_once(postgres_house: House) -> None:
    house = postgres_house
    house.open("stud")
    for number in range(1, 6):
        asked = house.did(Fill("stud", 1_000_00))
        done = _done_at_once(house, [(Approve(asked.waiting), f"{number} {key}") for key in "abcd"], ADA)
        assert sorted(one.accepted for one in done) == [False, False, False, True]
        assert house.account("table/stud/inventory") == number * 1_000_00 * CENT


def test_guarantee_5_a_meter_that_several_processes_open_at_once_is_seeded_once(postgres_house: House) -> None:
    house = postgres_house
    text, links = text_of(STUD).replace('linked = "no"', 'linked = "tables"'), {"progressive": "floor"}
    opening = [(OpenTable(f"stud {number}", text, Settings(links=links)), f"open {number}") for number in range(4)]
    assert [done.accepted for done in _done_at_once(house, opening)] == [True] * 4
    assert house.account("meter/link:floor/progressive/main@100/current") == 10_000_00 * CENT
    Audit(house.db).check({f"stud {number}": house.table(f"stud {number}") for number in range(4)})


# Guarantee 8.


def test_guarantee_8_a_refused_order_changes_nothing_and_cites(house: House) -> None:
    """Of random play: the whole database before and after, but for what was answered."""
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


def test_guarantee_8_a_refused_order_leaves_even_the_meters_as_they_are_written(house: House) -> None:
    """An order that would have to know what the meters show, and is refused, folds no contribution."""
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.took("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    before = house.dump()
    assert not house.takes("flo", "stud", Acknowledge()).accepted
    assert not house.takes("flo", "stud", Report("malfunction", device="shoe")).accepted
    assert house.dump() == before


def test_guarantee_8_who_has_too_little_neither_wagers_nor_raises(house: House) -> None:
    house.open("stud")
    house.patrons("ann", cents=25_00)
    house.seat("stud", ann=1)
    before = house.dump()
    reply = house.takes("ann", "stud", Wager(1, {"ante": 2500, "progressive": 100}))
    assert reply == Reply(accepted=False, table="stud", why="The account holds $25.00; this takes $26.00.", cite=FUNDS)
    assert house.dump() == before
    house.took("ann", "stud", Wager(1, {"ante": 1000, "progressive": 100}))
    before = house.dump()
    reply = house.takes("ann", "stud", Decide(1, 2))
    assert reply == Reply(accepted=False, table="stud", why="The account holds $14.00; this takes $20.00.", cite=FUNDS)
    assert house.dump() == before
    assert to_act(house.table("stud"))
    house.did(BuyIn("ann", 6_00))
    assert house.takes("ann", "stud", Decide(1, 2)).accepted


def test_guarantee_8_a_closed_table_takes_no_orders_and_one_with_wagers_is_not_closed(house: House) -> None:
    house.open("stud")
    house.patrons("ann")
    house.seat("stud", ann=1)
    house.open("other")
    house.seat("other", ann=1)
    house.passes(0, "other")
    house.took("ann", "other", Wager(1, {"ante": 1000}))
    assert not house.does(CloseTable("other")).accepted
    house.did(CloseTable("stud"))
    reply = house.another_desk().carry_out([house.order("ann", "stud", Wager(1, {"ante": 1000}))])[0]
    assert (reply.accepted, reply.cite) == (False, CLOSED)


# Guarantee 9.


def test_guarantee_9_at_any_moment_a_fresh_desk_goes_on_in_the_same_state(house: House) -> None:
    """After every order: state, log and what the meters remember of the round, rebuilt from the database alone."""
    under_way = 0

    def check(_: Reply, crowd: Crowd) -> None:
        nonlocal under_way
        desk = house.another_desk()
        for name in crowd.games:
            fresh, known = desk.look(name), house.standing(name)
            assert fresh is not None
            assert (fresh.table, fresh.rounds) == (known.table, known.rounds)
            assert (fresh.seq, fresh.hash, fresh.first) == (known.seq, known.hash, known.first)
            under_way += known.table.called

    play(house, "resumed", 400, check)
    assert under_way > 100


def test_guarantee_9_every_order_in_another_process_makes_the_same_game(house: House, tmp_path: Path) -> None:
    """The house is opened anew for every order, and ends as one that was never closed."""
    crowd, steady = Crowd(house, "restarts"), House(lambda: Sqlite(tmp_path / "steady.db"))
    crowd_house(steady, FOUR)
    for _ in range(150):
        order = crowd.order(crowd.chance.choice(list(FOUR)))
        if crowd.chance.random() < 0.3:
            house.db.close()
            house.db = house.connect()
        house.desk = house.another_desk()
        assert house.desk.carry_out([order]) == steady.desk.carry_out([order])
    assert house.dump(but=()) == steady.dump(but=())
    steady.close()


def test_guarantee_9_bets_are_taken_for_as_long_where_another_process_has_dealt_the_round_before(
    postgres_house: House,
) -> None:
    house = postgres_house
    house.open("stud", betting=20)
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    house.took("ann", "stud", Wager(1, {"ante": 1000}))
    another = house.another_desk(own_connection=True)
    for person, command in (("bob", Wager(2, {"ante": 1000})), ("ann", Decide(1, 0)), ("bob", Decide(2, 0))):
        assert another.carry_out([house.order(person, "stud", command)])[0].accepted
    house.clock.time += 100
    assert another.carry_out([house.order("ann", "stud", Wager(1, {"ante": 1000}))])[0].accepted
    house.passes(19, "stud")
    assert not house.table("stud").called
    house.passes(20, "stud")
    assert house.table("stud").called


# Two persons.


def test_two_persons_validate_a_jackpot_and_they_want_the_same(house: House) -> None:
    house.patrons("ann")
    _royal(house)
    held = house.account("patron/ann")
    first = house.took("flo", "stud", Acknowledge(), light=True)
    assert first.waiting
    assert [one["requested_by"] for one in waiting(house.db)] == ["flo"]
    again = house.takes("flo", "stud", Acknowledge(), light=True)
    assert (again.accepted, again.cite) == (False, SECOND)
    assert house.took("floyd", "stud", Withhold("the light was out")).waiting  # that is another thing
    assert house.account("patron/ann") == held
    assert not house.takes("ann", "stud", Acknowledge(), light=True).accepted
    assert not house.took("floyd", "stud", Acknowledge(), light=True).waiting
    assert house.account("patron/ann") > held + 10_000_00 * CENT
    assert waiting(house.db) == []


def test_two_persons_withhold_a_jackpot_and_all_of_it_goes_back_on_the_meter(house: House) -> None:
    house.patrons("ann", cents=100_00)
    _royal(house)
    assert house.took("flo", "stud", Withhold("no light")).waiting
    assert not house.takes("flo", "stud", Withhold("no light")).accepted
    house.took("floyd", "stud", Withhold("no light"))
    meter = house.meter("stud/progressive/main@100")
    assert (meter.pending, meter.current, meter.reserve) == (0, 10_000_53 * CENT, 15 * CENT)
    assert house.account("table/stud/disputed") == 1_00 * CENT
    assert house.account("patron/ann") == (69_00 + 20_00 + 20_00) * CENT
    Audit(house.db).check({"stud": house.table("stud")})


@pytest.mark.parametrize("undone", [Reject(), Report("wrong-number")])
def test_two_persons_what_was_asked_for_a_claim_that_is_gone_counts_no_more(house: House, undone: Command) -> None:
    house.patrons("ann")
    _royal(house)
    held = house.account("patron/ann")
    assert house.took("flo", "stud", Acknowledge(), light=True).waiting
    house.took("floyd", "stud", undone)
    assert waiting(house.db) == []
    if isinstance(undone, Reject):  # the dealer has settled it again, and it is claimed anew
        assert house.took("floyd", "stud", Acknowledge(), light=True).waiting
        assert house.account("patron/ann") == held


@pytest.mark.parametrize(
    ("act", "giver", "taker"),
    [
        (Fill("stud", 5_000_00), "house", "table/stud/inventory"),
        (Credit("stud", 5_000_00), "table/stud/inventory", "house"),
        (Amend("house", "patron/ann", 5_000_00, "A disputed hand was decided for her."), "house", "patron/ann"),
        (Amend("patron/ann", "house", 100_00, "Paid twice."), "patron/ann", "house"),
    ],
)
def test_two_persons_move_chips_and_correct_the_ledger(house: House, act: Act, giver: str, taker: str) -> None:
    house.open("stud")
    house.patrons("ann")
    before = house.dump(but=("answered", "approval"))
    asked = house.did(act)
    assert asked.waiting
    assert house.dump(but=("answered", "approval")) == before
    own = house.does(Approve(asked.waiting))
    assert (own.accepted, own.cite) == (False, SECOND)
    assert not house.does(Approve(asked.waiting), Person("ann", Post.PATRON)).accepted
    assert not house.does(Approve(asked.waiting), Person("dealer", Post.DEALER)).accepted
    assert house.dump(but=("answered", "approval")) == before
    held = [house.account(giver), house.account(taker)]
    done = house.does(Approve(asked.waiting), ADA, key="approved")
    assert done.accepted
    assert house.does(Approve(asked.waiting), ADA, key="approved") == done
    amount = act.amount * CENT if isinstance(act, Fill | Credit | Amend) else 0
    assert [house.account(giver), house.account(taker)] == [held[0] - amount, held[1] + amount]
    assert not house.does(Approve(asked.waiting), ADA).accepted
    assert waiting(house.db) == []
    Audit(house.db).check({"stud": house.table("stud")})


def test_two_persons_what_is_declined_is_not_done(house: House) -> None:
    house.open("stud")
    before = house.dump(but=("answered", "approval", "entry", "chain"))
    asked = house.did(Fill("stud", 5_000_00), FLO)
    house.did(Decline(asked.waiting), ADA)
    assert house.dump(but=("answered", "approval", "entry", "chain")) == before
    assert not house.does(Approve(asked.waiting), ADA).accepted


def test_two_persons_correct_no_account_below_nothing_and_none_that_follows_from_play(house: House) -> None:
    house.open("stud")
    house.patrons("ann", cents=10_00)
    house.seat("stud", ann=1)
    house.took("ann", "stud", Wager(1, {"ante": 500}))
    asked = house.did(Amend("patron/ann", "house", 20_00, "Too much."))
    assert not house.does(Approve(asked.waiting), ADA).accepted
    assert house.account("patron/ann") == 5_00 * CENT
    assert not house.does(Amend("house", "patron/ann", 5_00, " ")).accepted
    for account in ("table/stud/wagers", "meter/stud/progressive/main@100/current"):
        assert not house.does(Amend("house", account, 5_00, "More.")).accepted
        assert not house.does(Amend(account, "house", 5_00, "Less.")).accepted
