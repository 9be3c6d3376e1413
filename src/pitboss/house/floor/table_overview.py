"""The overview of a table for the pit: the due step, duties, requests and clocks."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from pitboss.house import ledger
from pitboss.house.floor.duties import list_duties, prompt
from pitboss.house.live_table import LiveTable
from pitboss.house.office.people import Person
from pitboss.house.office.permissions import answers_to_request
from pitboss.money import format_money
from pitboss.record.sentences import Sentence
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.devices import COUNT_EVERY, shuffler_counts
from pitboss.table.refusals import HOUR, deck_hours
from pitboss.table.state import Table

_HIDDEN_FIELDS: Final = ("type", "password", "submission", "settings")


class DeckClock(msgspec.Struct, frozen=True):
    """When a deck must be changed, in seconds since 1970, and the clause."""

    at: int
    cite: str


class StubCount(msgspec.Struct, frozen=True):
    """Rounds until the stub is counted, 0 for the current one, and the clause."""

    rounds: int
    cite: str


class PendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request that waits for a second person."""

    id: str
    kind: str
    about: str
    """Its contents as text."""
    by: str
    time: int
    may: tuple[str, ...] = ()
    """The answers this viewer may give: Approve, Decline."""


class TableOverview(msgspec.Struct, frozen=True, kw_only=True):
    """One table as the pit sees it."""

    table: str
    game: str
    title: str
    accent: str
    automatic: bool
    round: int
    """Number of finished rounds."""
    called: bool
    """Whether “No more bets” was called: a round is under way."""
    due: Sentence
    """The due step as a sentence."""
    duties: list[Sentence]
    """Duties that wait for staff now or soon."""
    seats: int
    seated: int
    boxes: int
    """Boxes in play."""
    money: int
    """Cents in play."""
    deck: DeckClock | None
    count: StubCount | None
    """None if a device counts the stub."""
    broken: tuple[str, ...]
    """Failed devices that are neither covered nor signed."""
    covered: tuple[str, ...]
    void: str
    """The clause that makes the round void, until a floorperson acknowledges it."""
    claims: tuple[int, ...]
    """Seats with a payout to validate."""
    undocumented: tuple[int, ...]
    """Seats with a payout to document."""
    suspended: tuple[str, ...]
    """Suspended wagers."""
    links: Mapping[str, str]
    """The link of each offer; tables of a link share its meters."""
    approvals: list[PendingRequest]


def overview_of(
    live: LiveTable, now: int, waiting: Sequence[dict[str, Any]], ahead: int = 0, viewer: Person | None = None
) -> TableOverview:
    """Return the overview of a table for a viewer.

    `waiting` has the requests of the whole house; `now` is the table's time, `ahead` its lead over the server clock.
    """
    table, chapter = live.table, rulebook().game(live.submission.game).chapter
    return TableOverview(
        table=live.chain,
        game=live.submission.game,
        title=chapter.title,
        accent=chapter.head.accent,
        automatic=live.settings.automatic,
        round=table.round,
        called=table.called,
        due=prompt(table),
        duties=list_duties(live, now, ahead),
        seats=table.rules.seats,
        seated=len(table.seated),
        boxes=len(table.boxes),
        money=ledger.cents_in_play(table),
        deck=_deck(table, ahead),
        count=_count(table),
        broken=table.broken,
        covered=table.covered,
        void=table.unacknowledged_void,
        claims=tuple(box.seat for box in table.boxes.values() if box.claimed),
        undocumented=tuple(box.seat for box in undocumented_boxes(table)) if table.due.do is Do.CLEAR else (),
        suspended=live.settings.suspended,
        links=live.settings.links,
        approvals=requests(waiting, viewer, live.chain),
    )


def requests(
    waiting: Sequence[dict[str, Any]], viewer: Person | None = None, table: str | None = None
) -> list[PendingRequest]:
    """Return the waiting requests of the house, or of one table, with the answers that a viewer may give."""
    return [
        PendingRequest(
            id=one["id"],
            kind=one["kind"],
            about=_describe_request(one["body"]),
            by=one["requested_by"],
            time=one["time"],
            may=answers_to_request(viewer, one["kind"], one["requested_by"]) if viewer else (),
        )
        for one in waiting
        if table in (None, one["chain"], one["body"].get("table"))
    ]


def _describe_request(body: Mapping[str, Any]) -> str:
    """Return the contents of a request as text, without secrets and long texts."""
    money = {"amount": lambda amount: format_money(int(amount))}
    facts = ((name, value) for name, value in body.items() if name not in _HIDDEN_FIELDS and value)
    return ", ".join(f"{name} {money.get(name, str)(value)}" for name, value in facts)


def _deck(table: Table, ahead: int) -> DeckClock | None:
    if not (table.ready and table.since):
        return None
    hours, cite = deck_hours(table)
    return DeckClock(table.since + hours * HOUR - ahead, cite)


def _count(table: Table) -> StubCount | None:
    step = next((step for step in table.rules.steps if step.do is Do.COUNT), None)
    if step is None or shuffler_counts(table):
        return None
    return StubCount(max(0, COUNT_EVERY - 1 - table.uncounted), str(step.cite))
