"""Progressive meters: seeds, rates of progression, and the Envy Bonus of some paytables."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pitboss.errors import Mistake
from pitboss.money import DOLLAR
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.printed_tables import Block, columns
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml


class Amount(msgspec.Struct, frozen=True):
    """An amount per dollar of the wager, “$10,000 for 1”; or a plain “$0”."""

    dollars: int
    for_one: bool

    def cents(self, wager: int) -> int:
        """Return the amount for a wager in cents, in cents: per dollar of it if “for 1”, else fixed.

        >>> Amount(10_000, for_one=True).cents(5_00), Amount(1_000, for_one=False).cents(5_00)
        (5000000, 100000)
        """
        return self.dollars * (wager if self.for_one else DOLLAR)

    def __str__(self) -> str:
        return f"${self.dollars}" + (" for 1" if self.for_one else "")


class Percent(msgspec.Struct, frozen=True):
    """A share of each wager: “53%”."""

    of_wager: int

    def __str__(self) -> str:
        return f"{self.of_wager}%"


class Meter(msgspec.Struct, frozen=True):
    """The seed and rates of one meter; None where the chapter prints N/A."""

    seed: Amount | None = None
    reseed: Amount | None = None
    primary: Percent | None = None
    """The share of each wager that goes to the visible meter."""
    reserve: Percent | None = None
    """The share of each wager that goes to the reserve."""


class EnvyAmendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paytables with an Envy Bonus under another reading."""

    when: Choice
    paytables: tuple[str, ...]


class Envy(msgspec.Struct, frozen=True):
    """The Envy Bonus and its fixed sums."""

    cite: Cite
    paytables: tuple[str, ...]
    """The Progressive paytables that include it."""
    pays: Mapping[str, Mapping[str, Amount]]
    """By the receiver's Progressive wager, then by the other player's hand."""
    amendments: tuple[EnvyAmendment, ...] = ()

    def under(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the paytables that include it under these readings."""
        read = [change.paytables for change in self.amendments if meets_condition(change.when, options)]
        return read[-1] if read else self.paytables


class LinkBan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Paytables whose jackpot linked games may not share."""

    paytables: tuple[str, ...]
    cite: Cite


class ValidationRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pay for 1 from which a floorperson validates, besides every share of a meter."""

    pays: int
    cite: Cite
    when: Choice = msgspec.field(default_factory=dict)


class Meters(msgspec.Struct, frozen=True):
    """The meters of one wager, by paytable."""

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
    """Load `meters.toml` of one game's folder, if it exists."""
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
    """Group the rows `main seed`, `main primary`, … by the meter's name."""
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
    """Parse “$10,000 for 1” or “$0”."""
    if form := re.fullmatch(r"\$(\d+)( for 1)?", text.replace(",", "")):
        return Amount(int(form[1]), bool(form[2]))
    raise Mistake(f"“{text}” is not an amount such as “$10,000 for 1” or “$0”")


def parse_percent(text: str) -> Percent:
    """Parse “53%”."""
    if (form := re.fullmatch(r"(\d{1,2})%", text)) and int(form[1]):
        return Percent(int(form[1]))
    raise Mistake(f"“{text}” is not a rate such as “53%”")
