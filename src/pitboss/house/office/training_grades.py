"""Grading of training answers, and who may record the grades."""

from collections.abc import Sequence

from pitboss.errors import Mistake
from pitboss.games import Terms
from pitboss.house.office.acts import EXAMINERS, RecordTraining, TrainedKind
from pitboss.house.office.people import Person, Post
from pitboss.submission import Submission
from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, dealer_score
from pitboss.training.dealer import TableTest


def grade_training(
    person: str, answers: Sequence[DealerAnswer], submission: Submission, terms: Terms
) -> RecordTraining:
    """Grade answers to one game's drills; return the act that records them."""
    seats, drills = submission.table.seats, [answer.drill for answer in answers]
    score, first = dealer_score(answers, terms, seats), drills[0]
    return RecordTraining(
        person=person,
        game=submission.game,
        rules=f"table {first.table}" if first.table else f"preset {first.preset or f'{submission.game}-standard'}",
        version=submission.version,
        is_test=_is_test(drills, terms, seats),
        kinds=tuple(TrainedKind(one.kind, one.asked, one.right, one.seconds, one.allowed) for one in score.kinds),
        lines=score.lines,
        lines_right=score.lines_right,
        wrong={str(one.clause.cite): one.errors for one in score.clauses},
        drills=tuple(f"{drill.kind} {drill.seed}" for drill in drills),
    )


def _is_test(drills: Sequence[DrillId], terms: Terms, seats: int) -> bool:
    """Whether these are all questions of one table test, which share the test's seed."""
    first, seeds = drills[0], {drill.seed.rpartition(".")[0] for drill in drills}
    if len(seeds) != 1 or not (seed := seeds.pop()):
        return False
    test = dealer_drill(DrillId(first.game, DrillKind.TEST, seed, first.table, first.preset), terms, seats)
    return isinstance(test, TableTest) and {one.drill for one in test.questions} == set(drills)


def require_examiner(act: RecordTraining, person: Person) -> None:
    """Reject patrons, and staff who record for another without being examiners."""
    if person.post is Post.PATRON:
        raise Mistake("Only staff have training records.")
    if act.person != person.name and person.post not in EXAMINERS:
        raise Mistake("Only a floorperson or an operator may examine others.")
