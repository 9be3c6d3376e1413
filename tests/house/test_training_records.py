"""Training records: the house grades them and stores date and examiner; nobody enters a score."""

import csv
import io
from collections.abc import Sequence

import pytest
from desk_house import BEGIN, BOSS, House
from msgspec.structs import replace
from pypdf import PdfReader

from pitboss.errors import Mistake
from pitboss.house.evidence import list_training_records, trainees, training_csv, training_paper, verify_house
from pitboss.house.office.acts import Dismiss, Hire, RecordTraining
from pitboss.house.office.office import HOUSE_PERSON, ActResult
from pitboss.house.office.people import Person, Post
from pitboss.house.office.training_grades import grade_training
from pitboss.report.papers import render_pdf
from pitboss.rulebook import rulebook
from pitboss.submission import load, terms_of
from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, grade_dealer_answer
from pitboss.training.dealer import TableTest
from pitboss.training.pay import PayLine

STUD = load("caribbean-stud-standard")
TERMS = terms_of(STUD)
DANA, FLO = Person("dana", Post.DEALER), Person("flo", Post.FLOORPERSON)


def right_answer(drill: DrillId) -> DealerAnswer:
    """The right answer, given in ten seconds."""
    graded = grade_dealer_answer(DealerAnswer(drill=drill), TERMS, STUD.table.seats)
    lines = [PayLine(seat=line.seat, wager=line.wager, answer=line.answer, amount=line.amount) for line in graded.lines]
    return DealerAnswer(drill=drill, choice=graded.answer, lines=lines, seconds=10)


def drills_of_a_test(seed: str = "exam") -> list[DrillId]:
    """The questions of a table test."""
    test = dealer_drill(DrillId("caribbean-stud", DrillKind.TEST, seed), TERMS, STUD.table.seats)
    assert isinstance(test, TableTest)
    return [one.drill for one in test.questions]


def record_of_answers(answers: Sequence[DealerAnswer], person: str = "dana") -> RecordTraining:
    return grade_training(person, answers, STUD, TERMS)


def store_record(house: House, act: RecordTraining, by: Person) -> ActResult:
    return house.office.record_training(by, act, house.key())


@pytest.fixture
def staffed(house: House) -> House:
    """A house with a dealer."""
    house.act_ok(Hire("dana", Post.DEALER, "none"), HOUSE_PERSON)
    return house


def test_a_table_test_is_recorded_with_its_score_date_and_examiner(staffed: House) -> None:
    answers = [right_answer(drill) for drill in drills_of_a_test()]
    wrong = DealerAnswer(drill=answers[1].drill, seconds=10)  # a question without an answer
    act = record_of_answers([answers[0], wrong, *answers[2:]])
    assert store_record(staffed, act, FLO).accepted
    (one,) = list_training_records(staffed.db)
    assert (one.person, one.examined_by, one.time, one.drill) == ("dana", "flo", BEGIN, "Table test")
    assert (one.asked, one.right, one.percent, one.seconds, one.allowed) == (20, 19, 95.0, 200, 680)
    assert one.in_time
    assert sum(one.wrong.values()) >= 1
    assert all(rulebook().cite(cite) for cite in one.wrong)
    assert len(one.drills) == 20
    assert verify_house(staffed.db).problems == []


def test_a_partial_test_is_no_table_test_and_practice_has_no_examiner(staffed: House) -> None:
    answers = [right_answer(drill) for drill in drills_of_a_test()]
    store_record(staffed, record_of_answers(answers[:5]), DANA)
    store_record(staffed, record_of_answers([right_answer(DrillId("caribbean-stud", DrillKind.READ, "a"))]), DANA)
    read, part = list_training_records(staffed.db, "dana")
    assert (read.drill, read.examined_by, read.asked) == ("Hand reading", "", 1)
    assert "Table test" not in part.drill
    (dana,) = [one for one in trainees(staffed.db) if one.person == "dana"]
    assert (dana.records, dana.examined, dana.last) == (2, 0, BEGIN)


@pytest.mark.parametrize(
    ("by", "person", "why"),
    [
        (DANA, "flo", "Only a floorperson or an operator may examine others."),
        (Person("ada", Post.AUDITOR), "dana", "Only a floorperson or an operator may examine others."),
        (FLO, "nobody", "There is no staff member “nobody”."),
        (FLO, "ann", "There is no staff member “ann”."),
        (Person("ann", Post.PATRON), "ann", "Only staff have training records."),
    ],
)
def test_refuses_an_examiner_or_trainee_without_the_right_post(
    staffed: House, by: Person, person: str, why: str
) -> None:
    staffed.patrons("ann")
    act = record_of_answers([right_answer(DrillId("caribbean-stud", DrillKind.READ, "a"))], person)
    assert store_record(staffed, act, by).why == why
    assert list_training_records(staffed.db) == []


@pytest.mark.parametrize("by", [BOSS, FLO, DANA])
def test_refuses_a_score_that_the_house_did_not_grade(staffed: House, by: Person) -> None:
    """The act is refused: only scores graded by the house are recorded."""
    act = record_of_answers([right_answer(DrillId("caribbean-stud", DrillKind.READ, "a"))])
    assert staffed.act(act, by).why == f"Your post ({by.post}) may not do this."
    assert list_training_records(staffed.db) == []


def test_the_printed_record_shows_a_dealers_qualification(staffed: House) -> None:
    drills = drills_of_a_test()
    answers = [right_answer(drills[0]), DealerAnswer(drill=drills[1], seconds=900), *map(right_answer, drills[2:])]
    store_record(staffed, record_of_answers(answers), FLO)
    staffed.clock.time += 3600
    store_record(staffed, record_of_answers([right_answer(DrillId("caribbean-stud", DrillKind.READ, "a"))]), DANA)
    staffed.act_ok(Dismiss("dana"))  # a dismissed dealer keeps the record
    paper = training_paper(staffed.db, "dana", BEGIN + 7200)
    pages = PdfReader(io.BytesIO(render_pdf("training", paper))).pages
    words = " ".join(" ".join(page.extract_text().split()) for page in pages)
    (cite, *_) = list_training_records(staffed.db, "dana")[1].wrong
    for expected in (
        "dana",
        "dealer",
        "Caribbean Stud Poker",
        "preset caribbean-stud-standard, version 1",
        "Table test",
        "19 of 20",
        "95 %",
        "flo",
        "2027-01-15 03:00:00 EST",
        "over time",
        "Hand reading",
        "practice",
        cite,
        "Examiner: name",
        "Signature",
    ):
        assert expected in words, expected
    rows = list(csv.DictReader(io.StringIO(training_csv(list_training_records(staffed.db, "dana")).decode())))
    assert [(row["drill"], row["right"], row["asked"], row["examined_by"]) for row in rows] == [
        ("Hand reading", "1", "1", ""),
        ("Table test", "19", "20", "flo"),
    ]
    assert rows[1]["date"] == "2027-01-15 03:00:00 EST"


def test_a_csv_cell_is_never_a_formula(staffed: House) -> None:
    act = record_of_answers([right_answer(DrillId("caribbean-stud", DrillKind.READ, "a"))])
    store_record(staffed, act, FLO)
    (one,) = list_training_records(staffed.db)
    assert b"'=1+1" in training_csv([replace(one, rules="=1+1")])


def test_refuses_a_training_record_of_an_unknown_person(staffed: House) -> None:
    staffed.patrons("ann")
    for name in ("nobody", "ann", ""):
        with pytest.raises(Mistake):
            training_paper(staffed.db, name, BEGIN)
