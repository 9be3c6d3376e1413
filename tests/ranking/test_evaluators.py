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
from pitboss.ranking.keys import RANK_BITS, RANK_KEYS, rank_counts
from pitboss.rulebook import rulebook

ALL_RANKINGS = [rulebook().ranking(game, name) for game, rules in rulebook().games.items() for name in rules.rankings]
FIVE_CARD = rulebook().ranking("caribbean-stud", "five-card")


def card_rows(*hands: str) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.array([[card.index for card in hand(text)] for text in hands], np.uint8)


@pytest.mark.parametrize("ranking", ALL_RANKINGS, ids=lambda ranking: ranking.name)
@given(data=st.data())
def test_scalar_and_batch_agree(ranking: Ranking, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from(ranking.cards))
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True))
    one = evaluator(ranking)(cards)
    many = evaluate_many(ranking, np.array([[card.index for card in cards]], np.uint8))
    assert (one.order, one.hand) == (many.order[0], ranking.hands[many.place[0]])


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_sums_of_rank_keys_differ_for_all_rank_counts(size: int) -> None:
    sums = [sum(key * count for key, count in zip(RANK_KEYS, counts, strict=True)) for counts in rank_counts(size)]
    assert len(set(sums)) == len(sums)
    assert max(sums) < 1 << RANK_BITS


def test_a_wrong_number_of_cards_is_refused() -> None:
    for text, count in (("Ah Kh", 2), ("Ah Kh Qh Jh Th 9h", 6)):
        with pytest.raises(Mistake, match=rf"^The ranking caribbean-stud five-card takes 5 cards, not {count}\.$"):
            evaluator(FIVE_CARD)(hand(text))
        with pytest.raises(Mistake, match=rf"takes 5 cards, not {count}\.$"):
            evaluate_many(FIVE_CARD, card_rows(text))


def test_repeated_cards_are_refused() -> None:
    with pytest.raises(Mistake, match=r"^Ah is listed twice; a card can appear only once\.$"):
        evaluator(FIVE_CARD)([Card("Ah")] * 5)
    one_valid_one_repeated = np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], np.uint8)
    with pytest.raises(Mistake, match=r"^Row 1: a card is listed twice in 2c 2d 2h 2s 2s; "):
        evaluate_many(FIVE_CARD, one_valid_one_repeated)


def test_unknown_cards_are_refused() -> None:
    with pytest.raises(Mistake, match=r"^'Ah' is not a card; read one with "):
        evaluator(FIVE_CARD)(["Ah", "Kh", "Qh", "Jh", "Th"])  # type: ignore[list-item]
    with pytest.raises(Mistake, match=r"^Row 0: 52 is not a card; cards are numbered 0 to 51\.$"):
        evaluate_many(FIVE_CARD, np.array([[0, 1, 2, 3, 52]], np.uint8))
    with pytest.raises(Mistake, match=r"^Row 0: 255 is not a card"):
        evaluate_many(FIVE_CARD, np.array([[255, 255, 255, 255, 255]], np.uint8))


def test_an_unknown_card_is_reported_before_a_repeated_one() -> None:
    with pytest.raises(Mistake, match=r"^Row 0: 52 is not a card; cards are numbered 0 to 51\.$"):
        evaluate_many(FIVE_CARD, np.array([[0, 0, 2, 3, 52]], np.uint8))


@pytest.mark.parametrize("not_cards", [None, "AhKhQhJhTh", iter(()), 5, {"Ah": 1}])
def test_only_a_sequence_of_cards_is_accepted(not_cards: object) -> None:
    with pytest.raises(Mistake, match=r" is not a sequence of cards; read one with hand\(“Th Jh”\)\.$"):
        evaluator(FIVE_CARD)(not_cards)  # type: ignore[arg-type]


@pytest.mark.parametrize("not_array", [None, [[0, 1, 2, 3, 4]], np.ma.masked_array([[0, 1, 2, 3, 4]], dtype=np.uint8)])
def test_only_a_plain_array_is_accepted(not_array: object) -> None:
    with pytest.raises(Mistake, match=r"^Hands must be the rows of a plain numpy array, not of a \w+\.$"):
        evaluate_many(FIVE_CARD, not_array)  # type: ignore[arg-type]


def test_arrays_of_wrong_type_are_refused() -> None:
    with pytest.raises(Mistake, match=r"^Hands must be the rows of a uint8 array; this is int64 in 1 dimensions\.$"):
        evaluate_many(FIVE_CARD, np.arange(5))  # type: ignore[arg-type]


def test_all_hands_refuses_other_sizes() -> None:
    for size in (7, 0, -1, "5"):
        with pytest.raises(Mistake, match=rf"^Hands have 1 to 6 cards, not {size}\.$"):
            all_hands(size)  # type: ignore[arg-type]


def test_an_empty_array_gives_an_empty_result() -> None:
    assert len(evaluate_many(FIVE_CARD, np.empty((0, 5), np.uint8)).order) == 0


def test_rows_may_come_from_a_slice_of_another_array() -> None:
    # every column twice, so that every second column gives the hands again
    doubled_columns = np.repeat(all_hands(5)[:100], 2, axis=1)
    assert (
        evaluate_many(FIVE_CARD, doubled_columns[:, ::2]).order == evaluate_many(FIVE_CARD, all_hands(5)[:100]).order
    ).all()


def test_a_hand_missing_from_the_ranking_is_refused() -> None:
    only_pairs = Ranking(
        name="pairs", cites=(), cards=(2,), hands=(Hand(name="Pair", cite="683a.6(c)(4)", same_rank=(2,)),)
    )
    assert evaluator(only_pairs)(hand("2c 2d")).hand.name == "Pair"
    with pytest.raises(Mistake, match=r"^The ranking pairs has no hand for 2c 3d\.$"):
        evaluator(only_pairs)(hand("2c 3d"))
    with pytest.raises(Mistake, match=r"^Row 0: the ranking pairs has no hand for 2c 3d\.$"):
        evaluate_many(only_pairs, card_rows("2c 3d"))


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
        ({"run": 4}, "breaks ties by 4 cards, but a hand has 5"),
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
def test_an_invalid_pattern_is_described(pattern: dict[str, object], problem: str) -> None:
    invalid_hand = msgspec.structs.replace(FIVE_CARD.hands[-1], **pattern)
    ranking = msgspec.structs.replace(FIVE_CARD, hands=(*FIVE_CARD.hands[:-1], invalid_hand))
    assert (ranking.problem() or "").startswith(f"hand “High card” {problem}")
    with pytest.raises(Mistake, match=r"^The ranking caribbean-stud five-card is invalid: hand “High card” "):
        evaluator(ranking)
    with pytest.raises(Mistake, match=r"^The ranking caribbean-stud five-card is invalid: hand “High card” "):
        evaluate_many(ranking, card_rows("Ah Kh Qh Jh Th"))
    assert FIVE_CARD.problem() is None
