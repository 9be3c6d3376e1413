"""Progressive meters: seeds, rates of progression, and the Envy Bonus that comes with some."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.printed_tables import Block, columns
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml


class Amount(msgspec.Struct, frozen=True):
    """“$10,000 for 1”, so much for every dollar of the wager offered; or plainly “$0”."""

    dollars: int
    for_one: bool

    def __str__(self) -> str:
        return f"${self.dollars}" + (" for 1" if self.for_one else "")


class Percent(msgspec.Struct, frozen=True):
    """“53%” of each wager."""

    of_wager: int

    def __str__(self) -> str:
        return f"{self.of_wager}%"


class Meter(msgspec.Struct, frozen=True):
    """How one meter moves; None is what the table prints as N/A."""

    seed: Amount | None = None
    reseed: Amount | None = None
    primary: Percent | None = None
    """Part of each wager that goes on the meter in view."""
    reserve: Percent | None = None
    """Part that is set aside."""


class EnvyAmendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paytables it comes with under another reading."""

    when: Choice
    paytables: tuple[str, ...]


class Envy(msgspec.Struct, frozen=True):
    """The fixed sums of the Envy Bonus."""

    cite: Cite
    paytables: tuple[str, ...]
    """The Progressive paytables it comes with."""
    pays: Mapping[str, Mapping[str, Amount]]
    """By the Progressive wager of who receives it, then by the hand another player holds."""
    amendments: tuple[EnvyAmendment, ...] = ()

    def under(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the paytables it comes with when each reading has the given option."""
        read = [change.paytables for change in self.amendments if meets_condition(change.when, options)]
        return read[-1] if read else self.paytables


class LinkBan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Paytables that linked games may not share a jackpot on."""

    paytables: tuple[str, ...]
    cite: Cite


class ValidationRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From how many for 1 on a floorperson validates a pay; every share of a meter in any case."""

    pays: int
    cite: Cite
    when: Choice = msgspec.field(default_factory=dict)


class Meters(msgspec.Struct, frozen=True):
    """The meters of one wager, for each of its paytables."""

    wager: str
    cite: Cite
    paytables: Mapping[str, Mapping[str, Meter]]
    envy: Envy | None = None
    not_linked: LinkBan | None = None
    validated: tuple[ValidationRule, ...] = ()


class _EnvyEntry(msgspec.Struct, forbid_unknown_fields=True):
    cite: Cite
    paytables: tuple[str, ...]
    printed: tuple[Block, ...]
    amendments: tuple[EnvyAmendment, ...] = ()


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    cite: Cite
    printed: tuple[Block, ...]
    envy: _EnvyEntry | None = None
    not_linked: LinkBan | None = None
    validated: tuple[ValidationRule, ...] = ()


def load_meters(folder: Path) -> dict[str, Meters]:
    """Read `meters.toml` of one game's folder, if it has meters."""
    file = folder / "meters.toml"
    return {wager: _meters(file, wager, data) for wager, data in read_toml(file).items()} if file.exists() else {}


def _meters(file: Path, wager: str, data: object) -> Meters:
    entry = convert(data, _Entry, file, wager)
    tables = columns(entry.printed, file, wager, _field)
    paytables = {letter: _by_meter(column) for letter, column in tables.items()}
    envy = None
    if entry.envy:
        pays = columns(entry.envy.printed, file, f"{wager}.envy", lambda _, text: parse_amount(text))
        envy = Envy(entry.envy.cite, entry.envy.paytables, pays, entry.envy.amendments)
    return Meters(wager, entry.cite, paytables, envy, entry.not_linked, entry.validated)


def _by_meter(column: Mapping[str, Amount | Percent | None]) -> dict[str, Meter]:
    """Gather the rows `main seed`, `main primary`, … under the meter's name."""
    fields: dict[str, dict[str, Any]] = {}
    for label, value in column.items():
        meter, _, field = label.rpartition(" ")
        fields.setdefault(meter, {})[field] = value
    return {meter: Meter(**values) for meter, values in fields.items()}


def _field(label: str, text: str) -> Amount | Percent | None:
    meter, _, field = label.rpartition(" ")
    if not meter or field not in Meter.__struct_fields__:
        raise Mistake(f"a row is a meter's name and one of {', '.join(Meter.__struct_fields__)}")
    if text.lower() == "n/a":
        return None
    return parse_amount(text) if field in ("seed", "reseed") else parse_percent(text)


def parse_amount(text: str) -> Amount:
    """Read “$10,000 for 1” or “$0”."""
    if form := re.fullmatch(r"\$(\d+)( for 1)?", text.replace(",", "")):
        return Amount(int(form[1]), bool(form[2]))
    raise Mistake(f"“{text}” is not an amount such as “$10,000 for 1” or “$0”")


def parse_percent(text: str) -> Percent:
    """Read “53%”."""
    if (form := re.fullmatch(r"(\d{1,2})%", text)) and int(form[1]):
        return Percent(int(form[1]))
    raise Mistake(f"“{text}” is not a rate such as “53%”")
