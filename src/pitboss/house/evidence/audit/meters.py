"""The audit of meters against their openings, contributions, moves and ledger accounts."""

from pitboss.house import ledger
from pitboss.house.evidence.audit.books import Books
from pitboss.house.evidence.checkpoints import MeterState, read_meter_states
from pitboss.house.storage.meters import contributors, count_contributions, meter_rules
from pitboss.progressive.meter_changes import add_contributions, apply_change, meter_change


def check_meters(books: Books) -> None:
    """Check that every meter equals its opening plus contributions and moves, and matches the ledger."""
    now = read_meter_states(books.db)
    stored = meter_rules(books.db)
    for name in sorted(now.keys() | books.house.meters.keys()):
        books.found.meters += 1
        if name not in now:
            books.say(f"Meter {name}: a table was opened with it, but it is missing.")
        elif name not in books.house.meters:
            books.say(f"Meter {name}: no table was opened with it.")
        else:
            if stored[name] != books.house.meters[name][1]:
                books.say(f"Meter {name}: its parameters are not those of the Submission.")
            _meter(books, name, now[name])
    for chain, meter in contributors(books.db):
        if chain not in books.house.owners.get(meter, ()):
            books.say(f"Meter {meter}: it has contributions of the table {chain}, which has no such meter.")


def _meter(books: Books, name: str, state: MeterState) -> None:
    expected, number = books.house.meters[name][0], 0
    for moved, chain, seq, change in books.moves(name):
        if moved != number + 1:
            books.say(f"Meter {name}: after move {number} comes move {moved}, by entry {seq} of “{chain}”.")
        expected, number = apply_change(expected, change), moved
    count, amounts = count_contributions(books.db, name)
    if wrong := meter_change(add_contributions(expected, *amounts), state.meter):
        said = ", ".join(f"{field} by {amount:+}" for field, amount in wrong.items())
        books.say(
            f"Meter {name}: it is not where its opening, {count} contributions and {number} moves bring it:"
            f" {said} micro-cents."
        )
    if number != state.seq:
        books.say(f"Meter {name}: it says it was moved {state.seq} times; there are {number} moves.")
    if not state.meter.is_balanced:
        books.say(f"Meter {name}: its contributions do not match its amounts and payouts.")
    meter = state.meter
    parts = {"current": meter.current + meter.waiting, "reserve": meter.reserve, "pending": meter.pending}
    for part, amount in parts.items():
        account = ledger.meter_account(name, part)
        if (held := books.balances.get(account, 0)) != amount:
            books.say(f"Account {account}: it holds {held} micro-cents, and the meter has {amount}.")
