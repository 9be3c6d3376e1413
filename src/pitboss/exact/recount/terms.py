"""The terms for recounting required wagers: every paytable, and every reading that changes them."""

from collections.abc import Mapping, Sequence
from typing import Final

from pitboss.exact.payoffs import letters_of, terms_for
from pitboss.games import GAMES, Terms
from pitboss.ranking import Ranking
from pitboss.rulebook.readings import Choice

READINGS: Final[Mapping[str, Sequence[Choice]]] = {
    "caribbean-stud": ({},),
    "four-card-prime": (
        {},
        {"win-bonus-for-one": "pays-n-less-one"},
        {"win-bonus-on-tie": "definition"},
        {"same-rank-comparison": "tie"},
    ),
    "cajun-stud": ({}, {"ev-ties": "smaller-wager"}),
}
"""The readings that change the required wagers, one at a time."""


def recount_terms(game: str) -> list[list[Terms]]:
    """Return the terms of a game's required wagers, grouped by equal order of hands."""
    groups: list[list[Terms]] = []
    for letter in letters_of(game)[GAMES[game].required]:
        for choice in READINGS[game]:
            terms = terms_for(game, {GAMES[game].required: letter}, choice)
            for group in groups:
                if _orders(group[0]) == _orders(terms):
                    group.append(terms)
                    break
            else:
                groups.append([terms])
    return groups


def _orders(terms: Terms) -> list[Ranking]:
    contest = terms.game.contest
    return [terms.evaluators[name].ranking for name in (contest.ranking, contest.qualifying) if name] if contest else []
