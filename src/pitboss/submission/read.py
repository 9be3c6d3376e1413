"""Reading a Submission: everything wrong with the form of the file at once, each with its key."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, get_args, get_origin

import msgspec

from pitboss.errors import Mistake
from pitboss.submission.model import Submission

PRESETS: Final = Path(__file__).parent / "presets"


class Problem(msgspec.Struct, frozen=True):
    """Something that keeps a Submission from being used."""

    where: str
    problem: str
    """A sentence."""
    cite: str = ""
    """The clause it offends; empty where only the form of the file is wrong."""


def presets() -> list[str]:
    """Return the names of the Submissions that come with Pitboss."""
    return sorted(file.stem for file in PRESETS.glob("*.toml"))


def text_of(name: str) -> str:
    """Return the text of a Submission: a preset by its name, or a file."""
    file = PRESETS / f"{name}.toml" if name in presets() else Path(name)
    try:
        return file.read_text("utf-8-sig")
    except FileNotFoundError:
        known = presets()
        near = get_close_matches(name, known, 1) or known
        raise Mistake(f"There is no file or preset “{name}”; presets are {', '.join(near)}.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Mistake(f"“{name}” cannot be read: {reason}.") from None


def parse(text: str, name: str) -> tuple[Submission | None, list[Problem]]:
    """Read a Submission; without one where the list of problems is not empty."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistake(f"“{name}” is not TOML: {error}.") from None
    problems: list[Problem] = []
    made = _struct(data, Submission, "", problems)
    return (None if problems else made), problems


def _struct(data: Mapping[str, Any], to: type[Any], where: str, problems: list[Problem]) -> Any:  # noqa: ANN401 (a struct of the given type)
    """Make a struct, one field after the other, noting what is wrong with each."""
    fields = {field.name: field for field in msgspec.structs.fields(to)}
    for key in data:
        if key not in fields:
            near = get_close_matches(key, fields, 1)
            hint = f"; did you mean “{near[0]}”?" if near else f"; there are {', '.join(fields)}."
            problems.append(Problem(_at(where, key), f"There is no key “{key}” here{hint}"))
    values = {}
    for name, field in fields.items():
        if name in data:
            values[name] = _value(data[name], field.type, _at(where, name), problems)
        elif field.required:
            problems.append(Problem(_at(where, name), "It is missing."))
    return None if problems else to(**values)


def _value(value: object, to: Any, where: str, problems: list[Problem]) -> object:  # noqa: ANN401 (a type)
    nested = isinstance(to, type) and issubclass(to, msgspec.Struct)
    if nested or get_origin(to) is Mapping:
        if not isinstance(value, dict):
            problems.append(Problem(where, f"A table [{where}] is expected, not {value!r}."))
            return None
        if nested:
            return _struct(value, to, where, problems)
        return {key: _value(entry, get_args(to)[1], _at(where, key), problems) for key, entry in value.items()}
    try:
        return msgspec.convert(value, to, dec_hook=lambda special, found: special.read(found))
    except msgspec.ValidationError as error:
        problems.append(Problem(where, _in_words(error, value, to)))
        return None


def _in_words(error: msgspec.ValidationError, value: object, to: Any) -> str:  # noqa: ANN401 (a type)
    if isinstance(error.__cause__, Mistake):
        return str(error.__cause__)
    if isinstance(to, type) and issubclass(to, StrEnum):
        near = get_close_matches(str(value), list(to), 1)
        return f"“{value}” is none of {', '.join(to)}" + (f"; did you mean “{near[0]}”?" if near else ".")
    problem = str(error).partition(" - at ")[0]
    return f"{value!r} is not what belongs here: {problem[0].lower()}{problem[1:]}."


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
