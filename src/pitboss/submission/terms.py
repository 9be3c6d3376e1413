"""Turn a Submission into the terms that settle its table."""

from typing import Final

from pitboss.errors import Mistake
from pitboss.games import GAMES, Bounds, Terms, agree
from pitboss.rulebook import rulebook
from pitboss.submission.model import Offer, Submission

ABANDONED: Final = "abandoned-wagers"
"""The one reading that a Submission chooses in [table], not in [readings]."""


def readings_of(submission: Submission) -> dict[str, str]:
    """Return all readings that a Submission chooses, also in [table]."""
    policy = submission.table.abandoned_wagers
    return {**submission.readings, **({ABANDONED: policy} if policy else {})}


def terms_of(submission: Submission) -> Terms:
    """Return the terms of a valid Submission."""
    if submission.game not in GAMES:
        raise Mistake(f"There is no game “{submission.game}”; there are {', '.join(GAMES)}.")
    return agree(
        GAMES[submission.game],
        rulebook(),
        offered={name: _bounds(offer) for name, offer in submission.wagers.items()},
        letters={name: offer.paytable for name, offer in submission.wagers.items() if offer.paytable},
        readings=readings_of(submission),
        unit=int(submission.table.unit),
        payout_limit=_plain(submission.table.payout_limit),
        bonuses={name for offer in submission.wagers.values() for name in offer.bonuses},
    )


def _bounds(offer: Offer) -> Bounds:
    return Bounds(_plain(offer.minimum) or 0, _plain(offer.maximum), tuple(sorted(map(int, offer.amounts))))


def _plain(amount: int | None) -> int | None:
    """Return an amount as a plain int, as settlement requires."""
    return None if amount is None else int(amount)
