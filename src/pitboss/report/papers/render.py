"""Render a paper: a Typst template in this folder, filled with the paper's data."""

import json
from pathlib import Path
from typing import Final, Literal

import msgspec

from pitboss.disclaimer import DISCLAIMER

_HERE: Final = Path(__file__).parent

Template = Literal["form", "layout", "slip", "training"]
"""The templates of whole papers. They share `sheet.typ`, which is not rendered itself."""


def render_pdf(template: Template, paper: msgspec.Struct) -> bytes:
    """Return a paper as a reproducible PDF."""
    import typst  # noqa: PLC0415 (slow to load)

    document = typst.compile(
        _HERE / f"{template}.typ",
        root=_HERE,
        format="pdf",
        ignore_system_fonts=True,  # the page looks the same on every machine
        sys_inputs={"paper": json.dumps(msgspec.to_builtins(paper, enc_hook=str)), "disclaimer": DISCLAIMER},
    )
    assert isinstance(document, bytes)
    return document
