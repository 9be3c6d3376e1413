"""`pitboss submission`: creates, checks, compares, prints and lists Rules Submissions."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from rich.markup import escape

from pitboss.cli.output import (
    Format,
    console,
    find_games,
    plain_table,
    print_json,
    spinner,
    warn,
    write_file,
    write_pdf,
)
from pitboss.errors import Mistake
from pitboss.submission import (
    Submission,
    edge_warnings,
    load,
    parse,
    presets,
    problems,
    read_draft,
    submission_hash,
    terms_of,
    text_of,
)
from pitboss.submission.approvals import approval_notice
from pitboss.submission.changes import list_changes

submission = App(name="submission", help="Create, check, compare and print Rules Submissions.")
Name = Annotated[str, Parameter(help="A file, or the name of a preset.")]


@submission.command
def new(
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter.")],
    /,
    *,
    output: Annotated[Path | None, Parameter(["--output", "-o"], help="Output file; default: standard output.")] = None,
) -> None:
    """Write a commented Submission to start from: everything the chapter allows, every wager with Paytable A."""
    (rules,) = find_games(game)
    text = text_of(f"{rules.chapter.game}-standard")
    if output is None:
        print(text, end="")  # noqa: T201 (the output)
        return
    write_file(output, text.encode(), over=False)
    console().print(f"Wrote {escape(str(output))}. Check it with: pitboss submission check {escape(str(output))}")


@submission.command
def check(name: Name, /, *, format: Format = "table") -> int:  # noqa: A002 (the option's name)
    """List all problems of a Submission with their clauses, and warn of edges outside the published range.

    Status 1 if a chapter forbids something, 2 if the file is invalid.
    """
    draft, form = parse(text_of(name), name)
    with spinner("Calculating the highest payouts"):
        found = [*form, *(problems(draft) if draft else [])]
    status = 2 if form else 1 if found else 0
    edges = edge_warnings(terms_of(draft)) if draft and not found else []
    lacking = approval_notice(draft) if draft and not found else None
    if format == "json":
        wrong = [msgspec.structs.asdict(problem) for problem in found]
        print_json(
            {
                "ok": not found,
                "problems": wrong,
                "warnings": msgspec.to_builtins(edges),
                "not_approved": msgspec.to_builtins(lacking, enc_hook=str),
            }
        )
        return status
    out = console()
    if not found:
        out.print(f"{escape(name)} is valid.")
        warn(out, (edge.warning for edge in edges))
        if lacking:
            out.print(escape(lacking.says))
        return 0
    page = plain_table("where", "problem", "clause")
    for problem in found:
        page.add_row(escape(problem.where), escape(problem.problem), f"§ {problem.cite}" if problem.cite else "")
    out.print(page)
    out.print(f"\n{len(found)} problem{'s' if len(found) > 1 else ''}.")
    return status


@submission.command
def diff(old: Name, new: Name, /, *, format: Format = "table") -> None:  # noqa: A002 (the option's name)
    """Describe the changes from one Submission to another."""
    found = list_changes(_parse_draft(old), _parse_draft(new))
    if format == "json":
        print_json([msgspec.structs.asdict(change) for change in found])
        return
    out = console()
    for change in found:
        out.print(escape(change.change))
    if not found:
        out.print("No changes.")


@submission.command
def form(
    name: Name,
    /,
    *,
    output: Annotated[Path, Parameter(["--output", "-o"], help="The PDF to write.")],
    before: Annotated[str | None, Parameter(help="The previous version, to mark amendments.")] = None,
    reference: Annotated[str, Parameter(help="The Board's reference of its approval; default: a blank line.")] = "",
) -> None:
    """Write the Submission as a PDF form to file: every choice with its clause, amendments marked."""
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded for printing)
    from pitboss.submission.form_paper import Approval, filing_of  # noqa: PLC0415 (the same)

    filed = load(name)
    if reference and not reference.isprintable():
        raise Mistake("The reference contains an unprintable character.")
    approvals = [Approval(date=filed.approved.isoformat() if filed.approved else "", reference=reference)]
    digest = submission_hash(text_of(name))
    filing = filing_of(filed, _parse_draft(before) if before else None, approvals, digest)
    write_pdf(output, lambda: render_pdf("form", filing))


@submission.command
def layout(
    name: Name,
    /,
    *,
    output: Annotated[Path, Parameter(["--output", "-o"], help="The PDF to write.")],
) -> None:
    """Write the layout as a PDF to file: the felt to scale, every inscription with its clause."""
    from pitboss.report.layout.sheet import layout_paper  # noqa: PLC0415 (the same)
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded for printing)

    load(name)  # rejects an invalid Submission
    paper = layout_paper(text_of(name))
    write_pdf(output, lambda: render_pdf("layout", paper))


def _parse_draft(name: str) -> Submission:
    """Return a Submission that may break rules: drafts can be compared."""
    return read_draft(text_of(name), name)


@submission.command(name="list")
def list_presets(*, format: Format = "table") -> None:  # noqa: A002 (the option's name)
    """List the included presets. A preset's name works wherever a file does."""
    known = {name: load(name) for name in presets()}
    if format == "json":
        print_json([{"name": name, "game": preset.game, "version": preset.version} for name, preset in known.items()])
        return
    page = plain_table("name", "game", "wagers and paytables")
    for name, preset in known.items():
        wagers = (f"{wager} {offer.paytable}".strip() for wager, offer in preset.wagers.items())
        page.add_row(name, preset.game, ", ".join(wagers))
    console().print(page)
