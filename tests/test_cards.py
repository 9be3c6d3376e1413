import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, Card, CardMistake, Color, Rank, Suit, distinct, hand


def test_the_deck_has_thirteen_ranks_of_four_suits() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in Rank for suit in Suit}
    assert [card.index for card in DECK] == list(range(52))


@pytest.mark.parametrize("text", ["Th", "10h", "T♥", "10♥", "th", "TH", "T♡", "T♥\ufe0f", " Th "])
def test_a_card_has_several_spellings(text: str) -> None:
    assert Card(text) is Card("Th")


@pytest.mark.parametrize("text", ["", "T", "h", "1h", "11h", "Tx", "hT", "Thh", "10", "100h", "Jk", "🂡"])
def test_refuses_an_invalid_card_in_one_sentence(text: str) -> None:
    with pytest.raises(CardMistake, match=r"is not a card: write a rank .* and a suit .*\.$"):
        Card(text)


@given(st.sampled_from(DECK))
def test_a_card_survives_text_and_pickle(card: Card) -> None:
    assert Card(str(card)) is card
    assert Card(card.pretty) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301 (our own bytes)
    assert eval(repr(card), {"Card": Card}) is card  # noqa: S307 (our own text)


def test_cards_order_by_rank_then_suit_and_hash() -> None:
    assert sorted(hand("Ah 2c Kd 2s")) == list(hand("2c 2s Kd Ah"))
    assert Card("Ks") < Card("Ac")
    assert Card("Ac") >= Card("Ac")
    assert {Card("10h"): 1}[Card("T♥")] == 1
    with pytest.raises(TypeError):
        assert Card("Ks") < "Ac"


def test_a_card_is_immutable() -> None:
    with pytest.raises(AttributeError, match=r"^Cards are immutable: rank of Th cannot be set\.$"):
        Card("Th").rank = Rank.TWO
    assert Card(str(Card("Th"))).rank is Rank.TEN


def test_diamonds_and_hearts_are_red() -> None:
    assert [suit.letter for suit in Suit if suit.color is Color.RED] == ["d", "h"]


@pytest.mark.parametrize(
    "text", ["Ah Kd 10c", "Ah,Kd,10c", "AhKd10c", "A♥K♦T♣", "A♥\ufe0f K♦\ufe0f T♣\ufe0f", "A♥\ufe0eK♦\ufe0e10♣\ufe0e"]
)
def test_hands_are_read_with_or_without_spaces(text: str) -> None:
    assert hand(text) == (Card("Ah"), Card("Kd"), Card("Tc"))


def test_refuses_a_card_twice() -> None:
    with pytest.raises(CardMistake, match=r"^Ah is listed twice; a card can appear only once\.$"):
        hand("Kd Ah 2c A♥")
    assert distinct(DECK) == DECK


@given(st.text(max_size=12))
def test_no_text_crashes_the_reader(text: str) -> None:
    try:
        read = hand(text)
    except CardMistake:
        return
    assert len(set(read)) == len(read)
