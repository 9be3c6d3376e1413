"""Opening the house: migrate the database, open the configured tables, and add demonstration accounts to a new one."""

import fcntl
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.config import Config
from pitboss.house.desk.desk import Desk
from pitboss.house.hold.backfill import backfill_totals
from pitboss.house.live_table import Settings, submission_of
from pitboss.house.office.acts import BuyIn, Hire, OpenTable
from pitboss.house.office.approvals import require_approvals
from pitboss.house.office.money_kind import MONEY_KIND_NOTE, PLAY, REAL, read_money_kind
from pitboss.house.office.office import HOUSE_PERSON, Office, begin_house_log
from pitboss.house.office.people import Post, hash_password, password_matches, require_name
from pitboss.house.storage.connections import Connection, DatabaseFailure
from pitboss.house.storage.logs import HOUSE, log_names
from pitboss.house.storage.migrations import has_house, migrate, require_known_schema
from pitboss.house.storage.opening import open_database
from pitboss.house.storage.people import active_passwords, has_people
from pitboss.house.storage.tables import open_table_headers, open_tables, table_headers
from pitboss.house.zone import local_time
from pitboss.record.chain import decode_header
from pitboss.submission import DEMONSTRATION, load, text_of
from pitboss.submission.approvals import missing_approvals

DATABASE: Final = "house.db"
DEMO_PASSWORD: Final = "play-money"  # noqa: S105 (public: for the demonstration)
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
DEMO_MONEY: Final = 10_000_00
"""Play money of each demonstration patron, in cents."""


def connect(config: Config) -> Connection:
    """Connect to the house's database for writing."""
    return open_database(config.database, data_folder(config) / DATABASE)


def connect_to_read(config: Config) -> Connection:
    """Connect to the house's database for reading."""
    return open_database(config.database, Path(config.data) / DATABASE, read_only=True)


def data_folder(config: Config) -> Path:
    """Return the data folder, created if missing; only its owner may read it, since it holds hidden cards."""
    folder = Path(config.data)
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"The data folder {folder} cannot be created: {error.strerror}.") from None
    return folder


def lock_folder(config: Config) -> IO[bytes]:
    """Lock a SQLite data folder against other servers until the returned file is closed."""
    file = data_folder(config) / "house.lock"
    try:
        opened_file = file.open("wb")
    except OSError as error:
        raise Mistake(f"The data folder {file.parent} is not writable: {error.strerror}.") from None
    try:
        fcntl.flock(opened_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        opened_file.close()
        raise Mistake(f"Another server uses {file.parent}. Use PostgreSQL to run several servers.") from None
    return opened_file


@contextmanager
def report_database_errors() -> Iterator[None]:
    """Turn database and decoding errors into a Mistake."""
    try:
        yield
    except (DatabaseFailure, msgspec.DecodeError) as error:
        raise Mistake(f"The database of the house cannot be used: {error}.") from None


@contextmanager
def existing_house(config: Config) -> Iterator[Connection | None]:
    """Open an existing house read-only, or yield None; reject a database of another program or a newer version."""
    try:
        is_there = bool(config.database) or (Path(config.data) / DATABASE).exists()
    except OSError as error:
        raise Mistake(f"The data folder {config.data} cannot be read: {error.strerror}.") from None
    db = connect_to_read(config) if is_there else None
    try:
        there = bool(db and has_house(db))
        if db and there:
            require_known_schema(db)
        yield db if there else None
    finally:
        if db:
            db.close()


def connect_or_create(config: Config) -> Connection:
    """Connect to the house and migrate its database; create it if missing."""
    with existing_house(config):
        db = connect(config)
    prepare_database(db)
    return db


def prepare_database(db: Connection) -> None:
    """Migrate the database and create the house's log."""
    with db.house_lock():
        migrate(db)
        with db.transaction():
            begin_house_log(db)
        backfill_totals(db)


def require_openable(config: Config, *, outside: bool) -> None:
    """Reject settings that this house cannot be opened with, before anything is written."""
    wanted = configured_submissions(config)
    with existing_house(config) as db:
        demonstrates = bool(db and demo_people(db)) or _needs_demo_people(db, config)
        if demonstrates and (outside or not config.play_money):
            raise Mistake(
                "The demonstration accounts have a known password: use them only on this machine and for play money."
            )
        if db:
            _require_same_house(db, config, wanted)
        if not config.play_money:
            tables = log_names(db) if db else set()
            today = local_time(time.time(), config.timezone).date()
            for name, text in wanted:
                if name not in tables:  # a table that is already open needs no new approval
                    require_approvals(db, name, text, today)


def open_house(db: Connection, config: Config, office: Office, *, seeded: bool = False) -> list[str]:
    """Migrate the database, open the configured tables, and return all open tables."""
    wanted = configured_submissions(config)
    prepare_database(db)
    with db.house_lock():
        _require_same_house(db, config, wanted)
        if not read_money_kind(db):
            office.note(MONEY_KIND_NOTE, after=_money(config))
        if _needs_demo_people(db, config):
            _hire_demo_people(office)
        tables = log_names(db)
        for name, submission in wanted:
            if name not in tables:
                settings = Settings(
                    betting=config.betting, pause=config.pause, rest=config.rest, decision=config.decision
                )
                done = office.do(HOUSE_PERSON, OpenTable(name, submission, settings), _key())
                if not done.accepted:
                    raise Mistake(f"The table {name} cannot be opened: {done.why}")
        office.note("the server started", after="its cards are seeded" if seeded else "")
        serving = open_tables(db)
        if taken := Desk(db).take_over(serving):
            office.note("other rules or another engine decide from now on", after=", ".join(taken))
    return serving


def _money(config: Config) -> str:
    return PLAY if config.play_money else REAL


def _require_same_house(db: Connection, config: Config, wanted: Sequence[tuple[str, str]]) -> None:
    """Reject another kind of money, and another Submission for an existing table."""
    if (kind := read_money_kind(db)) not in {"", _money(config)}:
        raise Mistake(f"This house was opened for {kind}. Use another data folder or database for {_money(config)}.")
    kept = table_headers(db)
    for name, text in wanted if config.tables else ():
        if name in kept and decode_header(kept[name]).submission != text:
            raise Mistake(
                f"The table {name} was opened with another Submission than {name}.toml, and cannot change it."
                " Save the new one under another file name, and close the old table."
            )


def _needs_demo_people(db: Connection | None, config: Config) -> bool:
    """Whether the demonstration accounts are added when the house opens."""
    is_new = db is None or not has_people(db)
    return config.demo and config.play_money and is_new


def demo_people(db: Connection) -> list[tuple[str, str]]:
    """Return active demonstration accounts that still have the known password."""
    people = active_passwords(db)
    return [(name, post) for name, post, kept in people if name in DEMO_PEOPLE and _is_demo_password(kept)]


def tables_lacking_approval(db: Connection) -> list[str]:
    """Return the open tables that lack an approval."""
    headers = open_table_headers(db).items()
    return [name for name, kept in headers if missing_approvals(submission_of(decode_header(kept).submission))]


@lru_cache(64)
def _is_demo_password(kept: str) -> bool:
    """Whether a hash is of the demonstration password; cached, since verification is slow."""
    return password_matches(DEMO_PASSWORD, kept)


def configured_submissions(config: Config) -> list[tuple[str, str]]:
    """Return the tables to serve with their Submissions, which are valid."""
    if not config.tables:
        return [(name, text_of(preset)) for name, preset in DEMONSTRATION.items()] if config.demo else []
    files = sorted(Path(config.tables).glob("*.toml"))
    if not files:
        raise Mistake(f"There is no Submission (*.toml) in {config.tables}.")
    for file in files:
        if file.stem == HOUSE:
            raise Mistake(f"The name “{HOUSE}” is reserved for the house. Rename {file}.")
        try:
            require_name(file.stem)
            load(str(file))
        except Mistake as mistake:
            raise Mistake(f"The table {file.stem} cannot be opened: {mistake}") from None
    return [(file.stem, text_of(str(file))) for file in files]


def _hire_demo_people(office: Office) -> None:
    kept = hash_password(DEMO_PASSWORD)
    for name, post in DEMO_PEOPLE.items():
        office.do(HOUSE_PERSON, Hire(name, post, kept), _key())
        if post is Post.PATRON:
            office.do(HOUSE_PERSON, BuyIn(name, DEMO_MONEY), _key())


def _key() -> str:
    return secrets.token_hex(8)
