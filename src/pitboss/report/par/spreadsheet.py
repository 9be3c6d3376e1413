"""Write a PAR sheet as a reproducible XLSX workbook with live formulas over combinations and pays."""

import datetime as dt
import io
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pitboss.disclaimer import DISCLAIMER
from pitboss.exact.analysis import AnalysisRow
from pitboss.report.par.model import Par
from pitboss.report.par.tables import Table, list_tables, name_of

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

_FIRST: Final = 4
"""The index of the first row with an outcome."""
_FIXED_DATE: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)


def par_xlsx(par: Par) -> bytes:
    """Return the workbook."""
    import xlsxwriter  # noqa: PLC0415 (slow to load)

    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    book.set_properties({"title": f"PAR sheet: {par.title}", "author": par.software, "created": _FIXED_DATE})
    styles = {
        "head": book.add_format({"bold": True, "bottom": 1}),
        "title": book.add_format({"bold": True, "font_size": 16}),
        "count": book.add_format({"num_format": "#,##0"}),
        "share": book.add_format({"num_format": "0.0000000000"}),
        "percent": book.add_format({"num_format": "0.0000%"}),
        "pays": book.add_format({"num_format": "+#,##0.00;-#,##0.00;0"}),
    }
    summary = book.add_worksheet("Summary")
    sheets = [(row, _sheet_name(place, row)) for place, row in enumerate(par.rows, 1)]
    for row, name in sheets:
        _combinations(book.add_worksheet(name), row, styles)
    _summary(summary, par, sheets, styles)
    for table in list_tables(par):
        if table.title != "Summary" and not table.title.endswith(": combinations"):
            _words(book.add_worksheet(re.sub(r"[^A-Za-z ,-]", "", table.title)[:31].strip()), table, styles)
    book.close()
    return file.getvalue()


def _sheet_name(place: int, row: AnalysisRow) -> str:
    return f"{place} {row.wager}{f' {row.paytable}' if row.paytable else ''}"[:31]


def _combinations(sheet: "Worksheet", row: AnalysisRow, styles: dict[str, Any]) -> None:
    distribution = row.distribution
    sheet.write_string(0, 0, name_of(row), styles["title"])
    sheet.write_string(1, 0, "House edge")
    sheet.write_string(2, 0, "Average wager")
    last = _FIRST + len(distribution.outcomes)
    for column, head in enumerate(("outcome", "combinations", "probability", "pays", "wagered", "return")):
        sheet.write_string(_FIRST - 1, column, head, styles["head"])
    for place, outcome in enumerate(distribution.outcomes):
        line, number = _FIRST + place, _FIRST + place + 1
        chance, pays = Fraction(outcome.count, distribution.deals), Fraction(outcome.net, distribution.stake)
        sheet.write_string(line, 0, outcome.name)
        sheet.write_number(line, 1, outcome.count, styles["count"])
        sheet.write_formula(line, 2, f"=B{number}/B${last + 1}", styles["share"], float(chance))
        sheet.write_number(line, 3, float(pays), styles["pays"])
        sheet.write_number(line, 4, outcome.wagered / distribution.stake)
        sheet.write_formula(line, 5, f"=C{number}*D{number}", styles["share"], float(chance * pays))
    sheet.write_string(last, 0, "all", styles["head"])
    total = f"{_FIRST + 1}:{{0}}{last}"
    for letter, style, value in (
        ("B", "count", float(distribution.deals)),
        ("C", "share", 1.0),
        ("F", "share", float(-distribution.house_edge)),
    ):
        sheet.write_formula(f"{letter}{last + 1}", f"=SUM({letter}{total.format(letter)})", styles[style], value)
    sheet.write_formula("B2", f"=-F{last + 1}", styles["percent"], float(distribution.house_edge))
    products = f"=SUMPRODUCT(C{_FIRST + 1}:C{last},E{_FIRST + 1}:E{last})"
    sheet.write_formula("B3", products, styles["share"], float(distribution.average_wager))
    sheet.set_column(0, 0, 46)
    sheet.set_column(1, 5, 20)


def _summary(sheet: "Worksheet", par: Par, sheets: list[tuple[AnalysisRow, str]], styles: dict[str, Any]) -> None:
    sheet.write_string(0, 0, f"PAR sheet: {par.title}", styles["title"])
    for line, words in enumerate(
        (
            " ".join(filter(None, (f"{par.property}; {par.submission}; {par.edition}.", par.proposal))),
            par.readings_note,
            f"{par.software}; rule data {par.rules}; engine {par.engine}",
            DISCLAIMER,
        ),
        1,
    ):
        sheet.write_string(line, 0, words)
    heads = (
        "wager",
        "paytable",
        "house edge",
        "average wager",
        "element of risk",
        "hit frequency",
        "standard deviation",
    )
    for column, head in enumerate(heads):
        sheet.write_string(5, column, head, styles["head"])
    for line, (row, name) in enumerate(sheets, 6):
        distribution = row.distribution
        sheet.write_string(line, 0, row.wager)
        sheet.write_string(line, 1, row.paytable or "")
        sheet.write_formula(line, 2, f"='{name}'!B2", styles["percent"], float(distribution.house_edge))
        sheet.write_formula(line, 3, f"='{name}'!B3", styles["share"], float(distribution.average_wager))
        sheet.write_formula(
            line, 4, f"=C{line + 1}/D{line + 1}", styles["percent"], float(distribution.element_of_risk)
        )
        sheet.write_number(line, 5, float(distribution.hit_frequency), styles["percent"])
        sheet.write_number(line, 6, distribution.standard_deviation, styles["share"])
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 6, 18)


def _words(sheet: "Worksheet", table: Table, styles: dict[str, Any]) -> None:
    """Write a table as text, as on paper."""
    for line, row in enumerate([table.heads, *table.rows]):
        for column, words in enumerate(row):
            sheet.write_string(line, column, words, styles["head"] if line == 0 else None)
    sheet.write_string(len(table.rows) + 2, 0, table.note)
    sheet.set_column(0, len(table.heads) - 1, 24)
