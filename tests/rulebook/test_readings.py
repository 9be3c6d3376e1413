"""Readings: every question has clauses, options with meanings, a default and evidence."""

import pytest

from pitboss.errors import Mistake
from pitboss.rulebook import rulebook

READINGS = rulebook().readings


def test_every_reading_is_complete() -> None:
    assert len(READINGS) == 72
    for name, reading in READINGS.items():
        assert reading.id == name
        assert reading.question.rstrip("”").endswith((".", "?"))
        assert reading.evidence.endswith(".")
        assert reading.default == next(iter(reading.options))
        assert all(meaning.endswith(".") for meaning in reading.options.values())


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
        ("cajun-community-deal", ["after-players", "interleaved", "first"]),
        ("envy-paytables", ["d-f-g-h", "d"]),
        ("progressive-fixed-pays", ["from-table", "from-meter"]),
        ("abandoned-wagers", ["required-lose-optional-play-out", "all-lose", "played-out"]),
        ("ev-ties", ["larger-wager", "smaller-wager"]),
    ],
)
def test_options_of_a_reading_default_first(reading: str, options: list[str]) -> None:
    assert list(READINGS[reading].options) == options


def test_a_choice_settles_every_reading() -> None:
    options = rulebook().options({"five-card-wheel": "no"})
    assert options.keys() == READINGS.keys()
    assert options["five-card-wheel"] == "no"
    assert options["kicker-rule"] == "standard"


def test_a_reading_or_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Mistake, match=r"^There is no reading “five-card-whel”; did you mean “five-card-wheel”\?$"):
        rulebook().options({"five-card-whel": "no"})
    with pytest.raises(Mistake, match=r"^The reading five-card-wheel has no option “maybe”; it has yes, no\.$"):
        rulebook().options({"five-card-wheel": "maybe"})


def test_683a_12_c_paytable_a_under_both_readings() -> None:
    tables = rulebook().games["cajun-stud"].paytables["board-bonus"]
    printed = tables.table("A", rulebook().options({}))
    fifty = tables.table("A", rulebook().options({"board-bonus-a-mini-royal": "fifty"}))
    assert str(printed["Mini-royal"]) == "40 to 1"
    assert str(fifty["Mini-royal"]) == "50 to 1"
    assert list(printed) == list(fifty)
    assert [hand for hand in printed if printed[hand] != fifty[hand]] == ["Mini-royal"]
    with pytest.raises(Mistake, match=r"^There is no Paytable E for board-bonus; there is A, B, C, D\.$"):
        tables.table("E", rulebook().options({}))
