"""Draw the plots of a PAR sheet as reproducible SVG."""

import math
from typing import Final

from pitboss.money import DOLLAR, format_money
from pitboss.report.par.model import Par
from pitboss.report.par.scale import Scale, number, rounded_scale
from pitboss.report.par.svg_plot import Axes, cells_picture, mix_colors

PALE: Final = "#f4f1ea"
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)
MEDIAN: Final = 50


def draw_plots(par: Par) -> dict[str, str]:
    """Return every plot by its title."""
    pictures = {
        f"{par.chart.title}: what is raised on average, in Antes; F for a fold": _chart,
        "Results of one round": _results,
        "How a player stands after some rounds": _bankroll,
    }
    if par.limited:
        supposed = par.limited[0].supposed
        pictures["House edge if there were a payout limit" if supposed else "House edge under the payout limit"] = (
            _limit
        )
    if any(meters.jackpot.break_even is not None for meters in par.meters):
        pictures["What a dollar returns as the meter grows"] = _meter
    return {title: draw(title, par) for title, draw in pictures.items()}


def _chart(title: str, par: Par) -> str:
    chart = par.chart
    most = max((cell for row in chart.cells for cell in row if cell), default=1)
    cells = []
    for y, row in enumerate(chart.cells):
        for x, cell in enumerate(row):
            if cell is not None:
                words = "F" if not cell else f"{float(cell):g}" if cell.denominator == 1 else f"{float(cell):.2f}"
                cells.append((y, x, words, mix_colors(PALE, par.accent, float(cell / most))))
    return cells_picture(title, chart.rows, chart.columns, cells, (chart.row_name, chart.column_name))


def _results(title: str, par: Par) -> str:
    distribution = par.rows[0].distribution
    chances = {float(net): count / distribution.deals for net, count in distribution.by_net().items()}
    axes = Axes(
        x=Scale(min(chances) - 1, round(max(chances) * 1.15), "symlog"),
        y=Scale(10.0 ** math.floor(math.log10(min(chances.values()) / 2)), 1, "log"),
        x_name="result of a round, in Antes",
        y_name="probability",
        y_words=lambda value: "1" if value == 1 else f"1 in {1 / value:,.0f}",
    )
    return axes.picture(title, [axes.upright(0), *(axes.stem(x, y, par.accent) for x, y in chances.items())])


def _bankroll(title: str, par: Par) -> str:
    lines = {
        percent: [(0.0, 0.0), *((rounds, session[percent] or 0.0) for rounds, session, _ in par.sessions)]
        for percent in PERCENTILES
    }
    results = [result for line in lines.values() for _, result in line]
    axes = Axes(
        x=Scale(0, par.sessions[-1][0]),
        y=rounded_scale(min(results), max(results)),
        x_name="rounds",
        y_name="result, in Antes",
        ends=tuple((*line[-1], f"{percent} %") for percent, line in lines.items()),
    )
    drawn = [axes.line(line, par.accent, 1 if percent == MEDIAN else 0.55) for percent, line in lines.items()]
    return axes.picture(title, [axes.level(0), *drawn])


def _limit(title: str, par: Par) -> str:
    first = {limit.wager: limit for limit in reversed(par.limited)}  # the first paytable of each wager
    lines = {
        wager: {point.wager / DOLLAR: 100 * float(point.house_edge) for point in limit.points}
        for wager, limit in first.items()
    }
    amounts = [amount for line in lines.values() for amount in line]
    edges = [edge for line in lines.values() for edge in line.values()]
    least, most = min(amounts), max(amounts)
    axes = Axes(
        x=Scale(least, most if most > least else 10 * least, "log"),
        y=rounded_scale(min(0, *edges), max(0, *edges)),
        x_name=f"initial wager; payout limit {format_money(par.limited[0].limit)}",
        y_name="house edge, %",
        x_words=_dollars,
        ends=tuple(
            (*list(line.items())[-1], f"{wager} {first[wager].paytable or ''}") for wager, line in lines.items()
        ),
    )
    drawn = [axes.line(line.items(), par.accent) for line in lines.values()]
    for wager, line in lines.items():
        bites = first[wager].bites
        if bites / DOLLAR in list(line)[1:-1]:
            drawn.append(axes.dot(bites / DOLLAR, line[bites / DOLLAR], f"bites from {format_money(bites)}"))
    return axes.picture(title, drawn)


def _meter(title: str, par: Par) -> str:
    metered = [meters for meters in par.meters if meters.jackpot.break_even is not None]
    even = [float(meters.jackpot.break_even or 0) for meters in metered]
    most = round(max(even) * 1.15)
    lines = []
    for meters in metered:
        (name,) = meters.jackpot.slopes
        lines.append([(end, 100 * float(meters.jackpot.at({name: end}))) for end in (0, most)])
    axes = Axes(
        x=Scale(0, most),
        y=rounded_scale(0, max(returned for line in lines for _, returned in line)),
        x_name="meter, for a wager of $1",
        y_name="return, % of the wager",
        x_words=_dollars,
        ends=tuple(
            (*line[-1], f"{meters.paytable or meters.wager}: even at {format_money(round(at * DOLLAR))}")
            for meters, line, at in zip(metered, lines, even, strict=True)
        ),
    )
    drawn = [axes.line(line, par.accent, 0.8) for line in lines]
    return axes.picture(title, [axes.level(100), *drawn, *(axes.dot(at, 100) for at in even)])


def _dollars(value: float) -> str:
    return f"${number(value)}"
