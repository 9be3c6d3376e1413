"""What a wager comes to over all equally likely deals, and every figure that follows from it.

Counts and cents are whole numbers, figures are fractions; a float is only ever a root of one of them.
"""

from fractions import Fraction
from math import isqrt

import msgspec


class WeightedOutcome(msgspec.Struct, frozen=True):
    """One thing that may become of a wager."""

    name: str
    count: int
    """Of so many deals."""
    net: int
    """What the player has more than before, in cents."""
    wagered: int
    """What he has wagered in all, in cents."""
    meter: str = ""
    percent: int = 0
    """The part of a meter it pays, where it does; `net` is then at the meter's seed."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that may become of a wager."""

    stake: int
    """The initial wager, in cents."""
    outcomes: tuple[WeightedOutcome, ...]

    @property
    def deals(self) -> int:
        """How many equally likely deals there are."""
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def net(self) -> Fraction:
        """The player's result over all deals, in initial wagers."""
        return Fraction(sum(outcome.count * outcome.net for outcome in self.outcomes), self.stake)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each initial wager."""
        return -self.net / self.deals

    @property
    def average_wager(self) -> Fraction:
        """What is wagered in all on average, in initial wagers."""
        return Fraction(sum(outcome.count * outcome.wagered for outcome in self.outcomes), self.stake * self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of everything that is wagered."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """The chance that the player has more than before."""
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
        """Return how many deals lead to each result, in initial wagers, from the worst to the best."""
        counts: dict[Fraction, int] = {}
        for outcome in self.outcomes:
            result = Fraction(outcome.net, self.stake)
            counts[result] = counts.get(result, 0) + outcome.count
        return dict(sorted(counts.items()))


def square_root(number: Fraction) -> float:
    """Return the square root of a fraction, to the last digit a float has."""
    scale = 10**30
    return isqrt(number.numerator * number.denominator * scale**2) / (number.denominator * scale)
