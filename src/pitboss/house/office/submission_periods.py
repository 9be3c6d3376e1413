"""The periods in which Submissions were in force at tables, from the house's log."""

import msgspec
from msgspec.structs import replace

from pitboss.house.live_table import submission_of
from pitboss.house.office.acts import CloseTable, OpenTable
from pitboss.house.office.house_log import house_entries
from pitboss.house.storage.connections import Connection
from pitboss.submission import submission_hash


class SubmissionPeriod(msgspec.Struct, frozen=True, kw_only=True):
    """The period of a Submission at a table, current or superseded."""

    table: str
    game: str
    version: str
    sha256: str
    since: int
    until: int | None
    by: str
    text: str


def submissions(db: Connection) -> list[SubmissionPeriod]:
    """Return every Submission by the time it came into force."""
    found: dict[str, SubmissionPeriod] = {}
    for written in house_entries(db):
        match written.act:
            case OpenTable(table, text):
                submission = submission_of(text)
                found[table] = SubmissionPeriod(
                    table=table,
                    game=submission.game,
                    version=submission.version,
                    sha256=submission_hash(text),
                    since=written.time,
                    until=None,
                    by=written.actor,
                    text=text,
                )
            case CloseTable(table):
                found[table] = replace(found[table], until=written.time)
            case _:
                pass
    return list(found.values())
