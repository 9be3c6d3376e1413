"""PAR sheets: their content, the spreadsheet that recomputes it, and reproducible bytes."""

import io
import itertools
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import openpyxl
import pypdf
import pytest

from pitboss.cli import main
from pitboss.disclaimer import DISCLAIMER
from pitboss.report.par import Par, par_of_game, par_of_submission
from pitboss.report.par.html_page import par_html
from pitboss.report.par.pdf import par_pdf
from pitboss.report.par.plots import draw_plots
from pitboss.report.par.spreadsheet import par_xlsx
from pitboss.submission import load


@pytest.fixture(scope="module")
def cajun() -> Par:
    return par_of_game("cajun-stud")


@pytest.fixture(scope="module")
def stud() -> Par:
    return par_of_submission(load("caribbean-stud-standard"))


@pytest.fixture(scope="module")
def rack() -> Par:
    """A Submission with a payout limit."""
    return par_of_submission(load("cajun-stud-rack-card"))


def test_the_title_block_names_the_submission(stud: Par) -> None:
    assert stud.submission == "Submission version 1"
    assert stud.edition == "639a (codified 2019)"
    assert re.fullmatch("[0-9a-f]{16}", stud.rules_hash)
    assert stud.readings["progressive-fixed-pays"] == "from-table"
    assert stud.readings_note == "All readings are the defaults"
    assert [row.wager for row in stud.rows] == ["ante-bet", "bonus", "progressive", "five-card-hand"]


def test_a_par_sheet_of_cajun_stud_says_that_its_chapter_is_proposed(stud: Par, cajun: Par) -> None:
    """682a's last page points at a codified 683a, which we have not seen."""
    said = "By the chapter as proposed in 2017."
    for par, says in ((cajun, True), (stud, False)):
        pdf = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(par_pdf(par))).pages)
        assert (said in pdf) == (said in par_html(par)) == says
        summary = openpyxl.load_workbook(io.BytesIO(par_xlsx(par))).worksheets[0]
        assert (said in str(summary["A2"].value)) == says


def test_ambiguities_have_both_values(cajun: Par) -> None:
    found = {(one.reading, one.wager, one.paytable): one for one in cajun.ambiguities}
    ties = found["ev-ties", "ante-raise", "A"]
    assert ties.edges["larger-wager"] == ties.edges["smaller-wager"]
    assert [f"{100 * float(risk):.3f}" for risk in ties.risks.values()] == ["1.369", "1.411"]
    royal = found["board-bonus-a-mini-royal", "board-bonus", "A"]
    assert [f"{100 * float(edge):.3f}" for edge in royal.edges.values()] == ["2.317", "2.136"]
    assert ("board-bonus-a-mini-royal", "board-bonus", "B") not in found


def test_639a_12_d_6_ambiguities_of_envy_and_reseeds_have_both_values() -> None:
    """By 639a.12(d)(6) four paytables have an Envy Bonus, by 639a.11(c)(5)(v) one: with F it is some or nothing."""
    stud = par_of_game("caribbean-stud")
    found = {(one.reading, one.wager, one.paytable): one.meters for one in stud.ambiguities}
    envy = {option: one.envy for option, one in found["envy-paytables", "progressive", "F"].items()}
    assert envy == {"d-f-g-h": Fraction(4 * 1000 + 36 * 300, 2_598_960), "d": 0}
    assert ("envy-paytables", "progressive", "A") not in found
    parts = found["partial-reseed", "progressive", "B"]  # 10 % of the meter for a straight flush
    assert parts["only-after-100"].long_run
    assert parts["always"].long_run is None
    assert ("partial-reseed", "progressive", "A") not in found  # no part of a meter is ever won
    assert "0.5695 %" in par_html(stud).partition("Where the text can be read otherwise")[2]


def test_the_chart_shows_where_decisions_change(cajun: Par, stud: Par) -> None:
    chart = cajun.chart
    assert chart.cells[0][0] == 3  # two aces
    assert chart.cells[8][9] == 1  # six-five suited
    assert chart.cells[9][8] == 0  # and not
    queen = dict(zip(stud.chart.columns, stud.chart.cells[0], strict=True))
    assert queen["2"] == queen["A"] == queen["Q"] == 2  # ace-king-queen


def test_a_spreadsheet_recomputes_every_return_from_counts_and_pays(cajun: Par) -> None:
    made = par_xlsx(cajun)
    book = openpyxl.load_workbook(io.BytesIO(made))
    shown = openpyxl.load_workbook(io.BytesIO(made), data_only=True)
    assert {"Definitions", "Readings of the chapter", "Where the text can be read otherwi"[:31]} <= set(book.sheetnames)
    for row, name in zip(cajun.rows, book.sheetnames[1:], strict=False):
        sheet, found = book[name], row.distribution
        lines = list(sheet.iter_rows(min_row=5, max_row=4 + len(found.outcomes)))
        total = sum(line[1].value for line in lines)
        assert total == found.deals
        returned = 0.0
        for line in lines:
            number = line[0].row
            assert line[2].value == f"=B{number}/B${lines[-1][0].row + 1}"
            assert line[5].value == f"=C{number}*D{number}"
            returned += line[1].value / total * line[3].value
        assert -returned == pytest.approx(float(found.house_edge), abs=1e-12)
        assert sheet["B2"].value == f"=-F{lines[-1][0].row + 1}"
        assert shown[name]["B2"].value == pytest.approx(float(found.house_edge), abs=1e-12)
    assert shown["Summary"]["C7"].value == pytest.approx(float(cajun.rows[0].distribution.house_edge), abs=1e-12)


def test_pdf_and_xlsx_are_reproducible(stud: Par) -> None:
    assert par_pdf(stud) == par_pdf(stud)
    assert par_xlsx(stud) == par_xlsx(stud)
    assert par_html(stud) == par_html(stud)


def test_the_pdf_has_numbered_pages_tables_and_the_hash(stud: Par) -> None:
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(par_pdf(stud))).pages]
    assert f"page 1 of {len(pages)}" in pages[0]
    assert all(stud.rules_hash in page for page in pages)
    text = " ".join(pages)
    assert "19,933,230,517,200" in text
    assert "Table 1. Summary" in text
    assert "Raise 2 × with high card A-K-J-8-3 or better." in text


def test_the_pictures_mark_limits_and_break_even_with_their_values(stud: Par, rack: Par) -> None:
    """The words of a picture are text in the PDF, so that a search finds them."""

    def text_of(par: Par) -> str:
        return " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(par_pdf(par))).pages)

    assert {"A: even at $240,830.00", "five-card-hand: even at $218,047.37", "third card", "up-card"} <= {
        words for svg in draw_plots(stud).values() for words, _ in _texts(svg)
    }
    assert "five-card-hand: even at $218,047.37" in text_of(stud)
    assert "bites from $13.00" in text_of(rack)


def test_words_of_a_picture_neither_overlap_nor_leave_it(stud: Par, cajun: Par, rack: Par) -> None:
    (limit,) = rack.limited
    one_amount = msgspec.structs.replace(limit, points=limit.points[:1])
    narrow = msgspec.structs.replace(rack, limited=(one_amount,))
    for title, svg in itertools.chain(*(draw_plots(par).items() for par in (stud, cajun, rack, narrow))):
        height = float(_parsed(svg).attrib["height"])
        texts = _texts(svg)
        for words, (left, top, right, bottom) in texts:
            assert 0 <= left < right <= 640, (title, words)
            assert 0 <= top < bottom <= height, (title, words)
        for (one, a), (other, b) in itertools.combinations(texts, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (title, one, other)


def _parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 (our own picture)


def _texts(svg: str) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Return the words of a picture with their approximate boxes: 6 units a letter, 9 up and 3 down from the line."""
    found = []
    for text in _parsed(svg).iter("{http://www.w3.org/2000/svg}text"):
        words, x, y = text.text or "", float(text.attrib["x"]), float(text.attrib["y"])
        left = x - 6 * len(words) * {"start": 0, "middle": 0.5, "end": 1}[text.attrib["text-anchor"]]
        found.append((words, (left, y - 9, left + 6 * len(words), y + 3)))
    return found


def test_every_page_has_the_disclaimer(stud: Par) -> None:
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(par_pdf(stud))).pages]
    assert all(DISCLAIMER in " ".join(page.split()) for page in pages)
    assert DISCLAIMER in par_html(stud)
    assert openpyxl.load_workbook(io.BytesIO(par_xlsx(stud)))["Summary"]["A5"].value == DISCLAIMER


def test_the_page_is_self_contained_and_has_its_figures(cajun: Par) -> None:
    page = par_html(cajun)
    assert page.count("<figure>") == 4
    assert "what is raised on average, in Antes; F for a fold" in page
    assert not re.search(r"(src|href)=[\"']http", page)
    assert "House edge if a payout limit of $50,000.00 were set" in page


@pytest.mark.parametrize("kind", ["html", "pdf", "xlsx"])
def test_par_writes_a_file(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"sheet.{kind}"
    assert main(["par", "cajun-stud-rack-card", "-o", str(file)]) == 0
    assert file.stat().st_size > 5_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["683a", "-o", "sheet.doc"], "A PAR sheet is a .html, .pdf, .xlsx file"),
        (["nowhere", "-o", "sheet.pdf"], "nowhere"),
        (["683a", "-o", "no/such/folder/sheet.html"], "cannot be written"),
    ],
)
def test_refuses_an_impossible_par_sheet(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["par", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_limit_is_shown_only_if_the_submission_sets_one(stud: Par, rack: Par) -> None:
    assert stud.limited == ()
    assert par_of_submission(load("cajun-stud-standard")).limited == ()
    (limit,) = rack.limited
    assert (limit.limit, limit.supposed) == (50_000_00, False)
    assert [limit.points[0].wager, limit.points[-1].wager] == [5_00, 1_000_00]  # the lowest and the highest Ante
    assert f"{100 * float(limit.points[-1].house_edge):.4f}" == "26.8145"
    assert "26.8145 %" in par_html(rack)
    assert limit.bites == 13_00


def test_envy_and_omissions_are_stated(stud: Par) -> None:
    assert "Without Magic Card and Lucky Bonus." in par_html(stud)
    (progressive, hand) = stud.meters
    assert progressive.envy == 0
    assert hand.without == "Magic Card and Lucky Bonus"


def test_a_name_that_looks_like_a_formula_is_text(stud: Par) -> None:
    forged = msgspec.structs.replace(stud, property='=HYPERLINK("x")')
    book = openpyxl.load_workbook(io.BytesIO(par_xlsx(forged)))
    assert book["Summary"]["A2"].data_type == "s"


def test_the_pdf_does_not_depend_on_the_process(tmp_path: Path) -> None:
    """The same bytes from two processes that differ in folder, home, time zone, language and the order of sets."""
    program = (
        "import sys; from pitboss.cli import main; sys.exit(main(['par', 'cajun-stud-rack-card', '-o', sys.argv[1]]))"
    )
    made = []
    for number, (zone, language) in enumerate((("UTC", "C"), ("Asia/Tokyo", "de_DE.UTF-8"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        file = folder / "sheet.pdf"
        settings = {"PYTHONHASHSEED": str(number), "HOME": str(folder), "TZ": zone, "LC_ALL": language}
        subprocess.run(
            [sys.executable, "-c", program, str(file)],
            cwd=folder,
            check=True,
            env={**os.environ, **settings},
            capture_output=True,
        )
        made.append(file.read_bytes())
    assert made[0] == made[1]
