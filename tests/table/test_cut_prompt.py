"""The dealer's prompt for a cut."""

import pytest
from msgspec.structs import replace
from table_play import DEALER, PRESETS, after_command, open_for_gaming

from pitboss.cards import DECK
from pitboss.house.floor.duties import list_steps, prompt
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import Perform, refusal

CUT = "Put the cover card at least 10 cards in from the top, then move it and all cards above it to the bottom, and "


@pytest.mark.proves("{chapter}.5(d)")
@pytest.mark.parametrize("chapter", PRESETS)
@pytest.mark.parametrize(
    ("dealing", "stack"),
    [
        (Dealing.MANUAL_SHOE, "the stack into the manual shoe"),
        (Dealing.AUTOMATED_SHOE, "the stack into the automated shoe"),
    ],
)
def test_5_d_the_prompt_says_how_to_cut(chapter: str, dealing: Dealing, stack: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=dealing, shuffler=Shuffler.NONE)
    table = after_command(table, Perform(), replace(DEALER, cards=DECK))
    assert table.due.do is Do.CUT
    assert prompt(table).text == f"{CUT}{stack} (§ {chapter}.5(d))."
    assert [said.says for said in list_steps(table) if said.due] == [f"{CUT}{stack}"]
    assert refusal(table, Perform(), replace(DEALER, depth=9))
    assert refusal(table, Perform(), replace(DEALER, depth=10)) is None
    assert refusal(table, Perform(), replace(DEALER, depth=51)) is None  # the clause sets no minimum at the bottom


@pytest.mark.proves("{chapter}.5(d)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_reading_cut_for_hand_dealing_the_prompt_says_where_the_stack_goes(chapter: str) -> None:
    """Preshuffled cards are cut even when they are dealt from the hand."""
    table = replace(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing.HAND), preshuffled=True)
    table = after_command(table, Perform(), replace(DEALER, cards=DECK))
    assert prompt(table).text == f"{CUT}take the stack in hand (§ {chapter}.5(d))."
