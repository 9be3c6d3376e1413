"""`pitboss par`: the PAR sheet of a game or a Submission."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.output import console, find_games, write_file
from pitboss.cli.progress import progress_bar
from pitboss.errors import Mistake
from pitboss.rulebook import rulebook
from pitboss.submission import load

KINDS = (".html", ".pdf", ".xlsx")


def par(
    name: Annotated[str, Parameter(help="A game or chapter, a Submission file, or a preset.")],
    /,
    *,
    output: Annotated[Path, Parameter(("--output", "-o"), help="FILE.html, FILE.pdf or FILE.xlsx.")],
) -> None:
    """Write a PAR sheet: combinations, figures, strategy, plots and readings."""
    if output.suffix not in KINDS:
        raise Mistake(f"A PAR sheet is a {', '.join(KINDS)} file, not “{output.suffix or output}”.")
    book = rulebook()
    game = next((rules for rules in book.games.values() if name in (rules.chapter.game, rules.chapter.id)), None)
    submission = None if game else load(name)
    if submission:
        (game,) = find_games(submission.game)
    assert game
    from pitboss.exact.analysis import kernel_module, list_tasks  # noqa: PLC0415 (numpy and numba)
    from pitboss.report.par import par_of_game, par_of_submission  # noqa: PLC0415 (the same)

    with progress_bar(len(list_tasks(game.chapter.game)) + 1, kernel_module(game.chapter.game)) as done:
        found = par_of_submission(submission, done) if submission else par_of_game(game.chapter.game, done)
        write_file(output, _render_par(found, output.suffix))
    console().print(f"Wrote {escape(str(output))}.")


def _render_par(found: object, kind: str) -> bytes:
    from pitboss.report.par.html_page import par_html  # noqa: PLC0415 (the same)
    from pitboss.report.par.model import Par  # noqa: PLC0415 (the same)
    from pitboss.report.par.pdf import par_pdf  # noqa: PLC0415 (the same)
    from pitboss.report.par.spreadsheet import par_xlsx  # noqa: PLC0415 (the requested kind)

    assert isinstance(found, Par)
    match kind:
        case ".html":
            return par_html(found).encode()
        case ".pdf":
            return par_pdf(found)
        case _:
            return par_xlsx(found)
