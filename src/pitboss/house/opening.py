"""Opening the house: the database brought up to date, and for a new one the demonstration's people and tables."""

import fcntl
import secrets
from functools import lru_cache
from pathlib import Path
from typing import IO, Final

from pitboss.errors import Mistake
from pitboss.house.acts import BuyIn, Hire, OpenTable
from pitboss.house.config import Config
from pitboss.house.driver import Connection, Sqlite, migrate
from pitboss.house.office import ITSELF, Office, opened
from pitboss.house.people import Post, fits, hashed
from pitboss.house.recount import recount
from pitboss.house.standing import Settings
from pitboss.submission import text_of

DATABASE: Final = "house.db"
PASSWORD: Final = "play-money"  # noqa: S105 (of the demonstration, and printed)
DEMO_PEOPLE: Final = {
    "ann": Post.PATRON,
    "bob": Post.PATRON,
    "cy": Post.PATRON,
    "dana": Post.DEALER,
    "flo": Post.FLOORPERSON,
    "fred": Post.FLOORPERSON,
    "sue": Post.SURVEILLANCE,
    "ada": Post.AUDITOR,
    "olga": Post.OPERATOR,
}
DEMO_TABLES: Final = {
    "caribbean-stud": "caribbean-stud-standard",
    "four-card-prime": "four-card-prime-standard",
    "cajun-stud": "cajun-stud-rack-card",
}
DEMO_MONEY: Final = 10_000_00
"""Cents of play money for each patron."""


def connect(config: Config) -> Connection:
    """Connect to the database of a house for writing."""
    folder = _folder(config)
    if config.database:
        from pitboss.house.postgres import Postgres  # noqa: PLC0415 (only where it is used)

        return Postgres(config.database)
    return Sqlite(folder / DATABASE)


def _folder(config: Config) -> Path:
    folder = Path(config.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"The data folder {folder} cannot be made: {error.strerror}.") from None
    return folder


def locked(config: Config) -> IO[bytes]:
    """Keep other servers off a data folder of SQLite, for as long as the file that is returned is open."""
    file = _folder(config) / "house.lock"
    opened_file = file.open("wb")
    try:
        fcntl.flock(opened_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        opened_file.close()
        raise Mistake(f"Another server runs on {file.parent}; several share a PostgreSQL.") from None
    return opened_file


def connect_to_read(config: Config) -> Connection:
    """Connect to the database of a house for reading."""
    return connect(config) if config.database else Sqlite(Path(config.data) / DATABASE, read_only=True)


def prepared(db: Connection) -> None:
    """Bring the database up to date, and begin the house's log."""
    with db.alone():
        migrate(db, binary="BLOB" if db.one_writer else "BYTEA")
        with db.transaction():
            opened(db)
        recount(db)


def open_house(db: Connection, config: Config, office: Office) -> list[str]:
    """Bring the database up to date, and open what is not open yet; return the tables that are open."""
    prepared(db)
    with db.alone():
        if config.demo and config.play_money and not db.execute("SELECT 1 FROM person LIMIT 1"):
            _people(office)
        known = {name for (name,) in db.execute("SELECT id FROM chain")}
        for name, submission in _submissions(config):
            if name not in known:
                settings = Settings(betting=config.betting, pause=config.pause, rest=config.rest)
                done = office.do(ITSELF, OpenTable(name, submission, settings), _key())
                if not done.accepted:
                    raise Mistake(f"The table {name} cannot be opened: {done.why}")
        office.note("the server started")
    return [name for (name,) in db.execute("SELECT id FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")]


def demo_people(db: Connection) -> list[tuple[str, str]]:
    """Return the people of the demonstration who may still sign in with the password that everybody knows."""
    rows = db.execute("SELECT name, post, password FROM person WHERE is_active = 1 ORDER BY post, name")
    return [(name, post) for name, post, kept in rows if name in DEMO_PEOPLE and _known(kept)]


@lru_cache(64)
def _known(kept: str) -> bool:
    """Whether a hash is of the demonstration's password; worked out once, since that takes its time."""
    return fits(PASSWORD, kept)


def _submissions(config: Config) -> list[tuple[str, str]]:
    if not config.tables:
        return [(name, text_of(preset)) for name, preset in DEMO_TABLES.items()] if config.demo else []
    folder = Path(config.tables)
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise Mistake(f"There is no Submission (*.toml) in {folder}.")
    return [(file.stem, text_of(str(file))) for file in files]


def _people(office: Office) -> None:
    kept = hashed(PASSWORD)
    for name, post in DEMO_PEOPLE.items():
        office.do(ITSELF, Hire(name, post, kept), _key())
        if post is Post.PATRON:
            office.do(ITSELF, BuyIn(name, DEMO_MONEY), _key())


def _key() -> str:
    return secrets.token_hex(8)
