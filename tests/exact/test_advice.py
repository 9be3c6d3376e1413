"""Advice and strategies: the value of decisions, checked by counting, and the cost of strategies."""

from fractions import Fraction
from itertools import combinations, permutations

import msgspec
import pytest

from pitboss.cards import DECK, Card, hand
from pitboss.errors import Mistake
from pitboss.exact.advice import LimitAtWager, Situation, advise, best_option
from pitboss.exact.payoffs import terms_for
from pitboss.exact.strategies import judge_strategies
from pitboss.games import FOLD, Hands, Terms, settle
from pitboss.submission import load, terms_of

ANTE = {"ante": 100}


def net(terms: Terms, hands: Hands, decisions: list[int]) -> int:
    return sum(line.net for line in settle(terms, hands, ANTE, decisions))


def remaining_cards(*seen: Card) -> list[Card]:
    return [card for card in DECK if card not in seen]


def test_cajun_stud_the_third_decision_is_the_mean_over_the_last_card() -> None:
    terms = terms_for("cajun-stud", {"ante": "A"}, {})
    player, board = hand("Jh 6d"), hand("2c 6s")
    options = advise("cajun-stud", "A", {}, Situation(player=player, board=board, raised=(3, 1)))
    for option in options[1:]:
        total = sum(
            net(terms, Hands({"player": player, "board": (*board, last)}), [3, 1, option.multiple])
            for last in remaining_cards(*player, *board)
        )
        assert option.worth == Fraction(total, 48 * 100)
    assert options[0].worth == -5  # the Ante and both Raises: 683a.11(f)


def test_cajun_stud_the_second_decision_looks_one_card_ahead() -> None:
    terms = terms_for("cajun-stud", {"ante": "A"}, {})
    player, board = hand("Jh 6d"), hand("6s")
    options = advise("cajun-stud", "A", {}, Situation(player=player, board=board, raised=(1,)))
    for option in options[1:]:
        total = Fraction()
        for second in remaining_cards(*player, *board):
            rest = remaining_cards(*player, *board, second)
            raised = [1, option.multiple]
            worth = [
                Fraction(
                    sum(
                        net(terms, Hands({"player": player, "board": (*board, second, last)}), [*raised, third])
                        for last in rest
                    ),
                    48,
                )
                for third in (1, 2, 3)
            ]
            total += max(Fraction(-100 * (2 + option.multiple)), *worth)
        assert option.worth == total / 49 / 100


RACK_CARD = terms_of(load("cajun-stud-rack-card"))
LIMIT = 50_000_00


def values_under_the_limit(ante: int, player: str, board: str, raised: list[int]) -> list[Fraction]:
    """The values of the three last Raises under the rack card's terms: the mean over all 48 last cards."""
    assert RACK_CARD.payout_limit == LIMIT
    hole, seen = hand(player), hand(board)
    nets = [
        sum(
            line.net
            for last in remaining_cards(*hole, *seen)
            for line in settle(
                RACK_CARD, Hands({"player": hole, "board": (*seen, last)}), {"ante": ante}, [*raised, multiple]
            )
        )
        for multiple in (1, 2, 3)
    ]
    return [Fraction(total, 48 * ante) for total in nets]


@pytest.mark.parametrize(
    ("ante", "player", "board", "free", "limited"),
    [
        (1_000_00, "Ah Kh", "9h 4h", ["13/2", "117/16", "65/8"], ["43/8", "39/8", "35/8"]),
        (100_00, "Th Jh", "Qh Kh", ["661/6", "1983/16", "3305/24"], ["31", "1549/48", "805/24"]),
    ],
)
def test_683a_12_f_the_value_of_a_raise_includes_the_payout_limit(
    ante: int, player: str, board: str, free: list[str], limited: list[str]
) -> None:
    """After Raises of three times each: with the first hand one more of three times costs a whole Ante."""
    situation = Situation(player=hand(player), board=hand(board), raised=(3, 3))
    fold, *without = advise("cajun-stud", "B", {}, situation)
    assert [option.worth for option in without] == [Fraction(worth) for worth in free]
    found = advise("cajun-stud", "B", {}, situation, LimitAtWager(LIMIT, ante))
    assert found[0] == fold
    assert [option.worth for option in found[1:]] == values_under_the_limit(ante, player, board, [3, 3])
    assert [option.worth for option in found[1:]] == [Fraction(worth) for worth in limited]


def test_683a_12_f_a_payout_limit_can_change_the_best_decision() -> None:
    situation = Situation(player=hand("Ah Kh"), board=hand("9h 4h"), raised=(3, 3))
    assert best_option(advise("cajun-stud", "B", {}, situation), larger=True).multiple == 3
    assert (
        best_option(advise("cajun-stud", "B", {}, situation, LimitAtWager(LIMIT, 1_000_00)), larger=True).multiple == 1
    )


def test_683a_12_f_an_earlier_decision_includes_the_limit() -> None:
    """The second decision with a four-card royal to come: every second and last card is settled."""
    player, board, ante = hand("Ah Kh"), hand("Qh"), 1_000_00
    options = advise(
        "cajun-stud", "B", {}, Situation(player=player, board=board, raised=(3,)), LimitAtWager(LIMIT, ante)
    )
    paid: dict[tuple[str, tuple[int, ...]], int] = {}
    ranked = RACK_CARD.evaluators[RACK_CARD.rankings["ante-raise"]]

    def settled(cards: tuple[Card, ...], decisions: tuple[int, ...]) -> int:
        key = ranked((*player, *cards)).hand.name, decisions
        if key not in paid:
            lines = settle(RACK_CARD, Hands({"player": player, "board": cards}), {"ante": ante}, decisions)
            paid[key] = sum(line.net for line in lines)
        return paid[key]

    for option in options[1:]:
        total = 0
        for second in remaining_cards(*player, *board):
            last = [(*board, second, card) for card in remaining_cards(*player, *board, second)]
            worth = [sum(settled(cards, (3, option.multiple, third)) for cards in last) for third in (1, 2, 3)]
            total += max(-48 * ante * (4 + option.multiple), *worth)
        assert option.worth == Fraction(total, 49 * 48 * ante)
    assert options != advise("cajun-stud", "B", {}, Situation(player=player, board=board, raised=(3,)))


def test_683a_12_f_a_limit_out_of_reach_changes_nothing() -> None:
    """Royal flushes pay 500 to 1 on ten Antes at most: $50,000 is exceeded from the first cent over $10 on."""
    for situation in (
        Situation(player=hand("Ah Kh")),
        Situation(player=hand("Th Jh"), board=hand("Qh"), raised=(3,)),
        Situation(player=hand("Th Jh"), board=hand("Qh Kh"), raised=(3, 3)),
    ):
        free = advise("cajun-stud", "B", {}, situation)
        assert advise("cajun-stud", "B", {}, situation, LimitAtWager(LIMIT, 10_00)) == free
        assert advise("cajun-stud", "B", {}, situation, LimitAtWager(LIMIT, 10_50))[3].worth < free[3].worth


def test_682a_12_g_a_limit_on_side_wagers_does_not_change_the_decision() -> None:
    situation = Situation(player=hand("Ah Kd Qc 7s 3h"))
    free = advise("four-card-prime", "A", {}, situation)
    assert advise("four-card-prime", "A", {}, situation, LimitAtWager(LIMIT, 10_000_00)) == free


def test_renaming_the_suits_does_not_change_the_value() -> None:
    cards, up = "Ah Kd Qc 7s 3h", "2c"
    found = set()
    for suits in permutations("cdhs"):
        names = dict(zip("cdhs", suits, strict=True))
        renamed = [" ".join(card[0] + names[card[1]] for card in text.split()) for text in (cards, up)]
        found.add(advise("caribbean-stud", None, {}, Situation(player=hand(renamed[0]), up=hand(renamed[1]))))
    assert len(found) == 1


@pytest.mark.parametrize("cards", ["Ah Kd Qc 7s 3h", "2h 2d 9c 7s 3h", "9h 8h 7h 6h 5h"])
def test_caribbean_stud_counts_every_dealer_hand(cards: str) -> None:
    """All 163,185 of them, evaluated one by one, each paid as `settle` pays the same end."""
    terms = terms_for("caribbean-stud", {"ante": "-"}, {})
    player, up = hand(cards), hand("2c")
    five, qualifying = terms.evaluators["five-card"], terms.evaluators["qualifying"]
    mine, paid, total = five(player).order, {}, 0
    for hole in combinations(remaining_cards(*player, *up), 4):
        dealer = (*up, *hole)
        order = five(dealer).order
        end = (qualifying(dealer).hand is qualifying.ranking.hands[-1], (order > mine) - (order < mine))
        if end not in paid:
            paid[end] = net(terms, Hands({"player": player, "dealer": dealer}), [2])
        total += paid[end] if not end[0] else 100  # 639a.11(c)(3)(i): the Ante is paid, whoever has the better hand
    fold, bet = advise("caribbean-stud", None, {}, Situation(player=player, up=up))
    assert fold.multiple == FOLD
    assert fold.worth == -1
    assert bet.worth == Fraction(total, 163_185 * 100)


def test_the_reading_decides_between_equal_decisions() -> None:
    options = advise("cajun-stud", "A", {}, Situation(player=hand("Jh 6d"), board=hand("2c 9h"), raised=(1, 1)))
    assert options[0].worth == options[1].worth == -3
    assert best_option(options, larger=True).multiple == 1
    assert best_option(options, larger=False).multiple == FOLD


# Found before by another program.
KNOWN = {
    "best decisions": -1_041_372_912_372,
    "three rules": -1_041_417_758_724,
    "A-K-J-8-3": -1_059_715_400_580,
    "pair": -1_090_272_101_460,
    "ace-king": -1_132_600_203_540,
    "blind": -3_310_360_338_060,
}


def test_published_strategies_of_caribbean_stud() -> None:
    found = {one.name: one for one in judge_strategies(terms_for("caribbean-stud", {"ante": "-"}, {}))}
    assert {name: found[name].distribution.net for name in KNOWN} == KNOWN
    assert found["by the hand alone"].rules == ("Raise 2 × with high card A-K-J-8-3 or better.",)
    assert found["by the hand alone"].distribution.net == KNOWN["A-K-J-8-3"]
    assert found["three rules"].cost == Fraction(1_041_417_758_724 - 1_041_372_912_372, 19_933_230_517_200)


def test_strategies_of_the_other_games_cost_little() -> None:
    _, prime = judge_strategies(terms_for("four-card-prime", {"ante": "A"}, {}))
    assert 0 < prime.cost < Fraction(1, 100_000)
    assert prime.rules == ("Raise 1 × with pair 3-6-4 or better.", "Raise 3 × with pair T-J-3 or better.")
    _, cajun = judge_strategies(terms_for("cajun-stud", {"ante": "A"}, {}))
    assert 0 < cajun.cost < Fraction(3, 10_000)
    assert cajun.rules[1:3] == (
        "First decision: raise 3 × with AA KK QQ JJ TT 99 88 77 66 55 44 33 22.",
        "First decision: raise 1 × with 2 points or more, and 65s.",
    )


@pytest.mark.parametrize(
    ("game", "situation", "said"),
    [
        ("caribbean-stud", {"player": "Ah Kd Qc 7s"}, "A player has 5 cards, not 4."),
        ("caribbean-stud", {"player": "Ah Kd Qc 7s 3h"}, "Give one up-card of the dealer, not 0."),
        ("caribbean-stud", {"player": "Ah Kd Qc 7s 3h", "up": "Ah"}, "Ah"),
        ("four-card-prime", {"player": "Ah Kd Qc 7s 3h", "up": "2c"}, "Give no up-card of the dealer, not 1."),
        (
            "four-card-prime",
            {"player": "Ah Kd Qc 7s 3h", "board": "2c"},
            "This game has no board and only one decision.",
        ),
        ("cajun-stud", {"player": "Ah Kd", "up": "2c"}, "This game has no dealer cards."),
        (
            "cajun-stud",
            {"player": "Ah Kd", "board": "2c 3c 4c"},
            "There is no decision after the third community card.",
        ),
    ],
)
def test_refuses_an_impossible_situation(game: str, situation: dict[str, str], said: str) -> None:
    with pytest.raises(Mistake, match=said.replace("?", ".")):
        advise(game, None, {}, msgspec.convert({name: hand(text) for name, text in situation.items()}, Situation))
