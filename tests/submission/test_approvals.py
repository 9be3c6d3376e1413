"""Approvals in a Submission: which a table needs, how they are written, and which are refused."""

import datetime as dt
import json

import pytest

from pitboss.cli import main
from pitboss.rehearse.script import read_scene
from pitboss.rehearse.stage import play_scene
from pitboss.submission import load, parse, problems, text_of
from pitboss.submission.approvals import missing_approvals, needed_approvals
from pitboss.submission.changes import list_changes
from pitboss.submission.choices import choices_of, toml_of
from pitboss.submission.form_paper import filing_of
from pitboss.submission.model import Approval, Submission

STUD = "caribbean-stud-standard"


def with_approvals(*lines: str) -> Submission:
    found, wrong = parse("\n".join([text_of(STUD), "[approvals]", *lines]), "a draft")
    assert not wrong
    assert found
    return found


LAYOUT = with_approvals('layout = { reference = "BGO 14", date = 2026-03-02 }')


def test_a_table_needs_approvals_for_its_offers() -> None:
    assert [needed.kind for needed in needed_approvals(load(STUD))] == [
        "approved", "layout", "drop-box", "progressive-system", "electronic-wagering", "manual-shoe",
    ]  # fmt: skip
    assert [needed.kind for needed in needed_approvals(load("cajun-stud-rack-card"))] == [
        "approved",
        "layout",
        "drop-box",
        "manual-shoe",
    ]


@pytest.mark.proves("639a.2(b)")
def test_639a_2_b_an_approval_is_kept_with_its_reference_and_date() -> None:
    assert LAYOUT.approvals == {"layout": Approval(reference="BGO 14", date=dt.date(2026, 3, 2))}
    assert "layout" not in {needed.kind for needed in missing_approvals(LAYOUT)}
    assert parse(toml_of(choices_of(LAYOUT)), "again")[0] == LAYOUT
    filed = next(part for part in filing_of(LAYOUT).parts if part.title == "Approvals")
    values = {entry.where: (entry.value, entry.cites) for entry in filed.entries}
    assert values["approvals.layout"] == ("BGO 14, 2026-03-02", ("639a.2(b)",))
    assert values["approvals.drop-box"] == ("not approved", ("639a.2(e)",))


def test_changes_of_an_approval_are_listed_and_marked() -> None:
    later = with_approvals('layout = { reference = "BGO 15", date = 2026-03-02 }')
    assert [change.change for change in list_changes(LAYOUT, later)] == [
        "The reference of the approval layout changed from BGO 14 to BGO 15."
    ]
    marked = [entry.where for part in filing_of(later, LAYOUT).parts for entry in part.entries if entry.amended]
    assert marked == ["approvals.layout"]


@pytest.mark.parametrize(
    ("line", "where", "problem"),
    [
        ('lay-out = { reference = "BGO 14", date = 2026-03-02 }', "approvals.lay-out", "Unknown approval"),
        (
            'layout = { reference = " ", date = 2026-03-02 }',
            "approvals.layout.reference",
            "An approval has a reference",
        ),
        ("layout = { date = 2026-03-02 }", "approvals.layout.reference", "An approval has a reference"),
    ],
)
def test_an_invalid_approval_is_a_problem(line: str, where: str, problem: str) -> None:
    (found,) = problems(with_approvals(line))
    assert found.where == where
    assert found.problem.startswith(problem)


@pytest.mark.proves("639a.2(b)", "639a.2(c)", "639a.2(d)")
def test_rehearse_and_submission_check_list_missing_approvals(capsys: pytest.CaptureFixture[str]) -> None:
    first, *rest = play_scene(read_scene('{"open": {"submission": "caribbean-stud-standard"}}\n{"until": "spread"}'))
    assert isinstance(first.not_approved, dict)
    assert first.not_approved["says"].startswith("Not approved: ")
    assert [needed["cite"] for needed in first.not_approved["missing"]] == [
        "639a.12", "639a.2(b)", "639a.2(e)", "639a.2(c)", "639a.2(d)", "639a.8(a)",
    ]  # fmt: skip
    assert not [answer for answer in rest if answer.not_approved]
    assert main(["submission", "check", STUD, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["not_approved"]["missing"]
    assert [needed["kind"] for needed in told] == [needed.kind for needed in missing_approvals(load(STUD))]
