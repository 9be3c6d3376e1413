"""Migrations: the numbered SQL files of `schema`, applied once each."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from pitboss.errors import Mistake
from pitboss.house.storage.connections import Connection


def has_house(connection: Connection) -> bool:
    """Whether a database contains a house; reject a database of another program."""
    tables = {name for (name,) in connection.execute(connection.dialect.list_tables)}
    if tables and "migration" not in tables:
        raise Mistake(f"The database belongs to another program: it has the table {min(tables)}.")
    return bool(tables)


def require_known_schema(connection: Connection) -> None:
    """Reject a database with migrations of a newer version."""
    newer = applied_migrations(connection) - {step.name for step in _steps()}
    if newer:
        raise Mistake(
            f"The database was created by a newer Pitboss: it has {max(newer)}. Use that version or a later one."
        )


def migrate(connection: Connection, *, up_to: int | None = None) -> list[str]:
    """Apply the missing migrations and return their names."""
    done = []
    with connection.transaction():
        has_house(connection)
        connection.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY)")
        require_known_schema(connection)
        known = applied_migrations(connection)
        for step in _steps()[:up_to]:
            if step.name not in known:
                for statement in _statements(step.read_text("utf-8").replace("BLOB", connection.dialect.binary_type)):
                    connection.execute(statement)
                connection.execute("INSERT INTO migration (name) VALUES (?)", (step.name,))
                done.append(step.name)
    return done


def applied_migrations(connection: Connection) -> set[str]:
    """Return the names of the migrations that a database has."""
    return {name for (name,) in connection.execute("SELECT name FROM migration")}


def _steps() -> list[Traversable]:
    """Return the migration files in order."""
    found = files("pitboss.house.storage").joinpath("schema").iterdir()
    return sorted((file for file in found if file.name.endswith(".sql")), key=lambda file: file.name)


def _statements(text: str) -> list[str]:
    """Return the statements of a migration, without comments."""
    lines = (line.partition("--")[0] for line in text.splitlines())
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]
