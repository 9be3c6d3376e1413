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
    """Return the PAR sheet as an HTML document."""
    numbered = list(enumerate(list_tables(par), 1))
    figures = "".join(
        f"<figure>{svg}<figcaption>Figure {number}. {escape(title)}</figcaption></figure>"
        for number, (title, svg) in enumerate(draw_plots(par).items(), 1)
    )
    strategy_rules = "".join(
        f"<h3>{escape(strategy.name)}</h3><ul>{''.join(f'<li>{escape(rule)}</li>' for rule in strategy.rules)}</ul>"
        for strategy in par.strategies
        if strategy.rules
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
<p>{escape(f"{par.proposal} {par.readings_note}.".lstrip())}</p></header>
{"".join(_table(number, table) for number, table in numbered)}
<section class="rules"><h2>Strategy</h2>{strategy_rules}</section>
<section class="figures">{figures}</section>
<footer>{escape(par.software)}; rule data {par.rules_hash}; engine {par.engine_hash}<br>{escape(DISCLAIMER)}</footer>
</main>
</html>
"""


def _table(number: int, table: Table) -> str:
    def cells(tag: str, row: tuple[str, ...]) -> str:
        attributes = ["" if column < table.text_columns else " class=n" for column in range(len(row))]
        return "".join(
            f"<{tag}{attribute}>{escape(cell)}</{tag}>" for attribute, cell in zip(attributes, row, strict=True)
        )

    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<section><h2>Table {number}. {escape(table.title)}</h2><div class="wide"><table><thead><tr>'
        f"{cells('th', table.heads)}</tr></thead><tbody>"
        + "".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
        + f"</tbody></table></div>{note}</section>\n"
    )
