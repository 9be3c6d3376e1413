"""The scalar and the batch evaluator agree, and refuse invalid hands."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, Card, hand
from pitboss.errors import Mistake
from pitboss.ranking import Hand, Ranking, evaluator
from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.ranking.keys import RANK_KEYS, rank_counts
from pitboss.rulebook import rulebook

ALL = [rulebook().ranking(game, name) for game, rules in rulebook().games.items() for name in rules.rankings]
FIVE = rulebook().ranking("caribbean-stud", "five-card")


def rows(*hands: str) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.array([[card.index for card in hand(text)] for text in hands], np.uint8)


@pytest.mark.parametrize("ranking", ALL, ids=lambda ranking: ranking.name)
@given(data=st.data())
def test_scalar_and_batch_agree(ranking: Ranking, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from(ranking.cards))
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True))
    one = evaluator(ranking)(cards)
    many = evaluate_many(ranking, np.array([[card.index for card in cards]], np.uint8))
    assert (one.order, one.hand) == (many.order[0], ranking.hands[many.place[0]])


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_different_ranks_have_different_sums_of_rank_keys(size: int) -> None:
    sums = [sum(key * count for key, count in zip(RANK_KEYS, counts, strict=True)) for counts in rank_counts(size)]
    assert len(set(sums)) == len(sums)
    assert max(sums) < 1 << 24


def test_refuses_a_wrong_number_of_cards() -> None:
    for text, number in (("Ah Kh", 2), ("Ah Kh Qh Jh Th 9h", 6)):
        with pytest.raises(Mistake, match=rf"^The ranking caribbean-stud five-card takes 5 cards, not {number}\.$"):
            evaluator(FIVE)(hand(text))
        with pytest.raises(Mistake, match=rf"takes 5 cards, not {number}\.$"):
            evaluate_many(FIVE, rows(text))


def test_refuses_a_card_twice() -> None:
    with pytest.raises(Mistake, match=r"^Ah is listed twice; a card can appear only once\.$"):
        evaluator(FIVE)([Card("Ah")] * 5)
    pair = np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], np.uint8)
    with pytest.raises(Mistake, match=r"^Row 1: a card is listed twice in 2c 2d 2h 2s 2s; "):
        evaluate_many(FIVE, pair)


def test_refuses_unknown_cards() -> None:
    with pytest.raises(Mistake, match=r"^'Ah' is not a card; read one with "):
        evaluator(FIVE)(["Ah", "Kh", "Qh", "Jh", "Th"])  # type: ignore[list-item]
    with pytest.raises(Mistake, match=r"^Row 0: 52 is not a card; cards are numbered 0 to 51\.$"):
        evaluate_many(FIVE, np.array([[0, 1, 2, 3, 52]], np.uint8))
    with pytest.raises(Mistake, match=r"^Row 0: 255 is not a card"):
        evaluate_many(FIVE, np.array([[255, 255, 255, 255, 255]], np.uint8))


def test_refuses_a_card_twice_beside_an_unknown_card() -> None:
    with pytest.raises(Mistake, match=r"^Row 0: 52 is not a card; cards are numbered 0 to 51\.$"):
        evaluate_many(FIVE, np.array([[0, 0, 2, 3, 52]], np.uint8))


@pytest.mark.parametrize("nonsense", [None, "AhKhQhJhTh", iter(()), 5, {"Ah": 1}])
def test_refuses_a_value_that_is_not_a_sequence_of_cards(nonsense: object) -> None:
    with pytest.raises(Mistake, match=r" is not a sequence of cards; read one with hand\(“Th Jh”\)\.$"):
        evaluator(FIVE)(nonsense)  # type: ignore[arg-type]


@pytest.mark.parametrize("nonsense", [None, [[0, 1, 2, 3, 4]], np.ma.masked_array([[0, 1, 2, 3, 4]], dtype=np.uint8)])
def test_refuses_a_value_that_is_not_a_plain_array(nonsense: object) -> None:
    with pytest.raises(Mistake, match=r"^Hands must be the rows of a plain numpy array, not of a \w+\.$"):
        evaluate_many(FIVE, nonsense)  # type: ignore[arg-type]


def test_refuses_arrays_that_are_not_hands() -> None:
    with pytest.raises(Mistake, match=r"^Hands must be the rows of a uint8 array; this is int64 in 1 dimensions\.$"):
        evaluate_many(FIVE, np.arange(5))  # type: ignore[arg-type]
    for size in (7, 0, -1, "5"):
        with pytest.raises(Mistake, match=rf"^Hands have 1 to 6 cards, not {size}\.$"):
            all_hands(size)  # type: ignore[arg-type]


def test_accepts_an_empty_array() -> None:
    assert len(evaluate_many(FIVE, np.empty((0, 5), np.uint8)).order) == 0


def test_rows_may_come_from_a_slice_of_another_array() -> None:
    wide = np.repeat(all_hands(5)[:100], 2, axis=1)
    assert (evaluate_many(FIVE, wide[:, ::2]).order == evaluate_many(FIVE, all_hands(5)[:100]).order).all()


def test_refuses_a_hand_missing_from_the_ranking() -> None:
    only_pairs = Ranking(
        name="pairs", cites=(), cards=(2,), hands=(Hand(name="Pair", cite="683a.6(c)(4)", same_rank=(2,)),)
    )
    assert evaluator(only_pairs)(hand("2c 2d")).hand.name == "Pair"
    with pytest.raises(Mistake, match=r"^The ranking pairs has no hand for 2c 3d\.$"):
        evaluator(only_pairs)(hand("2c 3d"))
    with pytest.raises(Mistake, match=r"^Row 0: the ranking pairs has no hand for 2c 3d\.$"):
        evaluate_many(only_pairs, rows("2c 3d"))


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ({"ranks": ("A", "X")}, "names a rank that is not one of"),
        ({"ranks": ("A", "")}, "has a slot of “ranks” without a rank"),
        ({"high": "77"}, "has more than one rank in “high”"),
        ({"run": 1}, "has a run of one card"),
        ({"same_rank": (0,)}, "has groups that are not of 2 to 4 cards, largest first"),
        ({"same_rank": (5,)}, "has groups that are not of 2 to 4 cards, largest first"),
        ({"same_rank": (2, 3)}, "has groups that are not of 2 to 4 cards, largest first"),
        ({"same_suit": 4, "run": 5}, "has fewer cards of one suit than its pattern"),
        ({"run": 4}, "decides a tie by 4 cards where 5 play"),
        ({"counts_as": "High card"}, "counts as itself"),
        ({"run": -1}, "asks for a negative number of cards"),
        ({"run": 6}, "asks for 6 of 5 cards"),
        ({"same_rank": (3, 3)}, "asks for 6 of 5 cards"),
        ({"run": 5, "high": "A"}, "has more than one of same_rank, run, ranks, high and same_color"),
        ({"of": "A"}, "has “of” without same_rank"),
        ({"suit": "d"}, "has “suit” without same_suit"),
        ({"suit": "x", "same_suit": 5}, "has a suit that is not one of c, d, h, s"),
        ({"same_suit": 5, "same_rank": (2,)}, "has same_suit together with same_rank"),
        ({"counts_as": "Nothing"}, "counts as “Nothing”, which is not one of the hands"),
    ],
)
def test_refuses_an_invalid_pattern(pattern: dict[str, object], problem: str) -> None:
    odd = msgspec.structs.replace(FIVE.hands[-1], **pattern)
    ranking = msgspec.structs.replace(FIVE, hands=(*FIVE.hands[:-1], odd))
    assert (ranking.problem() or "").startswith(f"hand “High card” {problem}")
    with pytest.raises(Mistake, match=r"^The ranking caribbean-stud five-card is invalid: hand “High card” "):
        evaluator(ranking)
    with pytest.raises(Mistake, match=r"^The ranking caribbean-stud five-card is invalid: hand “High card” "):
        evaluate_many(ranking, rows("Ah Kh Qh Jh Th"))
    assert FIVE.problem() is None
