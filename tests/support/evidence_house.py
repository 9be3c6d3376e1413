"""A house that plays by itself and has all kinds of evidence, to be verified, searched and tampered with."""

import shutil
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from table_play import PRESETS

from pitboss.cards import DECK, Card
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import DealerInput, Order, Reply
from pitboss.house.evidence import sign_checkpoint, signing_key
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import Act, Amend, Approve, BuyIn, CloseTable, Dismiss, Hire, OpenTable
from pitboss.house.office.office import HOUSE_PERSON, Office, begin_house_log
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.sqlite import Sqlite
from pitboss.rulebook.procedures import Do
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Command, Decide, Document, Report, Role, Sit, Table, Wager
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.refusals import MIN_CUT_DEPTH
from pitboss.table.shoe import seeded_source
from pitboss.table.steps import next_to_decide

BOSS, ADA = Person("boss", Post.OPERATOR), Person("ada", Post.AUDITOR)
WAGERS = {
    "639a": {"ante": 1000, "five-card-hand-dealer": 500, "progressive": 100},
    "682a": {"ante": 1000, "prime": 500},
    "683a": {"ante": 1000, "pocket-bonus": 500},
}
PATRON = {"639a": "ann", "682a": "bob", "683a": "cy"}
ROYAL = "Ah 2c Kh 7d Qh 9s Jh 4c Th 3d"
"""To one box and the dealer in turn."""
BEGAN = 1_700_000_000


class StackedSource:
    """A seeded source of bytes that can stack the first cards of the next shuffles."""

    def __init__(self, seed: str) -> None:
        self._rest, self._queue = seeded_source(seed), deque[int]()

    def __call__(self, count: int) -> bytes:
        return bytes([self._queue.popleft()]) if count == 1 and self._queue else self._rest(count)

    def stack(self, top: str) -> None:
        cards = [Card(card) for card in top.split()]
        wanted = [*cards, *(card for card in DECK if card not in cards)]
        wanted = wanted[-MIN_CUT_DEPTH:] + wanted[:-MIN_CUT_DEPTH]  # the cut brings them to the top
        order = list(DECK)
        for last in range(len(order) - 1, 0, -1):
            other = order.index(wanted[last])
            order[last], order[other] = order[other], order[last]
            self._queue.append(other)
        self._queue.append(0)  # the cut


class House:
    """A house that plays by itself, an order a second."""

    def __init__(self, file: Path) -> None:
        self.db, self.now, self.source = Sqlite(file), BEGAN, StackedSource("evidence")
        migrate(self.db)
        with self.db.transaction():
            begin_house_log(self.db)
        self.desk = Desk(self.db, source=self.source, now=lambda: self.now)
        self.office = Office(self.db, lambda: self.now)
        self._keys = 0
        for person in (BOSS, ADA, *(Person(name, Post.FLOORPERSON) for name in ("flo", "fred"))):
            self.act(Hire(person.name, person.post, "none"), HOUSE_PERSON)

    def act(self, act: Act, person: Person = BOSS) -> str:
        done = self.office.do(person, act, self._key())
        assert done.accepted, done
        return done.waiting

    def order(self, chain: str, command: Command, who: str, role: Role = Role.PLAYER, *, light: bool = False) -> Reply:
        self.now += 1
        order = Order(
            person=who, role=role, key=self._key(), chain=chain, command=command, entered=DealerInput(light=light)
        )
        (reply,) = self.desk.carry_out([order])
        assert reply.accepted, reply
        return reply

    def open(self, chain: str, patron: str, submission: str, **links: str) -> None:
        self.act(OpenTable(chain, submission, Settings(links=links, decision=0)))
        self.act(Hire(patron, Post.PATRON, "a hash"))
        self.act(BuyIn(patron, 100_000_00))
        self.order(chain, Sit(1), patron)

    def table(self, chain: str) -> Table:
        live = self.desk.read_table(chain)
        assert live
        return live.table

    def play(self, chain: str, rounds: int) -> None:
        until = self.table(chain).round + rounds
        while self.table(chain).round < until:
            self.step(chain)

    def step(self, chain: str) -> None:
        """Perform the step that is due, as floorperson or patron."""
        table = self.table(chain)
        patron, wagers = table.seated[1], WAGERS[table.due.cite.chapter]
        if table.unacknowledged_void or any(box.claimed for box in table.boxes.values()):
            if self.order(chain, Acknowledge(), "flo", Role.FLOORPERSON, light=True).waiting:
                self.order(chain, Acknowledge(), "fred", Role.FLOORPERSON, light=True)
        elif table.due.do is Do.CLEAR and (held := undocumented_boxes(table)):
            self.order(chain, Document(held[0].seat), "flo", Role.FLOORPERSON)
        elif box := next_to_decide(table):
            multiples = table.rules.terms.game.decisions[len(box.decisions)].multiples
            self.order(chain, Decide(1, (*multiples, 0)[table.round % (1 + len(multiples))]), patron)
        else:
            self.order(chain, Wager(1, wagers), patron)

    def _key(self) -> str:
        self._keys += 1
        return str(self._keys)


def eventful_house(folder: Path) -> House:
    """Every game, a jackpot, a void, linked meters, a correction, people, and three checkpoints; one round is open."""
    house = House(folder / "house.db")
    key = signing_key(folder)
    house.source.stack(ROYAL)
    for chapter, preset in PRESETS.items():
        house.open(chapter, PATRON[chapter], text_of(preset))
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    house.order("639a", Decide(1, 2), "ann")
    assert house.table("639a").boxes[1].claimed
    house.play("639a", 1)
    for chapter in PRESETS:
        house.play(chapter, 4)
    sign_checkpoint(house.db, key, house.now)
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    house.order("639a", Report("wrong-number", seat=1, cards=6), "dana", Role.DEALER)
    house.play("639a", 1)
    waiting = house.act(Amend("patron/ann", "cage", 100, "a test"))
    house.act(Approve(waiting), ADA)
    house.office.note("clock", before="10", after="20")
    sign_checkpoint(house.db, key, house.now)
    for chain, patron in (("left", "dan"), ("right", "eve")):
        house.source.stack(ROYAL)
        house.open(
            chain, patron, text_of(PRESETS["639a"]).replace('linked = "no"', 'linked = "tables"'), progressive="x"
        )
    for _ in range(12):
        house.step("left")
        house.step("right")
    house.play("682a", 2)
    house.act(CloseTable("682a"))
    house.act(Dismiss("bob"))
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    sign_checkpoint(house.db, key, house.now)
    return house


def eventful_folder(folder: Path) -> Path:
    """Make an eventful house in a folder, to be copied; return the folder."""
    eventful_house(folder).db.close()
    return folder


def copy_house(made: Path, folder: Path) -> Iterator[Sqlite]:
    """A copy of a house that a test may change."""
    shutil.copytree(made, folder)
    db = Sqlite(folder / "house.db")
    yield db
    db.close()
