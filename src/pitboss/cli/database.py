"""Arguments that name a house's database, and opening it for reading."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators

from pitboss.errors import Mistake

if TYPE_CHECKING:
    from pitboss.house.storage.connections import Connection

Database = Annotated[str, Parameter(help="The database: a file, a data folder with house.db, or postgresql://….")]
Limit = Annotated[int, Parameter(help="Maximum, newest first.", validator=validators.Number(gte=1, lte=1_000_000))]
Settings = Annotated[
    Path | None,
    Parameter("--config", help="Settings file, for the time zone; default: PITBOSS_TIMEZONE, else New York."),
]
Since = Annotated[str | None, Parameter(help="From 2026-01-31 or 2026-01-31T18:30, in the time zone of the house.")]
Until = Annotated[str | None, Parameter(help="Until 2026-01-31 (inclusive) or 2026-01-31T18:30.")]


@contextmanager
def open_for_reading(name: str) -> Iterator["Connection"]:
    """Connect to an existing database for reading."""
    from pitboss.house.storage.connections import DatabaseFailure  # noqa: PLC0415 (only where it is used)
    from pitboss.house.storage.logs import has_logs  # noqa: PLC0415 (the same)
    from pitboss.house.storage.migrations import require_known_schema  # noqa: PLC0415 (the same)
    from pitboss.house.storage.opening import is_url, open_database  # noqa: PLC0415 (the same)

    file = database_file(name)
    if not is_url(name) and not file.is_file():
        raise Mistake(f"There is no database {file}.")
    db = open_database(name if is_url(name) else "", file, read_only=True)
    try:
        try:
            has_logs(db)
        except DatabaseFailure as error:
            raise Mistake(f"{name} is not the database of a house: {error}.") from None
        require_known_schema(db)
        yield db
    except DatabaseFailure as error:
        raise Mistake(f"The database could not be read: {error}.") from None
    finally:
        db.close()


def house_time_zone(config: Path | None) -> str:
    """Return the time zone from the settings that `pitboss serve` would use."""
    from pitboss.house.config import load_config  # noqa: PLC0415 (only where it is used)

    return load_config(config).timezone


def database_file(name: str) -> Path:
    """Return the database file, given the file or its folder."""
    file = Path(name)
    return file / "house.db" if file.is_dir() else file
