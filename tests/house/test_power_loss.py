"""The power fails at every moment of a stretch of play: nothing acknowledged is lost, and nothing is half stored."""

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import count, cycle
from pathlib import Path
from typing import Final, NamedTuple

import apsw
import pytest
from power_loss import Acknowledged, Event, Recorder, images, write_image
from slices import POWER_LOSSES

from pitboss.errors import Mistake
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Deal, DealerInput, Order, Reply
from pitboss.house.office.acts import Act, BuyIn, Hire, OpenTable
from pitboss.house.office.office import Office, begin_house_log
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.connections import Connection, DatabaseFailure, Row
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.sqlite import Sqlite
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.record.chain import encode_json
from pitboss.rulebook.procedures import Do
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Command, Decide, Document, Role, Sit, Wager
from pitboss.table.shoe import seeded_source
from pitboss.table.steps import next_to_decide

FILE: Final = "house.db"
PLANTED: Final = 5_000
"""Maximum number of images with a planted fault."""
SEED: Final = "power 111352"
"""With it the first hand of Caribbean Stud is a straight flush, which two persons validate and a meter pays."""
TABLES: Final = {"carib": "caribbean-stud-standard", "cajun": "cajun-stud-standard"}
PATRONS: Final = {"carib": "ann", "cajun": "bob"}
FLOOR: Final = ("flo", "fay")
WAGERS: Final = {
    "carib": {"ante": 1000, "progressive": 100, "five-card-hand-player": 500, "five-card-hand-dealer": 500},
    "cajun": {"ante": 1000, "pocket-bonus": 500},
}
ROUNDS: Final = 8
TURN_OF_TRUNCATION: Final = 8
CHECKPOINT: Final = 60
"""Pages of the write-ahead log after which they are written to the database itself."""

Where = tuple[frozenset[tuple[str, str, bytes]], tuple[tuple[str, int], ...]]
"""The answers by person and key, and the end of every log."""
Rows = set[Row]
Tell = Callable[[str], None]

ANSWERS: Final = "SELECT person, key, reply FROM answered"
STORY: Final = {
    "entry": "SELECT chain, seq, body, hash FROM entry",
    "posting": "SELECT chain, seq, line, account, amount FROM posting",
    "contribution": "SELECT chain, seq, meter, current, waiting, reserve FROM contribution",
    "move": "SELECT chain, seq, meter, meter_seq, change FROM move",
    "round": "SELECT chain, last, number, first, ended, wagered, highest, is_void, after FROM round",
    "played": "SELECT p.chain, r.last, p.number, p.patron, p.ended, p.wagered, p.net"
    " FROM played AS p LEFT JOIN round AS r USING (chain, number)",
}
"""What belongs to an entry: its log, its number, and the rest."""

NEVER: Final = {
    "the log has a gap, or is not as long as it says": (
        "SELECT id FROM chain LEFT JOIN entry ON entry.chain = id GROUP BY id"
        " HAVING COUNT(entry.seq) <> chain.seq OR COALESCE(MAX(entry.seq), 0) <> chain.seq"
    ),
    "the log does not end with its hash": (
        "SELECT id FROM chain JOIN entry ON entry.chain = id AND entry.seq = chain.seq WHERE entry.hash <> chain.hash"
    ),
    "postings do not sum to nothing": "SELECT chain, seq FROM posting GROUP BY chain, seq HAVING SUM(amount) <> 0",
    "an account is not the sum of its postings": (
        "SELECT name FROM (SELECT name, balance FROM account UNION ALL SELECT account, -amount FROM posting)"
        " GROUP BY name HAVING SUM(balance) <> 0"
    ),
    "a meter is not what its accounts hold": (
        "SELECT id FROM meter LEFT JOIN (SELECT meter, SUM(current + waiting) AS more, SUM(reserve) AS kept"
        " FROM contribution WHERE is_folded = 0 GROUP BY meter) ON meter = id WHERE"
        " (meter.current + meter.waiting + COALESCE(more, 0), meter.reserve + COALESCE(kept, 0), meter.pending) <>"
        " (COALESCE((SELECT balance FROM account WHERE name = 'meter/' || id || '/current'), 0),"
        " COALESCE((SELECT balance FROM account WHERE name = 'meter/' || id || '/reserve'), 0),"
        " COALESCE((SELECT balance FROM account WHERE name = 'meter/' || id || '/pending'), 0))"
    ),
    "something belongs to no entry": (
        "SELECT chain, seq FROM posting UNION SELECT chain, seq FROM contribution UNION SELECT chain, seq FROM move"
        " UNION SELECT chain, last FROM round EXCEPT SELECT chain, seq FROM entry"
    ),
    "a round is missing": "SELECT chain FROM round GROUP BY chain HAVING COUNT(*) <> MAX(number) + 1",
}
"""Queries that must find nothing in any state of the house."""


class Stretch(NamedTuple):
    """A stretch of play: its disk operations, its replies with their times, and its final state."""

    log: list[Event]
    steps: list[Where | None]
    """The state of the house after each step, from the replies alone; empty at first."""
    story: dict[str, Rows]

    def between(self, step: int, later: int) -> str:
        """Return how many answers were given, and how many rounds ended, from one step to another."""
        (few, fewer), (many, more) = ((len(answers), rounds) for answers, rounds in map(self._so_far, (step, later)))
        return f"{many - few} answers and {more - fewer} rounds"

    def _so_far(self, step: int) -> tuple[frozenset[tuple[str, str, bytes]], int]:
        answers, ends = self.steps[step] or (frozenset(), ())
        return answers, sum(row[1] <= dict(ends).get(row[0], 0) for row in self.story["round"])


class Play:
    """Plays a stretch on a store, and notes every reply."""

    def __init__(self, db: Sqlite, desk: Desk, log: list[Event]) -> None:
        self.db, self.desk, self.log = db, desk, log
        self.steps: list[Where | None] = [None]
        self._answers: set[tuple[str, str, bytes]] = set()
        self._ends: dict[str, int] = {}
        self._waiting: set[str] = set()
        self._keys, self._floor = count(1), cycle(FLOOR)

    def all_of_it(self) -> None:
        """Open the house, and play every round, in small transactions and in larger ones."""
        migrate(self.db)
        self._told({}, [])
        with self.db.transaction():
            begin_house_log(self.db)
            for name in FLOOR:
                self.db.execute("INSERT INTO person VALUES (?, 'floorperson', 'a hash', 1, 0, 0)", (name,))
        self._told({"house": 0}, [])
        for chain, preset in TABLES.items():
            for act in (
                OpenTable(chain, text_of(preset)),
                Hire(PATRONS[chain], Post.PATRON, "a hash"),
                BuyIn(PATRONS[chain], 1_000_00),
            ):
                self._act(act)
            self._order([self._by_patron(chain, Sit(1))])
        assert not self._order([self._by_patron("cajun", Wager(1, {"ante": 5_000_00}))])[0].accepted
        for turn in count(1):
            orders = [order for chain in TABLES if (order := self._due(chain))]
            if not orders:
                break
            for batch in [orders] if turn % 2 else [[order] for order in orders]:
                assert all(reply.accepted for reply in self._order(batch))
            if turn == TURN_OF_TRUNCATION:
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _told(self, ends: Mapping[str, int], answers: Iterable[tuple[str, str, bytes]]) -> None:
        self._ends |= ends
        self._answers |= set(answers)
        self.log.append(Acknowledged(len(self.steps)))
        self.steps.append((frozenset(self._answers), tuple(sorted(self._ends.items()))))

    def _act(self, act: Act) -> None:
        key = f"key {next(self._keys)}"
        done = Office(self.db, now).do(Person("boss", Post.OPERATOR), act, key)
        assert done.accepted, done
        begun = {act.table: 0} if isinstance(act, OpenTable) else {}
        self._told({"house": done.seq, **begun}, [("boss", key, encode_json(done))])

    def _order(self, orders: Sequence[Order]) -> list[Reply]:
        by_hand = sum(self._pays_by_hand(order) for order in orders)
        replies = self.desk.carry_out(orders)
        answers = [(order.person, order.key, encode_json(reply)) for order, reply in zip(orders, replies, strict=True)]
        ends = {reply.table: reply.seq for reply in replies if reply.accepted}
        seconded = {order.chain for order in orders if isinstance(order.command, Acknowledge)} & self._waiting
        self._waiting = {reply.table for reply in replies if reply.waiting} | (self._waiting - seconded)
        # It names both who validated a payout off a meter, and who paid one by hand.
        house = {"house": self._ends["house"] + len(seconded) + by_hand}
        self._told({**ends, **house}, answers)
        return replies

    def _pays_by_hand(self, order: Order) -> bool:
        boxes = self.desk.live_tables[order.chain].table.boxes if order.chain in self.desk.live_tables else {}
        return isinstance(order.command, Document) and bool(boxes[order.command.seat].by_hand)

    def _due(self, chain: str) -> Order | None:
        """Return the next order at a table that has rounds to play."""
        table = self.desk.live_tables[chain].table
        if any(box.claimed for box in table.boxes.values()):
            return self._by_floor(chain, Acknowledge())
        if table.due.do is Do.CLEAR:
            return self._by_floor(chain, Document(1))
        if box := next_to_decide(table):
            return self._by_patron(chain, Decide(1, table.rules.terms.game.decisions[len(box.decisions)].multiples[0]))
        return self._by_patron(chain, Wager(1, WAGERS[chain])) if table.round < ROUNDS else None

    def _by_patron(self, chain: str, command: Command) -> Order:
        key = f"key {next(self._keys)}"
        return Order(person=PATRONS[chain], role=Role.PLAYER, key=key, chain=chain, command=command)

    def _by_floor(self, chain: str, command: Command) -> Order:
        who, key, light = next(self._floor), f"key {next(self._keys)}", DealerInput(light=True)
        return Order(person=who, role=Role.FLOORPERSON, key=key, chain=chain, command=command, entered=light)


class Audit:
    """Opens crash images as SQLite does, and returns the problems it finds.

    The same pages have the same contents: what is read in a database is read once for all images that recover to it.
    """

    def __init__(self, folder: Path, stretch: Stretch) -> None:
        folder.mkdir()
        self._folder, self._stretch = folder, stretch
        self._steps = {where: step for step, where in enumerate(stretch.steps)}
        self._known: dict[bytes, tuple[int, str]] = {}

    @property
    def found(self) -> int:
        """How many different databases there were."""
        return len(self._known)

    def wrong(self, told: int, image: Mapping[str, bytes]) -> str:
        """Return the problem of a crash image taken when this many steps had been acknowledged."""
        write_image(self._folder, image)
        try:
            pages = recovered(self._folder / FILE)
            if pages not in self._known:
                self._known[pages] = self._read()
        except (apsw.Error, DatabaseFailure, Mistake) as error:
            return f"broken: {error}"
        step, half = self._known[pages]
        if half:
            return f"half: {half}"
        return "" if step >= told else f"lost: {self._stretch.between(step, told)} that were acknowledged"

    def _read(self) -> tuple[int, str]:
        """Return the step that a house reached, and the parts that are incomplete."""
        with closing(Sqlite(self._folder / FILE)) as db:
            if not db.execute("SELECT 1 FROM sqlite_schema"):
                return self._steps[None], ""
            checked = [*db.execute("PRAGMA integrity_check"), *db.execute("PRAGMA foreign_key_check")]
            if checked != [("ok",)]:
                raise DatabaseFailure(str(checked))
            answers = frozenset((who, key, bytes(reply)) for who, key, reply in db.execute(ANSWERS))
            ends: dict[str, int] = dict(db.execute("SELECT id, seq FROM chain ORDER BY id"))
            half = [what for what, query in NEVER.items() if db.execute(query)]
            half += [f"the log {chain} is not what its hashes say" for chain in ends if not _is_bound(db, chain)]
            for what, rows in _story(db).items():
                if rows != {row for row in self._stretch.story[what] if row[1] <= ends.get(row[0], 0)}:
                    half.append(f"{what}: not what belongs to the entries that are there")
            step = self._steps.get((answers, tuple(ends.items())))
            if step is None:
                half.append("some of what one order led to is there, and some is not")
            if not half:
                half += [f"the table {chain} does not go on" for chain in TABLES if not _goes_on(db, chain)]
        return step or 0, "; ".join(half)


def recovered(file: Path) -> bytes:
    """Return the pages of a database after SQLite recovered it, and leave its files for another look."""
    with closing(apsw.Connection(str(file))) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.execute("PRAGMA synchronous=OFF")
        return connection.serialize("main")


def now() -> float:
    return 1_700_000_000


def _story(db: Connection) -> dict[str, Rows]:
    return {what: set(db.execute(query)) for what, query in STORY.items()}


def _is_bound(db: Connection, chain: str) -> bool:
    """Whether every entry of a log has the hash that binds it to the one before."""
    ((digest, text),) = db.execute("SELECT hash, header FROM chain WHERE id = ?", (chain,))
    found = sha256(bytes(text)).hexdigest()
    for body, hashed in db.execute("SELECT body, hash FROM entry WHERE chain = ? ORDER BY seq", (chain,)):
        found = sha256(found.encode() + bytes(body)).hexdigest()
        if found != hashed:
            return False
    return bool(found == digest)


def _goes_on(db: Connection, chain: str) -> bool:
    """Whether a new desk continues a table at the end of its log, if there is one."""
    if not (rows := db.execute("SELECT seq, hash FROM chain WHERE id = ?", (chain,))):
        return True
    ((rounds,),) = db.execute("SELECT COUNT(*) FROM round WHERE chain = ?", (chain,))
    live = Desk(db, now=now).read_table(chain)
    return live is not None and (live.seq, live.hash, live.table.round) == (*rows[0], rounds)


def play_stretch(folder: Path, *, desk: type[Desk] = Desk, pragma: str = "synchronous=FULL") -> Stretch:
    """Play the stretch on a recorded disk, with one planted fault, if any."""
    folder.mkdir()
    vfs = Recorder("recorder")
    with closing(Sqlite(folder / FILE, vfs="recorder")) as db:
        db.execute(f"PRAGMA {pragma}")
        db.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT}")
        play = Play(db, desk(db, source=seeded_source(SEED), now=now), vfs.log)
        play.all_of_it()
        story = _story(db)
    vfs.unregister()
    return Stretch(vfs.log, play.steps, story)


def crashes(stretch: Stretch, most: int) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Yield crash images, all different, cycling through the moments."""
    rng, seen = random.Random("power loss"), set[int]()  # noqa: S311 (no secret)
    while True:
        for told, image in images(stretch.log, rng):
            mark = hash((told, *image.items()))
            if mark not in seen:
                yield told, image
                seen.add(mark)
                if len(seen) == most:
                    return


class MoneyLater(Desk):
    """A desk that posts money in a second transaction."""

    def carry_out(self, orders: Sequence[Order | Deal]) -> list[Reply]:
        later, write = UnitOfWork(self.db), UnitOfWork.write

        def without_money(unit: UnitOfWork) -> None:
            later.postings, unit.postings = unit.postings, []
            later.balance_changes, unit.balance_changes = unit.balance_changes, {}
            write(unit)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(UnitOfWork, "write", without_money)
            replies = super().carry_out(orders)
        with self.db.transaction():
            later.write()
        return replies


def test_no_crash_image_loses_or_halves_an_acknowledged_round(tmp_path: Path, tell: Tell) -> None:
    stretch = play_stretch(tmp_path / "played")
    assert all(stretch.story.values())
    began, audit = time.perf_counter(), Audit(tmp_path / "crashed", stretch)
    wrong = Counter(audit.wrong(told, image) for told, image in crashes(stretch, POWER_LOSSES))
    sound = wrong.pop("", 0)
    tell(
        f"{POWER_LOSSES:,} different crash images at {len(stretch.log):,} moments of {len(stretch.steps) - 1} steps,"
        f" {audit.found} databases in them: {wrong.total()} wrong, {time.perf_counter() - began:.0f} s"
    )
    assert not wrong
    assert sound == POWER_LOSSES


@pytest.mark.parametrize(
    ("desk", "pragma", "caught"),
    [(Desk, "synchronous=NORMAL", "lost: .* [1-9][0-9]* rounds"), (MoneyLater, "synchronous=FULL", "half: .*posting")],
)
def test_a_planted_fault_of_the_store_is_detected(
    tmp_path: Path, tell: Tell, desk: type[Desk], pragma: str, caught: str
) -> None:
    stretch = play_stretch(tmp_path / "played", desk=desk, pragma=pragma)
    audit = Audit(tmp_path / "crashed", stretch)
    for number, (told, image) in enumerate(crashes(stretch, PLANTED), 1):
        if re.match(caught, wrong := audit.wrong(told, image)):
            tell(f"{desk.__name__}, {pragma}: caught by crash image {number:,}: {wrong}")
            return
    pytest.fail(f"{PLANTED:,} crash images, and it was not caught")
