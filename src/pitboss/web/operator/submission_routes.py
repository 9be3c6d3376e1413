"""HTTP routes for Submissions: presets, forms, checks, documents, comparison, and the house's own."""

from collections.abc import Awaitable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException

from pitboss.errors import Mistake
from pitboss.games import GAMES
from pitboss.house.office.approvals import HouseSubmission, house_submissions
from pitboss.house.office.people import Person
from pitboss.house.office.permissions import Permission
from pitboss.report.math_views import SubmissionReport
from pitboss.rulebook import rulebook
from pitboss.submission import Submission, load, presets, read_draft, text_of
from pitboss.submission.changes import Change, list_changes
from pitboss.submission.choices import Choices, toml_of
from pitboss.submission.form import Form, form_of
from pitboss.web.advice import WorkerProcesses
from pitboss.web.operator import worker_jobs
from pitboss.web.runtime import Runtime

T = TypeVar("T")
Asker = Request[Any, Any, Any]
PDF: Final = "application/pdf"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Toml = Annotated[str, msgspec.Meta(max_length=32_768)]


class Preset(msgspec.Struct):
    """A Submission included with Pitboss."""

    name: str
    game: str
    title: str
    version: str
    text: str


class SubmissionText(msgspec.Struct, forbid_unknown_fields=True):
    """A Submission as TOML."""

    submission: Toml


class SubmissionToml(msgspec.Struct):
    """A form's choices as TOML."""

    submission: str


class TwoSubmissions(msgspec.Struct, forbid_unknown_fields=True):
    """A Submission and its replacement."""

    before: Toml
    after: Toml


async def require_staff(request: Asker, state: State, permission: Permission) -> tuple[Runtime, Person]:
    """Return the Runtime and the requester, if he has a permission."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, permission)
    run.guard.limit(run.guard.orders, person.name)
    return run, person


async def mistakes_as_400(work: Awaitable[T]) -> T:
    """Await work; turn a Mistake into HTTP 400."""
    try:
        return await work
    except Mistake as mistake:
        raise HTTPException(str(mistake), status_code=400) from None


def require_game(name: str) -> str:
    """Return the name of a game; reply 404 to an unknown one."""
    if name not in GAMES:
        raise NotFoundException(f"There is no game “{name}”; there are {', '.join(GAMES)}.")
    return name


@get("/api/presets", tags=["submissions"], sync_to_thread=False)
def list_presets() -> list[Preset]:
    """List the included Submissions."""
    listed = []
    for name in presets():
        preset = load(name)
        title = rulebook().games[preset.game].chapter.title
        listed.append(Preset(name, preset.game, title, preset.version, text_of(name)))
    return listed


@get("/api/games/{game:str}/form", tags=["submissions"], sync_to_thread=False)
def form(game: str) -> Form:
    """Return every choice a Submission of this game makes, with clauses, odds and the chapter's bounds."""
    return form_of(require_game(game))


@post("/api/submissions/compose", status_code=200, tags=["submissions"])
async def compose(data: Choices, request: Asker, state: State) -> SubmissionToml:
    """Return a form's choices as TOML, valid or not."""
    await require_staff(request, state, Permission.SEE_FLOOR)
    return SubmissionToml(toml_of(data))


@post("/api/submissions/examine", status_code=200, tags=["submissions"])
async def examine(data: SubmissionText, request: Asker, state: State) -> SubmissionReport:
    """List all problems of a Submission and calculate the figures of its wagers."""
    await require_staff(request, state, Permission.SEE_FLOOR)
    adviser: WorkerProcesses = state["adviser"]
    return await adviser.run_cached(worker_jobs.examine, data.submission)


@post("/api/submissions/sign", status_code=200, media_type=PDF, tags=["submissions"])
async def sign(data: SubmissionText, request: Asker, state: State) -> Response[bytes]:
    """Return the table's sign as a PDF."""
    return await _document(data, request, state, "sign")


@post("/api/submissions/rack-card", status_code=200, media_type=PDF, tags=["submissions"])
async def rack_card(data: SubmissionText, request: Asker, state: State) -> Response[bytes]:
    """Return the rack card for patrons as a PDF."""
    return await _document(data, request, state, "rack-card")


@post("/api/submissions/layout", status_code=200, media_type=PDF, tags=["submissions"])
async def layout(data: SubmissionText, request: Asker, state: State) -> Response[bytes]:
    """Return the layout as a PDF to file."""
    return await _document(data, request, state, "layout")


@post("/api/submissions/par", status_code=200, media_type=PDF, tags=["submissions"])
async def par(data: SubmissionText, request: Asker, state: State) -> Response[bytes]:
    """Return the PAR sheet as a PDF."""
    return await _document(data, request, state, "par")


@post("/api/submissions/xlsx", status_code=200, media_type=XLSX, tags=["submissions"])
async def xlsx(data: SubmissionText, request: Asker, state: State) -> Response[bytes]:
    """Return the PAR sheet as a spreadsheet with formulas."""
    return await _document(data, request, state, "xlsx")


async def _document(data: SubmissionText, request: Asker, state: State, kind: str) -> Response[bytes]:
    await require_staff(request, state, Permission.SEE_FLOOR)
    adviser: WorkerProcesses = state["adviser"]
    name, content = await mistakes_as_400(adviser.work(worker_jobs.document, data.submission, kind))
    return file_response(name, content, XLSX if kind == "xlsx" else PDF)


def file_response(name: str, content: bytes, media_type: str = PDF) -> Response[bytes]:
    """Return a file as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=media_type, headers=headers)


@post("/api/submissions/diff", status_code=200, tags=["submissions"])
async def diff(data: TwoSubmissions, request: Asker, state: State) -> list[Change]:
    """Describe the changes between two Submissions; drafts are allowed."""
    await require_staff(request, state, Permission.SEE_FLOOR)
    return list_changes(_read(data.before, "the one before"), _read(data.after, "the one after"))


def _read(text: str, name: str) -> Submission:
    try:
        return read_draft(text, name)
    except Mistake as mistake:
        raise HTTPException(str(mistake), status_code=400) from None


@get("/api/submissions", tags=["submissions"])
async def list_house_submissions(request: Asker, state: State) -> list[HouseSubmission]:
    """List the house's Submissions (in force, superseded or approved) with their dates."""
    run, _ = await require_staff(request, state, Permission.SEE_SUBMISSIONS)
    return await run.read_in_thread(house_submissions)


@get("/api/submissions/{digest:str}/form", media_type=PDF, tags=["submissions"], raises=[NotFoundException])
async def filed_form(digest: str, request: Asker, state: State) -> Response[bytes]:
    """Print a Submission of the house as a form, with its approvals and the amendments to its predecessor."""
    run, _ = await require_staff(request, state, Permission.SEE_SUBMISSIONS)
    by_hash = {one.sha256: one for one in await run.read_in_thread(house_submissions)}
    one = by_hash.get(digest)
    if one is None:
        raise NotFoundException("The house has no Submission with this hash.")
    adviser: WorkerProcesses = state["adviser"]
    before = by_hash[one.supersedes].text if one.supersedes else None
    return file_response(*await mistakes_as_400(adviser.work(worker_jobs.form, one, before)))


@get("/api/submissions/{digest:str}/layout", media_type=PDF, tags=["submissions"], raises=[NotFoundException])
async def filed_layout(digest: str, request: Asker, state: State) -> Response[bytes]:
    """Print the layout of a Submission of the house as a PDF to file."""
    run, _ = await require_staff(request, state, Permission.SEE_SUBMISSIONS)
    by_hash = {one.sha256: one for one in await run.read_in_thread(house_submissions)}
    if digest not in by_hash:
        raise NotFoundException("The house has no Submission with this hash.")
    adviser: WorkerProcesses = state["adviser"]
    return file_response(*await mistakes_as_400(adviser.work(worker_jobs.document, by_hash[digest].text, "layout")))


SUBMISSIONS: Final = [
    list_presets,
    form,
    compose,
    examine,
    sign,
    rack_card,
    layout,
    par,
    xlsx,
    diff,
    list_house_submissions,
    filed_form,
    filed_layout,
]
