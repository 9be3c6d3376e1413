"""Side wagers: the number of deals for each row, the return, and wagers with meters as functions of the meters."""

from fractions import Fraction
from math import comb
from typing import Any

import msgspec
import pytest

from pitboss.exact.analysis import AnalysisRow, as_json, cached_row, jackpot_of, list_tasks
from pitboss.exact.jackpots import envy_return, long_run
from pitboss.exact.payoffs import terms_for
from pitboss.rulebook import rulebook

# From another program, written from the chapters alone: the player's result over all deals.
NETS = {
    ("caribbean-stud", "bonus", 5): {"A": -80_820, "B": -135_732, "C": -186_732},
    ("four-card-prime", "prime", 5): {"A": -123_240, "B": -254_800},
    ("four-card-prime", "all-six", 6): {"A": -2_081_616, "B": -3_110_576, "C": -1_372_436, "D": -1_742_976, "E": -3_684_496},
    ("four-card-prime", "aces-bonus", 5): {
        "A": -1_203_816, "B": -1_226_416, "C": -1_191_096, "D": -1_214_016, "E": -1_236_936, "F": -1_460_076, "G": -1_352_964, "H": -1_292_776,
    },
    ("cajun-stud", "pocket-bonus", 2): {"A": -60, "B": -90, "C": -132},
    ("cajun-stud", "board-bonus", 3): {"A": -512, "B": -1_232, "C": -1_192, "D": -1_568},
    ("cajun-stud", "lo-ball", 5): {"A": -226_440, "B": -186_660},
    ("cajun-stud", "all-six", 6): {"A": -2_081_616, "B": -3_110_576, "C": -1_372_436, "D": -1_742_976, "E": -3_684_496},
}  # fmt: skip
OTHERWISE = {
    ("four-card-prime", "aces-bonus", "aces-bonus-hand-size", "four-card"): {
        "A": -28_744, "B": -53_224, "C": -89_192, "D": -130_552, "E": -171_912, "F": -87_648, "G": -72_144, "H": -101_144,
    },
    ("four-card-prime", "all-six", "five-card-wheel", "no"): {"A": -2_508_096, "B": -3_537_976, "C": -1_764_076, "D": -2_170_376, "E": -4_111_896},
    ("cajun-stud", "board-bonus", "board-bonus-a-mini-royal", "fifty"): {"A": -472, "B": -1_232, "C": -1_192, "D": -1_568},
    ("cajun-stud", "board-bonus", "board-bonus-ace-low", "no"): {"A": -1_076, "B": -1_736, "C": -1_696, "D": -2_136},
    ("cajun-stud", "board-bonus", "board-bonus-threshold", "aces-or-better"): {"A": -7_424, "B": -8_144, "C": -8_104, "D": -8_480},
}  # fmt: skip


def row(game: str, wager: str, letter: str, **readings: str) -> AnalysisRow:
    (task,) = list_tasks(game, wager)
    return cached_row(game, task.offer, letter, {name.replace("_", "-"): option for name, option in readings.items()})


@pytest.mark.proves(
    "639a.12(c)", "682a.12(d)", "682a.12(e)", "682a.12(f)", "683a.12(b)", "683a.12(c)", "683a.12(d)", "683a.12(e)"
)
@pytest.mark.parametrize(("game", "wager", "cards"), NETS)
def test_side_wagers(game: str, wager: str, cards: int) -> None:
    for letter, net in NETS[game, wager, cards].items():
        found = row(game, wager, letter).distribution
        assert found.deals == comb(52, cards)
        assert found.net == net


@pytest.mark.parametrize(("game", "wager", "reading", "option"), OTHERWISE)
def test_side_wagers_under_other_readings(game: str, wager: str, reading: str, option: str) -> None:
    (task,) = list_tasks(game, wager)
    for letter, net in OTHERWISE[game, wager, reading, option].items():
        assert cached_row(game, task.offer, letter, {reading: option}).distribution.net == net


def test_counts_of_poker_hands_are_the_known_ones() -> None:
    found = {outcome.name: outcome.count for outcome in row("caribbean-stud", "progressive", "A").distribution.outcomes}
    assert found["Royal flush"] == 4
    assert found["Straight flush"] == 36
    assert found["Four-of-a-kind"] == 624
    assert found["Full house"] == 3_744
    assert found["Flush"] == 5_108
    six = {outcome.name: outcome.count for outcome in row("four-card-prime", "all-six", "E").distribution.outcomes}
    assert six["Six-card royal flush—diamonds"] == 1
    assert six["Six-card royal flush—hearts, spades or clubs"] == 3


# Net over all hands for $1: a constant, and so much for each meter dollar (found by the other program).
METERS = {
    "A": (-963_320, {"main": Fraction(4)}),
    "B": (-1_143_320, {"main": Fraction(38, 5)}),
    "C": (-1_282_432, {"main": Fraction(38, 5)}),
    "D": (-1_220_032, {"main": Fraction(38, 5)}),
    "E": (-1_657_160, {"main": Fraction(38, 5)}),
    "F": (-1_220_032, {"mega": Fraction(4), "major": Fraction(36)}),
    "G": (-1_352_320, {"mega": Fraction(4), "major": Fraction(36), "minor": Fraction(624)}),
    "H": (-1_407_232, {"mega": Fraction(4), "major": Fraction(36), "minor": Fraction(624)}),
}


@pytest.mark.proves("639a.12(d)(1)", "639a.12(d)(4)")
@pytest.mark.parametrize("letter", METERS)
def test_the_progressive_return_depends_on_its_meters(letter: str) -> None:
    found = row("caribbean-stud", "progressive", letter)
    held = jackpot_of("caribbean-stud", found, {})
    assert held
    terms, jackpot = held
    constant, slopes = METERS[letter]
    assert jackpot.fixed_return == 1 + Fraction(constant, 2_598_960)
    assert jackpot.slopes == {name: slope / 2_598_960 for name, slope in slopes.items()}
    assert jackpot.at_seed == 1 - found.distribution.house_edge
    if letter in "ABCDE":
        assert jackpot.break_even is not None
        assert jackpot.at({"main": jackpot.break_even}) == 1
    else:
        assert jackpot.break_even is None
    # 639a.12(d)(6): $1,000 for a royal flush, $300 for a straight flush, for each other hand.
    assert envy_return(terms, found.distribution) == (
        Fraction(4 * 1000 + 36 * 300, 2_598_960) if letter in "DFGH" else 0
    )


def test_the_progressive_return_in_the_long_run() -> None:
    """All money on a meter is won in the end: increments, and the seed after each royal flush."""
    over, sinks = set(), set()
    for letter in METERS:
        found = row("caribbean-stud", "progressive", letter)
        held = jackpot_of("caribbean-stud", found, {})
        assert held
        terms, jackpot = held
        run = long_run(terms, "progressive", jackpot)
        assert run
        if run.from_table > 1:
            over.add(letter)
        if run.sinks:
            sinks.add(letter)
        if letter in "AFGH":  # no part of a meter is ever won: there is none to follow with a reseed
            always = msgspec.structs.replace(terms, readings={**terms.readings, "partial-reseed": "always"})
            assert long_run(always, "progressive", jackpot) == run
        if letter == "A":  # 53 % of each dollar, and $10,000 with a chance of 4 in 2,598,960
            assert run.onto_meters == Fraction(53, 100) + Fraction(40_000, 2_598_960)
    assert over == {"A", "B", "E"}
    assert sinks == set("ABCDFGH")


@pytest.mark.proves("639a.12(e)(1)", "639a.12(e)(4)")
def test_five_card_hand() -> None:
    found = row("caribbean-stud", "five-card-hand", "-")
    held = jackpot_of("caribbean-stud", found, {})
    assert held
    terms, jackpot = held
    assert jackpot.fixed_return == 1 + Fraction(-1_657_160, 2_598_960)
    assert jackpot.slopes == {"five-card-hand": Fraction(38, 5) / 2_598_960}
    run = long_run(terms, "five-card-hand-player", jackpot)
    assert run
    assert run.from_meter is None  # 639a.11(c)(5)(iv) is about the Progressive alone
    assert (
        long_run(
            terms_for("caribbean-stud", {"ante": "-", "five-card-hand": "-"}, {"partial-reseed": "always"}),
            "five-card-hand-player",
            jackpot,
        )
        is None
    )
    assert run.onto_meters == Fraction(13, 100) + Fraction(8, 100)  # reseeded with nothing: it restarts at the reserve
    data: Any = as_json("caribbean-stud", [found], rulebook().options({}))
    (wager,) = data["wagers"]
    assert wager["break_even_meter"] == "4142900/19"
    assert wager["paytable"] is None
