"""Playing at a table in tests: shorthands for what a dealer, a floorperson and patrons do."""

from collections.abc import Mapping

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.record import Entry
from pitboss.record.replay import ReplayedEntry
from pitboss.rulebook.procedures import Do
from pitboss.submission import load
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
    Decide,
    Given,
    Perform,
    Role,
    Sit,
    Stand,
    Table,
    Wager,
    after,
    decide,
    open_table,
    transitions,
    view,
)
from pitboss.table.commands import Command
from pitboss.table.refusals import count_accepted_wagers

PRESETS = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}
ANTE = {"ante": 1000}
SIDES = {
    "639a": {"ante": 1000, "bonus": 500},
    "682a": {"ante": 1000, "prime": 500},
    "683a": {"ante": 1000, "pocket-bonus": 500},
}

DEALER = Given(actor="Dealer", role=Role.DEALER, meters={"main": 10**12, "five-card-hand": 10**12})
FLOOR = Given(actor="Floor", role=Role.FLOORPERSON)


def patron(name: str) -> Given:
    return Given(actor=name, role=Role.PLAYER)


def done(table: Table, command: Command, given: Given = DEALER) -> Table:
    """The table after a command; the default time is the table's."""
    return after(table, decide(table, command, replace(given, time=max(given.time, table.now))))


def replayed(table: Table, command: Command, given: Given = DEALER) -> ReplayedEntry:
    """Return a command as the entry of a log, with its transitions."""
    decided = transitions(table, command, given)
    return ReplayedEntry(table, Entry(1, command, given, tuple(one.event for one in decided)), decided)


def opened(  # noqa: PLR0913 (every choice by its name)
    preset: str,
    seats: Mapping[int, str] | None = None,
    *,
    dealing: Dealing = Dealing.MANUAL_SHOE,
    shuffler: Shuffler = Shuffler.AUTOMATED,
    readings: Mapping[str, str] | None = None,
    time: int = 0,
    letters: Mapping[str, str] | None = None,
    scanned: bool = False,
    timeout: int | None = None,
) -> Table:
    """A table open for gaming, with these patrons seated."""
    submission, chosen = load(preset), dict(readings or {})
    rules = replace(submission.table, dealing=dealing, shuffler=shuffler, decision_timeout=timeout)
    submission = replace(
        submission,
        table=replace(rules, abandoned_wagers=chosen.pop("abandoned-wagers", rules.abandoned_wagers)),
        readings={**submission.readings, **chosen},
        wagers={
            name: replace(offer, paytable=(letters or {}).get(name, offer.paytable))
            for name, offer in submission.wagers.items()
        },
    )
    table = open_table(submission, scanned=scanned)
    for seat, name in (seats or {}).items():
        table = done(table, Sit(seat), patron(name))
    return make_ready(table, time)


def make_ready(table: Table, time: int = 0) -> Table:
    """The table after its opening; a temporary first player sees the cards if nobody is seated."""
    table = table if (waiting := bool(table.seated)) else done(table, Sit(1), patron("First"))
    while not table.ready:
        given = FLOOR if table.due.by == "floorperson" else DEALER
        table = done(table, Perform(), replace(given, time=time))
    return table if waiting else replace(done(table, Stand(1), patron("First")), unattended=False)


def bets(table: Table, wagers: Mapping[int, Mapping[str, int]], deck: tuple[Card, ...] = DECK) -> Table:
    """The table after shuffle, cut if needed, and these wagers."""
    table = done(table, Perform(), replace(DEALER, cards=deck, time=table.since, counted=52))
    if table.due.do is Do.CUT:
        table = done(table, Perform(), replace(DEALER, depth=26))
    for seat, made in wagers.items():
        table = done(table, Wager(seat, made), patron(table.seated[seat]))
    return table


def advance(table: Table) -> Table:
    """Perform the step that is due: a decision takes the first multiple, a count is correct."""
    if seat := view(table).to_act:
        multiple = table.rules.terms.game.decisions[len(table.boxes[seat].decisions)].multiples[0]
        return done(table, Decide(seat, multiple), patron(table.boxes[seat].patron))
    counted = {Do.COUNT: table.expected_stub_count, Do.CHIPS: count_accepted_wagers(table, table.due.needs)}.get(
        table.due.do
    )
    return done(table, Perform(), replace(DEALER, counted=counted))


def until(table: Table, *steps: Do) -> Table:
    """The table when one of these steps is due."""
    while table.due.do not in steps:
        table = advance(table)
    return table


def dealt(table: Table, cards: int) -> Table:
    """The table after this many cards or stacks were dealt."""
    while cards:
        cards -= table.due.do is Do.DEAL
        table = advance(table)
    return table
