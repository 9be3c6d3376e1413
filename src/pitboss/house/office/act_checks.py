"""Checks of an act before it is carried out or requested: valid values, and allowed for this person."""

from datetime import date
from typing import Final

from pitboss.errors import Mistake
from pitboss.house import ledger
from pitboss.house.office.acts import (
    MAX_TEXT,
    Act,
    Amend,
    BuyIn,
    CashOut,
    CloseTable,
    Credit,
    Dismiss,
    Fill,
    Hire,
    Note,
    RecordApproval,
    RecordTraining,
    Resume,
    Suspend,
)
from pitboss.house.office.approvals import require_valid_approval
from pitboss.house.office.people import RESERVED, Person, Post, require_name
from pitboss.house.office.training_grades import require_examiner
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.ledger_rows import has_account
from pitboss.house.storage.people import has_active_person, has_active_staff, has_patron
from pitboss.house.storage.rounds import count_rounds
from pitboss.house.storage.tables import has_open_table, has_table, is_open
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.money import format_money

MAX_AMOUNT: Final = 1_000_000_00
"""Upper bound of one cash movement, in cents."""


def require_allowed(unit: UnitOfWork, person: Person, act: Act, today: date) -> None:  # noqa: C901, PLR0912 (a case for each act)
    """Reject an act with invalid values, or one that the person may not do."""
    db = unit.db
    if isinstance(act, BuyIn | CashOut | Fill | Credit | Amend) and not 0 < act.amount <= MAX_AMOUNT:
        raise Mistake(f"The amount must be from {format_money(1)} to {format_money(MAX_AMOUNT)}.")
    if isinstance(act, Suspend | Amend) and len(act.reason) > MAX_TEXT:
        raise Mistake(f"A reason may have at most {MAX_TEXT} characters.")
    match act:
        case BuyIn(patron) | CashOut(patron):
            if person.post is Post.PATRON and patron != person.name:
                raise Mistake("You may use only your own account.")
            _require(has_patron(db, patron), "patron", patron)
        case Suspend(_, _, reason) if not reason.strip():
            raise Mistake("Give a reason for suspending the wager.")
        case Credit(table):  # closed tables too: their chips go back to the house
            _require(has_table(db, table), "table", table)
        case Fill(table) | CloseTable(table) | Suspend(table) | Resume(table):
            _require(has_open_table(db, table), "open table", table)
            if isinstance(act, CloseTable):
                _require_settled(unit, table)
        case Amend(giver, taker, _, reason):
            if not reason.strip():
                raise Mistake("Give a reason for the correction.")
            for account in (giver, taker):
                _require(has_account(db, account), "account", account)
                if account.startswith("meter/") or account.endswith("/wagers"):
                    raise Mistake(f"Play sets the balance of {account}. Correct it at the table.")
        case Hire(name):
            if require_name(name) in RESERVED:
                raise Mistake(f"The name “{name}” is reserved for the house. Choose another.")
        case Dismiss(name):
            _require(has_active_person(db, name), "person", name)
            if name == person.name:
                raise Mistake("You cannot dismiss yourself.")
        case Note(table, number, text):
            _require(has_table(db, table), "table", table)
            _require_round(db, table, number)
            if not text.strip():
                raise Mistake("Write what the dispute is about.")
        case RecordApproval():
            require_valid_approval(act, today)
        case RecordTraining():
            require_examiner(act, person)
            _require(has_active_staff(db, act.person), "staff member", act.person)
        case _:
            pass


def _require(exists: bool, what: str, name: str) -> None:  # noqa: FBT001 (the condition)
    if not exists:
        raise Mistake(f"There is no {what} “{name}”.")


def _require_settled(unit: UnitOfWork, table: str) -> None:
    """Reject closing a table with wagers or meter payouts; lock it, so that no wager is accepted meanwhile."""
    row = unit.chain(table)
    if unit.balance(ledger.table_account(table, "wagers")) or (row and bytes(row.played) != b"[]"):
        raise Mistake("Settle the wagers and meter payouts of the table before you close it.")


def _require_round(db: Connection, table: str, number: int) -> None:
    """Reject the number of a round that is neither finished nor under way."""
    rounds = count_rounds(db, table)
    if not 0 < number <= rounds + is_open(db, table):
        raise Mistake(f"The table {table} has no round {number}. Finished rounds: {rounds}.")
