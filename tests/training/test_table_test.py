"""The table test: a fixed mix of questions, scored by accuracy, time and clauses."""

from collections import Counter

import pytest
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games import Terms
from pitboss.submission import load, terms_of
from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, dealer_score, grade_dealer_answer
from pitboss.training.choice import ChoiceDrill
from pitboss.training.dealer import MIX, SECONDS, TableTest
from pitboss.training.pay import PayDrill, PayLine

GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")


def exam(game: str, seed: str = "exam") -> tuple[TableTest, Terms]:
    terms = terms_of(load(f"{game}-standard"))
    found = dealer_drill(DrillId(game, DrillKind.TEST, seed), terms, 6)
    assert isinstance(found, TableTest)
    return found, terms


def right_answer(drill: DrillId, terms: Terms, seconds: int = 7) -> DealerAnswer:
    if drill.kind is DrillKind.PAY:
        lines = grade_dealer_answer(DealerAnswer(drill=drill), terms, 6).lines
        said = [PayLine(line.seat, line.wager, line.answer, line.amount) for line in lines]
        return DealerAnswer(drill=drill, lines=said, seconds=seconds)
    asked = dealer_drill(drill, terms, 6)
    assert not isinstance(asked, TableTest | PayDrill)
    any_answer = DealerAnswer(drill=drill, choice=asked.options[0].answer)
    return DealerAnswer(drill=drill, choice=grade_dealer_answer(any_answer, terms, 6).answer, seconds=seconds)


@pytest.mark.parametrize("game", GAMES)
def test_every_test_has_the_same_mix_without_repetition(game: str) -> None:
    for seed in ("a", "b", "c"):
        test, _ = exam(game, seed)
        again, _ = exam(game, seed)
        assert test == again
        assert Counter(one.drill.kind for one in test.questions) == MIX
        assert test.seconds == sum(SECONDS[kind] * many for kind, many in MIX.items())
        said = [(one.says, one.done) for one in test.questions if isinstance(one, ChoiceDrill)]
        assert len(set(said)) == len(said)
    assert exam(game, "a")[0].questions != exam(game, "b")[0].questions


@pytest.mark.parametrize("game", GAMES)
def test_only_right_answers_score_100_percent(game: str) -> None:
    test, terms = exam(game)
    score = dealer_score([right_answer(one.drill, terms) for one in test.questions], terms, 6)
    assert (score.asked, score.right, score.percent, score.in_time) == (20, 20, 100.0, True)
    assert score.lines == score.lines_right > 0
    assert not score.errors
    assert not score.clauses
    assert {one.kind: (one.asked, one.right, one.seconds) for one in score.kinds} == {
        kind: (many, many, 7 * many) for kind, many in MIX.items()
    }


def test_errors_have_the_given_answer_the_right_answer_and_the_clause() -> None:
    test, terms = exam("caribbean-stud")
    answers = {one.drill: right_answer(one.drill, terms, seconds=60) for one in test.questions}
    paid = next(one for one in test.questions if isinstance(one, PayDrill))
    line = answers[paid.drill].lines[0]
    answers[paid.drill] = replace(answers[paid.drill], lines=answers[paid.drill].lines[1:])
    asked = next(one for one in test.questions if one.drill.kind is DrillKind.IRREGULAR)
    assert isinstance(asked, ChoiceDrill)
    right = answers[asked.drill].choice
    wrong = next(option for option in asked.options if option.answer != right)
    answers[asked.drill] = replace(answers[asked.drill], choice=wrong.answer)
    score = dealer_score(list(answers.values()), terms, 6)
    assert (score.right, score.percent) == (18, 90.0)
    assert score.lines - score.lines_right == 1
    assert score.seconds == 20 * 60
    assert not score.in_time
    by_drill = {one.drill: one for one in score.errors}
    assert by_drill[paid.drill].what.startswith(f"Box {line.seat}, ")
    assert by_drill[paid.drill].said == ""
    assert (by_drill[asked.drill].what, by_drill[asked.drill].said) == (asked.says, wrong.says)
    assert by_drill[asked.drill].right == next(one.says for one in asked.options if one.answer == right)
    assert all(one.why and one.clause.cite.startswith("639a.") and one.clause.duty for one in score.errors)
    assert sum(one.errors for one in score.clauses) == len(score.errors) == 2


@pytest.mark.parametrize("game", GAMES)
def test_unanswered_questions_are_wrong(game: str) -> None:
    test, terms = exam(game)
    score = dealer_score([DealerAnswer(drill=one.drill) for one in test.questions], terms, 6)
    assert (score.asked, score.right, score.lines_right) == (20, 0, 0)
    assert {one.said for one in score.errors} == {""}


def test_a_test_may_be_answered_one_question_at_a_time() -> None:
    test, terms = exam("cajun-stud")
    with pytest.raises(Mistake, match="question by question"):
        grade_dealer_answer(DealerAnswer(drill=test.drill), terms, 6)
    choice = next(one for one in test.questions if isinstance(one, ChoiceDrill))
    with pytest.raises(Mistake, match="not one of the answers"):
        grade_dealer_answer(DealerAnswer(drill=choice.drill, choice="call home"), terms, 6)
