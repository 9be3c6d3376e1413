"""The differences between SQLite and PostgreSQL, in one place; every connection has its dialect."""

from typing import Final, NamedTuple


class Dialect(NamedTuple):
    """The abilities of a database, and its words where the two databases need different ones."""

    has_other_writers: bool
    """Whether other processes write as well, so that a cached table may be out of date."""
    can_reconnect: bool
    """Whether a new connection may work after a failure; SQLite needs an operator."""
    has_round_trips: bool
    """Whether fetching rows ahead, all at once, saves time."""
    row_lock: str
    """The end of a SELECT that locks its rows until the transaction ends."""
    binary_type: str
    """The type of a column of bytes."""
    begin_snapshot: str
    """The statement that begins a read of one snapshot."""
    hold_snapshot: str
    """The first statement of a transaction that reads one snapshot; empty if every transaction does."""
    list_tables: str
    """The query for the names of the database's tables."""


SQLITE: Final = Dialect(
    has_other_writers=False,
    can_reconnect=False,
    has_round_trips=False,
    row_lock="",
    binary_type="BLOB",
    begin_snapshot="BEGIN",
    hold_snapshot="",
    list_tables="SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
)
POSTGRESQL: Final = Dialect(
    has_other_writers=True,
    can_reconnect=True,
    has_round_trips=True,
    row_lock=" FOR UPDATE",
    binary_type="BYTEA",
    begin_snapshot="BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    hold_snapshot="SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    list_tables="SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
)
