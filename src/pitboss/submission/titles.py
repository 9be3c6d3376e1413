"""Titles of the wagers that a Submission offers."""

from pitboss.games import GAMES
from pitboss.rulebook import rulebook


def offer_title(game: str, offer: str) -> str:
    """Return the title of an offer; if its wagers have several, the title of their paytable.

    >>> offer_title("caribbean-stud", "ante"), offer_title("caribbean-stud", "five-card-hand")
    ('Ante', 'Five Card Hand Bonus')
    """
    own = [wager for wager in GAMES[game].initial if wager.offer == offer]
    if len({wager.title for wager in own}) == 1:
        return own[0].title
    return rulebook().games[game].paytables[own[0].by.paytable].title


def analysis_title(game: str, offer: str) -> str:
    """Return the title of an offer in an analysis, which takes the required wagers together.

    >>> analysis_title("caribbean-stud", "ante"), analysis_title("caribbean-stud", "five-card-hand")
    ('Ante and Bet', 'Five Card Hand Bonus')
    """
    declared = GAMES[game]
    if offer == declared.required:
        return " and ".join(map(str.capitalize, declared.required_wagers))
    return offer_title(game, offer)
