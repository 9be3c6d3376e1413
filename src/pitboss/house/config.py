"""How a house is run: a file, the environment, the command line, in this order; every setting has a default."""

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
    """Every setting of `pitboss serve`: in the file by its name, in the environment as `PITBOSS_` and its name."""

    data: str = "data"
    """The folder of the house: database, signing key."""
    database: str = ""
    """A postgresql:// URL; without it SQLite in the data folder."""
    host: str = "127.0.0.1"
    port: int = 8639
    tables: str = ""
    """A folder of Submissions to serve, one table each; without it the demonstration's three."""
    demo: bool = True
    """Whether a new house gets people and tables for demonstration."""
    play_money: bool = True
    """Whether patrons may buy in by themselves: never with real money."""
    origin: str = ""
    """Where browsers reach the house, if a proxy stands before it: https://house.example."""
    proxy: str = ""
    """The address of that proxy: who a request is from is taken from it, and from nobody else."""
    betting: int = 20
    """Seconds that bets are taken for after the first."""
    pause: int = 2
    """Seconds after the last wager before bets are closed where everybody has wagered: for a second box."""
    rest: int = 4
    """Seconds that a settled round lies on the table of an automatic dealer, for people to see it."""
    writers: int = 1
    """Connections of one process that write to PostgreSQL; a second helps only where the database is far away."""
    orders_per_second: float = 20
    """What one person may order, on average."""
    checkpoint_every: int = 300
    """Seconds between two signed checkpoints."""
    timezone: str = PENNSYLVANIA
    """Where the house is, by its IANA name: people read and write every time as the clocks there show it."""


_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "port": (1, 65_535),
    "betting": (0, 3600),
    "pause": (0, 3600),
    "rest": (0, 3600),
    "writers": (1, 64),
    "orders_per_second": (0.01, 1_000_000),
    "checkpoint_every": (1, 86_400),
}
"""From where to where a setting goes."""


def load_config(file: Path | None, environment: Mapping[str, str] = os.environ, **given: object) -> Config:
    """Return the settings of a file, the environment and the command line, the later before the earlier."""
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
        raise Mistake(f"The configuration is wrong: {error}.") from None
    for name, (least, most) in _BOUNDS.items():
        if not least <= (value := getattr(found, name)) <= most:
            raise Mistake(f"The setting “{name}” is from {least} to {most}, not {value}.")
    require_zone(found.timezone)
    return found
