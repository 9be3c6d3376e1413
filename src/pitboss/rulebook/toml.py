"""Read TOML data files; errors are one sentence with file and key."""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pitboss.decoding import convert_value
from pitboss.errors import Mistake
from pitboss.rulebook.citation import Cite

T = TypeVar("T")


class DataMistake(Mistake):
    """An error in a data file; the message names file and key."""

    def __init__(self, file: Path, key: str, problem: str) -> None:
        """Build a message such as “cajun-stud/rankings.toml, lo-ball: it has no hands”."""
        where = "/".join(file.parts[-2:]) if file.parent.name != "clauses" else "/".join(file.parts[-3:])
        end = "" if problem.endswith(("?", ".")) else "."
        super().__init__(f"{where}{f', {key}' if key else ''}: {problem}{end}")


def read_toml(file: Path) -> dict[str, Any]:
    """Read one TOML file."""
    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise DataMistake(file, "", "the file is missing") from None
    except OSError as error:
        raise DataMistake(file, "", f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DataMistake(file, "", "it is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise DataMistake(file, "", f"it is not TOML: {error}") from None


def convert(value: object, to: type[T], file: Path, key: str) -> T:
    """Convert the value of a key to this type; raise `DataMistake` if it is invalid."""
    try:
        return convert_value(value, to, _special)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        inner = path.rstrip("`").lstrip(".")
        raise DataMistake(file, ".".join(filter(None, (key, inner))), _in_words(problem, to)) from None


def _special(to: type[Any], value: object) -> object:
    """Convert types that msgspec does not know."""
    if to is Cite and isinstance(value, str):
        return Cite(value)
    raise ValueError(f"Expected `str`, got `{type(value).__name__}`")


def require_table(value: object, file: Path, key: str) -> dict[str, Any]:
    """Return the value; raise `DataMistake` unless it is a table."""
    if not isinstance(value, dict):
        raise DataMistake(file, key, f"expected a table, got {value!r}")
    return value


def _in_words(problem: str, to: type[Any]) -> str:
    prefix = "Object contains unknown field `"
    if not problem.startswith(prefix):
        return problem[0].lower() + problem[1:].replace("`object`", "a table").replace("`array`", "an array")
    stray = problem.removeprefix(prefix).rstrip("`")
    fields = getattr(to, "__struct_fields__", ())
    near = get_close_matches(stray, fields, 1)
    return f"there is no key “{stray}” here" + (f"; did you mean “{near[0]}”?" if near else "")
