"""Impossible input is refused in one sentence that names the problem and the clause."""

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games import FOLD, GAMES, Balances, Bounds, Hands, Terms, agree, settle
from pitboss.rulebook import CitationMistake, rulebook

Make = Callable[..., Terms]
STUD = {"player": "Kc Kd 8s 5h 2c", "dealer": "Ac Kh 9d 7d 3s"}
CAJUN = {"player": "Kc Kd", "board": "8s 5h 2c"}


@pytest.mark.parametrize(
    ("game", "cards", "wagers", "decisions", "sentence"),
    [
        ("caribbean-stud", {**STUD, "player": "Kc Kd 8s 5h"}, {"ante": 100}, [2], "The player has 5 cards, not 4."),
        ("caribbean-stud", {"player": STUD["player"]}, {"ante": 100}, [2], "The cards of the dealer are missing; give 5."),
        ("caribbean-stud", {**STUD, "dealer": "Kc Kh 9d 7d 3s"}, {"ante": 100}, [2], "Kc is listed twice; a card can appear only once."),
        ("caribbean-stud", {**STUD, "board": "2h 3h 4h"}, {"ante": 100}, [2], "caribbean-stud has no cards for “board”; it has player, dealer."),
        ("caribbean-stud", STUD, {"ante": 100}, [3], "The Bet is 2 times the Ante, not 3 times (639a.11(b))."),
        ("caribbean-stud", STUD, {"ante": 100}, [2, 2], "caribbean-stud has no decision after the Bet (639a.11(b))."),
        ("caribbean-stud", STUD, {"ante": 100}, [], "The Bet is undecided: raise or fold (639a.11(b))."),
        ("caribbean-stud", STUD, {"bonus": 100}, [2], "The Ante wager is missing; every other wager needs it (639a.7(d)(1))."),
        ("caribbean-stud", STUD, {"ante": 100, "bet": 200}, [2], "caribbean-stud has no wager “bet” before the deal; there are ante, bonus, progressive, five-card-hand-dealer, five-card-hand-player."),
        ("caribbean-stud", STUD, {"ante": 100, "bonsu": 200}, [2], "caribbean-stud has no wager “bonsu” before the deal; did you mean “bonus”?"),
        ("caribbean-stud", STUD, {"ante": 150}, [2], "The Ante wager of $1.50 is not a multiple of the table's unit, $1.00."),
        ("caribbean-stud", STUD, {"ante": 0}, [2], "The Ante wager of $0.00 is not a positive amount."),
        ("caribbean-stud", STUD, {"ante": 1_000_100}, [2], "The Ante wager of $10,001.00 is above the maximum, $10,000.00."),
        ("caribbean-stud", STUD, {"ante": 100, "progressive": 200}, [2], "The Progressive Payout wager of $2.00 is not one of the amounts taken: $1.00, $5.00."),
        ("cajun-stud", CAJUN, {"ante": 500, "lo-ball": 100}, [1, 1, 1], "The Lo Ball wager is not offered at this table (683a.7(d)(4))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, 4, 1], "The Second Raise is 1 or 2 or 3 times the Ante, not 4 times (683a.11(d))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, FOLD, 1], "There is no Third Raise after a fold (683a.11(d))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, 1], "The Third Raise is undecided: raise or fold (683a.11(f))."),
        ("cajun-stud", CAJUN, {"ante": 400}, [1, 1, 1], "The Ante wager of $4.00 is below the minimum, $5.00."),
        ("cajun-stud", CAJUN, {"ante": 500, "all-six": 100}, [1, 1, 1], "The cards of the All-Six Bonus are missing; give 4."),
        ("cajun-stud", {**CAJUN, "all-six": "9c"}, {"ante": 500, "all-six": 100}, [1, 1, 1], "The All-Six Bonus has 4 cards, not 1."),
        ("cajun-stud", {**CAJUN, "all-six": "9c"}, {"ante": 500}, [1, 1, 1], "The All-Six Bonus has 4 cards, not 1."),
        ("cajun-stud", CAJUN, {"ante": True}, [1, 1, 1], "True is not a whole number. Give money in whole cents and decisions as multiples."),
        ("cajun-stud", CAJUN, {"ante": 5.0}, [1, 1, 1], "5.0 is not a whole number. Give money in whole cents and decisions as multiples."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, 1.0, 1], "1.0 is not a whole number. Give money in whole cents and decisions as multiples."),
    ],
)  # fmt: skip
def test_refuses_an_impossible_round(  # noqa: PLR0913, PLR0917 (a row of the table)
    make_terms: Make, game: str, cards: dict[str, str], wagers: dict[str, int], decisions: list[int], sentence: str
) -> None:
    offered = {
        "caribbean-stud": {
            "ante": Bounds(100, 1_000_000),
            "bonus": Bounds(100, 1000),
            "progressive": Bounds(amounts=(100, 500)),
            "five-card-hand": Bounds(amounts=(100,)),
        },
        "cajun-stud": {"ante": Bounds(500, 100_000), "all-six": Bounds(100, 1000)},
    }[game]
    terms = make_terms(game, unit=100, offered=offered)
    with pytest.raises(Mistake) as refused:
        settle(terms, Hands.of(**{place.replace("-", "_"): text for place, text in cards.items()}), wagers, decisions)
    assert str(refused.value) == sentence


def test_refuses_fractions_of_a_cent(make_terms: Make) -> None:
    # 683a.12(a), Paytable B: two pair pays 3 to 2.
    terms = make_terms("cajun-stud", {"ante": "B"})
    with pytest.raises(Mistake, match=re.escape("3 to 2 on $0.05 is not whole cents")):
        settle(terms, Hands.of(player="Kc Kd", board="8s 8h 2c"), {"ante": 5}, [1, 1, 1])


def test_a_payout_from_a_meter_needs_its_balance(make_terms: Make) -> None:
    hands = Hands.of(player="Ac Kc Qc Jc Tc", dealer="Ad Kh 9d 7d 3s")
    with pytest.raises(Mistake, match=r"This hand pays 100% of the meter “main”; give that meter's balance."):
        settle(make_terms("caribbean-stud"), hands, {"ante": 100, "progressive": 100}, [2])


def test_accepts_the_bounds_themselves(make_terms: Make) -> None:
    terms = make_terms("cajun-stud", offered={"ante": Bounds(500, 1000)})
    for amount in (500, 1000):
        assert settle(terms, Hands.of(**CAJUN), {"ante": amount}, [FOLD])[0].stake == amount


@pytest.mark.parametrize(
    ("balances", "won_before", "sentence"),
    [
        (Balances({"main": 1.5}), 0, "1.5 is not a whole number"),  # type: ignore[dict-item]
        (Balances({"main": -1}), 0, "An amount of money cannot be negative."),
        (Balances({}, {"main": -1}), 0, "An amount of money cannot be negative."),
        (Balances(sharing=0), 0, "A jackpot needs at least one wager to share it, not 0."),
        (Balances(), -1, "An amount of money cannot be negative."),
    ],
)
def test_refuses_impossible_amounts(make_terms: Make, balances: Balances, won_before: int, sentence: str) -> None:
    with pytest.raises(Mistake, match=re.escape(sentence)):
        settle(make_terms("caribbean-stud"), Hands.of(**STUD), {"ante": 100}, [2], balances, won_before=won_before)


def test_the_payout_limit_takes_no_more_than_a_box_won(make_terms: Make) -> None:
    terms = make_terms("cajun-stud", payout_limit=50_000_00)
    lost = Hands.of(player="Kc 9d", board="8s 5h 2c")
    assert [line.outcome for line in settle(terms, lost, {"ante": 500}, [1, 1, 1], won_before=60_000_00)] == [
        "lose"
    ] * 4
    won = settle(terms, Hands.of(**CAJUN), {"ante": 500}, [1, 1, 1], won_before=60_000_00)
    assert sum(line.pays for line in won) == 0
    only_prime = make_terms("four-card-prime", payout_limit=50_000_00)
    cards = Hands.of(player="Kc Kd 8s 5h 2c", dealer="Ac Kh 9d 7d 3s 4h")
    assert settle(only_prime, cards, {"ante": 500, "prime": 500}, [FOLD], won_before=60_000_00)


CITES = {
    "caribbean-stud": {
        "ante": "639a.7(d)(1)", "bet": "639a.7(d)(1)", "bonus": "639a.7(d)(3)", "progressive": "639a.7(d)(2)",
        "five-card-hand-dealer": "639a.7(d)(4)", "five-card-hand-player": "639a.7(d)(4)",
    },
    "four-card-prime": {
        "ante": "682a.7(d)(1)", "raise": "682a.7(d)(1)", "prime": "682a.7(d)(2)", "aces-bonus": "682a.7(d)(3)", "all-six": "682a.7(d)(4)",
    },
    "cajun-stud": {
        "ante": "683a.7(d)(1)", "raise-1": "683a.7(d)(1)", "raise-2": "683a.7(d)(1)", "raise-3": "683a.7(d)(1)",
        "pocket-bonus": "683a.7(d)(2)", "board-bonus": "683a.7(d)(3)", "lo-ball": "683a.7(d)(4)", "all-six": "683a.7(d)(5)",
    },
}  # fmt: skip


@pytest.mark.parametrize("game", CITES)
def test_every_wager_cites_the_clause_that_allows_it(make_terms: Make, game: str) -> None:
    declared = make_terms(game).game
    assert {wager.name: wager.cite for wager in declared.wagers} == CITES[game]
    limits = {"caribbean-stud": None, "four-card-prime": "682a.12(g)", "cajun-stud": "683a.12(f)"}
    assert (declared.limit.cite if declared.limit else None) == limits[game]
    assert declared.seats == {"caribbean-stud": 7, "four-card-prime": 6, "cajun-stud": 6}[game]


def test_terms_cite_only_clauses_that_exist() -> None:
    nowhere = "683a.7(z)"  # cites-nothing
    broken = replace(GAMES["cajun-stud"], left_cite=nowhere)
    with pytest.raises(CitationMistake, match=r"There is no clause 683a.7"):
        agree(broken, rulebook(), offered={}, letters={}, readings={}, unit=1)
