"""The value of an option in `pitboss readings` equals the exact calculation."""

from fractions import Fraction

import pytest

from pitboss.exact import jackpots
from pitboss.exact.analysis import cached_row, terms_of_row
from pitboss.exact.figures import four_digits
from pitboss.exact.payout_limits import distribution_under_limit
from pitboss.rulebook import rulebook

READINGS = rulebook().readings
EDGES = [
    ("aces-bonus-hand-size", "four-card", "four-card-prime", "aces-bonus", "A"),
    ("five-card-wheel", "no", "four-card-prime", "all-six", "C"),
    ("board-bonus-ace-low", "no", "cajun-stud", "board-bonus", "D"),
    ("same-rank-comparison", "tie", "four-card-prime", "ante", "A"),
    ("win-bonus-for-one", "pays-n-less-one", "four-card-prime", "ante", "A"),
    ("win-bonus-on-tie", "definition", "four-card-prime", "ante", "A"),
    ("board-bonus-threshold", "aces-or-better", "cajun-stud", "board-bonus", "A"),
    ("board-bonus-a-mini-royal", "fifty", "cajun-stud", "board-bonus", "A"),
    ("ante-when-dealer-fails", "odds-of-the-bet", "caribbean-stud", "ante", "-"),
    ("progressive-na", "returned", "caribbean-stud", "progressive", "E"),
]


def edge(game: str, offer: str, letter: str, choice: dict[str, str]) -> Fraction:
    return cached_row(game, offer, letter, choice).distribution.house_edge


def percent(share: Fraction) -> str:
    return f"{four_digits(100 * share)} %"


@pytest.mark.parametrize(("reading", "option", "game", "offer", "letter"), EDGES)
def test_the_edge_under_another_option(reading: str, option: str, game: str, offer: str, letter: str) -> None:
    other, default = (edge(game, offer, letter, {reading: one}) for one in (option, READINGS[reading].default))
    assert f"{percent(other)} instead of {percent(default)}" in READINGS[reading].worth[option]


def test_the_edge_with_stakes_beside_shares_of_the_meter() -> None:
    found = READINGS["meter-pay-stake"].worth["returned"]
    for letter in "AB":
        kept, back = (
            edge("caribbean-stud", "progressive", letter, {"meter-pay-stake": one}) for one in ("exchanged", "returned")
        )
        assert f"{percent(kept - back)}" in found
        terms = terms_of_row("caribbean-stud", "progressive", letter, {"meter-pay-stake": "returned"})
        row = cached_row("caribbean-stud", "progressive", letter, {"meter-pay-stake": "returned"})
        of = jackpots.make_jackpot(terms, "progressive", row.distribution)
        assert 1 - of.at_seed == back  # by the meters or by the deals, the same


def test_the_edge_with_envy_for_each_other_hand() -> None:
    for letter in "DFGH":
        terms = terms_of_row("caribbean-stud", "progressive", letter, {})
        row = cached_row("caribbean-stud", "progressive", letter, {})
        each = percent(jackpots.envy_return(terms, row.distribution))
        for reading, option in (
            ("envy-paytables", "d"),
            ("envy-own-boxes", "between-own"),
            ("envy-holder-wagered", "yes"),
        ):
            assert each in READINGS[reading].worth[option]


def test_the_edge_with_side_wagers_returned() -> None:
    found = READINGS["exposed-card-side-wagers"].worth["dealt-hands-only"]
    assert percent(edge("cajun-stud", "lo-ball", "A", {})) in found
    assert percent(edge("four-card-prime", "prime", "A", {})) in found


def test_the_edge_with_a_limit_that_counts_stakes() -> None:
    edges = [
        percent(
            distribution_under_limit(
                "cajun-stud", "ante", "B", {"payout-limit-meaning": one}, 50_000_00, 100_00
            ).house_edge
        )
        for one in ("stake-included", "winnings-only", "per-box")
    ]
    assert f"{edges[0]} instead of {edges[1]}" in READINGS["payout-limit-meaning"].worth["stake-included"]
    assert edges[1] == edges[2]


def test_the_edge_with_magic_cards_paid_one_less() -> None:
    assert percent(Fraction(5, 52)) in READINGS["magic-lucky-for-one"].worth["pays-n-less-one"]
