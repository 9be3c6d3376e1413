"""The operator's Rules Submission: parse it, check it against the chapter, compare versions, turn it into terms.

>>> from pitboss.submission import load, presets, terms_of
>>> presets()
['cajun-stud-rack-card', 'cajun-stud-standard', 'caribbean-stud-standard', 'four-card-prime-as-published', \
'four-card-prime-standard']
>>> terms_of(load("cajun-stud-rack-card")).letters["ante-raise"]
'B'
"""

from collections.abc import Sequence

from pitboss.errors import Mistake
from pitboss.submission.check import problems
from pitboss.submission.hold_warnings import EdgeWarning, edge_warnings
from pitboss.submission.model import Dealing, Link, Offer, Shuffler, Submission, Table
from pitboss.submission.parser import DEMONSTRATION, Problem, parse, presets, text_of
from pitboss.submission.terms import terms_of

__all__ = [
    "DEMONSTRATION",
    "Dealing",
    "EdgeWarning",
    "Link",
    "Offer",
    "Problem",
    "Shuffler",
    "Submission",
    "Table",
    "edge_warnings",
    "examine",
    "insist",
    "load",
    "parse",
    "presets",
    "problems",
    "terms_of",
    "text_of",
]


def examine(name: str) -> tuple[Submission | None, list[Problem]]:
    """Parse a Submission, from a file or a preset, and return it with all its problems."""
    submission, issues = parse(text_of(name), name)
    return submission, [*issues, *(problems(submission) if submission else [])]


def load(name: str) -> Submission:
    """Return a valid Submission; raise `Mistake` with its first problem otherwise."""
    submission, issues = examine(name)
    if submission is None or issues:
        raise _invalid(name, issues)
    return submission


def insist(submission: Submission, name: str) -> None:
    """Raise `Mistake` unless the Submission is valid."""
    if issues := problems(submission):
        raise _invalid(name, issues)


def _invalid(name: str, issues: Sequence[Problem]) -> Mistake:
    first, more = issues[0], len(issues) - 1
    rest = f" (and {more} more; see `pitboss submission check`)" if more else ""
    clause = f" ({first.cite})" if first.cite else ""
    return Mistake(f"The Submission {name} is not valid: {first.where}: {first.problem}{clause}{rest}")
