"""What a game's sign says beside its odds: how to play, and a picture of each hand."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pitboss.cards import Card, hand
from pitboss.errors import Mistake
from pitboss.rulebook.readings import Choice
from pitboss.rulebook.toml import DataMistake, convert, read


class PlayLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of how the game is played."""

    line: str
    offers: str = ""
    """The wager that must be offered for the line to be said."""
    when: Choice = msgspec.field(default_factory=dict)


class RowName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a row is called on the sign under a reading that changes what it means."""

    table: str
    row: str
    says: str
    when: Choice


class Wording(msgspec.Struct, frozen=True):
    """The words and pictures of one game's sign."""

    play: tuple[PlayLine, ...] = ()
    pictures: Mapping[str, Mapping[str, tuple[Card, ...]]] = {}
    """By paytable and row, cards that make the hand."""
    names: tuple[RowName, ...] = ()


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    play: tuple[PlayLine, ...]
    pictures: dict[str, dict[str, str]]
    names: tuple[RowName, ...] = ()


def load_wording(folder: Path) -> Wording:
    """Read `sign.toml` of one game's folder, if it has one."""
    file = folder / "sign.toml"
    if not file.exists():
        return Wording()
    entry = convert(read(file), _Entry, file, "")
    pictures: dict[str, dict[str, tuple[Card, ...]]] = {}
    for table, rows in entry.pictures.items():
        pictures[table] = {}
        for row, cards in rows.items():
            try:
                pictures[table][row] = hand(cards)
            except Mistake as error:
                raise DataMistake(file, f"pictures.{table}, {row}", str(error)) from None
    return Wording(entry.play, pictures, entry.names)
