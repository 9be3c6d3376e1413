"""The office carries out acts of the whole house: people, cash, tables, inventories, corrections, approvals.

Every act becomes an entry of the log `house`; its postings are written in the same transaction.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

import msgspec

from pitboss.errors import Mistake, hint
from pitboss.house import ledger
from pitboss.house.live_table import Settings, new_live_table, opening_meters, settings_of, submission_of
from pitboss.house.office.acts import (
    IDEMPOTENCY_RULE,
    MAX_TEXT,
    POSTS_BY_ACT,
    SECOND_PERSON_RULE,
    TWO_PERSON_ACTS,
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
from pitboss.house.office.approvals import MissingApproval, require_approvals, require_valid_approval
from pitboss.house.office.house_log import append_entry
from pitboss.house.office.money_kind import REAL, read_money_kind
from pitboss.house.office.people import RESERVED, Person, Post, active_person, require_name
from pitboss.house.office.slips import Slip, SlipKind, table_slip
from pitboss.house.office.training_grades import require_examiner
from pitboss.house.storage.connections import Conflict, Connection
from pitboss.house.storage.logs import HOUSE
from pitboss.house.storage.unit_of_work import METER_COLUMNS, UnitOfWork
from pitboss.house.zone import PENNSYLVANIA, local_time
from pitboss.money import CENT, format_money
from pitboss.progressive import Meter
from pitboss.record.chain import decode_header, decoder, encode_and_hash, encode_json, header
from pitboss.submission import parse, problems
from pitboss.submission.model import Link

POSTS_RULE: Final = "house rule: what each post may do"
HOUSE_PERSON: Final = Person("house", Post.OPERATOR)
"""The house itself, while it is being opened; its acts need no second person."""
KEY_REUSED: Final = "That key was used for another order."
MAX_AMOUNT: Final = 1_000_000_00
"""Upper bound of one cash movement, in cents."""
MAX_BALANCE: Final = 2**62
"""Upper bound of one account, in micro-cents."""
HOUR: Final = 3600
RETRIES: Final = 5
"""How often an act is retried after a conflict with another process."""


class ActResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of an act: accepted, waiting for a second person, or refused."""

    accepted: bool
    seq: int = 0
    waiting: str = ""
    """The id of the request, if it waits for a second person."""
    slip: str = ""
    """The number of its slip, if it has one."""
    why: str = ""
    cite: str = ""


_ACT: Final = decoder(Act)  # type: ignore[arg-type, var-annotated]
_DONE: Final = decoder(ActResult)


def begin_house_log(db: Connection) -> None:
    """Create the house's log if it is missing."""
    if not db.execute("SELECT 1 FROM chain WHERE id = ?", (HOUSE,)):
        text, digest = encode_and_hash({"pitboss": 1, "log": HOUSE}, "")
        _insert_chain(db, HOUSE, HOUSE, text, digest, b"{}")


def _require_valid_settings(settings: Settings) -> None:
    """Reject times outside 0 to one hour, and invalid link names."""
    for seconds in (settings.betting, settings.pause, settings.rest, settings.decision):
        if not 0 <= seconds <= HOUR:
            raise Mistake(f"The times of a table must be from 0 to {HOUR} seconds, not {seconds}.")
    for link in settings.links.values():
        require_name(link)


def _insert_chain(db: Connection, name: str, kind: str, text: bytes, digest: str, settings: bytes) -> None:  # noqa: PLR0913, PLR0917 (a row)
    db.execute(
        "INSERT INTO chain (id, kind, header, seq, hash, is_open, settings, played) VALUES (?, ?, ?, 0, ?, 1, ?, ?)",
        (name, kind, text, digest, settings, b"[]"),
    )


def _payload(act: Act) -> str:
    """Return a fingerprint of an act; for `Hire` it includes the password hash, to recognize a repeated request."""
    if isinstance(act, Hire):
        return f"{sha256(encode_json(msgspec.structs.replace(act, password=''))).hexdigest()} {act.password}"
    return sha256(encode_json(act)).hexdigest()


def password_hash_for_key(db: Connection, person: str, key: str) -> str:
    """Return the password hash that a person's key was used with, if it was used for `Hire`."""
    before = UnitOfWork(db, locks=False).answer(person, key)
    return before[0].partition(" ")[2] if before else ""


class Office:
    """Carries out acts of the whole house on one connection."""

    def __init__(self, connection: Connection, now: Callable[[], float], zone: str = PENNSYLVANIA) -> None:
        """Use a connection to a migrated database, and the house's time zone."""
        self.db, self._now, self._zone = connection, now, zone

    def do(self, person: Person, act: Act, key: str) -> ActResult:
        """Carry out an act once for each key."""
        return self._do_with_retry(person, act, key, POSTS_BY_ACT[type(act)])

    def record_training(self, person: Person, act: RecordTraining, key: str) -> ActResult:
        """Record graded training. This is no ordinary act, since nobody may report a score of their own."""
        return self._do_with_retry(person, act, key, frozenset(Post))

    def _do_with_retry(self, person: Person, act: Act, key: str, may: frozenset[Post]) -> ActResult:
        """Carry out an act; retry after conflicts with other processes."""
        for _ in range(RETRIES):
            with suppress(Conflict):
                return self._do(person, act, key, may)
        return self._do(person, act, key, may)

    def _do(self, person: Person, act: Act, key: str, may: frozenset[Post]) -> ActResult:
        payload = _payload(act)
        try:
            with self.db.transaction():
                unit = UnitOfWork(self.db)
                if before := unit.answer(person.name, key):
                    return _DONE.decode(before[1]) if before[0] == payload else _refuse(KEY_REUSED, IDEMPOTENCY_RULE)
                done = self._do_or_request(unit, person, act, may)
                self._answer(unit, person.name, key, payload, done)
        except Mistake as mistake:  # the transaction was rolled back
            done = _refuse(str(mistake), mistake.cite if isinstance(mistake, MissingApproval) else POSTS_RULE)
            with self.db.transaction():
                self._answer(UnitOfWork(self.db), person.name, key, payload, done)
        return done

    def _answer(self, unit: UnitOfWork, person: str, key: str, payload: str, done: ActResult) -> None:
        unit.answers.append((person, key, payload, encode_json(done), int(self._now())))
        unit.write()

    def note(self, what: str, *, before: str = "", after: str = "", actor: str = "house") -> None:
        """Append a note to the house's log."""
        for tries in range(RETRIES):
            try:
                with self.db.transaction():
                    unit = UnitOfWork(self.db)
                    append_entry(unit, int(self._now()), actor, "", Noted(what, before, after))
                    unit.write()
            except Conflict:
                if tries == RETRIES - 1:
                    raise
            else:
                return

    def _do_or_request(self, unit: UnitOfWork, person: Person, act: Act, may: frozenset[Post]) -> ActResult:
        if person.post not in may:
            raise Mistake(f"Your post ({person.post}) may not do this.")
        if isinstance(act, Approve | Decline):
            return self._approve_or_decline(unit, person, act)
        self._require_allowed(unit, person, act)
        if isinstance(act, TWO_PERSON_ACTS) or (
            isinstance(act, Hire) and act.post is not Post.PATRON and person != HOUSE_PERSON
        ):
            waiting = secrets.token_hex(8)
            unit.request(waiting, type(act).__name__, HOUSE, encode_json(act), person.name, int(self._now()))
            return ActResult(accepted=True, waiting=waiting)
        return self._apply_act(unit, person.name, "", act)

    def _approve_or_decline(self, unit: UnitOfWork, person: Person, act: Approve | Decline) -> ActResult:
        waits = unit.pending_request(act.id)
        if waits is None:
            raise Mistake("No request with that id is waiting.")
        kind, body, requested_by = waits
        if isinstance(act, Approve) and requested_by == person.name:
            return _refuse("You asked for this, so another person must approve it.", SECOND_PERSON_RULE)
        if kind == "jackpot":
            raise Mistake("Approve a jackpot at its table.")
        asked: Act = _ACT.decode(body)
        if isinstance(act, Approve) and person.post not in POSTS_BY_ACT[type(asked)] | {Post.AUDITOR}:
            raise Mistake(f"Your post ({person.post}) may not approve this.")
        unit.settle_request(act.id)
        if isinstance(act, Approve):
            asker = self._require_active(requested_by)
            if asker.post not in POSTS_BY_ACT[type(asked)]:
                raise Mistake(f"{requested_by} asked for this, but may no longer ask for it as {asker.post}.")
            self._require_allowed(unit, asker, asked)
        if isinstance(act, Decline):
            return ActResult(
                accepted=True, seq=append_entry(unit, int(self._now()), requested_by, person.name, act).seq
            )
        return self._apply_act(unit, requested_by, person.name, asked)

    def _require_active(self, name: str) -> Person:
        """Return the person who made a request; reject one who was dismissed since."""
        person = active_person(self.db, name)
        if person is None:
            raise Mistake(f"{name}, who asked for this, no longer works here.")
        return person

    def _apply_act(self, unit: UnitOfWork, actor: str, second: str, act: Act) -> ActResult:  # noqa: C901, PLR0912 (a case for each act)
        postings: list[ledger.Posting] = []
        match act:
            case BuyIn(who, amount):
                postings += ledger.transfer(ledger.CAGE, ledger.patron_account(who), amount * CENT)
            case CashOut(who, amount):
                postings += ledger.transfer(ledger.patron_account(who), ledger.CAGE, amount * CENT)
            case Fill(table, amount):
                postings += ledger.transfer(ledger.HOUSE, ledger.table_account(table, "inventory"), amount * CENT)
            case Credit(table, amount):
                self._require_inventory(unit, table, amount)
                postings += ledger.transfer(ledger.table_account(table, "inventory"), ledger.HOUSE, amount * CENT)
            case Amend(giver, taker, amount):
                postings += ledger.transfer(giver, taker, amount * CENT)
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
                pass  # only the entry is written
            case _:
                raise AssertionError(act)
        for account, change in ledger.sum_by_account(postings).items():
            if abs(unit.balance(account) + change) > MAX_BALANCE:
                raise Mistake("The balance would exceed the upper bound of an account.")
            if account.startswith("patron/") and unit.balance(account) + change < 0:
                raise Mistake(f"The account holds {format_money(unit.balance(account) // CENT)}.")
        written = append_entry(unit, int(self._now()), actor, second, act, postings, _slip(unit, act))
        return ActResult(accepted=True, seq=written.seq, slip=written.slip_name)

    @staticmethod
    def _require_inventory(unit: UnitOfWork, table: str, amount: int) -> None:
        """Reject a credit above the table's inventory, which is negative after winnings that exceed it."""
        unit.chain(table)  # locks the table, so no payout reduces the inventory meanwhile
        held = max(0, unit.balance(ledger.table_account(table, "inventory")) // CENT)
        if amount > held:
            raise Mistake(f"The inventory of {table} holds {format_money(held)}.")

    def _require_allowed(self, unit: UnitOfWork, person: Person, act: Act) -> None:  # noqa: C901, PLR0912 (a case for each act)
        """Reject an act with invalid values, or one that the person may not do."""
        if isinstance(act, BuyIn | CashOut | Fill | Credit | Amend) and not 0 < act.amount <= MAX_AMOUNT:
            raise Mistake(f"The amount must be from {format_money(1)} to {format_money(MAX_AMOUNT)}.")
        if isinstance(act, Suspend | Amend) and len(act.reason) > MAX_TEXT:
            raise Mistake(f"A reason may have at most {MAX_TEXT} characters.")
        match act:
            case BuyIn(patron) | CashOut(patron):
                if person.post is Post.PATRON and patron != person.name:
                    raise Mistake("You may use only your own account.")
                self._require_exists("person WHERE name = ? AND post = 'patron'", patron, "patron")
            case Suspend(_, _, reason) if not reason.strip():
                raise Mistake("Give a reason for suspending the wager.")
            case Credit(table):  # closed tables too: their chips go back to the house
                self._require_exists("chain WHERE id = ? AND kind = 'table'", table, "table")
            case Fill(table) | CloseTable(table) | Suspend(table) | Resume(table):
                self._require_exists("chain WHERE id = ? AND kind = 'table' AND is_open = 1", table, "open table")
                if isinstance(act, CloseTable):
                    row = unit.chain(table)  # locks the table, so no wager is accepted meanwhile
                    if unit.balance(ledger.table_account(table, "wagers")) or (row and bytes(row.played) != b"[]"):
                        raise Mistake("Settle the wagers and meter payouts of the table before you close it.")
            case Amend(giver, taker, _, reason):
                if not reason.strip():
                    raise Mistake("Give a reason for the correction.")
                for account in (giver, taker):
                    self._require_exists("account WHERE name = ?", account, "account")
                    if account.startswith("meter/") or account.endswith("/wagers"):
                        raise Mistake(f"Play sets the balance of {account}. Correct it at the table.")
            case Hire(name):
                if require_name(name) in RESERVED:
                    raise Mistake(f"The name “{name}” is reserved for the house. Choose another.")
            case Dismiss(name):
                self._require_exists("person WHERE name = ? AND is_active = 1", name, "person")
                if name == person.name:
                    raise Mistake("You cannot dismiss yourself.")
            case Note(table, number, text):
                self._require_exists("chain WHERE id = ? AND kind = 'table'", table, "table")
                self._require_round(table, number)
                if not text.strip():
                    raise Mistake("Write what the dispute is about.")
            case RecordApproval():
                require_valid_approval(act, local_time(self._now(), self._zone).date())
            case RecordTraining():
                require_examiner(act, person)
                self._require_exists(
                    "person WHERE name = ? AND is_active = 1 AND post <> 'patron'", act.person, "staff member"
                )
            case _:
                pass

    def _require_round(self, table: str, number: int) -> None:
        """Reject the number of a round that is neither finished nor under way."""
        ((rounds,),) = self.db.execute("SELECT COUNT(*) FROM round WHERE chain = ?", (table,))
        ((is_open,),) = self.db.execute("SELECT is_open FROM chain WHERE id = ?", (table,))
        if not 0 < number <= rounds + is_open:
            raise Mistake(f"The table {table} has no round {number}. Finished rounds: {rounds}.")

    def _require_exists(self, where: str, name: str, what: str) -> None:
        if not self.db.execute(f"SELECT 1 FROM {where}", (name,)):  # noqa: S608 (our words)
            raise Mistake(f"There is no {what} “{name}”.")

    def _suspend(self, unit: UnitOfWork, table: str, offer: str, *, taken: bool) -> None:
        row = unit.chain(table)
        assert row is not None, "_require_allowed found the table"
        settings, offered = settings_of(row.settings), submission_of(decode_header(row.header).submission).wagers
        if offer not in offered:
            raise Mistake(f"The table offers no “{offer}”; {hint(offer, offered)}")
        others = tuple(name for name in settings.suspended if name != offer)
        changed = msgspec.structs.replace(settings, suspended=others if taken else (*others, offer))
        self.db.execute("UPDATE chain SET settings = ? WHERE id = ?", (encode_json(changed), table))
        unit.changed.add(table)

    def _hire(self, name: str, post: Post, password: str) -> None:
        self.db.execute(
            "INSERT INTO person (name, post, password, is_active, failures, locked_until) VALUES (?, ?, ?, 1, 0, 0)"
            " ON CONFLICT (name) DO UPDATE SET post = excluded.post, password = excluded.password, is_active = 1",
            (name, post, password),
        )
        self.db.execute("DELETE FROM session WHERE person = ?", (name,))

    def _open(self, unit: UnitOfWork, act: OpenTable) -> list[ledger.Posting]:
        """Open a table, and its meters unless a linked table has opened them."""
        _require_valid_settings(act.settings)
        if unit.chain(require_name(act.table)):
            raise Mistake(f"The name “{act.table}” is or was used by another table. Choose another.")
        found, wrong = parse(act.submission, act.table)
        wrong = wrong or (problems(found) if found else wrong)
        if wrong or found is None:
            raise Mistake(f"The Submission is not valid: {wrong[0].where}: {wrong[0].problem}")
        if read_money_kind(self.db) == REAL:
            require_approvals(self.db, act.table, act.submission, local_time(self._now(), self._zone).date())
        for offer in act.settings.links:
            if offer not in found.wagers or found.wagers[offer].linked is Link.NO:
                raise Mistake(f"The Submission does not link “{offer}” with other tables.")
        timed = act.settings.automatic and not act.scanned
        begun = header(
            act.submission, scanned=act.scanned, decision_timeout=act.settings.decision or None if timed else None
        )
        text, digest = encode_and_hash(begun, "")
        standing = new_live_table(act.table, begun, digest, act.settings)
        _insert_chain(self.db, act.table, "table", text, digest, encode_json(act.settings))
        postings: list[ledger.Posting] = []
        for name, (meter, rule) in opening_meters(standing).items():
            known = self.db.execute("SELECT rule FROM meter WHERE id = ?", (name,))
            if known and bytes(known[0][0]) != rule:
                raise Mistake(f"The meter {name} has other parameters. Linked tables must agree on them.")
            if not known:
                columns = ", ".join(("id", *METER_COLUMNS, "seq", "rule"))
                amounts = [getattr(meter, field) for field in METER_COLUMNS]
                marks = ", ".join("?" * (len(METER_COLUMNS) + 3))
                self.db.execute(
                    f"INSERT INTO meter ({columns}) VALUES ({marks})",  # noqa: S608 (our columns)
                    (name, *amounts, 0, rule),
                )
                postings += ledger.meter_postings(name, Meter(), meter)
        return postings


def pending_requests(db: Connection) -> list[dict[str, Any]]:
    """Return the requests that wait for a second person, without passwords."""
    rows = db.execute("SELECT id, kind, chain, body, requested_by, time FROM approval ORDER BY time, id")
    names = ("id", "kind", "chain", "body", "requested_by", "time")
    found = [{**dict(zip(names, row, strict=True)), "body": msgspec.json.decode(row[3])} for row in rows]
    for one in found:
        one["body"].pop("password", None)
    return found


def _slip(unit: UnitOfWork, act: Act) -> Slip | None:
    """Return the slip for an act, if it needs one."""
    match act:
        case Fill(table):
            return table_slip(unit, SlipKind.FILL, table)
        case Credit(table):
            return table_slip(unit, SlipKind.CREDIT, table)
        case Note(table, number):
            return Slip(kind=SlipKind.DISPUTE, table=table, round=number)
        case _:
            return None


def _refuse(why: str, cite: str) -> ActResult:
    return ActResult(accepted=False, why=why, cite=cite)
