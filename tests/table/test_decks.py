"""Section .3 at the table: the decks it accepts, the questions about them, and where each deck lies."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    perform_opening,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.house.floor.duties import prompt
from pitboss.rulebook.procedures import Do
from pitboss.submission import load
from pitboss.submission.model import Shuffler
from pitboss.table import Cover, Perform, Refusal, Report, Role, Sit, Table, decide, open_table, refusal
from pitboss.table import events as happened
from pitboss.table.actions import possible_actions

EACH = pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())


def without_deck(preset: str, decks: int = 2) -> Table:
    """A table before its first deck, with a player, so that the cards are washed."""
    submission = load(preset)
    table = open_table(replace(submission, table=replace(submission.table, decks=decks)))
    return after_command(table, Sit(1), given_by_patron("Ann"))


def questions_due(table: Table, role: Role = Role.DEALER) -> dict[str, str]:
    """The questions of the step that is due, with their clauses."""
    found = next(one for one in possible_actions(table, "Dana", role) if isinstance(one.command, Perform))
    return {question.name: question.cite for question in found.questions}


def refusal_of(table: Table, **given: object) -> Refusal:
    found = refusal(table, Perform(), replace(DEALER, **given))
    assert found
    return found


@pytest.mark.proves("{chapter}.3(b)(1)")
@EACH
def test_3_b_1_two_decks_have_backs_of_different_colours(chapter: str, preset: str) -> None:
    table = without_deck(preset)
    for backs in (("red", "red"), ("Red", " red ")):
        assert refusal_of(table, backs=backs).cite == f"{chapter}.3(b)(1)"
    assert refusal_of(table, backs=("red", " ")).cite == f"{chapter}.3(b)(1)"
    received = decide(table, Perform(), replace(DEALER, backs=("red", "blue")))[0]
    assert received == happened.Received(0, preshuffled=False, backs=("red", "blue"))


@pytest.mark.proves("{chapter}.3(b)(1)")
@EACH
def test_3_b_1_the_second_deck_has_the_design_of_the_first(chapter: str, preset: str) -> None:
    table = after_command(without_deck(preset), Perform(), replace(DEALER, backs=("red", "blue")))
    assert "same-design" not in questions_due(table)  # there is nothing to compare the first with
    second = until_inspection_of_the_second(table)
    assert questions_due(second)["same-design"] == f"{chapter}.3(b)(1)"
    other = replace(DEALER, wrong=("same-design",))
    assert decide(second, Perform(), other) == [happened.Removed(f"{chapter}.3(b)(1)")]


def until_inspection_of_the_second(table: Table) -> Table:
    while not (table.due.do is Do.INSPECT and table.opened):
        table = after_command(table, Perform(), FLOORPERSON if table.due.by == "floorperson" else DEALER)
    return table


@pytest.mark.proves("{chapter}.3(a)", "{chapter}.3(b)")
@EACH
def test_3_a_a_table_takes_one_deck_or_two_if_it_plays_with_two(chapter: str, preset: str) -> None:
    assert refusal_of(without_deck(preset, decks=1), backs=("red", "blue")).cite == f"{chapter}.3(a)"
    assert refusal_of(without_deck(preset), backs=("red",)).cite == f"{chapter}.3(b)"
    assert not refusal(without_deck(preset, decks=1), Perform(), replace(DEALER, backs=("red",)))


@pytest.mark.proves("{chapter}.3(a)", "{chapter}.4(a)")
@EACH
def test_3_a_a_deck_with_unequal_backs_is_replaced(chapter: str, preset: str) -> None:
    table = without_deck(preset)
    assert questions_due(table) == {"cover-card": f"{chapter}.3(a)"}
    assert refusal_of(table, wrong=("cover-card",)).cite == f"{chapter}.3(a)"
    table = after_command(table, Perform(), DEALER)
    inspected = {"no-defect": f"{chapter}.4(a)", "alike": f"{chapter}.3(a)"}
    assert questions_due(table) == inspected
    for question, cite in inspected.items():
        no = replace(DEALER, wrong=(question,))
        assert decide(table, Perform(), no) == [happened.Removed(cite)]
        assert after_command(table, Perform(), no).due.do is Do.RECEIVE  # other decks must be received
    checked = after_command(table, Perform(), DEALER)
    assert questions_due(checked, Role.FLOORPERSON) == inspected  # the floorperson answers the same questions
    found = replace(FLOORPERSON, wrong=("alike",))
    assert decide(checked, Perform(), found) == [happened.Removed(f"{chapter}.3(a)")]


@pytest.mark.proves("{chapter}.3(b)(2)", "{chapter}.3(b)(4)")
@EACH
def test_3_b_the_shuffler_holds_the_second_deck_while_the_first_is_played(chapter: str, preset: str) -> None:
    table = open_for_gaming(preset, {1: "Ann"})
    stored = []
    for _ in range(3):
        assert "into the shuffler" in prompt(table).text
        assert "discard rack" in prompt(table).text
        assert questions_due(table) == {
            "other-deck-in-shuffler": f"{chapter}.3(b)(2)",
            "rack-empty": f"{chapter}.3(b)(4)",
        }
        for question, cite in questions_due(table).items():
            assert refusal_of(table, cards=DECK, wrong=(question,)).cite == cite
        found = [
            event
            for event in decide(table, Perform(), replace(DEALER, cards=DECK))
            if isinstance(event, happened.Stored)
        ]
        stored.append((table.deck, *(event.deck for event in found)))
        table = shuffle_and_wager(table, {1: ANTE})
        assert not table.rack  # the rack holds no card of the other deck
        table = perform_due(advance_until(table, Do.CLEAR))
    assert stored == [(0, 1), (1, 0), (0, 1)]


@pytest.mark.proves("{chapter}.3(b)(2)", "{chapter}.3(b)")
@EACH
def test_3_b_a_second_deck_needs_a_working_shuffler(chapter: str, preset: str) -> None:
    table = after_command(open_for_gaming(preset, {1: "Ann"}), Report("malfunction", device="shuffler"), DEALER)
    table = after_command(table, Cover("shuffler"), FLOORPERSON)
    assert questions_due(table) == {}
    assert not any(
        isinstance(event, happened.Stored) for event in decide(table, Perform(), replace(DEALER, cards=DECK))
    )
    assert refusal_of(table, cards=DECK, wrong=("rack-empty",)).cite.startswith("house rule"), chapter


@pytest.mark.proves("{chapter}.3(b)(2)")
@EACH
def test_3_b_2_a_single_deck_brings_no_questions(chapter: str, preset: str) -> None:
    submission = load(preset)
    one = replace(submission, table=replace(submission.table, decks=1, shuffler=Shuffler.AUTOMATED))
    table = after_command(
        after_command(open_table(one), Sit(1), given_by_patron("Ann")), Perform(), replace(DEALER, preshuffled=True)
    )
    assert (table.due.do, questions_due(table)) == (Do.SHUFFLE, {}), chapter


@pytest.mark.proves("{chapter}.4(b)")
@EACH
def test_4_b_the_prompt_says_how_to_spread_the_cards(chapter: str, preset: str) -> None:
    table = advance_until(after_command(without_deck(preset), Perform(), DEALER), Do.VERIFY)
    table = after_command(table, Perform(), FLOORPERSON)
    words = "Spread the cards face up for the first player: each deck in fans, by suit and in sequence"
    assert prompt(table).text == f"{words} (§ {chapter}.4(b))."


@pytest.mark.proves("{chapter}.13(e)")
@EACH
def test_13_e_the_shuffler_may_jam_with_the_second_deck_during_a_round(chapter: str, preset: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE}), Do.ASK)
    jammed = after_command(table, Report("shuffler-jam"))
    assert (jammed.boxes, jammed.places, jammed.void) == (table.boxes, table.places, "")  # the round goes on
    over = jammed
    while over.round == 0:
        over = perform_due(over)
    assert prompt(over).text == (
        f"The shuffler did not finish: have the cards shuffled again, as § {chapter}.13(e) says (§ {chapter}.5(a))."
    )
    shuffled = after_command(over, Perform(), replace(DEALER, cards=DECK))
    assert not shuffled.jammed


@pytest.mark.proves("{chapter}.13(e)")
@EACH
def test_13_e_with_one_deck_the_shuffler_can_jam_only_during_a_shuffle(chapter: str, preset: str) -> None:
    submission = load(preset)
    table = open_table(replace(submission, table=replace(submission.table, decks=1)))
    table = advance_until(
        shuffle_and_wager(perform_opening(after_command(table, Sit(1), given_by_patron("Ann"))), {1: ANTE}), Do.ASK
    )
    found = refusal(table, Report("shuffler-jam"), DEALER)
    assert found
    assert found.cite == f"{chapter}.13(e)"
    two = advance_until(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}, shuffler=Shuffler.NONE), {1: ANTE}), Do.ASK
    )
    assert refusal(two, Report("shuffler-jam"), DEALER)  # only the dealer shuffles
