"""`pitboss rank`: names a hand under every ranking for its number of cards."""

from typing import Annotated

from cyclopts import Parameter

from pitboss.cards import hand
from pitboss.cli.output import Format, Game, console, find_games, parse_pairs, plain_table, print_json
from pitboss.errors import Mistake
from pitboss.ranking import evaluator
from pitboss.rulebook import rulebook


def rank(
    *cards: Annotated[str, Parameter(help="Cards such as Ah 10d T♣, separate or in one argument.")],
    game: Game = None,
    reading: Annotated[tuple[str, ...], Parameter(negative="", help="ID=OPTION, overrides the default reading.")] = (),
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Name the hand these cards make, for every wager that uses this number of cards."""
    given = hand(" ".join(cards))
    choice = parse_pairs(reading, "five-card-wheel=no")
    book = rulebook()
    found = []
    for rules in find_games(game):
        for name, printed in rules.rankings.items():
            if len(given) in printed.cards:
                ranked = evaluator(book.ranking(rules.chapter.game, name, choice))(given)
                found.append((rules.chapter.game, name, ranked.hand))
    if not found:
        raise Mistake(f"No ranking is for {len(given)} card{'' if len(given) == 1 else 's'}.")
    if format == "json":
        print_json(
            [{"game": game, "ranking": name, "hand": hand.name, "cite": hand.cite} for game, name, hand in found]
        )
        return
    page = plain_table("game", "ranking", "hand", "clause")
    for row in found:
        page.add_row(row[0], row[1], row[2].name, f"§ {row[2].cite}")
    out = console()
    out.print("[bold]" + "  ".join(card.pretty for card in given) + "[/]")
    out.print(page)
