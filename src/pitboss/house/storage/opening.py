"""Opening a database: PostgreSQL by its URL, SQLite by its file."""

from pathlib import Path

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.sqlite import Sqlite


def is_url(name: str) -> bool:
    """Whether a name is a URL of PostgreSQL, not a file."""
    return name.startswith(("postgresql://", "postgres://"))


def open_database(url: str, file: Path, *, read_only: bool = False) -> Connection:
    """Connect to PostgreSQL if there is a URL, else to a file of SQLite."""
    if url:
        from pitboss.house.storage.postgres import Postgres  # noqa: PLC0415 (loaded on use)

        return Postgres(url)
    return Sqlite(file, read_only=read_only)
