"""How a player stands after many rounds: the chance of being ahead, and how much is lost how often.

The result of one round is exact; that of many is its convolution, worked out with floating-point transforms.
These figures are good to about ten digits, and are not called exact.
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
"""Points a distribution may have."""
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)


class SessionResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a player stands after so many rounds, in initial wagers."""

    rounds: int
    ahead: float
    even: float
    percentiles: dict[int, float | None]
    """Of a hundred players, so many are at this result or below it; None where it is too high to be known."""


def session_result(found: Distribution, rounds: int, percentiles: Sequence[int] = PERCENTILES) -> SessionResult:
    """Return how a player stands after so many rounds, each like the others and none depending on another."""
    if rounds < 1:
        raise Mistake(f"Rounds are counted from 1, not {rounds}.")
    nets = found.by_net()
    unit = Fraction(reduce(gcd, (int(net * found.stake) for net in nets)), found.stake)
    steps = {int(net / unit): count for net, count in nets.items()}
    low, high = min(steps), max(steps)
    cap = (
        high if rounds * (high - low) < MAX_POINTS else MAX_POINTS // rounds + low - 1
    )  # rare wins beyond it count as this much
    if cap <= -low * rounds and cap < high:
        raise Mistake(f"{rounds:,} rounds of this wager are more than can be worked out together.")
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
    sure = cap + (rounds - 1) * low if cap < high else rounds * high  # below it no win was cut

    def percentile(number: int) -> float | None:
        at = int(np.searchsorted(below, number / 100)) + low * rounds
        return float(at * scale) if at <= sure else None

    return SessionResult(
        rounds=rounds,
        ahead=float(many[zero + 1 :].sum()),
        even=float(many[zero]) if zero < len(many) else 0.0,
        percentiles={number: percentile(number) for number in percentiles},
    )
