"""Submissions of the house, superseded ones too, and what the Board approved: when, under which name, recorded by whom.

The Board's approval is outside of any software; here it is written down, and kept.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house.acts import RecordApproval
from pitboss.house.connections import Connection
from pitboss.house.evidence.significant_events import SubmissionPeriod, decode_house_entry, submissions
from pitboss.house.evidence.snapshot import entries
from pitboss.house.house_log import HOUSE
from pitboss.house.live_table import LiveTable, submission_of
from pitboss.house.money_kind import REAL, read_money_kind
from pitboss.rulebook import rulebook
from pitboss.submission import Dealing, parse, problems
from pitboss.submission.approvals import RULES, NeededApproval, missing_approvals
from pitboss.table import Refusal


class BoardApproval(msgspec.Struct, frozen=True, kw_only=True):
    """An approval that was recorded."""

    date: str
    """When the Board approved it."""
    reference: str
    recorded: int
    """When that was written down, in seconds since 1970."""
    by: str


class TablePeriod(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a Submission is or was in force at; until now where there is no end."""

    table: str
    since: int
    until: int | None
    by: str


class HouseSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """One Submission of the house, known by the hash of its text."""

    sha256: str
    game: str
    title: str
    property: str
    version: str
    current: bool
    """Whether a table is run by it."""
    tables: tuple[TablePeriod, ...]
    approvals: tuple[BoardApproval, ...]
    text: str
    supersedes: str | None = None
    """The hash of the Submission of this game that came before it."""


def require_valid_approval(act: RecordApproval, today: date) -> None:
    """Refuse an approval that cannot have been given."""
    try:
        day = date.fromisoformat(act.date)
    except ValueError:
        day = None
    if day is None or day.isoformat() != act.date:
        raise Mistake(f"“{act.date}” is not a date such as 2026-01-15.")
    if day > today:
        raise Mistake(f"{act.date} is still to come: an approval is recorded when it was given.")
    if not act.reference.strip() or not act.reference.isprintable():
        raise Mistake("An approval has a reference: what the Board calls it, in one line.")
    found, wrong = parse(act.submission, "The Submission")
    wrong = wrong or (problems(found) if found else wrong)
    if wrong or found is None:
        raise Mistake(f"The Submission is not valid: {wrong[0].where}: {wrong[0].problem}")
    if found.approved not in {None, day}:
        raise Mistake(f"The Submission says of itself that it was approved on {found.approved}.")


class MissingApproval(Mistake):
    """A table for real money lacks an approval."""

    def __init__(self, table: str, lacking: Sequence[NeededApproval]) -> None:
        """Say which approvals are missing, and where they are written down."""
        words = "; ".join(f"{needed.words} (§ {needed.cite})" for needed in lacking)
        super().__init__(
            f"The table {table} is not approved for real money. Missing: {words}. Write the reference and the date of"
            " each into the Submission."
        )
        self.cite = lacking[0].cite


def require_approvals(db: Connection | None, table: str, text: str, today: date) -> None:
    """Refuse to open a table for real money without every approval it needs; that of the rules may be recorded."""
    recorded = any(text == known for known, _ in _approvals(db)) if db else False
    missing = missing_approvals(submission_of(text), today)
    if lacking := [needed for needed in missing if not (recorded and needed.kind == RULES)]:
        raise MissingApproval(table, lacking)


def unapproved_dealing(db: Connection, standing: LiveTable, dealing: Dealing, today: date) -> Refusal | None:
    """Refuse another way of dealing for real money if it needs an approval that the Submission's own way does not."""
    if read_money_kind(db) != REAL:
        return None
    own = standing.submission
    changed = replace(own, table=replace(own.table, dealing=dealing))
    before = missing_approvals(own, today)
    lacking = next((needed for needed in missing_approvals(changed, today) if needed not in before), None)
    return Refusal(f"The table is not approved for that. Missing: {lacking.words}.", lacking.cite) if lacking else None


def house_submissions(db: Connection) -> list[HouseSubmission]:
    """Return every Submission that is or was in force, or was approved; those in force first, then the newest."""
    known: dict[str, list[SubmissionPeriod]] = {}
    for one in submissions(db):
        known.setdefault(one.text, []).append(one)
    approved: dict[str, list[BoardApproval]] = {}
    for text, approval in _approvals(db):
        approved.setdefault(text, []).append(approval)
    found = [_house_submission(text, known.get(text, []), approved.get(text, [])) for text in {**known, **approved}]
    return sorted(_link_predecessors(found), key=lambda one: (not one.current, -_newest(one)))


def _link_predecessors(found: list[HouseSubmission]) -> Iterator[HouseSubmission]:
    """Yield Submissions in the order they came, each with the one of its game before it."""
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
        sha256=sha256(text.encode()).hexdigest(),
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
    """Return when a Submission came into force or was approved."""
    return [*(table.since for table in one.tables), *(approval.recorded for approval in one.approvals)]
