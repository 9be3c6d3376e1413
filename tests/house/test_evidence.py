"""The evidence of a house: verified, tampered with, exported, searched, backed up."""

import json
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from cyclopts import App
from table_play import PRESETS

from pitboss.cards import DECK, Card
from pitboss.cli import main
from pitboss.cli.audit import audit
from pitboss.errors import Mistake
from pitboss.house import evidence
from pitboss.house.acts import Act, Amend, Approve, BuyIn, CashOut, CloseTable, Dismiss, Hire, OpenTable
from pitboss.house.desk import Desk
from pitboss.house.driver import Sqlite, migrate
from pitboss.house.evidence import (
    Sought,
    Verified,
    checkpoint,
    export,
    find_rounds,
    round_record,
    significant,
    signing_key,
    verify,
)
from pitboss.house.office import Office, opened
from pitboss.house.orders import Entered, Order, Reply
from pitboss.house.people import Person, Post
from pitboss.house.recount import recount
from pitboss.house.standing import Settings
from pitboss.money import CENT
from pitboss.rulebook.procedures import Do
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Command, Decide, Document, Report, Role, Sit, Table, Wager
from pitboss.table.refuse import COVER_CARD
from pitboss.table.settling import undocumented
from pitboss.table.shoe import fixed
from pitboss.table.steps import to_act

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


class Stacked:
    """Random bytes from a seed, but for decks that are stacked: the next to be shuffled begin with these cards."""

    def __init__(self, seed: str) -> None:
        self._rest, self._queue = fixed(seed), deque[int]()

    def __call__(self, count: int) -> bytes:
        return bytes([self._queue.popleft()]) if count == 1 and self._queue else self._rest(count)

    def stack(self, top: str) -> None:
        cards = [Card(card) for card in top.split()]
        wanted = [*cards, *(card for card in DECK if card not in cards)]
        wanted = wanted[-COVER_CARD:] + wanted[:-COVER_CARD]  # the cut brings them to the top
        order = list(DECK)
        for last in range(len(order) - 1, 0, -1):
            other = order.index(wanted[last])
            order[last], order[other] = order[other], order[last]
            self._queue.append(other)
        self._queue.append(0)  # the cut


class House:
    """A house that plays by itself, an order a second."""

    def __init__(self, file: Path) -> None:
        self.db, self.now, self.source = Sqlite(file), BEGAN, Stacked("evidence")
        migrate(self.db)
        with self.db.transaction():
            opened(self.db)
            for person in (BOSS, ADA):
                self.db.execute(
                    "INSERT INTO person (name, post, password, is_active, failures, locked_until) VALUES (?, ?, ?, 1, 0, 0)",
                    (person.name, person.post, "none"),
                )
        self.desk = Desk(self.db, source=self.source, now=lambda: self.now)
        self.office = Office(self.db, lambda: self.now)
        self._keys = 0

    def act(self, act: Act, person: Person = BOSS) -> str:
        done = self.office.do(person, act, self._key())
        assert done.accepted, done
        return done.waiting

    def order(self, chain: str, command: Command, who: str, role: Role = Role.PLAYER, *, light: bool = False) -> Reply:
        self.now += 1
        order = Order(
            person=who, role=role, key=self._key(), chain=chain, command=command, entered=Entered(light=light)
        )
        (reply,) = self.desk.carry_out([order])
        assert reply.accepted, reply
        return reply

    def open(self, chain: str, patron: str, submission: str, **links: str) -> None:
        self.act(OpenTable(chain, submission, Settings(links=links)))
        self.act(Hire(patron, Post.PATRON, "a hash"))
        self.act(BuyIn(patron, 100_000_00))
        self.order(chain, Sit(1), patron)

    def table(self, chain: str) -> Table:
        standing = self.desk.look(chain)
        assert standing
        return standing.table

    def play(self, chain: str, rounds: int) -> None:
        until = self.table(chain).round + rounds
        while self.table(chain).round < until:
            self.step(chain)

    def step(self, chain: str) -> None:
        """What is due of people: a floorperson, or the patron."""
        table = self.table(chain)
        patron, wagers = table.seated[1], WAGERS[table.due.cite.chapter]
        if table.unacknowledged or any(box.claimed for box in table.boxes.values()):
            if self.order(chain, Acknowledge(), "flo", Role.FLOORPERSON, light=True).waiting:
                self.order(chain, Acknowledge(), "fred", Role.FLOORPERSON, light=True)
        elif table.due.do is Do.CLEAR and (held := undocumented(table)):
            self.order(chain, Document(held[0].seat), "flo", Role.FLOORPERSON)
        elif box := to_act(table):
            multiples = table.rules.terms.game.decisions[len(box.decisions)].multiples
            self.order(chain, Decide(1, (*multiples, 0)[table.round % (1 + len(multiples))]), patron)
        else:
            self.order(chain, Wager(1, wagers), patron)

    def _key(self) -> str:
        self._keys += 1
        return str(self._keys)


def _made(folder: Path) -> House:
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
    checkpoint(house.db, key, house.now)
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    house.order("639a", Report("wrong-number", seat=1, cards=6), "dana", Role.DEALER)
    house.play("639a", 1)
    waiting = house.act(Amend("patron/ann", "cage", 100, "a test"))
    house.act(Approve(waiting), ADA)
    house.office.note("clock", before="10", after="20")
    checkpoint(house.db, key, house.now)
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
    checkpoint(house.db, key, house.now)
    return house


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    _made(folder).db.close()
    return folder


@pytest.fixture
def house(made: Path, tmp_path: Path) -> Iterator[Sqlite]:
    """A copy to do something to."""
    shutil.copytree(made, tmp_path / "data")
    db = Sqlite(tmp_path / "data" / "house.db")
    yield db
    db.close()


def _audited(db: Sqlite, made: Path) -> Verified:
    return verify(db, signing_key(made).public_key())


def test_a_good_house_is_verified_whole(house: Sqlite, made: Path) -> None:
    told: list[tuple[int, int]] = []
    found = verify(house, signing_key(made).public_key(), lambda done, of: told.append((done, of)))
    assert found.problems == []
    assert (found.logs, found.checkpoints, found.followed) == (6, 3, [])
    assert found.entries == told[-1][0] == told[-1][1]
    for count, sql in (
        (found.rounds, "SELECT COUNT(*) FROM round"),
        (found.postings, "SELECT COUNT(*) FROM posting"),
        (found.meters, "SELECT COUNT(*) FROM meter"),
        (found.entries, "SELECT COUNT(*) FROM entry"),
    ):
        assert count == house.execute(sql)[0][0] > 0
    assert house.execute("SELECT COUNT(*) FROM move")[0][0] > 4
    assert verify(house).problems == []


# Tampering. Each does something, and says what the audit must say of it.


def _byte(db: Sqlite) -> None:
    ((body,),) = db.execute("SELECT body FROM entry WHERE chain = '683a' AND seq = 30")
    db.execute("UPDATE entry SET body = ? WHERE chain = '683a' AND seq = 30", (bytes(body)[:-9] + b" " + body[-8:],))


def _swap(db: Sqlite) -> None:
    for old, new in ((10, 0), (11, 10), (0, 11)):
        db.execute("UPDATE entry SET seq = ? WHERE chain = '682a' AND seq = ?", (new, old))


def _delete(db: Sqlite) -> None:
    db.execute("DELETE FROM entry WHERE chain = '682a' AND seq = 12")


def _cut_off(db: Sqlite, chain: str, last: int) -> None:
    """Cut a log off and hide it as well as can be: nothing is left of what came after."""
    where = f"chain = '{chain}' AND seq > {last}"
    for account, amount in db.execute(f"SELECT account, SUM(amount) FROM posting WHERE {where} GROUP BY account"):
        db.execute("UPDATE account SET balance = balance - ? WHERE name = ?", (amount, account))
    for table in ("entry", "posting"):
        db.execute(f"DELETE FROM {table} WHERE {where}")
    db.execute(
        f"DELETE FROM played WHERE (chain, number) IN (SELECT chain, number FROM round WHERE chain = '{chain}' AND last > {last})"
    )
    db.execute(f"DELETE FROM round WHERE chain = '{chain}' AND last > {last}")
    db.execute(
        f"UPDATE chain SET seq = {last}, played = '[]',"
        f" hash = (SELECT hash FROM entry WHERE chain = '{chain}' AND seq = {last}) WHERE id = '{chain}'"
    )


def _truncate(db: Sqlite) -> None:
    ((last,),) = db.execute("SELECT last FROM round WHERE chain = '683a' AND number = 2")
    _cut_off(db, "683a", last)
    db.execute("DELETE FROM held WHERE chain = '683a'")
    recount(db)


def _forge(db: Sqlite, chain: str, seq: int, change: Callable[[bytes], bytes]) -> None:
    """Change an entry, and bind all that follow anew."""
    rows = db.execute("SELECT seq, body FROM entry WHERE chain = ? AND seq >= ? ORDER BY seq", (chain, seq))
    ((previous,),) = db.execute("SELECT hash FROM entry WHERE chain = ? AND seq = ?", (chain, seq - 1))
    for number, body in rows:
        text = change(bytes(body)) if number == seq else bytes(body)
        previous = sha256(previous.encode() + text).hexdigest()
        db.execute("UPDATE entry SET body = ?, hash = ? WHERE chain = ? AND seq = ?", (text, previous, chain, number))
    db.execute("UPDATE chain SET hash = ? WHERE id = ?", (previous, chain))


def _settled(db: Sqlite, chain: str) -> int:
    """An entry of a round that settles a box with a payout."""
    for seq, body in db.execute("SELECT seq, body FROM entry WHERE chain = ? ORDER BY seq", (chain,)):
        if b'"type":"Settled"' in body and b'"pays":0' in body:
            return int(seq)
    raise AssertionError(chain)


def _forged_payout(db: Sqlite) -> None:
    _forge(db, "682a", _settled(db, "682a"), lambda body: body.replace(b'"pays":0', b'"pays":900', 1))


def _forged_buy_in(db: Sqlite) -> None:
    """A buy-in of another amount, with everything that follows from it."""
    _forge(db, "house", 3, lambda body: body.replace(b'"amount":10000000', b'"amount":20000000'))
    db.execute("UPDATE posting SET amount = amount * 2 WHERE chain = 'house' AND seq = 3")
    for name, more in (("patron/ann", 1), ("cage", -1)):
        db.execute("UPDATE account SET balance = balance + ? WHERE name = ?", (more * 100_000_00 * CENT, name))


def _forged_act(db: Sqlite) -> None:
    _forge(db, "house", 3, lambda body: body.replace(b'"amount":10000000', b'"amount":20000000'))


def _forged_closing(db: Sqlite) -> None:
    """A table that was closed long before."""
    ((seq,),) = db.execute("SELECT seq FROM entry WHERE chain = 'house' AND CAST(body AS TEXT) LIKE '%CloseTable%'")
    _forge(db, "house", seq, lambda body: body.replace(b'"time":17', b'"time":16'))


def _forged_garbage(db: Sqlite) -> None:
    _forge(db, "683a", 20, lambda _: b'{"seq":20}')


def _dropped_checkpoint(db: Sqlite) -> None:
    db.execute("DELETE FROM checkpoint WHERE number = 2")


def _renumbered_checkpoint(db: Sqlite) -> None:
    db.execute("DELETE FROM checkpoint WHERE number = 2")
    db.execute("UPDATE checkpoint SET number = 2 WHERE number = 3")


def _changed_checkpoint(db: Sqlite) -> None:
    ((body,),) = db.execute("SELECT body FROM checkpoint WHERE number = 1")
    changed = bytes(body).replace(b'"balances":0', b'"balances":1')
    db.execute("UPDATE checkpoint SET body = ? WHERE number = 1", (changed,))


def _changed_heads(db: Sqlite) -> None:
    ((body,),) = db.execute("SELECT body FROM checkpoint WHERE number = 1")
    kept = json.loads(body)
    kept["heads"]["682a"][0] -= 1
    db.execute("UPDATE checkpoint SET body = ? WHERE number = 1", (json.dumps(kept).encode(),))


def _one(sql: str) -> Callable[[Sqlite], None]:
    def tamper(db: Sqlite) -> None:
        before = db.execute("SELECT total_changes()")[0][0]
        db.execute(sql)
        assert db.execute("SELECT total_changes()")[0][0] > before, "nothing was changed"

    return tamper


MAIN = "639a/progressive/main@100"
POSTED = "SELECT seq FROM posting WHERE chain = '683a' AND account = 'patron/cy' AND amount < 0 LIMIT 1"
FED = f"SELECT seq FROM contribution WHERE meter = '{MAIN}' ORDER BY seq LIMIT 1"
TAMPERED: dict[str, tuple[Callable[[Sqlite], None], str]] = {
    "a byte of an entry": (_byte, "Log “683a”, entry 30: it or the one before it was changed"),
    "a hash": (_one("UPDATE entry SET hash = 'x' WHERE chain = '683a' AND seq = 31"), "Log “683a”, entry 31: "),
    "two entries swapped": (_swap, "Log “682a”, entry 10: it or the one before it was changed"),
    "an entry deleted": (_delete, "Log “682a”: entry 12 is missing."),
    "entries deleted": (
        _one("DELETE FROM entry WHERE chain = '682a' AND seq IN (12, 13, 14)"),
        "Log “682a”: entries 12 to 14 are missing.",
    ),
    "the last entry deleted": (
        _one("DELETE FROM entry WHERE chain = '683a' AND seq = (SELECT seq FROM chain WHERE id = '683a')"),
        "Log “683a”: it ends with entry ",
    ),
    "the end of a log": (
        _one("UPDATE chain SET hash = 'x' WHERE id = '683a'"),
        "its hash is not the one that the log should end with",
    ),
    "a header": (
        _one(
            "UPDATE chain SET header = CAST(replace(CAST(header AS TEXT), 'Demonstration', 'Other') AS BLOB) WHERE id = '683a'"
        ),
        "Log “683a”, entry 1: ",
    ),
    "settings": (
        _one("UPDATE chain SET settings = '{\"betting\": 1}' WHERE id = '683a'"),
        "Log “683a”: its settings are not those",
    ),
    "a closed table": (_one("UPDATE chain SET is_open = 1 WHERE id = '682a'"), "Log “682a”: the table is open;"),
    "what a round under way remembers": (
        _one("UPDATE chain SET played = '[[\"progressive\", 100]]' WHERE id = '683a'"),
        "Log “683a”: ",
    ),
    "a table nobody opened": (
        _one("UPDATE chain SET kind = 'table' WHERE id = 'house'"),
        "Log “house”: the house never opened this table.",
    ),
    "a forged payout": (_forged_payout, "does not lead to the events it has"),
    "a forged entry": (_forged_garbage, "Log “683a”, entry 20: "),
    "a table closed before": (_forged_closing, "Log “682a”, entry 1: the table was closed before it."),
    "a forged act": (_forged_act, "Log “house”, entry 3: its postings are not what it moves: "),
    "a forged buy-in": (_forged_buy_in, "Checkpoint 1: entry "),
    "a posting": (
        _one(
            f"UPDATE posting SET amount = amount - 1 WHERE chain = '683a' AND account = 'patron/cy' AND seq = ({POSTED})"
        ),
        "patron/cy by -1 micro-cents.",
    ),
    "a posting to another account": (
        _one(
            f"UPDATE posting SET account = 'house' WHERE chain = '683a' AND account = 'patron/cy' AND seq = ({POSTED})"
        ),
        "Account patron/cy: it holds ",
    ),
    "postings deleted": (
        _one(f"DELETE FROM posting WHERE chain = '683a' AND seq = ({POSTED})"),
        "its postings are not what it moves: patron/cy by +",
    ),
    "a posting of no entry": (
        _one("INSERT INTO posting (chain, seq, line, account, amount) VALUES ('683a', 9999, 0, 'house', 0)"),
        "Log “683a”: there is a posting of entry 9999, which is not there.",
    ),
    "a balance": (
        _one("UPDATE account SET balance = balance + 1 WHERE name = 'patron/ann'"),
        "Account patron/ann: it holds ",
    ),
    "two balances": (
        _one(
            "UPDATE account SET balance = balance + CASE name WHEN 'house' THEN 5 ELSE -5 END WHERE name IN ('house', 'cage')"
        ),
        "Account cage: it holds ",
    ),
    "wagers on a table": (
        _one("UPDATE account SET balance = 0 WHERE name = 'table/639a/wagers'"),
        "Account table/639a/wagers: it holds 0 micro-cents, and 1600000000 are in play at the table.",
    ),
    "a meter": (
        _one(f"UPDATE meter SET current = current + 1, house = house + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: it is not where its opening, ",
    ),
    "a meter out of balance": (
        _one(f"UPDATE meter SET current = current + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: what came in is not what is there or went out.",
    ),
    "a meter and its account": (
        _one(f"UPDATE meter SET reserve = reserve + 1 WHERE id = '{MAIN}'"),
        f"Account meter/{MAIN}/reserve: it holds ",
    ),
    "how often a meter moved": (
        _one(f"UPDATE meter SET seq = seq + 1 WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: it says it was moved ",
    ),
    "the parameters of a meter": (
        _one(f"UPDATE meter SET rule = '[]' WHERE id = '{MAIN}'"),
        f"Meter {MAIN}: its parameters are not those of the Submission.",
    ),
    "a meter invented": (
        _one("INSERT INTO meter SELECT 'x/y/z@1', 0, 0, 0, 0, 0, 0, 0, 0, '[]'"),
        "Meter x/y/z@1: no table was opened with it.",
    ),
    "a contribution": (
        _one(f"UPDATE contribution SET current = current + 1 WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"the meter {MAIN} has a contribution of ",
    ),
    "a contribution deleted": (
        _one(f"DELETE FROM contribution WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"the meter {MAIN} has a contribution of nothing by it;",
    ),
    "a contribution of another table": (
        _one(f"UPDATE contribution SET chain = '683a' WHERE meter = '{MAIN}' AND seq = ({FED})"),
        f"Meter {MAIN}: it has contributions of the table 683a, which has no such meter.",
    ),
    "a balance that is none": (
        _one("UPDATE account SET balance = 'much' WHERE name = 'house'"),
        "The ledger: it cannot be checked any further",
    ),
    "a move": (
        _one(f"UPDATE move SET change = '{{\"paid\": 1}}' WHERE meter = '{MAIN}' AND meter_seq = 1"),
        f"the meter {MAIN} has a move of ",
    ),
    "a move deleted": (
        _one(f"DELETE FROM move WHERE meter = '{MAIN}' AND meter_seq = 1"),
        f"Meter {MAIN}: after move 0 comes move 2, by entry ",
    ),
    "a move of linked tables": (
        _one("UPDATE move SET change = '{\"paid\": 1}' WHERE meter = 'link:x/progressive/main@100' AND meter_seq = 2"),
        "the meter link:x/progressive/main@100 has a move of {'paid': 1} by it;",
    ),
    **{
        f"a round's {column}": (
            _one(f"UPDATE round SET {column} = {column} + 1 WHERE chain = '683a' AND number = 1"),
            f"Log “683a”, round 2: its `{column}` is ",
        )
        for column in ("first", "last", "ended", "wagered", "highest", "is_void")
    },
    "a round's table": (
        _one("UPDATE round SET after = '{}' WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: the table kept after it is not the one that its entries lead to.",
    ),
    "a round deleted": (
        _one("DELETE FROM round WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: it is not among the finished rounds.",
    ),
    "a round invented": (
        _one(
            "INSERT INTO round SELECT chain, 99, first, last, ended, wagered, highest, is_void, after FROM round WHERE chain = '683a' AND number = 1"
        ),
        "Log “683a”: it has 5 rows of `round`, and its entries lead to 4.",
    ),
    "what a patron played": (
        _one("UPDATE played SET net = net + 1 WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: what cy has played is ",
    ),
    "who played": (
        _one("UPDATE played SET patron = 'bob' WHERE chain = '683a' AND number = 1"),
        "Log “683a”, round 2: whether bob has played in it is not what its entries say.",
    ),
    "a checkpoint": (_changed_checkpoint, "Checkpoint 1: its signature does not fit"),
    "a checkpoint that cannot be read": (
        _one("UPDATE checkpoint SET body = 'x' WHERE number = 2"),
        "Checkpoint 2: it cannot be read: ",
    ),
    "where logs ended": (_changed_heads, "Checkpoint 1: where the logs ended is not what was signed."),
    "a signature": (
        _one("UPDATE checkpoint SET signature = replace(signature, substr(signature, 1, 2), '00') WHERE number = 2"),
        "Checkpoint 2: its signature does not fit",
    ),
    "the time of a checkpoint": (
        _one("UPDATE checkpoint SET time = time + 1 WHERE number = 2"),
        "Checkpoint 2: it says of itself that it is checkpoint 2 of ",
    ),
    "sums of a wager": (
        _one("UPDATE held SET won = won + 1 WHERE chain = '683a' AND wager = 'ante'"),
        "Log “683a”: the sums of ante of $10.00 are (",
    ),
    "sums of a wager deleted": (
        _one("DELETE FROM held WHERE chain = '683a' AND wager = 'pocket-bonus'"),
        "Log “683a”: the sums of pocket-bonus of $5.00 are (0, 0, 0); its entries lead to (",
    ),
    "a checkpoint deleted": (_dropped_checkpoint, "Checkpoint 3: it does not follow checkpoint 1"),
    "a checkpoint renumbered": (_renumbered_checkpoint, "Checkpoint 2: it says of itself that it is checkpoint 3"),
    "a log cut off without a trace": (_truncate, "Checkpoint 1: the log “683a” had an entry "),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_is_found_and_located(house: Sqlite, made: Path, what: str) -> None:
    tamper, expected = TAMPERED[what]
    tamper(house)
    problems = _audited(house, made).problems
    assert any(expected in problem for problem in problems), problems


def test_a_log_cut_off_without_a_trace_is_found_by_nothing_but_a_checkpoint(house: Sqlite, made: Path) -> None:
    _truncate(house)
    problems = _audited(house, made).problems
    assert problems
    assert all(problem.startswith("Checkpoint ") for problem in problems), problems


def test_one_changed_byte_is_one_problem(house: Sqlite, made: Path) -> None:
    _byte(house)
    problems = _audited(house, made).problems
    assert [problem.partition(":")[0] for problem in problems] == ["Log “683a”, entry 30"]


def test_what_a_patron_owes_of_a_reversed_payout_is_verified(tmp_path: Path) -> None:
    house = House(tmp_path / "house.db")
    house.source.stack("Ah 5c 3d Kh 6d Ac Qh 7h Kd Jh 8s 6s Th 9c 8c")  # a royal flush, a straight, ace-king
    house.open("639a", "ann", text_of(PRESETS["639a"]))
    house.open("682a", "bob", text_of(PRESETS["682a"]))
    house.order("639a", Sit(2), "bob")
    house.order("639a", Wager(1, WAGERS["639a"]), "ann")
    house.order("639a", Wager(2, {"ante": 1000}), "bob")
    house.order("639a", Decide(1, 2), "ann")
    house.order("639a", Decide(2, 2), "bob")
    assert house.table("639a").boxes[2].settled, "bob is paid while ann's jackpot waits"
    ((holds,),) = house.db.execute("SELECT balance FROM account WHERE name = 'patron/bob'")
    house.act(CashOut("bob", holds // CENT - 100))
    house.order("639a", Report("wrong-number", seat=2, cards=6), "dana", Role.DEALER)
    assert house.db.execute("SELECT balance FROM account WHERE name = 'owed/bob'")[0][0] < 0
    house.play("639a", 1)
    assert verify(house.db).problems == []
    for account, more in (("owed/bob", 1), ("patron/bob", -1)):
        house.db.execute(
            "UPDATE posting SET amount = amount + ? WHERE rowid ="
            " (SELECT rowid FROM posting WHERE account = ? AND chain = '639a' ORDER BY seq DESC, line DESC LIMIT 1)",
            (more * 10**12, account),
        )
    assert any("its postings are not what it moves: " in problem for problem in verify(house.db).problems)


def test_a_checkpoint_signed_with_another_key_is_found(house: Sqlite, tmp_path: Path) -> None:
    other = signing_key(tmp_path)
    assert [problem[:12] for problem in verify(house, other.public_key()).problems] == [
        "Checkpoint 1",
        "Checkpoint 2",
        "Checkpoint 3",
    ]


def test_the_signing_key_is_kept_and_its_owners_alone(tmp_path: Path) -> None:
    key = signing_key(tmp_path)
    assert (tmp_path / "signing.key").stat().st_mode & 0o777 == 0o600
    assert signing_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()
    read = evidence.public_key(tmp_path / "signing.pub")
    assert read.public_bytes_raw() == key.public_key().public_bytes_raw()
    (tmp_path / "signing.key").write_text("nonsense")
    with pytest.raises(Mistake, match="holds no private key"):
        signing_key(tmp_path)
    with pytest.raises(Mistake, match="holds no public key"):
        evidence.public_key(tmp_path / "signing.key")


# The bundle.


def test_a_bundle_is_verified_without_the_database(
    house: Sqlite, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = export(house, tmp_path / "bundle")
    ends: dict[str, int] = dict(house.execute("SELECT chain, MAX(last) FROM round GROUP BY chain"))
    for chain, last in ends.items():
        file = tmp_path / "bundle" / "tables" / f"{chain}.jsonl"
        assert main(["replay", str(file), "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["verified"], found["whole"], found["entries"]) == (True, True, last)
    assert {*ends, "house"} == {*(name for (name,) in house.execute("SELECT id FROM chain"))}
    files = {file.relative_to(tmp_path / "bundle").as_posix() for file in (tmp_path / "bundle").rglob("*.*")}
    assert isinstance(manifest["sha256"], dict)
    assert files == {*manifest["sha256"], "manifest.json"}
    for name, digest in manifest["sha256"].items():
        assert sha256((tmp_path / "bundle" / name).read_bytes()).hexdigest() == digest
    key = evidence.public_key(tmp_path / "bundle" / "signing.pub")
    signed = (tmp_path / "bundle" / "checkpoints.jsonl").read_bytes().splitlines()
    assert len(signed) == 3
    for line in signed:
        text, _, rest = line.removeprefix(b'{"signed":').rpartition(b',"signature":"')
        key.verify(bytes.fromhex(rest.decode()[:128]), text)
    assert key.public_bytes_raw() == signing_key(made).public_key().public_bytes_raw()
    for chain, (seq, digest) in json.loads(signed[-1])["signed"]["finished"].items():
        file = tmp_path / "bundle" / ("house.jsonl" if chain == "house" else f"tables/{chain}.jsonl")
        assert json.loads(file.read_text().splitlines()[seq])["hash"] == digest


def test_a_bundle_tells_nothing_of_a_round_under_way(house: Sqlite, tmp_path: Path) -> None:
    export(house, tmp_path / "bundle")
    written = b"".join(file.read_bytes() for file in (tmp_path / "bundle").rglob("*.*"))
    left_out = house.execute(
        "SELECT e.body, e.hash FROM entry e WHERE e.chain <> 'house' AND e.seq >"
        " (SELECT MAX(last) FROM round r WHERE r.chain = e.chain)"
    )
    assert len(left_out) > 20
    for body, digest in left_out:
        assert bytes(body) not in written
        assert digest.encode() not in written
    for body, _ in house.execute("SELECT body, hash FROM entry WHERE chain = '639a' AND seq <= 20"):
        assert bytes(body) in written


def test_a_bundle_of_some_tables_has_no_others(house: Sqlite, tmp_path: Path) -> None:
    export(house, tmp_path / "bundle", ["683a"])
    assert [file.name for file in (tmp_path / "bundle" / "tables").iterdir()] == ["683a.jsonl"]
    with pytest.raises(Mistake, match="is there already"):
        export(house, tmp_path / "bundle")
    with pytest.raises(Mistake, match="There is no table “house”"):
        export(house, tmp_path / "other", ["house"])


# Rounds and events.


def test_a_round_is_told_from_the_round_before_it(
    house: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(house, tmp_path / "bundle", ["639a"])
    main(["replay", str(tmp_path / "bundle" / "tables" / "639a.jsonl"), "--format", "json"])
    lines = json.loads(capsys.readouterr().out)["lines"]
    for number in (1, 2, 6):
        record = round_record(house, "639a", number)
        begin = lines.index(f"Round {number}")
        assert record.lines() == lines[begin + 1 : begin + 1 + len(record.lines())]
        assert record.found.number == number
        assert record.moments[-1].after.round == number
    assert any("▒▒" in line for line in round_record(house, "639a", 1).lines("bob"))
    with pytest.raises(Mistake, match="no finished round 7 of a table “639a”"):
        round_record(house, "639a", 7)
    house.execute("UPDATE entry SET hash = 'x' WHERE chain = '639a' AND seq = 5")
    with pytest.raises(Mistake, match="Entry 5 of the log “639a” was changed"):
        round_record(house, "639a", 1)


def test_what_matters_comes_with_before_and_after(house: Sqlite) -> None:
    found = significant(house)
    told = {(event.what, event.before, event.after) for event in found}
    assert ("clock", "10", "20") in told
    assert ("the ledger is corrected: a test", "$1.00 in patron/ann", "$1.00 in cage") in told
    assert ("bob is given a post or a password", "", "patron") in told
    assert ("bob is dismissed", "patron", "") in told
    assert ("round 6 is void", "$16.00 wagered", "void under § 639a.13(c)") in told
    won = "$10,000.53 is won off the meter 639a/progressive/main@100 by seat 1"
    assert (won, "the meter shows $10,000.53", "the meter shows $10,000.00") in told
    ((_, before, after),) = [one for one in told if one[0] == "the table 682a is closed"]
    assert before.startswith("four-card-prime, version 1, sha256 ")
    assert after == ""
    assert [event.time for event in found] == sorted((event.time for event in found), reverse=True)
    (amended,) = [event for event in found if event.what.startswith("the ledger")]
    assert (amended.log, amended.actor, amended.second) == ("house", "boss", "ada")
    (void,) = [event for event in found if "void" in event.what]
    assert (void.log, void.actor, void.second) == ("639a", "dana", "flo")
    assert significant(house, since=void.time, limit=1) == found[:1]
    assert all(event.time >= void.time for event in significant(house, since=void.time))


def test_superseded_submissions_are_kept_with_their_dates(house: Sqlite) -> None:
    found = {one.table: one for one in evidence.submissions(house)}
    assert (found["682a"].since, found["639a"].until) == (BEGAN + 1, None)
    assert (found["682a"].until or 0) > found["682a"].since
    assert found["682a"].text == text_of(PRESETS["682a"])


def test_rounds_are_found_the_newest_first(house: Sqlite) -> None:
    everything = find_rounds(house, limit=1000)
    assert len(everything) == house.execute("SELECT COUNT(*) FROM round")[0][0]
    assert [one.ended for one in everything] == sorted((one.ended for one in everything), reverse=True)
    (jackpot,) = find_rounds(house, table="639a", least=10_000_00)
    assert (jackpot.number, jackpot.patrons, jackpot.highest) == (1, ("ann",), 10_010_53)
    assert [one for one in everything if one.is_void] == find_rounds(house, table="639a", since=everything[-1].ended)[
        :1
    ]
    for patron in ("ann", "cy"):
        assert find_rounds(house, patron=patron) == [one for one in everything if patron in one.patrons]
    middle = everything[len(everything) // 2].ended
    assert find_rounds(house, until=middle, limit=3) == [one for one in everything if one.ended <= middle][:3]
    assert find_rounds(house, patron="ann", table="683a") == []


# A million rounds.

TABLES, ROUNDS = 100, 10_000
QUERIES = {
    "all": Sought(),
    "table": Sought(table="table 42"),
    "patron": Sought(patron="patron 77"),
    "time": Sought(since=BEGAN + 5_000_000, until=BEGAN + 5_000_500),
    "until": Sought(until=BEGAN + 3_000_000),
    "rare amount": Sought(least=999_900),
    "common amount": Sought(least=100),
    "amount and table": Sought(table="table 42", least=999_000),
    "amount and patron": Sought(patron="patron 77", least=990_000),
    "common amount and patron": Sought(patron="patron 77", least=100),
    "table and patron": Sought(table="table 42", patron="patron 77"),
    "table and time": Sought(table="table 42", since=BEGAN + 5_000_000, until=BEGAN + 5_900_000),
    "everything": Sought(
        table="table 42", patron="patron 42", since=BEGAN, until=BEGAN + 10**8, least=1_000, most=900_000
    ),
}


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqlite]:
    """A million rounds; the indexes are made after them, which is faster."""
    db = Sqlite(tmp_path_factory.mktemp("million") / "house.db")
    db.execute("PRAGMA synchronous = OFF")
    migrate(db)
    indexes = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE tbl_name IN ('round', 'played') AND sql LIKE 'CREATE INDEX%'"
    )
    assert len(indexes) == 5
    with db.transaction():
        for name, _ in indexes:
            db.execute(f"DROP INDEX {name}")
        db.many(
            "INSERT INTO round VALUES (?, ?, 1, 1, ?, 1000, ?, 0, '{}')",
            (
                (f"table {table}", number, BEGAN + number * 1000 + table, (table * ROUNDS + number) * 7919 % 1_000_003)
                for table in range(TABLES)
                for number in range(ROUNDS)
            ),
        )
        db.execute(
            "INSERT INTO played SELECT 'patron ' || (ended % 499), ended, chain, number, 1000, 0 FROM round ORDER BY 1, 2"
        )
        for _, sql in indexes:
            db.execute(sql)
    yield db
    db.close()


@pytest.mark.parametrize("what", QUERIES)
def test_among_a_million_rounds_no_search_reads_them_all(million: Sqlite, what: str) -> None:
    sought = QUERIES[what]
    sql, values = evidence.statement(million, sought, 50)
    plan = [row[3] for row in million.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    reads = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
    rare = "few" in sql
    for step in reads:
        assert "INDEX" in step or (rare and step == "SCAN x"), plan
    assert rare or "USE TEMP B-TREE FOR ORDER BY" not in plan, plan
    given = {name: getattr(sought, name) for name in Sought.__struct_fields__}
    began = time.perf_counter()
    found = find_rounds(million, **given)
    print(f"{what}: {len(found)} rounds in {(time.perf_counter() - began) * 1000:.1f} ms; {'; '.join(reads)}")  # noqa: T201 (measured)
    assert found or what in ("amount and patron", "everything", "table and patron")
    assert [one.ended for one in found] == sorted((one.ended for one in found), reverse=True)
    for one in found:
        assert sought.table in (None, one.table)
        assert sought.patron is None or sought.patron in one.patrons
        assert (sought.least or 0) <= one.highest <= (sought.most or 10**6)
        assert (sought.since or 0) <= one.ended <= (sought.until or 2**62)


# Backups and the command line.


def test_a_backup_made_while_another_connection_writes_is_whole(tmp_path: Path) -> None:
    file, begun, done = tmp_path / "house.db", threading.Event(), threading.Event()

    def write() -> None:
        house = House(file)
        house.open("639a", "ann", text_of(PRESETS["639a"]))
        while not done.is_set():
            house.step("639a")
            begun.set()
        house.db.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(30)
        sizes = []
        for number in range(3):
            assert _run("backup", str(file), "-o", str(tmp_path / f"{number}.db")) == 0
            copy = Sqlite(tmp_path / f"{number}.db")
            found = verify(copy)
            copy.close()
            assert found.problems == []
            sizes.append(found.entries)
    finally:
        done.set()
        writer.join()
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1], "nothing was written meanwhile"


def _run(*arguments: str) -> object:
    app = App(result_action="return_value")
    app.command(audit)
    return app(["audit", *arguments], exit_on_error=False, print_error=False)


def test_the_command_line_verifies_a_folder_or_a_file(
    made: Path, house: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("verify", str(made)) == 0
    assert capsys.readouterr().out.startswith("Verified: 6 logs with ")
    _byte(house)
    assert _run("verify", str(tmp_path / "data" / "house.db")) == 1
    assert "Log “683a”, entry 30" in capsys.readouterr().out
    assert _run("verify", str(tmp_path / "data"), "--format", "json") == 1
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 1


def test_the_command_line_exports_and_tells(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("export", str(made), "-o", str(tmp_path / "bundle"), "--table", "683a")
    assert main(["replay", str(tmp_path / "bundle" / "tables" / "683a.jsonl")]) == 0
    capsys.readouterr()
    _run(
        "find",
        str(made),
        "--table",
        "639a",
        "--least",
        "10,000",
        "--since",
        "2023-11-14",
        "--until",
        "2023-11-14",
        "--format",
        "json",
    )
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["table"], found["number"], found["patrons"]) == ("639a", 1, ["ann"])
    _run("find", str(made), "--until", "2023-11-14T22:13", "--patron", "ann")
    assert capsys.readouterr().out == "No such round is finished.\n"
    _run("round", str(made), "639a", "1")
    assert "100% of the main meter, $10,000.53" in capsys.readouterr().out
    _run("events", str(made))
    assert "round 6 is void" in capsys.readouterr().out
    _run("submissions", str(made))
    assert "four-card-prime" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["verify", "/nowhere/house.db"], "There is no database /nowhere/house.db."),
        (["verify", __file__], "cannot be opened: file is not a database."),
        (["find", "DATA", "--since", "yesterday"], "“yesterday” is not a time such as 2026-01-31"),
        (["find", "DATA", "--least", "much"], "“much” is not an amount in dollars"),
        (["round", "DATA", "639a", "0"], "There is no finished round 0 of a table “639a”."),
        (["verify", "DATA", "--key", "/nowhere"], "The key /nowhere cannot be read"),
        (["backup", "DATA", "-o", __file__], "is there already"),
        (["backup", "DATA", "-o", "/nowhere/copy.db"], "cannot be copied to /nowhere/copy.db"),
        (["export", "DATA", "-o", "/proc/bundle"], "/proc/bundle cannot be made"),
    ],
)
def test_a_mistake_is_one_sentence(made: Path, arguments: list[str], sentence: str) -> None:
    with pytest.raises(Mistake) as mistake:
        _run(*(str(made) if argument == "DATA" else argument for argument in arguments))
    assert sentence in str(mistake.value)


def test_a_database_without_a_house_is_a_mistake(tmp_path: Path) -> None:
    Sqlite(tmp_path / "house.db").close()
    with pytest.raises(Mistake, match="is no database of a house"):
        _run("verify", str(tmp_path))
