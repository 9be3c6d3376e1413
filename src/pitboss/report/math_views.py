"""Views of the mathematics for screens, as plain data: every figure exact, as text and as a number to plot."""

import msgspec

from pitboss.exact.figures import Figure, Figures
from pitboss.games import GAMES
from pitboss.submission.choices import Choices
from pitboss.submission.hold_warnings import EdgeWarning
from pitboss.submission.parser import Problem
from pitboss.submission.titles import offer_title


class OutcomeView(msgspec.Struct, frozen=True):
    """One outcome of a wager: its number of deals, its probability, and its pay in initial wagers."""

    name: str
    combinations: str
    chance: Figure
    pays: Figure


class WagerView(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one wager under one paytable."""

    wager: str
    offer: str
    title: str
    paytable: str
    """The letter; empty if there is only one paytable."""
    required: bool
    edge_of: str
    """The definition of the edge, in words."""
    figures: Figures
    deals: str
    outcomes: tuple[OutcomeView, ...] = ()


class ResultView(msgspec.Struct, frozen=True):
    """A result of a round in initial wagers, its probability, and the probability of at most this result."""

    net: Figure
    chance: Figure
    at_most: Figure


class Percentile(msgspec.Struct, frozen=True):
    """A percentile of results; the result is None if it is too high to be known."""

    percent: int
    result: float | None


class Bankroll(msgspec.Struct, frozen=True):
    """A player's result after a number of rounds, in initial wagers; by convolution in floating point, not exact."""

    rounds: int
    ahead: float
    even: float
    percentiles: tuple[Percentile, ...]


class StrategyView(msgspec.Struct, frozen=True, kw_only=True):
    """A simple strategy and its cost compared with the best decisions, in initial wagers."""

    name: str
    rules: tuple[str, ...]
    house_edge: Figure
    cost: Figure
    average_wager: Figure


class ChartView(msgspec.Struct, frozen=True, kw_only=True):
    """A chart of the best decisions: the average raise as a multiple of the Ante; 0 is a fold."""

    title: str
    row_name: str
    column_name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Figure | None, ...], ...]


class RequiredView(msgspec.Struct, frozen=True, kw_only=True):
    """Results, bankrolls, strategies and chart of the required wagers under one paytable."""

    wager: str
    title: str
    paytable: str
    results: tuple[ResultView, ...]
    bankroll: tuple[Bankroll, ...]
    strategies: tuple[StrategyView, ...]
    chart: ChartView


class LimitPoint(msgspec.Struct, frozen=True):
    """The edge of an initial wager, in cents."""

    wager: int
    house_edge: Figure


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """The edge of a wager by its amount under a payout limit, with the best decisions under the limit."""

    wager: str
    title: str
    paytable: str
    limit: int
    supposed: bool
    """Whether the limit is an example, the lowest that the chapter allows, and not from a Submission."""
    bites: int
    """The lowest initial wager, in cents, whose highest pay exceeds the limit."""
    free: Figure
    points: tuple[LimitPoint, ...]


class MeterPoint(msgspec.Struct, frozen=True):
    """The return of a dollar at one value of a meter, in dollars."""

    shows: Figure
    returns: Figure


class MeterCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The return of a dollar by the value of one meter; other meters are at their seeds."""

    meter: str
    seed: int
    """Dollars."""
    slope: Figure
    """The additional return per dollar on the meter."""
    break_even: Figure
    """The break-even value of the meter."""
    points: tuple[MeterPoint, ...]


class MetersView(msgspec.Struct, frozen=True, kw_only=True):
    """The returns of a wager with meters, per dollar."""

    wager: str
    title: str
    paytable: str
    fixed_return: Figure
    """The return from fixed pays."""
    at_seed: Figure
    curves: tuple[MeterCurve, ...]
    long_run_table_pays: Figure | None
    """The long-run return if the table pays fixed pays; None if it cannot be calculated."""
    long_run_meter_pays: Figure | None
    """The long-run return if the meter pays fixed pays, where a reading allows that."""
    meter_sinks: bool
    """Whether the meter would then pay more than it receives."""
    envy: Figure | None
    """The return from the Envy Bonus per other player's hand."""
    without: str
    """Bonuses of the table game system that these figures exclude."""


class Mathematics(msgspec.Struct, frozen=True, kw_only=True):
    """The mathematics of one game under the default readings."""

    game: str
    title: str
    chapter: str
    edition: str
    accent: str
    readings: dict[str, str]
    definitions: dict[str, str]
    wagers: tuple[WagerView, ...]
    required: tuple[RequiredView, ...]
    limits: tuple[LimitView, ...]
    meters: tuple[MetersView, ...]


class OfferView(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one wager of a Submission; money in cents."""

    shown: WagerView
    minimum: int | None
    maximum: int | None
    amounts: tuple[int, ...]
    most: int | None
    """An upper bound of the house's loss on it to one box in a round."""
    limited: LimitView | None
    """The edge under the payout limit, if the limit applies to it."""
    meters: MetersView | None


class SubmissionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The problems of a Submission, and the figures of its wagers."""

    in_order: bool
    problems: tuple[Problem, ...]
    warnings: tuple[EdgeWarning, ...]
    """Warnings for holds outside the range that the Board published; they do not make the Submission invalid."""
    submission: Choices | None
    """None if it cannot be parsed."""
    title: str
    edition: str
    wagers: tuple[OfferView, ...]
    liability_box: int | None
    """An upper bound of the house's loss to one box in a round, in cents."""
    liability: int | None
    """An upper bound for all boxes: maximum wagers, the best row of every paytable, a different patron at every box,
    meters at their starting amounts."""


class HoldEnd(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a published range, and our figure for it."""

    published: str
    percent: Figure
    """Our figure, in per cent."""
    paytable: str
    agrees: bool
    off: Figure
    """The difference from our figure, in percentage points."""


class HoldComparisonView(msgspec.Struct, frozen=True, kw_only=True):
    """A published range and ours, for one definition of hold and one choice of readings."""

    definition: str
    words: str
    readings: dict[str, str]
    low: HoldEnd
    high: HoldEnd


class HoldVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Our finding on one published range."""

    game: str
    game_title: str
    wager: str
    title: str
    low: str
    high: str
    verdict: str
    reproduced: bool
    found: tuple[HoldComparisonView, ...]


def edge_of(game: str, offer: str) -> str:
    """Return the definition of a wager's edge, in words.

    >>> edge_of("cajun-stud", "ante")
    "the player's expected loss over the Ante, by the best decisions"
    """
    best = ", by the best decisions" if offer == GAMES[game].required else ""
    return f"the player's expected loss over the {offer_title(game, offer)}{best}"
