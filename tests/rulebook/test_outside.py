"""The index of sections outside the chapters: complete, and consistent with the clauses."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import pitboss

from pitboss.rulebook import DataMistake, rulebook
from pitboss.rulebook.outside_law import load_outside, outside_sections

SECOND = Path(__file__).parent.parent / "transcription" / "outside.csv"
NAMED = re.compile(r"\b\d{3}[a-z]\.\d+(?:\([a-z0-9]+\))*(?: or \([a-z0-9]+\))*")


def test_every_outside_section_that_a_clause_names_is_in_the_index() -> None:
    book = rulebook()
    ours = {game.chapter.id for game in book.games.values()}
    named = {
        (str(clause.id), citation)
        for clause in book.clauses.values()
        for citation in NAMED.findall(f"{clause.duty} {clause.proposed} {clause.recorded}")
        if citation.partition(".")[0] not in ours
    }
    assert len(named) > 40
    assert named == {pair for section in outside_sections().values() for pair in section.cited_by.items()}


def test_the_index_matches_the_printed_texts() -> None:
    with SECOND.open(encoding="utf-8") as file:
        printed = {(row["clause"], row["names"]) for row in csv.DictReader(file)}
    assert printed == {pair for section in outside_sections().values() for pair in section.cited_by.items()}


def test_the_index_covers_chapters_461a_465a_601a_603a_605a_and_639b() -> None:
    assert {section.partition(".")[0] for section in outside_sections()} == {
        "461a",
        "465a",
        "601a",
        "603a",
        "605a",
        "639b",
    }
    assert outside_sections()["639b.1"].cites == ("639a.7",)
    for section in outside_sections().values():
        assert section.assumed.endswith(".")
        assert section.unmet.endswith(".")


def as_json(*arguments: str) -> Any:
    return json.loads(pitboss(*arguments, "--format", "json").out)


def test_the_index_is_printed_as_text_and_as_json() -> None:
    found = {row["id"]: row for row in as_json("clauses", "--outside")}
    assert list(found) == list(outside_sections())
    assert found["601a.10"]["cited_by"]["639a.8(a)"] == "601a.10(g)"
    assert found["605a.8"].keys() == {"id", "title", "cited_by", "cites", "assumed", "unmet"}
    words = " ".join(pitboss("clauses", "--outside").out.split())
    assert "§ 465a.2 Internal control systems and audit protocols cited by § 639a.11(c)(6)(ii)" in words
    assert "unmet" in words
    cajun = as_json("clauses", "--outside", "--chapter", "683a")
    assert {row["id"] for row in cajun} == {"461a.4", "601a.2", "601a.10", "603a.16"}
    assert set(cajun[0]["cited_by"]) == {"683a.5(g)"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('["605a.9"]\ntitle = "x"\nassumed = "x"\nunmet = "x"\n', "no clause cites it"),
        ('["605a.9"]\ntitle = "x"\nassumed = "x"\nunmet = "x"\ncited_by = { "639a.2(z)" = "605a.9" }', "no clause 639a.2"),  # cites-nothing
        ('["605a.9"]\ntitle = "x"\nassumed = "x"\nunmet = "x"\ncited_by = { "639a.2(c)" = "605a.7" }', "not a citation of 605a.9"),
    ],
)  # fmt: skip
def test_refuses_an_index_that_names_an_unknown_clause(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "outside.toml"
    file.write_text(text)
    with pytest.raises(DataMistake, match=problem):
        load_outside(file)
