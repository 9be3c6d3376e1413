"""Reading a Submission: everything wrong with the form of the file at once, each with its key."""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, get_args, get_origin

import msgspec

from pitboss.decoding import convert_value
from pitboss.errors import Mistake, hint
from pitboss.submission.model import Submission

PRESETS: Final = Path(__file__).parent / "presets"
DEMONSTRATION: Final = {
    "caribbean-stud": "caribbean-stud-standard",
    "four-card-prime": "four-card-prime-as-published",
    "cajun-stud": "cajun-stud-rack-card",
}
"""The preset of each game that a newcomer is dealt: by the demonstration house and by `pitboss play`."""


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
    try:
        file = Path(name)
        if name in presets() and not file.is_file():
            file = PRESETS / f"{name}.toml"
        return file.read_text("utf-8-sig")
    except FileNotFoundError:
        raise Mistake(f"There is no file or preset “{name}”; presets are {', '.join(presets())}.") from None
    except UnicodeDecodeError:
        raise Mistake(f"“{name}” cannot be read: it is not UTF-8 text.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "that is no name of a file"
        raise Mistake(f"“{name}” cannot be read: {reason}.") from None


def parse(text: str, name: str) -> tuple[Submission | None, list[Problem]]:
    """Read a Submission and what is wrong with its form; no Submission where a part that it needs is wrong."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistake(f"“{name}” is not TOML: {error}.") from None
    except (RecursionError, ValueError):
        raise Mistake(f"“{name}” holds what no Submission would: numbers too long, or tables too deep.") from None
    problems: list[Problem] = []
    made: Submission | None = _struct(data, Submission, "", problems)
    return made, problems


def _struct(data: Mapping[str, Any], to: type[Any], where: str, problems: list[Problem]) -> Any:  # noqa: ANN401 (a struct of the given type)
    """Make a struct, one field after the other, noting what is wrong; None where a required field is."""
    fields = {field.name: field for field in msgspec.structs.fields(to)}
    problems += [
        Problem(_at(where, key), f"There is no key “{key}” here; {hint(key, fields)}")
        for key in data
        if key not in fields
    ]
    values, whole = {}, True
    for name, field in fields.items():
        value = _value(data[name], field.type, _at(where, name), problems) if name in data else None
        if value is not None:
            values[name] = value
            continue
        if field.required and name not in data:
            problems.append(Problem(_at(where, name), "It is missing."))
        whole = whole and not field.required
    return to(**values) if whole else None


def _value(value: object, to: Any, where: str, problems: list[Problem]) -> object:  # noqa: ANN401 (a type)
    """Return what a key holds, or None with a note of what is wrong."""
    nested = isinstance(to, type) and issubclass(to, msgspec.Struct)
    if nested or get_origin(to) is Mapping:
        if not isinstance(value, dict):
            problems.append(Problem(where, f"A table [{where}] is expected, not {value!r}."))
            return None
        if nested:
            return _struct(value, to, where, problems)
        read = {key: _value(entry, get_args(to)[1], _at(where, key), problems) for key, entry in value.items()}
        return {key: entry for key, entry in read.items() if entry is not None}
    try:
        return convert_value(value, to, lambda special, found: special.read(found))
    except msgspec.ValidationError as error:
        problems.append(Problem(where, _in_words(error, value, to)))
        return None


_EXPECTED: Final = {
    "int": "a whole number",
    "str": "text in quotes",
    "date": "a date such as 2026-01-15",
    "array": "a list in brackets",
    "object": "a table",
}
"""What msgspec calls a type, in words."""


def _in_words(error: msgspec.ValidationError, value: object, to: Any) -> str:  # noqa: ANN401 (a type)
    if isinstance(error.__cause__, Mistake):
        return str(error.__cause__)
    if isinstance(to, type) and issubclass(to, StrEnum):
        return f"“{value}” is none of what may stand here; {hint(str(value), to)}"
    expected = re.search("Expected `([a-z]+)", str(error))
    wanted = "date" if "date" in str(error) else expected[1] if expected else ""
    return f"“{value}” is not {_EXPECTED.get(wanted, 'what belongs here')}."


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
