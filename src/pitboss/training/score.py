"""What a list of answers comes to: how many were right, how long they took, what was wrong and under which clause."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from pitboss.games import Terms
from pitboss.money import format_money
from pitboss.training.common import DrillClause, DrillId, DrillKind
from pitboss.training.dealer import SECONDS, DealerAnswer, DealerGrade, grade_dealer_answer


class KindScore(msgspec.Struct, frozen=True):
    """One kind of question: how many were asked and right, the seconds they took and might have taken."""

    kind: DrillKind
    asked: int
    right: int
    seconds: int
    allowed: int


class ErrorEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was wrong: what it was about, what was said, what is right, and the clause."""

    drill: DrillId
    what: str
    said: str
    right: str
    why: str
    clause: DrillClause


class ClauseErrors(msgspec.Struct, frozen=True):
    """A clause, and how often it was got wrong."""

    clause: DrillClause
    errors: int


class DealerScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a test or of any list of answers."""

    asked: int
    right: int
    percent: float
    """Of the questions, how many were right."""
    lines: int
    lines_right: int
    """Of the wagers in rounds to settle, how many."""
    seconds: int
    allowed: int
    in_time: bool
    kinds: tuple[KindScore, ...]
    errors: tuple[ErrorEntry, ...]
    clauses: tuple[ClauseErrors, ...]
    """What to read again, the most often wrong first."""


def dealer_score(answers: Sequence[DealerAnswer], terms: Terms, seats: int) -> DealerScore:
    """Grade answers and add them up."""
    graded = [grade_dealer_answer(answer, terms, seats) for answer in answers]
    pairs = list(zip(answers, graded, strict=True))
    errors = tuple(entry for answer, one in pairs for entry in _errors(answer, one))
    lines = [line for one in graded for line in one.lines]
    kinds = tuple(
        KindScore(kind, len(mine), sum(one.right for _, one in mine), _seconds(mine), SECONDS[kind] * len(mine))
        for kind in SECONDS
        if (mine := [(answer, one) for answer, one in pairs if answer.drill.kind is kind])
    )
    right, seconds, allowed = sum(one.right for one in graded), _seconds(pairs), sum(one.allowed for one in kinds)
    often = Counter(entry.clause for entry in errors)
    return DealerScore(
        asked=len(graded),
        right=right,
        percent=round(100 * right / len(graded), 1) if graded else 0.0,
        lines=len(lines),
        lines_right=sum(line.right for line in lines),
        seconds=seconds,
        allowed=allowed,
        in_time=seconds <= allowed,
        kinds=kinds,
        errors=errors,
        clauses=tuple(ClauseErrors(clause, many) for clause, many in often.most_common()),
    )


def _seconds(pairs: Iterable[tuple[DealerAnswer, DealerGrade]]) -> int:
    return sum(answer.seconds for answer, _ in pairs)


def _errors(answer: DealerAnswer, graded: DealerGrade) -> Iterable[ErrorEntry]:
    """Yield what was wrong in one answer: of a round to settle, each line."""
    for line in graded.lines:
        if not line.right:
            yield ErrorEntry(
                drill=answer.drill,
                what=f"Box {line.seat}, {line.title}",
                said=f"{line.said}, {format_money(line.said_amount)}" if line.said else "",
                right=f"{line.answer}, {format_money(line.amount)}",
                why=line.why,
                clause=line.clause,
            )
    if not graded.lines and not graded.right:
        yield ErrorEntry(
            drill=answer.drill,
            what=graded.question,
            said=graded.said,
            right=graded.says,
            why=graded.why,
            clause=graded.clause,
        )
