"""Compare the published hold percentages with ours under every definition of hold and every relevant reading."""

from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product
from typing import Final

import msgspec

from pitboss.exact.analysis import AnalysisRow, analyze, list_tasks
from pitboss.rulebook import rulebook
from pitboss.rulebook.published_hold import PublishedHold

DEFINITIONS: Final = {"initial-wager": "of the initial wager", "total-wager": "of everything wagered"}
"""The divisors of a loss: the options of the reading hold-definition."""


class RangeEnd(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a range, and our figure for it."""

    published: Decimal
    found: Fraction
    """Our figure in per cent: the lowest or highest of all paytables."""
    paytable: str | None

    @property
    def agrees(self) -> bool:
        """Whether our figure equals the published one when rounded alike."""
        return round_like(self.found, self.published) == self.published

    @property
    def off(self) -> Fraction:
        """The difference from our figure, in percentage points."""
        return self.found - Fraction(self.published)


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A published range and ours, for one definition of hold and one choice of readings."""

    definition: str
    readings: dict[str, str]
    low: RangeEnd
    high: RangeEnd

    @property
    def gap(self) -> Fraction:
        """The distance between our ends, in percentage points."""
        return self.high.found - self.low.found

    @property
    def ends(self) -> int:
        """The number of ends that agree."""
        return self.low.agrees + self.high.agrees


class HoldFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Our finding on one published range."""

    published: PublishedHold
    comparisons: tuple[Comparison, ...]

    @property
    def best(self) -> Comparison:
        """The comparison with the most agreeing ends; of equal ones the nearest."""
        return max(self.comparisons, key=lambda one: (one.ends, -abs(one.low.off) - abs(one.high.off)))

    @property
    def words(self) -> str:
        """The finding in words."""
        best = self.best
        if best.ends == 2:  # noqa: PLR2004 (both of them)
            same = [one for one in self.comparisons if one.ends == 2]  # noqa: PLR2004 (the same)
            return f"Both ends follow as shares {_describe_agreement(same)}."
        low = min((one.low for one in self.comparisons), key=lambda end: abs(end.off))
        high = min((one.high for one in self.comparisons), key=lambda end: abs(end.off))
        near = "; ".join(
            f"The nearest to {end.published} % is {format_percent(end.found)} (Paytable {end.paytable}), "
            f"{format_points(end.off)} off"
            for end in (low, high)
            if not end.agrees
        )
        if not best.ends:
            return f"Neither end follows. {near}."
        tried = f"Not reproduced by any of the {len(self.comparisons)} combinations."
        return " ".join([tried, *self._chance, *([f"{near}."] if near else [])])

    @property
    def _chance(self) -> Iterator[str]:
        """Yield sentences on readings under which only one end agrees, with the distances between the ends."""
        for name in ("low", "high"):
            same = [one for one in self.comparisons if getattr(one, name).agrees]
            if same:
                gaps = " or ".join(sorted({format_points(one.gap) for one in same}))
                yield (
                    f"The {name} end agrees as a share {_describe_agreement(same)}; that may be chance: "
                    f"there the ends are {gaps} apart, and the published ones {format_points(Fraction(self.gap))}."
                )
        if alike := [one for one in self.comparisons if round_like(one.gap, self.gap) == self.gap]:
            shares = _describe_agreement(alike)
            yield f"As far apart as the published ones, though elsewhere, they are as shares {shares}."

    @property
    def gap(self) -> Decimal:
        """The distance between the published ends, in percentage points."""
        return self.published.high - self.published.low


def compare_hold(published: PublishedHold, done: Callable[[], object] = lambda: None) -> HoldFinding:
    """Calculate a wager's hold under every definition and every reading that could matter."""
    options = [tuple(rulebook().reading(name).options) for name in published.readings]
    comparisons: list[Comparison] = []
    for choice in product(*options):
        readings = dict(zip(published.readings, choice, strict=True))
        rows = analyze(published.game, list_tasks(published.game, published.wager), readings)
        comparisons += _comparisons(published, readings, rows)
        done()
    return HoldFinding(published=published, comparisons=tuple(comparisons))


def _comparisons(published: PublishedHold, readings: dict[str, str], rows: list[AnalysisRow]) -> Iterator[Comparison]:
    seen = set()
    for definition in DEFINITIONS:
        whole = definition == "total-wager"
        holds = {
            row.paytable: 100 * (row.distribution.element_of_risk if whole else row.distribution.house_edge)
            for row in rows
        }
        if (values := tuple(holds.values())) in seen:
            continue  # without later wagers both definitions are the same
        seen.add(values)
        low, high = min(holds, key=lambda letter: holds[letter]), max(holds, key=lambda letter: holds[letter])
        yield Comparison(
            definition=definition,
            readings=readings,
            low=RangeEnd(published=published.low, found=holds[low], paytable=low),
            high=RangeEnd(published=published.high, found=holds[high], paytable=high),
        )


def _describe_agreement(same: list[Comparison]) -> str:
    """Return the definition and readings that the comparisons have in common, in words."""
    definitions = {one.definition for one in same}
    words = [DEFINITIONS[definitions.pop()]] if len(definitions) == 1 else ["by either definition"]
    for name in same[0].readings:
        options = {one.readings[name] for one in same}
        if len(options) == 1:
            (option,) = options
            default = rulebook().reading(name).default == option
            words.append(f"{name} = {option}{'' if default else ' (not the default)'}")
    return ", ".join(words)


def round_like(number: Fraction, like: Decimal) -> Decimal:
    """Round a fraction half up, to as many digits as another figure has."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return exact.quantize(like, rounding=ROUND_HALF_UP)


def format_percent(number: Fraction) -> str:
    """Format a figure in per cent with three decimals."""
    return f"{float(number):.3f} %"


def format_points(number: Fraction) -> str:
    """Format a difference in percentage points."""
    return f"{float(abs(number)):.3f} points"
