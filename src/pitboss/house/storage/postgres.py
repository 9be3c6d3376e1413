"""PostgreSQL by psycopg; several processes may share one database."""

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
from psycopg import errors

from pitboss.errors import Mistake
from pitboss.house.storage.connections import Conflict, DatabaseFailure, Row
from pitboss.house.storage.dialects import POSTGRESQL

CHANNEL: Final = "pitboss"
ORIGIN: Final = secrets.token_hex(8)
"""The id of this process in notifications."""
_CONFLICTS: Final = (errors.DeadlockDetected, errors.SerializationFailure, errors.IntegrityError)


_WRONG: Final = (errors.DataError, errors.ProgrammingError)
"""Errors of one statement; the connection stays usable."""


def _translate_error(error: psycopg.Error) -> Exception:
    if isinstance(error, _CONFLICTS):
        return Conflict(str(error))
    return ValueError(str(error)) if isinstance(error, _WRONG) else DatabaseFailure(str(error))


def _psycopg_sql(sql: str) -> str:
    """Return a statement with psycopg's placeholders."""
    return sql.replace("%", "%%").replace("?", "%s")


_INSERT: Final = re.compile(r"(INSERT INTO .*) VALUES \(([?, ]*)\)(.*)")
_UPDATE: Final = re.compile(r"(UPDATE .*) WHERE (.*)")


@cache
def _bulk_sql(sql: str) -> str:
    """Turn a statement for one row into one for many rows, with an array for each value.

    >>> _bulk_sql("INSERT INTO move (meter, seq) VALUES (?, ?)")
    'INSERT INTO move (meter, seq) SELECT * FROM unnest(%b, %b)'
    >>> _bulk_sql("UPDATE meter SET seq = ? WHERE id = ?")
    'UPDATE meter SET seq = v1 FROM unnest(%b, %b) AS given (v1, v2) WHERE id = v2'
    """
    arrays = f"unnest({', '.join(['%b'] * sql.count('?'))})"
    if inserts := _INSERT.fullmatch(sql):
        what, _, conflict = inserts.groups()
        return f"{what} SELECT * FROM {arrays}{conflict}"  # noqa: S608 (our statements)
    updates = _UPDATE.fullmatch(sql)
    assert updates, f"neither a plain insertion nor a plain change: {sql}"
    number = count(1)
    what, where = (re.sub(r"\?", lambda _: f"v{next(number)}", part) for part in updates.groups())
    names = ", ".join(f"v{place}" for place in range(1, next(number)))
    return f"{what} FROM {arrays} AS given ({names}) WHERE {where}"


class Postgres:
    """One connection to PostgreSQL."""

    dialect = POSTGRESQL

    def __init__(self, url: str) -> None:
        """Connect."""
        try:
            self.db = psycopg.connect(url, autocommit=True, application_name="pitboss")
        except psycopg.Error as error:
            raise Mistake(f"The database cannot be reached: {' '.join(str(error).split())}") from None
        self.db.prepare_threshold = 2
        self._origin = ORIGIN

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement."""
        try:
            cursor = self.db.execute(_psycopg_sql(sql), values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise _translate_error(error) from error

    def execute_together(self, *asked: tuple[str, Sequence[object]]) -> list[list[Row]]:
        """Run several statements in one round trip."""
        try:
            with self.db.pipeline():
                cursors = [self.db.execute(_psycopg_sql(sql), values) for sql, values in asked]
                return [cursor.fetchall() for cursor in cursors]
        except psycopg.Error as error:
            raise _translate_error(error) from error

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for all rows at once."""
        if columns := [list(column) for column in zip(*rows, strict=True)]:
            try:
                self.db.execute(_bulk_sql(sql), columns)
            except psycopg.Error as error:
                raise _translate_error(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the block durably, or roll it back."""
        try:
            with self.db.transaction():
                yield
        except psycopg.Error as error:
            raise _translate_error(error) from error

    @contextmanager
    def house_lock(self, *, wait: bool = True) -> Iterator[bool]:
        """Hold the house's lock against other processes; without waiting, yield whether it was free."""
        if wait:
            self.execute("SELECT pg_advisory_lock(639682683)")
        elif self.execute("SELECT pg_try_advisory_lock(639682683)") == [(False,)]:
            yield False
            return
        try:
            yield True
        finally:
            self.execute("SELECT pg_advisory_unlock(639682683)")

    def pipelined(self) -> AbstractContextManager[object]:
        """Send the block's statements without waiting for each answer."""
        return self.db.pipeline()

    def notify(self, chains: Iterable[str]) -> None:
        """Notify other processes of changed logs after the commit."""
        payloads = [f"{self._origin} {chain}" for chain in chains]
        try:
            self.db.execute("SELECT pg_notify(%s, payload) FROM unnest(%b::text[]) payload", (CHANNEL, payloads))
        except psycopg.Error as error:
            raise _translate_error(error) from error

    def listen(self) -> None:
        """Receive the notifications of other processes from now on."""
        self.execute(f"LISTEN {CHANNEL}")

    def changed_logs(self, timeout: float) -> set[str]:
        """Wait for notifications, and return the logs that other processes changed."""
        notices = [*self.db.notifies(timeout=timeout, stop_after=1), *self.db.notifies(timeout=0)]
        payloads = [notice.payload.partition(" ") for notice in notices]
        return {chain for origin, _, chain in payloads if origin != self._origin}

    def backup(self, to: Path) -> None:  # noqa: ARG002 (no file is written)
        """Refuse: PostgreSQL has better tools."""
        raise Mistake("Back up PostgreSQL with its own tools: pg_dump, or a base backup.")

    def close(self) -> None:
        """Close the connection."""
        self.db.close()
