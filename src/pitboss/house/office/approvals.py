"""Submissions of the house, current and superseded, with the Board's approvals.

The Board approves on paper; the house records the date and reference of each approval.
"""

from collections.abc import Iterator, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house.live_table import LiveTable, submission_of
from pitboss.house.office.acts import RecordApproval
from pitboss.house.office.house_log import decode_house_entry
from pitboss.house.office.money_kind import REAL, read_money_kind
from pitboss.house.office.submission_periods import SubmissionPeriod, submissions
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.rulebook import rulebook
from pitboss.submission import Dealing, read_valid, submission_hash
from pitboss.submission.approvals import RULES, NeededApproval, missing_approvals
from pitboss.table import Refusal


class BoardApproval(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded approval of the Board."""

    date: str
    """The date of the approval."""
    reference: str
    recorded: int
    """When it was recorded, in seconds since 1970."""
    by: str


class TablePeriod(msgspec.Struct, frozen=True, kw_only=True):
    """The period of a Submission at a table; `until` is None while it is in force."""

    table: str
    since: int
    until: int | None
    by: str


class HouseSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """One Submission of the house, identified by the hash of its text."""

    sha256: str
    game: str
    title: str
    property: str
    version: str
    current: bool
    """Whether it is in force at a table."""
    tables: tuple[TablePeriod, ...]
    approvals: tuple[BoardApproval, ...]
    text: str
    supersedes: str | None = None
    """The hash of the game's previous Submission."""


def require_valid_approval(act: RecordApproval, today: date) -> None:
    """Reject an invalid or future date, a missing reference, or an invalid Submission."""
    try:
        day = date.fromisoformat(act.date)
    except ValueError:
        day = None
    if day is None or day.isoformat() != act.date:
        raise Mistake(f"“{act.date}” is not a date such as 2026-01-15.")
    if day > today:
        raise Mistake(f"{act.date} is in the future. Record an approval after the Board gave it.")
    if not act.reference.strip() or not act.reference.isprintable():
        raise Mistake("Enter the Board's reference for the approval, in one line.")
    found = read_valid(act.submission)
    if found.approved not in {None, day}:
        raise Mistake(f"The Submission gives another date of approval: {found.approved}.")


class MissingApproval(Mistake):
    """A table for real money lacks an approval."""

    def __init__(self, table: str, lacking: Sequence[NeededApproval]) -> None:
        """List the missing approvals, each with its clause."""
        words = "; ".join(f"{needed.words} (§ {needed.cite})" for needed in lacking)
        super().__init__(
            f"The table {table} is not approved for real money. Missing: {words}. Write the reference and the date of"
            " each into the Submission."
        )
        self.cite = lacking[0].cite


def require_approvals(db: Connection | None, table: str, text: str, today: date) -> None:
    """Reject a table for real money that lacks approvals; one recorded in the house's log counts for the rules."""
    recorded = any(text == known for known, _ in _approvals(db)) if db else False
    missing = missing_approvals(submission_of(text), today)
    if lacking := [needed for needed in missing if not (recorded and needed.kind == RULES)]:
        raise MissingApproval(table, lacking)


def unapproved_dealing(db: Connection, live: LiveTable, dealing: Dealing, today: date) -> Refusal | None:
    """Return a refusal if `dealing` lacks an approval that the Submission's own way of dealing does not lack."""
    if read_money_kind(db) != REAL:
        return None
    own = live.submission
    changed = replace(own, table=replace(own.table, dealing=dealing))
    before = missing_approvals(own, today)
    lacking = next((needed for needed in missing_approvals(changed, today) if needed not in before), None)
    return Refusal(f"The table is not approved for that. Missing: {lacking.words}.", lacking.cite) if lacking else None


def house_submissions(db: Connection) -> list[HouseSubmission]:
    """Return every Submission that was in force or approved: current ones first, then the newest."""
    known: dict[str, list[SubmissionPeriod]] = {}
    for one in submissions(db):
        known.setdefault(one.text, []).append(one)
    approved: dict[str, list[BoardApproval]] = {}
    for text, approval in _approvals(db):
        approved.setdefault(text, []).append(approval)
    found = [_house_submission(text, known.get(text, []), approved.get(text, [])) for text in {**known, **approved}]
    return sorted(_link_predecessors(found), key=lambda one: (not one.current, -_newest(one)))


def _link_predecessors(found: list[HouseSubmission]) -> Iterator[HouseSubmission]:
    """Yield Submissions by age, each linked to its game's previous one."""
    last: dict[str, str] = {}
    for one in sorted(found, key=lambda one: min(_times(one))):
        yield replace(one, supersedes=last.get(one.game))
        last[one.game] = one.sha256


def _approvals(db: Connection) -> list[tuple[str, BoardApproval]]:
    found = []
    for _, body, _ in entries(db, HOUSE):
        if b'"RecordApproval"' in body and isinstance(act := (written := decode_house_entry(body)).act, RecordApproval):
            approval = BoardApproval(date=act.date, reference=act.reference, recorded=written.time, by=written.actor)
            found.append((act.submission, approval))
    return found


def _house_submission(text: str, known: list[SubmissionPeriod], approved: list[BoardApproval]) -> HouseSubmission:
    submission = submission_of(text)
    return HouseSubmission(
        sha256=submission_hash(text),
        game=submission.game,
        title=rulebook().games[submission.game].chapter.title,
        property=submission.property,
        version=submission.version,
        current=any(one.until is None for one in known),
        tables=tuple(TablePeriod(table=one.table, since=one.since, until=one.until, by=one.by) for one in known),
        approvals=tuple(approved),
        text=text,
    )


def _newest(one: HouseSubmission) -> int:
    return max(_times(one))


def _times(one: HouseSubmission) -> list[int]:
    """Return the times when a Submission came into force or was approved."""
    return [*(table.since for table in one.tables), *(approval.recorded for approval in one.approvals)]
