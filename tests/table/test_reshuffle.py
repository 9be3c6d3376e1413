"""Cards that are shuffled again, and shoes that are covered: .5, .13(g)."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    after_command,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
    ChangeDealing,
    ChangeDeck,
    Cover,
    Idle,
    Perform,
    Report,
    Reshuffle,
    refusal,
)

STUD, PRIME, CAJUN = PRESETS.values()


@pytest.mark.proves("{chapter}.5(a)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_5_a_a_floorperson_may_order_a_reshuffle(chapter: str, preset: str) -> None:
    table = shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE})
    assert refusal(table, Reshuffle(), DEALER)
    again = after_command(table, Reshuffle(), FLOORPERSON)
    assert (again.due.do, again.due.cite, len(again.cards)) == (Do.SHUFFLE, f"{chapter}.5(a)", 52)
    assert again.boxes[1].wagers == ANTE
    assert refusal(after_command(table, Perform()), Reshuffle(), FLOORPERSON)


@pytest.mark.proves("{chapter}.5(c)(1)", "{chapter}.5(c)(2)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_5_c_a_preshuffled_deck_is_counted_only_after_a_wash(chapter: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, shuffler=Shuffler.COUNTING)
    fresh = after_command(after_command(table, ChangeDeck(), FLOORPERSON), Perform(), replace(DEALER, preshuffled=True))
    assert after_command(fresh, Perform(), replace(DEALER, cards=DECK)).due.do is Do.CUT
    washed = after_command(after_command(fresh, Idle()), Perform())
    assert refusal(washed, Perform(), replace(DEALER, cards=DECK))  # the device counts
    assert after_command(washed, Perform(), replace(DEALER, cards=DECK, counted=52)).due.do is Do.CALL


def test_13_g_a_covered_shoe_deals_no_cards() -> None:
    table = shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE), {1: ANTE})
    covered = after_command(after_command(table, Report("malfunction", "shoe")), Cover("shoe"))
    refused = refusal(covered, Perform(), DEALER)
    assert refused
    assert refused.cite == "639a.13(g)"
    again = after_command(after_command(covered, Reshuffle(), FLOORPERSON), ChangeDealing(Dealing.HAND), FLOORPERSON)
    again = after_command(again, Perform(), replace(DEALER, cards=DECK))
    assert refusal(again, Perform(), DEALER) is None


def test_5_b_a_reshuffled_preshuffled_deck_is_counted() -> None:
    table = open_for_gaming(STUD, {1: "Ann"}, shuffler=Shuffler.COUNTING)
    fresh = after_command(after_command(table, ChangeDeck(), FLOORPERSON), Perform(), replace(DEALER, preshuffled=True))
    again = after_command(after_command(fresh, Perform(), replace(DEALER, cards=DECK)), Reshuffle(), FLOORPERSON)
    assert refusal(again, Perform(), replace(DEALER, cards=DECK))
    assert not after_command(again, Perform(), replace(DEALER, cards=DECK, counted=51)).ready
