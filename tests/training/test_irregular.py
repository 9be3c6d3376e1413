"""Irregularities: every scenario is played at a table, and the table gives the right answer."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE_AND_SIDE_WAGER,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    deal_cards,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.submission import load, terms_of
from pitboss.table import Cover, Decide, Given, Perform, Report, Table, after, decide, refusal
from pitboss.table import events as happened
from pitboss.table.refusals import count_accepted_wagers
from pitboss.training import DealerAnswer, DrillId, DrillKind, grade_dealer_answer
from pitboss.training.irregularity_drills import Fault, Scenario, irregularity, load_scenarios, scenarios

SHUFFLE = replace(DEALER, cards=DECK, counted=52)
ALL = [(chapter, one) for chapter in PRESETS for one in load_scenarios().scenario if chapter in one.chapters]


@pytest.mark.parametrize(("chapter", "scenario"), ALL, ids=lambda one: one if isinstance(one, str) else one.id)
def test_the_answer_is_what_the_table_does(chapter: str, scenario: Scenario) -> None:
    assert what_the_table_does(chapter, scenario) == (scenario.right, scenario.clause(chapter))


def what_the_table_does(chapter: str, scenario: Scenario) -> tuple[str, str]:
    """The answer that describes the table's action, and its clause."""
    table = moment(chapter, scenario)
    play = scenario.play
    if play.at == "chips":
        return answer_for_chips(table, play.counted)
    if not play.reports:
        counted = play.counted if play.at == "shuffling" else table.expected_stub_count + play.counted
        events = decide(table, Perform(), replace(SHUFFLE, counted=counted, misdealt=play.misdealt))
        return answer_for_events(table, events)
    for fault in play.reports[:-1]:
        table = deal_cards(after_command(table, report(table, fault)), 1)
    last = report(table, play.reports[-1])
    if refused := refusal(table, last, DEALER):
        return answer_for_play(table), refused.cite
    return answer_for_events(table, decide(table, last, DEALER))


def moment(chapter: str, scenario: Scenario) -> Table:
    """A table with two players, one of them with a side wager, when the scenario happens."""
    play = scenario.play
    both = {
        "Ann": {**ANTE_AND_SIDE_WAGER[chapter], **({"all-six": 500} if chapter != "639a" else {})},
        "Bob": ANTE_AND_SIDE_WAGER[chapter],
    }
    if play.at == "chips":
        both["Ann"] = {**both["Ann"], "progressive": 100}
    table = open_for_gaming(
        PRESETS[chapter],
        {1: "Ann", 2: "Bob"},
        dealing=play.dealing,
        shuffler=play.shuffler,
        readings=dict(scenario.when),
    )
    if play.at == "shuffling":
        return table
    if play.at == "counting":
        table = replace(table, uncounted=4)
    table = shuffle_and_wager(table, {1: both["Ann"], 2: both["Bob"]})
    if play.at == "dealing":
        first = {"exposed": 7}.get(play.reports[0].kind, 1 if play.dealing == "automated-shoe" else 3)
        return deal_cards(table, first)
    if play.at in {"chips", "counting"}:
        return advance_until(table, {"chips": Do.CHIPS, "counting": Do.COUNT}[play.at])
    return table_at(advance_until(table, Do.ASK), play.at)


def table_at(table: Table, at: str) -> Table:
    """The table when players decide, have decided, or are settled."""
    match at:
        case "deciding-last":
            while sum(slot.up for slot in table.places["board"]) < 2 or table.due.do is not Do.ASK:
                table = perform_due(table)
        case "one-folded":
            table = after_command(table, Decide(1, 0), given_by_patron("Ann"))
        case "decided":
            table = advance_until(perform_due(perform_due(table)), Do.TURN)
        case "one-settled":
            table = perform_due(advance_until(table, Do.SETTLE))
            assert [box.settled for box in table.boxes.values()] == [False, True]
        case _:
            assert at == "deciding"
    return table


def report(table: Table, fault: Fault) -> Report:
    if not fault.more:
        return Report(fault.kind, device=fault.device, place=fault.place)
    held = table.boxes[fault.seat].cards if fault.seat else table.places[fault.place]
    return Report(fault.kind, seat=fault.seat, place=fault.place, cards=len(held) + fault.more)


def answer_for_events(table: Table, events: list[happened.Event]) -> tuple[str, str]:
    """The answer that describes these events."""
    cites = {type(event): event.cite for event in events if isinstance(event, happened.Voided | happened.Removed)}
    kinds = {type(event) for event in events}
    reported = next((event.cite for event in events if isinstance(event, happened.Reported)), "")
    if happened.Voided in kinds:
        return answer_for_void(table, events, removed=happened.Removed in kinds), cites[happened.Voided]
    if happened.SetAside in kinds:
        return "set-aside", reported
    if happened.Removed in kinds:
        return "remove", cites[happened.Removed]
    later = after(table, events)
    if later.broken:
        (device,) = later.broken
        assert refusal(later, Perform(), SHUFFLE), "the device must be covered first"
        assert not after_command(later, Cover(device)).broken
        return "cover", reported
    assert replace(later, jammed=False) == table  # only the log changed
    return ("reshuffle" if table.due.do is Do.SHUFFLE else "next-card"), reported


def answer_for_void(table: Table, events: list[happened.Event], *, removed: bool) -> str:
    lines = {
        (event.seat, line.wager): line
        for event in events
        if isinstance(event, happened.Settled)
        for line in event.lines
    }
    game = table.rules.terms.game
    base = {game.required, *(decision.wager for decision in game.decisions)}
    assert {seat for seat, _ in lines} == set(table.boxes), "all hands are void"
    folded = {seat for seat, box in table.boxes.items() if box.folded}
    given_up = {line.outcome for (seat, name), line in lines.items() if name in base and seat in folded}
    raised = {line.outcome for (seat, name), line in lines.items() if name in base and seat not in folded}
    sides = {line.cite.split(".")[1][:3] for (_, name), line in lines.items() if name not in base}
    assert raised == {"returned"}
    if given_up == {"forfeited"}:
        return "void-keep-folds"
    if sides and sides == {"11("}:
        return "void-sides"
    assert {line.outcome for line in lines.values()} == {"returned"}
    return "void-remove" if removed else "void-all"


def answer_for_play(table: Table) -> str:
    table = advance_until(table, Do.CLEAR)
    outcomes = {line.outcome for box in table.boxes.values() for line in box.lines}
    assert not table.void
    assert outcomes <= {"win", "lose", "returned", "bonus"}
    return "go-on"


def answer_for_chips(table: Table, more: int) -> tuple[str, str]:
    wrong = count_accepted_wagers(table, table.due.needs) + more
    given: Given = replace(DEALER, counted=wrong)
    refused = refusal(table, Perform(), given)
    assert refused
    assert "floorperson" in refused.why
    assert refusal(table, Perform(), replace(FLOORPERSON, counted=wrong)) is None
    return "floor-first", refused.cite


@pytest.mark.parametrize("chapter", PRESETS)
def test_each_chapter_has_at_least_8_scenarios_of_13_and_every_part_of_it(chapter: str) -> None:
    parts = [one.clause(chapter) for one in scenarios(terms_of(load(PRESETS[chapter])))]
    of_13 = [cite for cite in parts if cite.startswith(f"{chapter}.13(")]
    assert len(of_13) >= 12
    assert set(of_13) == {f"{chapter}.13({part})" for part in "abcdefg"}


def reported_kinds() -> Iterator[str]:
    return (fault.kind for one in load_scenarios().scenario for fault in one.play.reports)


def test_drills_cover_every_irregularity_of_a_table() -> None:
    for game in rulebook().games.values():
        assert set(game.procedures.irregularities) == set(reported_kinds())


def test_the_table_does_none_of_the_wrong_answers() -> None:
    assert len({one.id for one in load_scenarios().scenario}) == len(load_scenarios().scenario)
    for one in load_scenarios().scenario:
        assert len(set(one.options)) == len(one.options) == 4
        assert one.options.count(one.right) == 1


def test_a_reading_changes_the_question() -> None:
    for option, right in (("yes", "void-all"), ("no", "void-keep-folds")):
        found = load(PRESETS["639a"])
        terms = terms_of(replace(found, readings={"void-after-fold": option}))
        (one,) = (one for one in scenarios(terms) if one.play.at == "one-folded")
        assert one.right == right


@pytest.mark.parametrize("chapter", PRESETS)
def test_200_drills_cover_every_scenario(chapter: str) -> None:
    submission = load(PRESETS[chapter])
    terms, asked = terms_of(submission), set()
    for seed in range(200):
        drill = DrillId(submission.game, DrillKind.IRREGULAR, f"{seed}")
        question = irregularity(drill, terms)
        asked.add(question.id)
        for option in question.options:
            graded = grade_dealer_answer(DealerAnswer(drill=drill, choice=option.answer), terms, 6)
            assert graded.right == (option.answer == question.right)
            assert graded.clause.duty
    assert asked == {one.id for one in scenarios(terms)}
