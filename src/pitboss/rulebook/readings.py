"""Readings: the options where the text of a chapter can be understood in more than one way."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.toml import DataMistake, convert, read_toml, require_table

Choice = Mapping[str, str]
"""Options by reading: `{"five-card-wheel": "yes"}`."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One question that the text leaves open, and its possible answers."""

    id: str
    clauses: tuple[Cite, ...]
    question: str
    options: Mapping[str, str]
    """The meaning of each option, by id; the first is the default."""
    evidence: str
    needs: Mapping[str, Choice] = {}
    """By option: the options of other readings that it needs."""
    worth: Mapping[str, str] = {}
    """By option other than the default: its effect in money, in a sentence."""
    shown_by: str = ""
    """The test that shows the reading, if it has only one option."""

    @property
    def default(self) -> str:
        """The option that applies unless another is chosen."""
        return next(iter(self.options))


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    clauses: tuple[Cite, ...]
    question: str
    options: dict[str, str]
    evidence: str
    needs: dict[str, dict[str, str]] = {}
    worth: dict[str, str] = {}
    shown_by: str = ""


def load_readings(file: Path) -> dict[str, Reading]:
    """Load `readings.toml`."""
    readings = {}
    for name, data in read_toml(file).items():
        entry = convert(require_table(data, file, name), _Entry, file, name)
        if not entry.options:
            raise DataMistake(file, name, "it has no options")
        if not entry.clauses:
            raise DataMistake(file, name, "it cites no clause")
        if stray := entry.worth.keys() - entry.options.keys():
            raise DataMistake(file, f"{name}.worth", f"it has no option “{min(stray)}”")
        readings[name] = Reading(id=name, **msgspec.structs.asdict(entry))
    return readings


def find_reading(readings: Mapping[str, Reading], name: str) -> Reading:
    """Return the reading with this id; raise `Mistake` if it is unknown."""
    if name not in readings:
        near = get_close_matches(name, readings, 1)
        raise Mistake(f"There is no reading “{name}”" + (f"; did you mean “{near[0]}”?" if near else "."))
    return readings[name]


def complete_options(readings: Mapping[str, Reading], choice: Choice) -> dict[str, str]:
    """Return an option for every reading: the chosen one, else the default."""
    for name, option in choice.items():
        options = find_reading(readings, name).options
        if option not in options:
            raise Mistake(f"The reading {name} has no option “{option}”; it has {', '.join(options)}.")
    return {name: choice.get(name, reading.default) for name, reading in readings.items()}


def meets_condition(when: Choice, options: Mapping[str, str]) -> bool:
    """Whether these options meet the condition."""
    return all(options[name] == option for name, option in when.items())
