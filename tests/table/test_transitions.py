"""Transitions: the events of a command, each with the table before and after it; nothing is applied twice."""

import pytest
from table_play import ANTE, DEALER, PRESETS, advance_until, open_for_gaming, shuffle_and_wager

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.table import Perform, Report, Table, Transition, decide, evolution, evolve, react, transitions
from pitboss.table.commands import Command
from pitboss.table.evolution import apply_events, last_table, round_end
from pitboss.table.refusals import refusal


def settling(chapter: str) -> Table:
    return advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}, DECK), Do.SETTLE
    )


def commands(chapter: str) -> list[tuple[Table, Command]]:
    """A settlement, a void during it, and the end of a round."""
    table = settling(chapter)
    one_settled = last_table(table, transitions(table, Perform(), DEALER))
    return [(table, Perform()), (one_settled, Report("wrong-number")), (advance_until(table, Do.CLEAR), Perform())]


@pytest.mark.parametrize("chapter", PRESETS)
def test_each_transition_begins_where_the_one_before_ended(chapter: str) -> None:
    for table, command in commands(chapter):
        found = transitions(table, command, DEALER)
        assert len(found) > 1 or round_end(found)
        state = table
        for one in found:
            assert one.before is state
            assert one.after == evolve(one.before, one.event)
            state = one.after
        assert (decide(table, command, DEALER), last_table(table, found)) == react(table, command, DEALER)
        assert found == apply_events(table, decide(table, command, DEALER))


@pytest.mark.parametrize("chapter", PRESETS)
def test_a_decision_applies_each_of_its_events_once(chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[object] = []

    def counted(table: Table, event: object) -> Table:
        applied.append(event)
        return evolve(table, event)  # type: ignore[arg-type]  # whatever it is given

    for table, command in commands(chapter):
        assert refusal(table, command, DEALER) is None
        monkeypatch.setattr(evolution, "evolve", counted)
        applied.clear()
        found = transitions(table, command, DEALER)
        monkeypatch.undo()
        assert applied == [one.event for one in found]


def test_the_transition_that_ends_a_round_still_has_its_boxes_before_it() -> None:
    table = advance_until(settling("639a"), Do.CLEAR)
    ending = round_end(transitions(table, Perform(), DEALER))
    assert isinstance(ending, Transition)
    assert (list(ending.before.boxes), list(ending.after.boxes)) == ([1, 2], [])
    assert round_end([]) is None
    assert last_table(table, []) is table
