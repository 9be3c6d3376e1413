"""683a.11(h): the dealer evaluates and announces the best hand of each player before the box is settled."""

import pytest
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    as_replayed_entry,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.house.floor.duties import prompt
from pitboss.record import narrate as narrated
from pitboss.rulebook.procedures import Do
from pitboss.table import Perform, after, decide, events

HANDS = [
    ("Ah Kh", "Qh Jh Th", "royal flush"),
    ("9c 8c", "7c 6c 5c", "straight flush"),
    ("7c 7d", "7h 7s 2d", "four-of-a-kind, sevens"),
    ("Kc Kd", "Kh 4s 4d", "full house, kings and fours"),
    ("Ac 9c", "7c 4c 2c", "flush"),
    ("Ac 2d", "3h 4s 5d", "straight"),
    ("Qc Qd", "Qh 4s 2d", "three-of-a-kind, queens"),
    ("Kc 6d", "Kh 6s 2d", "two pair, kings and sixes"),
    ("Jc 8d", "Jh 4s 2d", "pair of jacks"),
    ("2c Ad", "2h Ks 9d", "pair of twos"),
    ("Ac Kd", "9h 4s 2d", "ace high"),
    ("Tc 8d", "7h 4s 2d", "10 high"),
]


@pytest.mark.proves("683a.11(h)")
@pytest.mark.parametrize(("own", "board", "announced"), HANDS)
def test_683a_11_h_the_best_five_card_hand_is_announced(own: str, board: str, announced: str) -> None:
    cards = (*hand(own), *hand(board))
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"})
    table = advance_until(
        shuffle_and_wager(table, {1: ANTE}, (*cards, *(card for card in DECK if card not in cards))), Do.SETTLE
    )
    assert prompt(table).text == (
        "Turn the next player’s cards, announce the best hand they make, and settle the box (§ 683a.11(h))."
    )
    happened = decide(table, Perform(), DEALER)
    kinds = [type(event) for event in happened]
    assert kinds[:3] == [events.Turned, events.Announced, events.Settled]
    assert happened[1] == events.Announced(1, announced)
    says = narrated(as_replayed_entry(table, Perform()))
    assert f"683a.11(h)       1: the dealer announces {announced}" in says


@pytest.mark.proves("683a.11(h)")
def test_683a_11_h_hands_are_announced_in_turn_before_the_optional_wagers() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann", 2: "Bob"})
    table = advance_until(shuffle_and_wager(table, {1: {**ANTE, "all-six": 100}, 2: ANTE}), Do.SETTLE)
    seen = []
    while table.due.do is Do.SETTLE:
        happened = decide(table, Perform(), DEALER)
        told = [event for event in happened if isinstance(event, events.Announced | events.Settled | events.Turned)]
        seen += [f"{type(event).__name__} {event.seat or getattr(event, 'place', '')}" for event in told]
        table = after(table, happened)
    assert seen == [
        "Turned 2", "Announced 2", "Settled 2", "Turned 1", "Announced 1", "Turned all-six", "Settled 1",
    ]  # fmt: skip


@pytest.mark.parametrize("chapter", ["639a", "682a"])
def test_other_chapters_announce_no_hand(chapter: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE}), Do.SETTLE)
    assert not [event for event in decide(table, Perform(), DEALER) if isinstance(event, events.Announced)]
    assert after_command(table, Perform()).boxes[1].settled
