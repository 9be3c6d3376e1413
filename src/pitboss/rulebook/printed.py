"""Tables as section .12 prints them: blocks of columns, one column for each paytable's letter."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.toml import DataMistake

SINGLE = "-"
"""The letter of a table that has none."""

T = TypeVar("T")


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tables printed side by side."""

    paytables: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """A label and a cell for each paytable."""


def columns(blocks: Sequence[Block], file: Path, key: str, cell: Callable[[str, str], T]) -> dict[str, dict[str, T]]:
    """Return each paytable's column, every cell read by `cell(label, text)`."""
    tables: dict[str, dict[str, T]] = {}
    for block in blocks:
        if twice := tables.keys() & set(block.paytables):
            raise DataMistake(file, key, f"Paytable {min(twice)} is there twice")
        block_tables: dict[str, dict[str, T]] = {letter: {} for letter in block.paytables}
        for row in block.rows:
            if len(row) != len(block.paytables) + 1:
                raise DataMistake(
                    file, f"{key}, {row[0] if row else ''}", f"expected a label and {len(block.paytables)} cells"
                )
            label, *texts = row
            for letter, text in zip(block.paytables, texts, strict=True):
                if label in block_tables[letter]:
                    raise DataMistake(file, f"{key}, {label}", "the row is there twice")
                block_tables[letter][label] = read_cell(file, f"{key}, {label}", cell, label, text)
        tables |= block_tables
    return tables


def read_cell(file: Path, key: str, cell: Callable[[str, str], T], label: str, text: str) -> T:
    """Read one cell, saying where it stands if it cannot be read."""
    try:
        return cell(label, text)
    except Mistake as error:
        raise DataMistake(file, key, str(error)) from None
