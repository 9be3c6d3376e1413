"""A player who leaves with a decision open: which cards are collected, which stay, and how the round goes on."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    ANTE_AND_SIDE_WAGER,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import hand
from pitboss.games import Outcome
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Decide, Leave, Perform, Report, Table, Wager, decide
from pitboss.table import events as happened

KEPT = {
    "639a": {**ANTE, "five-card-hand-player": 100},
    "682a": ANTE_AND_SIDE_WAGER["682a"],
    "683a": ANTE_AND_SIDE_WAGER["683a"],
}
"""A wager that survives a fold and needs the player's cards."""
COLLECTS = {"639a": "639a.11(c)", "682a": "682a.11(c)", "683a": "683a.11(b)"}
COLLECTING = [pytest.param(chapter, marks=pytest.mark.proves(clause)) for chapter, clause in COLLECTS.items()]


def after_ann_leaves(chapter: str, wagers: Mapping[str, int], option: str = "", *, scanned: bool = False) -> Table:
    """Ann leaves when she must decide, and Bob raises: the table after both."""
    readings = {"abandoned-wagers": option} if option else None
    table = open_for_gaming(PRESETS[chapter], {1: "Ann", 3: "Bob"}, readings=readings, scanned=scanned)
    table = advance_until(shuffle_and_wager(table, {1: wagers, 3: ANTE}), Do.ASK)
    table = after_command(table, Leave(1), DEALER)
    multiple = table.rules.terms.game.decisions[0].multiples[0]
    return after_command(table, Decide(3, multiple), given_by_patron("Bob"))


@pytest.mark.parametrize("chapter", COLLECTING)
@pytest.mark.parametrize("option", ["required-lose-optional-play-out", "all-lose"])
def test_11_c_cards_of_a_player_who_left_undecided_are_collected_like_a_fold(chapter: str, option: str) -> None:
    table = after_ann_leaves(chapter, ANTE, option)
    assert (table.due.do, str(table.due.cite)) == (Do.COLLECT, COLLECTS[chapter])
    assert happened.Collected(1, cards=True) in decide(table, Perform(), DEALER)
    held = tuple(slot.card for slot in table.boxes[1].cards)
    table = after_command(table, Perform())
    assert table.boxes[1].racked
    assert table.rack[-len(held) :] == held
    table = advance_until(table, Do.CLEAR)
    assert not any(slot.up for slot in table.boxes[1].cards)  # in the discard rack, and never turned
    assert [(line.wager, line.outcome) for line in table.boxes[1].lines] == [("ante", Outcome.FORFEITED)]


@pytest.mark.parametrize("chapter", COLLECTING)
def test_11_c_a_side_wager_keeps_the_cards_of_a_player_who_left(chapter: str) -> None:
    table = after_ann_leaves(chapter, KEPT[chapter])
    assert happened.Collected(1, cards=False) in decide(table, Perform(), DEALER)
    table = advance_until(table, Do.CLEAR)
    assert all(slot.up for slot in table.boxes[1].cards)
    assert table.boxes[1].lines[-1].outcome in {Outcome.WIN, Outcome.LOSE, Outcome.PUSH}


@pytest.mark.proves("{chapter}.7(b)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_7_b_lost_wagers_do_not_keep_the_cards_of_a_player_who_left(chapter: str) -> None:
    table = after_ann_leaves(chapter, KEPT[chapter], "all-lose")
    assert happened.Collected(1, cards=True) in decide(table, Perform(), DEALER)
    table = advance_until(table, Do.CLEAR)
    assert [line.outcome for line in table.boxes[1].lines] == [Outcome.FORFEITED, Outcome.LOSE]


@pytest.mark.proves("{chapter}.7(b)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_7_b_played_out_wagers_keep_the_cards_of_a_player_who_left(chapter: str) -> None:
    table = after_ann_leaves(chapter, KEPT[chapter], "played-out")
    assert table.due.do is Do.TURN
    table = advance_until(table, Do.CLEAR)
    assert not table.boxes[1].racked
    assert all(slot.up for slot in table.boxes[1].cards)


@pytest.mark.proves("683a.11(b)", "683a.11(d)", "683a.11(f)")
@pytest.mark.parametrize(("raises", "cite"), [(0, "683a.11(b)"), (1, "683a.11(d)"), (2, "683a.11(f)")])
def test_683a_11_each_collection_takes_the_cards_of_a_player_who_left_before_that_raise(raises: int, cite: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann", 3: "Bob"}), {1: ANTE, 3: ANTE}), Do.ASK
    )
    for _ in range(2 * raises):
        table = advance_until(perform_due(table), Do.ASK)
    table = advance_until(after_command(table, Leave(1), DEALER), Do.COLLECT)
    assert str(table.due.cite) == cite
    table = after_command(table, Perform())
    assert table.boxes[1].racked
    lines = advance_until(table, Do.CLEAR).boxes[1].lines
    assert [(line.outcome, line.cite) for line in lines] == [(Outcome.FORFEITED, cite)] * (1 + raises)


@pytest.mark.proves("683a.11(b)", "683a.11(d)")
def test_683a_11_b_cards_of_a_player_who_left_after_a_raise_stay_until_the_next_raise() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann", 3: "Bob"}), {1: ANTE, 3: ANTE}), Do.ASK
    )
    table = after_command(after_command(table, Decide(1, 1), given_by_patron("Ann")), Leave(1), DEALER)
    table = after_command(table, Decide(3, 0), given_by_patron("Bob"))
    assert (table.due.do, str(table.due.cite)) == (Do.COLLECT, "683a.11(b)")
    table = after_command(table, Perform())
    assert [(box.seat, box.collected) for box in table.boxes.values()] == [(1, False), (3, True)]
    table = advance_until(table, Do.COLLECT)  # nobody is left to ask
    assert str(table.due.cite) == "683a.11(d)"
    assert after_command(table, Perform()).boxes[1].racked


@pytest.mark.parametrize("chapter", COLLECTING)
def test_11_c_only_the_undecided_box_of_two_is_collected(chapter: str) -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE})
    table = advance_until(after_command(table, Wager(2, ANTE), given_by_patron("Ann")), Do.ASK)
    table = after_command(
        after_command(table, Decide(1, table.rules.terms.game.decisions[0].multiples[0]), given_by_patron("Ann")),
        Leave(1),
    )
    assert table.due.do is Do.COLLECT
    table = after_command(table, Perform())
    assert [(box.seat, box.racked) for box in table.boxes.values()] == [(1, False), (2, True)]


@pytest.mark.parametrize("chapter", COLLECTING)
def test_11_c_cards_of_a_player_who_left_during_the_deal_are_collected(chapter: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann", 3: "Bob"}), {1: ANTE, 3: ANTE}), Do.DEAL
    )
    table = advance_until(after_command(table, Leave(1), DEALER), Do.COLLECT)
    assert after_command(table, Perform()).boxes[1].racked


@pytest.mark.proves("639a.11(c)")
def test_639a_11_c_collected_scanned_cards_are_never_named() -> None:
    table = after_command(open_for_gaming(PRESETS["639a"], {1: "Ann"}, scanned=True), Perform())
    table = after_command(table, Wager(1, {**ANTE, "five-card-hand-dealer": 100}), given_by_patron("Ann"))
    while table.due.do is not Do.ASK:
        table = after_command(table, Perform(), replace(DEALER, cards=hand("9d") if table.due.up else ()))
    table = after_command(after_command(table, Leave(1), DEALER), Perform())
    assert table.boxes[1].racked
    table = after_command(table, Perform(), replace(DEALER, cards=hand("9c 9h 9s 2c")))
    table = after_command(after_command(table, Perform()), Acknowledge(), FLOORPERSON)
    assert {line.wager: line.outcome for line in table.boxes[1].lines} == {
        "ante": Outcome.FORFEITED,
        "five-card-hand-dealer": Outcome.WIN,
    }


def test_void_after_fold_no_keeps_the_forfeited_wagers_of_a_player_who_left() -> None:
    for option, outcome in (("no", Outcome.FORFEITED), ("yes", Outcome.RETURNED)):
        table = open_for_gaming(PRESETS["639a"], {1: "Ann", 3: "Bob"}, readings={"void-after-fold": option})
        table = after_command(advance_until(shuffle_and_wager(table, {1: ANTE, 3: ANTE}), Do.ASK), Leave(1), DEALER)
        table = after_command(after_command(table, Decide(3, 2), given_by_patron("Bob")), Perform())
        table = after_command(table, Report("wrong-number"), DEALER)
        assert table.boxes[1].lines[0].outcome is outcome
        assert table.boxes[3].lines[0].outcome is Outcome.RETURNED
