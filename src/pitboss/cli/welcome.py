"""The message `pitboss serve` prints at the start: address, people, tables, and how to close the house."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.disclaimer import DISCLAIMER
from pitboss.house.config import Config
from pitboss.house.office.people import Post
from pitboss.house.startup import DEMO_PASSWORD
from pitboss.house.zone import local_time


def print_welcome(  # noqa: PLR0913 (facts to print)
    out: Console,
    settings: Config,
    *,
    demo: Sequence[tuple[str, str]],
    posts: Mapping[str, int],
    tables: Sequence[str],
    closed: Sequence[str],
    unapproved: Sequence[str] = (),
    seeded: bool,
) -> None:
    """Print the message, in a box on a terminal, else as plain lines."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = Text.assemble("The house is open at ", (f"http://{host}:{settings.port}", "bold"), overflow="fold")
    money = "Play money." if settings.play_money else "Real money: the operator's licence is required."
    facts = Table.grid(padding=(0, 3, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    for name, words in _facts(settings, demo, posts, tables, closed):
        facts.add_row(name, words)
    parts: list[RenderableType] = [address, money, "", facts, ""]
    if unapproved:
        parts.append(Text(f"Not approved by the Board: {', '.join(unapproved)}.", "yellow"))
    if seeded:
        parts.append("[yellow]Seeded cards: for practice and tests only.[/]")
    parts += [Text(DISCLAIMER, "dim"), "Ctrl-C closes the house; the next start continues where it stopped."]
    message = Group(*parts)
    out.print()
    box = Panel(message, title="[bold]Pitboss[/]", border_style="green", padding=(1, 2))
    out.print(box if out.is_terminal else message)
    out.print()


def _facts(
    settings: Config,
    demo: Sequence[tuple[str, str]],
    posts: Mapping[str, int],
    tables: Sequence[str],
    closed: Sequence[str],
) -> list[tuple[str, str]]:
    facts = [("Browser address", escape(settings.origin))] if settings.origin else []
    if demo:
        facts.append(("Password", f"[bold]{DEMO_PASSWORD}[/], for everyone named below"))
    for post in Post:
        names = [name for name, known in demo if known == post]
        if others := posts.get(post, 0) - len(names):
            names.append(f"{others} with {'a password' if others == 1 else 'passwords'} of their own")
        if names:
            facts.append((post.capitalize(), escape(", ".join(names))))
    if not posts:
        facts.append(("People", "none yet; add the first one with: pitboss hire NAME operator"))
    facts.append(("Tables", escape(", ".join(tables)) or "none; an operator opens them"))
    if closed:
        facts.append(("Closed tables", escape(", ".join(closed))))
    zone = f"{settings.timezone} ({local_time(time.time(), settings.timezone):%Z})"
    facts.append(("Time zone", zone))
    facts.append(("Data folder", escape(str(Path(settings.data).resolve()))))
    if settings.database:
        facts.append(("Database", "PostgreSQL"))
    return facts
