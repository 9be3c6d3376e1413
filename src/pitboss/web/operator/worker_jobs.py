"""Functions that run in the worker process, which alone loads numpy, numba, typst and plotting."""

from pitboss.house.evidence import SlipPaper, TrainingPaper
from pitboss.house.hold.actual_hold import HoldReport, TableTotals
from pitboss.house.live_table import submission_of
from pitboss.house.office.approvals import HouseSubmission
from pitboss.report.math_views import HoldVerdict, Mathematics, SubmissionReport
from pitboss.submission import read_valid


def examine(text: str) -> SubmissionReport:
    """Return a Submission's problems and figures."""
    from pitboss.report.submission_report import examine_submission  # noqa: PLC0415 (loaded in the worker only)

    return examine_submission(text)


def document(text: str, kind: str) -> tuple[str, bytes]:
    """Return the file name and content of a document of a valid Submission."""
    submission = read_valid(text)
    name = f"{submission.game}-{_plain(submission.version)}"
    if kind in {"sign", "rack-card"}:
        from pitboss.report.signs import sign_pdf  # noqa: PLC0415 (loaded in the worker only)
        from pitboss.submission.signs import sign_of  # noqa: PLC0415 (the same)

        return f"{name}-{kind}.pdf", sign_pdf(sign_of(submission), "sign" if kind == "sign" else "rack-card")
    if kind == "layout":
        from pitboss.report.layout.sheet import layout_paper  # noqa: PLC0415 (the same)
        from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded in the worker only)

        return f"{name}-layout.pdf", render_pdf("layout", layout_paper(text))
    from pitboss.report.par import par_of_submission  # noqa: PLC0415 (loaded in the worker only)
    from pitboss.report.par.pdf import par_pdf  # noqa: PLC0415 (the same)
    from pitboss.report.par.spreadsheet import par_xlsx  # noqa: PLC0415 (the same)

    par = par_of_submission(submission)
    return (f"{name}-par.xlsx", par_xlsx(par)) if kind == "xlsx" else (f"{name}-par.pdf", par_pdf(par))


def form(one: HouseSubmission, before: str | None) -> tuple[str, bytes]:
    """Return the file name and PDF of a Submission's form, with the changes from `before`, the earlier text, if any."""
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded in the worker only)
    from pitboss.submission.form_paper import Approval, filing_of  # noqa: PLC0415 (the same)

    approvals = [Approval(date=it.date, reference=it.reference, recorded_by=it.by) for it in one.approvals]
    amended = submission_of(before) if before else None
    filing = filing_of(submission_of(one.text), amended, approvals, one.sha256)
    return f"{one.game}-{_plain(one.version)}-form.pdf", render_pdf("form", filing)


def slip(paper: SlipPaper) -> bytes:
    """Return a slip as a PDF."""
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded in the worker only)

    return render_pdf("slip", paper)


def training(paper: TrainingPaper) -> bytes:
    """Return a training record as a PDF."""
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (loaded in the worker only)

    return render_pdf("training", paper)


def _plain(version: str) -> str:
    """Return a version in letters safe for a file name."""
    return "-".join("".join(one if one.isascii() and one.isalnum() else " " for one in version).split()) or "draft"


def mathematics(game: str) -> Mathematics:
    """Return all figures of a game."""
    from pitboss.report.mathematics import mathematics_of  # noqa: PLC0415 (loaded in the worker only)

    return mathematics_of(game)


def chart(game: str, paytable: str | None) -> bytes:
    """Return the strategy chart of a game as a PDF."""
    from pitboss.report.chart import chart_pdf  # noqa: PLC0415 (loaded in the worker only)

    return chart_pdf(mathematics(game), paytable)


def published_hold() -> list[HoldVerdict]:
    """Return the verdict on every published hold."""
    from pitboss.report.mathematics import published_hold_verdicts  # noqa: PLC0415 (loaded in the worker only)

    return published_hold_verdicts()


def compare(many: list[TableTotals]) -> HoldReport:
    """Compare the actual hold of tables with theory."""
    from pitboss.house.hold.actual_hold import compare_with_theory  # noqa: PLC0415 (loaded in the worker only)

    return compare_with_theory(many)
