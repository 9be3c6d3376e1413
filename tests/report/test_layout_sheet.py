"""The layout sheet for the Board: content required by section .2(b), the same drawing as on screen, to scale."""

import io
import re
from xml.etree import ElementTree as ET

import pytest
from pypdf import PdfReader

from pitboss.house.live_table import Settings, new_live_table
from pitboss.record.chain import header
from pitboss.report.layout.drawing import Drawing
from pitboss.report.layout.sheet import LayoutPaper, inscriptions_of, layout_paper, svg_of
from pitboss.report.papers import render_pdf
from pitboss.rulebook import rulebook
from pitboss.submission import load, parse, presets, text_of
from pitboss.submission.signs import sign_of
from pitboss.web.felt import table_layout

MM = 72 / 25.4
"""Points per millimetre."""
SVG = "{http://www.w3.org/2000/svg}"
AREAS = {
    "caribbean-stud-standard": {
        "Ante": "639a.2(b)(2)",
        "Bet": "639a.2(b)(2)",
        "Progressive Payout": "639a.2(b)(3)",
        "Caribbean Stud Bonus": "639a.2(b)(4)",
        "Five Card Hand Bonus, player's hand": "639a.2(b)(5)",
        "Five Card Hand Bonus, dealer's hand": "639a.2(b)(5)",
    },
    "four-card-prime-standard": {
        "Ante": "682a.2(b)(2)",
        "Raise": "682a.2(b)(2)",
        "Prime": "682a.2(b)(3)",
        "Aces Bonus": "682a.2(b)(3)",
        "All-Six Bonus": "682a.2(b)(3)",
    },
    "cajun-stud-standard": {
        "Ante": "683a.2(b)(2)",
        "First Raise": "683a.2(b)(2)",
        "Second Raise": "683a.2(b)(2)",
        "Third Raise": "683a.2(b)(2)",
        "Pocket Bonus": "683a.2(b)(3)",
        "Board Bonus": "683a.2(b)(3)",
        "Lo Ball": "683a.2(b)(3)",
        "All-Six Bonus": "683a.2(b)(3)",
    },
}
"""Transcribed by hand: each area, and the clause that requires it."""
OWNERS = ("639a.2(b)(1)", "682a.2(b)(1)", "683a.2(b)(1)")
ODDS = {"639a": "639a.2(b)(6)", "682a": "682a.2(b)(4)", "683a": "683a.2(b)(4)"}


def text(preset: str) -> str:
    """The text of a preset; or of one with a payout limit."""
    if preset != "limited":
        return text_of(preset)
    return text_of("four-card-prime-standard").replace("# payout_limit = 50_000", "payout_limit = 50_000")


def paper_of(preset: str) -> LayoutPaper:
    return layout_paper(text(preset))


def drawing_of(preset: str) -> Drawing:
    """The drawing that a screen shows for a table of this Submission."""
    return table_layout(new_live_table("t", header(text(preset)), "", Settings()), play_money=True).drawing


def texts(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 (our own)


def without_spaces(text: str) -> str:
    return re.sub(r"\s|­", "", text).casefold()


@pytest.mark.proves(*dict.fromkeys(cite for areas in AREAS.values() for cite in areas.values()))
@pytest.mark.parametrize("preset", AREAS)
def test_2_b_the_sheet_has_each_area_with_its_clause_at_every_position(preset: str) -> None:
    paper, drawing = paper_of(preset), drawing_of(preset)
    areas = {one.says[-1]: one.cite for one in paper.inscriptions if "betting position" in one.where}
    assert areas == AREAS[preset]
    shapes = [one for tag in ("circle", "rect") for one in ET.fromstring(paper.plain).iter(SVG + tag)]  # noqa: S314 (our own)
    cards = sum(len(place.cards) for place in drawing.places)
    assert len(shapes) == paper.seats * len(areas) + cards


@pytest.mark.proves(*OWNERS, *ODDS.values(), "639a.2(b)(7)", "682a.2(b)(5)", "683a.2(b)(5)")
@pytest.mark.parametrize("preset", [*presets(), "limited"])
def test_the_sheet_has_exactly_the_words_of_the_felt(preset: str) -> None:
    """The screen and the sheet have the same operator, game, notices, limits, odds and areas."""
    drawing = drawing_of(preset)
    submission, _ = parse(text(preset), preset)
    assert submission
    sign = sign_of(submission)
    printed = [
        *(place.title for place in drawing.places),
        *(line.text for line in drawing.letterings),
        *(line.text for panel in drawing.panels for line in (panel.head, *panel.lines)),
        *(word for seat in drawing.seats for area in drawing.areas for word in area.words),
        *(str(seat.seat) for seat in drawing.seats),
    ]
    assert sorted(texts(svg_of(drawing))) == sorted(printed)
    assert paper_of(preset).plain == svg_of(drawing)
    assert {line.text for line in drawing.letterings} >= {sign.property, sign.title}
    said = without_spaces("".join(line.text for line in drawing.letterings))
    assert all(without_spaces(notice.text) in said for notice in sign.notices)
    rows = {row for one in inscriptions_of(drawing) if one.paid_under for row in one.says}
    assert rows >= {f"{row.hand} {row.pays}" for panel in sign.panels for row in panel.rows}


@pytest.mark.parametrize("preset", presets())
def test_every_required_inscription_names_its_clause(preset: str) -> None:
    paper, chapter = paper_of(preset), rulebook().games[load(preset).game].chapter.id
    for one in paper.inscriptions:
        for cite in filter(None, (one.cite, one.paid_under)):
            assert rulebook().cite(cite)
        assert one.cite or one.where in {"Arc, name of the game", "Arc, limits of wagers"}
    assert {one.cite for one in paper.inscriptions if one.paid_under} == {ODDS[chapter]}
    assert paper.inscriptions[0].cite == f"{chapter}.2(b)(1)"
    assert (paper.approval_cite, paper.seats_cite) == (f"{chapter}.2(b)", f"{chapter}.2(a)")
    assert [one.number for one in paper.inscriptions] == list(range(1, len(paper.inscriptions) + 1))


@pytest.mark.parametrize("preset", presets())
def test_the_pages_are_to_scale_and_name_the_submission(preset: str) -> None:
    paper = paper_of(preset)
    pages = PdfReader(io.BytesIO(render_pdf("layout", paper))).pages
    assert len(pages) == 3
    assert [round(float(size) / MM) for size in pages[-1].mediabox[2:]] == [1700, 1060]  # 1600 × 960 and 50 around
    words = [without_spaces(page.extract_text()) for page in pages]
    assert without_spaces("Scale 1 : 5") in words[0]
    assert without_spaces("Scale 1 : 1") in words[2]
    for page in words:
        assert without_spaces(f"{paper.property}, {paper.title}, version {paper.version}") in page
    for one in paper.inscriptions:
        assert without_spaces("".join(one.says)) in words[1], one
        assert without_spaces(f"§ {one.cite}") in words[1] or not one.cite
    assert render_pdf("layout", paper) == render_pdf("layout", paper)


def test_a_name_with_xml_characters_is_escaped() -> None:
    paper = layout_paper(
        text_of("caribbean-stud-standard").replace("Pitboss Demonstration Casino", "Tom & <Jerry> “Hall”")
    )
    assert "Tom & <Jerry> “Hall”" in texts(paper.plain)
    assert render_pdf("layout", paper)
