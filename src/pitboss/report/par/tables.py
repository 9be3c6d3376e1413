"""The tables of a PAR sheet as text, for all formats."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from pitboss.exact.analysis import AnalysisRow
from pitboss.exact.jackpots import LongRun
from pitboss.exact.strategies import StrategyResult
from pitboss.money import format_money
from pitboss.report.par.model import DEFINITIONS, Ambiguity, LimitCurve, MeterFigures, Par

_SHOWN: Final = 7
"""The number of amounts shown per wager; the highest are kept."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a PAR sheet; the columns after the first `text_columns` hold numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1
    note: str = ""


def percent(number: Fraction, digits: int = 4) -> str:
    """Format a share in per cent."""
    return f"{100 * float(number):.{digits}f} %"


def name_of(row: AnalysisRow) -> str:
    """Return a wager's name with its paytable."""
    return f"{row.wager}, Paytable {row.paytable}" if row.paytable else row.wager


def list_tables(par: Par) -> Iterator[Table]:
    """Yield every table, in order."""
    yield _summary(par)
    if par.meters:
        yield _meters(par)
    if par.limited:
        yield _limits(par)
    for row in par.rows:
        yield combinations(row)
    yield _strategies(par)
    yield _session_results(par)
    if par.ambiguities:
        yield _ambiguities(par)
    yield Table(
        title="Readings of the chapter", heads=("reading", "option"), rows=tuple(par.readings.items()), text_columns=2
    )
    yield Table(title="Definitions", heads=("figure", "is"), rows=tuple(DEFINITIONS.items()), text_columns=2)


def combinations(row: AnalysisRow) -> Table:
    """Return the combinations of one wager."""
    distribution = row.distribution
    lines = []
    for outcome in distribution.outcomes:
        chance, pays = Fraction(outcome.count, distribution.deals), Fraction(outcome.net, distribution.stake)
        share = f"{float(chance * pays):+.6g}"
        lines.append((outcome.name, f"{outcome.count:,}", f"{float(chance):.6g}", _pays(pays), share))
    lines.append(("all", f"{distribution.deals:,}", "1", "", f"{float(-distribution.house_edge):+.6g}"))
    return Table(
        title=f"{name_of(row)}: combinations",
        heads=("outcome", "combinations", "probability", "pays", "return"),
        rows=tuple(lines),
    )


def _pays(number: Fraction) -> str:
    return f"{number.numerator:+,}" if number.denominator == 1 else f"{float(number):+,.2f}"


def _summary(par: Par) -> Table:
    def line(row: AnalysisRow) -> tuple[str, ...]:
        distribution = row.distribution
        shares = (distribution.house_edge, distribution.element_of_risk, distribution.hit_frequency)
        edge, risk, hits = map(percent, shares)
        average, deviation = f"{float(distribution.average_wager):.6f}", f"{distribution.standard_deviation:.6f}"
        return row.wager, row.paytable or "", edge, average, risk, hits, deviation

    return Table(
        title="Summary",
        heads=("wager", "paytable", "house edge", "average wager", "element of risk", "hit frequency", "std. dev."),
        rows=tuple(map(line, par.rows)),
        text_columns=2,
        note=" ".join(
            (["Wagers with meters: at the meters' seeds."] if par.meters else [])
            + (["Without the payout limit."] if par.limited else [])
        ),
    )


def _meters(par: Par) -> Table:
    def line(one: MeterFigures) -> tuple[str, ...]:
        jackpot, run = one.jackpot, one.long_run
        slopes = ", ".join(f"{name} {slope.numerator}/{slope.denominator}" for name, slope in jackpot.slopes.items())
        even = format_money(round(100 * jackpot.break_even)) if jackpot.break_even else ""
        return (
            one.wager, one.paytable or "", percent(jackpot.fixed_return), slopes, even, percent(jackpot.at_seed),
            *_long_run(run), percent(one.envy) if one.envy else "",
        )  # fmt: skip

    without = sorted({one.without for one in par.meters if one.without})
    return Table(
        title="Wagers with meters, per dollar",
        heads=(
            "wager",
            "paytable",
            "fixed",
            "per meter dollar",
            "even at",
            "at seed",
            "table pays",
            "meter pays",
            "Envy",
        ),
        rows=tuple(map(line, par.meters)),
        text_columns=2,
        note=(
            "Table pays, meter pays: the long-run return if the table or the meter pays the fixed pays (reading "
            "progressive-fixed-pays); a meter sinks if it pays more than it receives. Envy: the return for each other "
            f"player's hand.{f' Without {without[0]}.' if without else ''}"
        ),
    )


def _long_run(run: LongRun | None) -> tuple[str, str]:
    if run is None:
        return "not calculated", ""
    table = percent(run.from_table) + (" (over 100 %)" if run.from_table > 1 else "")
    if not run.may_come_off:
        return table, ""
    return table, "sinks" if run.from_meter is None else percent(run.from_meter)


def _limits(par: Par) -> Table:
    one = par.limited[0]
    supposed = "if a payout limit of" if one.supposed else "under the payout limit of"
    common = set.intersection(*({point.wager for point in limit.points} for limit in par.limited))
    amounts = sorted(common)[-_SHOWN:]
    shown_amounts = (format_money(amount).removesuffix(".00") for amount in amounts)

    def line(limit: LimitCurve) -> tuple[str, ...]:
        edges = {point.wager: point.house_edge for point in limit.points}
        shown = [percent(edges[amount]) for amount in amounts]
        return limit.wager, limit.paytable or "", format_money(limit.bites), percent(limit.points[0].free), *shown

    return Table(
        title=f"House edge {supposed} {format_money(one.limit)}{' were set' if one.supposed else ''}",
        heads=("wager", "paytable", "bites from", "without", *shown_amounts),
        rows=tuple(map(line, par.limited)),
        text_columns=2,
        note=(
            "By the initial wager, for one box and this wager alone, with the best decisions under the limit. The "
            "limit bites once the highest pay exceeds it."
        ),
    )


def _strategies(par: Par) -> Table:
    def line(one: StrategyResult) -> tuple[str, ...]:
        distribution = one.distribution
        return (
            one.name,
            percent(distribution.house_edge, 6),
            percent(one.cost, 6),
            f"{float(distribution.average_wager):.6f}",
        )

    return Table(
        title=f"Strategies for {par.strategy_of}",
        heads=("strategy", "house edge", "cost", "average wager"),
        rows=tuple(map(line, par.strategies)),
        note="Cost: the additional loss compared with the best decisions, over the initial wager.",
    )


def _session_results(par: Par) -> Table:
    percentiles = list(par.sessions[0][1])
    return Table(
        title=f"How a player of {par.strategy_of} stands, in initial wagers",
        heads=("rounds", "ahead", *(f"{p} %" for p in percentiles)),
        rows=tuple(
            (f"{rounds:,}", f"{100 * ahead:.2f} %", *(_at(session[p]) for p in percentiles))
            for rounds, session, ahead in par.sessions
        ),
        note="Percentiles: of 100 players, this many have this result or less. By convolution in floating point.",
    )


def _at(number: float | None) -> str:
    return "" if number is None else f"{number:+,.1f}"


def _ambiguities(par: Par) -> Table:
    metered = any(one.meters for one in par.ambiguities)

    def lines(one: Ambiguity) -> Iterator[tuple[str, ...]]:
        for option, edge in one.edges.items():
            chosen = f"{option} (chosen)" if option == one.chosen else option
            more: tuple[str, ...] = ("", "") if metered else ()
            if meters := one.meters.get(option):
                more = _long_run(meters.long_run)[0], percent(meters.envy)
            yield one.reading, one.wager, one.paytable or "", chosen, percent(edge), percent(one.risks[option]), *more

    return Table(
        title="Where the text can be read otherwise",
        heads=(
            *("reading", "wager", "paytable", "option", "house edge", "element of risk"),
            *(("table pays", "Envy") if metered else ()),
        ),
        rows=tuple(line for one in par.ambiguities for line in lines(one)),
        text_columns=4,
        note="Table pays: the return in the long run. Envy: for each other player's hand." if metered else "",
    )
