"""The mathematics of a game as screens show it: wagers compared, results, bankrolls, limits, meters, strategies."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from pitboss.errors import Mistake
from pitboss.exact.analyze import CODE, Row, analyze, base_name, tasks_of
from pitboss.exact.chart import Chart, chart_of
from pitboss.exact.distribution import Distribution
from pitboss.exact.figures import Figure, figure, figures, money
from pitboss.exact.holds import DEFINITIONS as HOLDS
from pitboss.exact.holds import End, compare
from pitboss.exact.jackpots import Jackpot
from pitboss.exact.payoffs import terms_for
from pitboss.exact.session import after_rounds
from pitboss.exact.strategies import judged
from pitboss.games import GAMES
from pitboss.games.terms import ONLY
from pitboss.kept import content, file_name, kept, source_hash
from pitboss.report.par.model import DEFINITIONS, Limit, Meters, limits_of, meters_of, offer_of
from pitboss.report.workings import (
    Bankroll,
    ChartShown,
    HoldEnd,
    HoldFound,
    HoldVerdict,
    LimitPoint,
    LimitShown,
    Mathematics,
    MeterCurve,
    MeterPoint,
    MetersShown,
    OutcomeShown,
    Percentile,
    RequiredShown,
    ResultShown,
    StrategyShown,
    WagerShown,
    edge_of,
    wager_title,
)
from pitboss.rulebook import rulebook
from pitboss.rulebook.holds import published_holds

ROUNDS: Final = (10, 100, 1_000, 10_000)
"""After which a player's standing is shown, as far as it can be worked out."""
_BEYOND: Final = Fraction(5, 4)
"""How far beyond its break-even a meter is shown."""
_KEPT: Final = (*CODE, "report/mathematics.py", "report/workings.py", "report/par/model.py")


def mathematics_of(game: str) -> Mathematics:
    """Return everything there is to show of a game: worked out once, then kept."""
    return kept(_key(game), *_KEPT, of=Mathematics, make=lambda: _worked_out(game))


def calculated() -> dict[str, bytes]:
    """Calculate the figures of every game and the holds; return the files that `kept` finds them in, by name."""
    results = {game: _worked_out(game) for game in GAMES} | {"holds": list(_verdicts())}
    return {file_name(_key(what), *_KEPT, ending=".json"): content(result) for what, result in results.items()}


def _key(what: str) -> tuple[str, str, str]:
    return ("mathematics", what, source_hash("rulebook/data", pattern="*.toml"))


def _worked_out(game: str) -> Mathematics:
    chapter, readings = rulebook().game(game).chapter, rulebook().options({})
    rows = analyze(game, tasks_of(game), readings)
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
        wagers=tuple(wager_shown(game, row, outcomes=True) for row in rows),
        required=tuple(_required(game, row, readings) for row in rows if row.wager == base_name(game)),
        limits=tuple(limit_shown(game, one) for one in limits_of(game, rows, readings, None)),
        meters=tuple(meters_shown(game, one) for one in meters_of(game, rows, readings)),
    )


def wager_shown(game: str, row: Row, *, outcomes: bool) -> WagerShown:
    """Return one wager under one paytable as it is shown."""
    found = row.distribution
    return WagerShown(
        wager=row.wager,
        offer=offer_of(game, row.wager),
        title=wager_title(game, row.wager),
        paytable=row.paytable or "",
        required=row.wager == base_name(game),
        edge_of=edge_of(game, row.wager),
        figures=figures(found),
        deals=str(found.deals),
        outcomes=tuple(_outcomes(found)) if outcomes else (),
    )


def _outcomes(found: Distribution) -> Iterator[OutcomeShown]:
    for one in found.outcomes:
        chance, pays = Fraction(one.count, found.deals), Fraction(one.net, found.stake)
        yield OutcomeShown(one.name, str(one.count), figure(chance), figure(pays))


def _required(game: str, row: Row, readings: Mapping[str, str]) -> RequiredShown:
    terms = terms_for(game, {GAMES[game].required: row.paytable or ONLY}, readings)
    return RequiredShown(
        wager=row.wager,
        title=wager_title(game, row.wager),
        paytable=row.paytable or "",
        results=tuple(_results(row.distribution)),
        bankroll=tuple(_bankroll(row.distribution)),
        strategies=tuple(
            StrategyShown(
                name=one.name,
                rules=one.rules,
                house_edge=figure(one.distribution.house_edge, percent=True),
                cost=figure(one.cost, percent=True),
                average_wager=figure(one.distribution.average_wager),
            )
            for one in judged(terms)
        ),
        chart=chart_shown(chart_of(terms)),
    )


def _results(found: Distribution) -> Iterator[ResultShown]:
    below = Fraction()
    for net, count in found.by_net().items():
        chance = Fraction(count, found.deals)
        below += chance
        yield ResultShown(figure(net), figure(chance, percent=True), figure(below, percent=True))


def _bankroll(found: Distribution) -> Iterator[Bankroll]:
    for rounds in ROUNDS:
        try:
            standing = after_rounds(found, rounds)
        except Mistake:  # more than can be worked out
            return
        percentiles = tuple(Percentile(percent, result) for percent, result in standing.percentiles.items())
        yield Bankroll(rounds, standing.ahead, standing.even, percentiles)


def chart_shown(chart: Chart) -> ChartShown:
    """Return a chart as it is shown."""
    cells = tuple(tuple(None if cell is None else figure(cell) for cell in row) for row in chart.cells)
    return ChartShown(
        title=chart.title,
        row_name=chart.row_name,
        column_name=chart.column_name,
        rows=chart.rows,
        columns=chart.columns,
        cells=cells,
    )


def limit_shown(game: str, one: Limit) -> LimitShown:
    """Return how an edge grows under a payout limit, as it is shown."""
    return LimitShown(
        wager=one.wager,
        title=wager_title(game, one.wager),
        paytable=one.paytable or "",
        limit=one.limit,
        supposed=one.supposed,
        bites=one.bites,
        free=figure(one.points[0].free, percent=True),
        points=tuple(LimitPoint(point.wager, figure(point.house_edge, percent=True)) for point in one.points),
    )


def meters_shown(game: str, one: Meters) -> MetersShown:
    """Return how a wager depends on its meters, as it is shown."""
    jackpot, run = one.jackpot, one.long_run
    return MetersShown(
        wager=one.wager,
        title=wager_title(game, one.wager),
        paytable=one.paytable or "",
        fixed_return=figure(jackpot.fixed_return, percent=True),
        at_seed=figure(jackpot.at_seed, percent=True),
        curves=tuple(_curve(jackpot, name) for name in jackpot.slopes),
        long_run_table_pays=figure(run.from_table, percent=True) if run else None,
        long_run_meter_pays=figure(run.from_meter, percent=True) if run and run.from_meter is not None else None,
        meter_sinks=bool(run and run.may_come_off and run.sinks),
        envy=figure(one.envy, percent=True) if one.envy else None,
        without=one.without,
    )


def _curve(jackpot: Jackpot, name: str) -> MeterCurve:
    even, seed = jackpot.even_at(name), Fraction(jackpot.seeds[name])
    shows = sorted({Fraction(), seed, even, _BEYOND * max(even, seed)})
    return MeterCurve(
        meter=name,
        seed=jackpot.seeds[name],
        slope=figure(jackpot.slopes[name]),
        break_even=money(even),
        points=tuple(
            MeterPoint(money(amount), figure(jackpot.at({**jackpot.seeds, name: amount}), percent=True))
            for amount in shows
            if amount >= 0
        ),
    )


def holds_published() -> list[HoldVerdict]:
    """Return what can be said of every hold that rulemaking 125-204 published: worked out once, then kept."""
    return kept(_key("holds"), *_KEPT, of=list[HoldVerdict], make=lambda: list(_verdicts()))


def _verdicts() -> Iterator[HoldVerdict]:
    for published in published_holds():
        verdict = compare(published)
        yield HoldVerdict(
            game=published.game,
            game_title=rulebook().game(published.game).chapter.title,
            wager=published.wager,
            title=wager_title(published.game, published.wager),
            low=str(published.low),
            high=str(published.high),
            verdict=verdict.words,
            reproduced=verdict.best.low.agrees and verdict.best.high.agrees,
            found=tuple(
                HoldFound(
                    definition=one.definition,
                    words=HOLDS[one.definition],
                    readings=one.readings,
                    low=_end(one.low),
                    high=_end(one.high),
                )
                for one in sorted(verdict.comparisons, key=lambda one: -one.ends)
            ),
        )


def _end(end: End) -> HoldEnd:
    ours = figure(end.found / 100, percent=True)
    return HoldEnd(
        published=str(end.published),
        percent=Figure(figure(end.found).exact, ours.text, float(end.found)),
        paytable=end.paytable or "",
        agrees=end.agrees,
        off=figure(end.off),
    )
