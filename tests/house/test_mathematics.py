"""The mathematics over HTTP: figures as they are published or were found before, charts, and the published holds."""

import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pypdf
import pytest
from house_server import Server

from pitboss.disclaimer import DISCLAIMER
from pitboss.games import GAMES

from .test_workshop import fraction_of, send, send_ok


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("mathematics") / "data")
    try:
        yield made.start()
    finally:
        made.stop()


PRIME, CAJUN = 27_906_522_724_080, 155_937_600
NETS = {  # published, or found before by another program: tests/exact/test_base.py
    ("caribbean-stud", ""): (19_933_230_517_200, -1_041_372_912_372),
    ("four-card-prime", "A"): (PRIME, -919_088_332_404),
    ("four-card-prime", "B"): (PRIME, -866_347_361_940),
    ("four-card-prime", "C"): (PRIME, -865_750_445_340),
    ("four-card-prime", "D"): (PRIME, -779_451_162_900),
    ("cajun-stud", "A"): (CAJUN, -7_664_112),
    ("cajun-stud", "B"): (CAJUN, -23_753_760),
    ("cajun-stud", "C"): (CAJUN, -21_996_024),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_required_wager_is_shown_with_known_figures(server: Server, game: str) -> None:
    found = send_ok(server, f"/api/math/{game}")
    rows = {one["paytable"]: one for one in found["wagers"] if one["required"]}
    assert {(game, letter) for letter in rows} == {key for key in NETS if key[0] == game}
    for letter, row in rows.items():
        deals, net = NETS[game, letter]
        assert int(row["deals"]) == deals
        assert fraction_of(row["figures"]["house_edge"]) == Fraction(-net, deals)
        assert sum(int(one["combinations"]) for one in row["outcomes"]) == deals
    for one in found["required"]:
        deals, net = NETS[game, one["paytable"]]
        chances = {fraction_of(result["net"]): fraction_of(result["chance"]) for result in one["results"]}
        assert sum(chances.values()) == 1
        assert sum(result * chance for result, chance in chances.items()) == Fraction(net, deals)
        assert fraction_of(one["results"][-1]["at_most"]) == 1
        assert [live["rounds"] for live in one["bankroll"]][:3] == [10, 100, 1000]
        for live in one["bankroll"]:
            known = [point["result"] for point in live["percentiles"] if point["result"] is not None]
            assert known == sorted(known)
        best, *others = one["strategies"]
        assert fraction_of(best["house_edge"]) == Fraction(-net, deals)
        assert [fraction_of(other["house_edge"]) - fraction_of(best["house_edge"]) for other in others] == [
            fraction_of(other["cost"]) for other in others
        ]


def test_caribbean_stud_by_rules_of_thumb(server: Server) -> None:
    """A-K-J-8-3 loses 5.316 % of the Ante, as published; always raising 16.6 %."""
    (one,) = send_ok(server, "/api/math/caribbean-stud")["required"]
    edges = {strategy["name"]: strategy["house_edge"]["text"] for strategy in one["strategies"]}
    assert (edges["A-K-J-8-3"], edges["blind"]) == ("5.316 %", "16.61 %")
    chart = one["chart"]
    assert (len(chart["rows"]), len(chart["columns"])) == (9, 13)
    queen_against_king = chart["cells"][chart["rows"].index("Q")][chart["columns"].index("K")]
    assert fraction_of(queen_against_king) == 2  # ace-king-queen against a king is always raised


def test_progressive_returns_follow_the_meters_to_an_exact_break_even(server: Server) -> None:
    """The constants and slopes of tests/exact/test_sides.py: -963,320 + 4 m for Paytable A, over 2,598,960 hands."""
    meters = {one["paytable"]: one for one in send_ok(server, "/api/math/caribbean-stud")["meters"] if one["paytable"]}
    assert list(meters) == list("ABCDEFGH")
    assert fraction_of(meters["A"]["curves"][0]["break_even"]) == Fraction(963_320, 4)
    mega = meters["F"]["curves"][0]
    assert fraction_of(mega["break_even"]) == Fraction(1_220_032 - 36 * 1_000, 4)  # the major meter at its seed
    for one in meters.values():
        for curve in one["curves"]:
            at = {fraction_of(point["shows"]): fraction_of(point["returns"]) for point in curve["points"]}
            assert at[Fraction(curve["seed"])] == fraction_of(one["at_seed"])
            assert at[fraction_of(curve["break_even"])] == 1
    assert meters["A"]["meter_sinks"]


def test_682a_12_g_683a_12_f_the_edge_grows_with_the_wager_under_a_payout_limit(server: Server) -> None:
    assert send_ok(server, "/api/math/caribbean-stud")["limits"] == []
    for game, wagers in (("four-card-prime", {"aces-bonus", "all-six"}), ("cajun-stud", {"ante-raise"})):
        limits = send_ok(server, f"/api/math/{game}")["limits"]
        assert {one["wager"] for one in limits} == wagers
        for one in limits:
            edges = {point["wager"]: fraction_of(point["house_edge"]) for point in one["points"]}
            free = fraction_of(one["free"])
            assert (one["limit"], one["supposed"]) == (50_000_00, True)
            assert all((edge > free) == (wager >= one["bites"]) for wager, edge in edges.items()), one
            assert list(edges.values()) == sorted(edges.values())


def test_published_holds_are_shown_beside_ours(server: Server) -> None:
    found = {(one["game"], one["wager"]): one for one in send_ok(server, "/api/math/holds")}
    assert len(found) == 9
    assert [key for key, one in found.items() if not one["reproduced"]] == [("four-card-prime", "ante-raise")]
    lo_ball = found["cajun-stud", "lo-ball"]
    assert lo_ball["verdict"] == "Both ends follow as shares of the initial wager."
    assert [lo_ball["found"][0][end]["agrees"] for end in ("low", "high")] == [True, True]
    assert len(found["four-card-prime", "ante-raise"]["found"]) == 16


def test_a_chart_is_printed_and_unchanged_pages_answer_304(server: Server) -> None:
    answer = send(server, "/api/math/caribbean-stud/chart.pdf")
    assert answer.headers["content-type"] == "application/pdf"
    (page,) = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    text = page.extract_text()
    assert "Caribbean Stud Poker" in text
    assert "5.316 %" in text
    assert "639a (codified 2019)" in text
    assert DISCLAIMER in " ".join(text.split())
    pages = {paytable: _pages(server, "four-card-prime", paytable) for paytable in ("", "?paytable=B")}
    assert (len(pages[""]), len(pages["?paytable=B"])) == (4, 1)
    assert send(server, "/api/math/four-card-prime/chart.pdf?paytable=Z").status_code == 400
    assert send(server, "/api/math/poker").status_code == 404
    for path in ("/api/math/caribbean-stud", "/api/math/holds", "/api/math/caribbean-stud/chart.pdf"):
        tag = send(server, path).headers["etag"]
        again = send(server, path, **{"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")


def _pages(server: Server, game: str, query: str) -> list[Any]:
    answer = send(server, f"/api/math/{game}/chart.pdf{query}")
    return list(pypdf.PdfReader(io.BytesIO(answer.content)).pages)
