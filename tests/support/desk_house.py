"""A house on one connection, for tests: its desk, its office, a clock, stacked decks, and its database."""

from collections.abc import Callable
from itertools import count
from typing import Any

from pitboss.cards import DECK, Card, hand
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Deal, DealerInput, Order, Reply
from pitboss.house.live_table import LiveTable, Settings
from pitboss.house.office.acts import Act, BuyIn, Hire, OpenTable
from pitboss.house.office.office import HOUSE_PERSON, ActResult, Office, begin_house_log
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.meters import METER_COLUMNS
from pitboss.house.storage.migrations import migrate
from pitboss.progressive import Meter
from pitboss.submission import text_of
from pitboss.table import Command, Role, Sit, Table
from pitboss.table.shoe import Source, seeded_source

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
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = BEGIN

    def __call__(self) -> float:
        return self.time


class StackedSource:
    """A seeded source of bytes that can stack the next shuffle."""

    def __init__(self, seed: str) -> None:
        self._source: Source = seeded_source(seed)
        self._draws: list[int] = []

    def stack(self, deck: tuple[Card, ...]) -> None:
        """Make the next shuffle give this deck, by the draws of Fisher and Yates that lead to it."""
        order = list(DECK)
        for last in range(len(order) - 1, 0, -1):
            other = order.index(deck[last])
            order[last], order[other] = order[other], order[last]
            self._draws.append(other)

    def forget(self) -> None:
        """Drop the stacked deck."""
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
    """A house on one connection, with shorthands for acts and orders."""

    def __init__(self, connect: Callable[[], Connection], seed: str = "house") -> None:
        self.connect = connect
        self.db = connect()
        migrate(self.db)
        with self.db.transaction():
            begin_house_log(self.db)
        self.clock, self.source = Clock(), StackedSource(seed)
        self.office = Office(self.db, self.clock)
        self.desk = Desk(self.db, source=self.source, now=self.clock)
        self._keys = count(1)
        self._others: list[Connection] = []
        floor = (Person(name, Post.FLOORPERSON) for name in ("flo", "floyd"))
        for person in (BOSS, *floor, Person("ada", Post.AUDITOR)):
            self.act_ok(Hire(person.name, person.post, "none"), HOUSE_PERSON)

    @property
    def kind(self) -> str:
        return "PostgreSQL" if self.db.dialect.has_other_writers else "SQLite"

    def close(self) -> None:
        for connection in (self.db, *self._others):
            connection.close()

    def another_connection(self) -> Connection:
        """One more connection, closed with the house."""
        self._others.append(self.connect())
        return self._others[-1]

    def another_desk(self, *, own_connection: bool = False) -> Desk:
        """A desk with an empty cache, as after a restart or in another process."""
        return Desk(self.another_connection() if own_connection else self.db, source=self.source, now=self.clock)

    # Acts.

    def key(self) -> str:
        return f"key {next(self._keys)}"

    def act(self, act: Act, person: Person = BOSS, key: str = "") -> ActResult:
        return self.office.do(person, act, key or self.key())

    def act_ok(self, act: Act, person: Person = BOSS) -> ActResult:
        done = self.act(act, person)
        assert done.accepted, done
        return done

    def open(self, table: str, submission: str = STUD, *, scanned: bool = False, **settings: Any) -> None:
        """Open a table with a preset, or with the text of a Submission."""
        text = submission if "\n" in submission else text_of(submission)
        self.act_ok(OpenTable(table, text, Settings(**settings), scanned=scanned))

    def patrons(self, *names: str, cents: int = 1_000_000_00) -> None:
        for name in names:
            self.act_ok(Hire(name, Post.PATRON, "the hash of a password"))
            if cents:
                self.act_ok(BuyIn(name, cents))

    def seat(self, table: str, **seats: int) -> None:
        for name, seat in seats.items():
            self.send_ok(name, table, Sit(seat))

    # Orders.

    def order(self, person: str, table: str, command: Command, *, key: str = "", **entered: Any) -> Order:
        """An order; a name that begins with `flo` is a floorperson, with `deal` a dealer, otherwise a patron."""
        role = Role.FLOORPERSON if person.startswith("flo") else Role.PLAYER
        role = Role.DEALER if person.startswith("deal") else role
        return Order(
            person=person,
            role=role,
            key=key or self.key(),
            chain=table,
            command=command,
            entered=DealerInput(**entered),
        )

    def send(self, person: str, table: str, command: Command, *, key: str = "", **entered: Any) -> Reply:
        (reply,) = self.desk.carry_out([self.order(person, table, command, key=key, **entered)])
        return reply

    def send_ok(self, person: str, table: str, command: Command, **entered: Any) -> Reply:
        reply = self.send(person, table, command, **entered)
        assert reply.accepted, reply
        return reply

    def pass_time(self, seconds: int, *tables: str) -> None:
        """Let time pass, and let the automatic dealers act."""
        self.clock.time += seconds
        self.desk.carry_out([Deal(table) for table in tables])

    def live_table(self, table: str) -> LiveTable:
        live = self.desk.read_table(table)
        assert live is not None
        return live

    def table(self, table: str) -> Table:
        return self.live_table(table).table

    # The database.

    def account(self, name: str) -> int:
        """The balance of an account, in micro-cents."""
        rows = self.db.execute("SELECT balance FROM account WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    def meter(self, name: str) -> Meter:
        """A meter, including contributions that are not folded yet."""
        return meters(self.db)[name]

    def dump(self, *, but: tuple[str, ...] = ("answered",)) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of the database, except these tables."""
        return {
            name: sorted(map(_comparable, self.db.execute(f"SELECT * FROM {name}")))
            for name in TABLES
            if name not in but
        }


def _comparable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row)


def meters(db: Connection) -> dict[str, Meter]:
    """Every meter: its row, and the contributions that are not folded into it yet."""
    found = {
        name: Meter(**dict(zip(METER_COLUMNS, amounts, strict=True)))
        for name, *amounts in db.execute(f"SELECT id, {', '.join(METER_COLUMNS)} FROM meter")
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
