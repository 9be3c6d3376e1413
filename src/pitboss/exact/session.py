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

MOST: Final = 1 << 24
"""Points a distribution may have."""
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a player stands after so many rounds, in initial wagers."""

    rounds: int
    ahead: float
    even: float
    percentiles: dict[int, float]
    """Of a hundred players, so many are at this result or below it."""


def after_rounds(found: Distribution, rounds: int, percentiles: Sequence[int] = PERCENTILES) -> Standing:
    """Return how a player stands after so many rounds, each like the others and none depending on another."""
    if rounds < 1:
        raise Mistake(f"Rounds are counted from 1, not {rounds}.")
    nets = found.by_net()
    unit = Fraction(reduce(gcd, (int(net * found.stake) for net in nets)), found.stake)
    steps = {int(net / unit): count for net, count in nets.items()}
    low = min(steps)
    cap = -low * rounds + 1 if low < 0 else max(steps)  # one such win outweighs every loss: more does not matter
    points = rounds * (min(max(steps), cap) - low) + 1
    if points > MOST:
        raise Mistake(f"{rounds:,} rounds of this wager are more than can be worked out together.")
    size = 1 << (points - 1).bit_length()
    once = np.zeros(size)
    for step, count in steps.items():
        once[min(step, cap) - low] += count / found.deals
    many = np.fft.irfft(np.fft.rfft(once) ** rounds, size)[:points].clip(min=0)
    many /= many.sum()
    zero = -low * rounds
    below = np.cumsum(many)
    scale = float(unit)
    return Standing(
        rounds=rounds,
        ahead=float(many[zero + 1 :].sum()),
        even=float(many[zero]),
        percentiles={p: float((int(np.searchsorted(below, p / 100)) + low * rounds) * scale) for p in percentiles},
    )
