"""Settings of a house, from a file, the environment and the command line; a later source overrides an earlier one."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from pitboss.decoding import convert_value
from pitboss.errors import Mistake, hint
from pitboss.house.zone import PENNSYLVANIA, require_zone


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting of `pitboss serve`; in the environment its name has the prefix `PITBOSS_`."""

    data: str = "data"
    """The data folder: database and signing key."""
    database: str = ""
    """A postgresql:// URL; the default is SQLite in the data folder."""
    host: str = "127.0.0.1"
    port: int = 8639
    tables: str = ""
    """A folder of Submissions, one table each; the default is the three demonstration tables."""
    demo: bool = True
    """Whether a new house gets demonstration accounts and tables."""
    play_money: bool = True
    """Whether the house is for play money; only then may patrons buy in by themselves."""
    origin: str = ""
    """The public URL of the house behind a proxy, such as https://house.example."""
    proxy: str = ""
    """The address of that proxy; only its forwarded client addresses are trusted."""
    betting: int = 20
    """Seconds to take bets after the first one."""
    pause: int = 2
    """Seconds to wait for a second box once everybody has wagered."""
    rest: int = 4
    """Seconds for which the automatic dealer shows the result of a round."""
    decision: int = 30
    """Seconds for a decision at an automatic table whose Submission names none; 0 for no limit."""
    writers: int = 1
    """Writing connections of one process to PostgreSQL; a second one helps only if the database is far away."""
    orders_per_second: float = 20
    """Upper bound of one person's orders, on average."""
    checkpoint_every: int = 300
    """Seconds between two signed checkpoints."""
    timezone: str = PENNSYLVANIA
    """The IANA time zone of the house; people read and enter all times in it."""


_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "port": (1, 65_535),
    "betting": (0, 3600),
    "pause": (0, 3600),
    "rest": (0, 3600),
    "decision": (0, 3600),
    "writers": (1, 64),
    "orders_per_second": (0.01, 1_000_000),
    "checkpoint_every": (1, 86_400),
}
"""The lowest and highest value of each setting."""


def load_config(file: Path | None, environment: Mapping[str, str] = os.environ, **given: object) -> Config:
    """Return settings from a file, the environment and the command line; a later source overrides an earlier one."""
    names = Config.__struct_fields__
    settings: dict[str, object] = {}
    if file:
        try:
            settings |= tomllib.loads(file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise Mistake(f"The configuration {file} cannot be read: {error}.") from None
    for name in names:
        if (value := environment.get(f"PITBOSS_{name.upper()}")) is not None:
            settings[name] = value
    settings |= {name: value for name, value in given.items() if value is not None}
    if unknown := [name for name in settings if name not in names]:
        raise Mistake(f"There is no setting “{unknown[0]}”; {hint(unknown[0], names)}")
    try:
        found = convert_value(settings, Config, strict=False)
    except msgspec.ValidationError as error:
        raise Mistake(f"The configuration is invalid: {error}.") from None
    for name, (least, most) in _BOUNDS.items():
        if not least <= (value := getattr(found, name)) <= most:
            raise Mistake(f"The setting “{name}” must be from {least} to {most}, not {value}.")
    require_zone(found.timezone)
    return found
