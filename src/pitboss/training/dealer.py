"""A dealer's drills: asked by id, and graded by asking again what is right."""

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
"""How many of each kind a table test has."""
SECONDS: Final = {DrillKind.PAY: 60, DrillKind.READ: 10, DrillKind.IRREGULAR: 20, DrillKind.PROCEDURE: 20}
"""How long each may take."""
MOST_LINES: Final = 60


class TableTest(msgspec.Struct, frozen=True, tag="test", kw_only=True):
    """A table test: its questions in order, and how many seconds all of them may take."""

    drill: DrillId
    says: str
    seconds: int
    questions: tuple[PayDrill | ReadDrill | ChoiceDrill, ...]


DealerDrill = PayDrill | ReadDrill | ChoiceDrill | TableTest


class DealerAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer: the drill it is to, what was chosen or, of a round to settle, the lines; and the seconds it took."""

    drill: DrillId
    choice: Annotated[str, msgspec.Meta(max_length=200)] = ""
    lines: Annotated[list[PayLine], msgspec.Meta(max_length=MOST_LINES)] = []
    seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 0


class DealerGrade(msgspec.Struct, frozen=True, kw_only=True):
    """Whether an answer was right; what is, why, and under which clause. Of a round to settle, line by line."""

    drill: DrillId
    question: str
    right: bool
    said: str
    """What was chosen, in words; empty where nothing was, or lines are."""
    answer: str
    """What is right, to compare with the choice; empty where lines are."""
    says: str
    """The same in words."""
    why: str
    clause: DrillClause
    lines: tuple[PayGrade, ...]


def dealer_drill(drill: DrillId, terms: Terms, seats: int) -> DealerDrill:
    """Return the drill that an id stands for, at a table of these terms with so many seats."""
    match drill.kind:
        case DrillKind.TEST:
            return _test(drill, terms, seats)
        case _:
            return _single(drill, terms, seats)


def grade_dealer_answer(answer: DealerAnswer, terms: Terms, seats: int) -> DealerGrade:
    """Say what was right and wrong in an answer."""
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
    """Put a test together: the kinds in turn, and no question twice."""
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
        raise Mistake(f"“{answer.choice}” is none of the hands to choose from.")
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
