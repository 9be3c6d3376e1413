"""Render a PAR sheet as a reproducible PDF."""

import json
from pathlib import Path
from typing import Final

import msgspec

from pitboss.disclaimer import DISCLAIMER
from pitboss.report.par.model import Par
from pitboss.report.par.plots import draw_plots
from pitboss.report.par.tables import list_tables

_HERE: Final = Path(__file__).parent
_TITLE_FIELDS: Final = (
    "title",
    "edition",
    "proposal",
    "accent",
    "property",
    "submission",
    "readings_note",
    "software",
    "rules_hash",
    "engine_hash",
)
"""The fields of `Par` in the title and the footer."""


def par_pdf(par: Par) -> bytes:
    """Return the PAR sheet as a PDF."""
    import typst  # noqa: PLC0415 (slow to load)

    data = {
        "title_block": {name: getattr(par, name) for name in _TITLE_FIELDS},
        "disclaimer": DISCLAIMER,
        "tables": [msgspec.to_builtins(table) for table in list_tables(par)],
        "strategies": [{"name": one.name, "sentences": one.rules} for one in par.strategies if one.rules],
        "plots": [{"title": title, "svg": svg} for title, svg in draw_plots(par).items()],
    }
    document = typst.compile(
        _HERE / "par.typ",
        root=_HERE,
        format="pdf",
        ignore_system_fonts=True,  # only the embedded fonts, so that the page is the same on every machine
        sys_inputs={"par": json.dumps(data)},
    )
    assert isinstance(document, bytes)
    return document
