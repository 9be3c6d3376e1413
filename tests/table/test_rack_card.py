"""The rack card's preset plays as the card says: four cards first, three slide off, folded cards tucked."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.rulebook.procedures import Do
from pitboss.submission import load, problems
from pitboss.submission.model import Dealing
from pitboss.table import Decide, Perform, Report, Table, decide, view
from pitboss.table import events as happened

CARD = "cajun-stud-rack-card"
FIRST = hand("Ac Kd Qh Js")
DEALT = (*FIRST, *(card for card in DECK if card not in FIRST))
SIDES = {**ANTE, "all-six": 100}


def dealt_table(
    wagers: dict[str, int], readings: dict[str, str] | None = None, dealing: Dealing = Dealing.MANUAL_SHOE
) -> Table:
    table = open_for_gaming(CARD, {1: "Ann"}, dealing=dealing, readings=readings)
    return advance_until(shuffle_and_wager(table, {1: wagers}, DEALT), Do.ASK)


def cards_in(table: Table, place: str) -> str:
    return " ".join(str(slot.card) for slot in table.places[place])


@pytest.mark.parametrize("dealing", Dealing)
@pytest.mark.parametrize("wagers", [ANTE, SIDES])
@pytest.mark.parametrize(
    ("stays", "board", "all_six"), [("first-dealt", "Js Qh Kd", "Ac"), ("fourth-dealt", "Ac Kd Qh", "Js")]
)
def test_rule_2_four_cards_are_dealt_first_even_without_an_all_six_wager(
    dealing: Dealing, wagers: dict[str, int], stays: str, board: str, all_six: str
) -> None:
    table = dealt_table(wagers, {"all-six-card-that-stays": stays}, dealing)
    assert (cards_in(table, "board"), cards_in(table, "all-six")) == (board, all_six)
    assert tuple(slot.card for slot in table.boxes[1].cards) == DEALT[4:6]
    assert view(table, "Ann").places == {"board": (None,) * 3, "all-six": (None,)}


def test_the_first_card_stays_in_the_all_six_square() -> None:
    assert cards_in(dealt_table(ANTE), "all-six") == "Ac"


def test_the_chapter_deals_no_all_six_card_without_the_wager() -> None:
    table = dealt_table(ANTE, {"cajun-community-deal": "first"})
    assert "all-six" not in table.places
    assert cards_in(table, "board") == "Ac Kd Qh"


def test_the_all_six_card_is_settled_with_the_community_cards() -> None:
    table = open_for_gaming(CARD, {1: "Ann"})
    deck = hand("Ac Kd Ah As 2c 7d")  # two hole cards 2 7, the board A A K, the All-Six card A
    table = shuffle_and_wager(table, {1: SIDES}, (*deck, *(card for card in DECK if card not in deck)))
    table = advance_until(table, Do.CLEAR)
    assert [(line.wager, line.hand, line.net) for line in table.boxes[1].lines if line.wager == "all-six"] == [
        ("all-six", "Three-of-a-kind", 500)
    ]


def test_an_all_six_card_without_a_wager_is_never_turned() -> None:
    table = advance_until(dealt_table(ANTE), Do.CLEAR)
    assert view(table).places["all-six"] == (None,)
    assert all(view(table).places["board"])


@pytest.mark.proves("683a.11(b)")
@pytest.mark.parametrize(
    ("wagers", "under"), [(ANTE, ""), (SIDES, "all-six"), ({**SIDES, "pocket-bonus": 100}, "pocket-bonus")]
)
def test_rule_4b_folded_cards_are_tucked_under_a_side_wager(wagers: dict[str, int], under: str) -> None:
    table = after_command(dealt_table(wagers), Decide(1, 0), given_by_patron("Ann"))
    assert happened.Collected(1, cards=not under, under=under) in decide(table, Perform(), DEALER)
    table = perform_due(table)
    assert view(table).boxes[0].tucked == under
    assert view(table).boxes[0].racked == (not under)
    chapter = after_command(dealt_table(wagers, {"folded-cards": "left"}), Decide(1, 0), given_by_patron("Ann"))
    assert happened.Collected(1, cards=not under) in decide(chapter, Perform(), DEALER)


def test_an_exposed_all_six_card_is_a_misdeal() -> None:
    table = dealt_table(SIDES)
    table = after_command(table, Report("exposed", place="all-six"))
    assert table.void == "683a.13(c)"


def test_four_first_is_refused_with_other_cards() -> None:
    card = load(CARD)
    wrong = replace(card, readings={**card.readings, "cajun-all-six-cards": "four-separate"})
    assert [(one.where, one.problem) for one in problems(wrong)] == [
        ("readings.cajun-community-deal", "four-first needs cajun-all-six-cards = “community-plus-one”.")
    ]
    assert problems(card) == []
