"""The table: a decider that runs the chapters' procedures, and its shoe.

    refusal(table, command, given)  why not, with the clause; the only source of “may I”
    decide(table, command, given)   what happens
    evolve(table, event)            the table after it
    view(table, viewer)             what somebody may see

All pure. A round is dealt, decided and settled here; opening a table, irregularities and the record are to come.

>>> from pitboss.submission import load
>>> from pitboss.table import Given, Perform, Role, Sit, Wager, after, decide, open_table, refusal, view
>>> table = open_table(load("caribbean-stud-standard"))
>>> ann = Given(actor="Ann", role=Role.PLAYER)
>>> refusal(table, Wager(1, {"ante": 1000}), ann)
Refusal(why='Only seated players wager.', cite='639a.7(b)')
>>> table = after(table, decide(table, Sit(1), ann))
>>> table = after(table, decide(table, Wager(1, {"ante": 1000}), ann))
>>> view(table).boxes[0].wagers
{'ante': 1000}
"""

from pitboss.rulebook import rulebook
from pitboss.submission import Submission, terms_of
from pitboss.table.commands import Command, Decide, Given, Perform, Refusal, Role, Sit, Stand, Wager
from pitboss.table.decide import after, decide, refusal
from pitboss.table.evolve import evolve
from pitboss.table.state import Rules, Table
from pitboss.table.view import View, view

__all__ = [
    "Command",
    "Decide",
    "Given",
    "Perform",
    "Refusal",
    "Role",
    "Sit",
    "Stand",
    "Table",
    "View",
    "Wager",
    "after",
    "decide",
    "evolve",
    "open_table",
    "refusal",
    "view",
]


def open_table(submission: Submission) -> Table:
    """Return an empty table run by a Submission."""
    terms = terms_of(submission)
    procedures = rulebook().games[submission.game].procedures
    steps = procedures.round(submission.table.dealing, terms.readings)
    rules = Rules(terms=terms, steps=steps, seats=submission.table.seats, boxes=submission.table.boxes)
    return Table(rules=rules)
