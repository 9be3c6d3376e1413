"""The wagers of .7(d): which may be placed, when, and on what."""

from collections.abc import Callable, Mapping

import pytest

from pitboss.errors import Mistake
from pitboss.games import FOLD, GAMES, Balances, Bounds, Hands, Terms, settle
from pitboss.games.settlement_inputs import check_wagers, require_valid_inputs
from pitboss.money import CENT

Make = Callable[..., Terms]
GAME_OF = {"639a": "caribbean-stud", "682a": "four-card-prime", "683a": "cajun-stud"}
# Before the deal, and after it by decision: 639a.7(d), 682a.7(d), 683a.7(d).
PLACED = {
    "639a": (["ante", "progressive", "bonus", "five-card-hand-dealer", "five-card-hand-player"], ["bet"]),
    "682a": (["ante", "prime", "aces-bonus", "all-six"], ["raise"]),
    "683a": (
        ["ante", "pocket-bonus", "board-bonus", "lo-ball", "all-six"],
        ["raise-1", "raise-2", "raise-3"],
    ),
}
OPTIONAL = {
    "639a.7(d)(2)": ["progressive"],
    "639a.7(d)(3)": ["bonus"],
    "639a.7(d)(4)": ["five-card-hand-dealer", "five-card-hand-player"],
    "682a.7(d)(2)": ["prime"],
    "682a.7(d)(3)": ["aces-bonus"],
    "682a.7(d)(4)": ["all-six"],
    "683a.7(d)(2)": ["pocket-bonus"],
    "683a.7(d)(3)": ["board-bonus"],
    "683a.7(d)(4)": ["lo-ball"],
    "683a.7(d)(5)": ["all-six"],
}
CARDS = {
    "639a": {"player": "Kc Kd 8s 5h 2c", "dealer": "Ac Kh 9d 7d 3s"},
    "682a": {"player": "Kc Kd 8s 5h 2c", "dealer": "Ac Kh 9d 7d 3s 4h", "all_six": "Qh"},
    "683a": {"player": "Kc Kd", "board": "8s 5h 2c", "all_six": "Qh Jh 9h 3s"},
}


def is_accepted(terms: Terms, wagers: Mapping[str, int]) -> bool:
    """Whether these wagers may be placed before the deal."""
    try:
        check_wagers(terms, wagers)
    except Mistake:
        return False
    return True


@pytest.mark.proves("{chapter}.7(d)")
@pytest.mark.parametrize("chapter", GAME_OF)
def test_7_d_a_game_takes_only_the_wagers_of_its_chapter(make_terms: Make, chapter: str) -> None:
    before, after = PLACED[chapter]
    terms = make_terms(GAME_OF[chapter])
    names = sorted({wager.name for game in GAMES.values() for wager in game.wagers} | {"insurance"})
    assert [name for name in names if is_accepted(terms, {"ante": 1000, name: 1000})] == sorted(before)
    assert [decision.wager for decision in terms.game.decisions] == after


@pytest.mark.proves("{chapter}.7(c)")
@pytest.mark.parametrize("chapter", GAME_OF)
def test_7_c_only_raises_are_made_after_the_deal(make_terms: Make, chapter: str) -> None:
    before, after = PLACED[chapter]
    terms = make_terms(GAME_OF[chapter])
    assert is_accepted(terms, dict.fromkeys(before, 1000))
    assert not any(is_accepted(terms, {"ante": 1000, name: 1000}) for name in after)


MULTIPLES = {"639a": [2], "682a": [1, 2, 3], "683a": [1, 2, 3]}


@pytest.mark.proves("{chapter}.7(d)(1)")
@pytest.mark.parametrize("chapter", GAME_OF)
def test_7_d_1_a_raise_is_a_multiple_of_the_ante(make_terms: Make, chapter: str) -> None:
    terms, hands = make_terms(GAME_OF[chapter]), Hands.of(**CARDS[chapter])
    assert not is_accepted(terms, {})
    later = PLACED[chapter][1]

    def allowed(place: int, multiple: int) -> bool:
        decisions = [MULTIPLES[chapter][0]] * len(later)
        decisions[place] = multiple
        try:
            require_valid_inputs(terms, hands, {"ante": 1000}, decisions)
        except Mistake:
            return False
        return True

    for place in range(len(later)):
        assert [multiple for multiple in range(1, 8) if allowed(place, multiple)] == MULTIPLES[chapter]
    most = MULTIPLES[chapter][-1]
    stakes = {line.wager: line.stake for line in settle(terms, hands, {"ante": 1000}, [most] * len(later))}
    assert stakes == {"ante": 1000, **dict.fromkeys(later, 1000 * most)}


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize("clause", OPTIONAL)
def test_7_d_an_optional_wager_needs_an_ante_and_an_offer_in_the_submission(make_terms: Make, clause: str) -> None:
    game = GAMES[GAME_OF[clause.partition(".")[0]]]
    for name in OPTIONAL[clause]:
        offer = game.wager(name).offer
        with_it = make_terms(game.name, offered={"ante": Bounds(), offer: Bounds()})
        assert is_accepted(with_it, {"ante": 1000, name: 1000})
        assert not is_accepted(with_it, {name: 1000})  # without an Ante
        assert not is_accepted(make_terms(game.name, offered={"ante": Bounds()}), {"ante": 1000, name: 1000})


FLUSH, LOW, PAIR = "Kh Jh 8h 5h 2h", "Qc Jd 8s 6d 3c", "Tc Td 8s 6d 3c"
NO_ACES = "Kc Kd 8s 5h 2c"


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "wager", "cards", "net"),
    [
        # The player's own hand, whatever the dealer has. Two pair is the least that Paytable A pays: 2 for 1.
        ("639a.7(d)(2)", "progressive", {"player": "Tc Td 8s 8d 3c", "dealer": FLUSH}, 1),
        ("639a.7(d)(2)", "progressive", {"player": LOW, "dealer": "Tc Td 8c 8d 3s"}, -1),
        ("639a.7(d)(3)", "bonus", {"player": PAIR, "dealer": FLUSH}, 1),
        ("639a.7(d)(3)", "bonus", {"player": "9c 9d 8s 6d 3c", "dealer": FLUSH}, -1),
        # A flush or better in the hand wagered on: 50 for 1.
        ("639a.7(d)(4)", "five-card-hand-dealer", {"player": PAIR, "dealer": FLUSH}, 49),
        ("639a.7(d)(4)", "five-card-hand-dealer", {"player": FLUSH, "dealer": "9c 8d 7s 6d 5c"}, -1),
        ("639a.7(d)(4)", "five-card-hand-player", {"player": FLUSH, "dealer": PAIR}, 49),
        ("639a.7(d)(4)", "five-card-hand-player", {"player": "9c 8d 7s 6d 5c", "dealer": FLUSH}, -1),
        ("682a.7(d)(2)", "prime", {"player": "Kc Js 8c 5s 2h", "dealer": "Ah Kd 9h 7d 3h 4d"}, 1),
        ("682a.7(d)(2)", "prime", {"player": "Kc Js 8c 5d 2h", "dealer": "Ah Kd 9h 7d 3h 4d"}, -1),
        ("682a.7(d)(3)", "aces-bonus", {"player": "Ac Ad 8s 5h 2c", "dealer": "Ks Kh 9d 7d 3s 4h"}, 1),
        ("682a.7(d)(3)", "aces-bonus", {"player": NO_ACES, "dealer": "As Ah 9d 7d 3s 4h"}, -1),
        ("682a.7(d)(4)", "all-six", {"player": NO_ACES, "dealer": "As Ah Ad 7d 3s 4h", "all_six": "Kh"}, 5),
        ("682a.7(d)(4)", "all-six", {"player": NO_ACES, "dealer": "As Ah Ad 7d 3s 4h", "all_six": "5c"}, -1),
        ("683a.7(d)(2)", "pocket-bonus", {"player": "2c 2d", "board": "As Ah Ad"}, 5),
        ("683a.7(d)(2)", "pocket-bonus", {"player": "Kc Qc", "board": "As Ah Ad"}, -1),
        # A pair of aces by .7(d)(3), any pair by .11(i)(2) and .12(c) (reading board-bonus-threshold).
        ("683a.7(d)(3)", "board-bonus", {"player": "Kc Qc", "board": "As Ah 2d"}, 1),
        ("683a.7(d)(3)", "board-bonus", {"player": "Ac Ad", "board": "Ks 9h 2d"}, -1),
        ("683a.7(d)(4)", "lo-ball", {"player": "Jc 9d", "board": "7s 5h 2c"}, 1),
        ("683a.7(d)(4)", "lo-ball", {"player": "Qc 9d", "board": "7s 5h 2c"}, -1),
        ("683a.7(d)(4)", "lo-ball", {"player": "Jc 9d", "board": "9s 5h 2c"}, -1),
        ("683a.7(d)(5)", "all-six", {"player": "Kc Kd", "board": "8s 5h 2c", "all_six": "Kh 7c 6d 3s"}, 5),
        ("683a.7(d)(5)", "all-six", {"player": "Kc Kd", "board": "Ks 5h 2c", "all_six": "Qh 7c 6d 3s"}, -1),
    ],
)  # fmt: skip
def test_7_d_each_optional_wager_wins_with_its_hand(
    make_terms: Make, clause: str, wager: str, cards: dict[str, str], net: int
) -> None:
    """The lowest hand that wins, and one that does not; the Ante loses to a better dealer and does not matter here."""
    game = GAME_OF[clause.partition(".")[0]]
    multiple = 2 if game == "caribbean-stud" else 1
    terms = make_terms(game)
    meters = Balances({"main": 10**8 * CENT, "five-card-hand": 10**8 * CENT})
    decisions = [multiple] * len(terms.game.decisions)
    lines = settle(terms, Hands.of(**cards), {"ante": 100, wager: 100}, decisions, meters)
    assert {line.wager: line.net for line in lines}[wager] == net * 100


@pytest.mark.proves("683a.7(d)(4)")
def test_683a_7_d_4_a_queen_pushes_under_paytable_b(make_terms: Make) -> None:
    terms, hands = make_terms("cajun-stud", {"lo-ball": "B"}), Hands.of(player="Qc 9d", board="7s 5h 2c")
    (line,) = [line for line in settle(terms, hands, {"ante": 100, "lo-ball": 100}, [FOLD]) if line.wager == "lo-ball"]
    assert (line.outcome, line.net) == ("push", 0)
