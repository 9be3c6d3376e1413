"""When the All-Six cards are turned: in the settlement of the first box that has the wager, not before."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    as_replayed_entry,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.house.floor.duties import prompt
from pitboss.record import narrate as narrated
from pitboss.rulebook.procedures import Do
from pitboss.table import Leave, Perform, Report, Table, after, decide, events, refusal, view

CASES = [
    pytest.param("682a", "682a.11(e)(3)", 1, id="682a", marks=pytest.mark.proves("682a.11(e)(3)")),
    pytest.param("683a", "683a.11(i)(4)", 4, id="683a", marks=pytest.mark.proves("683a.11(i)(4)")),
]
"""The chapter, the clause, and how many cards there are."""


def settling(chapter: str, readings: dict[str, str] | None = None, *, scanned: bool = False) -> Table:
    """A table about to settle: boxes 1 and 2 have an All-Six wager, box 3, which is settled first, has none."""
    six = {**ANTE, "all-six": 100}
    table = open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob", 3: "Cy"}, readings=readings, scanned=scanned)
    return advance_until(shuffle_and_wager(table, {1: six, 2: six, 3: ANTE}, () if scanned else DECK), Do.SETTLE)


@pytest.mark.parametrize(("chapter", "cite", "cards"), CASES)
def test_all_six_cards_are_turned_once_for_the_first_box_with_the_wager(chapter: str, cite: str, cards: int) -> None:
    table = settling(chapter)
    assert view(table, "Ann").places["all-six"] == (None,) * cards
    table = after_command(table, Perform())
    assert view(table, "Ann").places["all-six"] == (None,) * cards  # box 3 has no such wager
    assert prompt(table).text.endswith(f"; turn the all-six cards up for its wager (§ {cite}).")
    happened = decide(table, Perform(), DEALER)
    kinds = [(type(event).__name__, getattr(event, "seat", 0) or getattr(event, "place", "")) for event in happened]
    order = [kind for kind in kinds if kind[0] in ("Turned", "Settled")]
    assert order == [("Turned", 2), ("Turned", "all-six"), ("Settled", 2)]
    says = narrated(as_replayed_entry(table, Perform()))
    assert [line for line in says if line.startswith(cite) and "all-six shows" in line]
    table = after(table, happened)
    assert None not in view(table, "").places["all-six"]
    assert "all-six" not in prompt(table).text
    assert all(
        event.place != "all-six" for event in decide(table, Perform(), DEALER) if isinstance(event, events.Turned)
    )


@pytest.mark.parametrize(("chapter", "cite", "cards"), CASES)
def test_scanned_all_six_cards_are_named_with_the_first_box_with_the_wager(chapter: str, cite: str, cards: int) -> None:
    own = {"682a": 5, "683a": 2}[chapter]
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, scanned=True)
    table = shuffle_and_wager(table, {1: {**ANTE, "all-six": 100}}, ())
    spare = iter(DECK)
    while table.due.do is not Do.SETTLE:
        turned = {Do.TURN: {"682a": 6, "683a": 1}[chapter]}.get(table.due.do, 0)
        table = (
            after_command(table, Perform(), replace(DEALER, cards=tuple(next(spare) for _ in range(turned)), depth=26))
            if (table.due.do is not Do.ASK)
            else perform_due(table)
        )
    names = tuple(next(spare) for _ in range(own + cards))
    refused = refusal(table, Perform(), replace(DEALER, cards=names[:own]))
    assert refused
    assert refused.why == f"Name each card turned up: {own + cards} turned up, {own} named."
    table = after_command(table, Perform(), replace(DEALER, cards=names))
    assert view(table, "").places["all-six"] == tuple(map(str, names[own:])), cite


@pytest.mark.parametrize(("chapter", "cite", "cards"), CASES)
def test_all_six_cards_stay_face_down_for_a_forfeited_wager(chapter: str, cite: str, cards: int) -> None:
    """Ann leaves where every wager of a player who leaves is lost: her All-Six wager is not settled on any cards."""
    table = open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}, readings={"abandoned-wagers": "all-lose"})
    table = advance_until(shuffle_and_wager(table, {1: {**ANTE, "all-six": 100}, 2: ANTE}), Do.ASK)
    table = advance_until(after_command(table, Leave(1)), Do.CLEAR)
    assert view(table, "Bob").places["all-six"] == (None,) * cards, cite


@pytest.mark.proves("683a.13(d)")
def test_683a_13_d_only_community_cards_count_as_exposed_after_the_last_decision() -> None:
    six = {**ANTE, "all-six": 100}
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: six}), Do.SETTLE)
    assert refusal(table, Report("exposed", place="all-six"), DEALER)
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: six}), Do.ASK)
    assert refusal(table, Report("exposed", place="all-six"), DEALER) is None
