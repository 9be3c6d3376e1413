"""`pitboss paytables`: every paytable as section .12 prints it."""

from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from pitboss.cli.output import Format, Game, console, games, heading, ledger, print_json
from pitboss.errors import Mistake
from pitboss.rulebook import Paytables


def paytables(
    game: Game = None,
    *,
    wager: Annotated[str | None, Parameter(help="Only this wager, such as bonus or all-six.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show what every wager pays, table by table."""
    chosen = {
        rules.chapter.game: {name: tables for name, tables in rules.paytables.items() if wager in (None, name)}
        for rules in games(game)
    }
    if not any(chosen.values()):
        wagers = sorted({name for rules in games(game) for name in rules.paytables})
        raise Mistake(f"There is no wager “{wager}” here; there are {', '.join(wagers)}.")
    if format == "json":
        print_json(
            {
                game: {
                    name: {
                        letter: {hand: str(pay) for hand, pay in table.items()}
                        for letter, table in tables.printed.items()
                    }
                    for name, tables in wagers.items()
                }
                for game, wagers in chosen.items()
                if wagers
            }
        )
        return
    out = console()
    for rules in games(game):
        if chosen[rules.chapter.game]:
            out.print(heading(rules))
            out.print()
        for tables in chosen[rules.chapter.game].values():
            _print(out, tables)


def _print(out: Console, tables: Paytables) -> None:
    """Print the tables of a wager side by side, as far as they have the same rows."""
    blocks: list[list[str]] = []
    for letter, table in tables.printed.items():
        if blocks and list(tables.printed[blocks[-1][0]]) == list(table):
            blocks[-1].append(letter)
        else:
            blocks.append([letter])
    for block in blocks:
        page = ledger(f"{tables.wager}  § {tables.cite}")
        for letter in block:
            page.add_column(letter, justify="right")
        for hand in tables.printed[block[0]]:
            page.add_row(hand, *(str(tables.printed[letter][hand]) for letter in block))
        out.print(page)
        out.print()
