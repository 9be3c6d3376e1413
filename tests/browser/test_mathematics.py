"""The mathematics in real browsers: known figures, marked break-evens and limits, printable charts."""

import io
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pypdf
import pytest
from playwright.sync_api import Locator, Route, expect
from screen import CALCULATION_TIMEOUT, PHONE, Screen

Enter = Callable[..., Screen]
GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")


def _open_mathematics(screen: Screen, game: str = "", query: str = "") -> Screen:
    """Go to the mathematics of one game or of all, and wait for the figures."""
    screen.go(f"/mathematics{game and f'/{game}'}{query}")
    last = screen.page.locator("[data-reading]" if game else "[data-hold]").first
    expect(last).to_be_visible(timeout=CALCULATION_TIMEOUT)
    return screen


def _fraction(figure: Locator) -> Fraction:
    """Open a figure and return its fraction; the tooltip shows the same."""
    button = figure.locator("button")
    button.click()
    note = figure.get_by_role("note")
    said = note.inner_text().removeprefix("exactly ")
    assert said == button.get_attribute("title")
    button.page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    return Fraction(said.replace("−", "-"))


def test_games_are_compared_by_edge_and_element_of_risk(people: Enter) -> None:
    """Caribbean Stud loses 5.224 % of the Ante, 2.555 % of everything wagered, as published; see tests/exact."""
    page = _open_mathematics(people()).page
    known = {
        "house_edge": ("House edge of the Ante", "5.224 %", "2.793 %", "4.915 %"),
        "element_of_risk": ("Element of risk of everything wagered", "2.555 %", "1.311 %", "1.369 %"),
        "average_wager": ("Average wager in Antes", "2.045", "2.130", "3.590"),
    }
    for figure, (words, *shown) in known.items():
        row = page.locator(f"tr[data-figure={figure}]")
        assert " ".join(row.get_by_role("rowheader").inner_text().split()) == words
        for place, text in zip(("caribbean-stud/", "four-card-prime/D", "cajun-stud/A"), shown, strict=True):
            expect(row.locator(f"[data-of='{place}']")).to_have_text(text)
    edge = page.locator("tr[data-figure=house_edge] [data-of='caribbean-stud/']")
    assert _fraction(edge) == Fraction(1_041_372_912_372, 19_933_230_517_200)


def test_published_holds_are_shown_beside_ours_with_the_readings_that_differ(people: Enter) -> None:
    """Rulemaking 125-204 has Lo Ball hold 7.18 % to 8.71 %, the Aces Bonus 1.11 % to 6.6 %."""
    screen = _open_mathematics(people())
    page = screen.page
    screen.picture("mathematics", whole=True)

    def told(hold: str, part: str) -> str:
        return " ".join(page.locator(f"[data-hold='{hold}'] [data-{part}]").inner_text().split())

    assert page.locator("[data-hold]").count() == 9
    assert told("cajun-stud/lo-ball", "published") == "7.18 % to 8.71 %"
    assert told("cajun-stud/lo-ball", "ours") == "7.182 % (B) to 8.713 % (A) of the initial wager"
    assert told("cajun-stud/lo-ball", "follows") == "yes"
    assert told("cajun-stud/ante-raise", "ours") == "1.369 % (A) to 4.284 % (B) of everything wagered"
    aces = page.locator("[data-hold='four-card-prime/aces-bonus']")
    assert told("four-card-prime/aces-bonus", "follows") == "read otherwise"
    assert "1.106 % (A) to 6.615 % (E)" in told("four-card-prime/aces-bonus", "others")
    expect(aces).to_contain_text("aces-bonus-hand-size = four-card: Any four of the five cards")
    aces.locator("summary").click()
    expect(aces.locator("details tbody tr")).to_have_count(4)
    assert told("four-card-prime/ante-raise", "follows") == "no"


def test_every_wager_and_paytable_is_in_one_table(people: Enter) -> None:
    """The Bonus of Paytable A loses 80,820 of 2,598,960 hands, by counting; its pays are 639a.12(c)."""
    page = _open_mathematics(people(), "caribbean-stud").page
    expect(page.locator(".abstract")).to_contain_text("the house edge is 5.224 % of the Ante")
    expect(page.locator(".abstract")).to_contain_text("the element of risk 2.555 % of everything wagered")
    rows = page.locator("tr[data-wager]")
    assert [row.get_attribute("data-wager") for row in rows.all()].count("progressive") == 8
    bonus = page.locator("tr[data-wager=bonus][data-paytable=A] [data-figure=house_edge]")
    expect(bonus).to_have_text("3.110 %")
    assert _fraction(bonus) == Fraction(80_820, 2_598_960)
    page.get_by_text("Every outcome, with its combinations").click()
    page.get_by_text("Caribbean Stud Bonus, Paytable A: 10 outcomes of 2,598,960 equally likely deals").click()
    expect(page.get_by_role("row", name="Royal flush 4 0.000001539 +1,000", exact=True)).to_be_visible()


def test_639a_12_d_break_evens_are_marked_with_their_value(people: Enter) -> None:
    """Paytable A returns -963,320 + 4 m over 2,598,960 hands: even at $240,830; see tests/exact/test_sides.py."""
    screen = _open_mathematics(people(), "caribbean-stud")
    page = screen.page
    curve = page.locator("[data-curve='A/main']")
    expect(curve.locator("[data-mark]").first).to_have_text("even at $240,830.00")
    assert "even when it shows $240,830.00" in (curve.get_by_role("img").get_attribute("aria-label") or "")
    marked = page.locator("[data-curve] [data-mark]", has_text="even at")
    assert page.locator("[data-curve]").count() == marked.count() == 14  # F has two meters, G and H three
    screen.picture("mathematics-caribbean-stud", whole=True)


def test_the_chart_marks_where_the_payout_limit_begins(people: Enter) -> None:
    """4,000 to 1 at the best, and a limit of $50,000: 12 Antes of a dollar are paid in full, 13 are not."""
    page = _open_mathematics(people(), "cajun-stud").page
    limit = page.locator("[data-limit=ante-raise]")
    for letter, free in (("A", "4.915 %"), ("B", "15.23 %")):
        limit.locator(f"[data-paytable={letter}]").check()
        label = limit.get_by_role("img").get_attribute("aria-label") or ""
        assert f"Paytable {letter} against the wager under a payout limit of $50,000.00: {free} of the Ante" in label
        expect(limit.locator("[data-mark]")).to_have_text(free)
        expect(limit.locator("svg")).to_contain_text("limit felt from $13.00")
    page.get_by_text("The edge of Ante and Raise by the amount wagered").click()
    expect(page.get_by_role("row", name="$10.00 4.915 % 15.23 % 14.11 %", exact=True)).to_be_visible()


def test_rules_of_thumb_are_shown_with_their_cost(people: Enter) -> None:
    """Raising A-K-J-8-3 or better loses 5.316 % of the Ante, as published; always raising 16.61 %."""
    page = _open_mathematics(people(), "caribbean-stud").page
    for name, cost, edge in (("A-K-J-8-3", "0.09202 %", "5.316 %"), ("blind", "11.38 %", "16.61 %")):
        cells = page.locator(f"tr[data-strategy='{name}'] td")
        expect(cells.nth(0)).to_contain_text(cost)
        expect(cells.nth(1)).to_have_text(edge)
    fields = page.locator("[data-chart] tbody td")
    assert fields.count() == 9 * 13
    assert all(field.inner_text() for field in fields.all())  # words, not colour alone
    queen = page.locator("[data-chart] tbody tr").first.locator("td")
    expect(queen.nth(11)).to_have_text("2 ×")  # ace-king-queen against a king is always raised


def test_the_chart_is_downloaded_for_the_paytable_shown(people: Enter) -> None:
    page = _open_mathematics(people(), "four-card-prime", "?paytable=B").page
    expect(page.locator(".abstract")).to_contain_text("under Paytable B, the house edge is 3.104 % of the Ante")
    page.locator("section", has=page.locator("#strategy")).locator("[data-paytable=C]").check()
    expect(page.locator(".abstract")).to_contain_text("under Paytable C")
    with page.expect_download() as download:
        page.click("[data-do=chart]")
    assert download.value.suggested_filename == "four-card-prime-strategy-C.pdf"
    (sheet,) = pypdf.PdfReader(Path(download.value.path())).pages
    assert "Ante and Raise, Paytable C" in sheet.extract_text()


def test_the_page_says_what_is_being_calculated(people: Enter) -> None:
    screen, held = people(), list[Route]()
    screen.page.route("**/api/math/cajun-stud", lambda route: held.append(route))  # noqa: PLW0108 (a real function)
    screen.go("/mathematics/cajun-stud")
    expect(screen.page.get_by_role("status")).to_contain_text("Working out Cajun Stud")
    held[0].continue_()
    expect(screen.page.locator("h1")).to_have_text("Cajun Stud", timeout=CALCULATION_TIMEOUT)
    expect(screen.page.get_by_role("status")).to_have_count(0)
    screen.go("/mathematics/poker")
    expect(screen.page.get_by_role("alert")).to_contain_text("There is no game “poker”")


def test_the_page_can_be_printed(people: Enter) -> None:
    page = _open_mathematics(people(), "four-card-prime").page
    sheets = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    text = "\n".join(sheet.extract_text() for sheet in sheets)
    for words in ("Table 1.", "Figure 1.", "How to decide", "limit felt from $101.00", f"1 of {len(sheets)}"):
        assert words in text, words
    for words in ("Lobby", "Sign out", "powers of ten, for what is rare", "as PDF"):
        assert words not in text, words


@pytest.mark.parametrize("game", GAMES)
def test_every_chart_has_a_description_and_fits_a_phone(people: Enter, game: str) -> None:
    screen = _open_mathematics(people(size=PHONE), game)
    page = screen.page
    charts = page.locator("svg.chart")
    assert charts.count() >= 3
    for chart in charts.all():
        assert chart.get_attribute("role") == "img"
        assert len(chart.get_attribute("aria-label") or "") > 60
    page.locator("[data-scale=log]").check()
    for summary in page.locator("summary").all():
        summary.click()
    assert screen.violations() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
