"""Read a Submission from text, a file or a preset, and reject an invalid one with one sentence."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from pitboss.errors import Mistake
from pitboss.submission.check import problems
from pitboss.submission.model import Submission
from pitboss.submission.parser import Problem, parse, text_of

_UNNAMED: Final = "The Submission"


def load(name: str) -> Submission:
    """Return the valid Submission of a file or a preset; raise `Mistake` with its first problem otherwise."""
    return read_valid(text_of(name), name)


def read_valid(text: str, name: str = "") -> Submission:
    """Return the valid Submission of a text; raise `Mistake` with its first problem otherwise."""
    submission, issues = examine(text, name)
    if submission is None:
        raise _unreadable(name, issues)
    if issues:
        raise _invalid(name, issues)
    return submission


def read_draft(text: str, name: str = "") -> Submission:
    """Return a Submission that may break rules of its chapter; raise `Mistake` if it cannot be read."""
    submission, issues = parse(text, name or _UNNAMED)
    if submission is None:
        raise _unreadable(name, issues)
    return submission


def examine(text: str, name: str = "") -> tuple[Submission | None, list[Problem]]:
    """Parse a Submission; return it, or None if it cannot be read, and all its problems."""
    submission, issues = parse(text, name or _UNNAMED)
    return submission, [*issues, *(problems(submission) if submission else [])]


def require_valid(submission: Submission, name: str) -> None:
    """Raise `Mistake` with the first problem of an invalid Submission."""
    if issues := problems(submission):
        raise _invalid(name, issues)


def submission_hash(text: str) -> str:
    """Return the hash that identifies a Submission by its text."""
    return sha256(text.encode()).hexdigest()


def _unreadable(name: str, issues: Sequence[Problem]) -> Mistake:
    return Mistake(f"“{name or _UNNAMED}” cannot be read: {issues[0].where}: {issues[0].problem}")


def _invalid(name: str, issues: Sequence[Problem]) -> Mistake:
    first, more = issues[0], len(issues) - 1
    clause = f" ({first.cite})" if first.cite else ""
    command = "; see `pitboss submission check`" if name else ""
    rest = f" (and {more} more{command})" if more else ""
    named = f" {name}" if name else ""
    return Mistake(f"The Submission{named} is not valid: {first.where}: {first.problem}{clause}{rest}")
