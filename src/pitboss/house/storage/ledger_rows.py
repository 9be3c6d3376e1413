"""The rows of the ledger: balances (`account`) and double-entry postings (`posting`), in micro-cents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.reading import read_pages


class PostingRow(NamedTuple):
    """One posting of an entry."""

    account: str
    amount: int


class EntryPosting(NamedTuple):
    """One posting to a given account, with its log and entry."""

    chain: str
    seq: int
    amount: int


def balance_of(db: Connection, account: str) -> int | None:
    """Return the balance of an account."""
    rows = db.execute("SELECT balance FROM account WHERE name = ?", (account,))
    return rows[0][0] if rows else None


def balances_sql(accounts: Sequence[str]) -> tuple[str, Sequence[object]]:
    """Return PostgreSQL's query for the names and balances of some accounts."""
    return "SELECT name, balance FROM account WHERE name = ANY(?)", (accounts,)


def balances(db: Connection) -> dict[str, int]:
    """Return the balance of every account."""
    return dict(db.execute("SELECT name, balance FROM account"))


def sum_of_balances(db: Connection) -> int:
    """Return the sum of all balances, which must be zero."""
    ((total,),) = db.execute("SELECT COALESCE(SUM(balance), 0) FROM account")
    return int(total)


def has_account(db: Connection, name: str) -> bool:
    """Whether an account has that name."""
    return bool(db.execute("SELECT 1 FROM account WHERE name = ?", (name,)))


def postings_after(db: Connection, chain: str, since: int) -> Iterator[tuple[int, str, int]]:
    """Yield entry, account and amount of a log's postings after an entry."""
    sql = (
        "SELECT seq, line, account, amount FROM posting WHERE chain = ? AND (seq, line) > (?, ?)"
        " ORDER BY seq, line LIMIT ?"
    )
    for seq, _, account, amount in read_pages(db, sql, (chain,), (since + 1, -1)):
        yield seq, account, amount


def postings_of_entry(db: Connection, chain: str, seq: int) -> list[PostingRow]:
    """Return the postings of one entry, in order."""
    rows = db.execute("SELECT account, amount FROM posting WHERE chain = ? AND seq = ? ORDER BY line", (chain, seq))
    return [PostingRow(*row) for row in rows]


def sum_of_postings(db: Connection, chain: str, seq: int, account: str) -> int:
    """Return the sum of an entry's postings to one account."""
    ((total,),) = db.execute(
        "SELECT COALESCE(SUM(amount), 0) FROM posting WHERE chain = ? AND seq = ? AND account = ?",
        (chain, seq, account),
    )
    return int(total)


def credits_to(db: Connection, account: str) -> list[EntryPosting]:
    """Return the positive postings to an account, by log, the newest first."""
    rows = db.execute(
        "SELECT chain, seq, amount FROM posting WHERE account = ? AND amount > 0 ORDER BY chain, seq DESC", (account,)
    )
    return [EntryPosting(*row) for row in rows]


def sums_by_account(db: Connection) -> dict[str, int]:
    """Return the sum of the postings to every account."""
    rows = db.execute("SELECT account, SUM(amount) FROM posting GROUP BY account")
    return {name: int(total) for name, total in rows}


def unbalanced_entries(db: Connection) -> list[tuple[str, int, int]]:
    """Return log, number and sum of entries whose postings do not sum to zero."""
    rows = db.execute("SELECT chain, seq, SUM(amount) FROM posting GROUP BY chain, seq HAVING SUM(amount) <> 0")
    return [(chain, seq, int(total)) for chain, seq, total in rows]


def insert_postings(db: Connection, rows: Iterable[Row]) -> None:
    """Add postings: log, entry, line, account, amount."""
    db.execute_many("INSERT INTO posting (chain, seq, line, account, amount) VALUES (?, ?, ?, ?, ?)", rows)


def change_balances(db: Connection, changes: Mapping[str, int]) -> None:
    """Add amounts to balances; create missing accounts. Every process locks accounts in the order of their names."""
    accounts = sorted(name for name, change in changes.items() if change)
    db.execute_many(
        "INSERT INTO account (name, balance) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        [(name, 0) for name in accounts],
    )
    if db.dialect.row_lock and accounts:
        db.execute(f"SELECT 1 FROM account WHERE name = ANY(?) ORDER BY name{db.dialect.row_lock}", (accounts,))  # noqa: S608 (our words)
    db.execute_many(
        "UPDATE account SET balance = balance + ? WHERE name = ?", [(changes[name], name) for name in accounts]
    )
