"""The text of a game's sign besides its odds: how to play, and an example of each hand."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pitboss.cards import Card, hand
from pitboss.errors import Mistake
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.pay import parse_pay
from pitboss.rulebook.paytables import Table
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import DataMistake, convert, read_toml


class PlayLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of how the game is played."""

    line: str
    offers: str = ""
    """The wager that must be offered for the line to appear."""
    when: Choice = msgspec.field(default_factory=dict)
    pays: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Rows of that wager's paytable with the printed pays that they need for the line to appear."""

    def applies_to(self, tables: Mapping[str, Table], options: Mapping[str, str]) -> bool:
        """Whether the line is true with these paytables and readings."""
        if (self.offers and self.offers not in tables) or not meets_condition(self.when, options):
            return False
        return all(tables[self.offers].get(row) == parse_pay(cell) for row, cell in self.pays.items())


class RowName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another name of a row on the sign, under a reading that changes its meaning."""

    table: str
    row: str
    says: str
    when: Choice


class Wording(msgspec.Struct, frozen=True):
    """The text and example hands of one game's sign."""

    object: str = ""
    """The object of the game, in a sentence or two."""
    play: tuple[PlayLine, ...] = ()
    pictures: Mapping[str, Mapping[str, tuple[Card, ...]]] = {}
    """Example hands by paytable and row."""
    names: tuple[RowName, ...] = ()
    areas: Mapping[str, Cite] = {}
    """By offer: the clause that requires its area on the layout; `required` for the Ante and its raises,
    `layout` for the whole layout."""


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    object: str
    play: tuple[PlayLine, ...]
    pictures: dict[str, dict[str, str]]
    names: tuple[RowName, ...] = ()
    areas: dict[str, Cite] = {}


def load_wording(folder: Path) -> Wording:
    """Load `sign.toml` of one game's folder, if it exists."""
    file = folder / "sign.toml"
    if not file.exists():
        return Wording()
    entry = convert(read_toml(file), _Entry, file, "")
    pictures: dict[str, dict[str, tuple[Card, ...]]] = {}
    for table, rows in entry.pictures.items():
        pictures[table] = {}
        for row, cards in rows.items():
            try:
                pictures[table][row] = hand(cards)
            except Mistake as error:
                raise DataMistake(file, f"pictures.{table}, {row}", str(error)) from None
    return Wording(entry.object, entry.play, pictures, entry.names, entry.areas)
