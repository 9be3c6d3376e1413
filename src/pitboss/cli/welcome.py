"""What `pitboss serve` prints when a house opens: its address, who may sign in, its tables, and how to close it."""

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
from pitboss.house.people import Post
from pitboss.house.startup import DEMO_PASSWORD
from pitboss.house.zone import local_time


def print_welcome(  # noqa: PLR0913 (what there is to say)
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
    """Print it: in a box where a person looks at a terminal, else as plain lines."""
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
    parts += [Text(DISCLAIMER, "dim"), "Ctrl-C closes the house; it resumes where it was."]
    said = Group(*parts)
    out.print()
    out.print(Panel(said, title="[bold]Pitboss[/]", border_style="green", padding=(1, 2)) if out.is_terminal else said)
    out.print()


def _facts(
    settings: Config,
    demo: Sequence[tuple[str, str]],
    posts: Mapping[str, int],
    tables: Sequence[str],
    closed: Sequence[str],
) -> list[tuple[str, str]]:
    found = [("Browsers reach it at", escape(settings.origin))] if settings.origin else []
    if demo:
        found.append(("Password", f"[bold]{DEMO_PASSWORD}[/], for everybody named here"))
    for post in Post:
        names = [name for name, known in demo if known == post]
        if others := posts.get(post, 0) - len(names):
            names.append(f"{others} with {'a password' if others == 1 else 'passwords'} of their own")
        if names:
            found.append((post.capitalize(), escape(", ".join(names))))
    if not posts:
        found.append(("People", "none yet; pitboss hire NAME operator makes the first one known"))
    found.append(("Tables", escape(", ".join(tables)) or "none; the operator opens them"))
    if closed:
        found.append(("Closed tables", escape(", ".join(closed))))
    zone = f"{settings.timezone} ({local_time(time.time(), settings.timezone):%Z})"
    found.append(("Time zone", zone))
    found.append(("Data folder", escape(str(Path(settings.data).resolve()))))
    if settings.database:
        found.append(("Database", "PostgreSQL"))
    return found
