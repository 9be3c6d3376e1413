"""What each clause of .11 collects, returns and pays: a case or two for each clause, with the amounts of all lines.

The matrix (`test_settlement_matrix`) settles every combination; here each clause stands alone and can be read.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.cards import hand
from pitboss.games import FOLD, Balances, Hands, Other, Terms, settle
from pitboss.money import CENT

Make = Callable[..., Terms]
METERS = Balances({"main": 20_000_00 * CENT, "five-card-hand": 10_000_00 * CENT})
WEAK, ACE_KING, PAIR, FLUSH = "Ah Qd 9s 7h 3c", "Ah Kd 4s 3h 2c", "8h 8d 4s 3h 2c", "Kh Jh 8h 5h 2h"


def row(game: str, clauses: Sequence[str], cards: Mapping[str, str], wagers: Mapping[str, int], *rest: object) -> Any:
    """A row of the table, which proves these clauses."""
    return pytest.param(game, cards, wagers, *rest, marks=pytest.mark.proves(*clauses), id=clauses[-1])


def stud(clauses: Sequence[str], player: str, dealer: str, side: Mapping[str, int], nets: Mapping[str, int]) -> Any:
    """Ante $1, Bet $2."""
    named = [f"639a.11(c){part}" for part in clauses]
    return row("caribbean-stud", named, {"player": player, "dealer": dealer}, {"ante": 100, **side}, [2], nets)


def prime(clauses: Sequence[str], player: str, dealer: str, nets: Mapping[str, int], **side: str) -> Any:
    """Ante $1, Raise $3, and $1 on every other wager in the nets."""
    named = [f"682a.11{part}" for part in clauses]
    wagers = {name: 100 for name in nets if name not in ("raise", "win-bonus", "bad-beat-bonus")}
    return row("four-card-prime", named, {"player": player, "dealer": dealer, **side}, wagers, [3], nets)


def cajun(clauses: Sequence[str], player: str, board: str, nets: Mapping[str, int], **more: Any) -> Any:
    """Ante $1, Raises $1, $2 and $3, and $1 on every other wager in the nets."""
    named = [f"683a.11{part}" for part in clauses]
    wagers = {name: 100 for name in nets if not name.startswith("raise")}
    decisions = more.pop("decisions", [1, 2, 3])
    return row("cajun-stud", named, {"player": player, "board": board, **more}, wagers, decisions, nets)


WON, LOST, LEVEL = ({"ante": sign, "bet": 2 * sign} for sign in (100, -100, 0))
RAISED = {"ante": 100, "raise": 300}
BEATEN = {"ante": -100, "raise": -300}
NOTHING = {"ante": -100, "raise-1": -100, "raise-2": -200, "raise-3": -300}

ROWS = [
    # 639a.11(c)(3): a dealer below ace-king pays the Ante and returns the Bet, whatever the player has.
    stud(["(3)", "(3)(i)"], "7c 5d 4h 3s 2d", WEAK, {}, {"ante": 100, "bet": 0}),
    stud(["(3)", "(3)(i)"], FLUSH, WEAK.replace("Ah", "As"), {}, {"ante": 100, "bet": 0}),
    stud(["(3)", "(3)(ii)", "(3)(ii)(A)"], "Qc Jd 9h 7s 5d", ACE_KING, {}, LOST),
    stud(["(3)(ii)", "(3)(ii)(A)"], "7c 7d 6s 5h 3d", PAIR, {}, LOST),
    stud(["(3)(ii)", "(3)(ii)(B)"], "2d 2h 6s 5h 3d", ACE_KING.replace("2c", "2s"), {}, WON),
    stud(["(3)(ii)(B)"], FLUSH, "8c 8d 4s 3d 2c", {}, {"ante": 100, "bet": 1000}),  # 5 to 1: 639a.12(b)
    stud(["(3)(ii)(C)"], "8c 8s 4d 3c 2d", PAIR, {}, LEVEL),
    # The best hand that five cards make: a full house is no three-of-a-kind.
    stud(["(2)"], "8c 8s 8d 3c 3d", FLUSH, {}, {"ante": 100, "bet": 1400}),
    stud(["(2)"], "Kc Kd 2s 2d 5h", "Qh Qs Jh Jd 9s", {}, {"ante": 100, "bet": 400}),
    # (4) to (6): paid whether or not the dealer's hand is better. Full house 50 to 1, then flushes at 50 for 1.
    stud(["(4)"], "Tc Td 8s 6d 3c", FLUSH, {"bonus": 100}, {**LOST, "bonus": 100}),
    stud(["(4)"], "9c 9d 8s 6d 3c", FLUSH, {"bonus": 100}, {**LOST, "bonus": -100}),
    stud(["(5)", "(5)(iv)"], FLUSH, "8c 8s 8d 3c 3d", {"progressive": 100}, {**LOST, "progressive": 4900}),
    stud(["(5)"], "Qc Jd 9h 7s 5d", ACE_KING, {"progressive": 100}, {**LOST, "progressive": -100}),
    stud(["(6)", "(6)(iii)"], FLUSH, "8c 8s 8d 3c 3d", {"five-card-hand-player": 100}, {**LOST, "five-card-hand-player": 4900}),
    stud(["(6)"], "Qc Jd 9h 7s 5d", "8c 8s 8d 3c 3d", {"five-card-hand-dealer": 100}, {**LOST, "five-card-hand-dealer": 9900}),
    stud(["(6)"], "Qc Jd 9h 7s 5d", ACE_KING, {"five-card-hand-player": 100}, {**LOST, "five-card-hand-player": -100}),
    # The meters show $20,000 and $10,000.
    stud(["(5)(iv)"], "Ac Kc Qc Jc Tc", PAIR, {"progressive": 100}, {"ante": 100, "bet": 200_00, "progressive": 19_999_00}),
    stud(["(6)(iii)"], "9c 8c 7c 6c 5c", PAIR, {"five-card-hand-player": 100}, {"ante": 100, "bet": 100_00, "five-card-hand-player": 999_00}),
    # 682a.11(d)(2): four cards of the player's five against four of the dealer's six; a tie wins.
    prime(["(d)(1)", "(d)(2)", "(d)(2)(i)"], "Kc Kd 8s 5h 2c", "Qs Qh 9d 7d 3s 4h", RAISED),
    prime(["(d)", "(d)(2)(i)"], "Kc Kd 8s 5h 2c", "Ks Kh 8d 5d 3s 2h", RAISED),
    prime(["(d)(2)(i)"], "9c 9d 9h 5h 2c", "Qs Qh 8d 7d 3s 4h", {**RAISED, "win-bonus": 200}),
    prime(["(d)", "(d)(1)", "(d)(2)", "(d)(2)(ii)", "(d)(2)(ii)(A)"], "Kc Kd 8s 5h 2c", "As 2h 3d 4d 9s 9h", BEATEN),
    prime(["(d)(2)(ii)", "(d)(2)(ii)(B)"], "9c 9d 9h 5h 2c", "Qs Qh Qd 7d 3s 4h", {"ante": 0, "raise": -300, "bad-beat-bonus": 200}),
    # 682a.11(e)(1) to (3), beside a lost Ante and Raise.
    prime(["(e)(1)", "(e)(1)(i)"], "Kc Js 8c 5d 2h", "As Ah 9d 7d 3s 4h", {**BEATEN, "prime": -100}),
    prime(["(e)(1)", "(e)(1)(ii)"], "Kc Js 8c 5s 2h", "As Ah 9d 7d 3s 4h", {**BEATEN, "prime": 100}),
    prime(["(e)(1)(ii)"], "Kd Jh 8d 5h 2d", "As Ah 9d 7d 3s 4h", {**BEATEN, "prime": 600}),
    prime(["(e)(2)", "(e)(2)(i)"], "Kc Kd 8s 5h 2c", "As Ah 9d 7d 3s 4h", {**BEATEN, "aces-bonus": -100}),
    prime(["(e)(2)", "(e)(2)(ii)"], "Ac Ad 8s 5h 2c", "Ks Kh Kd 7d 3s 4h", {**BEATEN, "aces-bonus": 100}),
    prime(["(e)(3)", "(e)(3)(i)"], "Kc Kd 8s 5h 2c", "As Ah 9d 7d 3s 4h", {**BEATEN, "all-six": -100}, all_six="8c"),
    prime(["(e)(3)", "(e)(3)(ii)"], "Kc Kd 8s 5h 2c", "As Ah 9d 7d 3s 4h", {**BEATEN, "all-six": 500}, all_six="Ks"),
    # 683a.11(h): a pair of sixes pushes (683a.12(a)), jacks pay, fives lose.
    cajun(["(h)", "(h)(1)"], "6c 6d", "9s 5h 2c", dict.fromkeys(NOTHING, 0)),
    cajun(["(h)(1)"], "Jc 4d", "Js 5h 2c", {name: -lost for name, lost in NOTHING.items()}),
    cajun(["(h)", "(h)(2)"], "5c 4d", "5s 9h 2c", NOTHING),
    # 683a.11(i)(1) to (4), beside lost Ante and Raises.
    cajun(["(i)(1)", "(i)(1)(i)"], "Ac Td", "8s 5h 2c", {**NOTHING, "pocket-bonus": -100}),
    cajun(["(i)(1)", "(i)(1)(ii)"], "2c 2d", "8s 5h 3c", {**NOTHING, "pocket-bonus": 500}),
    cajun(["(i)(1)(ii)"], "Ac Jd", "8s 5h 2c", {**NOTHING, "pocket-bonus": 1000}),
    cajun(["(i)(2)", "(i)(2)(i)"], "2c 2d", "Ks 9s 4c", {**NOTHING, "board-bonus": -100}),
    cajun(["(i)(2)", "(i)(2)(ii)"], "Kc 9d", "4s 4c 2h", {**NOTHING, "board-bonus": 100}),
    cajun(["(i)(3)", "(i)(3)(i)"], "Qc 9d", "7s 5h 2c", {**NOTHING, "lo-ball": -100}),
    cajun(["(i)(3)(i)"], "5c 9d", "7s 5h 2c", {**NOTHING, "lo-ball": -100}),
    cajun(["(i)(3)(i)"], "2d 9d", "7s 5h 2c", {**NOTHING, "lo-ball": -100}),
    cajun(["(i)(3)", "(i)(3)(ii)"], "Jc 9d", "7s 5h 2c", {**NOTHING, "lo-ball": 100}),
    cajun(["(i)(3)(ii)"], "7c 5d", "4s 3h 2c", {**NOTHING, "lo-ball": 10_000}),
    cajun(["(i)(4)", "(i)(4)(i)"], "Kc 4d", "Ks 8h 2c", {"ante": 100, "raise-1": 100, "raise-2": 200, "raise-3": 300, "all-six": -100}, all_six="Kd 7c 6d 3s"),
    cajun(["(i)(4)", "(i)(4)(ii)"], "Kc 4d", "9s 8h 2c", {**NOTHING, "all-six": 500}, all_six="Kd Kh 6d 3s"),
    # Folds: 683a.11(b), (d) and (f) forfeit the Ante and the Raises made, and none of the optional wagers.
    *(
        cajun([clause], "2c 2d", "7s 7h 5c", {
            "ante": -100, **{f"raise-{number}": -100 * number for number in range(1, len(decisions))},
            "pocket-bonus": 500, "board-bonus": 100, "lo-ball": -100, "all-six": 500,
        }, all_six="2h 9c 6d 3s", decisions=decisions)
        for clause, decisions in (("(b)", [FOLD]), ("(d)", [1, FOLD]), ("(f)", [1, 2, FOLD]))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "cards", "wagers", "decisions", "nets"), ROWS)
def test_each_clause_collects_returns_and_pays(  # noqa: PLR0913, PLR0917 (a row of the table)
    make_terms: Make,
    game: str,
    cards: Mapping[str, str],
    wagers: Mapping[str, int],
    decisions: Sequence[int],
    nets: Mapping[str, int],
) -> None:
    lines = settle(make_terms(game), Hands.of(**cards), wagers, decisions, METERS)
    assert {line.wager: line.net for line in lines} == nets


@pytest.mark.proves("682a.11(b)")
def test_682a_11_b_a_fold_forfeits_the_ante_but_no_optional_wager(make_terms: Make) -> None:
    hands = Hands.of(player="Ac Ad 8s 5s 2c", dealer="Ks Kh 9d 7d 3s 4h", all_six="Ah")
    wagers = {"ante": 100, "prime": 100, "aces-bonus": 100, "all-six": 100}
    lines = settle(make_terms("four-card-prime"), hands, wagers, [FOLD])
    assert {line.wager: line.net for line in lines} == {"ante": -100, "prime": 100, "aces-bonus": 100, "all-six": 500}


@pytest.mark.proves("639a.11(b)")
def test_639a_11_b_a_fold_forfeits_all_but_the_five_card_hand_and_envy(make_terms: Make) -> None:
    hands = replace(Hands.of(player=FLUSH, dealer="8c 8s 8d 3c 3d"), others=(Other(hand("Ac Kc Qc Jc Tc")),))
    names = ("ante", "bonus", "progressive", "five-card-hand-player", "five-card-hand-dealer")
    lines = settle(make_terms("caribbean-stud", {"progressive": "D"}), hands, dict.fromkeys(names, 100), [FOLD], METERS)
    assert {line.wager: line.net for line in lines} == {
        "ante": -100,
        "bonus": -100,
        "progressive": -100,
        "five-card-hand-player": 4900,
        "five-card-hand-dealer": 9900,
        "envy-bonus": 1000_00,
    }


ENVY = [("Ac Kc Qc Jc Tc", 1000_00), ("9s 8s 7s 6s 5s", 300_00), ("4c 4d 4h 4s 2c", 0)]


@pytest.mark.proves("639a.11(c)(5)(v)")
def test_639a_11_c_5_v_envy_is_paid_only_for_other_players_hands(make_terms: Make) -> None:
    """The sums are those of a $1 wager: 639a.12(d)(6)."""
    plain = Hands.of(player="Kd 8h 7d 5h 3c", dealer="Ad Ks 9d 7h 3h")
    own = Hands.of(player="Ah Kh Qh Jh Th", dealer="9h 8h 7h 6h 5h")

    def envy(hands: Hands, *others: str, letter: str = "D", progressive: int = 100) -> int:
        made = {"ante": 100, **({"progressive": progressive} if progressive else {})}
        terms = make_terms("caribbean-stud", {"progressive": letter})
        dealt = replace(hands, others=tuple(Other(hand(cards)) for cards in others))
        return sum(line.pays for line in settle(terms, dealt, made, [2], METERS) if line.wager == "envy-bonus")

    assert [envy(plain, cards) for cards, _ in ENVY] == [pays for _, pays in ENVY]
    assert envy(plain, *(cards for cards, _ in ENVY)) == sum(pays for _, pays in ENVY)
    assert (envy(plain), envy(own), envy(plain, "Ac Kc Qc Jc Tc", progressive=0)) == (0, 0, 0)
    assert envy(plain, "Ac Kc Qc Jc Tc", letter="A") == 0
