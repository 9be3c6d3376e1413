"""What cannot be settled is refused in one sentence that says what was wrong, and with which clause."""

import re
from collections.abc import Callable

import pytest

from pitboss.errors import Mistake
from pitboss.games import FOLD, Bounds, Hands, Terms, settle

Make = Callable[..., Terms]
STUD = {"player": "Kc Kd 8s 5h 2c", "dealer": "Ac Kh 9d 7d 3s"}
CAJUN = {"player": "Kc Kd", "board": "8s 5h 2c"}


@pytest.mark.proves(
    "639a.7(c)", "682a.7(c)", "683a.7(c)", "639a.7(d)", "682a.7(d)", "683a.7(d)", "639a.7(d)(1)", "683a.7(d)(1)"
)
@pytest.mark.parametrize(
    ("game", "cards", "wagers", "decisions", "sentence"),
    [
        ("caribbean-stud", {**STUD, "player": "Kc Kd 8s 5h"}, {"ante": 100}, [2], "The player has 5 cards, not 4."),
        ("caribbean-stud", {"player": STUD["player"]}, {"ante": 100}, [2], "The cards of the dealer are missing; there are 5."),
        ("caribbean-stud", {**STUD, "dealer": "Kc Kh 9d 7d 3s"}, {"ante": 100}, [2], "Kc is there twice; each card may be there once."),
        ("caribbean-stud", {**STUD, "board": "2h 3h 4h"}, {"ante": 100}, [2], "caribbean-stud has no cards for “board”; it has player, dealer."),
        ("caribbean-stud", STUD, {"ante": 100}, [3], "The Bet is 2 times the Ante, not 3 times (639a.11(b))."),
        ("caribbean-stud", STUD, {"ante": 100}, [2, 2], "caribbean-stud has no decision after the Bet (639a.11(b))."),
        ("caribbean-stud", STUD, {"ante": 100}, [], "The Bet is still to be decided: raise or fold (639a.11(b))."),
        ("caribbean-stud", STUD, {"bonus": 100}, [2], "There is no Ante wager, and without it no other is taken (639a.7(d)(1))."),
        ("caribbean-stud", STUD, {"ante": 100, "bet": 200}, [2], "caribbean-stud has no wager “bet” to place before the deal; it has ante, bonus, progressive, five-card-hand-dealer, five-card-hand-player."),
        ("caribbean-stud", STUD, {"ante": 100, "bonsu": 200}, [2], "caribbean-stud has no wager “bonsu” to place before the deal; did you mean “bonus”?"),
        ("caribbean-stud", STUD, {"ante": 150}, [2], "The Ante wager of $1.50 is not a multiple of the table's unit, $1.00."),
        ("caribbean-stud", STUD, {"ante": 0}, [2], "The Ante wager of $0.00 is not an amount to wager."),
        ("caribbean-stud", STUD, {"ante": 1_000_100}, [2], "The Ante wager of $10,001.00 is above the maximum, $10,000.00."),
        ("caribbean-stud", STUD, {"ante": 100, "progressive": 200}, [2], "The Progressive Payout wager of $2.00 is not one of the amounts taken: $1.00, $5.00."),
        ("cajun-stud", CAJUN, {"ante": 500, "lo-ball": 100}, [1, 1, 1], "The Lo Ball wager is not offered at this table (683a.7(d)(4))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, 4, 1], "The Second Raise is 1 or 2 or 3 times the Ante, not 4 times (683a.11(d))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, FOLD, 1], "There is no Third Raise after a fold (683a.11(d))."),
        ("cajun-stud", CAJUN, {"ante": 500}, [1, 1], "The Third Raise is still to be decided: raise or fold (683a.11(f))."),
        ("cajun-stud", CAJUN, {"ante": 400}, [1, 1, 1], "The Ante wager of $4.00 is below the minimum, $5.00."),
        ("cajun-stud", CAJUN, {"ante": 500, "all-six": 100}, [1, 1, 1], "The cards of the All-Six Bonus are missing; there are 4."),
        ("cajun-stud", {**CAJUN, "all-six": "9c"}, {"ante": 500, "all-six": 100}, [1, 1, 1], "The All-Six Bonus has 4 cards, not 1."),
    ],
)  # fmt: skip
def test_a_round_that_cannot_be_is_refused(  # noqa: PLR0913, PLR0917 (a row of the table)
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


def test_fractions_of_a_cent_are_refused(make_terms: Make) -> None:
    # 683a.12(a), Paytable B: two pair pays 3 to 2.
    terms = make_terms("cajun-stud", {"ante": "B"})
    with pytest.raises(Mistake, match=re.escape("3 to 2 on $0.05 is not whole cents")):
        settle(terms, Hands.of(player="Kc Kd", board="8s 8h 2c"), {"ante": 5}, [1, 1, 1])


def test_a_meter_pay_needs_its_meter(make_terms: Make) -> None:
    hands = Hands.of(player="Ac Kc Qc Jc Tc", dealer="Ad Kh 9d 7d 3s")
    with pytest.raises(Mistake, match=r"This hand pays 100% of the meter “main”; say what that meter shows."):
        settle(make_terms("caribbean-stud"), hands, {"ante": 100, "progressive": 100}, [2])


def test_terms_cite_only_clauses_that_exist(make_terms: Make) -> None:
    from msgspec.structs import replace  # noqa: PLC0415 (for this one)

    from pitboss.games import GAMES, agree  # noqa: PLC0415
    from pitboss.rulebook import CitationMistake, rulebook  # noqa: PLC0415

    nowhere = "683a.7(z)"  # cites-nothing
    broken = replace(GAMES["cajun-stud"], left_cite=nowhere)
    with pytest.raises(CitationMistake, match=r"There is no clause 683a.7"):
        agree(broken, rulebook(), offered={}, letters={}, readings={}, unit=1)
    assert make_terms("cajun-stud")
