"""`pitboss` without arguments: one first command for each kind of user."""

from typing import Final

from rich.markup import escape
from rich.table import Table

from pitboss.cli.output import console

FIRST_COMMANDS: Final = {
    "Play in a browser": ("pitboss serve", "three live tables"),
    "Play in the terminal": ("pitboss play caribbean-stud", "a dealer deals to you"),
    "Look something up": ("pitboss clauses '639a.11(c)(3)'", "a clause and its tests"),
    "See the figures": ("pitboss analyze cajun-stud", "exact house edges"),
    "Operator": ("pitboss submission new 639a", "a Submission to fill in"),
    "Auditor": ("pitboss audit verify data", "check a house's records"),
    "Developer": ("pitboss paytables --format json", "the rules as data"),
}
"""By purpose or profession: a command, and what it shows."""

WIDE: Final = 72
"""Terminal columns from which every command fits on one line."""


def print_first_steps() -> None:
    """Print the first commands."""
    out = console()
    out.print("\n[bold]Pitboss[/]  Pennsylvania's house-banked stud games, by the book.\n")
    page = Table.grid(padding=(0, 3, 0, 0))
    for no_wrap in (True, True, False):
        page.add_column(overflow="fold", no_wrap=no_wrap and out.width >= WIDE)
    for who, (command, purpose) in FIRST_COMMANDS.items():
        page.add_row(who, f"[bold]{escape(command)}[/]", f"[dim]{purpose}[/]")
    out.print(page)
    out.print("\npitboss --help lists all commands.\n")
