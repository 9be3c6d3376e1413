"""From a Submission to the terms a table settles by."""

from typing import Final

from pitboss.errors import Mistake
from pitboss.games import GAMES, Bounds, Terms, agree
from pitboss.rulebook import rulebook
from pitboss.submission.model import Offer, Submission

ABANDONED: Final = "abandoned-wagers"
"""The reading that a Submission answers as a field of its own."""


def readings_of(submission: Submission) -> dict[str, str]:
    """Return the readings a Submission chooses, wherever it says so."""
    policy = submission.table.abandoned_wagers
    return {**submission.readings, **({ABANDONED: policy} if policy else {})}


def terms_of(submission: Submission) -> Terms:
    """Return the terms of a Submission that has been found in order."""
    if submission.game not in GAMES:
        raise Mistake(f"There is no game “{submission.game}”; there are {', '.join(GAMES)}.")
    return agree(
        GAMES[submission.game],
        rulebook(),
        offered={name: _bounds(offer) for name, offer in submission.wagers.items()},
        letters={name: offer.paytable for name, offer in submission.wagers.items() if offer.paytable},
        readings=readings_of(submission),
        unit=submission.table.unit,
        payout_limit=submission.table.payout_limit,
    )


def _bounds(offer: Offer) -> Bounds:
    return Bounds(offer.minimum or 0, offer.maximum, tuple(sorted(offer.amounts)))
