"""Sections of other chapters that ours refer to: the citing clauses, our assumptions, and unmet duties.

>>> outside_sections()["465a.2"].cited_by
{'639a.11(c)(6)(ii)': '465a.2'}
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.loader import DATA, rulebook
from pitboss.rulebook.toml import DataMistake, convert, read_toml, require_table

_FILE: Final = DATA / "outside.toml"


class OutsideSection(msgspec.Struct, frozen=True, kw_only=True):
    """One section of another chapter."""

    id: str
    title: str
    cited_by: Mapping[str, str]
    """Our clauses that cite it, each with the citation as printed."""
    cites: tuple[str, ...]
    """Our sections that its text cites."""
    assumed: str
    unmet: str


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    assumed: str
    unmet: str
    cited_by: dict[str, str] = {}
    cites: tuple[str, ...] = ()


@cache
def outside_sections() -> Mapping[str, OutsideSection]:
    """Return the outside sections by number."""
    return load_outside(_FILE)


def load_outside(file: Path) -> dict[str, OutsideSection]:
    """Load `outside.toml`; raise `DataMistake` if a clause of ours does not exist."""
    sections = {}
    for name, data in read_toml(file).items():
        entry = convert(require_table(data, file, name), _Entry, file, name)
        if not entry.cited_by and not entry.cites:
            raise DataMistake(file, name, "no clause cites it, and it cites none")
        for clause, citation in entry.cited_by.items():
            if not citation.startswith(name):
                raise DataMistake(file, f"{name}, {clause}", f"“{citation}” is not a citation of {name}")
        for clause in (*entry.cited_by, *entry.cites):
            try:
                rulebook().cite(clause)
            except Mistake as error:
                raise DataMistake(file, name, str(error)) from None
        sections[name] = OutsideSection(id=name, **msgspec.structs.asdict(entry))
    return sections
