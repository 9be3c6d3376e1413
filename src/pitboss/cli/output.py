"""Output shared by all commands: console, JSON, tables, cards, files and warnings."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table
from rich.text import Text

from pitboss.cards import Card, Color
from pitboss.errors import Mistake
from pitboss.rulebook import GameRules
from pitboss.rulebook.clause_matrix import chapters

Format = Annotated[Literal["table", "json"], Parameter(help="Output as a table, or as JSON for programs.")]
Game = Annotated[str | None, Parameter(help="A game or chapter: caribbean-stud, 639a, …; default: all.")]

PIPED_WIDTH: Final = 120


def console() -> Console:
    """Return a console as wide as the terminal, or of a fixed width when piped."""
    width = shutil.get_terminal_size(fallback=(PIPED_WIDTH, 0)).columns
    return Console(width=width, highlight=False)


def spinner(words: str) -> Status:
    """Return a spinner for work that may take seconds; only a terminal shows it."""
    return Console(stderr=True).status(f"{words} …")


@contextmanager
def private_files() -> Iterator[None]:
    """Create files readable by their owner only: they hold hidden cards and password hashes."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def print_json(data: object) -> None:
    """Print the data as JSON, keeping its order."""
    print(json.dumps(data, indent=2))  # noqa: T201 (the output)


def print_error(sentence: str) -> None:
    """Print one sentence to standard error."""
    print(f"pitboss: {sentence}", file=sys.stderr)  # noqa: T201 (the output)


def warn(out: Console, warnings: Iterable[str]) -> None:
    """Print warnings."""
    for one in warnings:
        out.print(f"\n[yellow]Warning:[/] {escape(one)}")


find_games: Final = chapters
"""Returns the game with this name or chapter, or all games."""


def heading(rules: GameRules) -> str:
    """Return a game's title with its edition."""
    chapter = rules.chapter
    return f"[bold {chapter.head.accent}]{escape(chapter.title)}[/]  [dim]{escape(chapter.edition)}[/]"


def print_games(
    chosen: Sequence[GameRules],
    format: str,  # noqa: A002 (the option's name)
    as_json: Callable[[GameRules], object],
    show: Callable[[Console, GameRules], None],
) -> None:
    """Print one part of each game's rules: as JSON under the game's name, or as text under its heading."""
    if format == "json":
        print_json({rules.chapter.game: as_json(rules) for rules in chosen})
        return
    out = console()
    for rules in chosen:
        out.print(heading(rules))
        out.print()
        show(out, rules)


def plain_table(*columns: str) -> Table:
    """Return an empty table without borders."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def draw_cards(cards: Sequence[Card]) -> Text:
    """Draw the cards side by side, red ones in red."""
    text = Text("  ".join("╭───╮" for _ in cards), no_wrap=True)
    for line in ("│{:<3}│", "│{:>3}│"):
        for card in cards:
            text.append("\n" if card is cards[0] else "  ")
            face = card.rank.letter if "<" in line else card.suit.symbol
            text.append(line[0]).append(line[1:-1].format(face), _ink(card)).append(line[-1])
    return text.append("\n" + "  ".join("╰───╯" for _ in cards))


def _ink(card: Card) -> str:
    return "bold red" if card.suit.color is Color.RED else "bold"


def parse_pair(text: str, example: str) -> tuple[str, str]:
    """Parse NAME=VALUE."""
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise Mistake(f"“{text}” must have the form NAME=VALUE, for example {example}.")
    return name, value


def parse_pairs(texts: Sequence[str], example: str) -> dict[str, str]:
    """Parse several NAME=VALUE; reject a repeated name."""
    values: dict[str, str] = {}
    for text in texts:
        name, value = parse_pair(text, example)
        if name in values:
            raise Mistake(f"“{name}” is given twice.")
        values[name] = value
    return values


def write_file(file: Path, content: bytes, *, over: bool = True) -> None:
    """Write a file atomically; turn a failure into a Mistake."""
    try:
        if not over and file.is_symlink() | file.exists():
            raise Mistake(f"{file} already exists; choose another name or remove it.")
        target = file.resolve()
        part = target.with_name(f".pitboss-{os.getpid()}.part")
        part.write_bytes(content)
        try:
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        if isinstance(error, Mistake):
            raise
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid file name"
        raise Mistake(f"{file} cannot be written: {reason}.") from None


def write_pdf(file: Path, printed: Callable[[], bytes]) -> None:
    """Write a PDF and print its name."""
    if file.suffix.lower() != ".pdf":
        raise Mistake(f"The output is a PDF: {file} must end in .pdf.")
    write_file(file, printed())
    console().print(f"Wrote {escape(str(file))}.")
