"""The tables of the house (`chain`, by kind): which are open, their headers and settings."""

from pitboss.house.storage.connections import Connection
from pitboss.house.storage.reading import as_bytes


def open_tables(db: Connection) -> list[str]:
    """Return the names of the open tables, sorted."""
    rows = db.execute("SELECT id FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")
    return [name for (name,) in rows]


def all_tables(db: Connection) -> list[str]:
    """Return the names of all tables, closed ones too."""
    return [name for (name,) in db.execute("SELECT id FROM chain WHERE kind = 'table'")]


def open_table_headers(db: Connection) -> dict[str, bytes]:
    """Return the headers of the open tables, sorted by name."""
    rows = db.execute("SELECT id, header FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")
    return {name: as_bytes(header) for name, header in rows}


def table_headers(db: Connection) -> dict[str, bytes]:
    """Return the headers of all tables, closed ones too."""
    rows = db.execute("SELECT id, header FROM chain WHERE kind = 'table'")
    return {name: as_bytes(header) for name, header in rows}


def header_and_settings(db: Connection, table: str) -> tuple[bytes, bytes]:
    """Return the header and the settings of a table."""
    ((header, settings),) = db.execute("SELECT header, settings FROM chain WHERE id = ?", (table,))
    return as_bytes(header), as_bytes(settings)


def has_table(db: Connection, name: str) -> bool:
    """Whether there is a table of that name, open or closed."""
    return bool(db.execute("SELECT 1 FROM chain WHERE id = ? AND kind = 'table'", (name,)))


def has_open_table(db: Connection, name: str) -> bool:
    """Whether there is an open table of that name."""
    return bool(db.execute("SELECT 1 FROM chain WHERE id = ? AND kind = 'table' AND is_open = 1", (name,)))


def is_open(db: Connection, table: str) -> bool:
    """Whether a table is open."""
    ((value,),) = db.execute("SELECT is_open FROM chain WHERE id = ?", (table,))
    return bool(value)


def close_table(db: Connection, table: str) -> None:
    """Mark a table as closed."""
    db.execute("UPDATE chain SET is_open = 0 WHERE id = ?", (table,))


def update_settings(db: Connection, table: str, settings: bytes) -> None:
    """Replace the settings of a table."""
    db.execute("UPDATE chain SET settings = ? WHERE id = ?", (settings, table))
