"""SQLite by apsw: one process, one writer, one file."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote

import apsw

from pitboss.errors import Mistake
from pitboss.house.storage.connections import DatabaseFailure, Row
from pitboss.house.storage.dialects import SQLITE

_PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "cache_size=-65536",
    "wal_autocheckpoint=10000",  # in pages; a high value writes a hot page to the database once
)
_ERROR_TEXTS: Final[Mapping[type[Exception], str]] = {apsw.FullError: "the disk is full"}
"""Messages for backup errors that SQLite raises without a text."""


class Sqlite:
    """SQLite by apsw, with a write-ahead log that every commit flushes to disk."""

    dialect = SQLITE

    def __init__(self, file: Path, *, vfs: str | None = None, read_only: bool = False) -> None:
        """Open a file; create it unless `read_only`."""
        flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        try:
            name = str(file)
            if read_only and _is_read_only(file):
                name, flags = f"file:{quote(str(file.absolute()))}?immutable=1", flags | apsw.SQLITE_OPEN_URI
            self._db = apsw.Connection(name, flags=flags, vfs=vfs)
            self._db.set_busy_timeout(10_000)
            for pragma in _PRAGMAS:
                if not read_only or not pragma.startswith("journal_mode"):
                    self._db.execute(f"PRAGMA {pragma}")
        except apsw.Error as error:
            raise Mistake(f"The database {file} cannot be opened: {error}.") from None

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement."""
        try:
            return list(self._db.execute(sql, values))
        except apsw.ConstraintError:
            raise
        except apsw.Error as error:
            raise DatabaseFailure(str(error)) from error

    def execute_together(self, *asked: tuple[str, Sequence[object]]) -> list[list[Row]]:
        """Run several statements in sequence."""
        return [self.execute(sql, values) for sql, values in asked]

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for every row."""
        try:
            self._db.executemany(sql, rows)
        except apsw.Error as error:
            raise DatabaseFailure(str(error)) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the block durably, or roll it back."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def pipelined(self) -> AbstractContextManager[object]:
        """Do nothing: SQLite has no round trip."""
        return nullcontext()

    def house_lock(self, *, wait: bool = True) -> AbstractContextManager[bool]:  # noqa: ARG002 (no other process can hold it)
        """Do nothing: there is no other process."""
        return nullcontext(enter_result=True)

    def notify(self, chains: Iterable[str]) -> None:
        """Do nothing: there is no other process."""

    def backup(self, to: Path) -> None:
        """Copy the database in use to one file, readable by its owner only; a failure leaves no file."""
        try:
            with TemporaryDirectory(prefix=".copy-", dir=to.parent) as folder:
                made = Path(folder) / to.name
                self._copy_database(made)
                made.chmod(0o600)
                made.rename(to)
        except (apsw.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else _ERROR_TEXTS.get(type(error), str(error))
            raise Mistake(f"The database cannot be copied to {to}: {why}.") from None

    def _copy_database(self, made: Path) -> None:
        target = apsw.Connection(str(made))
        try:
            with target.backup("main", self._db, "main") as copying:
                copying.step()  # all pages at once: a concurrent write would restart a stepwise copy
            target.execute("PRAGMA journal_mode=DELETE")  # readers of the copy need no write access
        finally:
            target.close()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


def _is_read_only(file: Path) -> bool:
    """Whether a file cannot have writers: its folder is read-only and has no journal of it."""
    beside = (file.with_name(file.name + end) for end in ("-wal", "-journal"))
    return file.exists() and not os.access(file.parent, os.W_OK) and not any(one.exists() for one in beside)
