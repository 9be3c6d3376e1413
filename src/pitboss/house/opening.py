"""Opening the house: the database brought up to date, and for a new one the demonstration's people and tables."""

import secrets
from pathlib import Path
from typing import Final

from pitboss.errors import Mistake
from pitboss.house.acts import BuyIn, Hire, OpenTable
from pitboss.house.config import Config
from pitboss.house.driver import Connection, Sqlite, migrate
from pitboss.house.office import Office, opened
from pitboss.house.people import Person, Post, hashed
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
_HOUSE: Final = Person("house", Post.OPERATOR)


def connect(config: Config) -> Connection:
    """Connect to the database of a house for writing."""
    folder = Path(config.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"The data folder {folder} cannot be made: {error.strerror}.") from None
    if config.database:
        from pitboss.house.postgres import Postgres  # noqa: PLC0415 (only where it is used)

        return Postgres(config.database)
    return Sqlite(folder / DATABASE)


def connect_to_read(config: Config) -> Connection:
    """Connect to the database of a house for reading."""
    return connect(config) if config.database else Sqlite(Path(config.data) / DATABASE, read_only=True)


def open_house(db: Connection, config: Config, office: Office) -> list[str]:
    """Bring the database up to date, and open what is not open yet; return the tables that are open."""
    with db.alone():
        migrate(db, binary="BLOB" if db.one_writer else "BYTEA")
        with db.transaction():
            opened(db)
        if config.demo and not db.execute("SELECT 1 FROM person LIMIT 1"):
            _people(office)
        known = {name for (name,) in db.execute("SELECT id FROM chain")}
        for name, submission in _submissions(config):
            if name not in known:
                done = office.do(_HOUSE, OpenTable(name, submission, Settings(betting=config.betting)), _key())
                if not done.accepted:
                    raise Mistake(f"The table {name} cannot be opened: {done.why}")
        office.note("the server started")
    return [name for (name,) in db.execute("SELECT id FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")]


def demo_people(db: Connection) -> list[tuple[str, str]]:
    """Return the people of the demonstration who may still sign in."""
    rows = db.execute("SELECT name, post FROM person WHERE is_active = 1 ORDER BY post, name")
    return [(name, post) for name, post in rows if name in DEMO_PEOPLE]


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
        office.do(_HOUSE, Hire(name, post, kept), _key())
        if post is Post.PATRON:
            office.do(_HOUSE, BuyIn(name, DEMO_MONEY), _key())


def _key() -> str:
    return secrets.token_hex(8)
