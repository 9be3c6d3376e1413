"""Procedure: the right answer is the step that is due at the table."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from table_play import DEALER, PRESETS, after_command, given_by_patron, open_for_gaming, perform_due, shuffle_and_wager

from pitboss.cards import DECK
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do, Step
from pitboss.submission import Submission, load, terms_of
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import Decide, Perform, Role, Table, Wager, decide, events, refusal
from pitboss.table.devices import COUNT_EVERY
from pitboss.table.refusals import MIN_CUT_DEPTH, count_accepted_wagers, deck_hours
from pitboss.table.steps import next_to_decide
from pitboss.training import DealerAnswer, DrillId, DrillKind, grade_dealer_answer
from pitboss.training.procedure import Way, describe_step, load_words, procedure_question, steps_of

NAMES = {seat: f"Patron {seat}" for seat in range(1, 6)}
MIXED = tuple(DECK[place * 11 % 52] for place in range(52))
"""Cards without a win that a floorperson must validate."""
WAYS = [
    Way(dealing, by_hand, counted)
    for dealing in Dealing
    for by_hand in ((False,) if dealing is Dealing.HAND else (False, True))
    for counted in (False, True)
]


def everything(submission: Submission) -> dict[str, int]:
    """Every wager on offer."""
    terms = terms_of(submission)
    return {
        wager.name: min(terms.offered[wager.offer].amounts or (1000,))
        for wager in terms.game.initial
        if wager.offer in terms.offered
    }


def table_before_shuffle(preset: str, way: Way) -> Table:
    """Five players with every wager on offer; the cards are not shuffled yet."""
    shuffler = Shuffler.NONE if way.by_hand else Shuffler.AUTOMATED
    table = open_for_gaming(preset, NAMES, dealing=way.dealing, shuffler=shuffler)
    return replace(table, uncounted=COUNT_EVERY - 1 if way.counted else 0)


def due_steps(preset: str, way: Way) -> Iterator[Step]:
    """The steps of a round in order; the first player who is asked folds."""
    table = table_before_shuffle(preset, way)
    submission, step, folded = load(preset), -1, -1
    while table.round == 0:
        if table.step != step:
            step = table.step
            yield table.due
        if table.due.do is Do.CALL and not table.boxes:
            for seat, name in NAMES.items():
                table = after_command(table, Wager(seat, everything(submission)), given_by_patron(name))
        box = next_to_decide(table)
        if box and folded != step:
            folded = step
            table = after_command(table, Decide(box.seat, 0), given_by_patron(box.patron))
        elif box:
            table = perform_due(table)
        else:
            counted = {
                Do.SHUFFLE: 52,
                Do.COUNT: table.expected_stub_count,
                Do.CHIPS: count_accepted_wagers(table, table.due.needs),
            }.get(table.due.do)
            meters = {**DEALER.meters, "main@100": 10**12, "five-card-hand@100": 10**12}
            table = after_command(
                table, Perform(), replace(DEALER, cards=MIXED, depth=26, counted=counted, meters=meters)
            )


@pytest.mark.parametrize("preset", [*PRESETS.values(), "cajun-stud-rack-card"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_steps_of_drills_are_the_tables_steps(preset: str, way: Way) -> None:
    terms = terms_of(load(preset))
    assert list(due_steps(preset, way)) == steps_of(terms, way)


@pytest.mark.parametrize("game", rulebook().games)
def test_400_drills_cover_every_order_and_every_kind_of_step(game: str) -> None:
    terms = terms_of(load(f"{game}-standard"))
    asked, right = set(), set()
    for seed in range(400):
        drill = DrillId(game, DrillKind.PROCEDURE, f"{seed}")
        question = procedure_question(drill, terms)
        asked.add(question.id)
        right.add(question.right)
        assert len({option.says for option in question.options}) == 4
        for option in question.options:
            graded = grade_dealer_answer(DealerAnswer(drill=drill, choice=option.answer), terms, 6)
            assert graded.right == (option.answer == question.right)
            assert graded.clause.duty
    assert {order.id for order in load_words().order} <= asked
    steps = {describe_step(terms, step) for way in WAYS for step in steps_of(terms, way)[1:]}
    assert steps <= right


def test_a_drill_lists_all_steps_before_the_next() -> None:
    terms = terms_of(load("caribbean-stud-standard"))
    for seed in range(100):
        question = procedure_question(DrillId("caribbean-stud", DrillKind.PROCEDURE, f"{seed}"), terms)
        if question.done:
            said = [step.says for step in question.done]
            matching = [
                way
                for way in WAYS
                if [describe_step(terms, step) for step in steps_of(terms, way)][: len(said)] == said
            ]
            following = {describe_step(terms, steps_of(terms, way)[len(said)]) for way in matching}
            assert question.right in following


@pytest.mark.parametrize("chapter", PRESETS)
def test_directions_and_orders_match_the_table(chapter: str) -> None:
    """Each answer comes from a round that is played."""
    preset = PRESETS[chapter]
    table = shuffle_and_wager(open_for_gaming(preset, NAMES), {seat: everything(load(preset)) for seat in NAMES})
    happened: list[events.Event] = []
    meters = {**DEALER.meters, "main@100": 10**12, "five-card-hand@100": 10**12}
    while table.due.do is not Do.CLEAR:
        if box := next_to_decide(table):
            fold = len(box.decisions) == 0 and box.seat == 3
            multiple = 0 if fold else table.rules.terms.game.decisions[len(box.decisions)].multiples[0]
            command, given = Decide(box.seat, multiple), given_by_patron(box.patron)
            happened += decide(table, command, given)
            table = after_command(table, command, given)
        else:
            counted = {Do.CHIPS: count_accepted_wagers(table, table.due.needs)}.get(table.due.do)
            given = replace(DEALER, counted=counted, meters=meters)
            happened += decide(table, Perform(), given)
            table = after_command(table, Perform(), given)
    dealt = [event.seat for event in happened if isinstance(event, events.Dealt) and event.seat]
    asked = [event.seat for event in happened if isinstance(event, events.Decided)]
    settled = [event.seat for event in happened if isinstance(event, events.Settled)]
    first = next(event.lines[0].wager for event in happened if isinstance(event, events.Settled) and event.seat != 3)
    kinds = [type(event).__name__ for event in happened]
    after_deal = kinds.index("Decided")
    found = {
        "deal-direction": direction(dealt[:5]),
        "ask-direction": direction(asked[:5]),
        "settle-direction": direction(settled),
        "settle-first": {"ante": "required"}.get(first, "optional"),
        "forfeits": "before" if kinds.index("Collected") < kinds.index("Turned", after_deal) else "after",
        "late-wager": "no"
        if refusal(called_table(preset), Wager(1, everything(load(preset))), given_by_patron(NAMES[1]))
        else "undealt",
        "cut-depth": str(MIN_CUT_DEPTH),
        "count-interval": str(COUNT_EVERY),
        "deck-by-hand": str(deck_hours(open_for_gaming(preset, dealing=Dealing.HAND))[0]),
        "deck-from-shoe": str(deck_hours(open_for_gaming(preset))[0]),
        "who-verifies": next(step.by for step in table.rules.opening if step.do is Do.VERIFY),
    }
    assert found == {order.id: order.right for order in load_words().order}


def direction(seats: list[int]) -> str:
    """Seats are counted clockwise from the dealer's left."""
    return {"12345": "clockwise", "54321": "counter-clockwise"}["".join(map(str, seats))]


def called_table(preset: str) -> Table:
    table = shuffle_and_wager(open_for_gaming(preset, NAMES), {1: {"ante": 1000}})
    return after_command(table, Perform())


def test_the_table_enforces_the_minimum_cut() -> None:
    table = open_for_gaming(PRESETS["639a"], NAMES, shuffler=Shuffler.NONE)
    table = after_command(table, Perform(), replace(DEALER, cards=DECK))
    assert refusal(table, Perform(), replace(DEALER, depth=9))
    assert refusal(table, Perform(), replace(DEALER, depth=10)) is None
    assert refusal(table, Perform(), replace(DEALER, depth=10, role=Role.PLAYER))
