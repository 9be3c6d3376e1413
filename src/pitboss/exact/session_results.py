"""A player's bankroll after many rounds: the chance of being ahead, and percentiles.

The distribution of one round is exact. That of many rounds is its convolution by floating-point transforms; it is
accurate to about ten digits, so it is not called exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Final

import msgspec
import numpy as np

from pitboss.errors import Mistake
from pitboss.exact.distribution import Distribution

MAX_POINTS: Final = 1 << 24
"""The most points of a distribution."""
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)


class SessionResult(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result after a number of rounds, in initial wagers."""

    rounds: int
    ahead: float
    even: float
    percentiles: dict[int, float | None]
    """The result at each percentile; None if it is too high to be known."""


def session_result(found: Distribution, rounds: int, percentiles: Sequence[int] = PERCENTILES) -> SessionResult:
    """Return a player's result after this many independent rounds."""
    if rounds < 1:
        raise Mistake(f"The number of rounds is at least 1, not {rounds}.")
    nets = found.by_net()
    unit = Fraction(reduce(gcd, (int(net * found.stake) for net in nets)), found.stake)
    steps = {int(net / unit): count for net, count in nets.items()}
    low, high = min(steps), max(steps)
    cap = (
        high if rounds * (high - low) < MAX_POINTS else MAX_POINTS // rounds + low - 1
    )  # rare higher wins count as this much
    if cap <= -low * rounds and cap < high:
        raise Mistake(f"{rounds:,} rounds of this wager are too many to calculate.")
    points = rounds * (cap - low) + 1
    size = 1 << (points - 1).bit_length()
    once = np.zeros(size)
    for step, count in steps.items():
        once[min(step, cap) - low] += count / found.deals
    many = np.fft.irfft(np.fft.rfft(once) ** rounds, size)[:points].clip(min=0)
    many /= many.sum()
    zero = -low * rounds
    below = np.cumsum(many)
    scale = float(unit)
    sure = cap + (rounds - 1) * low if cap < high else rounds * high  # results below this are not affected by the cap

    def percentile(number: int) -> float | None:
        at = int(np.searchsorted(below, number / 100)) + low * rounds
        return float(at * scale) if at <= sure else None

    return SessionResult(
        rounds=rounds,
        ahead=float(many[zero + 1 :].sum()),
        even=float(many[zero]) if zero < len(many) else 0.0,
        percentiles={number: percentile(number) for number in percentiles},
    )
