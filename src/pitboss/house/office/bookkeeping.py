"""What an act does to the books, without a database: the office writes it, and the audit expects it."""

from msgspec.structs import replace

from pitboss.house import ledger
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import Act, Amend, BuyIn, CashOut, Credit, Fill, Resume, Suspend
from pitboss.money import CENT


def cash_postings(act: Act) -> list[ledger.Posting]:
    """Return the postings of an act that moves cash or chips; none for other acts."""
    match act:
        case BuyIn(patron, amount):
            giver, taker = ledger.CAGE, ledger.patron_account(patron)
        case CashOut(patron, amount):
            giver, taker = ledger.patron_account(patron), ledger.CAGE
        case Fill(table, amount):
            giver, taker = ledger.HOUSE, ledger.table_account(table, "inventory")
        case Credit(table, amount):
            giver, taker = ledger.table_account(table, "inventory"), ledger.HOUSE
        case Amend(giver, taker, amount):
            pass
        case _:
            return []
    return list(ledger.transfer(giver, taker, amount * CENT))


def settings_after(settings: Settings, act: Suspend | Resume) -> Settings:
    """Return a table's settings after a wager is suspended or resumed."""
    others = tuple(name for name in settings.suspended if name != act.offer)
    return replace(settings, suspended=(*others, act.offer) if isinstance(act, Suspend) else others)
