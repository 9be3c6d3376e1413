"""The matrix of clauses is correct."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.rulebook import Kind, Status, rulebook
from pitboss.rulebook.proofs import FILE

ROOT = Path(__file__).parents[2]
CLAUSES = rulebook().clauses.values()


def test_there_are_over_four_hundred_clauses_in_three_editions() -> None:
    assert len(CLAUSES) == 443
    assert {clause.edition for clause in CLAUSES} == {
        "639a (codified 2019)",
        "682a (codified 2019)",
        "683a (proposed 2017)",
    }
    assert "639a.11(c)(3)(ii)(B)" in rulebook().clauses


def test_modules_named_by_a_clause_exist() -> None:
    named = {module for clause in CLAUSES for module in clause.met_by}
    assert named
    assert all(importlib.util.find_spec(module) for module in named)


def test_every_clause_has_a_final_status() -> None:
    assert {status.value for status in Status} == {"enforced", "prompted", "recorded", "printed", "physical"}
    assert {clause.status for clause in CLAUSES} == set(Status)
    assert [clause.id for clause in CLAUSES if clause.status is Status.RECORDED] == [
        "639a.2(b)", "639a.2(c)", "639a.8(a)", "682a.2(b)", "682a.8(a)", "683a.2(b)", "683a.8(a)",
    ]  # fmt: skip


def test_kinds_follow_the_sections() -> None:
    for clause in CLAUSES:
        section = int(clause.id.section.rpartition(".")[2])
        assert (clause.kind is Kind.DEFINITION) == (section == 1) == (":" in clause.id)
        assert (clause.kind is Kind.RANKING) == (section == 6)
        if section == 13:
            assert clause.kind is Kind.IRREGULARITY


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        ("682a.1:bad-beat-bonus", "on"),
        ("682a.4(e)", "preshuffled"),
        ("682a.5(a)", "preshuffled"),
        ("682a.5(c)(2)", "preshuffled"),
        ("682a.6(b)(6)", "(7)"),
        ("682a.6(b)(7)", "(6)"),
        ("682a.6(e)(5)", "four-of-a-kind and a pair"),
        ("682a.9(b)", "face down"),
        ("682a.12(f)", "Tour-of-a-kind"),
        ("682a.12(g)", "paytable E"),
    ],
)
def test_a_clause_has_the_text_of_both_editions_of_682a(clause: str, says: str) -> None:
    assert says in rulebook().clauses[clause].proposed


def test_only_682a_has_two_editions() -> None:
    differing = [clause for clause in CLAUSES if clause.proposed]
    assert len(differing) == 18
    assert {clause.id.chapter for clause in differing} == {"682a"}


def test_proofs_json_matches_the_marks_of_the_tests(tmp_path: Path) -> None:
    found = tmp_path / "proofs.json"
    subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", f"--write-proofs={found}"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert json.loads(found.read_text("utf-8")) == json.loads(FILE.read_text("utf-8")), "run `make proofs`"


def test_a_mark_with_an_unknown_clause_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text("utf-8"), "utf-8")
    wrong = "639a.6(b)(10)"  # cites-nothing
    (tmp_path / "test_wrong.py").write_text(f"import pytest\n@pytest.mark.proves({wrong!r})\ndef test(): pass\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_wrong.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "support")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 4
    assert f"test_wrong.py::test: There is no clause {wrong}; 639a.6(b) has (1), (2)" in ran.stderr
