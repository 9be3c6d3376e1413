"""Simple strategies compared with the best decisions, for each kind of game."""

from fractions import Fraction

import msgspec

from pitboss.exact.distribution import Distribution
from pitboss.games import Terms


class StrategyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A strategy, its distribution and its cost."""

    name: str
    rules: tuple[str, ...]
    distribution: Distribution
    cost: Fraction
    """The loss compared with the best decisions, in initial wagers."""


def compare_with_best(name: str, rules: tuple[str, ...], found: Distribution, best: Distribution) -> StrategyResult:
    """Return a strategy with its cost compared with the best decisions."""
    return StrategyResult(name=name, rules=rules, distribution=found, cost=found.house_edge - best.house_edge)


def judge_strategies(terms: Terms) -> list[StrategyResult]:
    """Return the results of the best decisions, the best simple rule, and known strategies."""
    if terms.game.contest:
        from pitboss.exact import threshold_strategy  # noqa: PLC0415 (it imports this module)

        return threshold_strategy.judge_threshold_strategies(terms)
    from pitboss.exact import point_strategy  # noqa: PLC0415 (as above)

    return point_strategy.judge_point_strategy(terms)
