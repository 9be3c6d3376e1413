"""Training records of staff: drills, scores, dates and examiners."""

import csv
import io
from collections.abc import Iterable, Mapping

import msgspec

from pitboss.errors import Mistake
from pitboss.house.office.acts import RecordTraining, TrainedKind
from pitboss.house.office.house_log import decode_house_entry
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.house.storage.people import active_staff, post_of_staff
from pitboss.house.zone import PENNSYLVANIA, format_time
from pitboss.rulebook import rulebook

COLUMNS = (
    "date",
    "person",
    "game",
    "drill",
    "right",
    "asked",
    "percent",
    "seconds",
    "allowed",
    "in_time",
    "examined_by",
    "rules",
    "version",
    "entry",
)
"""Columns of the CSV."""


class UnknownStaff(Mistake):
    """No staff member has that name."""


class TrainingRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One graded and recorded list of answers."""

    entry: int
    """The entry of the house's log."""
    hash: str
    time: int
    person: str
    examined_by: str
    """Empty for practice without an examiner."""
    game: str
    title: str
    drill: str
    """“Table test”, or the kinds of questions."""
    rules: str
    version: str
    asked: int
    right: int
    percent: float
    seconds: int
    allowed: int
    in_time: bool
    lines: int
    lines_right: int
    kinds: tuple[TrainedKind, ...]
    wrong: Mapping[str, int]
    drills: tuple[str, ...]


class Trainee(msgspec.Struct, frozen=True, kw_only=True):
    """A staff member with a summary of the training."""

    person: str
    post: str
    records: int
    examined: int
    last: int | None
    """Time of the last record."""


class TrainingPaper(msgspec.Struct, frozen=True, kw_only=True):
    """One person's training record for printing."""

    person: str
    post: str
    printed: str
    records: tuple[TrainingRecord, ...]
    dates: tuple[str, ...]
    """Dates of the records, in the house's time zone."""
    titles: Mapping[str, str]
    duties: Mapping[str, str]
    """By clause: what it asks; only clauses with errors."""


TITLES = {
    "pay": "Take and pay",
    "read": "Hand reading",
    "irregular": "Irregularities",
    "procedure": "Procedure",
    "test": "Table test",
}


def list_training_records(db: Connection, person: str | None = None) -> list[TrainingRecord]:
    """Return the records of everybody or of one person, the newest first."""
    found = []
    for seq, body, digest in entries(db, HOUSE):
        if b'"type":"RecordTraining"' not in body:
            continue
        one = decode_house_entry(body)
        if isinstance(one.act, RecordTraining) and person in (None, one.act.person):
            examiner = "" if one.actor == one.act.person else one.actor
            found.append(_training(one.act, seq, digest, one.time, examiner))
    return found[::-1]


def _training(act: RecordTraining, seq: int, digest: str, time: int, examiner: str) -> TrainingRecord:
    asked, right, seconds, allowed = (
        sum(getattr(one, what) for one in act.kinds) for what in ("asked", "right", "seconds", "allowed")
    )
    kinds = [TITLES["test"]] if act.is_test else [TITLES.get(one.kind, one.kind) for one in act.kinds]
    return TrainingRecord(
        entry=seq,
        hash=digest,
        time=time,
        person=act.person,
        examined_by=examiner,
        game=act.game,
        title=rulebook().game(act.game).chapter.title,
        drill=", ".join(kinds),
        rules=act.rules,
        version=act.version,
        asked=asked,
        right=right,
        percent=round(100 * right / asked, 1) if asked else 0.0,
        seconds=seconds,
        allowed=allowed,
        in_time=seconds <= allowed,
        lines=act.lines,
        lines_right=act.lines_right,
        kinds=act.kinds,
        wrong=act.wrong,
        drills=act.drills,
    )


def trainees(db: Connection) -> list[Trainee]:
    """Return all active staff with a summary of their training."""
    all_of_them = list_training_records(db)
    found = []
    for name, post in active_staff(db):
        mine = [one for one in all_of_them if one.person == name]
        found.append(
            Trainee(
                person=name,
                post=post,
                records=len(mine),
                examined=sum(bool(one.examined_by) for one in mine),
                last=mine[0].time if mine else None,
            )
        )
    return found


def training_paper(db: Connection, person: str, now: int, zone: str = PENNSYLVANIA) -> TrainingPaper:
    """Return one person's training record by date; a person who left has one too."""
    post = post_of_staff(db, person)
    records = list_training_records(db, person)[::-1]
    if post is None and not records:
        raise UnknownStaff(f"There is no staff member “{person}”.")
    clauses = sorted({cite for one in records for cite in one.wrong})
    known = rulebook().clauses
    return TrainingPaper(
        person=person,
        post=post or "",
        printed=format_time(now, zone),
        records=tuple(records),
        dates=tuple(format_time(one.time, zone) for one in records),
        titles=TITLES,
        duties={cite: known[cite].duty if cite in known else "" for cite in clauses},
    )


def training_csv(records: Iterable[TrainingRecord], zone: str = PENNSYLVANIA) -> bytes:
    """Return records as CSV, one line each."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for one in records:
        facts = {
            **msgspec.structs.asdict(one),
            "date": format_time(one.time, zone),
            "in_time": "yes" if one.in_time else "no",
        }
        rows.writerow(_plain(facts[name]) for name in COLUMNS)
    return text.getvalue().encode()


def _plain(cell: object) -> str:
    """Escape a cell that a spreadsheet would take for a formula."""
    text = str(cell)
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
