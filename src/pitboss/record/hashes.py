"""Hashes that identify the rules and the engine of a record."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]
_ENGINE: Final = ("cards.py", "money.py", "ranking", "rulebook", "games", "submission", "progressive", "table")


@cache
def rules_hash() -> str:
    """Return a hash of all data files of the rulebook."""
    return _hash(sorted((_PACKAGE / "rulebook" / "data").rglob("*.toml")))


@cache
def engine_hash() -> str:
    """Return a hash of the code that decides."""
    parts = [_PACKAGE / name for name in _ENGINE]
    return _hash(sorted(file for part in parts for file in ([part] if part.is_file() else part.rglob("*.py"))))


def current_hashes() -> tuple[str, str]:
    """Return the hashes of the installed rules and engine."""
    return rules_hash(), engine_hash()


def _hash(files: list[Path]) -> str:
    digest = sha256()
    for file in files:
        digest.update(file.relative_to(_PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
