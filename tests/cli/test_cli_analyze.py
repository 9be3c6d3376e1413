"""`pitboss analyze` and `pitboss holds`: figures for people and programs, and refusals."""

import json

import pytest

from pitboss.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_json_has_the_documented_fields(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "analyze", "caribbean-stud", "--wager", "ante-bet", "--format", "json"))
    assert (data["game"], data["edition"]) == ("caribbean-stud", "639a (codified 2019)")
    assert data["readings"]["ev-ties"] == "larger-wager"
    (wager,) = data["wagers"]
    assert (wager["wager"], wager["paytable"], wager["deals"]) == ("ante-bet", None, 19_933_230_517_200)
    assert wager["net"] == "-1041372912372/1"
    assert wager["house_edge"] == "142031221/2718662100"  # 1,041,372,912,372 of 19,933,230,517,200 in lowest terms
    assert isinstance(wager["standard_deviation"], float)
    assert sum(outcome["count"] for outcome in wager["outcomes"]) == wager["deals"]
    assert set(wager["outcomes"][0]) == {"outcome", "count", "pays"}


def test_progressive_rows_show_how_they_depend_on_meters(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "analyze", "639a", "--wager", "progressive", "--paytable", "A", "--format", "json")
    (wager,) = json.loads(text)["wagers"]
    assert wager["fixed_return"] == "40891/64974"
    assert wager["meters"] == {"main": {"slope": "1/649740"}}
    assert wager["break_even_meter"] == "240830/1"


def test_every_wager_and_paytable_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "analyze", "683a")
    assert [line.split()[:3] for line in text.splitlines()[2:5]] == [
        ["ante-raise", "A", "4.9149"],
        ["ante-raise", "B", "15.2329"],
        ["ante-raise", "C", "14.1057"],
    ]
    assert len([line for line in text.splitlines() if "%" in line]) == 17


def test_a_submission_chooses_wagers_paytables_and_readings(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "analyze", "683a", "--submission", "cajun-stud-rack-card", "--format", "json")
    wagers = json.loads(text)["wagers"]
    assert wagers[0]["wager"] == "ante-raise"
    assert len({wager["wager"] for wager in wagers}) == len(wagers)


def test_683a_12_f_the_analysis_uses_the_submissions_payout_limit(capsys: pytest.CaptureFixture[str]) -> None:
    """The rack card's $50,000: at an Ante of $100 the limit has changed the edge, which the figures without it do not show."""
    asked = ["analyze", "683a", "--submission", "cajun-stud-rack-card"]
    data = json.loads(run(capsys, *asked, "--format", "json"))
    assert data["payout_limit"] == 50_000_00
    edges = {one["wager_cents"]: one["house_edge"] for one in data["limited"] if one["wager"] == "ante-raise"}
    (free,) = (one["house_edge"] for one in data["wagers"] if one["wager"] == "ante-raise")
    assert edges[100] == free != edges[100_00]
    together = json.loads(run(capsys, *asked, "--together", "ante=100", "--format", "json"))
    assert edges[100_00] == together["house_edge"]
    assert "House edge under a payout limit of $50,000.00" in run(capsys, *asked)
    alone = json.loads(run(capsys, *asked, "--wager", "pocket-bonus", "--format", "json"))
    assert "payout_limit" not in alone  # 683a.12(f) is about the Ante and Raise Wagers


def test_only_wagers_of_rulemaking_125_204_mention_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "125-204" in run(capsys, "analyze", "682a", "--wager", "prime")
    assert "125-204" not in run(capsys, "analyze", "639a", "--wager", "bonus")


def test_without_a_terminal_only_the_sentence_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "639a", "--player", "Ah Kd Qs 8c", "--up", "8d"]) == 2
    assert capsys.readouterr().err.startswith("pitboss: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["teapot"], "There is no game “teapot”"),
        (["639a", "--wager", "prime"], "has no wager “prime” to analyze"),
        (["639a", "--wager", "bonus", "--paytable", "Z"], "There is no Paytable Z for bonus; there are A, B, C."),
        (["639a", "--wager", "ante-bet", "--paytable", "A"], "there is only one, without a letter"),
        (["683a", "--reading", "ev-ties=x"], "The reading ev-ties has no option “x”"),
        (["683a", "--reading", "teapot=x"], "There is no reading “teapot”"),
        (["683a", "--reading", "teapot"], "must have the form NAME=VALUE"),
        (["683a", "--submission", "caribbean-stud-standard"], "is for caribbean-stud, not cajun-stud"),
        (["683a", "--submission", "nowhere.toml"], "nowhere.toml"),
        (["683a", "--limit", ""], "is not an amount"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", *arguments]) == 2
    out = capsys.readouterr()
    assert said in out.err
    assert out.out == ""


def test_holds_prints_every_published_range(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "holds", "683a")
    assert "published 1.37 % to 4.28 %" in text
    assert text.count("Both ends follow") == 5
    data = json.loads(run(capsys, "holds", "682a", "--format", "json"))
    assert data[0]["verdict"].startswith("Not reproduced by any of the 16 combinations.")
    assert main(["holds", "639a"]) == 2


def test_advise_prints_the_value_of_each_decision(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "advise", "639a", "--player", "Ah Kd Qc 7s 3h", "--up", "2c", "--format", "json")
    assert json.loads(text) == {
        "game": "caribbean-stud",
        "raised": [],
        "decisions": [{"decision": "fold", "worth": "-1/1"}, {"decision": "raise 2 ×", "worth": "-32149/32637"}],
        "best": "raise 2 ×",
    }
    assert "-0.985048  best" in run(capsys, "advise", "639a", "--player", "Ah Kd Qc 7s 3h", "--up", "2c")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["639a", "--player", "Ah Ah Qc 7s 3h", "--up", "2c"], "Ah"),
        (["639a", "--player", "Ah Kx Qc 7s 3h", "--up", "2c"], "“Kx” is not a card"),
        (["683a", "--player", "Ah Kh", "--paytable", "Z"], "There is no Paytable Z for ante-raise"),
        (
            ["683a", "--player", "Ah Kh", "--board", "2c", "--raise", "x"],
            "“x” is not a multiple of the Ante; give a whole number.",
        ),
        (["683a", "--player", "Ah Kh", "--board", "2c", "--raise", "1" * 5000], "“111111111111” is not a multiple"),
        (["683a", "--player", "Ah Kh", "--board", "2c", "--raise", "4"], "each 1, 2, 3 times the Ante"),
    ],
)
def test_refuses_advice_on_an_impossible_situation(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["advise", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_strategy_prints_rules_and_their_cost(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "strategy", "682a", "--paytable", "D")
    assert "Raise 3 × with pair T-J-3 or better." in text
    data = json.loads(run(capsys, "strategy", "682a", "--format", "json"))
    assert [one["strategy"] for one in data] == ["best decisions", "by the hand alone"]
    assert data[0]["cost"] == "0/1"


def test_advice_names_the_raises_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "After raises of 1 ×" in run(capsys, "advise", "683a", "--player", "7h 2d", "--board", "9c")
    text = run(
        capsys,
        "advise",
        "683a",
        "--player",
        "7h 2d",
        "--board",
        "9c 2c",
        "--raise",
        "3",
        "--raise",
        "1",
        "--format",
        "json",
    )
    assert json.loads(text)["raised"] == [3, 1]


def test_several_wagers_are_analyzed_jointly(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "analyze", "639a", "--together", "ante=10", "--together", "bonus=5")
    assert "ante $10.00, bonus $5.00: $15.00 before the deal; paytables: bonus A" in text
    data = json.loads(
        run(capsys, "analyze", "639a", "--together", "ante=10", "--together", "bonus=5", "--format", "json")
    )
    assert data["wagers"] == {"ante": 1000, "bonus": 500}
    assert sum(data["results"].values()) == data["deals"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["683a", "--wager", "lo-ball", "--limit", "50000"], "lo-ball has no payout limit"),
        (["683a", "--wager", "ante-raise", "--limit", "0.50"], "A payout limit is at least one dollar"),
        (["639a", "--limit", "50000"], "caribbean-stud has no payout limit."),
        (["683a", "--limit", "x"], "x"),
        (["683a", "--rounds", "0"], "The number of rounds is at least 1"),
        (["683a", "--hours", "nan"], "--hours nan must be below 10,000"),
        (["683a", "--rounds", "5", "--hours", "2"], "not both"),
        (
            ["683a", "--submission", "cajun-stud-rack-card", "--wager", "ante-raise", "--paytable", "A"],
            "with other paytables",
        ),
        (["683a", "--together", "teapot=5"], "has no wager “teapot”"),
        (["683a", "--together", "ante=5", "--paytable", "C"], "--together excludes --wager, --paytable and --limit"),
        (["683a", "--together", "ante=9999999999"], "A wager in a combination is at most $1,000,000.00"),
        (["683a", "--together", "ante=5", "--rounds", "-4"], "The number of rounds is at least 1"),
        (["683a", "--together", "pocket-bonus=5"], "The Ante wager is missing"),
    ],
)
def test_refuses_wagers_that_cannot_be_analyzed_jointly(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_joint_analysis_uses_the_submission(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "683a", "--submission", "cajun-stud-rack-card", "--together", "ante=500", "--rounds", "10"]
    data = json.loads(run(capsys, *arguments, "--format", "json"))
    assert (data["paytables"], data["payout_limit"]) == ({"ante-raise": "B"}, 50_000_00)
    numerator, denominator = map(int, data["house_edge"].split("/"))
    assert f"{100 * numerator / denominator:.4f}" == "21.8326"
    assert data["session"]["rounds"] == 10
    assert "payout limit $50,000.00" in run(capsys, *arguments)
