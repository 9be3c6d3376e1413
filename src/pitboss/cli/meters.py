"""`pitboss meters`: seeds, rates of progression and the Envy Bonus."""

from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape

from pitboss.cli.output import Format, Game, find_games, plain_table, print_games
from pitboss.rulebook import GameRules, Meters


def meters(game: Game = None, /, *, format: Format = "table") -> None:  # noqa: A002 (the option's name)
    """Show the progressive meters: seed, reseed, rates of progression and Envy Bonus."""
    print_games(
        find_games(game),
        format,
        lambda rules: {wager: _as_json(found) for wager, found in rules.meters.items()},
        _show,
    )


def _show(out: Console, rules: GameRules) -> None:
    for found in rules.meters.values():
        _print(out, found)
    if not rules.meters:
        out.print("No progressive meters.\n")


def _print(out: Console, found: Meters) -> None:
    out.print(f"{escape(found.wager)}  [dim]§ {found.cite}[/]")
    page = plain_table("", "meter", "seed", "reseed", "primary", "reserve")
    for letter, names in found.paytables.items():
        for name, meter in names.items():
            page.add_row(letter, name, *map(_cell, msgspec.structs.astuple(meter)))
    out.print(page)
    out.print()
    if found.not_linked:
        out.print(f"Not allowed for linked games that share a jackpot: {', '.join(found.not_linked.paytables)}.\n")
    if found.envy:
        out.print(f"Envy Bonus, paytables {', '.join(found.envy.paytables)}  [dim]§ {found.envy.cite}[/]")
        page = plain_table("")
        for stake in found.envy.pays:
            page.add_column(f"{stake} wagered", justify="right", overflow="fold")
        for hand in next(iter(found.envy.pays.values())):
            page.add_row(escape(hand), *(str(pays[hand]) for pays in found.envy.pays.values()))
        out.print(page)
        out.print()


def _as_json(found: Meters) -> dict[str, Any]:
    return {
        "cite": found.cite,
        "paytables": {
            letter: {
                name: {field: _cell(value) for field, value in msgspec.structs.asdict(meter).items()}
                for name, meter in names.items()
            }
            for letter, names in found.paytables.items()
        },
        "not_linked": found.not_linked.paytables if found.not_linked else (),
        "envy": {
            "cite": found.envy.cite,
            "paytables": found.envy.paytables,
            "pays": {
                stake: {hand: str(sum_paid) for hand, sum_paid in pays.items()}
                for stake, pays in found.envy.pays.items()
            },
        }
        if found.envy
        else None,
    }


def _cell(value: object) -> str:
    return "n/a" if value is None else str(value)
