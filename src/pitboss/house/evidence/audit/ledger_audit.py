"""The ledger as a whole: balances match postings, and every row belongs to an entry."""

from pitboss.house.evidence.audit.books import Books


def check_ledger(books: Books) -> None:
    """Check that postings sum to zero and balances match them."""
    for chain, seq, total in books.db.execute(
        "SELECT chain, seq, SUM(amount) FROM posting GROUP BY chain, seq HAVING SUM(amount) <> 0"
    ):
        books.say(f"Log “{chain}”, entry {seq}: its postings sum to {int(total)} micro-cents, not to zero.")
    posted = {
        name: int(total)
        for name, total in books.db.execute("SELECT account, SUM(amount) FROM posting GROUP BY account")
    }
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
        for chain, seq in books.db.execute(
            f"SELECT DISTINCT x.chain, x.seq FROM {table} x WHERE NOT EXISTS"  # noqa: S608 (our words)
            " (SELECT 1 FROM entry e WHERE e.chain = x.chain AND e.seq = x.seq)"
        ):
            books.say(f"Log “{chain}”: there is {what} of entry {seq}, which is missing.")
    for chain, number in books.db.execute(
        "SELECT DISTINCT p.chain, p.number FROM played p WHERE NOT EXISTS"
        " (SELECT 1 FROM round r WHERE r.chain = p.chain AND r.number = p.number)"
    ):
        books.say(f"Log “{chain}”: there are results of round {number + 1}, which is missing.")
    for (chain,) in books.db.execute("SELECT DISTINCT chain FROM round"):
        if chain not in books.chains:
            books.say(f"Log “{chain}”: it has rounds, but the log is missing.")
