"""Pages for everybody, signed in or not: the settlement calculator and the clauses."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from evidence_server import RowFilter, get_ok, hired_house, serve_copy
from staffed_house import Staffed

from pitboss.games import GAMES
from pitboss.rulebook import rulebook
from pitboss.submission import text_of


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """The shipped server on a house with every game, with everybody signed in."""
    made = hired_house(tmp_path_factory.mktemp("house"))
    yield from serve_copy(made, tmp_path_factory.mktemp("served") / "data")


# The calculator.


def settle_over_http(staffed: Staffed, **body: Any) -> Any:
    status, answer = staffed.ask("nobody", "POST", "/api/settle", body)
    assert status == 200, answer
    return answer


def test_639a_11_c_3_i_the_calculator_returns_the_bet_and_pays_the_ante_below_ace_king(staffed: Staffed) -> None:
    body: dict[str, Any] = {
        "cards": {"player": ["2c", "3d", "5h", "7s", "9c"], "dealer": ["Ac", "Qh", "Jd", "7d", "3s"]},
        "wagers": {"ante": 1000},
        "raises": [2],
    }
    expected = [("ante", "win", 1000, 1000), ("bet", "returned", 2000, 0)]
    answers = [
        settle_over_http(staffed, **source, **body)
        for source in (
            {"game": "639a"},
            {"game": "caribbean-stud"},
            {"table": "639a"},
            {"preset": "caribbean-stud-standard"},
            {"submission": text_of("caribbean-stud-standard")},
        )
    ]
    assert answers == [answers[0]] * 5
    lines = answers[0]["lines"]
    assert [(line["wager"], line["outcome"], line["returned"], line["pays"]) for line in lines] == expected
    assert {line["cite"] for line in lines} == {"639a.11(c)(3)(i)"}
    assert [line["title"] for line in lines] == ["Ante", "Bet"]
    assert (answers[0]["staked"], answers[0]["net"]) == (3000, 1000)


def test_the_calculator_accepts_other_paytables_and_readings(staffed: Staffed) -> None:
    body = {
        "preset": "caribbean-stud-standard",
        "cards": {"player": ["Kc", "Kd", "8s", "8h", "8c"], "dealer": ["Ac", "Kh", "9d", "7d", "3s"]},
        "wagers": {"ante": 1000, "bonus": 500},
        "raises": [2],
    }
    pays = {
        letter: next(
            line["pays"]
            for line in settle_over_http(staffed, **body, paytables={"bonus": letter})["lines"]
            if line["wager"] == "bonus"
        )
        for letter in ("A", "B")
    }
    tables = rulebook().games["caribbean-stud"].paytables["bonus"].printed
    assert pays == {letter: 500 * int(str(tables[letter]["Full house"]).split()[0]) for letter in pays}


@pytest.mark.parametrize(
    ("table", "rounds"), [("639a", (1, 2, 3, 4, 5)), ("682a", (1, 2, 3, 4, 5, 6)), ("683a", (1, 2, 3, 4))]
)
def test_the_calculator_pays_the_same_as_the_table(staffed: Staffed, table: str, rounds: tuple[int, ...]) -> None:
    """The calculator gives the same lines, clauses and reasons as the replay of every finished round."""
    presets = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}
    compared = 0
    for number in rounds:
        frames = get_ok(staffed, "ada", f"/api/rounds/{table}/{number}/frames")["frames"]
        view = next(frame["view"] for frame in reversed(frames) if any(box["lines"] for box in frame["view"]["boxes"]))
        (box,) = view["boxes"]
        answer = settle_over_http(
            staffed,
            preset=presets[table],
            cards={**{place: held for place, held in view["places"].items() if held}, "player": box["cards"]},
            wagers=box["wagers"],
            raises=[multiple for multiple in box["decisions"] if multiple],
            fold=0 in box["decisions"],
            meters={"main": 10_000_53, "five-card-hand": 10_000_00} if table == "639a" else {},
            magic=view["magic"] or "",
            lucky=["player" if place == "1" else place for place in view["lucky"] if place in {"1", "dealer"}],
        )
        wanted = [
            {name: line[name] for name in ("wager", "outcome", "stake", "returned", "pays", "cite", "why", "meter")}
            for line in box["lines"]
        ]
        assert [{name: line[name] for name in wanted[0]} for line in answer["lines"]] == wanted, (table, number)
        compared += len(wanted)
    assert compared > 2 * len(rounds)


@pytest.mark.parametrize("game", GAMES)
def test_a_form_has_every_field_of_a_hand(staffed: Staffed, game: str) -> None:
    form = get_ok(staffed, "nobody", f"/api/settle/{game}")
    deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    cards = {}
    for place in form["places"]:
        cards[place["name"]], deck = deck[: place["cards"]], deck[place["cards"] :]
    wagers = {
        wager["name"]: min(wager["amounts"], default=0) or max(wager["minimum"], form["unit"])
        for wager in form["wagers"]
    }
    raises = [decision["multiples"][-1] for decision in form["decisions"]]
    meters = {meter["name"]: 1_000_000 for meter in form["meters"]}
    answer = settle_over_http(staffed, game=game, cards=cards, wagers=wagers, raises=raises, meters=meters)
    staked = {line["wager"] for line in answer["lines"] if line["outcome"] != "bonus"}
    assert staked >= {*wagers, *(decision["wager"] for decision in form["decisions"])}
    assert form["presets"] == [name for name in form["presets"] if name.startswith(game)] != []
    assert sum(wager["required"] for wager in form["wagers"]) == 1


HAND: dict[str, Any] = {
    "cards": {"player": ["2c", "3d", "5h", "7s", "9c"], "dealer": ["Ac", "Qh", "Jd", "7d", "3s"]},
    "wagers": {"ante": 1000},
    "raises": [2],
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Name a game, a table or a preset, or send a Submission."),
        ({"table": "639a", "preset": "caribbean-stud-standard"}, "Give only one of table, preset and submission."),
        ({"game": "682a", "table": "639a"}, "That Submission is for caribbean-stud, not four-card-prime."),
        ({"preset": "/etc/hostname"}, "There is no preset “/etc/hostname”; there are cajun-stud-rack-card"),
        ({"submission": "game = "}, "“The Submission” is not TOML: "),
        ({"submission": 'game = "whist"'}, "“The Submission” cannot be read: property: This key is missing."),
        ({"game": "639a", "raises": []}, "The Bet is undecided: raise or fold (639a.11(b))."),
        ({"game": "639a", "raises": [3]}, "The Bet is 2 times the Ante, not 3 times (639a.11(b))."),
        ({"game": "639a", "wagers": {"ante": 1001}}, "The Ante wager of $10.01 is not a multiple of the table's unit"),
        ({"game": "639a", "wagers": {}}, "The Ante wager is missing; every other wager needs it (639a.7(d)(1))."),
        ({"game": "639a", "cards": {"player": ["2c"]}}, "The player has 5 cards, not 1."),
        ({"game": "639a", "cards": {**HAND["cards"], "player": ["Ac", "3d", "5h", "7s", "9c"]}}, "Ac"),
        ({"game": "639a", "cards": {**HAND["cards"], "player": ["Zz", "3d", "5h", "7s", "9c"]}}, "Zz"),
        (
            {"game": "639a", "meters": {"side": 100}},
            "There is no meter “side” at this table; there are five-card-hand, main.",
        ),
        ({"game": "639a", "readings": {"nothing": "yes"}}, "nothing"),
        ({"game": "639a", "paytables": {"nothing": "A"}}, "Unknown wager or paytable “nothing”; "),
        ({"game": "639a", "paytables": {"bonus": "Z"}}, "Z"),
        ({"game": "682a", "others": [{"cards": ["2c"]}]}, "The dealer has 6 cards, not 5."),
    ],
)
def test_refuses_an_impossible_hand_in_one_sentence(staffed: Staffed, change: dict[str, Any], sentence: str) -> None:
    status, answer = staffed.ask("nobody", "POST", "/api/settle", {**HAND, **change})
    assert (status, sentence in answer["detail"]) == (400, True), answer


# Clauses.


def test_the_matrix_has_every_clause_and_each_has_a_page(staffed: Staffed) -> None:
    rows = get_ok(staffed, "nobody", "/api/clauses")
    assert [row["cite"] for row in rows] == [str(cite) for cite in rulebook().clauses]
    for row in rows:
        sheet = get_ok(staffed, "nobody", f"/api/clauses/{quote(row['cite'])}")
        assert (sheet["cite"], sheet["duty"], sheet["status"]) == (row["cite"], row["duty"], row["status"])
        assert (len(sheet["tests"]), sheet["edition"]) == (row["tests"], row["edition"])
        assert set(row["readings"]) <= {reading["id"] for reading in sheet["readings"]}
        assert bool(sheet["met_by"]) == (row["status"] != "physical")


def test_a_clause_is_found_in_every_spelling_of_its_tag(staffed: Staffed) -> None:
    written = (
        "639a.11(c)(3)(i)",
        quote("639a.11(c)(3)(i)", safe=""),
        quote("§ 639a.11(c)(3)(i)"),
        quote("§\u00a0639a.11(c)(3)(i)"),
        quote(" §639a.11(c)(3)(i) "),
    )
    answers = [get_ok(staffed, "nobody", f"/api/clauses/{text}") for text in written]
    assert answers == [answers[0]] * len(written)
    sheet = answers[0]
    assert sheet["duty"] == "Dealer below ace-king: give back the Bet and pay the Ante under 639a.12(a) and (b)."
    assert [row["cite"] for row in sheet["above"]] == ["639a.11(c)", "639a.11(c)(3)"]
    assert [reading["id"] for reading in sheet["readings"]] == ["ante-when-dealer-fails"]
    assert sheet["met_by"] == ["pitboss.games.settlement"]
    assert sheet["tests"]
    term = get_ok(staffed, "nobody", "/api/clauses/639a.1:bet-wager")
    assert (term["kind"], term["title"]) == ("definition", rulebook().sections["639a.1"].title)
    assert get_ok(staffed, "nobody", "/api/clauses/683a.11(h)")["edition"] == "683a (proposed 2017)"
    section = get_ok(staffed, "nobody", "/api/clauses/639a.11")
    assert section["bearer"] is None
    assert [row["cite"] for row in section["parts"]] == [
        str(clause.id) for clause in rulebook().clauses.values() if clause.id.section == "639a.11"
    ]


def test_the_matrix_can_be_filtered(staffed: Staffed) -> None:
    everything = get_ok(staffed, "nobody", "/api/clauses")
    queries: dict[str, RowFilter] = {
        "chapter=682a": lambda row: row["chapter"] == "682a",
        "chapter=cajun-stud&kind=payout": lambda row: (row["chapter"], row["kind"]) == ("683a", "payout"),
        "bearer=floorperson": lambda row: row["bearer"] == "floorperson",
        "status=enforced&chapter=639a": lambda row: (row["status"], row["chapter"]) == ("enforced", "639a"),
        "under=639a.12(d)": lambda row: row["cite"].startswith("639a.12(d)"),
        "text=Ace-King": lambda row: "ace-king" in row["duty"].lower(),
        "text=639a.13": lambda row: "639a.13" in row["cite"] + row["duty"],
    }
    for query, fits in queries.items():
        found = get_ok(staffed, "nobody", f"/api/clauses?{query}")
        assert found == [row for row in everything if fits(row)] != [], query
    assert get_ok(staffed, "nobody", "/api/clauses?text=no%20clause%20says%20this") == []
    assert staffed.ask("nobody", "GET", "/api/clauses?kind=nonsense")[0] == 400
