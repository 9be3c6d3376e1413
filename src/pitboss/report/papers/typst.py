"""Render a paper from a Typst template of this folder and its data."""

import json
from pathlib import Path
from typing import Final, Literal

import msgspec

from pitboss.disclaimer import DISCLAIMER

_HERE: Final = Path(__file__).parent

Template = Literal["form", "layout", "slip", "training"]


def pdf_of(template: Template, paper: msgspec.Struct) -> bytes:
    """Return a paper as a reproducible PDF."""
    (pdf,) = _compile(template, paper, "pdf", 72)
    return pdf


def pictures_of(template: Template, paper: msgspec.Struct, ppi: int = 96) -> list[bytes]:
    """Return its pages as PNG pictures."""
    return _compile(template, paper, "png", ppi)


def _compile(template: Template, paper: msgspec.Struct, kind: Literal["pdf", "png"], ppi: int) -> list[bytes]:
    import typst  # noqa: PLC0415 (slow to load)

    document = typst.compile(
        _HERE / f"{template}.typ",
        root=_HERE,
        format=kind,
        ppi=ppi,
        ignore_system_fonts=True,  # the page looks the same on every machine
        sys_inputs={"paper": json.dumps(msgspec.to_builtins(paper, enc_hook=str)), "disclaimer": DISCLAIMER},
    )
    return [document] if isinstance(document, bytes) else document
