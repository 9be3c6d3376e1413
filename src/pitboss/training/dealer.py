"""A dealer's drills: created from an id, and graded against the right answer for that id."""

from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games import Terms
from pitboss.money import format_money
from pitboss.training.choice import ChoiceDrill, ChoiceQuestion
from pitboss.training.common import DrillClause, DrillId, DrillKind, clause_of
from pitboss.training.hand_reading import ReadDrill, draw_hand_to_read, read_drill
from pitboss.training.irregularity_drills import irregularity
from pitboss.training.pay import SAYS, PayDrill, PayGrade, PayLine, grade_pay_answers, pay_drill
from pitboss.training.procedure import procedure_question

MIX: Final = {DrillKind.PAY: 8, DrillKind.READ: 4, DrillKind.IRREGULAR: 4, DrillKind.PROCEDURE: 4}
"""The number of questions of each kind in a table test."""
SECONDS: Final = {DrillKind.PAY: 60, DrillKind.READ: 10, DrillKind.IRREGULAR: 20, DrillKind.PROCEDURE: 20}
"""Seconds allowed per question, by kind."""
MOST_LINES: Final = 60


class TableTest(msgspec.Struct, frozen=True, tag="test", kw_only=True):
    """A table test: its questions in order, and the seconds for all of them."""

    drill: DrillId
    says: str
    seconds: int
    questions: tuple[PayDrill | ReadDrill | ChoiceDrill, ...]


DealerDrill = PayDrill | ReadDrill | ChoiceDrill | TableTest


class DealerAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer: its drill, the choice or the settled lines, and the seconds it took."""

    drill: DrillId
    choice: Annotated[str, msgspec.Meta(max_length=200)] = ""
    lines: Annotated[list[PayLine], msgspec.Meta(max_length=MOST_LINES)] = []
    seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 0


class DealerGrade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of an answer: whether it is right, the right answer, the reason and the clause; or a grade per line."""

    drill: DrillId
    question: str
    right: bool
    said: str
    """The choice in words; empty if nothing was chosen or the answer has lines."""
    answer: str
    """The right choice; empty if the answer has lines."""
    says: str
    """The right choice in words."""
    why: str
    clause: DrillClause
    lines: tuple[PayGrade, ...]


def dealer_drill(drill: DrillId, terms: Terms, seats: int) -> DealerDrill:
    """Return the drill with this id for a table with these terms and seats."""
    match drill.kind:
        case DrillKind.TEST:
            return _test(drill, terms, seats)
        case _:
            return _single(drill, terms, seats)


def grade_dealer_answer(answer: DealerAnswer, terms: Terms, seats: int) -> DealerGrade:
    """Grade an answer."""
    drill = answer.drill
    match drill.kind:
        case DrillKind.PAY:
            return _grade_pay(answer, grade_pay_answers(drill, terms, seats, answer.lines))
        case DrillKind.READ:
            return _grade_read(answer, terms)
        case DrillKind.IRREGULAR | DrillKind.PROCEDURE:
            return _grade_choice(answer, _choice_question(drill, terms))
        case DrillKind.TEST:
            raise Mistake("A table test is answered question by question.")


def _single(drill: DrillId, terms: Terms, seats: int) -> PayDrill | ReadDrill | ChoiceDrill:
    match drill.kind:
        case DrillKind.PAY:
            return pay_drill(drill, terms, seats)
        case DrillKind.READ:
            return read_drill(drill, terms)
        case _:
            return _choice_question(drill, terms).shown(drill)


def _choice_question(drill: DrillId, terms: Terms) -> ChoiceQuestion:
    return irregularity(drill, terms) if drill.kind is DrillKind.IRREGULAR else procedure_question(drill, terms)


def _test(drill: DrillId, terms: Terms, seats: int) -> TableTest:
    """Build a test: kinds in turn, no question twice."""
    kinds = [kind for kind, many in MIX.items() for _ in range(many)]
    order = sorted(range(len(kinds)), key=lambda place: place % (len(kinds) // len(MIX)))
    questions, known, number = [], set[str](), 0
    for place in order:
        while True:
            number += 1
            one = replace(drill, kind=kinds[place], seed=f"{drill.seed}.{number}")
            question = _single(one, terms, seats)
            what = _choice_question(one, terms).id if isinstance(question, ChoiceDrill) else one.seed
            if what not in known:
                break
        known.add(what)
        questions.append(question)
    seconds = sum(SECONDS[kind] for kind in kinds)
    says = f"{len(questions)} questions in {seconds // 60} minutes: take and pay, hands, irregularities, procedure."
    return TableTest(drill=drill, says=says, seconds=seconds, questions=tuple(questions))


def _grade_pay(answer: DealerAnswer, lines: tuple[PayGrade, ...]) -> DealerGrade:
    wrong = [line for line in lines if not line.right]
    first = (wrong or list(lines))[0]
    says = f"{len(lines) - len(wrong)} of {len(lines)} right"
    why = f"Box {first.seat}, {first.title}: {first.answer}, {format_money(first.amount)}. {first.why}" if wrong else ""
    return DealerGrade(
        drill=answer.drill,
        question=SAYS,
        right=not wrong,
        said="",
        answer="",
        says=says,
        why=why,
        clause=first.clause,
        lines=lines,
    )


def _grade_read(answer: DealerAnswer, terms: Terms) -> DealerGrade:
    read = draw_hand_to_read(answer.drill, terms)
    names = [hand.name for hand in read.look.evaluate.ranking.hands]
    if answer.choice and answer.choice not in names:
        raise Mistake(f"“{answer.choice}” is not one of the hands.")
    return DealerGrade(
        drill=answer.drill,
        question=f"{read.look.about} {' '.join(read.cards)}",
        right=answer.choice == read.hand.name,
        said=answer.choice,
        answer=read.hand.name,
        says=read.hand.name,
        why=read.why,
        clause=clause_of(read.hand.cite),
        lines=(),
    )


def _grade_choice(answer: DealerAnswer, asked: ChoiceQuestion) -> DealerGrade:
    right, says = asked.is_right(answer.choice), {option.answer: option.says for option in asked.options}
    return DealerGrade(
        drill=answer.drill,
        question=asked.says,
        right=right,
        said=says.get(answer.choice, ""),
        answer=asked.right,
        says=says[asked.right],
        why=asked.why,
        clause=asked.clause,
        lines=(),
    )
