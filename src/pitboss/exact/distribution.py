"""The outcomes of a wager over all equally likely deals, and the figures that follow.

Counts and cents are integers and figures are fractions; only square roots are floats.
"""

from fractions import Fraction
from math import isqrt

import msgspec


class WeightedOutcome(msgspec.Struct, frozen=True):
    """One outcome of a wager and its number of deals."""

    name: str
    count: int
    """The number of deals."""
    net: int
    """The player's net result, in cents."""
    wagered: int
    """The player's total wager, in cents."""
    meter: str = ""
    percent: int = 0
    """The share of a meter that it pays, if any; `net` then assumes that the meter is at its seed."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """All outcomes of a wager."""

    stake: int
    """The initial wager, in cents."""
    outcomes: tuple[WeightedOutcome, ...]

    @property
    def deals(self) -> int:
        """The number of equally likely deals."""
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def net(self) -> Fraction:
        """The sum of the player's results over all deals, in initial wagers."""
        return Fraction(sum(outcome.count * outcome.net for outcome in self.outcomes), self.stake)

    @property
    def house_edge(self) -> Fraction:
        """The house's average share of the initial wager."""
        return -self.net / self.deals

    @property
    def average_wager(self) -> Fraction:
        """The average total wager, in initial wagers."""
        return Fraction(sum(outcome.count * outcome.wagered for outcome in self.outcomes), self.stake * self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """The house's average share of the total wager."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """The chance of a net win."""
        return Fraction(sum(outcome.count for outcome in self.outcomes if outcome.net > 0), self.deals)

    @property
    def variance(self) -> Fraction:
        """The variance of the player's result in initial wagers."""
        squares = sum(outcome.count * outcome.net**2 for outcome in self.outcomes)
        return Fraction(squares, self.stake**2 * self.deals) - self.house_edge**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the player's result in initial wagers."""
        return square_root(self.variance)

    def by_net(self) -> dict[Fraction, int]:
        """Return the number of deals for each result, in initial wagers, from the worst to the best."""
        counts: dict[Fraction, int] = {}
        for outcome in self.outcomes:
            result = Fraction(outcome.net, self.stake)
            counts[result] = counts.get(result, 0) + outcome.count
        return dict(sorted(counts.items()))


def square_root(number: Fraction) -> float:
    """Return the square root of a fraction as the nearest float."""
    scale = 10**30
    return isqrt(number.numerator * number.denominator * scale**2) / (number.denominator * scale)
