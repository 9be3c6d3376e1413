"""The house edge under a payout limit, by wager: the limit cuts the highest pays and changes the best decisions."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from pitboss.errors import Mistake
from pitboss.exact import side_wagers
from pitboss.exact.analysis import required_distribution, terms_of_row, wager_for_offer
from pitboss.exact.distribution import Distribution
from pitboss.games import GAMES
from pitboss.games.declarations import LIMIT_MEANING, LIMIT_SCOPE
from pitboss.money import DOLLAR
from pitboss.rulebook.readings import Choice


class EdgeUnderLimit(msgspec.Struct, frozen=True, kw_only=True):
    """The edge of one wager of one amount under a limit."""

    wager: int
    """The initial wager, in cents."""
    house_edge: Fraction
    free: Fraction
    """The edge without a limit."""


def edges_under_limit(  # noqa: PLR0913, PLR0917 (one wager and its limit)
    game: str, offer: str, letter: str, readings: Choice, limit: int, wagers: Sequence[int]
) -> list[EdgeUnderLimit]:
    """Return the edge for each of these wagers, in cents, with the best decisions under the limit."""
    if offer not in limited_offers(game, readings):
        raise Mistake(f"{game} has no payout limit on {offer}.")
    free = distribution_under_limit(game, offer, letter, readings, None, DOLLAR).house_edge
    found = [
        (wager, distribution_under_limit(game, offer, letter, readings, limit, wager).house_edge) for wager in wagers
    ]
    return [EdgeUnderLimit(wager=wager, house_edge=edge, free=free) for wager, edge in found]


def lowest_limited_wager(game: str, offer: str, letter: str, readings: Choice, limit: int) -> int:
    """Return the lowest initial wager whose highest pay exceeds the limit; whole dollars, in cents."""
    found, of = distribution_under_limit(game, offer, letter, readings, None, DOLLAR), GAMES[game].limit
    stake = readings.get(LIMIT_MEANING) == "stake-included"
    pays = (one for one in found.outcomes if of is None or one.name not in of.exempt)
    most = max(one.net + one.wagered * stake for one in pays)
    return DOLLAR * (limit // most + 1)


def round_amounts(first: int, last: int) -> list[int]:
    """Return round amounts between two others, in cents: 1, 2, 5, 10, … dollars."""
    steps = [DOLLAR * step * 10**power for power in range(8) for step in (1, 2, 5)]
    return [amount for amount in steps if first <= amount <= last]


def limited_offers(game: str, readings: Choice) -> set[str]:
    """Return the offers whose edge a payout limit changes; empty if the limit is on all wagers together."""
    limit = GAMES[game].limit
    if limit is None or readings.get(LIMIT_SCOPE) == "every-wager":
        return set()
    return {wager.offer for wager in GAMES[game].initial if wager.name in limit.wagers}


def distribution_under_limit(  # noqa: PLR0913, PLR0917 (one wager and its limit)
    game: str, offer: str, letter: str, readings: Choice, limit: int | None, stake: int
) -> Distribution:
    """Return the distribution of a wager, in cents, with the best decisions under a limit."""
    terms = terms_of_row(game, offer, letter, readings, limit)
    if offer == terms.game.required:
        return required_distribution(terms, stake)
    return side_wagers.distribution_of(terms, wager_for_offer(terms, offer), stake)
