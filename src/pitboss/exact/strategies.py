"""Strategies a person can keep in mind, for each kind of game."""

from fractions import Fraction

import msgspec

from pitboss.exact.distribution import Distribution
from pitboss.games import Terms


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A strategy and what it comes to."""

    name: str
    rules: tuple[str, ...]
    distribution: Distribution
    cost: Fraction
    """What it loses more than the best decisions, over the initial wager."""


def judge(name: str, rules: tuple[str, ...], found: Distribution, best: Distribution) -> Judged:
    """Compare what a strategy comes to with the best decisions."""
    return Judged(name=name, rules=rules, distribution=found, cost=found.house_edge - best.house_edge)


def judged(terms: Terms) -> list[Judged]:
    """Return the best decisions, the nearest a simple rule comes to them, and what is known besides."""
    if terms.game.contest:
        from pitboss.exact import thresholds  # noqa: PLC0415 (each needs this module)

        return thresholds.judged(terms)
    from pitboss.exact import points  # noqa: PLC0415 (the same)

    return points.judged(terms)
