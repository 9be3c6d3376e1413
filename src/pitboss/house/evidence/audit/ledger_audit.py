"""The ledger as a whole: balances match postings, and every row belongs to an entry."""

from pitboss.house.evidence.audit.books import Books
from pitboss.house.storage.ledger_rows import sums_by_account, unbalanced_entries
from pitboss.house.storage.logs import rows_without_entry
from pitboss.house.storage.rounds import results_without_round, tables_with_rounds


def check_ledger(books: Books) -> None:
    """Check that postings sum to zero and balances match them."""
    for chain, seq, total in unbalanced_entries(books.db):
        books.say(f"Log “{chain}”, entry {seq}: its postings sum to {total} micro-cents, not to zero.")
    posted = sums_by_account(books.db)
    for name in sorted(posted.keys() | books.balances.keys()):
        balance, total = books.balances.get(name, 0), posted.get(name, 0)
        books.found.accounts += 1
        if balance != total:
            books.say(f"Account {name}: it holds {balance} micro-cents, and its postings sum to {total}.")
        if balance < 0 and name.startswith("patron/"):
            books.say(f"Account {name}: it is negative.")
    if together := sum(books.balances.values()):
        books.say(f"All accounts together hold {together} micro-cents, not zero.")


def check_strays(books: Books) -> None:
    """Report rows that belong to no entry, round or table."""
    for table, what in (
        ("posting", "a posting"),
        ("contribution", "a contribution"),
        ("move", "a move of a meter"),
    ):
        for chain, seq in rows_without_entry(books.db, table):
            books.say(f"Log “{chain}”: there is {what} of entry {seq}, which is missing.")
    for chain, number in results_without_round(books.db):
        books.say(f"Log “{chain}”: there are results of round {number + 1}, which is missing.")
    for chain in tables_with_rounds(books.db):
        if chain not in books.chains:
            books.say(f"Log “{chain}”: it has rounds, but the log is missing.")
