"""House conditions for an order: funds, links, second persons; and which orders touch meters.

`ROLES_BY_COMMAND` in table/commands.py says which role may give which order.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from pitboss.house import ledger
from pitboss.house.live_table import (
    LiveTable,
)
from pitboss.house.office.acts import MAX_TEXT, Noted
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.money import CENT, format_money
from pitboss.rulebook.procedures import Do
from pitboss.table import (
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
    Decide,
    Document,
    Given,
    Leave,
    Perform,
    Recut,
    Refusal,
    Reject,
    Report,
    Reshuffle,
    Sit,
    Stand,
    TakeOver,
    Tick,
    Wager,
    Warn,
    Withhold,
)
from pitboss.table import events as happens
from pitboss.table.state import Table

FUNDS_RULE: Final = "house rule: no account of a patron goes below zero"
TEXT_LENGTH_RULE: Final = "house rule: what is written down is brief"
LINK_RULE: Final = "house rule: a table that lost its link does not take that wager"
TWO_FOR_A_JACKPOT: Final = (Acknowledge, Withhold)
"""Commands on a meter payout that need two persons."""
_CONTRIBUTION_COMMANDS: Final = (Wager, Sit, Stand, Decide, Leave, Tick, Warn, TakeOver)
"""Commands that change meters only by contributions."""
_METER_STEPS: Final = (Do.COUNT, Do.TURN, Do.SETTLE, Do.CLEAR)
"""Steps that may win off a meter, or void or end the round."""


OVERRIDES: Final = (Reject, Withhold, Correct, Recut, Reshuffle, ChangeDeck, ChangeDealing)
"""Commands of a floorperson against the usual course; they are noted in the house's log too."""


INPUT_COMMANDS: Final = (Perform, Report, Acknowledge)
"""Commands with inputs of a person: counts, the cut, scanned cards, the light of the system."""


def has_long_text(command: Command) -> bool:
    """Whether a text of a command is too long to store."""
    return any(isinstance(value, str) and len(value) > MAX_TEXT for value in msgspec.structs.asdict(command).values())


def house_log_note(live: LiveTable, command: Command, seq: int, first: str | None) -> Noted | None:
    """Return the house log's note on an order: a second person's decision, an override, a payout by hand."""
    what = f"{type(command).__name__} at {live.chain}, entry {seq}"
    if isinstance(command, Document) and (box := live.table.boxes[command.seat]).by_hand:
        paid = f"{format_money(box.paid_by_hand)} paid to {box.patron} by hand"
        return Noted(f"{what}: {paid}", after=f"validated by {' and '.join(box.validated_by)}")
    if first:
        return Noted(f"{what}: a payout off a meter", before=_facts(command))
    return Noted(what, before=_facts(command)) if isinstance(command, OVERRIDES) else None


def _facts(command: Command) -> str:
    """Return the arguments of an override as text."""
    facts = msgspec.structs.asdict(command)
    return ", ".join(f"{name} {value}" for name, value in facts.items() if value)


def suspended_offer(live: LiveTable, command: Command) -> str:
    """Return the suspended offer that a command wagers on, or an empty string."""
    if not live.settings.suspended or not isinstance(command, Wager):
        return ""
    offers = {wager.name: wager.offer for wager in live.table.rules.terms.game.initial}
    made = {offers.get(name, "") for name, amount in command.wagers.items() if amount}
    return next((offer for offer in live.settings.suspended if offer in made), "")


def pending_jackpot(live: LiveTable) -> str:
    """Return the id of the meter payout that waits for validation, or an empty string; it needs two persons."""
    table = live.table
    claims = (box.seat for box in table.boxes.values() if any(line.meter for line in box.claimed))
    return "" if table.unacknowledged_void else next((f"{live.chain}/{table.round}/{seat}" for seat in claims), "")


def needs_meter_balances(table: Table, command: Command, given: Given) -> bool:
    """Whether a command may change meters in a way that depends on their balances."""
    if not table.rules.terms.meters or not table.called or isinstance(command, _CONTRIBUTION_COMMANDS):
        return False
    if isinstance(command, Perform) and table.due.do not in _METER_STEPS and not given.without_chip:
        return False
    return _has_meter_wagers(table)


def adds_to_meters(table: Table, happened: Sequence[happens.Event]) -> bool:
    """Whether events add increments to meters."""
    return happens.Called in map(type, happened) and _has_meter_wagers(table)


def _has_meter_wagers(table: Table) -> bool:
    """Whether a box has a wager with meters."""
    metered = {wager.name for wager in table.rules.terms.game.wagers if wager.by.paytable in table.rules.terms.meters}
    return any(metered & box.wagers.keys() for box in table.boxes.values())


def bets_are_in(live: LiveTable, now: int) -> bool:
    """Whether everybody seated has wagered, or the betting time is over."""
    table = live.table
    if not table.boxes:
        return False
    waiting = set(table.seated.values()) - {box.patron for box in table.boxes.values()}
    if now >= live.betting_since + live.settings.betting:
        return True
    return not waiting and now >= live.wagered_at + live.settings.pause


def is_showing_result(live: LiveTable, now: int) -> bool:
    """Whether the result of a settled round is still being shown."""
    return live.table.due.do is Do.CLEAR and now < live.settled_at + live.settings.rest


def add_debt_postings(
    unit: UnitOfWork, postings: list[ledger.Posting], happened: Sequence[happens.Event]
) -> list[ledger.Posting]:
    """Return postings in which the missing funds for a reversed payout become the patron's debt."""
    if not any(isinstance(event, happens.Reversed) for event in happened):
        return postings
    owed: list[ledger.Posting] = []
    for account, change in ledger.sum_by_account(postings).items():
        if account.startswith("patron/") and (lacking := -(unit.balance(account) + change)) > 0:
            owed += ledger.transfer(ledger.debt_account(account.removeprefix("patron/")), account, lacking)
    return postings + owed


def funds_refusal(unit: UnitOfWork, postings: Sequence[ledger.Posting]) -> Refusal | None:
    """Refuse an order that would overdraw a patron's account."""
    for account, change in ledger.sum_by_account(postings).items():
        if account.startswith("patron/") and change < 0 and unit.balance(account) + change < 0:
            holds, takes = format_money(unit.balance(account) // CENT), format_money(-change // CENT)
            return Refusal(f"The account holds {holds}; this takes {takes}.", FUNDS_RULE)
    return None
