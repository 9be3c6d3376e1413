"""The command line: `pitboss …`.

Each command is a module here. Nothing in them imports numpy before it is needed,
so that help and listings are instant.
"""

import signal
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version

from cyclopts import App, CycloptsError

from pitboss.cli import clauses, meters, paytables, rank, rankings, readings, tour
from pitboss.errors import Mistake

app = App(
    name="pitboss",
    help="Pennsylvania's house-banked stud games, by the book.",
    version=version("pitboss"),
    version_flags=["--version"],
    result_action="return_value",
)
COMMANDS: tuple[Callable[..., int | None], ...] = (
    tour.tour,
    clauses.clauses,
    paytables.paytables,
    meters.meters,
    rankings.rankings,
    rank.rank,
    readings.readings,
)
for command in COMMANDS:
    app.command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a user's mistake is one sentence and status 2."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `pitboss clauses | head` ends quietly
    try:
        status = app(arguments, exit_on_error=False, print_error=False)
    except (Mistake, CycloptsError) as mistake:
        print(f"pitboss: {' '.join(str(mistake).split())}", file=sys.stderr)  # noqa: T201 (the one sentence)
        return 2
    return status if isinstance(status, int) else 0
