"""Parse a Submission; report all errors in the form of the file at once, each with its key."""

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
"""Each game's preset for the demonstration house and `pitboss play`."""


class Problem(msgspec.Struct, frozen=True):
    """An error that makes a Submission invalid."""

    where: str
    problem: str
    """A sentence."""
    cite: str = ""
    """The violated clause; empty for errors in the form of the file."""


def presets() -> list[str]:
    """Return the names of the Submissions shipped with Pitboss."""
    return sorted(file.stem for file in PRESETS.glob("*.toml"))


def text_of(name: str) -> str:
    """Return the text of a file, or of the preset with this name."""
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
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid file name"
        raise Mistake(f"“{name}” cannot be read: {reason}.") from None


def parse(text: str, name: str) -> tuple[Submission | None, list[Problem]]:
    """Parse a Submission; return it, or None if a required part is invalid, and the problems of its form."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistake(f"“{name}” is not TOML: {error}.") from None
    except (RecursionError, ValueError):
        reason = "a number is too long, or tables are nested too deep"
        raise Mistake(f"“{name}” is not a valid Submission: {reason}.") from None
    problems: list[Problem] = []
    submission: Submission | None = _struct(data, Submission, "", problems)
    return submission, problems


def _struct(data: Mapping[str, Any], to: type[Any], where: str, problems: list[Problem]) -> Any:  # noqa: ANN401 (a struct of the given type)
    """Convert a table to a struct field by field, and collect problems; None if a required field is invalid."""
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
            problems.append(Problem(_at(where, name), "This key is missing."))
        whole = whole and not field.required
    return to(**values) if whole else None


def _value(value: object, to: Any, where: str, problems: list[Problem]) -> object:  # noqa: ANN401 (a type)
    """Convert the value of a key; return None and add a problem if it is invalid."""
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
"""msgspec's names of types, in words."""


def _in_words(error: msgspec.ValidationError, value: object, to: Any) -> str:  # noqa: ANN401 (a type)
    if isinstance(error.__cause__, Mistake):
        return str(error.__cause__)
    if isinstance(to, type) and issubclass(to, StrEnum):
        return f"“{value}” is not a valid value here; {hint(str(value), to)}"
    expected = re.search("Expected `([a-z]+)", str(error))
    wanted = "date" if "date" in str(error) else expected[1] if expected else ""
    return f"“{value}” is not {_EXPECTED.get(wanted, 'a valid value here')}."


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
