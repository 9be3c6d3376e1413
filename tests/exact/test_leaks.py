"""The value of leaked cards, checked against plain counting for some hands and against general bounds."""

import random
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.cards import DECK, Card, hand
from pitboss.errors import Mistake
from pitboss.exact import duel, staged
from pitboss.exact.advice import _rename_suit, _suit_class
from pitboss.exact.leaks import (
    _best_result_kernel,
    _dealers_cards,
    best_result_with_known_board_card,
    best_result_with_known_cards,
    leaks_of,
)
from pitboss.exact.payoffs import STAKE, terms_for
from pitboss.exact.suit_classes import BINOMIALS
from pitboss.games import Hands, Terms, settle
from pitboss.ranking.batch import all_hands, evaluate_many


def net(terms: Terms, hands: Hands, decisions: list[int]) -> int:
    return sum(line.net for line in settle(terms, hands, {"ante": STAKE}, decisions))


def remaining_cards(*seen: Card) -> list[Card]:
    return [card for card in DECK if card not in seen]


@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize(("player", "known"), [("Jh 6d", "Kc"), ("8h 7h", "9h"), ("4c 2d", "2h")])
def test_cajun_stud_knowing_a_later_card(player: str, known: str, which: int) -> None:
    """Every board, every row of decisions, by `settle`."""
    terms = terms_for("cajun-stud", {"ante": "A"}, {})
    mine, (card,) = hand(player), hand(known)
    paid: dict[tuple[str, tuple[int, ...]], int] = {}
    evaluate = terms.evaluators["ante-raise"]

    def pays(cards: list[Card], raises: tuple[int, ...]) -> int:
        key = evaluate([*mine, *cards]).hand.name, raises
        if key not in paid:
            paid[key] = net(terms, Hands({"player": mine, "board": tuple(cards)}), list(raises))
        return paid[key]

    best = -STAKE * 49 * 48
    for a in (1, 2, 3):
        total = 0
        for first in remaining_cards(*mine, card):
            rest = remaining_cards(*mine, card, first)
            options = [-STAKE * (1 + a) * 48]
            for b in (1, 2, 3):
                lost = -STAKE * (1 + a + b)
                if which == 1:  # the third decision knows no more than the second
                    by_raise = [sum(pays([first, card, last], (a, b, c)) for last in rest) for c in (1, 2, 3)]
                    options.append(max(lost * 48, *by_raise))
                else:  # the third decision knows the hand
                    options.append(
                        sum(max(lost, *(pays([first, second, card], (a, b, c)) for c in (1, 2, 3))) for second in rest)
                    )
            total += max(options)
        best = max(best, total)
    solved = staged.solve(terms, STAKE)
    row, names = _suit_class(mine)
    assert best_result_with_known_board_card(solved, which)[row, _rename_suit(card, names)] == best


def test_cajun_stud_more_knowledge_is_worth_more() -> None:
    edges = [leak.house_edge for leak in leaks_of(terms_for("cajun-stud", {"ante": "A"}, {}))]
    assert edges == sorted(edges, reverse=True)
    assert edges[0] == Fraction(7_664_112, 155_937_600)


@pytest.fixture(scope="module")
def stud() -> tuple[Terms, duel.DuelSolution]:
    terms = terms_for("caribbean-stud", {"ante": "-"}, {})
    return terms, duel.solve(terms, STAKE)


@pytest.mark.parametrize(
    "known", ["Ac Kd", "9c 9d", "Qs Js 9s", "7c 5d 2h", "Kc Kd 4h 3s", "9h 8h 7h 6h", "Jc 8d 5h 3s"]
)
def test_caribbean_stud_knowing_some_cards(known: str, stud: tuple[Terms, duel.DuelSolution]) -> None:
    """Some hands of the player's, every rest of the dealer's hand, one by one."""
    terms, solved = stud
    chance = random.Random(known)  # noqa: S311 (a test that can be repeated)
    seen = hand(known)
    unknown = 5 - len(seen)
    players = [tuple(sorted(chance.sample(remaining_cards(*seen), 5))) for _ in range({1: 60, 2: 20, 3: 6}[unknown])]
    five, qualifying = terms.evaluators["five-card"], terms.evaluators["qualifying"]
    bet = {
        (five.ranking.hands[place].name, end): int(solved.nets[1, place, end])
        for place in range(10)
        for end in range(4)
    }
    total = 0
    for player in players:
        mine, value = five(player), 0
        for rest in combinations(remaining_cards(*seen, *player), unknown):
            dealer = (*seen, *rest)
            theirs = five(dealer).order
            low = qualifying(dealer).hand is qualifying.ranking.hands[-1]
            end = 0 if low else 1 if theirs < mine.order else 2 if theirs == mine.order else 3
            value += bet[mine.hand.name, end]
        total += max(value, -STAKE * comb(47 - len(seen), unknown))
    ranked = sorted(players, key=lambda player: five(player).order)
    cards = np.array([[card.index for card in player] for player in ranked], np.uint8)
    order = np.array([five(player).order for player in ranked])
    place = np.array([five.ranking.hands.index(five(player).hand) for player in ranked], np.uint8)
    hands = all_hands(5)
    by_number = np.empty(len(hands), np.int64)
    unqualified = evaluate_many(qualifying.ranking, hands).place == len(qualifying.ranking.hands) - 1
    number = BINOMIALS[hands.astype(np.int64), np.arange(1, 6)].sum(axis=1)
    by_number[number] = np.where(unqualified, -1, evaluate_many(five.ranking, hands).order.astype(np.int64))
    sets, weight = np.array([[card.index for card in sorted(seen)]], np.uint8), np.ones(1, np.int64)
    assert _best_result_kernel(sets, weight, cards, order, place, by_number, solved.nets[1], -STAKE) == total


def test_caribbean_stud_knowledge_does_not_help_a_player_who_always_raises(
    stud: tuple[Terms, duel.DuelSolution],
) -> None:
    terms, solved = stud
    pays = solved.nets.copy()
    pays[0] = -(10**7)  # folding is never best
    cents = best_result_with_known_cards(solved._replace(nets=pays), terms, 2)
    assert Fraction(cents, 2 * STAKE) == -3_310_360_338_060  # the known loss of raising blind


def test_caribbean_stud_knowing_all_five(
    stud: tuple[Terms, duel.DuelSolution], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raise hands that win or tie, fold hands that lose."""
    monkeypatch.setattr("pitboss.exact.leaks.best_result_with_known_cards", lambda *_: 0)
    terms, solved = stud
    last = _dealers_cards(terms, lambda: None)[-1]
    counts = solved.duel.counts.sum(axis=1, dtype=np.int64) * solved.duel.player.weight[:, None]
    odds = (solved.nets[1, :, 1][solved.duel.hand_index] - STAKE) // 2
    expected = counts[:, 0].sum() * STAKE + (counts[:, 1] * (STAKE + 2 * odds)).sum() - counts[:, 3].sum() * STAKE
    assert last.cents == expected


def test_refuses_leaks_of_other_games() -> None:
    with pytest.raises(Mistake, match="cannot calculate leaks for four-card-prime"):
        leaks_of(terms_for("four-card-prime", {"ante": "A"}, {}))
