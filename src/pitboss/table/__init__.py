"""The table: runs the chapters' procedures as pure functions.

    refusal(table, command, given)      the reason and the clause against a command, or None; no other check exists
    transitions(table, command, given)  the events that a command causes, each with the table before and after it
    decide(table, command, given)       the events alone
    evolve(table, event)                the table after an event
    view(table, viewer)                 what one viewer may see

`TableRunner` keeps the state for programs that play; `pitboss.record` stores the events.

    commands, events, state             the types
    refusals, player_refusals, inputs   reasons against a command; checks of its inputs
    decider, steps, irregularities      events of a command; interpreter of the procedures; section .13
    event_effects, evolution            `evolve`; each event with the table before and after it
    box_settlement, metering            settling a box; meters of a table
    shoe, decks, devices, commitment    shuffle and cut, decks, shufflers, the commitment to a shuffle
    views, actions                      what a viewer may see and do
    runner                              state for a program, and the automatic dealer

>>> from pitboss.submission import load
>>> from pitboss.table import Given, Perform, Role, Sit, Wager, after, decide, open_table, refusal, view
>>> table = open_table(load("caribbean-stud-standard"))
>>> ann = Given(actor="Ann", role=Role.PLAYER)
>>> refusal(table, Wager(1, {"ante": 1000}), ann)
Refusal(why='The table is not open for gaming.', cite='639a.4(a)')
>>> table = after(table, decide(table, Sit(1), ann))
>>> table.due.do, table.due.cite  # decks are received first
(<Do.RECEIVE: 'receive'>, '639a.4(a)')
"""

from pitboss.games import Terms
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import meets_condition
from pitboss.submission import Dealing, Submission, terms_of
from pitboss.table.commands import (
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
    Cover,
    Decide,
    Document,
    Given,
    Idle,
    Leave,
    Perform,
    Recut,
    Refusal,
    Reject,
    Repair,
    Report,
    Reshuffle,
    Role,
    Sit,
    Stand,
    TakeOver,
    Tick,
    Wager,
    Warn,
    Withhold,
)
from pitboss.table.decider import decide, react, transitions
from pitboss.table.event_effects import evolve
from pitboss.table.evolution import Transition, after
from pitboss.table.refusals import refusal
from pitboss.table.state import Rules, Table
from pitboss.table.views import View, view

__all__ = [
    "Acknowledge",
    "ChangeDealing",
    "ChangeDeck",
    "Command",
    "Correct",
    "Cover",
    "Decide",
    "Document",
    "Given",
    "Idle",
    "Leave",
    "Perform",
    "Recut",
    "Refusal",
    "Reject",
    "Repair",
    "Report",
    "Reshuffle",
    "Role",
    "Sit",
    "Stand",
    "Table",
    "TakeOver",
    "Tick",
    "Transition",
    "View",
    "Wager",
    "Warn",
    "Withhold",
    "after",
    "decide",
    "evolve",
    "open_table",
    "react",
    "refusal",
    "transitions",
    "view",
]


def open_table(submission: Submission, *, scanned: bool = False, decision_timeout: int | None = None) -> Table:
    """Return an empty table under a Submission; its first step is to receive the decks.

    With a scanned shoe the order of the cards is unknown: whoever turns a card names it. `decision_timeout` applies
    if the Submission has none.
    """
    terms = terms_of(submission)
    game = rulebook().games[submission.game]
    procedures = game.procedures
    ways = {dealing: procedures.round(dealing, terms.readings) for dealing in Dealing if dealing in procedures.dealing}
    rules = Rules(
        terms=terms,
        opening=procedures.opening,
        steps=ways[submission.table.dealing],
        ways=ways,
        submitted=submission.table.dealing,
        offered={
            offer: frozenset(wager.name for wager in terms.game.initial if wager.offer == offer)
            for offer in {wager.offer for wager in terms.game.initial}
        },
        draws={
            name: (chance.numerator, chance.denominator)
            for offer in submission.wagers.values()
            for name, chance in offer.bonuses.items()
        },
        timeout=submission.table.decision_timeout or decision_timeout,
        scanned=scanned,
        irregularities=procedures.irregularities,
        grounds=game.chapter.grounds,
        seats=submission.table.seats,
        boxes=submission.table.boxes,
        dealing=submission.table.dealing,
        shuffler=submission.table.shuffler,
        decks=submission.table.decks,
        validated=_validated(submission, terms),
    )
    return Table(rules=rules)


def _validated(submission: Submission, terms: Terms) -> dict[str, tuple[int, str]]:
    """Map each wager to the lowest payout, for 1, that needs validation, and to the clause."""
    meters = rulebook().games[submission.game].meters
    least = {
        offer: (submission.wagers[offer].validated_from or rule.pays, str(rule.cite))
        for offer, found in meters.items()
        if offer in submission.wagers
        for rule in found.validated
        if meets_condition(rule.when, terms.readings)
    }
    return {wager.name: least[wager.offer] for wager in terms.game.initial if wager.offer in least}
