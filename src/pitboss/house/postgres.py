"""PostgreSQL by psycopg: any number of processes on one database."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final

import psycopg
from psycopg import errors

from pitboss.errors import Mistake
from pitboss.house.driver import Broken, Conflict, Row

CHANNEL: Final = "pitboss"
ORIGIN: Final = secrets.token_hex(8)
"""This process, among those that tell each other."""
_CONFLICTS: Final = (errors.DeadlockDetected, errors.SerializationFailure, errors.IntegrityError)


_WRONG: Final = (errors.DataError, errors.ProgrammingError)
"""What one statement is refused for: the database itself is well."""


def _told(error: psycopg.Error) -> Exception:
    if isinstance(error, _CONFLICTS):
        return Conflict(str(error))
    return ValueError(str(error)) if isinstance(error, _WRONG) else Broken(str(error))


class Postgres:
    """One connection to PostgreSQL."""

    one_writer = False

    def __init__(self, url: str) -> None:
        """Connect."""
        try:
            self.db = psycopg.connect(url, autocommit=True, application_name="pitboss")
        except psycopg.Error as error:
            raise Mistake(f"The database cannot be reached: {' '.join(str(error).split())}") from None
        self.db.prepare_threshold = 2

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement."""
        try:
            cursor = self.db.execute(sql.replace("%", "%%").replace("?", "%s"), values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise _told(error) from error

    def many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for every row."""
        try:
            self.db.cursor().executemany(sql.replace("?", "%s"), rows)
        except psycopg.Error as error:
            raise _told(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what is done within, durably, or none of it."""
        try:
            with self.db.transaction():
                yield
        except psycopg.Error as error:
            raise _told(error) from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from opening the house at the same time."""
        self.execute("SELECT pg_advisory_lock(639682683)")
        try:
            yield
        finally:
            self.execute("SELECT pg_advisory_unlock(639682683)")

    def pipelined(self) -> AbstractContextManager[object]:
        """Send what is done within without waiting for each answer."""
        return self.db.pipeline()

    def notify(self, chains: Iterable[str]) -> None:
        """Tell other processes, after the commit, which logs have grown."""
        self.many("SELECT pg_notify(?, ?)", [(CHANNEL, f"{ORIGIN} {chain}") for chain in chains])

    def close(self) -> None:
        """Close it."""
        self.db.close()
