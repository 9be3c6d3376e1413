"""A citation to a clause that does not exist fails at once: in code, in data, in a test, in the docs."""

import re
import runpy
from pathlib import Path

import pytest

from pitboss.rulebook import CitationMistake, Cite, cite, rulebook

ROOT = Path(__file__).parents[2]
NO_CITATION = ["", "639a", "639.11", "639a.11(c", "639a.11 (c)", "§ 639a.11", "639a.11(c)3"]  # cites-nothing
NOWHERE = ["639a.14", "640a.1", "639a.11(c)(7)", "639a.1:bet", "683a.11(i)(3)(iii)"]  # cites-nothing
OTHER_CHAPTERS = ("601a.", "603a.", "605a.", "461a.", "465a.", "998a.", "999a.")
"""Chapters that the three refer to, and the invented ones."""
ELSEWHERE = re.compile(r"\d{3}a\.\d+(?:\(\w+\))+(?:(?:, | and | or | to )(?:\(\w+\))+)*")
"""A full citation with its additions: “683a.11(b), (d) and (f)”."""


def test_citations_are_parsed() -> None:
    found = cite("639a.11(c)(3)(ii)(B)")
    assert (found.chapter, found.section, found.path) == ("639a", "639a.11", "(c)(3)(ii)(B)")
    assert cite("639a.1:lucky-bonus(ii)").path == ":lucky-bonus(ii)"
    assert cite("682a.12").path == ""


@pytest.mark.parametrize("text", NOWHERE)
def test_refuses_an_unknown_clause(text: str) -> None:
    with pytest.raises(CitationMistake, match=rf"^There is no clause {re.escape(text)}"):
        cite(text)


@pytest.mark.parametrize("text", NO_CITATION)
def test_refuses_an_invalid_citation(text: str) -> None:
    with pytest.raises(CitationMistake, match="is not a citation; write one like"):
        Cite(text)


def test_a_module_that_cites_an_unknown_clause_does_not_import(tmp_path: Path) -> None:
    nowhere = "639a.11(c)(8)"  # cites-nothing
    (tmp_path / "wrong.py").write_text(f"from pitboss.rulebook import cite\nRULE = cite({nowhere!r})\n")
    said = f"There is no clause {nowhere}; 639a.11(c) has (1), (2), (3), (4), (5), (6)."
    with pytest.raises(CitationMistake, match=re.escape(said)):
        runpy.run_path(str(tmp_path / "wrong.py"))


def test_every_citation_in_the_repository_exists() -> None:
    """Comments, docstrings, paraphrases and docs too. A line that must cite nothing says so."""
    folders = ("src", "tests", "bench", "docs")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*")] + list(ROOT.glob("*.md"))
    seen = 0
    for file in files:
        if file.suffix not in (".py", ".toml", ".md", ".csv") or "invented" in file.parts:
            continue
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if "cites-nothing" in line:
                continue
            for found in re.findall(r"\b\d{3}a\.\d[\w():-]*[\w)]", line):
                if found.startswith(OTHER_CHAPTERS):
                    continue
                seen += 1
                cited = found if found.count("(") == found.count(")") else found.removesuffix(")")
                assert cite(cited), f"{file.relative_to(ROOT)}:{number}"
    assert seen > 500


def test_a_duty_refers_to_sibling_clauses_that_exist() -> None:
    """“(d)” in the paraphrase of 639a.5(c)(2) is 639a.5(d) or stands under this clause."""
    clauses = rulebook().clauses
    for clause in clauses.values():
        parents = [clause.id[: place.start()] for place in re.finditer(r"\(", clause.id)] + [str(clause.id)]
        for label in re.findall(r"(?<![\w)])\((?:[a-z]|\d{1,2}|[ivx]+|[A-C])\)", ELSEWHERE.sub("", clause.duty)):
            assert any(parent + label in clauses for parent in parents), f"{clause.id} refers to {label}"
