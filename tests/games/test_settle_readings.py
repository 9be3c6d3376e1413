"""Readings that change payouts: each option pays as the reading says."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.cards import hand
from pitboss.errors import Mistake
from pitboss.games import FOLD, GAMES, Balances, Bounds, Hands, Other, Terms, agree, limit_counts, settle
from pitboss.money import CENT
from pitboss.rulebook import rulebook

Make = Callable[..., Terms]


def paid(terms: Terms, hands: Hands, wagers: dict[str, int], decisions: list[int], **more: object) -> dict[str, int]:
    return {line.wager: line.net for line in settle(terms, hands, wagers, decisions, **more)}  # type: ignore[arg-type]


@pytest.mark.parametrize(("option", "bonus"), [("pays-n", 25), ("pays-n-less-one", 24)])
def test_682a_12_b_win_bonus_with_and_without_for_one(make_terms: Make, option: str, bonus: int) -> None:
    terms = make_terms("four-card-prime", readings={"win-bonus-for-one": option})
    hands = Hands.of(player="9c 9d 9h 9s 2c", dealer="Kc Kd Kh 7s 4c 3d")
    assert paid(terms, hands, {"ante": 100}, [1])["win-bonus"] == bonus * 100


@pytest.mark.proves("682a.1:win-bonus", "682a.11(d)(2)(i)")
@pytest.mark.parametrize(("option", "bonus"), [("procedure", 2000), ("definition", None)])
def test_682a_11_d_2_i_win_bonus_on_a_tie(make_terms: Make, option: str, bonus: int | None) -> None:
    terms = make_terms("four-card-prime", readings={"win-bonus-on-tie": option})
    hands = Hands.of(player="9c 8c 7c 6c 2d", dealer="9h 8h 7h 6h 2s 3d")
    lines = paid(terms, hands, {"ante": 100}, [1])
    assert (lines["ante"], lines["raise"], lines.get("win-bonus")) == (100, 100, bonus)


@pytest.mark.parametrize(("option", "net"), [("by-6c", -100), ("tie", 100)])
def test_682a_6_c_two_flushes(make_terms: Make, option: str, net: int) -> None:
    terms = make_terms("four-card-prime", readings={"same-rank-comparison": option})
    hands = Hands.of(player="9c 8c 7c 2c 3d", dealer="Ah Jh 7h 6h 2s 3s")
    assert paid(terms, hands, {"ante": 100}, [1])["ante"] == net


@pytest.mark.parametrize(
    ("arrangement", "all_six", "net"),
    [("four-separate", "Kh 7c 6d 3s", 500), ("community-plus-one", "Kh", 500), ("community-plus-one", "8d", -100)],
)
def test_683a_11_i_4_all_six_in_both_arrangements(make_terms: Make, arrangement: str, all_six: str, net: int) -> None:
    terms = make_terms("cajun-stud", readings={"cajun-all-six-cards": arrangement})
    hands = Hands.of(player="Kc Kd", board="8s 5h 2c", all_six=all_six)
    assert paid(terms, hands, {"ante": 100, "all-six": 100}, [1, 1, 1])["all-six"] == net


@pytest.mark.parametrize(
    ("readings", "board", "net"),
    [
        ({}, "8s 8h 2c", 100),
        ({"board-bonus-threshold": "aces-or-better"}, "8s 8h 2c", -100),
        ({"board-bonus-threshold": "aces-or-better"}, "As Ah 2c", 100),
        ({}, "As 3h 2c", 600),
        ({"board-bonus-ace-low": "no"}, "As 3h 2c", -100),
        ({}, "As Ks Qs", 4000),
        ({"board-bonus-a-mini-royal": "fifty"}, "As Ks Qs", 5000),
    ],
)
def test_683a_board_bonus(make_terms: Make, readings: dict[str, str], board: str, net: int) -> None:
    terms = make_terms("cajun-stud", readings=readings)
    assert (
        paid(terms, Hands.of(player="Jc 9d", board=board), {"ante": 100, "board-bonus": 100}, [FOLD])["board-bonus"]
        == net
    )


ROYAL, LOW = hand("Ac Kc Qc Jc Tc"), hand("9d 9h 4c 3s 2d")


@pytest.mark.proves("639a.11(c)(5)(v)", "639a.12(d)(6)", "639a.1:envy-bonus", "639a.11(b)")
@pytest.mark.parametrize(
    ("letter", "stake", "other", "readings", "envy"),
    [
        ("D", 100, Other(ROYAL), {}, 1000_00),
        ("D", 500, Other(ROYAL), {}, 5000_00),
        ("H", 500, Other(ROYAL), {}, 5000_00),
        ("H", 500, Other(ROYAL), {"envy-paytables": "d"}, 0),
        ("D", 500, Other(ROYAL), {"envy-paytables": "d"}, 5000_00),
        ("A", 100, Other(ROYAL), {}, 0),
        ("D", 100, Other(LOW), {}, 0),
        ("D", 100, Other(ROYAL, folded=True), {}, 0),
        ("D", 100, Other(ROYAL, folded=True), {"envy-folded-hand": "yes"}, 1000_00),
        ("D", 100, Other(ROYAL, wagered=False), {}, 1000_00),
        ("D", 100, Other(ROYAL, wagered=False), {"envy-holder-wagered": "yes"}, 0),
    ],
)
@pytest.mark.parametrize("decision", [2, FOLD])
def test_639a_12_d_6_envy(  # noqa: PLR0913, PLR0917 (a row of the table)
    make_terms: Make, letter: str, stake: int, other: Other, readings: dict[str, str], envy: int, decision: int
) -> None:
    """A fold forfeits the Progressive but not the right to Envy."""
    terms = make_terms("caribbean-stud", {"progressive": letter}, readings)
    hands = replace(Hands.of(player="Kd 8s 7s 5h 3c", dealer="Ad Ks 9s 7h 3h"), others=(other,))
    lines = paid(terms, hands, {"ante": 100, "progressive": stake}, [decision])
    assert lines.get("envy-bonus", 0) == envy
    assert lines["progressive"] == -stake


@pytest.mark.proves("639a.11(c)(5)(v)")
@pytest.mark.parametrize(
    ("player", "decision", "option", "envy"),
    [
        ("Kd 8s 7s 5h 3c", 2, "no", 1000_00),
        ("Kd 8s 7s 5h 3c", 2, "yes", 0),
        ("Kd Ks 8h 8d 8s", 2, "yes", 1000_00),
        ("Kd Ks 8h 8d 8s", FOLD, "yes", 0),
        ("Kd Ks 8h 8d 8s", FOLD, "no", 1000_00),
    ],
)
def test_639a_11_c_5_v_envy_with_or_without_an_own_win(
    make_terms: Make, player: str, decision: int, option: str, envy: int
) -> None:
    """Another's royal flush, Paytable D, $1; a full house is the own win, king high is none, and a fold forfeits it."""
    terms = make_terms("caribbean-stud", {"progressive": "D"}, {"envy-without-own-win": option})
    hands = replace(Hands.of(player=player, dealer="Ad Kh 9s 7h 3h"), others=(Other(ROYAL),))
    lines = paid(terms, hands, {"ante": 100, "progressive": 100}, [decision])
    assert lines.get("envy-bonus", 0) == envy


def test_a_player_without_the_progressive_has_no_envy(make_terms: Make) -> None:
    hands = replace(Hands.of(player="Kd 8s 7s 5h 3c", dealer="Ad Ks 9s 7h 3h"), others=(Other(ROYAL),))
    assert paid(make_terms("caribbean-stud", {"progressive": "D"}), hands, {"ante": 100}, [2]) == {
        "ante": -100,
        "bet": -200,
    }


@pytest.mark.proves("639a.12(e)(2)")
def test_639a_12_e_2_a_dealer_hand_jackpot_is_divided_equally(make_terms: Make) -> None:
    terms = make_terms("caribbean-stud")
    hands = Hands.of(player="Kd 8s 7s 5h 3c", dealer="Ac Kc Qc Jc Tc")
    meters = Balances({"five-card-hand": 10_000_01 * CENT}, sharing=3)
    lines = paid(terms, hands, {"ante": 100, "five-card-hand-dealer": 100}, [2], meters=meters)
    assert lines["five-card-hand-dealer"] == 3333_33 - 100  # a third of $10,000.01, down to the cent


CHAPTERS = {"caribbean-stud": "639a", "four-card-prime": "682a", "cajun-stud": "683a"}
LEAVING = [
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [2],
     "required-lose-optional-play-out", {"ante": -100, "bet": -200, "bonus": 700}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [2],
     "all-lose", {"ante": -100, "bet": -200, "bonus": -100}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [2],
     "played-out", {"ante": 100, "bet": 600, "bonus": 700}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [],
     "played-out", {"ante": -100, "bonus": -100}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [],
     "required-lose-optional-play-out", {"ante": -100, "bonus": -100}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "five-card-hand-player": 100}, [],
     "all-lose", {"ante": -100, "five-card-hand-player": -100}),
    ("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 100, "bonus": 100}, [FOLD],
     "required-lose-optional-play-out", {"ante": -100, "bonus": -100}),
    ("four-card-prime", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s 4h"), {"ante": 100, "aces-bonus": 100}, [],
     "required-lose-optional-play-out", {"ante": -100, "aces-bonus": 1000}),
    ("four-card-prime", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s 4h"), {"ante": 100, "aces-bonus": 100}, [1],
     "required-lose-optional-play-out", {"ante": -100, "raise": -100, "aces-bonus": 1000}),
    ("four-card-prime", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s 4h"), {"ante": 100, "aces-bonus": 100}, [1],
     "all-lose", {"ante": -100, "raise": -100, "aces-bonus": -100}),
    ("cajun-stud", Hands.of(player="Kc Kd", board="Ks 5h 2c"), {"ante": 100, "pocket-bonus": 100}, [1],
     "required-lose-optional-play-out", {"ante": -100, "raise-1": -100, "pocket-bonus": 500}),
    ("cajun-stud", Hands.of(player="Kc Kd", board="Ks 5h 2c"), {"ante": 100, "pocket-bonus": 100}, [1, 1, 1],
     "played-out", {"ante": 300, "raise-1": 300, "raise-2": 300, "raise-3": 300, "pocket-bonus": 500}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "hands", "wagers", "decisions", "option", "nets"),
    [pytest.param(*row, marks=pytest.mark.proves(f"{CHAPTERS[row[0]]}.7(b)")) for row in LEAVING],
)
def test_7_b_wagers_of_a_player_who_leaves(  # noqa: PLR0913, PLR0917 (a row of the table)
    make_terms: Make,
    game: str,
    hands: Hands,
    wagers: dict[str, int],
    decisions: list[int],
    option: str,
    nets: dict[str, int],
) -> None:
    terms = make_terms(game, readings={"abandoned-wagers": option})
    assert paid(terms, hands, wagers, decisions, left=True) == nets


@pytest.mark.proves("639a.7(b)", "639a.11(b)")
def test_639a_11_b_leaving_is_never_better_than_folding(make_terms: Make) -> None:
    hands = Hands.of(player="Ah Kh Qh Jh Th", dealer="Ac Kd 9d 7d 3s")
    hands = replace(hands, others=(Other(hand("9s 8s 7s 6s 5s")),), magic=hands.cards["player"][0], lucky=("player",))
    wagers = {"ante": 100, "bonus": 100, "progressive": 100, "five-card-hand-player": 100}
    meters = Balances({"main": 20_000_00 * CENT, "five-card-hand": 30_000_00 * CENT})
    for option in ("required-lose-optional-play-out", "all-lose", "played-out"):
        terms = make_terms("caribbean-stud", {"progressive": "D"}, {"abandoned-wagers": option})
        folded = paid(terms, hands, wagers, [FOLD], meters=meters)
        gone = paid(terms, hands, wagers, [], meters=meters, left=True)
        assert gone["bonus"] == gone["progressive"] == -100
        assert all(net <= folded[name] for name, net in gone.items())
        # With everything lost there is no bonus on what was lost; Envy goes by the forfeited Progressive.
        assert ("magic-card-player" in gone) == (option != "all-lose")


@pytest.mark.proves("639a.12(e)(3)")
def test_639a_12_e_3_magic_card_and_lucky_bonus_are_paid_only_where_they_are_offered() -> None:
    terms = agree(
        GAMES["caribbean-stud"],
        rulebook(),
        offered={"ante": Bounds(), "five-card-hand": Bounds()},
        letters={},
        readings={},
        unit=1,
        bonuses=["lucky-bonus"],
    )
    hands = Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s")
    wagers = {"ante": 100, "five-card-hand-player": 100}
    assert paid(terms, replace(hands, lucky=("player",)), wagers, [2])["lucky-bonus-player"] == 500
    with pytest.raises(Mistake, match=r"caribbean-stud pays nothing for a card drawn by the system\."):
        settle(terms, replace(hands, magic=hands.cards["player"][0]), wagers, [2])


def test_the_balance_after_a_dealers_jackpot_must_be_given(make_terms: Make) -> None:
    terms = make_terms("caribbean-stud")
    hands = Hands.of(player="9h Kh Qh Jh Th", dealer="Ac Kc Qc Jc Tc")
    wagers = {"ante": 100, "five-card-hand-dealer": 100, "five-card-hand-player": 100}
    shown = {"five-card-hand": 10_000_00 * CENT}
    with pytest.raises(Mistake, match="give that meter's balance after the dealer's hand emptied it"):
        settle(terms, hands, wagers, [FOLD], Balances(shown))
    lines = paid(terms, hands, wagers, [FOLD], meters=Balances({"five-card-hand": 80_00 * CENT}, shown))
    assert lines["five-card-hand-dealer"] == 10_000_00 - 100
    assert lines["five-card-hand-player"] == 8_00 - 100


def test_two_wins_from_one_meter_are_paid_in_turn(make_terms: Make) -> None:
    # Dealer's and player's straight flushes, 10 % each: the dealer's hand was turned first, for three wagers.
    terms = make_terms("caribbean-stud")
    hands = Hands.of(player="9h Kh Qh Jh Th", dealer="9c 8c 7c 6c 5c")
    wagers = {"ante": 100, "five-card-hand-dealer": 100, "five-card-hand-player": 100}
    lines = paid(terms, hands, wagers, [FOLD], meters=Balances({"five-card-hand": 9_000_00 * CENT}, sharing=3))
    assert lines["five-card-hand-dealer"] == 300_00 - 100
    assert lines["five-card-hand-player"] == 810_00 - 100


@pytest.mark.proves("639a.1:progressive-payout-hand(i)", "639a.12(d)(1)")
@pytest.mark.parametrize(("option", "net"), [("lose", -100), ("returned", 0)])
@pytest.mark.parametrize("player", ["9c 9d 9h 4s 2c", "9c 8d 7h 6s 5c"])
def test_639a_12_d_1_a_payout_hand_without_odds_in_paytable_e(
    make_terms: Make, player: str, option: str, net: int
) -> None:
    """Three-of-a-kind and a straight are Progressive Payout Hands by 639a.1; Paytable E prints N/A."""
    terms = make_terms("caribbean-stud", {"progressive": "E"}, {"progressive-na": option})
    hands = Hands.of(player=player, dealer="Ad Ks 8s 7s 3h")
    assert paid(terms, hands, {"ante": 100, "progressive": 100}, [2])["progressive"] == net
    pair = Hands.of(player="9c 9d 7h 4s 2c", dealer="Ad Ks 8s 7s 3h")  # not a Payout Hand under any definition
    assert paid(terms, pair, {"ante": 100, "progressive": 100}, [2])["progressive"] == -100


@pytest.mark.proves("639a.12(d)(1)", "639a.12(e)(1)")
@pytest.mark.parametrize(("option", "net"), [("exchanged", 1000_00 - 500), ("returned", 1000_00)])
def test_639a_12_d_1_the_wager_beside_a_share_of_the_meter(make_terms: Make, option: str, net: int) -> None:
    """A straight flush by Paytable B: 10 % of $10,000 on a wager of $5."""
    terms = make_terms("caribbean-stud", {"progressive": "B"}, {"meter-pay-stake": option})
    hands = Hands.of(player="9c 8c 7c 6c 5c", dealer="Ad Ks 8s 7s 3h")
    meters = Balances({"main": 10_000_00 * CENT, "five-card-hand": 10_000_00 * CENT})
    wagers = {"ante": 100, "progressive": 500, "five-card-hand-player": 500}
    found = paid(terms, hands, wagers, [2], meters=meters)
    assert found["progressive"] == found["five-card-hand-player"] == net


@pytest.mark.proves("639a.12(e)(3)")
@pytest.mark.parametrize(("option", "magic", "lucky"), [("pays-n", 2000, 500), ("pays-n-less-one", 1900, 400)])
def test_639a_12_e_3_magic_and_lucky_for_one(make_terms: Make, option: str, magic: int, lucky: int) -> None:
    terms = make_terms("caribbean-stud", readings={"magic-lucky-for-one": option})
    hands = Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s")
    drawn = replace(hands, magic=hands.cards["player"][0], lucky=("player",))
    found = paid(terms, drawn, {"ante": 100, "five-card-hand-player": 100}, [2])
    assert (found["magic-card-player"], found["lucky-bonus-player"]) == (magic, lucky)


@pytest.mark.proves("682a.12(g)")
def test_682a_12_g_the_six_card_royal_of_paytable_e_is_outside_the_limit(make_terms: Make) -> None:
    hands = Hands.of(player="Ad Kd Qd Jd Td", dealer="Ac Kh 9c 7c 3s 4h", all_six="9d")
    wagers = {"ante": 100, "aces-bonus": 2000_00, "all-six": 100_00}
    for letter, all_six, limited in (("E", 200_000 * 100_00, 100_000_00 - 50_000_00), ("A", 1000 * 100_00, 150_000_00)):
        terms = make_terms("four-card-prime", {"all-six": letter}, payout_limit=50_000_00)
        lines = paid(terms, hands, wagers, [FOLD])
        assert (lines["aces-bonus"], lines["all-six"]) == (50 * 2000_00, all_six)
        assert lines["payout-limit"] == -limited


@pytest.mark.proves("683a.12(f)")
def test_683a_12_f_the_limit_is_on_the_patron_not_on_the_box(make_terms: Make) -> None:
    # Reading payout-limit-meaning: all boxes of a patron together. Straight flush, 100 to 1 on $80 and 3 × $80.
    terms = make_terms("cajun-stud", payout_limit=50_000_00)
    hands = Hands.of(player="9c 8c", board="7c 6c 5c")
    first = settle(terms, hands, {"ante": 80_00, "board-bonus": 100}, [1, 1, 1])
    assert limit_counts(terms, first) == 32_000_00
    second = settle(terms, hands, {"ante": 80_00, "board-bonus": 100}, [1, 1, 1], won_before=limit_counts(terms, first))
    cut = next(line for line in second if line.outcome == "limited")
    assert (cut.pays, cut.cite) == (-14_000_00, "683a.12(f)")
    assert limit_counts(terms, first) + limit_counts(terms, second) == 50_000_00
    assert [line.wager for line in second][-2:] == ["payout-limit", "board-bonus"]


@pytest.mark.proves("639a.11(c)(3)(i)", "639a.12(a)")
def test_639a_11_c_3_i_a_dealer_below_ace_king_pays_the_ante_and_returns_the_bet(make_terms: Make) -> None:
    hands = Hands.of(player="Ac Kc Qc Jc Tc", dealer="Ad Qs 9d 7d 3s")
    assert paid(make_terms("caribbean-stud"), hands, {"ante": 100}, [2]) == {"ante": 100, "bet": 0}
    worse = Hands.of(player="7c 5c 4d 3d 2h", dealer="Ad Qs 9d 7d 3s")
    assert paid(make_terms("caribbean-stud"), worse, {"ante": 100}, [2]) == {"ante": 100, "bet": 0}


@pytest.mark.proves("639a.11(c)(3)(i)")
@pytest.mark.parametrize(
    ("player", "odds"), [("Ac Kc Qc Jc Tc", 100), ("Kc Jc 9c 6c 3c", 5), ("8c 7d 6h 5s 4c", 4), ("7c 5c 4d 3d 2h", 1)]
)
def test_639a_11_c_3_i_the_reading_may_pay_the_ante_by_the_odds_of_the_bet(
    make_terms: Make, player: str, odds: int
) -> None:
    """639a.12(b): royal flush 100 to 1, flush 5, straight 4, a pair or less 1; a dealer who qualifies pays the Ante 1 to 1."""
    terms = make_terms("caribbean-stud", readings={"ante-when-dealer-fails": "odds-of-the-bet"})
    weak = Hands.of(player=player, dealer="Ad Qs 9d 7s 3s")
    assert paid(terms, weak, {"ante": 100}, [2]) == {"ante": 100 * odds, "bet": 0}
    strong = Hands.of(player="Ac Kc Qc Jc Tc", dealer="Ad Ks 9d 7s 3s")
    assert paid(terms, strong, {"ante": 100}, [2]) == {"ante": 100, "bet": 20_000}
