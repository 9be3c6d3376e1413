"""Hashes of the package's own files. They identify the rules and the code that made a record, a sheet or a result."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent
ENGINE: Final = ("cards.py", "money.py", "ranking", "rulebook", "games", "submission", "progressive", "table")
"""The code that decides a round."""


def current_hashes() -> tuple[str, str]:
    """Return the hashes of the installed rules and engine."""
    return rules_hash(), engine_hash()


def rules_hash() -> str:
    """Return a hash of all data files of the rulebook."""
    return _hash_files(("rulebook/data",), ("*.toml",))


def engine_hash() -> str:
    """Return a hash of the code that decides a round."""
    return code_hash(*ENGINE)


def code_hash(*parts: str) -> str:
    """Return a hash of the code in these files and folders of the package."""
    return _hash_files(parts, ("*.py",))


def source_hash(*parts: str) -> str:
    """Return a hash of the code and the data in these files and folders of the package."""
    return _hash_files(parts, ("*.py", "*.toml"))


@cache
def _hash_files(parts: tuple[str, ...], patterns: tuple[str, ...]) -> str:
    sources = [PACKAGE / part for part in parts]
    if missing := [part for part in sources if not part.exists()]:
        raise FileNotFoundError(missing[0])
    files = {part for part in sources if part.is_file()}
    files |= {file for part in sources if part.is_dir() for pattern in patterns for file in part.rglob(pattern)}
    digest = sha256()
    for file in sorted(files):
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
