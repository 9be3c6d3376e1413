"""The report on a Submission: its problems, and the figures of its wagers."""

from collections.abc import Iterator

from pitboss.errors import Mistake
from pitboss.exact.analysis import AnalysisRow, cached_row, tasks_of_submission
from pitboss.exact.liability import Liability, highest_round_loss
from pitboss.exact.payoffs import letters_of
from pitboss.games import GAMES
from pitboss.report.math_views import LimitView, OfferView, SubmissionReport
from pitboss.report.mathematics import limit_view, meters_view, wager_view
from pitboss.report.par.model import limits_of, meters_of, submission_bounds
from pitboss.rulebook import rulebook
from pitboss.submission import Problem, Submission, edge_warnings, examine, terms_of
from pitboss.submission.choices import choices_of
from pitboss.submission.terms import readings_of

NAME = "The text"


def examine_submission(text: str) -> SubmissionReport:
    """Parse a Submission, find its problems, and calculate the figures of its valid wagers."""
    try:
        submission, wrong = examine(text, NAME)
    except Mistake as mistake:
        return _unreadable_report([Problem("", str(mistake))])
    if submission is None:
        return _unreadable_report(wrong)
    chapter = rulebook().games[submission.game].chapter if submission.game in GAMES else None
    liability = None if wrong else _liability(submission)
    return SubmissionReport(
        in_order=not wrong,
        problems=tuple(Problem(one.where, one.problem, str(one.cite)) for one in wrong),
        warnings=() if wrong else tuple(edge_warnings(terms_of(submission))),
        submission=choices_of(submission),
        title=chapter.title if chapter else "",
        edition=chapter.edition if chapter else "",
        wagers=tuple(_wagers(submission, liability)) if chapter else (),
        liability_box=liability.box if liability else None,
        liability=liability.round if liability else None,
    )


def _unreadable_report(wrong: list[Problem]) -> SubmissionReport:
    return SubmissionReport(
        in_order=False,
        problems=tuple(wrong),
        warnings=(),
        submission=None,
        title="",
        edition="",
        wagers=(),
        liability_box=None,
        liability=None,
    )


def _liability(submission: Submission) -> Liability:
    starting = {
        name: {meter: int(amount) for meter, amount in offer.starting.items()}
        for name, offer in submission.wagers.items()
    }
    return highest_round_loss(terms_of(submission), submission.table.seats, starting)


def _wagers(submission: Submission, liability: Liability | None) -> Iterator[OfferView]:
    """Yield the figures of each wager with a valid paytable; none if the readings are invalid."""
    try:
        readings = rulebook().options(readings_of(submission))
    except Mistake:
        return
    for row in _rows(submission, readings):
        offer, meters = submission.wagers[row.offer], meters_of(submission.game, [row], readings)
        yield OfferView(
            shown=wager_view(submission.game, row, outcomes=False),
            minimum=None if offer.minimum is None else int(offer.minimum),
            maximum=None if offer.maximum is None else int(offer.maximum),
            amounts=tuple(map(int, offer.amounts)),
            most=liability.offers[row.offer] if liability else None,
            limited=_limited(submission, row, readings) if liability else None,
            meters=next((meters_view(submission.game, one) for one in meters), None),
        )


def _limited(submission: Submission, row: AnalysisRow, readings: dict[str, str]) -> LimitView | None:
    try:
        curves = list(limits_of(submission.game, [row], readings, submission_bounds(submission)))
    except Mistake:  # the maximum is too large to calculate
        return None
    return limit_view(submission.game, curves[0]) if curves else None


def _rows(submission: Submission, readings: dict[str, str]) -> Iterator[AnalysisRow]:
    known = letters_of(submission.game)
    for task in tasks_of_submission(submission):
        (letter,) = task.letters
        if letter in known[task.offer]:
            yield cached_row(submission.game, task.offer, letter, readings)
