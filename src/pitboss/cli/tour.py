"""`pitboss tour`: the three games, their clauses and tables, and where to go next."""

from collections import Counter

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitboss.cards import Card, Color, hand
from pitboss.cli.output import Game, console, games, ledger
from pitboss.ranking import evaluator
from pitboss.rulebook import GameRules, Paytables, Status, rulebook

NEXT = (
    ("pitboss clauses 639a.11", "the clauses of one section: duty, bearer, how met, tests"),
    ("pitboss clauses --status planned", "what is still to be built"),
    ("pitboss paytables cajun-stud", "every paytable of a game"),
    ("pitboss meters", "seeds, rates of progression, Envy Bonus"),
    ("pitboss readings aces-bonus-hand-size", "an ambiguity, the options, the evidence"),
    ("pitboss rankings four-card-prime", "what beats what, and which clause says so"),
    ("pitboss rank Ah Kh Qh Jh Th", "what a hand is, for every wager"),
    ("pitboss --help", "everything else; listings take --format json"),
)


def tour(game: Game = None) -> None:
    """Show the three games, their clauses and tables, and where to go next."""
    show(console(), games(game))


def show(out: Console, rules: list[GameRules]) -> None:
    """Print the tour of these games."""
    out.print()
    out.print("[bold]Pitboss[/]  Pennsylvania's house-banked stud games, by the book.\n")
    for chosen in rules:
        out.print(_game(chosen))
        out.print()
    readings = len(rulebook().readings)
    out.print(f"{readings} readings say what Pitboss does where the text is silent or contradicts itself.\n")
    out.print("[bold]Where to go next[/]")
    for command, purpose in NEXT:
        out.print(f"  {command:<38} [dim]{purpose}[/]")
    out.print()


def _game(rules: GameRules) -> Padding:
    chapter = rules.chapter
    color, example = chapter.head.accent, chapter.head.example
    title = Text.assemble((chapter.title, f"bold {color}"), ("  " + chapter.edition, "dim"))
    held = hand(example.cards)
    made = evaluator(rulebook().ranking(chapter.game, example.ranking))(held).hand
    picture = Table.grid(padding=(0, 3))
    picture.add_row(_drawn(held), Text.assemble(made.hand, "\n", (f"§ {made.cite}", color), no_wrap=True))
    tables = ledger("wager", "paytables", "clause")
    for wager in rules.paytables.values():
        tables.add_row(wager.wager, _letters(wager), f"§ {wager.cite}")
    parts = Group(title, chapter.head.about, "", picture, "", tables, "", _clauses(rules))
    return Padding(parts, (0, 0, 0, 2))


def _drawn(cards: tuple[Card, ...]) -> Text:
    """Draw the cards side by side: white, with a large index."""
    text = Text(no_wrap=True)
    for line in ("╭───╮", "│{:<2} │", "│ {:>2}│", "╰───╯"):
        for card in cards:
            face = {"│{:<2} │": card.rank.letter, "│ {:>2}│": card.suit.symbol}.get(line, "")
            red = card.suit.color is Color.RED and face
            text.append(line.format(face) + " ", "red" if red else "")
        text.append("\n")
    text.right_crop(1)
    return text


def _letters(tables: Paytables) -> str:
    return " ".join(tables.printed)


def _clauses(rules: GameRules) -> Text:
    """Draw how the clauses of a chapter are met, one bar in proportion."""
    count = Counter(clause.status for clause in rules.chapter.clauses)
    total = len(rules.chapter.clauses)
    built = total - count[Status.PLANNED] - count[Status.PHYSICAL]
    text = Text(f"{total} clauses  ")
    for number, style in ((built, "green"), (count[Status.PHYSICAL], "dim"), (count[Status.PLANNED], "yellow")):
        text.append("━" * round(40 * number / total), style)
    text.append(f"  {built} met in software", "green")
    text.append(f", {count[Status.PHYSICAL]} physical", "dim")
    text.append(f", {count[Status.PLANNED]} planned", "yellow")
    return text
