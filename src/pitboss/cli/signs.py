"""`pitboss signs`: the sign posted at a table, and a rack card for patrons."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.output import console, warn, write_file
from pitboss.errors import Mistake
from pitboss.submission import load
from pitboss.submission.signs import sign_of


def signs(
    submission: Annotated[str, Parameter(help="A file, or the name of a preset.")],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(["--output", "-o"], help="A .pdf or .html file, or a folder for both; default: this folder."),
    ] = None,
) -> None:
    """Write the sign of a table and its rack card, as PDF to print and HTML to show."""
    from pitboss.report import sign_html, sign_pdf  # noqa: PLC0415 (loaded for drawing)

    sign = sign_of(load(submission))
    out = console()
    for file in _files(submission, output):
        write_file(file, sign_pdf(sign) if file.suffix.lower() == ".pdf" else sign_html(sign).encode())
        out.print(f"Wrote {escape(str(file))}.")
    warn(out, sign.warnings)


def _files(submission: str, output: Path | None) -> list[Path]:
    """Return the files to write: one, or both in a folder."""
    if output is not None and output.suffix.lower() in (".pdf", ".html"):
        return [output]
    if output is not None and output.suffix[1:].isalpha() and not output.is_dir():
        raise Mistake(f"A sign is a .pdf or .html file, not {output.suffix}; give one of these or a folder.")
    folder = output or Path()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid folder name"
        raise Mistake(f"The folder {folder} cannot be created: {reason}.") from None
    return [folder / f"{Path(submission).stem}-sign{suffix}" for suffix in (".pdf", ".html")]
