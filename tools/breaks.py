"""Planted breaks of clauses: reads them from tests/mutants, plants them in a copy of the code, and restores it.

A break names its clause, a file, and either text that occurs there once or a key of a TOML file. `<chapter>` and
`<game>` stand for each of the three in turn, `<data>` for the folder of its law data. A lost anchor is an error.
"""

import json
import os
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

GAMES: Final = {"639a": "caribbean-stud", "682a": "four-card-prime", "683a": "cajun-stud"}
DATA: Final = "src/pitboss/rulebook/data"
FIELDS: Final = frozenset({"clause", "file", "find", "replace", "key", "set", "remove", "move", "chapters"})
_STAMPS: Final = count(2_000_000_000)
"""A unique time for each planted file, so that Python never uses a stale compiled module."""


class LostAnchor(Exception):
    """A break whose anchor is missing or occurs more than once."""


class Break(NamedTuple):
    """One planted break of one clause."""

    clause: str
    file: str
    find: str = ""
    replace: str = ""
    key: str = ""
    """Steps into a TOML file, separated by “/”: a name, a number, or `name=value` for the first item that has it."""
    to: Any = None
    """The new value of the key."""
    remove: bool = False
    move: int = 0
    """By how many places a list's item moves."""

    @property
    def id(self) -> str:
        """A hash of the whole break."""
        return sha256(json.dumps(self).encode()).hexdigest()[:16]

    @property
    def place(self) -> str:
        """The file and anchor, on one line."""
        anchor = self.key or " ".join(self.find.split())
        return f"{self.file.removeprefix('src/pitboss/')}: {anchor if len(anchor) <= 60 else anchor[:59] + '…'}"  # noqa: PLR2004 (letters)

    def planted(self, text: str) -> str:
        """Return a file's text with this break planted."""
        if self.key:
            return self._keyed(text)
        if (times := text.count(self.find)) != 1:
            raise LostAnchor(f"{self.clause}: {self.file} must contain this once, not {times} times: {self.find!r}")
        return text.replace(self.find, self.replace)

    def _keyed(self, text: str) -> str:
        data = tomllib.loads(text)
        *path, last = self.key.split("/")
        held: Any = data
        try:
            for step in path:
                held = held[_place(held, step)]
            place = _place(held, last)
            was = held[place] if isinstance(held, list) or place in held else None
        except (KeyError, IndexError, ValueError, TypeError):
            raise LostAnchor(f"{self.clause}: {self.file} has no key {self.key}") from None
        if self.remove or self.move:
            if was is None:
                raise LostAnchor(f"{self.clause}: {self.file} has no key {self.key}")
            del held[place]
        if self.move:
            held.insert(place + self.move, was)
        elif not self.remove:
            if was == self.to:
                raise LostAnchor(f"{self.clause}: {self.key} of {self.file} is {was!r} already")
            held[place] = self.to
        return "".join(f"{_inline(name)} = {_inline(value)}\n" for name, value in data.items())


def _place(held: Any, step: str) -> Any:  # noqa: ANN401 (a TOML value)
    """Return the key or index of one step; `name=value#2` is the second matching item."""
    if isinstance(held, dict):
        return step
    name, found, value = step.partition("=")
    if not found:
        return int(step)
    value, _, nth = value.partition("#")
    alike = [place for place, item in enumerate(held) if _has(item, name, value)]
    return alike[int(nth or 1) - 1]


def _has(item: Any, name: str, value: str) -> bool:  # noqa: ANN401 (a TOML value)
    return bool(item[int(name)] == value if isinstance(item, list) else item.get(name) == value)


def _inline(value: Any) -> str:  # noqa: ANN401 (a TOML value)
    """Return a TOML value on one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{_inline(name)} = {_inline(held)}" for name, held in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_inline, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def read_breaks(folder: Path) -> list[Break]:
    """Return every break, once for each of its clauses and chapters."""
    return [one for file in sorted(folder.glob("*.toml")) for one in _read(file)]


def _read(file: Path) -> Iterator[Break]:
    data = tomllib.loads(file.read_text("utf-8"))
    for entry in ({"file": data.get("file", ""), **one} for one in data["break"]):
        if unknown := entry.keys() - FIELDS:
            raise SystemExit(f"{file}: unknown field {', '.join(sorted(unknown))} in {entry}")
        clauses = entry["clause"] if isinstance(entry["clause"], list) else [entry["clause"]]
        for chapter, clause in ((name, text) for name in entry.get("chapters", GAMES) for text in clauses):
            fill = {"<chapter>": chapter, "<game>": GAMES[chapter], "<data>": f"{DATA}/{GAMES[chapter]}"}
            if clause.startswith(("<chapter>", chapter)):
                yield Break(
                    clause=_filled(clause, fill),
                    file=_filled(entry["file"], fill),
                    find=_filled(entry.get("find", ""), fill),
                    replace=_filled(entry.get("replace", ""), fill),
                    key=_filled(entry.get("key", ""), fill),
                    to=_filled(entry.get("set"), fill),
                    remove=entry.get("remove", False),
                    move=entry.get("move", 0),
                )


def _filled(value: Any, fill: dict[str, str]) -> Any:  # noqa: ANN401 (a TOML value)
    if not isinstance(value, str):
        return value
    for name, text in fill.items():
        value = value.replace(name, text)
    return value


def plant(one: Break, tree: Path) -> tuple[bytes, os.stat_result]:
    """Plant a break in a copy of the code; return what `restore` needs."""
    file = tree / one.file
    before = file.read_bytes(), file.stat()
    file.write_text(one.planted(before[0].decode()), "utf-8")
    stamp = next(_STAMPS)
    os.utime(file, (stamp, stamp))
    return before


def restore(one: Break, tree: Path, before: tuple[bytes, os.stat_result]) -> None:
    """Remove a break from a copy of the code."""
    file, (content, stat) = tree / one.file, before
    file.write_bytes(content)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
