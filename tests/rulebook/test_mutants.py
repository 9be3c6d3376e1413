"""Planted breaks: each has its place, and a few are planted in every test run."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from breaks import Break, LostAnchor, read_breaks

from pitboss.rulebook import rulebook

ROOT = Path(__file__).parents[2]
BREAKS = read_breaks(ROOT / "tests" / "mutants")


def test_tests_notice_a_few_breaks_chosen_by_the_commit(tell: Callable[[str], None]) -> None:
    ran = subprocess.run(
        [sys.executable, "tools/mutants.py", "--slice"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    tell("".join(line.partition("  ")[2] for line in ran.stdout.splitlines(keepends=True) if "breaks" in line).strip())
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_break_has_a_clause_and_an_anchor() -> None:
    clauses = rulebook().clauses
    for one in BREAKS:
        assert one.clause in clauses, one
        assert one.planted((ROOT / one.file).read_text("utf-8"))


def test_a_lost_anchor_is_an_error() -> None:
    for lost in (
        Break("639a.6(a)", "some.py", find="x = 1", replace="x = 2"),
        Break("639a.6(a)", "some.toml", key="a/b", to=2),
        Break("639a.6(a)", "some.toml", key="a/c", remove=True),
        Break("639a.6(a)", "some.toml", key="d/0=e/1", to=1),
    ):
        with pytest.raises(LostAnchor, match=r"639a\.6\(a\): some\.(py|toml) (has|must contain)"):
            lost.planted('x = 3\na = [1]\nd = [["e"]]\n' if lost.key else "x = 1\nx = 1\n")


def test_a_key_is_set_removed_or_moved() -> None:
    text = 'top = 1\n[[step]]\ndo = "deal"\n[[step]]\ndo = "cut"\nup = true\n'
    changed = {
        '"step" = [{"do" = "deal"}, {"do" = "cut", "up" = false}]': Break("", "", key="step/do=cut/up", to=False),
        '"step" = [{"do" = "deal"}]': Break("", "", key="step/do=cut", remove=True),
        '"step" = [{"do" = "cut", "up" = true}, {"do" = "deal"}]': Break("", "", key="step/do=deal", move=1),
    }
    for expected, one in changed.items():
        assert one.planted(text) == f'"top" = 1\n{expected}\n'
