"""The clause beside a hand defines that hand; the clause beside a table prints that table."""

import pytest

from pitboss.rulebook import rulebook

KINDS = {
    "Two Pair": "Two pairs",
    "Pair of jacks or better": "Pair",
    "Pair of 6s to 10s": "Pair",
    "A pair of 10s or better": "Pair",
    "Pair of 2s—kings": "Pair",
    "Ace and a king, queen or jack of the same suit": "Suited Ace",
    "Ace and a king, queen or jack of different suits": "Unsuited Ace",
    "Six-card royal flush—diamonds": "Six-card royal flush",
    "Six-card royal flush—hearts, spades or clubs": "Six-card royal flush",
}
"""Hands that have another name in the paytables than in the clause that defines them."""


@pytest.mark.parametrize("game", rulebook().games)
def test_a_hand_cites_the_clause_that_defines_it(game: str) -> None:
    checked = 0
    for ranking in rulebook().games[game].rankings.values():
        for hand in ranking.hands:
            section, _, path = hand.cite.partition("(")
            if section.endswith(".6") and path.count("(") == 1:
                defined = rulebook().clauses[hand.cite].duty.partition(":")[0]
                assert defined == KINDS.get(hand.name, hand.name)
                checked += 1
    assert checked >= 25


WAGERS = {
    "caribbean-stud": {
        "ante": ("639a.12(a)", ""),
        "bet": ("639a.12(b)", "bet"),
        "bonus": ("639a.12(c)", "bonus"),
        "progressive": ("639a.12(d)(1)", "five-card"),
        "five-card-hand": ("639a.12(e)(1)", "five-card"),
        "magic-card": ("639a.12(e)(3)", ""),
        "lucky-bonus": ("639a.12(e)(3)", ""),
    },
    "four-card-prime": {
        "ante": ("682a.12(a)", ""),
        "raise": ("682a.12(a)", ""),
        "win-bonus": ("682a.12(b)", "four-card"),
        "bad-beat-bonus": ("682a.12(c)", "four-card"),
        "prime": ("682a.12(d)", "prime"),
        "aces-bonus": ("682a.12(e)", "aces-bonus"),
        "all-six": ("682a.12(f)", "all-six"),
    },
    "cajun-stud": {
        "ante-raise": ("683a.12(a)", "ante-raise"),
        "pocket-bonus": ("683a.12(b)", "pocket-bonus"),
        "board-bonus": ("683a.12(c)", "board-bonus"),
        "lo-ball": ("683a.12(d)", "lo-ball"),
        "all-six": ("683a.12(e)", "all-six"),
    },
}


def test_every_wager_cites_the_clause_that_prints_its_table_and_names_its_ranking() -> None:
    assert {
        game: {wager: (tables.cite, tables.ranking) for wager, tables in rules.paytables.items()}
        for game, rules in rulebook().games.items()
    } == WAGERS


def test_every_meter_cites_the_clause_that_sets_it() -> None:
    meters = rulebook().games["caribbean-stud"].meters
    assert {wager: found.cite for wager, found in meters.items()} == {
        "progressive": "639a.12(d)(4)",
        "five-card-hand": "639a.12(e)(4)",
    }
    assert meters["progressive"].envy
    assert meters["progressive"].envy.cite == "639a.12(d)(6)"


def test_every_ranking_cites_the_rank_of_cards_where_sequences_count() -> None:
    for game, rules in rulebook().games.items():
        for name, ranking in rules.rankings.items():
            sequences = any(hand.run for hand in ranking.hands)
            assert sequences == (f"{rules.chapter.id}.6(a)" in ranking.cites), f"{game} {name}"
