"""Tables as section .12 prints them: blocks with one column per paytable letter."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.toml import DataMistake

T = TypeVar("T")


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tables printed side by side."""

    paytables: tuple[str, ...]
    """Their letters; “-” for a table without a letter."""
    rows: tuple[tuple[str, ...], ...]
    """Rows of a label and one cell per paytable."""


def columns(blocks: Sequence[Block], file: Path, key: str, cell: Callable[[str, str], T]) -> dict[str, dict[str, T]]:
    """Return each paytable's column; `cell(label, text)` parses every cell."""
    letters = [letter for block in blocks for letter in block.paytables]
    if twice := [letter for letter in letters if letters.count(letter) > 1]:
        raise DataMistake(file, key, f"Paytable {twice[0]} is listed twice")
    if not letters or not all(block.paytables and block.rows for block in blocks):
        raise DataMistake(file, key, "a printed table has at least one letter and one row")
    tables: dict[str, dict[str, T]] = {}
    for block in blocks:
        block_tables: dict[str, dict[str, T]] = {letter: {} for letter in block.paytables}
        for row in block.rows:
            if len(row) != len(block.paytables) + 1:
                where = ", ".join([key, *row[:1]])
                raise DataMistake(file, where, f"expected a label and {len(block.paytables)} cells")
            label, *texts = row
            for letter, text in zip(block.paytables, texts, strict=True):
                if label in block_tables[letter]:
                    raise DataMistake(file, f"{key}, {label}", "the row is listed twice")
                block_tables[letter][label] = read_cell(file, f"{key}, {label}", cell, label, text)
        tables |= block_tables
    return tables


def read_cell(file: Path, key: str, cell: Callable[[str, str], T], label: str, text: str) -> T:
    """Parse one cell; raise `DataMistake` with its location if it is invalid."""
    try:
        return cell(label, text)
    except Mistake as error:
        raise DataMistake(file, key, str(error)) from None
