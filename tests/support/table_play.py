"""Helpers that play at a table in tests, as dealer, floorperson or patron."""

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
ANTE_AND_SIDE_WAGER = {
    "639a": {"ante": 1000, "bonus": 500},
    "682a": {"ante": 1000, "prime": 500},
    "683a": {"ante": 1000, "pocket-bonus": 500},
}

DEALER = Given(actor="Dealer", role=Role.DEALER, meters={"main": 10**12, "five-card-hand": 10**12})
FLOORPERSON = Given(actor="Floor", role=Role.FLOORPERSON)


def given_by_patron(name: str) -> Given:
    return Given(actor=name, role=Role.PLAYER)


def after_command(table: Table, command: Command, given: Given = DEALER) -> Table:
    """The table after a command; the default time is the table's."""
    return after(table, decide(table, command, replace(given, time=max(given.time, table.now))))


def as_replayed_entry(table: Table, command: Command, given: Given = DEALER) -> ReplayedEntry:
    """Return a command as the entry of a log, with its transitions."""
    decided = transitions(table, command, given)
    return ReplayedEntry(table, Entry(1, command, given, tuple(one.event for one in decided)), decided)


def open_for_gaming(  # noqa: PLR0913 (every choice by its name)
    preset: str,
    seats: Mapping[int, str] | None = None,
    *,
    dealing: Dealing = Dealing.MANUAL_SHOE,
    shuffler: Shuffler = Shuffler.AUTOMATED,
    readings: Mapping[str, str] | None = None,
    time: int = 0,
    paytable_letters: Mapping[str, str] | None = None,
    scanned: bool = False,
    timeout: int | None = None,
) -> Table:
    """A table open for gaming, with these patrons seated."""
    submission, chosen = load(preset), dict(readings or {})
    # abandoned-wagers is a setting of the table; the tests choose it like a reading
    rules = replace(submission.table, dealing=dealing, shuffler=shuffler, decision_timeout=timeout)
    submission = replace(
        submission,
        table=replace(rules, abandoned_wagers=chosen.pop("abandoned-wagers", rules.abandoned_wagers)),
        readings={**submission.readings, **chosen},
        wagers={
            name: replace(offer, paytable=(paytable_letters or {}).get(name, offer.paytable))
            for name, offer in submission.wagers.items()
        },
    )
    table = open_table(submission, scanned=scanned)
    for seat, name in (seats or {}).items():
        table = after_command(table, Sit(seat), given_by_patron(name))
    return perform_opening(table, time)


def perform_opening(table: Table, time: int = 0) -> Table:
    """Perform every step of the opening. If nobody is seated, a patron sits for it, since it needs one, and then leaves."""
    was_seated = bool(table.seated)
    if not was_seated:
        table = after_command(table, Sit(1), given_by_patron("First"))
    while not table.ready:
        given = FLOORPERSON if table.due.by == "floorperson" else DEALER
        table = after_command(table, Perform(), replace(given, time=time))
    if was_seated:
        return table
    # the table emptied, so it counts as unattended; it must be as if nobody had sat there
    return replace(after_command(table, Stand(1), given_by_patron("First")), unattended=False)


def shuffle_and_wager(table: Table, wagers: Mapping[int, Mapping[str, int]], deck: tuple[Card, ...] = DECK) -> Table:
    """The table after shuffle, cut if needed, and these wagers."""
    table = after_command(table, Perform(), replace(DEALER, cards=deck, time=table.since, counted=52))
    if table.due.do is Do.CUT:
        table = after_command(table, Perform(), replace(DEALER, depth=26))
    for seat, amounts in wagers.items():
        table = after_command(table, Wager(seat, amounts), given_by_patron(table.seated[seat]))
    return table


def perform_due(table: Table) -> Table:
    """Do what is due: decide for the first allowed multiple, or perform the step with the correct count."""
    if seat := view(table).to_act:
        multiple = table.rules.terms.game.decisions[len(table.boxes[seat].decisions)].multiples[0]
        return after_command(table, Decide(seat, multiple), given_by_patron(table.boxes[seat].patron))
    counted: int | None = None
    match table.due.do:
        case Do.COUNT:
            counted = table.expected_stub_count
        case Do.CHIPS:
            counted = count_accepted_wagers(table, table.due.needs)
    return after_command(table, Perform(), replace(DEALER, counted=counted))


def advance_until(table: Table, *steps: Do) -> Table:
    """Do what is due until one of these steps is due."""
    while table.due.do not in steps:
        table = perform_due(table)
    return table


def deal_cards(table: Table, cards: int) -> Table:
    """Do what is due until this many cards or stacks are dealt."""
    while cards:
        if table.due.do is Do.DEAL:
            cards -= 1
        table = perform_due(table)
    return table
