"""A house for tests, on SQLite and on PostgreSQL alike: its desk, its office, stacked decks, and an independent audit."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from postgres_cluster import Cluster, started

from pitboss.cards import DECK, Card, hand
from pitboss.games import Line
from pitboss.house import ledger
from pitboss.house.acts import Act, BuyIn, Hire, OpenTable
from pitboss.house.desk import Desk
from pitboss.house.driver import Connection, Sqlite, migrate
from pitboss.house.office import Done, Office, opened
from pitboss.house.orders import Deal, Entered, Order, Reply
from pitboss.house.people import Person, Post
from pitboss.house.postgres import Postgres
from pitboss.house.standing import Settings, Standing
from pitboss.house.store import METER
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.record.chain import Entry, entry_of
from pitboss.submission import text_of
from pitboss.table import Command, Role, Sit, Table, events
from pitboss.table.shoe import Source, fixed

STUD, PRIME, CAJUN = "caribbean-stud-standard", "four-card-prime-standard", "cajun-stud-standard"
BOSS = Person("boss", Post.OPERATOR)
BEGIN = 1_800_000_000
TABLES = (
    "chain",
    "entry",
    "account",
    "posting",
    "answered",
    "meter",
    "contribution",
    "move",
    "round",
    "played",
    "person",
    "approval",
)


class Clock:
    """The time of a test: it passes when the test says so."""

    def __init__(self) -> None:
        self.time = BEGIN

    def __call__(self) -> float:
        return self.time


class Stacked:
    """A source of bytes that can make the next shuffle come out as wished; else the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self._source: Source = fixed(seed)
        self._draws: list[int] = []

    def stack(self, deck: tuple[Card, ...]) -> None:
        """Have the next shuffle give this deck: the draws of Fisher and Yates that lead to it."""
        order = list(DECK)
        for last in range(len(order) - 1, 0, -1):
            other = order.index(deck[last])
            order[last], order[other] = order[other], order[last]
            self._draws.append(other)

    def forget(self) -> None:
        """Stack nothing."""
        self._draws = []

    def __call__(self, length: int) -> bytes:
        if self._draws and length == 1:
            return bytes([self._draws.pop(0)])
        return self._source(length)


def dealt_one_by_one(*hands: str) -> tuple[Card, ...]:
    """A deck that deals these hands a card at a time: the boxes by seat, the dealer last."""
    woven = [card for cards in zip(*map(hand, hands), strict=True) for card in cards]
    return (*woven, *(card for card in DECK if card not in woven))


class House:
    """A house on one connection, with shorthands for what people ask of it."""

    def __init__(self, connect: Callable[[], Connection], seed: str = "house") -> None:
        self.connect = connect
        self.db = connect()
        migrate(self.db, binary="BLOB" if self.db.one_writer else "BYTEA")
        with self.db.transaction():
            opened(self.db)
            for person in (BOSS, Person("flo", Post.FLOORPERSON), Person("ada", Post.AUDITOR)):
                self.db.execute(
                    "INSERT INTO person (name, post, password, is_active, failures, locked_until) VALUES (?, ?, ?, 1, 0, 0)",
                    (person.name, person.post, "none"),
                )
        self.clock, self.source = Clock(), Stacked(seed)
        self.office = Office(self.db, self.clock)
        self.desk = Desk(self.db, source=self.source, now=self.clock)
        self._keys = count(1)
        self._others: list[Connection] = []

    @property
    def kind(self) -> str:
        return "SQLite" if self.db.one_writer else "PostgreSQL"

    def close(self) -> None:
        for connection in (self.db, *self._others):
            connection.close()

    def another_connection(self) -> Connection:
        """One more connection, closed with the house."""
        self._others.append(self.connect())
        return self._others[-1]

    def another_desk(self, *, own_connection: bool = False) -> Desk:
        """A desk that knows nothing yet, as after a restart or in another process."""
        return Desk(self.another_connection() if own_connection else self.db, source=self.source, now=self.clock)

    # What concerns the whole house.

    def key(self) -> str:
        return f"key {next(self._keys)}"

    def does(self, act: Act, person: Person = BOSS, key: str = "") -> Done:
        return self.office.do(person, act, key or self.key())

    def did(self, act: Act, person: Person = BOSS) -> Done:
        done = self.does(act, person)
        assert done.accepted, done
        return done

    def open(self, table: str, submission: str = STUD, *, scanned: bool = False, **settings: Any) -> None:
        """Open a table with a preset, or with the text of a Submission."""
        text = submission if "\n" in submission else text_of(submission)
        self.did(OpenTable(table, text, Settings(**settings), scanned=scanned))

    def patrons(self, *names: str, cents: int = 1_000_000_00) -> None:
        for name in names:
            self.did(Hire(name, Post.PATRON, "the hash of a password"))
            if cents:
                self.did(BuyIn(name, cents))

    def seat(self, table: str, **seats: int) -> None:
        for name, seat in seats.items():
            self.took(name, table, Sit(seat))

    # What concerns a table.

    def order(self, person: str, table: str, command: Command, *, key: str = "", **entered: Any) -> Order:
        """An order; whose name begins with `flo` is a floorperson, with `deal` a dealer, else a patron."""
        role = Role.FLOORPERSON if person.startswith("flo") else Role.PLAYER
        role = Role.DEALER if person.startswith("deal") else role
        return Order(
            person=person, role=role, key=key or self.key(), chain=table, command=command, entered=Entered(**entered)
        )

    def takes(self, person: str, table: str, command: Command, *, key: str = "", **entered: Any) -> Reply:
        (reply,) = self.desk.carry_out([self.order(person, table, command, key=key, **entered)])
        return reply

    def took(self, person: str, table: str, command: Command, **entered: Any) -> Reply:
        reply = self.takes(person, table, command, **entered)
        assert reply.accepted, reply
        return reply

    def passes(self, seconds: int, *tables: str) -> None:
        """Let time pass; the automatic dealers look up."""
        self.clock.time += seconds
        self.desk.carry_out([Deal(table) for table in tables])

    def standing(self, table: str) -> Standing:
        standing = self.desk.look(table)
        assert standing is not None
        return standing

    def table(self, table: str) -> Table:
        return self.standing(table).table

    # What is written down.

    def account(self, name: str) -> int:
        """What an account holds, in micro-cents."""
        rows = self.db.execute("SELECT balance FROM account WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    def meter(self, name: str) -> Meter:
        """A meter, with what was contributed and is not folded yet."""
        return meters(self.db)[name]

    def dump(self, *, but: tuple[str, ...] = ("answered",)) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table of the database, but of these."""
        return {
            name: sorted(map(_comparable, self.db.execute(f"SELECT * FROM {name}")))
            for name in TABLES
            if name not in but
        }


def _comparable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row)


def meters(db: Connection) -> dict[str, Meter]:
    """Every meter as it stands: its row, and the contributions that are not folded into it yet."""
    found = {
        name: Meter(**dict(zip(METER, amounts, strict=True)))
        for name, *amounts in db.execute(f"SELECT id, {', '.join(METER)} FROM meter")
    }
    more = db.execute(
        "SELECT meter, SUM(current), SUM(waiting), SUM(reserve) FROM contribution WHERE is_folded = 0 GROUP BY meter"
    )
    for name, *sums in more:
        (current, waiting, reserve), meter = map(int, sums), found[name]
        found[name] = Meter(
            current=meter.current + current,
            waiting=meter.waiting + waiting,
            reserve=meter.reserve + reserve,
            contributed=meter.contributed + current + waiting + reserve,
            pending=meter.pending,
            paid=meter.paid,
            house=meter.house,
        )
    return found


PRINTED = {
    "progressive": ("progressive", "main", 53, 15),
    "five-card-hand-player": ("five-card-hand", "five-card-hand", 13, 8),
    "five-card-hand-dealer": ("five-card-hand", "five-card-hand", 13, 8),
}
"""By wager: its offer, its meter, and what goes on it and into its reserve, in per cent: 639a.12(d)(4) for Paytable A,
639a.12(e)(4)."""


class Audit:
    """Recounts the books from postings and events, by itself, as they grow: Caribbean Stud's meters at Paytable A."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.balances: dict[str, int] = {}
        self.contributed: dict[str, int] = {}
        """By meter: increments of accepted wagers, less those of voided rounds."""
        self.paid: dict[str, int] = {}
        self.contributions = 0
        self.entries = 0
        self.rounds = 0
        self._seen: dict[str, int] = {}
        self._tables: dict[str, _Followed] = {}

    def check(self, tables: Mapping[str, Table]) -> None:
        """Guarantees 1 and 5 as things stand now; nothing is taken from what the house has summed itself."""
        for chain, seq, kind, settings in self.db.execute("SELECT id, seq, kind, settings FROM chain"):
            if kind == "table" and chain not in self._tables:
                self._tables[chain] = _Followed(chain, msgspec.json.decode(bytes(settings))["links"])
            if seq > self._seen.get(chain, 0):
                self._read(chain)
        held: dict[str, int] = dict(self.db.execute("SELECT name, balance FROM account"))
        assert _without_nothing(held) == _without_nothing(self.balances)
        assert sum(held.values()) == 0
        patrons = {name: amount for name, amount in held.items() if name.startswith("patron/")}
        assert [name for name, amount in patrons.items() if amount < 0 or amount % CENT] == []
        for chain, table in tables.items():
            assert held.get(ledger.at_table(chain, "wagers"), 0) == ledger.in_play(table) * CENT, chain
        found = meters(self.db)
        for name, meter in found.items():
            assert meter.balanced, (name, meter)
            accounts = [held.get(ledger.of_meter(name, part), 0) for part in ("current", "reserve", "pending")]
            assert accounts == [meter.current + meter.waiting, meter.reserve, meter.pending], (name, meter)
        assert _without_nothing(self.contributed) == _without_nothing(
            {name: m.contributed for name, m in found.items()}
        )
        assert _without_nothing(self.paid) == _without_nothing({name: m.paid for name, m in found.items()})

    def _read(self, chain: str) -> None:
        first = self._seen.get(chain, 0)
        postings: dict[int, dict[str, int]] = {}
        for seq, account, amount in self.db.execute(
            "SELECT seq, account, amount FROM posting WHERE chain = ? AND seq > ?", (chain, first)
        ):
            lines = postings.setdefault(seq, {})
            lines[account] = lines.get(account, 0) + amount
            self.balances[account] = self.balances.get(account, 0) + amount
        for seq, body in self.db.execute(
            "SELECT seq, body FROM entry WHERE chain = ? AND seq > ? ORDER BY seq", (chain, first)
        ):
            lines = postings.pop(seq, {})
            assert sum(lines.values()) == 0, (chain, seq, lines)
            if (table := self._tables.get(chain)) and (lines or _TELLING.search(bytes(body))):
                self._follow(table, entry_of(bytes(body)), lines)
            self._seen[chain], self.entries = seq, self.entries + 1
        assert not postings, "every posting belongs to an entry"

    def _follow(self, table: "_Followed", entry: Entry, lines: Mapping[str, int]) -> None:
        """Follow the money of a round: what each patron has more when it is over is what the lines say."""
        for account, amount in lines.items():
            whose, _, name = account.partition("/")
            if whose in {"patron", "owed"}:
                table.moved[name] = table.moved.get(name, 0) + amount
        for event in entry.events:
            match event:
                case events.Called():
                    table.called = True
                    self._contribute(table, 1)
                case events.Voided():
                    self._contribute(table, -1)
                case events.Cleared() | events.Removed() if table.lines:
                    self._over(table)
                case _:
                    table.hear(event)

    def _contribute(self, table: "_Followed", sign: int) -> None:
        for _, wagers in table.boxes.values():
            for wager, amount in wagers.items():
                if wager in PRINTED:
                    _, _, primary, reserve = PRINTED[wager]
                    name = table.meter(wager, amount)
                    self.contributed[name] = self.contributed.get(name, 0) + sign * amount * CENT // 100 * (
                        primary + reserve
                    )
                    self.contributions += sign > 0

    def _over(self, table: "_Followed") -> None:
        due: dict[str, int] = {}
        for seat, lines in table.lines.items():
            patron, _ = table.boxes[seat]
            due[patron] = due.get(patron, 0) + sum(line.net for line in lines)
            for line in lines:
                if line.meter:
                    name = table.meter(line.wager, line.stake)
                    self.paid[name] = self.paid.get(name, 0) + line.pays * CENT
        won = {name: amount // CENT for name, amount in table.moved.items()}
        assert _without_nothing(won) == _without_nothing(due), table.chain
        kept = self.db.execute(
            "SELECT patron, net FROM played WHERE chain = ? AND number = ?", (table.chain, table.round)
        )
        assert dict(kept) == due, (table.chain, table.round)
        self.rounds += 1
        table.round += 1
        table.boxes, table.lines, table.moved, table.called = {}, {}, {}, False


_TELLING = re.compile(rb'"type":"(Called|Cleared|Left|Removed|Seated|Stood|Voided|Wagered)"')
"""Events that an audit hears of though they move no money."""


class _Followed:
    """What an audit follows of a table: who sits and plays where, with which wagers, and what became of them."""

    def __init__(self, chain: str, links: Mapping[str, str]) -> None:
        self.chain, self._links = chain, links
        self.round = 0
        self.seated: dict[int, str] = {}
        self.boxes: dict[int, tuple[str, Mapping[str, int]]] = {}
        self.lines: dict[int, tuple[Line, ...]] = {}
        self.moved: dict[str, int] = {}
        self.called = False

    def meter(self, wager: str, amount: int) -> str:
        offer, meter, _, _ = PRINTED[wager]
        owner = f"link:{self._links[offer]}" if offer in self._links else self.chain
        return f"{owner}/{offer}/{meter}@{amount}"

    def hear(self, event: events.Event) -> None:
        match event:
            case events.Seated(seat, patron):
                self.seated[seat] = patron
            case events.Stood(seat):
                del self.seated[seat]
            case events.Left(seat):
                gone = self.seated.pop(seat)
                if not self.called:
                    self.boxes = {box: held for box, held in self.boxes.items() if held[0] != gone}
            case events.Wagered(seat, patron, wagers):
                self.boxes[seat] = patron, wagers
                if not wagers:
                    del self.boxes[seat]
            case events.Settled(seat, lines):
                self.lines[seat] = lines
            case events.Added(seat, lines):
                self.lines[seat] += lines
            case events.Reversed(seat):
                del self.lines[seat]
            case _:
                pass


def _without_nothing(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """The throw-away PostgreSQL of this test run."""
    with started() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """A fresh database of its own for each test."""
    with postgres_cluster.database() as url:
        yield url


@pytest.fixture
def sqlite_house(tmp_path: Path) -> Iterator[House]:
    """A house on SQLite."""
    made = House(lambda: Sqlite(tmp_path / "house.db"))
    yield made
    made.close()


@pytest.fixture
def postgres_house(postgres_url: str) -> Iterator[House]:
    """A house on PostgreSQL."""
    made = House(lambda: Postgres(postgres_url))
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> House:
    """A house on each of the two."""
    made = request.getfixturevalue("sqlite_house" if request.param == "sqlite" else "postgres_house")
    assert isinstance(made, House)
    return made
