"""How many of all C(52, n) hands are of each kind, against counts worked out here by combinatorics.

Words used below: a *run set* is a set of ranks that contains a run. With the ace low there are 10 runs
of five ranks, 11 of four and 12 of three; each is counted once, by its highest run: the further ranks
must not include the one just above it.
"""

from math import comb

import numpy as np
import pytest

from pitboss.ranking import Ranking
from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.rulebook import rulebook

Counts = dict[str, int]

SUITS, RANKS = 4, 13
PAIR, TRIPS = comb(4, 2), comb(4, 3)
KICKERS_3 = comb(12, 3) * 4**3


def counts(game: str, name: str, size: int, **choice: str) -> Counts:
    ranking = rulebook().ranking(game, name, {key.replace("_", "-"): option for key, option in choice.items()})
    return count(ranking, size)


def count(ranking: Ranking, size: int) -> Counts:
    places = evaluate_many(ranking, all_hands(size)).place
    found = np.bincount(places, minlength=len(ranking.hands)).tolist()
    return dict(zip([hand.name for hand in ranking.hands], found, strict=True))


def counts_agree(found: Counts, expected: Counts) -> bool:
    """Whether counts are the same and the hands rank in the order in which they were derived."""
    return list(found.items()) == list(expected.items())


def five_card(*, wheel: bool = True) -> Counts:
    """Derive the classic counts of five-card poker."""
    runs = 10 if wheel else 9
    return {
        "Royal flush": SUITS,
        "Straight flush": SUITS * (runs - 1),
        "Four-of-a-kind": RANKS * 48,
        "Full house": RANKS * TRIPS * 12 * PAIR,
        "Flush": SUITS * (comb(13, 5) - runs),
        "Straight": runs * (4**5 - SUITS),
        "Three-of-a-kind": RANKS * TRIPS * comb(12, 2) * 4**2,
        "Two pair": comb(13, 2) * PAIR**2 * 44,
        "Pair": RANKS * PAIR * KICKERS_3,
        "High card": (comb(13, 5) - runs) * (4**5 - SUITS),
    }


@pytest.mark.proves(
    "639a.6(a)",
    "639a.6(b)",
    "639a.6(b)(1)",
    "639a.6(b)(2)",
    "639a.6(b)(3)",
    "639a.6(b)(4)",
    "639a.6(b)(5)",
    "639a.6(b)(6)",
    "639a.6(b)(7)",
    "639a.6(b)(8)",
    "639a.6(b)(9)",
)
def test_639a_6_b_counts_of_five_card_hands() -> None:
    expected = five_card()
    assert sum(expected.values()) == comb(52, 5)
    assert counts_agree(counts("caribbean-stud", "five-card", 5), expected)


@pytest.mark.proves("639a.6(c)")
def test_639a_6_c_divides_five_card_hands_into_7462_classes() -> None:
    ranking = rulebook().ranking("caribbean-stud", "five-card")
    orders = np.unique(evaluate_many(ranking, all_hands(5)).order)
    high_or_flush = comb(13, 5) - 10
    expected = 1 + 9 + 13 * 12 + 13 * 12 + high_or_flush + 10 + 13 * comb(12, 2) + comb(13, 2) * 11
    expected += 13 * comb(12, 3) + high_or_flush
    assert expected == 7462
    assert len(orders) == expected


def test_639a_12_b_the_bet_pays_all_hands_below_two_pair_the_same() -> None:
    poker = five_card()
    expected = {name: poker[name] for name in list(poker)[:8]}
    expected["A pair or less"] = poker["Pair"] + poker["High card"]
    assert counts_agree(counts("caribbean-stud", "bet", 5), expected)


@pytest.mark.proves("639a.11(c)(3)(i)", "639a.11(c)(3)(ii)")
def test_639a_11_c_3_the_dealer_qualifies_with_ace_king() -> None:
    poker = five_card()
    # Ace and king with three of the eleven other ranks, but not queen, jack and ten; no flush.
    ace_king = (comb(11, 3) - 1) * (4**5 - 4)
    found = counts("caribbean-stud", "qualifying", 5)
    assert found["Ace-king"] == ace_king == 167_280
    assert found["Less than ace-king"] == poker["High card"] - ace_king == 1_135_260


def test_639a_7_d_3_the_bonus_starts_at_a_pair_of_tens() -> None:
    poker = five_card()
    expected = {name: poker[name] for name in list(poker)[:8]}
    expected["A pair of 10s or better"] = 5 * PAIR * KICKERS_3
    expected["Less than a pair of 10s"] = 8 * PAIR * KICKERS_3 + poker["High card"]
    assert counts_agree(counts("caribbean-stud", "bonus", 5), expected)


# Four-card hands. Of 13 ranks taken 4, 5 or 6 at a time, so many contain a run of four:
RUNS_4_OF_4 = 11
RUNS_4_OF_5 = comb(9, 1) + 10 * comb(8, 1)
RUNS_4_OF_6 = comb(9, 2) + 10 * comb(8, 2)
# Ways to give suits to 5 or 6 different ranks so that four or more cards share one:
SUITED_5 = SUITS * (comb(5, 4) * 3 + 1)
SUITED_6 = SUITS * (comb(6, 4) * 3**2 + comb(6, 5) * 3 + 1)
# The same where one of 4 ranks (of 5; two of 4) is a pair: it has the suit in half of its C(4, 2) ways.
SUITED_PAIR_3 = SUITS * 3
SUITED_PAIR_4 = SUITS * (3 * (comb(4, 3) * 3 + 1) + 3)
SUITED_PAIRS_2 = SUITS * 3**2


def four_card_of_five() -> Counts:
    return {
        "Four-of-a-kind": RANKS * 48,
        "Straight flush": SUITS * (48 + 10 * 47),
        "Three-of-a-kind": RANKS * TRIPS * comb(48, 2),
        "Flush": SUITS * ((comb(13, 4) - RUNS_4_OF_4) * 39 + comb(13, 5) - RUNS_4_OF_5),
        "Straight": RUNS_4_OF_5 * (4**5 - SUITED_5) + RUNS_4_OF_4 * 4 * (PAIR * 4**3 - SUITED_PAIR_3),
        "Two pairs": comb(13, 2) * PAIR**2 * 44,
        "Pair": (comb(13, 4) - RUNS_4_OF_4) * 4 * (PAIR * 4**3 - SUITED_PAIR_3),
        "High card": (comb(13, 5) - RUNS_4_OF_5) * (4**5 - SUITED_5),
    }


def four_card_of_six() -> Counts:
    no_run_4, no_run_5 = comb(13, 4) - RUNS_4_OF_4, comb(13, 5) - RUNS_4_OF_5
    no_run_6 = comb(13, 6) - RUNS_4_OF_6
    three_alike = RANKS * TRIPS * (comb(12, 3) * 4**3 + 12 * PAIR * 44) + comb(13, 2) * TRIPS**2
    three_and_suited_run = RUNS_4_OF_4 * 4 * SUITED_PAIR_3  # the three leave out one other suit
    trips_beside_four_suited = 4 * comb(3, 2)
    return {
        "Four-of-a-kind": RANKS * comb(48, 2),
        "Straight flush": SUITS * (comb(48, 2) + 10 * comb(47, 2)),
        "Three-of-a-kind": three_alike - three_and_suited_run,
        "Flush": SUITS * (no_run_4 * (comb(39, 2) - trips_beside_four_suited) + no_run_5 * 39 + no_run_6),
        "Straight": RUNS_4_OF_6 * (4**6 - SUITED_6)
        + RUNS_4_OF_5 * 5 * (PAIR * 4**4 - SUITED_PAIR_4)
        + RUNS_4_OF_4 * comb(4, 2) * (PAIR**2 * 4**2 - SUITED_PAIRS_2),
        "Two pairs": no_run_4 * comb(4, 2) * (PAIR**2 * 4**2 - SUITED_PAIRS_2) + comb(13, 3) * PAIR**3,
        "Pair": no_run_5 * 5 * (PAIR * 4**4 - SUITED_PAIR_4),
        "High card": no_run_6 * (4**6 - SUITED_6),
    }


@pytest.mark.proves(
    "682a.6(a)",
    "682a.6(b)",
    "682a.6(b)(1)",
    "682a.6(b)(2)",
    "682a.6(b)(3)",
    "682a.6(b)(4)",
    "682a.6(b)(5)",
    "682a.6(b)(6)",
    "682a.6(b)(7)",
)
@pytest.mark.parametrize("flushes", ["by-6c", "tie"])
@pytest.mark.parametrize(("size", "derive"), [(5, four_card_of_five), (6, four_card_of_six)])
def test_682a_6_b_counts_of_four_card_hands_of_five_and_six_cards(size: int, derive: object, flushes: str) -> None:
    assert callable(derive)
    expected = derive()
    assert sum(expected.values()) == comb(52, size)
    assert counts_agree(counts("four-card-prime", "four-card", size, same_rank_comparison=flushes), expected)


def test_682a_7_d_2_prime_counts_colors() -> None:
    expected = {
        "All five the same color": 2 * comb(26, 5),
        "Four of the same color": 2 * comb(26, 4) * 26,
        "Three of the same color": 2 * comb(26, 3) * comb(26, 2),
    }
    assert counts_agree(counts("four-card-prime", "prime", 5), expected)


ACES_CLAUSES = [f"682a.6(d)({number})" for number in range(1, 11)]


@pytest.mark.proves("682a.6(d)", *ACES_CLAUSES)
@pytest.mark.parametrize("wheel", [True, False])
def test_682a_6_d_counts_of_the_aces_bonus_with_five_cards(*, wheel: bool) -> None:
    poker = five_card(wheel=wheel)
    expected = {
        "Four aces": 48,
        "Four-of-a-kind": 12 * 48,
        "Royal flush": poker["Royal flush"],
        "Straight flush": poker["Straight flush"],
        "Three aces": TRIPS * comb(48, 2),
        "Three-of-a-kind": 12 * TRIPS * comb(48, 2),
        "Flush": poker["Flush"],
        "Straight": poker["Straight"],
        "Two pair": poker["Two pair"],
        "Two aces": PAIR * KICKERS_3,
        "Less than two aces": 12 * PAIR * KICKERS_3 + poker["High card"],
    }
    assert sum(expected.values()) == comb(52, 5)
    found = counts("four-card-prime", "aces-bonus", 5, five_card_wheel="yes" if wheel else "no")
    assert counts_agree(found, expected)


@pytest.mark.proves("682a.6(d)", *ACES_CLAUSES)
@pytest.mark.parametrize("wheel", ["yes", "no"])
def test_682a_6_d_counts_of_the_aces_bonus_with_four_cards(wheel: str) -> None:
    poker = four_card_of_five()
    aces_and_four_suited = SUITS * 3 * comb(12, 3)
    aces_in_a_run = 2 * PAIR * 4**3  # with K-Q-J or with 2-3-4
    both = 2 * SUITS * 3
    two_aces = PAIR * KICKERS_3 - aces_and_four_suited - aces_in_a_run + both
    expected = {
        "Four aces": 48,
        "Four-of-a-kind": 12 * 48,
        "Royal flush": SUITS * 48,
        "Straight flush": SUITS * 10 * 47,
        "Three aces": TRIPS * comb(48, 2),
        "Three-of-a-kind": 12 * TRIPS * comb(48, 2),
        "Flush": poker["Flush"],
        "Straight": poker["Straight"],
        "Two pair": poker["Two pairs"],
        "Two aces": two_aces,
        "Less than two aces": poker["Pair"] - two_aces + poker["High card"],
    }
    assert sum(expected.values()) == comb(52, 5)
    found = counts("four-card-prime", "aces-bonus", 5, aces_bonus_hand_size="four-card", five_card_wheel=wheel)
    assert counts_agree(found, expected)


def all_six(*, wheel: bool) -> Counts:
    runs = 10 if wheel else 9
    run_sets = 8 + (runs - 1) * 7  # six ranks with a run of five; only A-K-Q-J-T has no rank above it
    suited = SUITS * (comb(6, 5) * 3 + 1)
    suited_pair = SUITS * 3
    return {
        "Six-card royal flush—diamonds": 1,
        "Six-card royal flush—hearts, spades or clubs": 3,
        "Royal flush": SUITS * (52 - 5 - 1),
        "Straight flush": SUITS * (runs - 1) * (52 - 5 - 1),
        "Four-of-a-kind": RANKS * comb(48, 2),
        "Full house": RANKS * TRIPS * 12 * PAIR * 44 + comb(13, 2) * TRIPS**2,
        "Flush": SUITS * ((comb(13, 5) - runs) * 39 + comb(13, 6) - run_sets),
        "Straight": run_sets * (4**6 - suited) + runs * 5 * (PAIR * 4**4 - suited_pair),
        "Three-of-a-kind": RANKS * TRIPS * comb(12, 3) * 4**3,
        "Less than three-of-a-kind": (comb(13, 6) - run_sets) * (4**6 - suited)
        + (comb(13, 5) - runs) * 5 * (PAIR * 4**4 - suited_pair)
        + comb(13, 2) * PAIR**2 * comb(11, 2) * 4**2
        + comb(13, 3) * PAIR**3,
    }


@pytest.mark.proves("682a.6(e)", *(f"682a.6(e)({number})" for number in range(1, 9)))
@pytest.mark.parametrize("wheel", [True, False])
def test_682a_6_e_counts_of_all_six(*, wheel: bool) -> None:
    expected = all_six(wheel=wheel)
    assert sum(expected.values()) == comb(52, 6)
    assert counts_agree(counts("four-card-prime", "all-six", 6, five_card_wheel="yes" if wheel else "no"), expected)


@pytest.mark.proves("683a.6(a)", "683a.6(e)", *(f"683a.6(e)({number})" for number in range(1, 9)))
def test_683a_6_e_counts_of_all_six_with_the_ace_low_in_a_five_card_run() -> None:
    assert counts_agree(counts("cajun-stud", "all-six", 6), all_six(wheel=True))


@pytest.mark.proves("683a.6(a)", "683a.6(b)", *(f"683a.6(b)({number})" for number in range(1, 10)))
def test_683a_6_b_counts_of_five_card_hands_with_the_pairs_of_683a_12_a() -> None:
    poker = five_card()
    expected = {name: poker[name] for name in list(poker)[:7]}
    expected["Two Pair"] = poker["Two pair"]
    expected["Pair of jacks or better"] = 4 * PAIR * KICKERS_3
    expected["Pair of 6s to 10s"] = 5 * PAIR * KICKERS_3
    expected["Less than a pair of 6s"] = 4 * PAIR * KICKERS_3 + poker["High card"]
    assert counts_agree(counts("cajun-stud", "ante-raise", 5), expected)


@pytest.mark.proves("683a.6(c)", *(f"683a.6(c)({number})" for number in range(1, 5)))
def test_683a_6_c_counts_of_the_pocket_bonus() -> None:
    expected = {
        "Pair of aces": PAIR,
        "Ace and a king, queen or jack of the same suit": 3 * SUITS,
        "Ace and a king, queen or jack of different suits": 3 * SUITS * 3,
        "Pair of 2s—kings": 12 * PAIR,
        "Less than a pair": comb(12, 2) * 4**2 + 9 * 4**2,
    }
    assert sum(expected.values()) == comb(52, 2) == 1326
    assert counts_agree(counts("cajun-stud", "pocket-bonus", 2), expected)


@pytest.mark.proves("683a.6(d)", *(f"683a.6(d)({number})" for number in range(1, 7)))
@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.parametrize("threshold", ["any-pair", "aces-or-better"])
def test_683a_6_d_counts_of_the_board_bonus(threshold: str, *, ace_low: bool) -> None:
    runs = 12 if ace_low else 11
    pairs = 13 * PAIR * 48
    winning_pairs = pairs if threshold == "any-pair" else PAIR * 48
    expected = {
        "Mini-royal": SUITS,
        "Straight flush": SUITS * (runs - 1),
        "Three-of-a-kind": RANKS * TRIPS,
        "Straight": runs * (4**3 - SUITS),
        "Flush": SUITS * (comb(13, 3) - runs),
        "Pair": winning_pairs,
        "Less": (comb(13, 3) - runs) * (4**3 - SUITS) + pairs - winning_pairs,
    }
    assert sum(expected.values()) == comb(52, 3)
    found = counts(
        "cajun-stud",
        "board-bonus",
        3,
        board_bonus_ace_low="yes" if ace_low else "no",
        board_bonus_threshold=threshold,
    )
    assert counts_agree(found, expected)


def test_683a_7_d_4_counts_of_lo_ball_by_the_highest_card() -> None:
    poker = five_card()
    expected = {name: poker[name] for name in list(poker)[:7]}
    expected |= {"Two Pair": poker["Two pair"], "Pair": poker["Pair"]}
    names = ["Ace", "King", "Queen", "Jack", "10", "9", "8", "7"]
    for below, name in zip(range(12, 4, -1), names, strict=True):
        straights = 2 if name == "Ace" else 1
        expected[f"{name} High"] = (comb(below, 4) - straights) * (4**5 - SUITS)
    assert sum(expected.values()) == comb(52, 5)
    assert counts_agree(counts("cajun-stud", "lo-ball", 5), expected)
