"""`pitboss rankings`: the hands of every wager, highest first, with their patterns."""

from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape

from pitboss.cli.output import Format, Game, find_games, plain_table, print_games
from pitboss.ranking import Hand
from pitboss.rulebook import GameRules
from pitboss.rulebook.rankings import PrintedHand, PrintedRanking


def rankings(game: Game = None, /, *, format: Format = "table") -> None:  # noqa: A002 (the option's name)
    """Show the ranking of hands for every wager, with clauses."""
    print_games(
        find_games(game),
        format,
        lambda rules: {name: _as_json(ranking) for name, ranking in rules.rankings.items()},
        _show,
    )


def _show(out: Console, rules: GameRules) -> None:
    for name, ranking in rules.rankings.items():
        cards = " or ".join(map(str, ranking.cards))
        out.print(f"{escape(name)}, {cards} cards")
        page = plain_table("", "pattern", "clause", "only under")
        for hand in ranking.hands:
            page.add_row(escape(hand.name), _pattern(hand), f"§ {hand.cite}", _options(hand))
        out.print(page)
        out.print()


def _as_json(ranking: PrintedRanking) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(ranking)
    defaults = msgspec.to_builtins(Hand(name="", cite="")) | {"when": {}}
    data["hands"] = [
        {key: value for key, value in hand.items() if key not in defaults or value != defaults[key]}
        for hand in data["hands"]
    ]
    return data


def _pattern(hand: PrintedHand) -> str:
    words = []
    if hand.same_suit:
        suit = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}.get(hand.suit, "one suit")
        words.append(f"{hand.same_suit} of {suit}")
    if hand.same_rank:
        words.append(" and ".join(f"{size} of one rank" for size in hand.same_rank))
    if hand.of:
        words.append(f"from {' '.join(hand.of)}")
    if hand.run:
        words.append(f"{hand.run} in sequence")
    if hand.ranks:
        words.append(" ".join("/".join(slot) for slot in hand.ranks))
    if hand.high:
        words.append(f"highest card {hand.high}")
    if hand.same_color:
        words.append(f"{hand.same_color} of one color")
    if hand.unordered:
        words.append("all alike")
    return ", ".join(words) or "anything else"


def _options(hand: PrintedHand) -> str:
    return ", ".join(f"{name}={option}" for name, option in hand.when.items())
