"""Scales of an axis: the position of a value, and the ticks."""

import math
from fractions import Fraction
from typing import Literal

import msgspec


def number(value: float) -> str:
    """Format a number for a tick: −1,500 or 0.25."""
    return (f"{value:,.0f}" if value == round(value) else f"{value:g}").replace("-", "−")


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten in the range: as many as possible, at most `most`.

    >>> linear_ticks(0, 7, 8)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    step = _step(low, high, most)
    return [float(n * step) for n in _multiples(low, high, step)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten in the range; if too many, only powers, or every second one."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine, whole = (
        [tick for power in powers for digit in digits if low <= (tick := float(f"{digit}e{power}")) <= high]
        for digits in ((1, 2, 5), (1,))
    )
    if len(fine) < 2:  # noqa: PLR2004 (one tick shows no scale)
        return linear_ticks(low, high, most)
    return fine if len(fine) <= most else whole[:: math.ceil(len(whole) / max(most, 1))]


def _step(low: float, high: float, most: int) -> Fraction:
    most = max(most, 2)
    power = math.floor(math.log10((high - low or 1) / most))
    for digit in (1, 2, 5, 10, 20, 50):
        step = digit * Fraction(10) ** power
        if len(_multiples(low, high, step)) <= most:
            break
    return step


def _multiples(low: float, high: float, step: Fraction) -> range:
    """Return the ticks as numbers of steps from 0; exact, where floats are not (0.3 is three steps of 0.1)."""
    return range(math.ceil(Fraction(str(low)) / step), math.floor(Fraction(str(high)) / step) + 1)


class Scale(msgspec.Struct, frozen=True):
    """A range of values and its spacing: linear, log or symlog."""

    low: float
    high: float
    kind: Literal["linear", "log", "symlog"] = "linear"
    bend: float = 10
    """A symlog scale is linear from −bend to bend and logarithmic beyond; 0 to bend is as long as a factor of ten."""

    def share(self, value: float) -> float:
        """Return the position of a value: 0 at the low end, 1 at the high end."""
        low = self._spaced(self.low)
        return (self._spaced(value) - low) / (self._spaced(self.high) - low)

    def _spaced(self, value: float) -> float:
        if self.kind == "linear":
            return value
        if self.kind == "log":
            return math.log10(value)
        size = abs(value) / self.bend
        return math.copysign(size if size <= 1 else 1 + math.log10(size), value)

    def ticks(self, most: int) -> list[float]:
        """Return the values of the ticks."""
        if self.kind == "linear":
            return linear_ticks(self.low, self.high, most)
        if self.kind == "log":
            return log_ticks(self.low, self.high, most)
        left, right = max(self.low, -self.bend), min(self.high, self.bend)
        values = linear_ticks(left, right, int(most * (self.share(right) - self.share(left))))
        if self.high > right:
            values += log_ticks(right, self.high, int(most * (1 - self.share(right))))
        if self.low < left:
            values += [-tick for tick in log_ticks(-left, -self.low, int(most * self.share(left)))]
        return sorted(set(values))

    def minor_ticks(self) -> list[float]:
        """Return the values of minor ticks between powers of ten, for a logarithmic axis."""
        if self.kind == "linear":
            return []
        least = self.bend if self.kind == "symlog" else self.low
        powers = range(math.floor(math.log10(least)), math.ceil(math.log10(max(-self.low, self.high))) + 1)
        sizes = [size for power in powers for digit in range(2, 10) if (size := float(f"{digit}e{power}")) > least]
        return [value for size in sizes for value in (-size, size) if self.low <= value <= self.high]


def rounded_scale(low: float, high: float, most: int = 8) -> Scale:
    """Return a linear scale that includes both values and ends on ticks."""
    step = _step(low, high, most)
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return Scale(float(first * step), float(last * step))
