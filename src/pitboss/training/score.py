"""The score of a list of answers: right answers, time, and errors with their clauses."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from pitboss.games import Terms
from pitboss.money import format_money
from pitboss.training.common import DrillClause, DrillId, DrillKind
from pitboss.training.dealer import SECONDS, DealerAnswer, DealerGrade, grade_dealer_answer


class KindScore(msgspec.Struct, frozen=True):
    """The score of one kind of question: asked, right, seconds taken and seconds allowed."""

    kind: DrillKind
    asked: int
    right: int
    seconds: int
    allowed: int


class ErrorEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One error: its subject, the given answer, the right answer, and the clause."""

    drill: DrillId
    what: str
    said: str
    right: str
    why: str
    clause: DrillClause


class ClauseErrors(msgspec.Struct, frozen=True):
    """A clause and its number of errors."""

    clause: DrillClause
    errors: int


class DealerScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a test or of any list of answers."""

    asked: int
    right: int
    percent: float
    """The number of right questions."""
    lines: int
    lines_right: int
    """The number of right lines in rounds to settle."""
    seconds: int
    allowed: int
    in_time: bool
    kinds: tuple[KindScore, ...]
    errors: tuple[ErrorEntry, ...]
    clauses: tuple[ClauseErrors, ...]
    """The clauses to read again, most errors first."""


def dealer_score(answers: Sequence[DealerAnswer], terms: Terms, seats: int) -> DealerScore:
    """Grade answers and sum them up."""
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
    """Yield the errors of one answer: each wrong line of a round to settle, or the wrong choice."""
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
