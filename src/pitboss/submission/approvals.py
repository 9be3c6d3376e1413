"""The approvals that a table needs before it opens for real money, each with its clause; and those still missing.

Approvals are part of the Submission. A table's log begins with the Submission's text, so it also records the approvals.
"""

import datetime as dt
from collections.abc import Iterator

import msgspec

from pitboss.games import GAMES
from pitboss.rulebook import rulebook
from pitboss.rulebook.grounds import Ground, Grounds
from pitboss.submission.model import Approval, Dealing, Shuffler, Submission

RULES = "approved"
"""The approval of the Submission itself: the date at the top of the file."""
_KINDS = {
    Ground.LAYOUT: ("layout", "the layout, by the Bureau of Gaming Operations"),
    Ground.DROP_BOX: ("drop-box", "the places of drop box and tip box, by the Bureau of Casino Compliance"),
    Ground.PROGRESSIVE_SYSTEM: ("progressive-system", "the progressive table game system"),
    Ground.ELECTRONIC_SYSTEM: ("electronic-wagering", "the table game system and the electronic wagering system"),
    Ground.APPROVED_DEVICE: ("device", "the device that reshuffles and counts, by Gaming Laboratory Operations"),
    Ground.MANUAL_SHOE_PLACE: ("manual-shoe", "the place of the manual shoe, by the Bureau of Casino Compliance"),
}


class NeededApproval(msgspec.Struct, frozen=True):
    """One approval: its key under [approvals], its subject in words, and the clause that requires it."""

    kind: str
    words: str
    cite: str


def kinds(game: str) -> tuple[NeededApproval, ...]:
    """Return every approval that a table of this game can need."""
    grounds = rulebook().games[game].chapter.grounds
    return tuple(_needed_approval(grounds, ground) for ground in _KINDS if ground in grounds)


def needed_approvals(submission: Submission) -> list[NeededApproval]:
    """Return the approvals that a table with this Submission needs; the Submission's own comes first."""
    grounds = rulebook().games[submission.game].chapter.grounds
    rules = NeededApproval(RULES, "the Rules Submission, by the Board", grounds[Ground.PAYOUTS])
    return [rules, *(_needed_approval(grounds, ground) for ground in _grounds(submission))]


def _grounds(submission: Submission) -> Iterator[Ground]:
    yield Ground.LAYOUT
    yield Ground.DROP_BOX
    metered = rulebook().games[submission.game].meters
    wagers = [wager for wager in GAMES[submission.game].initial if wager.offer in submission.wagers.keys() & metered]
    if any(not wager.electronic for wager in wagers):
        yield Ground.PROGRESSIVE_SYSTEM
    if any(wager.electronic for wager in wagers):
        yield Ground.ELECTRONIC_SYSTEM
    if submission.table.shuffler is Shuffler.APPROVED_DEVICE:
        yield Ground.APPROVED_DEVICE
    if submission.table.dealing is Dealing.MANUAL_SHOE:
        yield Ground.MANUAL_SHOE_PLACE


def _needed_approval(grounds: Grounds, ground: Ground) -> NeededApproval:
    kind, words = _KINDS[ground]
    return NeededApproval(kind, words, grounds[ground])


def approval_of(submission: Submission, kind: str) -> Approval | None:
    """Return the Submission's approval of this kind, if it has one."""
    if kind == RULES:
        return Approval(date=submission.approved) if submission.approved else None
    return submission.approvals.get(kind)


def missing_approvals(submission: Submission, today: dt.date | None = None) -> list[NeededApproval]:
    """Return the needed approvals that are missing, or dated after `today` if that is given."""
    missing = []
    for needed in needed_approvals(submission):
        approval = approval_of(submission, needed.kind)
        if approval is None or (today and approval.date > today):
            missing.append(needed)
    return missing


class ApprovalNotice(msgspec.Struct, frozen=True):
    """The approvals that a table still needs for real money: a sentence, and a list."""

    says: str
    missing: tuple[NeededApproval, ...]


def approval_notice(submission: Submission) -> ApprovalNotice | None:
    """Return a notice of the missing approvals; None if there are none."""
    missing = tuple(missing_approvals(submission))
    listed = "; ".join(f"{needed.words} (§ {needed.cite})" for needed in missing)
    return ApprovalNotice(f"Not approved: {listed}.", missing) if missing else None
