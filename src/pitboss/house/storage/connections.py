"""One interface to SQLite and PostgreSQL: `?` placeholders, rows as tuples, durable transactions."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from pitboss.house.storage.dialects import Dialect

Row = tuple[Any, ...]


class DatabaseFailure(Exception):
    """The database failed; no wager is accepted until it works again."""


class Conflict(Exception):
    """A conflict with another process: nothing was written, and a retry may succeed."""


class Connection(Protocol):
    """One connection to a database."""

    dialect: Dialect
    """How its database differs from the other one."""

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement."""
        ...

    def execute_together(self, *asked: tuple[str, Sequence[object]]) -> list[list[Row]]:
        """Run several statements in one round trip."""
        ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run an INSERT or UPDATE for every row; no two rows may update the same row."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Commit the block durably, or roll it back."""
        ...

    def pipelined(self) -> AbstractContextManager[object]:
        """Send the block's statements without waiting for each answer."""
        ...

    def house_lock(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Hold the house's lock against other processes; without waiting, yield whether it was free."""
        ...

    def notify(self, chains: Iterable[str]) -> None:
        """Notify other processes of changed logs after the commit."""
        ...

    def backup(self, to: Path) -> None:
        """Copy the database in use to one file, readable by its owner only; a failure leaves no file."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...
