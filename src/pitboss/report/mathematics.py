"""Build the views of a game's mathematics: wagers, results, bankrolls, limits, meters, strategies."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from pitboss.cache import encode_result, file_name, load_or_make
from pitboss.errors import Mistake
from pitboss.exact.analysis import CACHED_CODE, AnalysisRow, analyze, list_tasks
from pitboss.exact.distribution import Distribution
from pitboss.exact.figures import Figure, make_figure, make_figures, money_figure
from pitboss.exact.jackpots import Jackpot
from pitboss.exact.payoffs import terms_for
from pitboss.exact.session_results import session_result
from pitboss.exact.strategies import judge_strategies
from pitboss.exact.strategy_chart import Chart, make_chart
from pitboss.games import GAMES
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.report.hold_comparison import DEFINITIONS as HOLDS
from pitboss.report.hold_comparison import RangeEnd, compare_hold
from pitboss.report.math_views import (
    Bankroll,
    ChartView,
    HoldComparisonView,
    HoldEnd,
    HoldVerdict,
    LimitPoint,
    LimitView,
    Mathematics,
    MeterCurve,
    MeterPoint,
    MetersView,
    OutcomeView,
    Percentile,
    RequiredView,
    ResultView,
    StrategyView,
    WagerView,
    edge_of,
)
from pitboss.report.par.model import DEFINITIONS, LimitCurve, MeterFigures, limits_of, meters_of
from pitboss.rulebook import rulebook
from pitboss.rulebook.published_hold import published_holds
from pitboss.submission.titles import analysis_title

ROUNDS: Final = (10, 100, 1_000, 10_000)
"""The numbers of rounds for bankrolls, as far as they can be calculated."""
_BEYOND: Final = Fraction(5, 4)
"""The end of a meter's curve, as a multiple of its break-even value or its seed, whichever is greater."""
_CACHED_CODE: Final = (*CACHED_CODE, "report/mathematics.py", "report/math_views.py", "report/par/model.py")


def mathematics_of(game: str) -> Mathematics:
    """Return the mathematics of a game; cached."""
    return load_or_make(_key(game), *_CACHED_CODE, of=Mathematics, make=lambda: _calculate_mathematics(game))


def calculate_figures() -> dict[str, bytes]:
    """Calculate the figures of every game and the holds; return the content of their cache files by name."""
    results = {game: _calculate_mathematics(game) for game in GAMES} | {"holds": list(_verdicts())}
    return {
        file_name(_key(what), *_CACHED_CODE, ending=".json"): encode_result(result) for what, result in results.items()
    }


def _key(what: str) -> tuple[str, str]:
    return "mathematics", what


def _calculate_mathematics(game: str) -> Mathematics:
    chapter, readings = rulebook().game(game).chapter, rulebook().options({})
    rows = analyze(game, list_tasks(game), readings)
    own = {
        name: readings[name]
        for name, reading in rulebook().readings.items()
        if len(reading.options) > 1 and any(cite.chapter == chapter.id for cite in reading.clauses)
    }
    return Mathematics(
        game=game,
        title=chapter.title,
        chapter=chapter.id,
        edition=chapter.edition,
        accent=chapter.head.accent,
        readings=own,
        definitions=dict(DEFINITIONS),
        wagers=tuple(wager_view(game, row, outcomes=True) for row in rows),
        required=tuple(_required(game, row, readings) for row in rows if row.is_required),
        limits=tuple(limit_view(game, one) for one in limits_of(game, rows, readings, None)),
        meters=tuple(meters_view(game, one) for one in meters_of(game, rows, readings)),
    )


def wager_view(game: str, row: AnalysisRow, *, outcomes: bool) -> WagerView:
    """Return the view of one wager under one paytable."""
    distribution = row.distribution
    return WagerView(
        wager=row.wager,
        offer=row.offer,
        title=analysis_title(game, row.offer),
        paytable=row.paytable or "",
        required=row.is_required,
        edge_of=edge_of(game, row.offer),
        figures=make_figures(distribution),
        deals=str(distribution.deals),
        outcomes=tuple(_outcomes(distribution)) if outcomes else (),
    )


def _outcomes(distribution: Distribution) -> Iterator[OutcomeView]:
    for one in distribution.outcomes:
        chance, pays = Fraction(one.count, distribution.deals), Fraction(one.net, distribution.stake)
        yield OutcomeView(one.name, str(one.count), make_figure(chance), make_figure(pays))


def _required(game: str, row: AnalysisRow, readings: Mapping[str, str]) -> RequiredView:
    terms = terms_for(game, {GAMES[game].required: row.paytable or SINGLE_PAYTABLE}, readings)
    return RequiredView(
        wager=row.wager,
        title=analysis_title(game, row.offer),
        paytable=row.paytable or "",
        results=tuple(_results(row.distribution)),
        bankroll=tuple(_bankroll(row.distribution)),
        strategies=tuple(
            StrategyView(
                name=one.name,
                rules=one.rules,
                house_edge=make_figure(one.distribution.house_edge, percent=True),
                cost=make_figure(one.cost, percent=True),
                average_wager=make_figure(one.distribution.average_wager),
            )
            for one in judge_strategies(terms)
        ),
        chart=chart_view(make_chart(terms)),
    )


def _results(distribution: Distribution) -> Iterator[ResultView]:
    below = Fraction()
    for net, count in distribution.by_net().items():
        chance = Fraction(count, distribution.deals)
        below += chance
        yield ResultView(make_figure(net), make_figure(chance, percent=True), make_figure(below, percent=True))


def _bankroll(distribution: Distribution) -> Iterator[Bankroll]:
    for rounds in ROUNDS:
        try:
            session = session_result(distribution, rounds)
        except Mistake:  # too many rounds to calculate
            return
        percentiles = tuple(Percentile(percent, result) for percent, result in session.percentiles.items())
        yield Bankroll(rounds, session.ahead, session.even, percentiles)


def chart_view(chart: Chart) -> ChartView:
    """Return the view of a chart."""
    cells = tuple(tuple(None if cell is None else make_figure(cell) for cell in row) for row in chart.cells)
    return ChartView(
        title=chart.title,
        row_name=chart.row_name,
        column_name=chart.column_name,
        rows=chart.rows,
        columns=chart.columns,
        cells=cells,
    )


def limit_view(game: str, one: LimitCurve) -> LimitView:
    """Return the view of an edge under a payout limit."""
    return LimitView(
        wager=one.wager,
        title=analysis_title(game, one.offer),
        paytable=one.paytable or "",
        limit=one.limit,
        supposed=one.supposed,
        bites=one.bites,
        free=make_figure(one.points[0].free, percent=True),
        points=tuple(LimitPoint(point.wager, make_figure(point.house_edge, percent=True)) for point in one.points),
    )


def meters_view(game: str, one: MeterFigures) -> MetersView:
    """Return the view of a wager with meters."""
    jackpot, run = one.jackpot, one.long_run
    return MetersView(
        wager=one.wager,
        title=analysis_title(game, one.offer),
        paytable=one.paytable or "",
        fixed_return=make_figure(jackpot.fixed_return, percent=True),
        at_seed=make_figure(jackpot.at_seed, percent=True),
        curves=tuple(_curve(jackpot, name) for name in jackpot.slopes),
        long_run_table_pays=make_figure(run.from_table, percent=True) if run else None,
        long_run_meter_pays=make_figure(run.from_meter, percent=True) if run and run.from_meter is not None else None,
        meter_sinks=bool(run and run.may_come_off and run.sinks),
        envy=make_figure(one.envy, percent=True) if one.envy else None,
        without=one.without,
    )


def _curve(jackpot: Jackpot, name: str) -> MeterCurve:
    even, seed = jackpot.even_at(name), Fraction(jackpot.seeds[name])
    shows = sorted({Fraction(), seed, even, _BEYOND * max(even, seed)})
    return MeterCurve(
        meter=name,
        seed=jackpot.seeds[name],
        slope=make_figure(jackpot.slopes[name]),
        break_even=money_figure(even),
        points=tuple(
            MeterPoint(money_figure(amount), make_figure(jackpot.at({**jackpot.seeds, name: amount}), percent=True))
            for amount in shows
            if amount >= 0
        ),
    )


def published_hold_verdicts() -> list[HoldVerdict]:
    """Return our finding on every hold that rulemaking 125-204 published; cached."""
    return load_or_make(_key("holds"), *_CACHED_CODE, of=list[HoldVerdict], make=lambda: list(_verdicts()))


def _verdicts() -> Iterator[HoldVerdict]:
    for published in published_holds():
        verdict = compare_hold(published)
        yield HoldVerdict(
            game=published.game,
            game_title=rulebook().game(published.game).chapter.title,
            wager=published.wager,
            title=analysis_title(published.game, published.offer),
            low=str(published.low),
            high=str(published.high),
            verdict=verdict.words,
            reproduced=verdict.best.low.agrees and verdict.best.high.agrees,
            found=tuple(
                HoldComparisonView(
                    definition=one.definition,
                    words=HOLDS[one.definition],
                    readings=one.readings,
                    low=_end(one.low),
                    high=_end(one.high),
                )
                for one in sorted(verdict.comparisons, key=lambda one: -one.ends)
            ),
        )


def _end(end: RangeEnd) -> HoldEnd:
    ours = make_figure(end.found / 100, percent=True)
    return HoldEnd(
        published=str(end.published),
        percent=Figure(make_figure(end.found).exact, ours.text, float(end.found)),
        paytable=end.paytable or "",
        agrees=end.agrees,
        off=make_figure(end.off),
    )
