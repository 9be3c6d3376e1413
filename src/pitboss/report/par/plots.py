"""The pictures of a PAR sheet, as SVG: the same data gives the same bytes."""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pitboss.money import DOLLAR, dollars
from pitboss.report.par.model import Par

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE: Final = (6.4, 3.1)
SQUARE: Final = (5.2, 4.6)
GRAY: Final = "#6b6459"


def plots(par: Par) -> dict[str, str]:
    """Return every picture by what it shows."""
    found = {
        f"{par.chart.title}: what is raised on average, in Antes; F for a fold": _drawn(
            lambda axes: _chart(axes, par), SQUARE
        ),
        "Results of one round": _drawn(lambda axes: _results(axes, par)),
        "How a player stands after some rounds": _drawn(lambda axes: _bankroll(axes, par)),
    }
    if par.limited:
        supposed = par.limited[0].supposed
        words = "House edge if there were a payout limit" if supposed else "House edge under the payout limit"
        found[words] = _drawn(lambda axes: _limit(axes, par))
    if par.meters:
        found["What a dollar returns as the meter grows"] = _drawn(lambda axes: _meter(axes, par))
    return found


def _drawn(draw: "Callable[[Axes], None]", size: tuple[float, float] = WIDE) -> str:
    import matplotlib as mpl  # noqa: PLC0415 (slow to load)
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415 (the same)
    from matplotlib.figure import Figure  # noqa: PLC0415 (the same)

    style: Any = {
        "svg.hashsalt": "pitboss", "svg.fonttype": "path", "font.family": "DejaVu Serif", "font.size": 8.5,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GRAY, "axes.labelcolor": "#222",
        "xtick.color": GRAY, "ytick.color": GRAY, "axes.linewidth": 0.6, "lines.linewidth": 1.4,
    }  # fmt: skip
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update(style)
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def _chart(axes: "Axes", par: Par) -> None:
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415 (slow to load)

    chart = par.chart
    most = max((cell for row in chart.cells for cell in row if cell), default=1)
    shades = LinearSegmentedColormap.from_list("raise", ["#f4f1ea", par.accent])
    for y, row in enumerate(chart.cells):
        for x, cell in enumerate(row):
            if cell is not None:
                share = float(cell / most)
                axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=shades(share), linewidth=0)
                words = "F" if not cell else f"{float(cell):g}" if cell.denominator == 1 else f"{float(cell):.2f}"
                ink = "white" if share > 0.6 else "#222"  # noqa: PLR2004 (dark enough)
                axes.text(x + 0.5, y + 0.5, words, ha="center", va="center", fontsize=6.5, color=ink)
    axes.set_xticks([x + 0.5 for x in range(len(chart.columns))], chart.columns)
    axes.set_yticks([y + 0.5 for y in range(len(chart.rows))], chart.rows)
    axes.tick_params(length=0)
    axes.set_xlim(0, len(chart.columns))
    axes.set_ylim(len(chart.rows), 0)
    axes.set_xlabel(chart.column_name)
    axes.set_ylabel(chart.row_name)
    for side in axes.spines.values():
        side.set_visible(False)


def _results(axes: "Axes", par: Par) -> None:
    found = par.rows[0].distribution
    nets = found.by_net()
    chances = [count / found.deals for count in nets.values()]
    axes.vlines([float(net) for net in nets], min(chances) / 3, chances, color=par.accent, linewidth=2)
    axes.set_yscale("log")
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlabel("result of a round, in Antes")
    axes.set_ylabel("probability")
    axes.axvline(0, color=GRAY, linewidth=0.6)


def _bankroll(axes: "Axes", par: Par) -> None:
    rounds = [0, *(n for n, _, _ in par.standings)]
    labels = []
    for percent in (1, 5, 25, 50, 75, 95, 99):
        line = [0.0, *(standing[percent] or 0.0 for _, standing, _ in par.standings)]
        axes.plot(rounds, line, color=par.accent, alpha=1 if percent == 50 else 0.55)  # noqa: PLR2004 (the median)
        labels.append((line[-1], f"{percent} %"))
    axes.axhline(0, color=GRAY, linewidth=0.6)
    axes.set_xlabel("rounds")
    axes.set_ylabel("result, in Antes")
    axes.set_xlim(0, rounds[-1] * 1.1)
    _label(axes, rounds[-1] * 1.01, labels)


def _limit(axes: "Axes", par: Par) -> None:
    labels, shown = [], set()
    for limit in par.limited:
        if limit.wager not in shown:  # the first paytable of each wager
            shown.add(limit.wager)
            amounts = [point.wager / DOLLAR for point in limit.points]
            edges = [100 * float(point.house_edge) for point in limit.points]
            axes.plot(amounts, edges, color=par.accent)
            if amounts[0] < limit.bites / DOLLAR < amounts[-1]:
                axes.plot([limit.bites / DOLLAR], [100 * float(limit.points[0].free)], "o", color="#222", markersize=3)
                words = f"bites from {dollars(limit.bites)}"
                spot = (limit.bites / DOLLAR, 100 * float(limit.points[0].free))
                axes.annotate(words, spot, xytext=(0, 5), textcoords="offset points", fontsize=7, ha="center")
            labels.append((edges[-1], f"{limit.wager} {limit.paytable or ''}"))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"${value:,.0f}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"initial wager; payout limit {dollars(par.limited[0].limit)}")
    axes.set_ylabel("house edge, %")
    last = par.limited[0].points[-1].wager / DOLLAR
    axes.set_xlim(right=last * 8)
    _label(axes, last * 1.15, labels)


def _meter(axes: "Axes", par: Par) -> None:
    one = [meters for meters in par.meters if meters.jackpot.break_even is not None]
    most = max((float(meters.jackpot.break_even or 0) for meters in one), default=10_000) * 1.15
    labels = []
    for meters in one:
        jackpot = meters.jackpot
        (name,) = jackpot.slopes
        returns = [100 * float(jackpot.at({name: int(end)})) for end in (0, most)]
        axes.plot([0, most], returns, color=par.accent, alpha=0.8)
        even = float(jackpot.break_even or 0)
        axes.plot([even], [100], "o", color="#222", markersize=3)
        labels.append((returns[-1], f"{meters.paytable or meters.wager}: even at {dollars(round(even * DOLLAR))}"))
    axes.axhline(100, color=GRAY, linewidth=0.6)
    axes.set_xlim(0, most * 1.45)
    axes.xaxis.set_major_formatter(lambda value, _: f"${value:,.0f}")
    axes.set_xlabel("meter, for a wager of $1")
    axes.set_ylabel("return, % of the wager")
    _label(axes, most * 1.02, labels)


def _label(axes: "Axes", x: float, labels: list[tuple[float, str]]) -> None:
    """Write words at the lines' ends, none over another."""
    low, high = axes.get_ylim()
    gap, last = (high - low) * 0.055, float("-inf")
    for y, words in sorted(labels):
        last = max(y, last + gap)
        axes.annotate(words, (x, last), va="center", fontsize=7.5, color="#222")
    axes.set_ylim(low, max(high, last + gap))
