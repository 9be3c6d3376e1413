"""`pitboss tour`: the three games, their clauses and paytables, and more commands."""

from collections import Counter

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitboss.cards import hand
from pitboss.cli.output import Game, console, draw_cards, find_games, plain_table
from pitboss.ranking import evaluator
from pitboss.rulebook import GameRules, Status, rulebook

NEXT = (
    ("pitboss serve", "live tables in the browser, for play money"),
    ("pitboss play caribbean-stud", "a table in the terminal, for play money"),
    ("pitboss settle --help", "what a hand pays, and why"),
    ("pitboss analyze cajun-stud", "exact figures of every wager; also advise, strategy, holds"),
    ("pitboss par 639a -o par.pdf", "a PAR sheet; also .html and .xlsx"),
    ("pitboss submission new cajun-stud", "a Submission to fill in and check"),
    ("pitboss signs cajun-stud-rack-card", "the sign and rack card of a table, PDF and HTML"),
    ("pitboss clauses 639a.11", "one section: duty, bearer, how met, tests"),
    ("pitboss clauses --status physical", "duties outside software, and what is recorded"),
    ("pitboss paytables cajun-stud", "every paytable of a game"),
    ("pitboss meters", "seeds, rates of progression, Envy Bonus"),
    ("pitboss readings aces-bonus-hand-size", "an ambiguity, the options, the evidence"),
    ("pitboss rankings four-card-prime", "the order of hands, with clauses"),
    ("pitboss rank Ah Kh Qh Jh Th", "the name of a hand, for every wager"),
    ("pitboss --help", "all commands; listings take --format json"),
)


def tour(game: Game = None, /) -> None:
    """Show the three games, their clauses and paytables, and which commands to try next."""
    out, chosen = console(), find_games(game)
    out.print("\n[bold]Pitboss[/]  Pennsylvania's house-banked stud games, by the book.\n")
    for rules in chosen:
        out.print(_game(rules))
        out.print()
    readings = len(rulebook().readings)
    out.print(f"{readings} readings say what Pitboss does where the text is silent or contradicts itself.\n")
    out.print("[bold]Where to go next[/]  [dim]in a clone the command is .venv/bin/pitboss[/]")
    for command, purpose in NEXT:
        out.print(f"  {command:<38} [dim]{purpose}[/]", soft_wrap=True)
    out.print()


def _game(rules: GameRules) -> Padding:
    chapter = rules.chapter
    color, example = chapter.head.accent, chapter.head.example
    title = Text.assemble((chapter.title, f"bold {color}"), ("  " + chapter.edition, "dim"))
    cards = hand(example.cards)
    ranked = evaluator(rulebook().ranking(chapter.game, example.ranking))(cards).hand
    picture = Table.grid(padding=(0, 3))
    picture.add_row(draw_cards(cards), Text.assemble(ranked.name, "\n", (f"§ {ranked.cite}", color), no_wrap=True))
    tables = plain_table("wager", "paytables", "clause")
    for wager in rules.paytables.values():
        tables.add_row(wager.wager, " ".join(wager.printed), f"§ {wager.cite}")
    source = Text(chapter.head.source, "dim")
    parts = Group(title, source, "", Text(chapter.head.about), "", picture, "", tables, "", _clauses(rules))
    return Padding(parts, (0, 0, 0, 2))


def _clauses(rules: GameRules) -> Text:
    """Return how many clauses of a chapter are met in software, as words and a bar."""
    count = Counter(clause.status for clause in rules.chapter.clauses)
    total = len(rules.chapter.clauses)
    built = total - count[Status.PHYSICAL]
    parts = (
        (built, f"{built} met in software", "green"),
        (count[Status.PHYSICAL], f"{count[Status.PHYSICAL]} physical", "dim"),
    )
    text = Text(f"{total} clauses: ")
    text.append_text(Text(", ").join(Text(words, style) for _, words, style in parts)).append("\n")
    for number, _, style in parts:
        text.append("━" * round(60 * number / total), style)
    return text
