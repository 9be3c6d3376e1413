"""A strategy chart to print as a PDF: the best decisions, and simple rules with their costs."""

import json
from pathlib import Path
from typing import Any, Final

from pitboss import __version__
from pitboss.disclaimer import DISCLAIMER
from pitboss.errors import Mistake
from pitboss.report.math_views import ChartView, Mathematics, RequiredView

_HERE: Final = Path(__file__).parent


def chart_pdf(of: Mathematics, paytable: str | None = None) -> bytes:
    """Return the charts of the required wagers, one page per paytable; or of one paytable."""
    import typst  # noqa: PLC0415 (slow to load)

    chosen = [one for one in of.required if paytable in (None, one.paytable)]
    if not chosen:
        letters = ", ".join(one.paytable for one in of.required if one.paytable)
        there = f"there are {letters}" if letters else "there is only one, without a letter"
        raise Mistake(f"There is no Paytable {paytable} for {of.required[0].title}; {there}.")
    data = {
        "title": of.title,
        "edition": of.edition,
        "accent": of.accent,
        "software": f"Pitboss {__version__}",
        "disclaimer": DISCLAIMER,
        "required": [_page(one) for one in chosen],
    }
    document = typst.compile(
        _HERE / "chart.typ",
        root=_HERE,
        format="pdf",
        ignore_system_fonts=True,  # the page looks the same on every machine
        sys_inputs={"chart": json.dumps(data)},
    )
    assert isinstance(document, bytes)
    return document


def _page(one: RequiredView) -> dict[str, Any]:
    return {
        "of": f"{one.title}{f', Paytable {one.paytable}' if one.paytable else ''}",
        "chart": {
            "title": one.chart.title,
            "row_name": one.chart.row_name,
            "column_name": one.chart.column_name,
            "rows": one.chart.rows,
            "columns": one.chart.columns,
            "cells": _cells(one.chart),
        },
        "strategies": [
            {"name": it.name, "rules": it.rules, "cost": it.cost.text, "edge": it.house_edge.text}
            for it in one.strategies
        ],
    }


def _cells(chart: ChartView) -> list[list[dict[str, Any] | None]]:
    most = max((cell.number for row in chart.cells for cell in row if cell), default=1) or 1
    return [
        [
            None
            if cell is None
            else {"share": cell.number / most, "words": f"{cell.number:.3g}" if cell.number else "F"}
            for cell in row
        ]
        for row in chart.cells
    ]
