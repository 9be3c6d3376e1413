"""`pitboss holds`: compares published hold percentages with calculated ones."""

from typing import TYPE_CHECKING

from rich.markup import escape

from pitboss.cli.output import Format, Game, console, find_games, heading, plain_table, print_json
from pitboss.cli.progress import progress_bar
from pitboss.errors import Mistake
from pitboss.rulebook.published_hold import published_holds

if TYPE_CHECKING:  # numpy and numba are loaded only for calculations
    from pitboss.report.hold_comparison import HoldFinding, RangeEnd


def holds(game: Game = None, /, *, format: Format = "table") -> None:  # noqa: A002 (the option's name)
    """Compare the hold ranges published in rulemaking 125-204 with calculated ones."""
    names = [rules.chapter.game for rules in find_games(game)]
    ranges = [published for published in published_holds() if published.game in names]
    if not ranges:
        raise Mistake(f"Rulemaking 125-204 publishes no hold for {game}.")
    from pitboss.exact.analysis import kernel_module  # noqa: PLC0415 (numpy and numba)
    from pitboss.report.hold_comparison import DEFINITIONS, compare_hold, format_percent, format_points  # noqa: PLC0415 (the same)

    with progress_bar(len(ranges), *sorted({kernel_module(one.game) for one in ranges})) as done:
        verdicts = []
        for published in ranges:
            verdicts.append(compare_hold(published))
            done()
    if format == "json":
        print_json([_verdict_as_json(verdict) for verdict in verdicts])
        return
    out = console()
    for verdict in verdicts:
        published = verdict.published
        (rules,) = find_games(published.game)
        out.print(f"{heading(rules)}\n[bold]{published.wager}[/], published {published.low} % to {published.high} %")
        page = plain_table("loss", "readings", "least", "", "most", "")
        for one in sorted(verdict.comparisons, key=lambda one: -one.ends):
            page.add_row(
                DEFINITIONS[one.definition],
                ", ".join(f"{name} = {option}" for name, option in one.readings.items()),
                *(
                    text
                    for end in (one.low, one.high)
                    for text in (
                        f"{format_percent(end.found)}{f' ({end.paytable})' if end.paytable else ''}",
                        "[green]agrees[/]" if end.agrees else f"[dim]{format_points(end.off)} off[/]",
                    )
                ),
            )
        out.print(page)
        out.print(f"[bold]{escape(verdict.words)}[/]\n")


def _verdict_as_json(verdict: "HoldFinding") -> dict[str, object]:
    from pitboss.exact.analysis import format_fraction  # noqa: PLC0415 (numpy and numba)

    def end(of: "RangeEnd") -> dict[str, object]:
        return {"percent": format_fraction(of.found), "paytable": of.paytable, "agrees": of.agrees}

    return {
        "game": verdict.published.game,
        "wager": verdict.published.wager,
        "published": {"low": str(verdict.published.low), "high": str(verdict.published.high)},
        "verdict": verdict.words,
        "figures": [
            {"definition": one.definition, "readings": one.readings, "low": end(one.low), "high": end(one.high)}
            for one in verdict.comparisons
        ],
    }
