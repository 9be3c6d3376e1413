"""`pitboss paytables`: every paytable as section .12 prints it."""

from itertools import groupby
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pitboss.cli.output import Format, Game, find_games, plain_table, print_games
from pitboss.errors import Mistake
from pitboss.rulebook import GameRules, Paytables


def paytables(
    game: Game = None,
    /,
    *,
    wager: Annotated[str | None, Parameter(help="Only this wager, such as bonus or all-six.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show the paytables of every wager."""
    chosen = [rules for rules in find_games(game) if wager is None or wager in rules.paytables]
    if not chosen:
        wagers = sorted({name for rules in find_games(game) for name in rules.paytables})
        raise Mistake(f"Unknown wager “{wager}”; choose from {', '.join(wagers)}.")

    def wanted(rules: GameRules) -> list[Paytables]:
        return [rules.paytables[wager]] if wager else list(rules.paytables.values())

    print_games(
        chosen,
        format,
        lambda rules: {tables.wager: _as_json(tables) for tables in wanted(rules)},
        lambda out, rules: _show(out, wanted(rules)),
    )


def _as_json(tables: Paytables) -> dict[str, dict[str, str]]:
    return {letter: {hand: str(pay) for hand, pay in table.items()} for letter, table in tables.printed.items()}


def _show(out: Console, wagers: list[Paytables]) -> None:
    """Print each wager's tables side by side if they have the same rows and fit."""
    for tables in wagers:
        for _, alike in groupby(tables.printed.items(), lambda printed: list(printed[1])):
            letters = [letter for letter, _ in alike]
            while letters:
                fit = _tables_per_row(tables, letters, out.width)
                out.print(f"{escape(tables.wager)}  [dim]§ {tables.cite}[/]")
                out.print(_page(tables, letters[:fit]))
                out.print()
                letters = letters[fit:]


def _tables_per_row(tables: Paytables, letters: list[str], width: int) -> int:
    """Return how many of these tables fit side by side in this width."""
    hand = max(map(len, tables.printed[letters[0]]))
    cell = max(len(str(pay)) for letter in letters for pay in tables.printed[letter].values())
    return max(1, (width - hand) // (cell + 2))


def _page(tables: Paytables, letters: list[str]) -> Table:
    page = plain_table("")
    for letter in letters:
        page.add_column(letter, justify="right", overflow="fold")
    for hand in tables.printed[letters[0]]:
        page.add_row(escape(hand), *(str(tables.printed[letter][hand]) for letter in letters))
    return page
