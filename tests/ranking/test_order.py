"""The order of hands: extremes and ties that section .6 names, and two independent evaluators."""

import random
from collections import Counter
from itertools import combinations, pairwise, starmap

import numpy as np
import pytest
from phevaluator import _pheval

from pitboss.cards import DECK, Card, hand
from pitboss.ranking import evaluator
from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.rulebook import rulebook

FIVE = evaluator(rulebook().ranking("caribbean-stud", "five-card"))
FOUR = evaluator(rulebook().ranking("four-card-prime", "four-card"))


def is_descending(evaluate: object, *hands: str) -> bool:
    """Whether each hand is higher than the next."""
    assert callable(evaluate)
    return all(higher > lower for higher, lower in pairwise(evaluate(hand(text)).order for text in hands))


@pytest.mark.proves("639a.6(b)", "639a.6(b)(1)")
def test_639a_6_b_every_hand_outranks_the_next() -> None:
    assert is_descending(
        FIVE,
        "As Ks Qs Js Ts",
        "5h 4h 3h 2h Ah",
        "2c 2d 2h 2s 3c",
        "2c 2d 2h 3s 3c",
        "2h 3h 4h 5h 7h",
        "5h 4c 3h 2h Ah",
        "2c 2d 2h 3s 4c",
        "3c 3d 2h 2s 4c",
        "2c 2d 3h 4s 5c",
        "Ac Kd Qh Js 9c",
    )


@pytest.mark.proves("639a.6(a)", "639a.6(b)(2)", "639a.6(b)(6)")
def test_639a_6_a_the_ace_is_low_only_with_2_3_4_5() -> None:
    assert is_descending(FIVE, "Kh Qh Jh Th 9h", "6h 5h 4h 3h 2h", "5h 4h 3h 2h Ah")
    assert is_descending(FIVE, "Ac Kh Qh Jh Th", "6c 5h 4h 3h 2h", "5c 4h 3h 2h Ah")
    for around in ("Qh Kh Ah 2h 3h", "Kh Ah 2h 3h 4h", "Jh Qh Kh Ah 2h"):
        assert FIVE(hand(around)).hand.name == "Flush"
    assert FIVE(hand("Qc Kh Ah 2h 3h")).hand.name == "High card"


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "name", "highest", "lowest"),
    [
        ("639a.6(b)(2)", "Straight flush", "Kh Qh Jh Th 9h", "5h 4h 3h 2h Ah"),
        ("639a.6(b)(3)", "Four-of-a-kind", "Ac Ad Ah As Kc", "2c 2d 2h 2s 3c"),
        ("639a.6(b)(4)", "Full house", "Ac Ad Ah Ks Kc", "2c 2d 2h 3s 3c"),
        ("639a.6(b)(5)", "Flush", "Ah Kh Qh Jh 9h", "2h 3h 4h 5h 7h"),
        ("639a.6(b)(6)", "Straight", "Ac Kh Qh Jh Th", "5c 4h 3h 2h Ah"),
        ("639a.6(b)(7)", "Three-of-a-kind", "Ac Ad Ah Ks Qc", "2c 2d 2h 3s 4c"),
        ("639a.6(b)(8)", "Two pair", "Ac Ad Kh Ks Qc", "3c 3d 2h 2s 4c"),
        ("639a.6(b)(9)", "Pair", "Ac Ad Kh Qs Jc", "2c 2d 3h 4s 5c"),
    ],
)
def test_639a_6_b_highest_and_lowest_of_a_kind(clause: str, name: str, highest: str, lowest: str) -> None:
    ranking = FIVE.ranking
    hands = all_hands(5)
    live_tables = evaluate_many(ranking, hands)
    place = [known.name for known in ranking.hands].index(name)
    orders = live_tables.order[live_tables.place == place]
    assert ranking.hands[place].cite == clause
    assert FIVE(hand(highest)).order == orders.max()
    assert FIVE(hand(lowest)).order == orders.min()
    assert orders.max() > orders.min()


@pytest.mark.proves("639a.6(a)", "639a.6(c)")
def test_639a_6_c_equal_hands_compare_by_their_own_cards_then_the_rest_then_tie() -> None:
    assert is_descending(FIVE, "Kc Kd Qh 3s 2c", "2c 2d Ah Ks Qc")  # reading kicker-rule: the pair before the ace
    assert is_descending(FIVE, "Kc Kd Ah 3s 2c", "Kh Ks Qh Js 9c", "Kh Ks Qd Jc 8c")
    assert is_descending(FIVE, "Ac Kd 9h 5s 3c", "Ah Ks 9d 5c 2c", "Ah Ks 8d 7c 6c")
    assert FIVE(hand("Ac Kd 9h 5s 3c")).order == FIVE(hand("As Kh 9d 5c 3h")).order
    assert FIVE(hand("Ah Kh 9h 5h 3h")).order == FIVE(hand("As Ks 9s 5s 3s")).order


@pytest.mark.proves("639a.6(b)", "639a.6(c)")
def test_639a_6_orders_all_hands_like_another_evaluator() -> None:
    """Over all 2,598,960 hands: phevaluator's rank falls exactly where ours rises."""
    hands = all_hands(5)
    ours = evaluate_many(FIVE.ranking, hands).order
    theirs = np.fromiter(starmap(_pheval.evaluate_5cards, hands.tolist()), np.int64, len(hands))
    pairs = np.unique(np.stack([ours.astype(np.int64), -theirs]), axis=1)
    assert pairs.shape[1] == 7462
    assert (np.diff(pairs, axis=1) > 0).all()


@pytest.mark.proves("682a.6(a)", "682a.6(b)", *(f"682a.6(b)({number})" for number in range(1, 8)))
def test_682a_6_b_every_hand_outranks_the_next() -> None:
    assert is_descending(
        FOUR,
        "Ac Ad Ah As Kc",
        "2c 2d 2h 2s Ac",
        "As Ks Qs Js 2c",
        "As 2s 3s 4s Kc",
        "Ac Ad Ah 2s 3c",
        "2c 2d 2h Ks Qc",
        "As Ks Qs 9s 2c",
        "2s 3s 4s 7s Ac",
        "Ac Ks Qs Js 2c",
        "Ac 2s 3s 4s Kc",
        "Ac Ad Kh Ks 2c",
        "3c 3d 2h 2s Ac",
        "Ac Ad Kh Qs 2c",
        "2c 2d Ah Ks 9c",
        "Ac Kd Qh 9s 8c",
    )
    assert FOUR(hand("Qs Ks As 2s 7c")).hand.name == "Flush"


@pytest.mark.proves("682a.6(a)", "682a.6(c)", "682a.6(b)(1)", "682a.6(b)(3)", "682a.6(b)(4)", "682a.6(b)(7)")
def test_682a_6_c_four_cards_count_and_a_fifth_does_not() -> None:
    assert FOUR(hand("9c 9d 9h 9s 2c")).order == FOUR(hand("9c 9d 9h 9s Ac Kd")).order
    assert FOUR(hand("As Ks Qs 9s 8s")).order == FOUR(hand("Ah Kh Qh 9h 2h")).order
    assert FOUR(hand("Ac Ad Kh Qs 2c")).order == FOUR(hand("Ah As Kd Qc 9c")).order
    assert FOUR(hand("Ac Kd Qh 9s 2c")).order == FOUR(hand("Ah Ks Qd 9c 8c 7d")).order
    assert is_descending(FOUR, "7c 7d 7h Ks 2c", "7c 7d 7h Qs Jc")
    assert is_descending(FOUR, "As Ks Qs 9s 2c", "As Ks Qs 8s Ac", "Kd Qd Jd 9d Ac")


@pytest.mark.proves("682a.6(b)(4)", "682a.6(c)")
def test_682a_6_b_4_flushes_tie_under_the_other_reading() -> None:
    tied = evaluator(rulebook().ranking("four-card-prime", "four-card", {"same-rank-comparison": "tie"}))
    assert tied(hand("As Ks Qs 9s 2c")).order == tied(hand("2d 3d 4d 7d Ac")).order
    assert is_descending(tied, "As Ks Qs Js 2c", "7c 7d 7h Ks 2c", "7c 7d 7h Qs Jc", "As Ks Qs 9s 2c", "Ac Kd Qh Js 2c")


def plain_four(cards: tuple[Card, ...]) -> tuple[int, tuple[int, ...]]:
    """Rank exactly four cards by 682a.6(b) and (c), with nothing shared with `pitboss.ranking`."""
    ranks = sorted((int(card.rank) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    shape = [size for _, size in groups]
    spread = tuple(rank for rank, _ in groups)
    suited = len({card.suit for card in cards}) == 1
    if ranks == [14, 4, 3, 2]:
        run, spread = True, (4,)
    else:
        run = len(shape) == 4 and ranks[0] - ranks[3] == 3
    if shape == [4]:
        return 7, spread
    if run and suited:
        return 6, spread
    if shape == [3, 1]:
        return 5, spread
    if suited:
        return 4, spread
    if run:
        return 3, spread
    return {(2, 2): (2, spread), (2, 1, 1): (1, spread)}.get(tuple(shape), (0, spread))


@pytest.mark.proves("682a.6(b)", "682a.6(c)")
@pytest.mark.parametrize("size", [5, 6])
def test_682a_6_the_best_four_of_five_and_six_equals_trying_every_four(size: int) -> None:
    chance = random.Random(size)  # noqa: S311 (a fixed sample)
    sample = [tuple(chance.sample(DECK, size)) for _ in range(4000)]
    # hands with much of one suit or rank are rare and matter most
    sample += [tuple(chance.sample([c for c in DECK if c.rank > 10 or c.suit == 1], size)) for _ in range(4000)]
    best = [max(plain_four(four) for four in combinations(cards, 4)) for cards in sample]
    ours = [FOUR(cards).order for cards in sample]
    pairs = sorted(set(zip(ours, best, strict=True)))
    assert len(pairs) == len(set(ours)) == len(set(best))
    assert [strength for _, strength in pairs] == sorted(strength for _, strength in pairs)


@pytest.mark.proves("683a.6(c)(2)", "683a.6(c)(3)", "683a.6(d)(4)", "683a.6(d)(5)")
def test_683a_6_similar_hands_rank_differently() -> None:
    pocket = evaluator(rulebook().ranking("cajun-stud", "pocket-bonus"))
    assert pocket(hand("Ah Jh")).hand.cite == "683a.6(c)(2)"
    assert pocket(hand("Ah Jc")).hand.cite == "683a.6(c)(3)"
    assert pocket(hand("Ah Th")).hand.name == "Less than a pair"
    board = evaluator(rulebook().ranking("cajun-stud", "board-bonus"))
    assert board(hand("Kh Qh Jh")).hand.name == "Straight flush"
    assert board(hand("Ah Kh Qh")).hand.name == "Mini-royal"
    assert board(hand("Kh Ah 2h")).hand.name == "Flush"
    assert is_descending(board, "4c 3h 2h", "Ah Jh 9h")


def test_a_six_card_royal_counts_as_the_royal_flush_it_contains() -> None:
    for game in ("four-card-prime", "cajun-stud"):
        six = evaluator(rulebook().ranking(game, "all-six"))
        for text in ("Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s"):
            assert six(hand(text)).hand.counts_as == "Royal flush"
        assert six(hand("As Ks Qs Js Ts 9h")).hand.name == "Royal flush"
        assert six(hand("Ad Kd Qd Jd Td 9d")).hand.name == "Six-card royal flush—diamonds"
