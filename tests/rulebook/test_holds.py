"""The hold percentages that the Board published in rulemaking 125-204 (24 January 2017, preamble).

An outside figure for rankings and paytables at once: the lowest and highest hold over the tables of
each optional wager, as the preamble rounds them. Where the text as it stands gives another figure,
the reading that reproduces the Board's is named; the evidence in readings.toml quotes these numbers.
"""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest

from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.rulebook import ForOne, Odds, Pay, Push, rulebook
from pitboss.rulebook.paytables import pay_row


def holds(game: str, wager: str, **choice: str) -> dict[str, Fraction]:
    """Return the house's expected share of the wager for each paytable."""
    book = rulebook()
    options = book.options({name.replace("_", "-"): option for name, option in choice.items()})
    tables = book.games[game].paytables[wager]
    ranking = book.ranking(game, tables.ranking, options)
    hands = all_hands(ranking.cards[0])
    counts = np.bincount(evaluate_many(ranking, hands).place, minlength=len(ranking.hands)).tolist()
    return {
        letter: -sum(
            (count * net(pay_row(book.paytable(game, wager, letter, options), hand)[1])
             for hand, count in zip(ranking.hands, counts, strict=True)), Fraction()
        ) / len(hands)
        for letter in tables.printed
    }  # fmt: skip


def net(pay: Pay) -> Fraction:
    if isinstance(pay, Odds):
        return Fraction(pay.wins, pay.per)
    return Fraction(0) if isinstance(pay, Push) else Fraction(-1)


def printed_as(hold: Fraction, published: str) -> bool:
    """Whether the figure rounds or truncates to the published one, to as many places."""
    exact = Decimal(hold.numerator) / Decimal(hold.denominator) * 100
    return Decimal(published) in {exact.quantize(Decimal(published), how) for how in (ROUND_DOWN, ROUND_HALF_UP)}


@pytest.mark.parametrize(
    ("game", "wager", "low", "high", "readings"),
    [
        ("four-card-prime", "prime", "4.74", "9.8", {}),
        ("four-card-prime", "all-six", "6.74", "18.1", {}),
        ("four-card-prime", "aces-bonus", "1.11", "6.6", {"aces_bonus_hand_size": "four-card"}),
        ("cajun-stud", "pocket-bonus", "4.52", "9.95", {}),
        ("cajun-stud", "board-bonus", "2.14", "7.1", {"board_bonus_a_mini_royal": "fifty"}),
        ("cajun-stud", "lo-ball", "7.18", "8.71", {}),
        ("cajun-stud", "all-six", "6.74", "18.1", {}),
    ],
)
def test_125_204_published_range_of_holds(game: str, wager: str, low: str, high: str, readings: dict[str, str]) -> None:
    found = holds(game, wager, **readings).values()
    assert printed_as(min(found), low)
    assert printed_as(max(found), high)


@pytest.mark.parametrize(
    ("game", "wager", "low", "readings"),
    [
        ("four-card-prime", "aces-bonus", "1.11", {}),
        ("four-card-prime", "all-six", "6.74", {"five_card_wheel": "no"}),
        ("cajun-stud", "board-bonus", "2.14", {}),
        ("cajun-stud", "board-bonus", "2.14", {"board_bonus_a_mini_royal": "fifty", "board_bonus_ace_low": "no"}),
        ("cajun-stud", "board-bonus", "2.14", {"board_bonus_threshold": "aces-or-better"}),
    ],
)
def test_the_other_reading_does_not_give_the_published_hold(
    game: str, wager: str, low: str, readings: dict[str, str]
) -> None:
    assert not printed_as(min(holds(game, wager, **readings).values()), low)


@pytest.mark.parametrize(
    ("game", "wager", "letter", "readings", "percent"),
    [
        ("four-card-prime", "aces-bonus", "A", {}, "46.3"),
        ("four-card-prime", "aces-bonus", "E", {}, "47.6"),
        ("four-card-prime", "aces-bonus", "C", {}, "45.8"),
        ("four-card-prime", "aces-bonus", "A", {"aces_bonus_hand_size": "four-card"}, "1.106"),
        ("four-card-prime", "aces-bonus", "E", {"aces_bonus_hand_size": "four-card"}, "6.615"),
        ("four-card-prime", "all-six", "C", {}, "6.741"),
        ("four-card-prime", "all-six", "E", {}, "18.098"),
        ("four-card-prime", "all-six", "C", {"five_card_wheel": "no"}, "8.665"),
        ("four-card-prime", "all-six", "E", {"five_card_wheel": "no"}, "20.197"),
        ("four-card-prime", "prime", "A", {}, "4.742"),
        ("four-card-prime", "prime", "B", {}, "9.804"),
        ("cajun-stud", "pocket-bonus", "A", {}, "4.525"),
        ("cajun-stud", "pocket-bonus", "C", {}, "9.955"),
        ("cajun-stud", "board-bonus", "D", {}, "7.095"),
        ("cajun-stud", "board-bonus", "D", {"board_bonus_ace_low": "no"}, "9.665"),
        ("cajun-stud", "board-bonus", "A", {}, "2.317"),
        ("cajun-stud", "board-bonus", "A", {"board_bonus_a_mini_royal": "fifty"}, "2.136"),
        ("cajun-stud", "lo-ball", "B", {}, "7.182"),
        ("cajun-stud", "lo-ball", "A", {}, "8.713"),
    ],
)
def test_the_evidence_of_the_readings_has_correct_figures(
    game: str, wager: str, letter: str, readings: dict[str, str], percent: str
) -> None:
    assert printed_as(holds(game, wager, **readings)[letter], percent)
    assert any(f"{percent} %" in reading.evidence for reading in rulebook().readings.values())


@pytest.mark.parametrize(("letter", "percent"), [("A", "115.9"), ("B", "109.0"), ("E", "101.2")])
def test_progressive_tables_that_return_more_than_the_wager(letter: str, percent: str) -> None:
    """Fixed pays from the table and the primary rate on the meter, before any seed."""
    assert printed_as(fixed_and_primary(letter), percent)
    assert f"{percent} % " in rulebook().readings["progressive-fixed-pays"].evidence


def test_the_other_progressive_tables_return_67_to_76_percent() -> None:
    returns = sorted(fixed_and_primary(letter) for letter in "CDFGH")
    assert printed_as(returns[0], "67")
    assert printed_as(returns[-1], "76")


def fixed_and_primary(letter: str) -> Fraction:
    rules = rulebook().games["caribbean-stud"]
    ranking = rulebook().ranking("caribbean-stud", "five-card")
    counts = np.bincount(evaluate_many(ranking, all_hands(5)).place).tolist()
    of_hand = dict(zip([hand.name for hand in ranking.hands], counts, strict=True))
    table = rules.paytables["progressive"].printed[letter]
    fixed = sum(of_hand[hand] * pay.pays for hand, pay in table.items() if isinstance(pay, ForOne))
    meters = rules.meters["progressive"].paytables[letter].values()
    primary = sum(meter.primary.of_wager for meter in meters if meter.primary)
    return Fraction(fixed, sum(counts)) + Fraction(primary, 100)
