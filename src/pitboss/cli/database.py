"""The database of a house on the command line: how it is named and opened for reading, and the arguments about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators

from pitboss.errors import Mistake

if TYPE_CHECKING:
    from pitboss.house.connections import Connection

Database = Annotated[str, Parameter(help="The database: a file, a data folder with house.db, or postgresql://….")]
Limit = Annotated[int, Parameter(help="So many, the newest first.", validator=validators.Number(gte=1, lte=1_000_000))]
Settings = Annotated[
    Path | None,
    Parameter("--config", help="The settings of the house, for its time zone; else PITBOSS_TIMEZONE, or New York."),
]
Since = Annotated[str | None, Parameter(help="2026-01-31 or 2026-01-31T18:30, in the time zone of the house.")]
Until = Annotated[str | None, Parameter(help="The same; a day with all of it.")]


@contextmanager
def open_for_reading(name: str) -> Iterator["Connection"]:
    """Connect to a database that is there, for reading."""
    from pitboss.house.connections import DatabaseFailure, Sqlite, require_known_schema  # noqa: PLC0415 (only where it is used)

    db: Connection
    if name.startswith(("postgresql://", "postgres://")):
        from pitboss.house.postgres import Postgres  # noqa: PLC0415 (the same)

        db = Postgres(name)
    else:
        file = database_file(name)
        if not file.is_file():
            raise Mistake(f"There is no database {file}.")
        db = Sqlite(file, read_only=True)
    try:
        try:
            db.execute("SELECT 1 FROM chain LIMIT 1")
        except DatabaseFailure as error:
            raise Mistake(f"{name} is no database of a house: {error}.") from None
        require_known_schema(db)
        yield db
    except DatabaseFailure as error:
        raise Mistake(f"The database could not be read: {error}.") from None
    finally:
        db.close()


def house_time_zone(config: Path | None) -> str:
    """Return the time zone of a house that is set as for `pitboss serve`."""
    from pitboss.house.config import load_config  # noqa: PLC0415 (only where it is used)

    return load_config(config).timezone


def database_file(name: str) -> Path:
    """Return the file of a database that is named by its folder or by itself."""
    file = Path(name)
    return file / "house.db" if file.is_dir() else file
