"""Logs and their entries (`chain`, `entry`): a log for every table, and the house's own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.reading import MOST, as_bytes, read_pages
from pitboss.house.storage.rounds import last_finished_round_end

HOUSE: Final = "house"
"""The name of the house's own log."""
ENTRY_TABLES: Final = ("posting", "contribution", "move")
"""The database's tables whose rows each belong to an entry."""


class Chain(NamedTuple):
    """A log: its header, its last entry, and the settings of its table."""

    id: str
    kind: str
    header: bytes
    seq: int
    hash: str
    is_open: int
    settings: bytes
    played: bytes


_CHAIN: Final = ", ".join(Chain._fields)


def entries(db: Connection, chain: str, first: int = 1, last: int = MOST) -> Iterator[tuple[int, bytes, str]]:
    """Yield number, body and hash of a log's entries."""
    sql = "SELECT seq, body, hash FROM entry WHERE chain = ? AND seq <= ? AND seq > ? ORDER BY seq LIMIT ?"
    for seq, body, digest in read_pages(db, sql, (chain, last), (first - 1,)):
        yield seq, as_bytes(body), digest


def entry_bodies(db: Connection, chain: str, numbers: Sequence[int]) -> list[bytes]:
    """Return the bodies of some entries of a log, in order."""
    marks = ", ".join("?" * len(numbers))
    rows = db.execute(
        f"SELECT body FROM entry WHERE chain = ? AND seq IN ({marks}) ORDER BY seq",  # noqa: S608 (question marks)
        (chain, *numbers),
    )
    return [bytes(body) for (body,) in rows]


def chains(db: Connection) -> dict[str, Chain]:
    """Return every log by name."""
    rows = db.execute(f"SELECT {_CHAIN} FROM chain ORDER BY id")  # noqa: S608 (our columns)
    found = (Chain(*row) for row in rows)
    return {
        one.id: one._replace(header=as_bytes(one.header), settings=as_bytes(one.settings), played=as_bytes(one.played))
        for one in found
    }


def read_chain(db: Connection, name: str, *, lock: bool) -> Chain | None:
    """Return a log; `lock` holds it against other processes until the transaction ends."""
    row_lock = db.dialect.row_lock if lock else ""
    rows = db.execute(f"SELECT {_CHAIN} FROM chain WHERE id = ?{row_lock}", (name,))  # noqa: S608 (our columns)
    return Chain(*rows[0]) if rows else None


def chains_sql(db: Connection, names: Iterable[str], *, lock: bool) -> tuple[str, Sequence[object]]:
    """Return PostgreSQL's query for some logs, locked in the order of their names."""
    row_lock = db.dialect.row_lock if lock else ""
    return (
        f"SELECT {_CHAIN} FROM chain WHERE id = ANY(?) ORDER BY id{row_lock}",  # noqa: S608 (our columns)
        (sorted(set(names)),),
    )


def log_names(db: Connection) -> set[str]:
    """Return the names of all logs."""
    return {name for (name,) in db.execute("SELECT id FROM chain")}


def has_logs(db: Connection) -> bool:
    """Whether there is a log; a database without a house fails."""
    return bool(db.execute("SELECT 1 FROM chain LIMIT 1"))


def log_ends(db: Connection) -> dict[str, tuple[int, str]]:
    """Return the last entry of every log with its hash."""
    return {name: (seq, digest) for name, seq, digest in db.execute("SELECT id, seq, hash FROM chain")}


def find_header(db: Connection, chain: str) -> bytes | None:
    """Return the header of a log, or None if it is unknown."""
    rows = db.execute("SELECT header FROM chain WHERE id = ?", (chain,))
    return as_bytes(rows[0][0]) if rows else None


def read_header(db: Connection, chain: str) -> bytes:
    """Return the header of a log that exists."""
    header = find_header(db, chain)
    assert header is not None, f"there is no log “{chain}”"
    return header


def last_finished_entry(db: Connection, chain: Chain) -> int:
    """Return the last entry that shows no round under way; for a table, the end of its last finished round."""
    return chain.seq if chain.kind == HOUSE else last_finished_round_end(db, chain.id)


def rows_without_entry(db: Connection, table: str) -> list[tuple[str, int]]:
    """Return log and number of missing entries that one of `ENTRY_TABLES` has rows of."""
    assert table in ENTRY_TABLES, table
    rows = db.execute(
        f"SELECT DISTINCT x.chain, x.seq FROM {table} x WHERE NOT EXISTS"  # noqa: S608 (our words)
        " (SELECT 1 FROM entry e WHERE e.chain = x.chain AND e.seq = x.seq)"
    )
    return [(chain, seq) for chain, seq in rows]


def has_log(db: Connection, name: str) -> bool:
    """Whether a log has that name."""
    return bool(db.execute("SELECT 1 FROM chain WHERE id = ?", (name,)))


def insert_log(db: Connection, name: str, kind: str, header: bytes, digest: str, settings: bytes) -> None:  # noqa: PLR0913, PLR0917 (a row)
    """Add a log without entries."""
    db.execute(
        "INSERT INTO chain (id, kind, header, seq, hash, is_open, settings, played) VALUES (?, ?, ?, 0, ?, 1, ?, ?)",
        (name, kind, header, digest, settings, b"[]"),
    )


def insert_entries(db: Connection, rows: Iterable[tuple[str, int, bytes, str]]) -> None:
    """Append entries: log, number, body and hash."""
    db.execute_many("INSERT INTO entry (chain, seq, body, hash) VALUES (?, ?, ?, ?)", rows)


def update_log_ends(db: Connection, ends: Mapping[str, tuple[int, str, bytes]]) -> None:
    """Set the last entry of logs, its hash, and the meter data of the round under way."""
    db.execute_many(
        "UPDATE chain SET seq = ?, hash = ?, played = ? WHERE id = ?",
        [(seq, digest, played, name) for name, (seq, digest, played) in sorted(ends.items())],
    )
