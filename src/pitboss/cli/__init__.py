"""The command line: `pitboss …`.

Each command is a module in this package. Heavy imports such as numpy happen inside the commands
that need them, so that help and listings are instant.
"""

import io
import os
import signal
import sys
from collections.abc import Callable, Sequence

from cyclopts import App, CycloptsError

from pitboss import __version__
from pitboss.cli import (
    advise,
    analyze,
    audit,
    clauses,
    fairness,
    hire,
    holds,
    meters,
    par,
    paytables,
    play,
    rank,
    rankings,
    readings,
    rehearse,
    replay,
    serve,
    settle,
    signs,
    slips,
    submission,
    tour,
    training,
)
from pitboss.cli.first_steps import print_first_steps
from pitboss.cli.output import print_error
from pitboss.errors import Mistake

app = App(
    name="pitboss",
    help="Pennsylvania's house-banked stud games, by the book.",
    version=__version__,
    version_flags=["--version"],
    result_action="return_value",
)
COMMANDS: tuple[Callable[..., int | None] | App, ...] = (
    tour.tour,
    serve.serve,
    hire.hire,
    audit.audit,
    play.play,
    rehearse.rehearse,
    replay.replay,
    settle.settle,
    analyze.analyze,
    holds.holds,
    advise.advise,
    advise.strategy,
    par.par,
    submission.submission,
    signs.signs,
    clauses.clauses,
    paytables.paytables,
    meters.meters,
    rankings.rankings,
    rank.rank,
    readings.readings,
    fairness.rng_report,
    fairness.verify_shuffle,
)
for command in COMMANDS:
    app.command(command)
for command in (slips.slips, slips.slip, training.training):
    audit.audit.command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. A Mistake prints one sentence and returns status 2."""
    if arguments is None and hasattr(signal, "SIGPIPE"):  # only when run as a program
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `pitboss clauses | head` ends quietly
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without “§” or “♥” shows “?”
    try:
        if not (sys.argv[1:] if arguments is None else arguments):
            print_first_steps()
            return 0
        status = app(arguments, exit_on_error=False, print_error=False)
        print(end="", flush=True)  # noqa: T201 (a failed write is reported here, not at exit)
    except (Mistake, CycloptsError) as mistake:
        print_error(" ".join(str(mistake).split()))
        return 2
    except OSError as error:
        print_error(f"The output could not be written: {error.strerror}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the unwritten rest would fail again at exit
        return 1
    return status if isinstance(status, int) else 0
