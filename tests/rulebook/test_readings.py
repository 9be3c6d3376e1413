"""Readings: every question has clauses, options with meanings, a default and evidence."""

import pytest

from pitboss.errors import Mistake
from pitboss.rulebook import rulebook
from pitboss.rulebook.paytables import pay_row

READINGS = rulebook().readings


def test_every_reading_is_complete() -> None:
    assert len(READINGS) >= 79
    for name, reading in READINGS.items():
        assert reading.id == name
        assert reading.question.rstrip("”").endswith((".", "?"))
        assert reading.evidence.endswith(".")
        assert reading.default == next(iter(reading.options))
        assert all(meaning.endswith(".") for meaning in (*reading.options.values(), *reading.worth.values()))
        assert list(reading.worth) == list(reading.options)[1:], name  # the money effect of every other option


@pytest.mark.parametrize(
    ("reading", "options"),
    [
        ("aces-bonus-hand-size", ["codified", "four-card"]),
        ("five-card-wheel", ["yes", "no"]),
        ("board-bonus-ace-low", ["yes", "no"]),
        ("same-rank-comparison", ["by-6c", "tie"]),
        ("win-bonus-for-one", ["pays-n", "pays-n-less-one"]),
        ("win-bonus-on-tie", ["procedure", "definition"]),
        ("board-bonus-threshold", ["any-pair", "aces-or-better"]),
        ("board-bonus-a-mini-royal", ["printed", "fifty"]),
        ("cajun-all-six-cards", ["four-separate", "community-plus-one"]),
        ("cajun-community-deal", ["after-players", "interleaved", "first", "four-first"]),
        ("envy-paytables", ["d-f-g-h", "d"]),
        ("progressive-fixed-pays", ["from-table", "from-meter"]),
        ("abandoned-wagers", ["required-lose-optional-play-out", "all-lose", "played-out"]),
        ("ev-ties", ["larger-wager", "smaller-wager"]),
    ],
)
def test_the_default_is_the_first_option(reading: str, options: list[str]) -> None:
    assert list(READINGS[reading].options) == options


def test_every_reading_has_a_choice() -> None:
    options = rulebook().options({"five-card-wheel": "no"})
    assert options.keys() == READINGS.keys()
    assert options["five-card-wheel"] == "no"
    assert options["kicker-rule"] == "standard"


def test_refuses_an_unknown_reading_or_option() -> None:
    with pytest.raises(Mistake, match=r"^There is no reading “five-card-whel”; did you mean “five-card-wheel”\?$"):
        rulebook().options({"five-card-whel": "no"})
    with pytest.raises(Mistake, match=r"^The reading five-card-wheel has no option “maybe”; it has yes, no\.$"):
        rulebook().options({"five-card-wheel": "maybe"})


def test_683a_12_c_paytable_a_under_both_readings() -> None:
    printed = rulebook().paytable("cajun-stud", "board-bonus", "A")
    fifty = rulebook().paytable("cajun-stud", "board-bonus", "A", {"board-bonus-a-mini-royal": "fifty"})
    assert str(printed["Mini-royal"]) == "40 to 1"
    assert str(fifty["Mini-royal"]) == "50 to 1"
    assert list(printed) == list(fifty)
    assert [hand for hand in printed if printed[hand] != fifty[hand]] == ["Mini-royal"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("cajun-stud", "board-bonus", "E"), "There is no Paytable E for board-bonus; the paytables are A, B, C, D."),
        (
            ("cajun-stud", "bonus", "A"),
            "cajun-stud has no wager “bonus”; it has ante-raise, pocket-bonus, board-bonus, lo-ball, all-six.",
        ),
        (
            ("roulette", "bonus", "A"),
            "There is no game “roulette”; there are caribbean-stud, four-card-prime, cajun-stud.",
        ),
    ],
)
def test_refuses_an_unknown_paytable(asked: tuple[str, str, str], sentence: str) -> None:
    with pytest.raises(Mistake) as refused:
        rulebook().paytable(*asked)
    assert str(refused.value) == sentence


def test_all_six_paytables_without_a_six_card_row_pay_the_royal_flush() -> None:
    ranking = rulebook().ranking("four-card-prime", "all-six")
    pays = {
        letter: str(pay_row(rulebook().paytable("four-card-prime", "all-six", letter), ranking.hands[0])[1])
        for letter in "ABCDE"
    }
    assert pays == {"A": "1000 to 1", "B": "1000 to 1", "C": "1000 to 1", "D": "1000 to 1", "E": "200000 to 1"}
