"""The two databases behind one face: statements with `?`, rows as tuples, transactions that are durable when they end.

The SQL is the same for both but for what stands here.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol
from urllib.parse import quote

import apsw

from pitboss.errors import Mistake

Row = tuple[Any, ...]
_PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "cache_size=-65536",
    "wal_autocheckpoint=10000",  # pages: what changes again and again is moved out of the log once
)
_ERROR_TEXTS: Final[Mapping[type[Exception], str]] = {apsw.FullError: "the disk is full"}
"""What SQLite has no words for while it copies."""


class DatabaseFailure(Exception):
    """The database could not do its work: no wager is taken until somebody has looked."""


class Conflict(Exception):
    """Another process was in the way: nothing was done, and it may be tried again."""


class Connection(Protocol):
    """One connection to a database."""

    one_writer: bool
    """Whether this is the only connection that writes."""

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement."""
        ...

    def together(self, *asked: tuple[str, Sequence[object]]) -> list[list[Row]]:
        """Run several statements, one after another, and wait for their answers once."""
        ...

    def many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for every row: an INSERT of its values, or an UPDATE of what no other row updates."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Commit what is done within, durably, or none of it."""
        ...

    def pipelined(self) -> AbstractContextManager[object]:
        """Send what is done within without waiting for each answer."""
        ...

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Keep other processes from opening the house at the same time; without waiting, say whether one is at it."""
        ...

    def notify(self, chains: Iterable[str]) -> None:
        """Tell other processes, after the commit, which logs have grown."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Sqlite:
    """SQLite by apsw: a write-ahead log, flushed to the disk with every commit."""

    one_writer = True

    def __init__(self, file: Path, *, vfs: str | None = None, read_only: bool = False) -> None:
        """Open a file, making it if need be."""
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

    def together(self, *asked: tuple[str, Sequence[object]]) -> list[list[Row]]:
        """Run several statements, one after another."""
        return [self.execute(sql, values) for sql, values in asked]

    def many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for every row."""
        try:
            self._db.executemany(sql, rows)
        except apsw.Error as error:
            raise DatabaseFailure(str(error)) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what is done within, durably, or none of it."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def pipelined(self) -> AbstractContextManager[object]:
        """Do nothing: there is no way to go."""
        return nullcontext()

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:  # noqa: ARG002 (there is nobody to wait for)
        """Do nothing: there is no other process."""
        return nullcontext(enter_result=True)

    def notify(self, chains: Iterable[str]) -> None:
        """Do nothing: there is no other process."""

    def backup(self, to: Path) -> None:
        """Copy the whole database while it is in use: one file, for its owner only, there whole or not at all."""
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
                copying.step()  # all at once: it keeps no writer waiting, and none makes it begin again
            target.execute("PRAGMA journal_mode=DELETE")  # and nothing need be written beside it to read it
        finally:
            target.close()

    def close(self) -> None:
        """Close it."""
        self._db.close()


def _is_read_only(file: Path) -> bool:
    """Whether nobody can be writing to a file: it lies where nothing can be written, and nothing lies beside it."""
    beside = (file.with_name(file.name + end) for end in ("-wal", "-journal"))
    return file.exists() and not os.access(file.parent, os.W_OK) and not any(one.exists() for one in beside)


def has_house(connection: Connection) -> bool:
    """Whether a database holds a house; one that holds anything else is refused."""
    sqlite = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    postgres = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    tables = {name for (name,) in connection.execute(sqlite if connection.one_writer else postgres)}
    if tables and "migration" not in tables:
        raise Mistake(f"The database is another program's: it has {min(tables)}, and no house.")
    return bool(tables)


def require_known_schema(connection: Connection) -> None:
    """Refuse a database that a newer version has brought to a schema unknown here."""
    names = {step.name for step in _steps()}
    newer = {name for (name,) in connection.execute("SELECT name FROM migration")} - names
    if newer:
        raise Mistake(
            f"The database was made by a newer Pitboss: it has {max(newer)}. Use that version or a later one."
        )


def migrate(connection: Connection, *, binary: str = "BLOB", up_to: int | None = None) -> list[str]:
    """Bring the schema up to date; return the names of the steps that were missing."""
    done = []
    with connection.transaction():
        has_house(connection)
        connection.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY)")
        require_known_schema(connection)
        known = {name for (name,) in connection.execute("SELECT name FROM migration")}
        for step in _steps()[:up_to]:
            if step.name not in known:
                for statement in _statements(step.read_text("utf-8").replace("BLOB", binary)):
                    connection.execute(statement)
                connection.execute("INSERT INTO migration (name) VALUES (?)", (step.name,))
                done.append(step.name)
    return done


def _steps() -> list[Traversable]:
    """Return the steps of the schema, in their order."""
    found = files("pitboss.house").joinpath("schema").iterdir()
    return sorted((file for file in found if file.name.endswith(".sql")), key=lambda file: file.name)


def _statements(text: str) -> list[str]:
    """Return the statements of a file, without its comments."""
    lines = (line.partition("--")[0] for line in text.splitlines())
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]
