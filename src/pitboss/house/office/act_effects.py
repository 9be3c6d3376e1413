"""What an act changes: accounts, people, tables and meters. The office then writes its entry."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from pitboss.errors import Mistake, hint
from pitboss.house import ledger
from pitboss.house.live_table import Settings, new_live_table, opening_meters, settings_of, submission_of
from pitboss.house.office.acts import (
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
    OpenTable,
    RecordApproval,
    RecordTraining,
    Resume,
    Suspend,
)
from pitboss.house.office.approvals import require_approvals
from pitboss.house.office.bookkeeping import cash_postings, settings_after
from pitboss.house.office.money_kind import REAL, read_money_kind
from pitboss.house.office.people import require_name
from pitboss.house.office.slips import Slip, SlipKind, table_slip
from pitboss.house.storage.logs import insert_log
from pitboss.house.storage.meters import insert_meter, meter_rule
from pitboss.house.storage.people import dismiss, hire
from pitboss.house.storage.sessions import delete_sessions_of
from pitboss.house.storage.tables import close_table, update_settings
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.money import CENT, format_money
from pitboss.progressive import Meter
from pitboss.record.chain import decode_header, encode_and_hash, encode_json, header
from pitboss.submission import read_valid
from pitboss.submission.model import Link

MAX_BALANCE: Final = 2**62
"""Upper bound of one account, in micro-cents."""
HOUR: Final = 3600


def apply_act(unit: UnitOfWork, act: Act, today: date) -> list[ledger.Posting]:
    """Carry out an act, except for its entry, and return its postings."""
    postings = cash_postings(act)
    match act:
        case Credit(table, amount):
            _require_inventory(unit, table, amount)
        case Hire(name, post, password):
            hire(unit.db, name, post, password)
            delete_sessions_of(unit.db, name)
        case Dismiss(name):
            dismiss(unit.db, name)
            delete_sessions_of(unit.db, name)
        case CloseTable(table):
            close_table(unit.db, table)
        case OpenTable():
            postings += _open(unit, act, today)
        case Suspend() | Resume():
            _suspend_or_resume(unit, act)
        case BuyIn() | CashOut() | Fill() | Amend() | Note() | RecordApproval() | RecordTraining():
            pass  # only postings and the entry are written
        case _:
            raise AssertionError(act)
    _require_balances(unit, postings)
    return postings


def slip_of_act(unit: UnitOfWork, act: Act) -> Slip | None:
    """Return the slip for an act, if it needs one."""
    match act:
        case Fill(table):
            return table_slip(unit, SlipKind.FILL, table)
        case Credit(table):
            return table_slip(unit, SlipKind.CREDIT, table)
        case Note(table, number):
            return Slip(kind=SlipKind.DISPUTE, table=table, round=number)
        case _:
            return None


def _require_balances(unit: UnitOfWork, postings: Sequence[ledger.Posting]) -> None:
    """Reject postings that overdraw a patron's account or exceed the upper bound."""
    for account, change in ledger.sum_by_account(postings).items():
        if abs(unit.balance(account) + change) > MAX_BALANCE:
            raise Mistake("The balance would exceed the upper bound of an account.")
        if account.startswith("patron/") and unit.balance(account) + change < 0:
            raise Mistake(f"The account holds {format_money(unit.balance(account) // CENT)}.")


def _require_inventory(unit: UnitOfWork, table: str, amount: int) -> None:
    """Reject a credit above the table's inventory, which is negative after winnings that exceed it."""
    unit.chain(table)  # locks the table, so no payout reduces the inventory meanwhile
    held = max(0, unit.balance(ledger.table_account(table, "inventory")) // CENT)
    if amount > held:
        raise Mistake(f"The inventory of {table} holds {format_money(held)}.")


def _suspend_or_resume(unit: UnitOfWork, act: Suspend | Resume) -> None:
    row = unit.chain(act.table)
    assert row is not None, "require_allowed found the table"
    offered = submission_of(decode_header(row.header).submission).wagers
    if act.offer not in offered:
        raise Mistake(f"The table offers no “{act.offer}”; {hint(act.offer, offered)}")
    update_settings(unit.db, act.table, encode_json(settings_after(settings_of(row.settings), act)))
    unit.changed.add(act.table)


def _open(unit: UnitOfWork, act: OpenTable, today: date) -> list[ledger.Posting]:
    """Open a table, and its meters unless a linked table has opened them."""
    db = unit.db
    _require_valid_settings(act.settings)
    if unit.chain(require_name(act.table)):
        raise Mistake(f"The name “{act.table}” is or was used by another table. Choose another.")
    found = read_valid(act.submission)
    if read_money_kind(db) == REAL:
        require_approvals(db, act.table, act.submission, today)
    for offer in act.settings.links:
        if offer not in found.wagers or found.wagers[offer].linked is Link.NO:
            raise Mistake(f"The Submission does not link “{offer}” with other tables.")
    timed = act.settings.automatic and not act.scanned
    begun = header(
        act.submission, scanned=act.scanned, decision_timeout=act.settings.decision or None if timed else None
    )
    text, digest = encode_and_hash(begun, "")
    live = new_live_table(act.table, begun, digest, act.settings)
    insert_log(db, act.table, "table", text, digest, encode_json(act.settings))
    postings: list[ledger.Posting] = []
    for name, (meter, rule) in opening_meters(live).items():
        known = meter_rule(db, name)
        if known is None:
            insert_meter(db, name, meter, rule)
            postings += ledger.meter_postings(name, Meter(), meter)
        elif known != rule:
            raise Mistake(f"The meter {name} has other parameters. Linked tables must agree on them.")
    return postings


def _require_valid_settings(settings: Settings) -> None:
    """Reject times outside 0 to one hour, and invalid link names."""
    for seconds in (settings.betting, settings.pause, settings.rest, settings.decision):
        if not 0 <= seconds <= HOUR:
            raise Mistake(f"The times of a table must be from 0 to {HOUR} seconds, not {seconds}.")
    for link in settings.links.values():
        require_name(link)
