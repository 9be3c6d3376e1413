"""The table: runs the chapters' procedures as pure functions.

    refusal(table, command, given)      the reason and the clause against a command, or None; no other check exists
    transitions(table, command, given)  the events that a command causes, each with the table before and after it
    decide(table, command, given)       the events alone
    evolve(table, event)                the table after an event
    view(table, viewer)                 what one viewer may see

`TableRunner` keeps the state for programs that play; `pitboss.record` stores the events.

    commands, events, state             the types
    opening                             a new table from a Submission
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
from pitboss.table.opening import open_table
from pitboss.table.refusals import refusal
from pitboss.table.state import Table
from pitboss.table.views import View, view

__all__ = [
    "Table",
    "open_table",
    "refusal",
    "Refusal",
    "decide",
    "transitions",
    "Transition",
    "react",
    "evolve",
    "after",
    "view",
    "View",
    "Given",
    "Role",
    "Command",
    "Sit",
    "Stand",
    "Leave",
    "Wager",
    "Decide",
    "Perform",
    "Report",
    "Acknowledge",
    "Correct",
    "Document",
    "Reject",
    "Withhold",
    "Warn",
    "ChangeDealing",
    "ChangeDeck",
    "Recut",
    "Reshuffle",
    "Cover",
    "Repair",
    "Idle",
    "Tick",
    "TakeOver",
]
