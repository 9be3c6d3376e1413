"""What screens show of the mathematics: every figure exactly, to read and to plot. Plain data, made elsewhere."""

import msgspec

from pitboss.exact.analysis import required_wagers_name
from pitboss.exact.figures import Figure, Figures
from pitboss.games import GAMES
from pitboss.rulebook import rulebook
from pitboss.submission.choices import Choices
from pitboss.submission.form import title_of
from pitboss.submission.hold_warnings import EdgeWarning
from pitboss.submission.parser import Problem


class OutcomeView(msgspec.Struct, frozen=True):
    """One thing that may become of a wager: of how many deals, how likely, and what it pays in initial wagers."""

    name: str
    combinations: str
    chance: Figure
    pays: Figure


class WagerView(msgspec.Struct, frozen=True, kw_only=True):
    """One wager under one paytable."""

    wager: str
    offer: str
    title: str
    paytable: str
    """Its letter, empty where there is only one."""
    required: bool
    edge_of: str
    """What the edge is a share of, in words."""
    figures: Figures
    deals: str
    outcomes: tuple[OutcomeView, ...] = ()


class ResultView(msgspec.Struct, frozen=True):
    """A result of a round in initial wagers, its chance, and the chance of no more than that."""

    net: Figure
    chance: Figure
    at_most: Figure


class Percentile(msgspec.Struct, frozen=True):
    """Of a hundred players so many stand here or below; no result where it is too high to be known."""

    percent: int
    result: float | None


class Bankroll(msgspec.Struct, frozen=True):
    """How a player stands after so many rounds, in initial wagers: by convolution in floating point, not exact."""

    rounds: int
    ahead: float
    even: float
    percentiles: tuple[Percentile, ...]


class StrategyView(msgspec.Struct, frozen=True, kw_only=True):
    """A strategy for people and what it loses more than the best decisions, over the initial wager."""

    name: str
    rules: tuple[str, ...]
    house_edge: Figure
    cost: Figure
    average_wager: Figure


class ChartView(msgspec.Struct, frozen=True, kw_only=True):
    """Where the best decisions turn: what is raised on average, as a multiple of the Ante; 0 is a fold."""

    title: str
    row_name: str
    column_name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Figure | None, ...], ...]


class RequiredView(msgspec.Struct, frozen=True, kw_only=True):
    """The required wagers under one paytable: results, bankroll, strategies and chart."""

    wager: str
    title: str
    paytable: str
    results: tuple[ResultView, ...]
    bankroll: tuple[Bankroll, ...]
    strategies: tuple[StrategyView, ...]
    chart: ChartView


class LimitPoint(msgspec.Struct, frozen=True):
    """The edge of an initial wager of so many cents."""

    wager: int
    house_edge: Figure


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """How the edge of a wager grows with it under a payout limit, with decisions that know of it."""

    wager: str
    title: str
    paytable: str
    limit: int
    supposed: bool
    """Whether no Submission sets it: the least that the chapter allows, for show."""
    bites: int
    """The initial wager, in cents, from which on the highest pay exceeds the limit."""
    free: Figure
    points: tuple[LimitPoint, ...]


class MeterPoint(msgspec.Struct, frozen=True):
    """What a dollar comes back as while a meter shows so many dollars."""

    shows: Figure
    returns: Figure


class MeterCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The return against one meter, for a wager of a dollar; other meters are at their seeds."""

    meter: str
    seed: int
    """Dollars."""
    slope: Figure
    """What comes back more for each dollar that it shows."""
    break_even: Figure
    """What it shows when a dollar comes back as a dollar."""
    points: tuple[MeterPoint, ...]


class MetersView(msgspec.Struct, frozen=True, kw_only=True):
    """A wager with meters, per dollar."""

    wager: str
    title: str
    paytable: str
    fixed_return: Figure
    """From pays that are no share of a meter."""
    at_seed: Figure
    curves: tuple[MeterCurve, ...]
    long_run_table_pays: Figure | None
    """The return over all time where the table pays what is no share of a meter; None where it is not worked out."""
    long_run_meter_pays: Figure | None
    """The same where the meter pays it, and that is how the chapter may be read."""
    meter_sinks: bool
    """Whether more would be paid off the meter then than comes onto it."""
    envy: Figure | None
    """What an Envy Bonus adds for each other player's hand."""
    without: str
    """What the system may add, and is not in these figures."""


class Mathematics(msgspec.Struct, frozen=True, kw_only=True):
    """Everything there is to show of one game, by the default readings."""

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
    """What a wager of a Submission comes to; money in cents."""

    shown: WagerView
    minimum: int | None
    maximum: int | None
    amounts: tuple[int, ...]
    most: int | None
    """What the house could lose by it to one box in a round, at most."""
    limited: LimitView | None
    """Where the payout limit is on it."""
    meters: MetersView | None


class SubmissionReport(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a Submission, and what it would come to."""

    in_order: bool
    problems: tuple[Problem, ...]
    warnings: tuple[EdgeWarning, ...]
    """Wagers whose edge leaves the range the Board published; they are not refused."""
    submission: Choices | None
    """None where it cannot be read."""
    title: str
    edition: str
    wagers: tuple[OfferView, ...]
    liability_box: int | None
    """The most the house could lose to one box in a round, in cents."""
    liability: int | None
    """And at all of them: every wager the greatest, every box another patron's, the best row of every table, meters at
    what they start with. Never too low, and often more than can be."""


class HoldEnd(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a published range as we find it."""

    published: str
    percent: Figure
    """Ours, in per cent."""
    paytable: str
    agrees: bool
    off: Figure
    """How far ours is from it, in percentage points."""


class HoldComparisonView(msgspec.Struct, frozen=True, kw_only=True):
    """A published range against ours, by one definition under one choice of readings."""

    definition: str
    words: str
    readings: dict[str, str]
    low: HoldEnd
    high: HoldEnd


class HoldVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of one published range."""

    game: str
    game_title: str
    wager: str
    title: str
    low: str
    high: str
    verdict: str
    reproduced: bool
    found: tuple[HoldComparisonView, ...]


def wager_title(game: str, wager: str) -> str:
    """Return what a wager, as it is analyzed, is called.

    >>> wager_title("caribbean-stud", "ante-bet"), wager_title("caribbean-stud", "five-card-hand")
    ('Ante and Bet', 'Five Card Hand Bonus')
    """
    if wager == required_wagers_name(game):
        return " and ".join(part.capitalize() for part in wager.split("-"))
    return title_of(rulebook().games[game], [one for one in GAMES[game].initial if one.offer == wager])


def edge_of(game: str, wager: str) -> str:
    """Say what the edge of a wager is a share of.

    >>> edge_of("cajun-stud", "ante-raise")
    "the player's expected loss over the Ante, by the best decisions"
    """
    if wager == required_wagers_name(game):
        required = GAMES[game].wager(GAMES[game].required).title
        return f"the player's expected loss over the {required}, by the best decisions"
    return f"the player's expected loss over the {wager_title(game, wager)}"
