"""`pitboss rank`: what a hand of cards is, under every ranking that takes so many cards."""

from typing import Annotated

from cyclopts import Parameter

from pitboss.cards import hand
from pitboss.cli.output import Format, Game, console, find_games, parse_pairs, plain_table, print_json
from pitboss.errors import Mistake
from pitboss.ranking import evaluator
from pitboss.rulebook import rulebook


def rank(
    *cards: Annotated[str, Parameter(help="Cards such as Ah 10d T♣, apart or together.")],
    game: Game = None,
    reading: Annotated[tuple[str, ...], Parameter(negative="", help="ID=OPTION, to read the text another way.")] = (),
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Name the hand these cards make for every wager that looks at so many."""
    held = hand(" ".join(cards))
    choice = parse_pairs(reading, "five-card-wheel=no")
    book = rulebook()
    found = []
    for rules in find_games(game):
        for name, printed in rules.rankings.items():
            if len(held) in printed.cards:
                standing = evaluator(book.ranking(rules.chapter.game, name, choice))(held)
                found.append((rules.chapter.game, name, standing.hand))
    if not found:
        raise Mistake(f"No ranking here takes so many cards ({len(held)}).")
    if format == "json":
        print_json(
            [{"game": game, "ranking": name, "hand": made.name, "cite": made.cite} for game, name, made in found]
        )
        return
    page = plain_table("game", "ranking", "hand", "clause")
    for row in found:
        page.add_row(row[0], row[1], row[2].name, f"§ {row[2].cite}")
    out = console()
    out.print("[bold]" + "  ".join(card.pretty for card in held) + "[/]")
    out.print(page)
