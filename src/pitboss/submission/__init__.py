"""The operator's Rules Submission: parse it, check it against the chapter, compare versions, turn it into terms.

    model, parser, loading              the file: its types, its form, reading and rejecting it
    check, meters, payout_floor         the chapter's limits
    terms, overrides                    a Submission as `Terms`, and with other choices
    hold_warnings, titles               holds outside the published range; titles of wagers
    changes, approvals                  differences of versions; approvals that a table needs
    form, choices, form_paper, signs    the form of a game, the choices made, the paper; required text

>>> from pitboss.submission import load, presets, terms_of
>>> presets()
['cajun-stud-rack-card', 'cajun-stud-standard', 'caribbean-stud-standard', 'four-card-prime-as-published', \
'four-card-prime-standard']
>>> terms_of(load("cajun-stud-rack-card")).letters["ante-raise"]
'B'
"""

from pitboss.submission.check import problems
from pitboss.submission.hold_warnings import EdgeWarning, edge_warnings
from pitboss.submission.loading import examine, load, read_draft, read_valid, require_valid, submission_hash
from pitboss.submission.model import Dealing, Link, Offer, Shuffler, Submission, Table
from pitboss.submission.parser import DEMONSTRATION, Problem, parse, presets, text_of
from pitboss.submission.terms import terms_of

__all__ = [
    "Submission",
    "Table",
    "Offer",
    "Dealing",
    "Shuffler",
    "Link",
    "presets",
    "DEMONSTRATION",
    "load",
    "text_of",
    "read_valid",
    "read_draft",
    "require_valid",
    "examine",
    "parse",
    "problems",
    "Problem",
    "edge_warnings",
    "EdgeWarning",
    "terms_of",
    "submission_hash",
]
