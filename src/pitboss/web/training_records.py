"""HTTP routes for training records: the house grades, records, shows and prints them."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import ClientException, HTTPException, NotFoundException, PermissionDeniedException

from pitboss.house.evidence import (
    Trainee,
    TrainingRecord,
    list_training_records,
    trainees,
    training_csv,
    training_paper,
)
from pitboss.house.office.office import ActResult
from pitboss.house.office.permissions import Permission, has_permission
from pitboss.house.office.training_grades import grade_training
from pitboss.training import DealerAnswer
from pitboss.web.advice import WorkerProcesses
from pitboss.web.api import Key
from pitboss.web.operator import worker_jobs
from pitboss.web.operator.submission_routes import PDF, file_response
from pitboss.web.runtime import Runtime
from pitboss.web.training import require_rate, rules_of_answers, run_in_thread

Asker = Request[Any, Any, Any]
CSV: Final = "text/csv"


class TrainingAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A staff member's answers to grade and record; the signed-in person is the examiner."""

    person: Annotated[str, msgspec.Meta(max_length=40)]
    answers: Annotated[list[DealerAnswer], msgspec.Meta(min_length=1, max_length=40)]


@post("/api/training/records", status_code=200, tags=["training"], raises=[ClientException])
async def record(data: TrainingAnswers, key: Key, request: Asker, state: State) -> ActResult:
    """Grade answers and record the score: your own as practice, another person's as examined by you."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_FLOOR)
    require_rate(request, state, len(data.answers))
    submission, terms = rules_of_answers(state, data.answers)
    act = await run_in_thread(lambda: grade_training(data.person, data.answers, submission, terms))
    done = await run.pit.do(lambda clerk: clerk.office.record_training(person, act, key))
    if not done.accepted:
        raise HTTPException(done.why, status_code=409, extra={"cite": done.cite})
    return done


@get("/api/training/records", tags=["training"])
async def list_trainees(request: Asker, state: State) -> list[Trainee]:
    """List the staff with their number of training records. Dealers see only themselves."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_FLOOR)
    run.guard.limit(run.guard.orders, person.name)
    found = await run.read_in_thread(trainees)
    return [one for one in found if has_permission(person, Permission.OVERSEE) or one.person == person.name]


@get("/api/training/records/{name:str}", tags=["training"])
async def training_record(name: str, request: Asker, state: State) -> list[TrainingRecord]:
    """Show a person's training records, newest first. Dealers see only their own."""
    run = await _require_access(name, request, state)
    return await run.read_in_thread(lambda db: list_training_records(db, name))


@get("/api/training/records/{name:str}/pdf", media_type=PDF, tags=["training"], raises=[NotFoundException])
async def training_pdf(name: str, request: Asker, state: State) -> Response[bytes]:
    """Print a training record with signature lines."""
    run = await _require_access(name, request, state)
    now, zone = int(run.pit.now()), run.config.timezone
    paper = await run.read_in_thread(lambda db: training_paper(db, name, now, zone))
    adviser: WorkerProcesses = state["adviser"]
    return file_response(f"{_file(name)}.pdf", await adviser.work(worker_jobs.training, paper))


@get("/api/training/records/{name:str}/csv", media_type=CSV, tags=["training"])
async def training_sheet(name: str, request: Asker, state: State) -> Response[bytes]:
    """Return a training record as CSV."""
    run = await _require_access(name, request, state)
    records = await run.read_in_thread(lambda db: list_training_records(db, name))
    return file_response(f"{_file(name)}.csv", training_csv(records, run.config.timezone), CSV)


async def _require_access(name: str, request: Asker, state: State) -> Runtime:
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.SEE_FLOOR)
    run.guard.limit(run.guard.orders, person.name)
    if not has_permission(person, Permission.OVERSEE) and person.name != name:
        raise PermissionDeniedException(f"Your post ({person.post}) may see only your own training record.")
    return run


def _file(name: str) -> str:
    """Return a record's file name, in ASCII letters."""
    return "training-" + "".join(one if one.isascii() and one.isalnum() else "-" for one in name)


TRAINING_RECORDS: Final = [record, list_trainees, training_record, training_pdf, training_sheet]
