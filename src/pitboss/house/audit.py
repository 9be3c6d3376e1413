"""The audit: every log, every round, every posting and every meter worked out again and compared with what is stored.

What is wrong is said in sentences that locate it: log and entry, account, meter, round, checkpoint.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games import stakes
from pitboss.games.entry import of_amount
from pitboss.house import ledger
from pitboss.house.acts import Act, Amend, BuyIn, CashOut, CloseTable, Credit, Fill, OpenTable
from pitboss.house.driver import Broken, Connection, Row
from pitboss.house.evidence import (
    MOST,
    Checkpoint,
    Heads,
    MeterState,
    chains,
    checkpoint_of,
    entries,
    fed,
    heads_of,
    kept_of,
    meters,
    octets,
    paged,
    reading,
    written_of,
)
from pitboss.house.office import HOUSE
from pitboss.house.standing import (
    Settings,
    banks,
    fresh,
    meter_ids,
    opening_meters,
    remembered,
    rounds_of,
    snapshot,
)
from pitboss.house.store import Chain, added, difference
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.progressive.meter import increments
from pitboss.record.chain import decoder, header_of, line_of
from pitboss.record.replay import Replayed, replay
from pitboss.table import events as happens
from pitboss.table.evolve import evolve
from pitboss.table.metering import metered_all, shown

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
    closed: set[str] = set()
    meters: dict[str, tuple[Meter, bytes]] = {}
    owners: dict[str, list[str]] = {}
    """The tables of a meter."""


def verify(db: Connection, public_key: Ed25519PublicKey | None = None, progress: Progress = NOBODY) -> Verified:
    """Check the whole database as it is at one moment; others may write on.

    Without a public key a checkpoint is checked with the key it names itself.
    """
    with reading(db):
        return _Audit(db, public_key, progress).run()


class _Audit:
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
                expected = self._done(written.act)
            except Mistake as mistake:
                self.say(f"Log “{chain.id}”, entry {seq}: {mistake}")
                continue
            self.compare(chain.id, seq, expected, stored)

    def _done(self, act: Act) -> list[ledger.Posting]:
        """Return what an act moves; remember what it opens."""
        giver = taker = ""
        match act:
            case OpenTable():
                return list(self._opened(act))
            case CloseTable(table):
                self.house.closed.add(table)
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
            table = _Table(self, chain)
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

    def postings(self, chain: str) -> "_Cursor":
        """Return the postings of a log."""
        sql = (
            "SELECT seq, line, account, amount FROM posting WHERE chain = ? AND (seq, line) > (?, ?)"
            " ORDER BY seq, line LIMIT ?"
        )
        return _Cursor((seq, account, amount) for seq, _, account, amount in paged(self.db, sql, (chain,), (0, -1)))

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


class _Cursor:
    """Rows in the order of their first column, taken as far as they are asked for."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, place: int) -> list[Row]:
        """Return the rest of the rows of this place; those before it are passed over."""
        taken = []
        while self._next and self._next[0] <= place:
            if self._next[0] == place:
                taken.append(self._next[1:])
            self._next = next(self._rows, None)
        return taken


class _Table:
    """One table while its record is replayed."""

    def __init__(self, audit: _Audit, chain: Chain) -> None:
        self.audit, self.chain = audit, chain
        self.standing = fresh(chain.id, header_of(chain.header), "", _SETTINGS(chain.settings))
        self.seq, self.first, self.rounds, self.played = 0, 1, 0, 0
        self.ids = meter_ids(self.standing)
        opened = audit.house.meters
        self.states = {name: opened[name][0] for name in self.ids.values() if name in opened}
        """Meters that no other table has, as this table's entries bring them."""
        self._postings = audit.postings(chain.id)
        self._fed = {name: self._contributions(name) for name in self.states}
        self._moved = {name: self._moves(name) for name in self.states}

    def _contributions(self, meter: str) -> _Cursor:
        sql = (
            "SELECT seq, current, waiting, reserve FROM contribution WHERE meter = ? AND chain = ? AND seq > ?"
            " ORDER BY seq LIMIT ?"
        )
        return _Cursor(paged(self.audit.db, sql, (meter, self.chain.id), (0,)))

    def _moves(self, meter: str) -> _Cursor:
        """Return this table's moves of a meter, each with where the moves before it had brought the meter."""

        def rows() -> Iterator[Row]:
            base = self.states[meter]
            for _, chain, seq, change in self.audit.moves(meter):
                if chain == self.chain.id:
                    yield seq, base, change
                base = added(base, change)

        return _Cursor(rows())

    def say(self, seq: int, problem: str) -> None:
        """Note a problem of an entry."""
        self.audit.say(f"Log “{self.chain.id}”, entry {seq}: {problem}")

    def check(self, moment: Replayed) -> None:
        """Check what came of one entry."""
        entry, found = moment.entry, self.audit.found
        if not moment.decided and self.chain.id not in found.followed:
            found.followed.append(self.chain.id)
        played = list(ledger.played(self.chain.id, moment.before, entry.events))
        metered = self._metered(moment)
        stored = self._postings.take(entry.seq)
        owed = stored[len(played) : len(stored) - len(metered)]
        if not _owed(moment, played, owed):
            owed = []
        self.audit.compare(self.chain.id, entry.seq, [*played, *owed, *metered], stored)
        if moment.after.round != moment.before.round:
            self._round(moment)
        self.standing = replace(self.standing, table=moment.after)
        self.seq = entry.seq

    def ended(self) -> None:
        """Check what the log leaves behind."""
        table, name = self.standing.table, self.chain.id
        held = self.audit.balances.get(account := ledger.at_table(name, "wagers"), 0)
        if held != (lies := ledger.in_play(table) * CENT):
            self.audit.say(f"Account {account}: it holds {held} micro-cents, and {lies} are in play at the table.")
        if rounds_of(self.chain.played) != self.standing.rounds:
            self.audit.say(f"Log “{name}”: what it remembers of the round under way is not what its entries lead to.")
        for rows, expected in (("round", self.rounds), ("played", self.played)):
            ((count,),) = self.audit.db.execute(f"SELECT COUNT(*) FROM {rows} WHERE chain = ?", (name,))  # noqa: S608 (our words)
            if count != expected:
                self.audit.say(f"Log “{name}”: it has {count} rows of `{rows}`, and its entries lead to {expected}.")

    # Meters.

    def _metered(self, moment: Replayed) -> list[ledger.Posting]:
        """Check how an entry moves the meters; return what that moves in the ledger."""
        seq, given = moment.entry.seq, moment.entry.given
        fed_by = {name: rows[0] for name, cursor in self._fed.items() if (rows := cursor.take(seq))}
        moved = {name: rows[0] for name, cursor in self._moved.items() if (rows := cursor.take(seq))}
        changes: dict[str, Change] = {}
        postings: list[ledger.Posting] = []
        if given.meters or any(isinstance(event, happens.Called) for event in moment.entry.events):
            before = banks(self.standing, self._before(given.meters, moved) if given.meters else self._empty())
            if given.meters and (shows := shown(before)) != given.meters:
                wrong = [
                    name for name in shows.keys() | given.meters.keys() if shows.get(name) != given.meters.get(name)
                ]
                self.say(seq, f"the meters showed otherwise then than it says: {', '.join(sorted(wrong))}.")
            after = metered_all(before, moment.before, moment.entry.events)
            for (offer, amount, name), meter in self.ids.items():
                was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
                if change := difference(was, now):
                    changes[meter] = change
                    postings += ledger.metered(meter, was, now)
            self.standing = replace(self.standing, rounds=remembered(after))
        self._compare(seq, changes if given.meters else {}, {name: row[1] for name, row in moved.items()}, "move")
        fed_as = {name: _change(*row) for name, row in fed_by.items()}
        self._compare(seq, {} if given.meters else changes, fed_as, "contribution")
        for name, change in changes.items():
            self.states[name] = added(self.states[name], change)
        return postings

    def _compare(self, seq: int, expected: Mapping[str, Change], stored: Mapping[str, Change], what: str) -> None:
        for name in sorted(expected.keys() | stored.keys()):
            if expected.get(name) != stored.get(name):
                self.say(
                    seq,
                    f"the meter {name} has a {what} of {stored.get(name) or 'nothing'} by it;"
                    f" its events lead to {expected.get(name) or 'nothing'}.",
                )

    def _empty(self) -> dict[str, Meter]:
        """Return meters without anything: contributions depend on nothing."""
        return {name: Meter() for name in self.ids.values()}

    def _before(self, shows: Mapping[str, int], moved: Mapping[str, Row]) -> dict[str, Meter]:
        """Return the meters before an entry; those of several tables as far as it is known what was on them."""
        return {
            meter: self.states[meter]
            if len(self.audit.house.owners[meter]) == 1
            else self._linked(key, shows.get(of_amount(key[2], key[1]), 0), moved.get(meter))
            for key, meter in self.ids.items()
        }

    def _linked(self, key: tuple[str, int, str], shows: int, moved: Row | None) -> Meter:
        """Return a linked meter before an entry that says what it showed.

        Moves are in order. How many wagers had contributed follows from what it showed, unless those count only from
        the next round: then what is known of the reserve is what was taken out of it.
        """
        offer, amount, name = key
        bank = banks(self.standing, self._empty())[offer, amount]
        base, change = moved or (Meter(), {})
        primary, reserve = increments(bank.rules[name], amount)
        if moved and primary and not bank.rules[name].own_round_waits:
            times = max(0, shows - base.current) // primary
            return fed(base, times * primary, 0, times * reserve)
        state = replace(
            base,
            current=shows,
            reserve=max(0, -change.get("reserve", 0)),
            waiting=bank.meters[name].waiting,
        )
        there = state.current + state.reserve + state.waiting + state.pending + state.paid
        balanced: Meter = replace(state, contributed=there - state.house)
        return balanced

    # Rounds.

    def _round(self, moment: Replayed) -> None:
        """Check what is kept of a finished round."""
        self.rounds, self.audit.found.rounds = self.rounds + 1, self.audit.found.rounds + 1
        number, expected, played = _finished(moment, self.first)
        self.first, self.played = moment.entry.seq + 1, self.played + len(played)
        where = f"Log “{self.chain.id}”, round {number + 1}"
        key = (self.chain.id, number)
        rows = self.audit.db.execute(
            f"SELECT {', '.join(_ROUND)}, after FROM round WHERE chain = ? AND number = ?",  # noqa: S608 (our columns)
            key,
        )
        if not rows:
            self.audit.say(f"{where}: it is not among the finished rounds.")
            return
        *columns, after = rows[0]
        for name, stored, wanted in zip(_ROUND, columns, expected, strict=True):
            if stored != wanted:
                self.audit.say(f"{where}: its `{name}` is {stored}; its entries lead to {wanted}.")
        text = snapshot(moment.after)
        if not _alike(octets(after), text):
            self.audit.say(f"{where}: the table kept after it is not the one that its entries lead to.")
        stored_played = self.audit.db.execute(
            "SELECT patron, ended, wagered, net FROM played WHERE chain = ? AND number = ? ORDER BY patron", key
        )
        for patron in sorted({row[0] for row in stored_played} ^ {row[0] for row in played}):
            self.audit.say(f"{where}: whether {patron} has played in it is not what its entries say.")
        for row in stored_played:
            if (wanted_row := next((one for one in played if one[0] == row[0]), None)) and wanted_row != row:
                self.audit.say(f"{where}: what {row[0]} has played is {row[1:]}; its entries lead to {wanted_row[1:]}.")


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


def _change(current: int, waiting: int, reserve: int) -> Change:
    """Return what a contribution changes."""
    return difference(Meter(), fed(Meter(), current, waiting, reserve))


def _owed(moment: Replayed, played: Sequence[ledger.Posting], stored: Sequence[Row]) -> bool:
    """Whether postings are what patrons owe of payouts that were reversed: each no more than was taken back."""
    if not any(isinstance(event, happens.Reversed) for event in moment.entry.events):
        return False
    back = ledger.summed(played)
    pairs = list(zip(stored[::2], stored[1::2], strict=False))
    return len(stored) % 2 == 0 and all(
        account == f"owed/{who.removeprefix('patron/')}" and less == -more and 0 < more <= -back.get(who, 0)
        for (account, less), (who, more) in pairs
    )


def _finished(moment: Replayed, first: int) -> tuple[int, tuple[int, ...], list[Row]]:
    """Return a finished round's number, what is kept of it, and what each patron played in it."""
    last = table = moment.before
    for event in moment.entry.events:
        last, table = table, evolve(table, event)
        if table.round != last.round:
            break
    time = moment.entry.given.time
    boxes = list(last.boxes.values())
    wagered = {box.seat: sum(stakes(last.rules.terms, box.wagers, box.decisions).values()) for box in boxes}
    highest = max((sum(line.pays for line in box.lines) for box in boxes), default=0)
    row = (first, moment.entry.seq, time, sum(wagered.values()), highest, int(bool(last.void)))
    played = []
    for patron in sorted({box.patron for box in boxes}):
        own = [box for box in boxes if box.patron == patron]
        net = sum(line.net for box in own for line in box.lines)
        played.append((patron, time, sum(wagered[box.seat] for box in own), net))
    return last.round, row, played


def _alike(stored: bytes, expected: bytes) -> bool:
    """Whether two snapshots say the same."""
    try:
        return stored == expected or bool(msgspec.json.decode(stored) == msgspec.json.decode(expected))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
