"""The audit: every log, every round, every posting and every meter worked out again and compared with what is stored.

What is wrong is said in sentences that locate it: log and entry, account, meter, round, checkpoint.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house import ledger
from pitboss.house.acts import Act, Amend, BuyIn, CashOut, CloseTable, Credit, Fill, OpenTable
from pitboss.house.driver import Broken, Connection, Row
from pitboss.house.evidence.checkpoints import (
    Checkpoint,
    Heads,
    MeterState,
    checkpoint_of,
    fed,
    heads_of,
    kept_of,
    meters,
)
from pitboss.house.evidence.reading import MOST, chains, entries, octets, paged, reading
from pitboss.house.evidence.significant import written_of
from pitboss.house.evidence.tables import Cursor, TableAudit
from pitboss.house.log import HOUSE
from pitboss.house.standing import (
    Settings,
    fresh,
    opening_meters,
)
from pitboss.house.store import Chain, added, difference
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.record.chain import decoder, header_of, line_of
from pitboss.record.replay import replay

Progress = Callable[[int, int], object]
"""Told how many entries are checked, and of how many."""
Change = dict[str, int]
NOBODY: Final[Progress] = lambda _done, _all: None  # noqa: E731 (nobody is told)
_CHANGE: Final = decoder(Change).decode
_SETTINGS: Final = decoder(Settings).decode
_ROUND: Final = ("first", "last", "ended", "wagered", "highest", "is_void")
"""The columns of a round that are compared one by one."""


class Verified(msgspec.Struct):
    """What an audit checked, and what it found."""

    problems: list[str] = []
    logs: int = 0
    entries: int = 0
    rounds: int = 0
    """Replayed, every one."""
    postings: int = 0
    accounts: int = 0
    meters: int = 0
    checkpoints: int = 0
    followed: list[str] = []
    """Tables whose record was made by other rules or another engine: followed, not decided again."""
    signed_by: list[str] = []
    """The public keys of the checkpoints, in hexadecimal."""


class _House(msgspec.Struct):
    """What the house's log says that tables and meters begin with."""

    tables: dict[str, OpenTable] = {}
    closed: dict[str, int] = {}
    """When tables were closed."""
    meters: dict[str, tuple[Meter, bytes]] = {}
    owners: dict[str, list[str]] = {}
    """The tables of a meter."""


def verify(db: Connection, public_key: Ed25519PublicKey | None = None, progress: Progress = NOBODY) -> Verified:
    """Check the whole database as it is at one moment; others may write on.

    Without a public key a checkpoint is checked with the key it names itself.
    """
    with reading(db):
        return Audit(db, public_key, progress).run()


class Audit:
    """One audit of one database."""

    def __init__(self, db: Connection, public_key: Ed25519PublicKey | None, progress: Progress) -> None:
        self.db, self.key, self.progress = db, public_key, progress
        self.found = Verified()
        self.chains = chains(db)
        self.house = _House()
        self.balances: dict[str, int] = dict(db.execute("SELECT name, balance FROM account"))
        self.all = sum(chain.seq for chain in self.chains.values())

    def run(self) -> Verified:
        """Check everything."""
        if HOUSE not in self.chains:
            self.say(f"The log “{HOUSE}” is missing.")
        for chain in sorted(self.chains.values(), key=lambda chain: (chain.kind != HOUSE, chain.id)):
            self.found.logs += 1
            check = self._house if chain.kind == HOUSE else self._table
            self._tried(f"Log “{chain.id}”", partial(check, chain))
        for name in self.house.tables.keys() - self.chains.keys():
            self.say(f"Log “{name}”: the house opened this table, and its log is missing.")
        self._tried("The ledger", self._ledger)
        self._tried("The ledger", self._strays)
        self._tried("The meters", self._meters)
        self._tried("The checkpoints", self._checkpoints)
        return self.found

    def _tried(self, what: str, check: Callable[[], None]) -> None:
        """Check one thing; whatever in the database makes that impossible is a problem, too."""
        try:
            check()
        except Broken:
            raise
        except Exception as error:  # noqa: BLE001 (a forger may have put anything there)
            self.say(f"{what}: it cannot be checked any further ({error!r}).")

    def say(self, problem: str) -> None:
        """Note a problem."""
        self.found.problems.append(problem)

    # Logs.

    def _entries(self, chain: Chain) -> Iterator[tuple[int, bytes, str, bool]]:
        """Yield the entries of a log, and whether each is bound to the one before it; say where one is not."""
        previous, number = _begin(chain), 0
        for seq, body, digest in entries(self.db, chain.id):
            fits = sha256(previous.encode() + body).hexdigest() == digest
            if seq != number + 1:
                missing = f"entry {seq - 1} is" if seq == number + 2 else f"entries {number + 1} to {seq - 1} are"
                self.say(f"Log “{chain.id}”: {missing} missing.")
            elif not fits:
                self.say(f"Log “{chain.id}”, entry {seq}: it or the one before it was changed: its hash does not fit.")
            yield seq, body, digest, fits and seq == number + 1
            previous, number = digest, seq
            self.found.entries += 1
            self.progress(self.found.entries, self.all)
        if number != chain.seq:
            self.say(f"Log “{chain.id}”: it ends with entry {number}, and should end with {chain.seq}.")
        elif previous != chain.hash:
            self.say(f"Log “{chain.id}”, entry {number}: its hash is not the one that the log should end with.")

    def _house(self, chain: Chain) -> None:
        """Check the house's log: every act moves what it says."""
        postings = self.postings(chain.id)
        for seq, body, _, _ in self._entries(chain):
            stored = postings.take(seq)
            try:
                written = written_of(body)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                self.say(f"Log “{chain.id}”, entry {seq}: it cannot be read: {error}.")
                continue
            if written.seq != seq:
                self.say(f"Log “{chain.id}”, entry {seq}: it says of itself that it is entry {written.seq}.")
            try:
                expected = self._done(written.act, written.time)
            except Mistake as mistake:
                self.say(f"Log “{chain.id}”, entry {seq}: {mistake}")
                continue
            self.compare(chain.id, seq, expected, stored)

    def _done(self, act: Act, time: int) -> list[ledger.Posting]:
        """Return what an act moves; remember what it opens."""
        giver = taker = ""
        match act:
            case OpenTable():
                return list(self._opened(act))
            case CloseTable(table):
                self.house.closed[table] = time
            case BuyIn(who):
                giver, taker = ledger.CAGE, ledger.patron(who)
            case CashOut(who):
                giver, taker = ledger.patron(who), ledger.CAGE
            case Fill(table):
                giver, taker = ledger.HOUSE, ledger.at_table(table, "inventory")
            case Credit(table):
                giver, taker = ledger.at_table(table, "inventory"), ledger.HOUSE
            case Amend(giver, taker):
                pass
        amount = act.amount if isinstance(act, BuyIn | CashOut | Fill | Credit | Amend) else 0
        return list(ledger.moved(giver, taker, amount * CENT))

    def _opened(self, act: OpenTable) -> Iterator[ledger.Posting]:
        """Yield what opening a table moves: the seeds of meters that no other table has opened."""
        self.house.tables[act.table] = act
        if act.table not in self.chains:
            return
        header = header_of(self.chains[act.table].header)
        standing = fresh(act.table, replace(header, submission=act.submission), "", act.settings)
        for name, (meter, rule) in opening_meters(standing).items():
            self.house.owners.setdefault(name, []).append(act.table)
            if name not in self.house.meters:
                self.house.meters[name] = meter, rule
                yield from ledger.metered(name, Meter(), meter)

    def _table(self, chain: Chain) -> None:
        """Replay a table's record, and check what came of every entry."""
        rows = self._entries(chain)
        if self._begun(chain):
            table = TableAudit(self, chain)
            try:
                for moment in replay(_lines(chain, rows)):
                    table.check(moment)
            except Broken:
                raise
            except Mistake as mistake:
                self.say(f"Log “{chain.id}”, entry {table.seq + 1}: {mistake}")
            except Exception as error:  # noqa: BLE001 (whatever a forged entry breaks)
                self.say(f"Log “{chain.id}”, entry {table.seq + 1}: it cannot be replayed ({error!r}).")
            if table.seq == chain.seq:
                table.ended()
        for _ in rows:  # what is left of a log that cannot be replayed further
            pass

    def _begun(self, chain: Chain) -> bool:
        """Whether a table can be replayed; say where it is not as the house opened it."""
        act = self.house.tables.get(chain.id)
        if act is None:
            self.say(f"Log “{chain.id}”: the house never opened this table.")
            return False
        try:
            header, settings = header_of(chain.header), _SETTINGS(chain.settings)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.say(f"Log “{chain.id}”: its header or its settings cannot be read: {error}.")
            return False
        if (header.submission, header.scanned) != (act.submission, act.scanned):
            self.say(f"Log “{chain.id}”: its Submission is not the one that the house opened the table with.")
        if settings != act.settings:
            self.say(f"Log “{chain.id}”: its settings are not those that the house opened the table with.")
        if bool(chain.is_open) == (chain.id in self.house.closed):
            self.say(
                f"Log “{chain.id}”: the table is {'open' if chain.is_open else 'closed'}; the house says otherwise."
            )
        return True

    # The ledger.

    def postings(self, chain: str) -> "Cursor":
        """Return the postings of a log."""
        sql = (
            "SELECT seq, line, account, amount FROM posting WHERE chain = ? AND (seq, line) > (?, ?)"
            " ORDER BY seq, line LIMIT ?"
        )
        return Cursor((seq, account, amount) for seq, _, account, amount in paged(self.db, sql, (chain,), (0, -1)))

    def compare(self, chain: str, seq: int, expected: Sequence[ledger.Posting], stored: Sequence[Row]) -> None:
        """Say where postings are not what they should be."""
        self.found.postings += len(stored)
        if [tuple(row) for row in stored] == list(expected):
            return
        sums = ledger.summed(
            [*((name, amount) for name, amount in stored), *((name, -cost) for name, cost in expected)]
        )
        wrong = ", ".join(f"{name} by {amount:+}" for name, amount in sums.items() if amount)
        self.say(
            f"Log “{chain}”, entry {seq}: its postings are not what it moves: "
            + (f"{wrong} micro-cents." if wrong else "they are in another order, or divided otherwise.")
        )

    def _ledger(self) -> None:
        """Check that all money is somewhere."""
        for chain, seq, total in self.db.execute(
            "SELECT chain, seq, SUM(amount) FROM posting GROUP BY chain, seq HAVING SUM(amount) <> 0"
        ):
            self.say(f"Log “{chain}”, entry {seq}: its postings sum to {int(total)} micro-cents, not to nothing.")
        posted = {
            name: int(total)
            for name, total in self.db.execute("SELECT account, SUM(amount) FROM posting GROUP BY account")
        }
        for name in sorted(posted.keys() | self.balances.keys()):
            balance, total = self.balances.get(name, 0), posted.get(name, 0)
            self.found.accounts += 1
            if balance != total:
                self.say(f"Account {name}: it holds {balance} micro-cents, and its postings sum to {total}.")
            if balance < 0 and name.startswith("patron/"):
                self.say(f"Account {name}: it is below zero.")
        if together := sum(self.balances.values()):
            self.say(f"All accounts together hold {together} micro-cents, not nothing.")

    def _strays(self) -> None:
        """Say what belongs to no entry, round or table."""
        for table, what in (
            ("posting", "a posting"),
            ("contribution", "a contribution"),
            ("move", "a move of a meter"),
        ):
            for chain, seq in self.db.execute(
                f"SELECT DISTINCT x.chain, x.seq FROM {table} x WHERE NOT EXISTS"  # noqa: S608 (our words)
                " (SELECT 1 FROM entry e WHERE e.chain = x.chain AND e.seq = x.seq)"
            ):
                self.say(f"Log “{chain}”: there is {what} of entry {seq}, which is not there.")
        for chain, number in self.db.execute(
            "SELECT DISTINCT p.chain, p.number FROM played p WHERE NOT EXISTS"
            " (SELECT 1 FROM round r WHERE r.chain = p.chain AND r.number = p.number)"
        ):
            self.say(f"Log “{chain}”: somebody has played round {number + 1}, which is not there.")
        for (chain,) in self.db.execute("SELECT DISTINCT chain FROM round"):
            if chain not in self.chains:
                self.say(f"Log “{chain}”: there are rounds of it, and no log.")

    # Meters.

    def moves(self, meter: str) -> Iterator[tuple[int, str, int, Change]]:
        """Yield the moves of a meter: number, log, entry, change."""
        sql = (
            "SELECT meter_seq, chain, seq, change FROM move WHERE meter = ? AND meter_seq > ?"
            " ORDER BY meter_seq LIMIT ?"
        )
        for number, chain, seq, change in paged(self.db, sql, (meter,), (0,)):
            try:
                yield number, chain, seq, _CHANGE(octets(change))
            except (msgspec.DecodeError, UnicodeDecodeError):
                yield number, chain, seq, {}

    def _meters(self) -> None:
        """Check that every meter is where its opening, contributions and moves bring it, and the ledger agrees."""
        now = meters(self.db)
        stored = {name: octets(rule) for name, rule in self.db.execute("SELECT id, rule FROM meter")}
        for name in sorted(now.keys() | self.house.meters.keys()):
            self.found.meters += 1
            if name not in now:
                self.say(f"Meter {name}: a table was opened with it, and it is missing.")
            elif name not in self.house.meters:
                self.say(f"Meter {name}: no table was opened with it.")
            else:
                if stored[name] != self.house.meters[name][1]:
                    self.say(f"Meter {name}: its parameters are not those of the Submission.")
                self._meter(name, now[name])
        for chain, meter in self.db.execute("SELECT DISTINCT chain, meter FROM contribution"):
            if chain not in self.house.owners.get(meter, ()):
                self.say(f"Meter {meter}: it has contributions of the table {chain}, which has no such meter.")

    def _meter(self, name: str, state: MeterState) -> None:
        expected, number = self.house.meters[name][0], 0
        for moved, chain, seq, change in self.moves(name):
            if moved != number + 1:
                self.say(f"Meter {name}: after move {number} comes move {moved}, by entry {seq} of “{chain}”.")
            expected, number = added(expected, change), moved
        ((count, *amounts),) = self.db.execute(
            "SELECT COUNT(*), COALESCE(SUM(current), 0), COALESCE(SUM(waiting), 0), COALESCE(SUM(reserve), 0)"
            " FROM contribution WHERE meter = ?",
            (name,),
        )
        if wrong := difference(fed(expected, *amounts), state.meter):
            said = ", ".join(f"{field} by {amount:+}" for field, amount in wrong.items())
            self.say(
                f"Meter {name}: it is not where its opening, {count} contributions and {number} moves bring it:"
                f" {said} micro-cents."
            )
        if number != state.seq:
            self.say(f"Meter {name}: it says it was moved {state.seq} times; there are {number} moves.")
        if not state.meter.balanced:
            self.say(f"Meter {name}: what came in is not what is there or went out.")
        meter = state.meter
        parts = {"current": meter.current + meter.waiting, "reserve": meter.reserve, "pending": meter.pending}
        for part, amount in parts.items():
            account = ledger.of_meter(name, part)
            if (held := self.balances.get(account, 0)) != amount:
                self.say(f"Account {account}: it holds {held} micro-cents, and the meter has {amount}.")

    # Checkpoints.

    def _checkpoints(self) -> None:
        """Check signatures, order, and that everything signed is still there."""
        sql = "SELECT number, time, body, signature FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?"
        last, heads = Checkpoint(0, 0, "", "", {}, "", 0, {}), dict[str, tuple[int, str]]()
        previous = ""
        for number, time, body, signature in paged(self.db, sql, (), (-MOST,)):
            self.found.checkpoints += 1
            try:
                kept = kept_of(octets(body))
                made, now = checkpoint_of(kept.signed), heads_of(kept.heads)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                self.say(f"Checkpoint {number}: it cannot be read: {error}.")
                continue
            problems = [
                *self._signed(made, bytes(kept.signed), signature),
                *_in_order(made, number, time, last, previous),
                *(
                    []
                    if sha256(kept.heads).hexdigest() == made.heads
                    else ["where the logs ended is not what was signed."]
                ),
                *self._heads(made, now),
                *self._metered(made, now, last, heads),
            ]
            for problem in problems:
                self.say(f"Checkpoint {number}: {problem}")
            last, heads, previous = made, now, sha256(kept.signed).hexdigest()

    def _signed(self, made: Checkpoint, text: bytes, signature: str) -> Iterator[str]:
        if made.key not in self.found.signed_by:
            self.found.signed_by.append(made.key)
        try:
            key = self.key or Ed25519PublicKey.from_public_bytes(bytes.fromhex(made.key))
            key.verify(bytes.fromhex(signature), text)
        except (InvalidSignature, ValueError):
            yield "its signature does not fit: it was changed, or signed with another key."

    def _heads(self, made: Checkpoint, heads: Heads) -> Iterator[str]:
        if made.balances:
            yield f"all accounts together held {made.balances} micro-cents, not nothing."
        for name, (seq, digest) in (*made.finished.items(), *heads.items()):
            chain = self.chains.get(name)
            if chain is None:
                yield f"the log “{name}” was there, and is missing."
                continue
            here = [known for _, _, known in entries(self.db, name, seq, seq)] if seq else [_begin(chain)]
            if not here:
                yield f"the log “{name}” had an entry {seq}, which is missing: it was cut off."
            elif here != [digest]:
                yield f"entry {seq} of the log “{name}” was another than it is now."

    def _metered(self, made: Checkpoint, heads: Heads, last: Checkpoint, before: Heads) -> Iterator[str]:
        """Say which meters were signed with another state than entries up to then bring them to."""
        for name, signed in made.meters.items():
            if name not in self.house.meters:
                yield f"the meter {name} was there, and no table was opened with it."
                continue
            state = last.meters.get(name, MeterState(0, self.house.meters[name][0]))
            expected = state.meter
            for change in self._between(name, state.seq, signed.seq):
                expected = added(expected, change)
            for owner in self.house.owners[name]:
                (amounts,) = self.db.execute(
                    "SELECT COALESCE(SUM(current), 0), COALESCE(SUM(waiting), 0), COALESCE(SUM(reserve), 0)"
                    " FROM contribution WHERE meter = ? AND chain = ? AND seq > ? AND seq <= ?",
                    (name, owner, before.get(owner, (0, ""))[0], heads.get(owner, (0, ""))[0]),
                )
                expected = fed(expected, *amounts)
            if expected != signed.meter:
                yield f"the meter {name} was signed with another state than its contributions and moves lead to."

    def _between(self, meter: str, first: int, last: int) -> Iterator[Change]:
        rows = self.db.execute(
            "SELECT change FROM move WHERE meter = ? AND meter_seq > ? AND meter_seq <= ?", (meter, first, last)
        )
        for (change,) in rows:
            yield _CHANGE(octets(change))


def _in_order(made: Checkpoint, number: int, time: int, last: Checkpoint, previous: str) -> Iterator[str]:
    if (made.number, made.time) != (number, time):
        yield f"it says of itself that it is checkpoint {made.number} of {made.time}."
    if number != last.number + 1 or made.previous != previous:
        yield f"it does not follow checkpoint {last.number}: one between them is missing, or that one was changed."


def _begin(chain: Chain) -> str:
    """Return the hash a log begins with."""
    return sha256(chain.header).hexdigest()


def _lines(chain: Chain, rows: Iterable[tuple[int, bytes, str, bool]]) -> Iterator[bytes]:
    """Yield the record of a table as far as its chain is whole."""
    yield line_of(chain.header, _begin(chain))
    for _, body, digest, fits in rows:
        if not fits:
            return
        yield line_of(body, digest)
