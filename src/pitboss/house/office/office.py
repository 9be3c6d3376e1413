"""The office carries out acts of the whole house: people, cash, tables, inventories, corrections, approvals.

Every act becomes an entry of the log `house`; its postings are written in the same transaction.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from hashlib import sha256
from typing import Any, Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.office.act_checks import require_allowed
from pitboss.house.office.act_effects import apply_act, slip_of_act
from pitboss.house.office.acts import (
    IDEMPOTENCY_RULE,
    JACKPOT,
    POSTS_BY_ACT,
    SECOND_PERSON_RULE,
    TWO_PERSON_ACTS,
    Act,
    Approve,
    Decline,
    Hire,
    Noted,
    RecordTraining,
    approvers,
)
from pitboss.house.office.approvals import MissingApproval
from pitboss.house.office.house_log import append_entry
from pitboss.house.office.people import Person, Post, active_person
from pitboss.house.storage.connections import Conflict, Connection
from pitboss.house.storage.logs import HOUSE, has_log, insert_log
from pitboss.house.storage.requests import list_requests
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.house.zone import PENNSYLVANIA, local_time
from pitboss.record.chain import decoder, encode_and_hash, encode_json

POSTS_RULE: Final = "house rule: what each post may do"
HOUSE_PERSON: Final = Person("house", Post.OPERATOR)
"""The house itself, while it is being opened; its acts need no second person."""
KEY_REUSED: Final = "That key was used for another order."
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
    if not has_log(db, HOUSE):
        text, digest = encode_and_hash({"pitboss": 1, "log": HOUSE}, "")
        insert_log(db, HOUSE, HOUSE, text, digest, b"{}")


def _payload(act: Act) -> str:
    """Return a fingerprint of an act; for `Hire` it includes the password hash, to recognize a repeated request."""
    if isinstance(act, Hire):
        return f"{sha256(encode_json(msgspec.structs.replace(act, password=''))).hexdigest()} {act.password}"
    return sha256(encode_json(act)).hexdigest()


def password_hash_for_key(db: Connection, person: str, key: str) -> str:
    """Return the password hash that a person's key was used with, if it was used for `Hire`."""
    before = UnitOfWork(db, lock_rows=False).stored_reply(person, key)
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
                if before := unit.stored_reply(person.name, key):
                    return _DONE.decode(before[1]) if before[0] == payload else _refuse(KEY_REUSED, IDEMPOTENCY_RULE)
                done = self._do_or_request(unit, person, act, may)
                self._answer(unit, person.name, key, payload, done)
        except Mistake as mistake:  # the transaction was rolled back
            done = _refuse(str(mistake), mistake.cite if isinstance(mistake, MissingApproval) else POSTS_RULE)
            with self.db.transaction():
                self._answer(UnitOfWork(self.db), person.name, key, payload, done)
        return done

    def _answer(self, unit: UnitOfWork, person: str, key: str, payload: str, done: ActResult) -> None:
        unit.replies.append((person, key, payload, encode_json(done), int(self._now())))
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
        require_allowed(unit, person, act, self._today())
        if isinstance(act, TWO_PERSON_ACTS) or (
            isinstance(act, Hire) and act.post is not Post.PATRON and person != HOUSE_PERSON
        ):
            waiting = secrets.token_hex(8)
            unit.request(waiting, type(act).__name__, HOUSE, encode_json(act), person.name, int(self._now()))
            return ActResult(accepted=True, waiting=waiting)
        return self._carry_out(unit, person.name, "", act)

    def _approve_or_decline(self, unit: UnitOfWork, person: Person, act: Approve | Decline) -> ActResult:
        waits = unit.pending_request(act.id)
        if waits is None:
            raise Mistake("No request with that id is waiting.")
        kind, body, requested_by = waits
        if isinstance(act, Approve) and requested_by == person.name:
            return _refuse("You asked for this, so another person must approve it.", SECOND_PERSON_RULE)
        if kind == JACKPOT:
            raise Mistake("Approve a jackpot at its table.")
        asked: Act = _ACT.decode(body)
        if isinstance(act, Approve) and person.post not in approvers(type(asked)):
            raise Mistake(f"Your post ({person.post}) may not approve this.")
        unit.delete_request(act.id)
        if isinstance(act, Approve):
            asker = self._require_active(requested_by)
            if asker.post not in POSTS_BY_ACT[type(asked)]:
                raise Mistake(f"{requested_by} asked for this, but may no longer ask for it as {asker.post}.")
            require_allowed(unit, asker, asked, self._today())
        if isinstance(act, Decline):
            return ActResult(
                accepted=True, seq=append_entry(unit, int(self._now()), requested_by, person.name, act).seq
            )
        return self._carry_out(unit, requested_by, person.name, asked)

    def _require_active(self, name: str) -> Person:
        """Return the person who made a request; reject one who was dismissed since."""
        person = active_person(self.db, name)
        if person is None:
            raise Mistake(f"{name}, who asked for this, no longer works here.")
        return person

    def _carry_out(self, unit: UnitOfWork, actor: str, second: str, act: Act) -> ActResult:
        """Carry out an act and append its entry."""
        postings = apply_act(unit, act, self._today())
        written = append_entry(unit, int(self._now()), actor, second, act, postings, slip_of_act(unit, act))
        return ActResult(accepted=True, seq=written.seq, slip=written.slip_name)

    def _today(self) -> date:
        return local_time(self._now(), self._zone).date()


def pending_requests(db: Connection) -> list[dict[str, Any]]:
    """Return the requests that wait for a second person, without passwords."""
    found = [{**row._asdict(), "body": msgspec.json.decode(row.body)} for row in list_requests(db)]
    for one in found:
        one["body"].pop("password", None)
    return found


def _refuse(why: str, cite: str) -> ActResult:
    return ActResult(accepted=False, why=why, cite=cite)
