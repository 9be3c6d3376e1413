"""The office: what concerns the whole house. People, cash, tables, inventories, corrections, and second persons.

Every act is an entry of the log `house`, with what was before and what is after; money moves with it.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

import msgspec

from pitboss.errors import Mistake, hint
from pitboss.house import ledger
from pitboss.house.acts import (
    KEYS,
    LONGEST,
    MAY,
    SECOND,
    TWO,
    Act,
    Amend,
    Approve,
    BuyIn,
    CashOut,
    CloseTable,
    Credit,
    Decline,
    Dismiss,
    Fill,
    Hire,
    Note,
    Noted,
    OpenTable,
    RecordApproval,
    RecordTraining,
    Resume,
    Suspend,
)
from pitboss.house.approvals import LacksApproval, approvable, insist_on_approvals
from pitboss.house.driver import Conflict, Connection
from pitboss.house.examining import examinable
from pitboss.house.log import HOUSE, write
from pitboss.house.money_kind import REAL, money_of
from pitboss.house.people import RESERVED, Person, Post, named, still
from pitboss.house.slips import Kind, Slip, slip_at
from pitboss.house.standing import Settings, fresh, opening_meters, settings_of, submission_of
from pitboss.house.store import METER, Unit
from pitboss.house.zone import PENNSYLVANIA, local_time
from pitboss.money import CENT, dollars
from pitboss.progressive import Meter
from pitboss.record.chain import bound, decoder, header, header_of, plain
from pitboss.submission import parse, problems
from pitboss.submission.model import Link

POSTS: Final = "house rule: what each post may do"
ITSELF: Final = Person("house", Post.OPERATOR)
"""The house, where it is opened: it has no second person."""
USED: Final = "That key was used for another order."
MOST: Final = 1_000_000_00
"""Cents of one movement of cash."""
MOST_HELD: Final = 2**62
"""Micro-cents of one account."""
HOUR: Final = 3600
AGAIN: Final = 5
"""Times that an act is tried where other processes are in the way."""


class Done(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of an act."""

    accepted: bool
    seq: int = 0
    waiting: str = ""
    """The id under which it waits for a second person."""
    slip: str = ""
    """The number of the slip about it, where it takes one."""
    why: str = ""
    cite: str = ""


_ACT: Final = decoder(Act)  # type: ignore[arg-type, var-annotated]
_DONE: Final = decoder(Done)


def opened(db: Connection) -> None:
    """Begin the house's log, where there is none."""
    if not db.execute("SELECT 1 FROM chain WHERE id = ?", (HOUSE,)):
        text, digest = bound({"pitboss": 1, "log": HOUSE}, "")
        _begin(db, HOUSE, HOUSE, text, digest, b"{}")


def _sensible(settings: Settings) -> None:
    """Refuse settings that no table is run by."""
    for seconds in (settings.betting, settings.pause, settings.rest):
        if not 0 <= seconds <= HOUR:
            raise Mistake(f"The times that a table is run by are from 0 to {HOUR} seconds, not {seconds}.")
    for link in settings.links.values():
        named(link)


def _begin(db: Connection, name: str, kind: str, text: bytes, digest: str, settings: bytes) -> None:  # noqa: PLR0913, PLR0917 (a row)
    db.execute(
        "INSERT INTO chain (id, kind, header, seq, hash, is_open, settings, played) VALUES (?, ?, ?, 0, ?, 1, ?, ?)",
        (name, kind, text, digest, settings, b"[]"),
    )


def _payload(act: Act) -> str:
    """Return what an act is known by; with what is kept of a password, which says whether another one is the same."""
    if isinstance(act, Hire):
        return f"{sha256(plain(msgspec.structs.replace(act, password=''))).hexdigest()} {act.password}"
    return sha256(plain(act)).hexdigest()


def kept_for(db: Connection, person: str, key: str) -> str:
    """Return what is kept of the password that somebody's key was used for, if it was used to hire."""
    before = Unit(db, locks=False).answer(person, key)
    return before[0].partition(" ")[2] if before else ""


class Office:
    """Does what concerns the whole house, on one connection."""

    def __init__(self, connection: Connection, now: Callable[[], float], zone: str = PENNSYLVANIA) -> None:
        """Begin with a connection to an up-to-date database, and the time zone of the house."""
        self.db, self._now, self._zone = connection, now, zone

    def do(self, person: Person, act: Act, key: str) -> Done:
        """Do what somebody asks for, once for each key."""
        return self._tried(person, act, key, MAY[type(act)])

    def record_training(self, person: Person, act: RecordTraining, key: str) -> Done:
        """Record what the house graded; nobody asks for that as an act, since a score is not the asker's to name."""
        return self._tried(person, act, key, frozenset(Post))

    def _tried(self, person: Person, act: Act, key: str, may: frozenset[Post]) -> Done:
        """Do it; again where another process was in the way."""
        for _ in range(AGAIN):
            with suppress(Conflict):
                return self._do(person, act, key, may)
        return self._do(person, act, key, may)

    def _do(self, person: Person, act: Act, key: str, may: frozenset[Post]) -> Done:
        payload = _payload(act)
        try:
            with self.db.transaction():
                unit = Unit(self.db)
                if before := unit.answer(person.name, key):
                    return _DONE.decode(before[1]) if before[0] == payload else _refused(USED, KEYS)
                done = self._done(unit, person, act, may)
                self._answer(unit, person.name, key, payload, done)
        except Mistake as mistake:  # nothing of it is left
            done = _refused(str(mistake), mistake.cite if isinstance(mistake, LacksApproval) else POSTS)
            with self.db.transaction():
                self._answer(Unit(self.db), person.name, key, payload, done)
        return done

    def _answer(self, unit: Unit, person: str, key: str, payload: str, done: Done) -> None:
        unit.answers.append((person, key, payload, plain(done), int(self._now())))
        unit.write()

    def note(self, what: str, *, before: str = "", after: str = "", actor: str = "house") -> None:
        """Write down that something happened."""
        for tries in range(AGAIN):
            try:
                with self.db.transaction():
                    unit = Unit(self.db)
                    write(unit, int(self._now()), actor, "", Noted(what, before, after))
                    unit.write()
            except Conflict:
                if tries == AGAIN - 1:
                    raise
            else:
                return

    def _done(self, unit: Unit, person: Person, act: Act, may: frozenset[Post]) -> Done:
        if person.post not in may:
            raise Mistake(f"That is not for a {person.post} to do.")
        if isinstance(act, Approve | Decline):
            return self._seconded(unit, person, act)
        self._check(unit, person, act)
        if isinstance(act, TWO) or (isinstance(act, Hire) and act.post is not Post.PATRON and person != ITSELF):
            waiting = secrets.token_hex(8)
            unit.request(waiting, type(act).__name__, HOUSE, plain(act), person.name, int(self._now()))
            return Done(accepted=True, waiting=waiting)
        return self._carried(unit, person.name, "", act)

    def _seconded(self, unit: Unit, person: Person, act: Approve | Decline) -> Done:
        waits = unit.requested(act.id)
        if waits is None:
            raise Mistake("Nothing of that id waits for a second person.")
        kind, body, requested_by = waits
        if isinstance(act, Approve) and requested_by == person.name:
            return _refused("Another person approves what you asked for.", SECOND)
        if kind == "jackpot":
            raise Mistake("A jackpot is approved at its table.")
        asked: Act = _ACT.decode(body)
        if isinstance(act, Approve) and person.post not in MAY[type(asked)] | {Post.AUDITOR}:
            raise Mistake(f"That is not for a {person.post} to approve.")
        unit.settle_request(act.id)
        if isinstance(act, Approve):
            asker = self._still(requested_by)
            if asker.post not in MAY[type(asked)]:
                raise Mistake(f"{requested_by}, who asked for it, is a {asker.post} now: that is not for one to ask.")
            self._check(unit, asker, asked)
        if isinstance(act, Decline):
            return Done(accepted=True, seq=write(unit, int(self._now()), requested_by, person.name, act).seq)
        return self._carried(unit, requested_by, person.name, asked)

    def _still(self, name: str) -> Person:
        """Return somebody who asked for something, if he is still there."""
        person = still(self.db, name)
        if person is None:
            raise Mistake(f"{name}, who asked for it, is here no longer.")
        return person

    def _carried(self, unit: Unit, actor: str, second: str, act: Act) -> Done:  # noqa: C901, PLR0912 (a case for each act)
        postings: list[ledger.Posting] = []
        match act:
            case BuyIn(who, amount):
                postings += ledger.moved(ledger.CAGE, ledger.patron(who), amount * CENT)
            case CashOut(who, amount):
                postings += ledger.moved(ledger.patron(who), ledger.CAGE, amount * CENT)
            case Fill(table, amount):
                postings += ledger.moved(ledger.HOUSE, ledger.at_table(table, "inventory"), amount * CENT)
            case Credit(table, amount):
                self._chips(unit, table, amount)
                postings += ledger.moved(ledger.at_table(table, "inventory"), ledger.HOUSE, amount * CENT)
            case Amend(giver, taker, amount):
                postings += ledger.moved(giver, taker, amount * CENT)
            case Hire(name, post, password):
                self._hire(name, post, password)
            case Dismiss(name):
                self.db.execute("UPDATE person SET is_active = 0 WHERE name = ?", (name,))
                self.db.execute("DELETE FROM session WHERE person = ?", (name,))
            case CloseTable(table):
                self.db.execute("UPDATE chain SET is_open = 0 WHERE id = ?", (table,))
            case OpenTable():
                postings += self._open(unit, act)
            case Suspend(table, offer) | Resume(table, offer):
                self._suspend(unit, table, offer, taken=isinstance(act, Resume))
            case Note() | RecordApproval() | RecordTraining():
                pass  # it is written down, and nothing else
            case _:
                raise AssertionError(act)
        for account, change in ledger.summed(postings).items():
            if abs(unit.balance(account) + change) > MOST_HELD:
                raise Mistake("That is more than the house can count.")
            if account.startswith("patron/") and unit.balance(account) + change < 0:
                raise Mistake(f"The account holds {dollars(unit.balance(account) // CENT)}.")
        written = write(unit, int(self._now()), actor, second, act, postings, _slip(unit, act))
        return Done(accepted=True, seq=written.seq, slip=written.slip_name)

    @staticmethod
    def _chips(unit: Unit, table: str, amount: int) -> None:
        """Refuse to take more cents from a table than are there: it has less than nothing where winnings came first."""
        unit.chain(table)  # locked: nobody wins any of it from now on
        held = max(0, unit.balance(ledger.at_table(table, "inventory")) // CENT)
        if amount > held:
            raise Mistake(f"The inventory of {table} holds {dollars(held)}.")

    def _check(self, unit: Unit, person: Person, act: Act) -> None:  # noqa: C901, PLR0912 (a case for each act)
        """Refuse what cannot be done."""
        if isinstance(act, BuyIn | CashOut | Fill | Credit | Amend) and not 0 < act.amount <= MOST:
            raise Mistake(f"An amount is from {dollars(1)} to {dollars(MOST)}.")
        if isinstance(act, Suspend | Amend) and len(act.reason) > LONGEST:
            raise Mistake(f"A reason has up to {LONGEST} letters.")
        match act:
            case BuyIn(patron) | CashOut(patron):
                if person.post is Post.PATRON and patron != person.name:
                    raise Mistake("A patron has only his own account.")
                self._there("person WHERE name = ? AND post = 'patron'", patron, "patron")
            case Suspend(_, _, reason) if not reason.strip():
                raise Mistake("Who suspends a wager says why.")
            case Credit(table):  # also one that is closed: its chips go back
                self._there("chain WHERE id = ? AND kind = 'table'", table, "table")
            case Fill(table) | CloseTable(table) | Suspend(table) | Resume(table):
                self._there("chain WHERE id = ? AND kind = 'table' AND is_open = 1", table, "open table")
                if isinstance(act, CloseTable):
                    row = unit.chain(table)  # locked: nobody wagers from now on
                    if unit.balance(ledger.at_table(table, "wagers")) or (row and bytes(row.played) != b"[]"):
                        raise Mistake("There are wagers on the table, or a payout off a meter waits there.")
            case Amend(giver, taker, _, reason):
                if not reason.strip():
                    raise Mistake("A correction says why.")
                for account in (giver, taker):
                    self._there("account WHERE name = ?", account, "account")
                    if account.startswith("meter/") or account.endswith("/wagers"):
                        raise Mistake(f"What {account} holds follows from play: that is corrected at the table.")
            case Hire(name):
                if named(name) in RESERVED:
                    raise Mistake(f"“{name}” is the house's own name.")
            case Dismiss(name):
                self._there("person WHERE name = ? AND is_active = 1", name, "person")
                if name == person.name:
                    raise Mistake("Nobody dismisses himself.")
            case Note(table, number, text):
                self._there("chain WHERE id = ? AND kind = 'table'", table, "table")
                self._disputable(table, number)
                if not text.strip():
                    raise Mistake("A note says what it is about.")
            case RecordApproval():
                approvable(act, local_time(self._now(), self._zone).date())
            case RecordTraining():
                examinable(act, person)
                self._there("person WHERE name = ? AND is_active = 1 AND post <> 'patron'", act.person, "staff member")
            case _:
                pass

    def _disputable(self, table: str, number: int) -> None:
        """Refuse a round that there is not: neither finished nor under way."""
        ((rounds,),) = self.db.execute("SELECT COUNT(*) FROM round WHERE chain = ?", (table,))
        ((is_open,),) = self.db.execute("SELECT is_open FROM chain WHERE id = ?", (table,))
        if not 0 < number <= rounds + is_open:
            raise Mistake(f"The table {table} has finished {rounds} rounds; there is no round {number}.")

    def _there(self, where: str, name: str, what: str) -> None:
        if not self.db.execute(f"SELECT 1 FROM {where}", (name,)):  # noqa: S608 (our words)
            raise Mistake(f"There is no {what} “{name}”.")

    def _suspend(self, unit: Unit, table: str, offer: str, *, taken: bool) -> None:
        row = unit.chain(table)
        assert row is not None, "it was looked for"
        settings, offered = settings_of(row.settings), submission_of(header_of(row.header).submission).wagers
        if offer not in offered:
            raise Mistake(f"The table offers no “{offer}”; {hint(offer, offered)}")
        others = tuple(name for name in settings.suspended if name != offer)
        changed = msgspec.structs.replace(settings, suspended=others if taken else (*others, offer))
        self.db.execute("UPDATE chain SET settings = ? WHERE id = ?", (plain(changed), table))
        unit.changed.add(table)

    def _hire(self, name: str, post: Post, password: str) -> None:
        self.db.execute(
            "INSERT INTO person (name, post, password, is_active, failures, locked_until) VALUES (?, ?, ?, 1, 0, 0)"
            " ON CONFLICT (name) DO UPDATE SET post = excluded.post, password = excluded.password, is_active = 1",
            (name, post, password),
        )
        self.db.execute("DELETE FROM session WHERE person = ?", (name,))

    def _open(self, unit: Unit, act: OpenTable) -> list[ledger.Posting]:
        """Open a table, and those of its meters that no other table has opened."""
        _sensible(act.settings)
        if unit.chain(named(act.table)):
            raise Mistake(f"There is or was a table “{act.table}”: every table has a name of its own.")
        found, wrong = parse(act.submission, act.table)
        wrong = wrong or (problems(found) if found else wrong)
        if wrong or found is None:
            raise Mistake(f"The Submission is not valid: {wrong[0].where}: {wrong[0].problem}")
        if money_of(self.db) == REAL:
            insist_on_approvals(self.db, act.table, act.submission, local_time(self._now(), self._zone).date())
        for offer in act.settings.links:
            if offer not in found.wagers or found.wagers[offer].linked is Link.NO:
                raise Mistake(f"The Submission does not link “{offer}” with other tables.")
        begun = header(act.submission, scanned=act.scanned)
        text, digest = bound(begun, "")
        standing = fresh(act.table, begun, digest, act.settings)
        _begin(self.db, act.table, "table", text, digest, plain(act.settings))
        postings: list[ledger.Posting] = []
        for name, (meter, rule) in opening_meters(standing).items():
            known = self.db.execute("SELECT rule FROM meter WHERE id = ?", (name,))
            if known and bytes(known[0][0]) != rule:
                raise Mistake(f"The meter {name} is in play with other parameters: linked tables have the same.")
            if not known:
                columns = ", ".join(("id", *METER, "seq", "rule"))
                amounts = [getattr(meter, field) for field in METER]
                marks = ", ".join("?" * (len(METER) + 3))
                self.db.execute(
                    f"INSERT INTO meter ({columns}) VALUES ({marks})",  # noqa: S608 (our columns)
                    (name, *amounts, 0, rule),
                )
                postings += ledger.metered(name, Meter(), meter)
        return postings


def waiting(db: Connection) -> list[dict[str, Any]]:
    """Return what waits for a second person."""
    rows = db.execute("SELECT id, kind, chain, body, requested_by, time FROM approval ORDER BY time, id")
    names = ("id", "kind", "chain", "body", "requested_by", "time")
    found = [{**dict(zip(names, row, strict=True)), "body": msgspec.json.decode(row[3])} for row in rows]
    for one in found:
        one["body"].pop("password", None)
    return found


def _slip(unit: Unit, act: Act) -> Slip | None:
    """Return the slip that an act takes."""
    match act:
        case Fill(table):
            return slip_at(unit, Kind.FILL, table)
        case Credit(table):
            return slip_at(unit, Kind.CREDIT, table)
        case Note(table, number):
            return Slip(kind=Kind.DISPUTE, table=table, round=number)
        case _:
            return None


def _refused(why: str, cite: str) -> Done:
    return Done(accepted=False, why=why, cite=cite)
