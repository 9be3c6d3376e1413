"""Signs say what the chapters oblige an operator to post, in HTML and PDF alike."""

import csv
import io
import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from pitboss.cards import DECK
from pitboss.disclaimer import DISCLAIMER
from pitboss.report import card_svg, sign_html, sign_pdf
from pitboss.report.signs import Part
from pitboss.submission import Submission, load, presets
from pitboss.submission.model import Cents
from pitboss.submission.parser import parse, text_of
from pitboss.submission.signs import Sign, sign_of


class Words(HTMLParser):
    """The text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def words_of_html(sign: Sign) -> str:
    page = Words()
    page.feed(sign_html(sign))
    return without_spaces(" ".join(page.found))


def words_of_pdf(sign: Sign, only: Part = "") -> str:
    return without_spaces(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(sign_pdf(sign, only))).pages))


def posted_words(sign: Sign) -> str:
    """The text of the sheet at the table, without the rack card, which patrons take along."""
    return words_of_pdf(sign, "sign")


def without_spaces(text: str) -> str:
    """Without spaces and case: small capitals and line breaks are a matter of looks."""
    return re.sub(r"\s|\u00ad|-\n", "", text).casefold()


def progressive(letter: str) -> Submission:
    text = text_of("caribbean-stud-standard").replace('paytable = "A"            # A to H', f'paytable = "{letter}" #')
    submission, problems = parse(text, "test")
    assert submission, problems
    return submission


def limited(preset: str, limit: int, **letters: str) -> Submission:
    submission = load(preset)
    wagers = {
        name: replace(offer, paytable=letters.get(name.replace("-", "_"), offer.paytable))
        for name, offer in submission.wagers.items()
    }
    return replace(submission, wagers=wagers, table=replace(submission.table, payout_limit=Cents(limit)))


def test_the_sign_names_edges_outside_the_published_range() -> None:
    said = without_spaces("Aces Bonus, Paytable A, holds 46.32 % of the wager; the Board published 1.11 % to 6.6 %.")
    literal, published = (sign_of(load(f"four-card-prime-{name}")) for name in ("standard", "as-published"))
    for words in (words_of_html(literal), words_of_pdf(literal)):
        assert said in words
    assert said not in words_of_pdf(published)


CELLS = (Path(__file__).parents[1] / "transcription" / "paytables.csv").read_text("utf-8")
"""Section .12 of every chapter, transcribed a second time."""
TITLES = {
    "caribbean-stud": {
        "ante": "Ante", "bet": "Bet", "bonus": "Caribbean Stud Bonus", "progressive": "Progressive Payout",
        "five-card-hand": "Five Card Hand Bonus", "magic-card": "Magic Card", "lucky-bonus": "Lucky Bonus",
    },
    "four-card-prime": {
        "ante": "Ante", "raise": "Raise", "win-bonus": "Win Bonus", "bad-beat-bonus": "Bad Beat Bonus", "prime": "Prime",
        "aces-bonus": "Aces Bonus", "all-six": "All-Six Bonus",
    },
    "cajun-stud": {
        "ante-raise": "Ante and Raises", "pocket-bonus": "Pocket Bonus", "board-bonus": "Board Bonus", "lo-ball": "Lo Ball",
        "all-six": "All-Six Bonus",
    },
}  # fmt: skip
"""Every wager that a certificate holder may or must offer."""


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "game"),
    [("639a.2(b)(6)", "caribbean-stud"), ("682a.2(b)(4)", "four-card-prime"), ("683a.2(b)(4)", "cajun-stud")],
)
def test_the_sign_has_the_payout_odds_of_every_wager(clause: str, game: str) -> None:
    """The standard presets offer everything at Paytable A."""
    sign = sign_of(load(f"{game}-standard"))
    assert clause in sign.posted_under
    odds = {title: transcribed(game, wager) for wager, title in TITLES[game].items()}
    page = re.sub(r'<td class="cards">.*?</td>', "", unescape(sign_html(sign)), flags=re.DOTALL)
    panels = re.findall(PANEL, page, re.DOTALL)
    assert {title: re.findall(ROW, panel) for title, panel in panels} == odds
    printed = posted_words(sign)
    for title, rows in odds.items():
        assert without_spaces(title) in printed
        assert all(without_spaces(hand + pays) in printed for hand, pays in rows)
    for words in (words_of_html(sign), printed):
        assert without_spaces("1-800-GAMBLER") in words
        assert without_spaces(sign.edition) in words


PANEL = r'<h2 id="sign-[0-9]+">([^<]*)</h2>(.*?)</section>'
ROW = r'<th scope="row">([^<]*)</th><td class="pays">([^<]*)</td>'


def transcribed(game: str, wager: str) -> list[tuple[str, str]]:
    """Hands and odds of a wager's only paytable, or of Paytable A."""
    rows = [row for row in csv.DictReader(CELLS.splitlines()) if (row["game"], row["wager"]) == (game, wager)]
    return [(row["hand"], on_a_sign(row["cell"])) for row in rows if row["paytable"] in "-A" and row["cell"] != "n/a"]


def on_a_sign(cell: str) -> str:
    """A cell of a paytable as printed on a sign: “1,000 to 1”, “10% of the meter”, “Push”."""
    number, _, rest = cell.partition(" ")
    if number.isdigit():
        return f"{int(number):,} {rest}"
    return cell.replace("of meter", "of the meter") if "%" in cell else cell.capitalize()


@pytest.mark.parametrize("name", presets())
def test_every_sheet_has_the_disclaimer(name: str) -> None:
    sign = sign_of(load(name))
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(sign_pdf(sign))).pages]
    assert all(without_spaces(DISCLAIMER) in without_spaces(page) for page in pages)
    assert words_of_html(sign).count(without_spaces(DISCLAIMER)) == 2  # the sign and its rack card


def test_the_rack_card_has_the_printed_order_and_headings() -> None:
    sign = sign_of(load("cajun-stud-rack-card"))
    assert [panel.name for panel in sign.panels] == ["ante-raise", "board-bonus", "pocket-bonus", "lo-ball", "all-six"]
    named = [
        line.split(":")[0] for line in sign.play if ":" in line and line.split(":")[0] in {p.title for p in sign.panels}
    ]
    assert named == ["Board Bonus", "Pocket Bonus", "Lo Ball", "All-Six Bonus"]
    for words in (words_of_html(sign), words_of_pdf(sign)):
        card = words[words.index(without_spaces("Object of the game")) :]
        assert (
            card.index(without_spaces("How to play"))
            < card.index(without_spaces("Board Bonus:"))
            < card.index(without_spaces("Pocket Bonus:"))
        )
        assert without_spaces("Gambling problem? Call 1-800-GAMBLER for help.") in card
        assert without_spaces("your cards are tucked under one until they are settled") in card
    standard = sign_of(load("cajun-stud-standard"))
    assert [panel.name for panel in standard.panels[1:3]] == ["pocket-bonus", "board-bonus"]
    assert not any("tucked" in line for line in standard.play)


@pytest.mark.proves("683a.12(d)", "683a.2(b)(4)")
@pytest.mark.parametrize(("letter", "returned"), [("A", False), ("B", True)])
def test_683a_12_d_lo_balls_text_follows_its_paytable(letter: str, *, returned: bool) -> None:
    """Queen high loses by Paytable A and pushes by B."""
    sign = sign_of(limited("cajun-stud-standard", 50_000_00, lo_ball=letter))
    (line,) = [line for line in sign.play if line.startswith("Lo Ball")]
    assert ("queen high is returned" in line) == returned
    assert without_spaces(line) in words_of_html(sign)
    assert without_spaces(line) in words_of_pdf(sign)
    (panel,) = [panel for panel in sign.panels if panel.name == "lo-ball"]
    assert panel.rows[-1].pays == ("Push" if returned else "Loss")


@pytest.mark.parametrize("name", presets())
def test_every_sheet_of_cajun_stud_says_that_its_chapter_is_proposed(name: str) -> None:
    """682a's last page points at a codified 683a, which we have not seen."""
    said = without_spaces("By the chapter as proposed in 2017.")
    sign = sign_of(load(name))
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(sign_pdf(sign))).pages]
    assert all((said in without_spaces(page)) == (load(name).game == "cajun-stud") for page in pages)
    assert words_of_html(sign).count(said) == (2 if load(name).game == "cajun-stud" else 0)


def test_only_wagers_on_offer_are_posted() -> None:
    submission = load("four-card-prime-standard")
    bare = replace(submission, wagers={"ante": submission.wagers["ante"]})
    assert [panel.title for panel in sign_of(bare).panels] == ["Ante", "Raise", "Win Bonus", "Bad Beat Bonus"]
    assert not any("Prime:" in line or "All-Six" in line for line in sign_of(bare).play)
    assert "all-six" not in words_of_pdf(sign_of(bare))


@pytest.mark.proves("639a.2(b)(6)", "683a.2(b)(4)")
def test_posted_odds_equal_the_payouts() -> None:
    text = text_of("caribbean-stud-standard")
    without, problems = parse(text[: text.index("[wagers.five-card-hand.bonuses]")], "test")
    assert without, problems
    assert "Magic Card" not in [panel.title for panel in sign_of(without).panels]
    assert without_spaces("Magic Card 20 for 1") not in words_of_html(sign_of(without))
    card = load("cajun-stud-rack-card")
    aces = replace(card, readings={**card.readings, "board-bonus-threshold": "aces-or-better"})
    assert without_spaces("Pair of aces 1 to 1") in words_of_pdf(sign_of(aces))
    stud = words_of_pdf(sign_of(load("caribbean-stud-standard")))
    assert without_spaces("wagers of $1 or $5, each with meters of its own") in stud
    assert without_spaces("a jackpot on the dealer's is divided") in stud.replace("’", "'")


@pytest.mark.proves("639a.2(b)(7)")
def test_639a_2_b_7_the_bet_is_returned_if_the_dealer_has_less_than_ace_king() -> None:
    sign = sign_of(load("caribbean-stud-standard"))
    said = "The Bet is returned if the dealer has less than ace-king."
    assert [(notice.text, notice.cite) for notice in sign.notices] == [(said, "639a.2(b)(7)")]
    assert without_spaces(said) in words_of_html(sign)
    assert without_spaces(said) in posted_words(sign)


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("submission", "says", "clause"),
    [
        (load("cajun-stud-rack-card"), "Payout limit $50,000 for each player in each round, on Ante and Raises together.", "683a.2(b)(5)"),
        (limited("four-card-prime-standard", 60_000_00), "Payout limit $60,000 for each player in each round, on Aces Bonus and All-Six Bonus together.", "682a.2(b)(5)"),
        (limited("four-card-prime-standard", 60_000_00, all_six="E"), "Payout limit $60,000 for each player in each round, on Aces Bonus and All-Six Bonus together. Not limited: Six-card royal flush—diamonds; Six-card royal flush—hearts, spades or clubs.", "682a.2(b)(5)"),
    ],
)  # fmt: skip
def test_a_payout_limit_is_posted(submission: Submission, says: str, clause: str) -> None:
    sign = sign_of(submission)
    assert [(notice.text, notice.cite) for notice in sign.notices] == [(says, clause)]
    assert clause in sign.posted_under
    assert without_spaces(says) in words_of_html(sign)
    assert without_spaces(says) in posted_words(sign)


def test_without_a_limit_there_is_no_notice() -> None:
    assert sign_of(load("cajun-stud-standard")).notices == ()


@pytest.mark.proves("639a.2(b)(6)")
@pytest.mark.parametrize(("letter", "posted"), [("A", False), ("D", True), ("G", True)])
def test_639a_2_b_6_envy_amounts_are_posted(letter: str, *, posted: bool) -> None:
    sign = sign_of(progressive(letter))
    words = posted_words(sign)
    assert (without_spaces("Royal flush, $5 wager $5,000") in words) == posted
    assert (without_spaces("Straight flush, $1 wager $300") in words) == posted
    if letter == "G":
        assert without_spaces("Four-of-a-kind 100% of the minor jackpot") in words


@pytest.mark.parametrize("name", presets())
def test_a_sign_is_reproducible_and_self_contained(name: str) -> None:
    sign = sign_of(load(name))
    assert sign_pdf(sign) == sign_pdf(sign)
    assert sign_html(sign) == sign_html(sign)
    assert not re.search(r"""(?:src|href)=["'](?!#)|url\(|@import|<script""", sign_html(sign))
    assert len(PdfReader(io.BytesIO(sign_pdf(sign))).pages) == 2
    assert 9 <= len(sign.play) <= 13


def test_an_operators_name_is_escaped() -> None:
    sign = replace(sign_of(load("cajun-stud-rack-card")), property='<b>#let x = 1</b> & "Sons" $5$')
    assert "<b>" not in sign_html(sign)
    assert without_spaces('<b>#let x = 1</b> & "Sons" $5$') in words_of_pdf(sign).replace("“", '"').replace("”", '"')
    assert without_spaces('<b>#let x = 1</b> & "Sons" $5$') in words_of_html(sign)


def test_every_card_has_its_own_face() -> None:
    faces = {card_svg(card) for card in DECK}
    assert len(faces) == 52
    assert "ace of spades" in card_svg(DECK[-1])


def test_the_page_is_accessible_to_screen_readers() -> None:
    page = sign_html(sign_of(load("cajun-stud-rack-card")))
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    labels, ids = re.findall(r'aria-labelledby="([^"]+)"', page), re.findall(r' id="([^"]+)"', page)
    assert labels
    assert set(labels) <= set(ids)
    assert len(ids) == len(set(ids))
    assert page.index("<main>") < page.index("<article") < page.index("</main>")


def test_rows_that_pay_nothing_are_not_posted() -> None:
    (panel,) = [panel for panel in sign_of(progressive("E")).panels if panel.title == "Progressive Payout"]
    assert [row.hand for row in panel.rows] == [
        "Royal flush",
        "Straight flush",
        "Four-of-a-kind",
        "Full house",
        "Flush",
    ]
