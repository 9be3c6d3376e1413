"""Write a PAR sheet as a reproducible XLSX workbook whose formulas calculate the figures from combinations and pays."""

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

_FIRST_OUTCOME_ROW: Final = 4
"""The index of the first row with an outcome. Indices count from 0, rows in formulas from 1."""
_MAX_SHEET_NAME: Final = 31
"""The longest name of a sheet that Excel accepts."""
_FIXED_DATE: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)
"""A constant, so that the file is reproducible; without a time zone, since xlsxwriter accepts none."""


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
    sheets = [(analysis, _sheet_name(number, analysis)) for number, analysis in enumerate(par.rows, 1)]
    for analysis, name in sheets:
        _write_combinations(book.add_worksheet(name), analysis, styles)
    _write_summary(summary, par, sheets, styles)
    for table in list_tables(par):
        if table.title != "Summary" and not table.title.endswith(": combinations"):  # these have formulas, see above
            name = re.sub(r"[^A-Za-z ,-]", "", table.title)[:_MAX_SHEET_NAME].strip()  # Excel forbids some characters
            _write_text_table(book.add_worksheet(name), table, styles)
    book.close()
    return file.getvalue()


def _sheet_name(number: int, analysis: AnalysisRow) -> str:
    return f"{number} {analysis.wager}{f' {analysis.paytable}' if analysis.paytable else ''}"[:_MAX_SHEET_NAME]


def _write_combinations(sheet: "Worksheet", analysis: AnalysisRow, styles: dict[str, Any]) -> None:
    distribution = analysis.distribution
    sheet.write_string(0, 0, name_of(analysis), styles["title"])
    sheet.write_string(1, 0, "House edge")
    sheet.write_string(2, 0, "Average wager")
    total_row = _FIRST_OUTCOME_ROW + len(distribution.outcomes)
    for column, head in enumerate(("outcome", "combinations", "probability", "pays", "wagered", "return")):
        sheet.write_string(_FIRST_OUTCOME_ROW - 1, column, head, styles["head"])
    for row, outcome in enumerate(distribution.outcomes, _FIRST_OUTCOME_ROW):
        excel_row = row + 1
        probability = Fraction(outcome.count, distribution.deals)
        net = Fraction(outcome.net, distribution.stake)
        sheet.write_string(row, 0, outcome.name)
        sheet.write_number(row, 1, outcome.count, styles["count"])
        sheet.write_formula(row, 2, f"=B{excel_row}/B${total_row + 1}", styles["share"], float(probability))
        sheet.write_number(row, 3, float(net), styles["pays"])
        sheet.write_number(row, 4, outcome.wagered / distribution.stake)
        sheet.write_formula(row, 5, f"=C{excel_row}*D{excel_row}", styles["share"], float(probability * net))
    sheet.write_string(total_row, 0, "all", styles["head"])
    first, last = _FIRST_OUTCOME_ROW + 1, total_row  # the rows of outcomes in formulas
    for letter, style, value in (
        ("B", "count", float(distribution.deals)),
        ("C", "share", 1.0),
        ("F", "share", float(-distribution.house_edge)),
    ):
        sum_formula = f"=SUM({letter}{first}:{letter}{last})"
        sheet.write_formula(f"{letter}{total_row + 1}", sum_formula, styles[style], value)
    sheet.write_formula("B2", f"=-F{total_row + 1}", styles["percent"], float(distribution.house_edge))
    average_formula = f"=SUMPRODUCT(C{first}:C{last},E{first}:E{last})"
    sheet.write_formula("B3", average_formula, styles["share"], float(distribution.average_wager))
    sheet.set_column(0, 0, 46)
    sheet.set_column(1, 5, 20)


def _write_summary(sheet: "Worksheet", par: Par, sheets: list[tuple[AnalysisRow, str]], styles: dict[str, Any]) -> None:
    sheet.write_string(0, 0, f"PAR sheet: {par.title}", styles["title"])
    for row, text in enumerate(
        (
            " ".join(filter(None, (f"{par.property}; {par.submission}; {par.edition}.", par.proposal))),
            par.readings_note,
            f"{par.software}; rule data {par.rules_hash}; engine {par.engine_hash}",
            DISCLAIMER,
        ),
        1,
    ):
        sheet.write_string(row, 0, text)
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
    for row, (analysis, name) in enumerate(sheets, 6):
        distribution = analysis.distribution
        sheet.write_string(row, 0, analysis.wager)
        sheet.write_string(row, 1, analysis.paytable or "")
        sheet.write_formula(row, 2, f"='{name}'!B2", styles["percent"], float(distribution.house_edge))
        sheet.write_formula(row, 3, f"='{name}'!B3", styles["share"], float(distribution.average_wager))
        sheet.write_formula(row, 4, f"=C{row + 1}/D{row + 1}", styles["percent"], float(distribution.element_of_risk))
        sheet.write_number(row, 5, float(distribution.hit_frequency), styles["percent"])
        sheet.write_number(row, 6, distribution.standard_deviation, styles["share"])
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 6, 18)


def _write_text_table(sheet: "Worksheet", table: Table, styles: dict[str, Any]) -> None:
    """Write a table without formulas, as in the PDF."""
    for row, cells in enumerate([table.heads, *table.rows]):
        for column, text in enumerate(cells):
            sheet.write_string(row, column, text, styles["head"] if row == 0 else None)
    sheet.write_string(len(table.rows) + 2, 0, table.note)
    sheet.set_column(0, len(table.heads) - 1, 24)
