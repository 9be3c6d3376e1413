"""Strategies a person can keep in mind, for each kind of game."""

from fractions import Fraction

import msgspec

from pitboss.exact.distribution import Distribution
from pitboss.games import Terms


class StrategyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A strategy and what it comes to."""

    name: str
    rules: tuple[str, ...]
    distribution: Distribution
    cost: Fraction
    """What it loses more than the best decisions, over the initial wager."""


def compare_with_best(name: str, rules: tuple[str, ...], found: Distribution, best: Distribution) -> StrategyResult:
    """Compare what a strategy comes to with the best decisions."""
    return StrategyResult(name=name, rules=rules, distribution=found, cost=found.house_edge - best.house_edge)


def judge_strategies(terms: Terms) -> list[StrategyResult]:
    """Return the best decisions, the nearest a simple rule comes to them, and what is known besides."""
    if terms.game.contest:
        from pitboss.exact import threshold_strategy  # noqa: PLC0415 (each needs this module)

        return threshold_strategy.judge_threshold_strategies(terms)
    from pitboss.exact import point_strategy  # noqa: PLC0415 (the same)

    return point_strategy.judge_point_strategy(terms)
