"""HTTP routes for finished rounds and significant events. Patrons see their own rounds; staff, by post."""

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException, PermissionDeniedException
from litestar.params import QueryParameter

from pitboss.house.evidence import (
    Frames,
    RoundRecord,
    RoundSummary,
    SignificantEvent,
    find_rounds,
    frames_of_round,
    list_significant_events,
    round_record,
)
from pitboss.house.evidence.search import MAX_LINES
from pitboss.house.live_table import LiveTable, new_live_table, settings_of
from pitboss.house.office.people import Person
from pitboss.house.office.permissions import Permission, has_permission
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.tables import header_and_settings
from pitboss.money import CENT
from pitboss.record.chain import decode_header
from pitboss.record.narration import ALL_CARDS, format_line
from pitboss.record.sentences import Part, Sentence, parse_text
from pitboss.report.layout import Layout
from pitboss.web.felt import table_layout
from pitboss.web.runtime import Runtime

Number = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]
Skip = Annotated[int, QueryParameter(ge=0, le=10_000)]


class NarratedRound(msgspec.Struct, frozen=True):
    """A finished round, sentence by sentence."""

    round: RoundSummary
    lines: list[str]
    """Deprecated: the sentences as text."""
    sentences: list[Sentence]


class EventParts(SignificantEvent, frozen=True, kw_only=True):
    """A significant event with the parts of its texts."""

    what_parts: tuple[Part, ...]
    before_parts: tuple[Part, ...]
    after_parts: tuple[Part, ...]


class Replay(Frames, frozen=True, kw_only=True):
    """A finished round frame by frame, with the layout to draw it on."""

    layout: Layout
    """The layout from when the table was opened, even if it has closed since."""
    meters: dict[int, dict[str, int]]
    """Meters in cents, by the entries that recorded them."""


@get("/api/rounds", tags=["records"])
async def rounds(  # noqa: PLR0913, PLR0917 (search parameters)
    request: Request[Any, Any, Any],
    state: State,
    table: str | None = None,
    patron: str | None = None,
    since: Number = None,
    until: Number = None,
    least: Number = None,
    most: Number = None,
    limit: Limit = 50,
) -> list[RoundSummary]:
    """Search finished rounds by table, patron, time and highest payout in cents; newest first."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    if not has_permission(person, Permission.SEE_FLOOR) and patron not in {None, person.name}:
        raise PermissionDeniedException("Patrons can see only their own rounds.")
    who = patron if has_permission(person, Permission.SEE_FLOOR) else person.name
    return await run.pit.read(
        lambda db: find_rounds(
            db, table=table, patron=who, since=since, until=until, least=least, most=most, limit=limit
        )
    )


@get("/api/rounds/{table:str}/{number:int}", tags=["records"])
async def get_round(table: str, number: int, request: Request[Any, Any, Any], state: State) -> NarratedRound:
    """Show a finished round line by line with clauses, as the requester may see it."""
    person, found = await _record(table, number, request, state["runtime"])
    staff = has_permission(person, Permission.SEE_FLOOR)
    sentences = await asyncio.to_thread(found.sentences, _viewer(person), staff=staff, most=MAX_LINES)
    return NarratedRound(found.found, [format_line(one) for one in sentences], sentences)


@get("/api/rounds/{table:str}/{number:int}/frames", tags=["records"])
async def round_frames(table: str, number: int, request: Request[Any, Any, Any], state: State) -> Replay:
    """Show a finished round frame by frame: patrons and staff as they saw it, auditors with every card."""
    run: Runtime = state["runtime"]
    person, found = await _record(table, number, request, run)
    opened = await run.pit.read(lambda db: _table_as_opened(db, table))
    return await asyncio.to_thread(_replay, found, opened, person, play_money=run.config.play_money)


def _table_as_opened(db: Connection, table: str) -> LiveTable:
    header, settings = header_and_settings(db, table)
    return new_live_table(table, decode_header(header), "", settings_of(settings))


def _replay(found: RoundRecord, opened: LiveTable, person: Person, *, play_money: bool) -> Replay:
    shown = frames_of_round(found, _viewer(person), person.role)
    given = {moment.entry.seq: moment.entry.given.meters for moment in found.moments}
    return Replay(
        **msgspec.structs.asdict(shown),
        layout=table_layout(opened, play_money=play_money),
        meters={
            seq: {name: amount // CENT for name, amount in meters.items()} for seq, meters in given.items() if meters
        },
    )


async def _record(table: str, number: int, request: Request[Any, Any, Any], run: Runtime) -> tuple[Person, RoundRecord]:
    """Return the requester and a finished round that he may see."""
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    if not 0 < number < 2**53:
        raise NotFoundException("Rounds are numbered from 1.")
    try:
        found = await run.read_in_thread(lambda db: round_record(db, table, number))
    except ClientException as unknown:
        raise NotFoundException(unknown.detail) from None
    if not has_permission(person, Permission.SEE_FLOOR) and person.name not in found.found.patrons:
        raise PermissionDeniedException("Patrons can see only their own rounds.")
    return person, found


@get("/api/events", tags=["records"])
async def events(
    request: Request[Any, Any, Any], state: State, since: Number = None, limit: Limit = 100, skip: Skip = 0
) -> list[EventParts]:
    """List significant events, newest first, with before and after: restarts, people, overrides, voids, jackpots."""
    run: Runtime = state["runtime"]
    person = await run.guard.require(request, Permission.OVERSEE)
    run.guard.limit(run.guard.orders, person.name)
    found = await run.read_in_thread(lambda db: list_significant_events(db, since, limit, skip))
    return [
        EventParts(
            **msgspec.structs.asdict(one),
            what_parts=parse_text(one.what),
            before_parts=parse_text(one.before),
            after_parts=parse_text(one.after),
        )
        for one in found
    ]


def _viewer(person: Person) -> str | None:
    if has_permission(person, Permission.SEE_EVERY_CARD):
        return ALL_CARDS
    return "" if has_permission(person, Permission.SEE_FLOOR) else person.name


RECORDS: Final = [rounds, get_round, round_frames, events]
