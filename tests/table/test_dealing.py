"""Before and while cards are dealt: the call, the lock-out, the chips of the Progressive, the automated shoe."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    after_command,
    deal_cards,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Cover, Perform, Report, Table, Wager, refusal

CALLED = [("639a.8(b)", "manual-shoe"), ("639a.9(a)(3)", "hand"), ("639a.10(a)(2)", "automated-shoe")]


def with_wagers(dealing: str) -> Table:
    """Two Progressive wagers and one on a Five Card Hand, before the call."""
    table = open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob", 3: "Cy"}, dealing=Dealing(dealing))
    progressive = {**ANTE, "progressive": 100}
    return shuffle_and_wager(table, {1: progressive, 2: {**progressive, "five-card-hand-player": 100}, 3: ANTE})


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("clause", "dealing"), CALLED)
def test_639a_the_call_lockout_and_chip_count_come_before_the_deal(clause: str, dealing: str) -> None:
    table = with_wagers(dealing)
    before = []
    while table.due.do is not Do.DEAL:
        before.append((table.due.do, table.due.needs, str(table.due.cite)))
        assert not any(box.cards for box in table.boxes.values())
        table = perform_due(table)
        late = refusal(table, Wager(3, {**ANTE, "progressive": 100}), given_by_patron("Cy"))
        assert late
        assert late.cite == "639a.2(c)(2)"  # the lock-out; the Ante itself: 639a.7(c)
        withdrawn = refusal(table, Wager(1, ANTE), given_by_patron("Ann"))
        assert withdrawn
        assert withdrawn.cite == "639a.7(c)"
    assert before == [
        (Do.CALL, "", clause),
        (Do.LOCK, "progressive", clause),
        (Do.LOCK, "five-card-hand", clause),
        (Do.CHIPS, "progressive", clause),
    ]


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("clause", "dealing"), CALLED)
def test_639a_the_chip_count_must_match_the_accepted_wagers(clause: str, dealing: str) -> None:
    table = with_wagers(dealing)
    while table.due.do is not Do.CHIPS:
        table = perform_due(table)
    for chips in (0, 1, 3):
        refused = refusal(table, Perform(), replace(DEALER, counted=chips))
        assert refused
        assert refused.cite == clause
    assert after_command(table, Perform(), replace(DEALER, counted=2)).due.do is Do.DEAL


@pytest.mark.proves("683a.10(c)")
def test_683a_10_c_the_rest_is_dealt_by_hand_after_the_stacks_of_two() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann", 2: "Bob"}, dealing=Dealing.AUTOMATED_SHOE)
    table = shuffle_and_wager(table, {1: {**ANTE, "all-six": 100}, 2: ANTE})
    assert refusal(deal_cards(table, 1), Report("shoe-jam"), DEALER) is None
    after = deal_cards(table, 2)
    assert [len(box.cards) for box in after.boxes.values()] == [2, 2]
    assert refusal(after, Report("shoe-jam"), DEALER)  # the remaining cards have left the shoe
    rest = deal_cards(after, 2)
    assert {name: len(held) for name, held in rest.places.items()} == {"all-six": 4, "board": 3}


@pytest.mark.proves("{chapter}.9(a)(1)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_9_a_1_cards_dealt_from_the_hand_need_a_shuffler(chapter: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing.HAND)
    shuffle = replace(DEALER, cards=DECK)
    assert refusal(table, Perform(), shuffle) is None
    failed = after_command(after_command(table, Report("malfunction", "shuffler")), Cover("shuffler"), FLOORPERSON)
    refused = refusal(failed, Perform(), shuffle)
    assert refused
    assert refused.cite == f"{chapter}.9(a)(1)"
