"""A table at a glance, for the pit: what is due, what waits for a person, and what soon will."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from pitboss.house import ledger
from pitboss.house.duties import list_duties, prompt
from pitboss.house.live_table import LiveTable
from pitboss.money import format_money
from pitboss.record.narration import Sentence, sentence
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.devices import COUNT_EVERY, shuffler_counts
from pitboss.table.refusals import HOUR, deck_hours
from pitboss.table.state import Table

_HIDDEN_FIELDS: Final = ("type", "password", "submission", "settings")


class DeckClock(msgspec.Struct, frozen=True):
    """When a deck must go at the latest, in seconds since 1970, and the clause that says so."""

    at: int
    cite: str


class StubCount(msgspec.Struct, frozen=True):
    """In how many rounds the stub is counted, 0 for the one that is played, and the clause."""

    rounds: int
    cite: str


class PendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for a second person."""

    id: str
    kind: str
    about: str
    """What it is about, in words."""
    by: str
    time: int


class TableOverview(msgspec.Struct, frozen=True, kw_only=True):
    """One table as the pit sees it."""

    table: str
    game: str
    title: str
    accent: str
    automatic: bool
    round: int
    """Rounds that are finished."""
    called: bool
    """“No more bets” was said: a round is under way."""
    due: Sentence
    """The step that is due, in words."""
    duties: list[Sentence]
    """What needs a person, or soon will."""
    seats: int
    seated: int
    boxes: int
    """In play."""
    money: int
    """Cents on the table."""
    deck: DeckClock | None
    count: StubCount | None
    """Nothing where a device counts."""
    broken: tuple[str, ...]
    """Devices that failed and are neither covered nor signed."""
    covered: tuple[str, ...]
    void: str
    """The clause under which the round is void, until that is acknowledged."""
    claims: tuple[int, ...]
    """Seats whose payout waits to be validated."""
    undocumented: tuple[int, ...]
    """Seats whose payout waits to be documented."""
    suspended: tuple[str, ...]
    """Wagers that are not taken now."""
    links: Mapping[str, str]
    """By offer: the link whose tables share its meters."""
    approvals: list[PendingRequest]


def overview_of(standing: LiveTable, now: int, waiting: Sequence[dict[str, Any]], ahead: int = 0) -> TableOverview:
    """Return a table at a glance; `waiting` is what waits for a second person in the whole house.

    `now` is the time at the table, `ahead` of the server's clock by so much.
    """
    table, chapter = standing.table, rulebook().game(standing.submission.game).chapter
    return TableOverview(
        table=standing.chain,
        game=standing.submission.game,
        title=chapter.title,
        accent=chapter.head.accent,
        automatic=standing.settings.automatic,
        round=table.round,
        called=table.called,
        due=sentence(prompt(table), str(table.due.cite)),
        duties=[sentence(duty) for duty in list_duties(standing, now, ahead)],
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
        suspended=standing.settings.suspended,
        links=standing.settings.links,
        approvals=requests(waiting, standing.chain),
    )


def requests(waiting: Sequence[dict[str, Any]], table: str | None = None) -> list[PendingRequest]:
    """Return what waits for a second person: everything, or what concerns a table."""
    return [
        PendingRequest(
            id=one["id"],
            kind=one["kind"],
            about=_describe_request(one["body"]),
            by=one["requested_by"],
            time=one["time"],
        )
        for one in waiting
        if table in (None, one["chain"], one["body"].get("table"))
    ]


def _describe_request(body: Mapping[str, Any]) -> str:
    """Say what waits: whom it concerns, which table, how much."""
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
