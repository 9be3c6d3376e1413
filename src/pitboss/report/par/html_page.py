"""Render a PAR sheet as one self-contained HTML page."""

from html import escape
from pathlib import Path
from typing import Final

from pitboss.disclaimer import DISCLAIMER
from pitboss.report.par.model import Par
from pitboss.report.par.plots import draw_plots
from pitboss.report.par.tables import Table, list_tables

_CSS: Final = Path(__file__).parent / "par.css"


def par_html(par: Par) -> str:
    """Return the page."""
    numbered = list(enumerate(list_tables(par), 1))
    drawn = "".join(
        f"<figure>{svg}<figcaption>Figure {place}. {escape(title)}</figcaption></figure>"
        for place, (title, svg) in enumerate(draw_plots(par).items(), 1)
    )
    rules = "".join(
        f"<h3>{escape(one.name)}</h3><ul>{''.join(f'<li>{escape(rule)}</li>' for rule in one.rules)}</ul>"
        for one in par.strategies
        if one.rules
    )
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>PAR sheet: {escape(par.title)}</title>
<style>:root {{ --accent: {escape(par.accent)} }}
{_CSS.read_text("utf-8")}</style>
<main>
<header><p class="kind">PAR sheet</p><h1>{escape(par.title)}</h1>
<p>{escape(par.property)}; {escape(par.submission)}; {escape(par.edition)}</p>
<p>{escape(" ".join(filter(None, (par.proposal, f"{par.unusual}."))))}</p></header>
{"".join(_table(place, table) for place, table in numbered)}
<section class="rules"><h2>Strategy</h2>{rules}</section>
<section class="figures">{drawn}</section>
<footer>{escape(par.software)}; rule data {par.rules}; engine {par.engine}<br>{escape(DISCLAIMER)}</footer>
</main>
</html>
"""


def _table(place: int, table: Table) -> str:
    def cells(kind: str, row: tuple[str, ...]) -> str:
        classes = ["" if column < table.words else " class=n" for column in range(len(row))]
        return "".join(f"<{kind}{of}>{escape(cell)}</{kind}>" for of, cell in zip(classes, row, strict=True))

    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<section><h2>Table {place}. {escape(table.title)}</h2><div class="wide"><table><thead><tr>'
        f"{cells('th', table.heads)}</tr></thead><tbody>"
        + "".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
        + f"</tbody></table></div>{note}</section>\n"
    )
