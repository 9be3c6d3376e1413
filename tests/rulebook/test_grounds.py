"""Code names a ground and the chapter's data gives its clause; no citation is glued from pieces."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.rulebook import rulebook
from pitboss.rulebook.grounds import METER_GROUNDS, Ground

SOURCE = Path(__file__).parents[2] / "src" / "pitboss"
DEFINING = {"rulebook/clauses.py", "rulebook/citation.py", "rulebook/book.py"}
"""The modules that parse clauses and therefore build citations."""
TAIL = re.compile(r"\.?\d{0,2}(\((\d{1,2}|[a-z]|[ivx]{1,4}|[A-Z])\))+")
"""The end of a citation without its chapter, such as “.7(c)”, “5(b)” or “(1)”."""

PLAYED_BY = {
    "2(a)": {Ground.SEATS},
    "2(b)": {Ground.LAYOUT},
    "2(b)(1)": {Ground.PROPERTY_NAME},
    "3(a)": {Ground.DECKS},
    "3(b)": {Ground.TWO_DECKS},
    "3(b)(1)": {Ground.DECK_BACKS},
    "3(b)(2)": {Ground.OTHER_DECK},
    "3(b)(4)": {Ground.DISCARD_RACK},
    "3(c)": {Ground.DECK_CHANGE},
    "3(c)(1)": {Ground.DECK_HOURS_HAND},
    "3(c)(2)": {Ground.DECK_HOURS_SHOE},
    "4(a)": {Ground.OPENING},
    "5(a)": {Ground.SHUFFLE},
    "5(b)": {Ground.SHUFFLER_COUNT},
    "5(e)": {Ground.RECUT},
    "5(f)": {Ground.NO_PLAY},
    "5(g)": {Ground.APPROVED_DEVICE},
    "7(b)": {Ground.SEATED, Ground.ABANDONED},
    "7(c)": {Ground.NO_MORE_BETS},
    "7(d)": {Ground.WAGERS},
    "7(e)": {Ground.BOXES},
    "8": {Ground.MANUAL_SHOE},
    "8(a)": {Ground.MANUAL_SHOE_PLACE},
    "9": {Ground.HAND},
    "9(a)(1)": {Ground.HAND_NEEDS_SHUFFLER},
    "10": {Ground.AUTOMATED_SHOE},
    "11(a)": {Ground.EXAMINE},
    "12": {Ground.PAYOUTS},
    "13(g)": {Ground.OUT_OF_ORDER},
}
"""Taken from the text of the chapters, which share these parts."""
PLAYED_IN_639A = {
    "2(c)": {Ground.PROGRESSIVE_SYSTEM},
    "2(c)(1)": {Ground.WAGERING_DEVICE},
    "2(c)(2)": {Ground.PROGRESSIVE_LOCK_OUT},
    "2(d)": {Ground.ELECTRONIC_SYSTEM},
    "2(e)": {Ground.DROP_BOX},
    "11(c)(5)(ii)": {Ground.LIGHT},
    "11(c)": {Ground.DOCUMENTATION},
}


@pytest.mark.parametrize("game", rulebook().games)
def test_every_ground_is_the_right_clause(game: str) -> None:
    chapter = rulebook().games[game].chapter
    played = PLAYED_BY | (PLAYED_IN_639A if chapter.id == "639a" else {"2(c)": {Ground.DROP_BOX}})
    assert chapter.grounds == {role: f"{chapter.id}.{part}" for part, roles in played.items() for role in roles}


def test_every_ground_is_used_by_code() -> None:
    code = "\n".join(file.read_text("utf-8") for file in SOURCE.rglob("*.py") if file.name != "grounds.py")
    assert not [role for role in Ground if not re.search(rf"\bGround\.{role.name}\b", code)]


def test_only_chapters_with_meters_have_grounds_of_meters() -> None:
    for game in rulebook().games.values():
        assert bool(game.meters) == bool(METER_GROUNDS & game.chapter.grounds.keys())


def lines_with_glued_citations(source: str) -> Iterator[int]:
    """Yield the lines that build a citation from pieces."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and TAIL.fullmatch(node.value):
            yield node.lineno
        elif isinstance(node, ast.JoinedStr):
            before = ""
            for part in node.values:
                if isinstance(part, ast.Constant):
                    tail = re.match(r"\.\d|\((\d{1,2}|[a-z]|[ivx]+)\)", str(part.value))
                    if before and (
                        tail
                        or (
                            re.search(r"chapter(\.id)?\}", before) and part.value == "." and part is not node.values[-1]
                        )
                    ):
                        yield node.lineno
                    before = ""
                else:
                    before = ast.unparse(part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            sides = [ast.unparse(node.left), ast.unparse(node.right)]
            if any(re.search(r"\.chapter(\.id)?$|^chapter$", side) for side in sides):
                yield node.lineno


@pytest.mark.parametrize(
    "line",
    [
        'f"{chapter}.5(f)"',
        'f"{rules.chapter.id}.{section}"',
        'f"{cite}(1)"',
        '_chapter(table, ".7(c)")',
        'chapter + ".7(c)"',
        "table.due.cite.chapter + rest",
        '("None: the dealer shuffles", "5(a)")',
        'hours, part = (4, "(1)")',
    ],
)
def test_the_search_finds_a_glued_citation(line: str) -> None:
    assert list(lines_with_glued_citations(line))


def test_code_has_no_glued_citation() -> None:
    files = [file for file in SOURCE.rglob("*.py") if file.relative_to(SOURCE).as_posix() not in DEFINING]
    assert len(files) > 200
    found = [
        f"{file.relative_to(SOURCE)}:{line}"
        for file in files
        for line in lines_with_glued_citations(file.read_text("utf-8"))
    ]
    assert found == []


def test_data_files_have_no_partial_citation() -> None:
    half = re.compile(r'"\.?\d{1,2}(\((\d{1,2}|[a-z]{1,4}|[A-Z])\))+"')
    files = list(SOURCE.rglob("*.toml"))
    assert len(files) > 30
    assert [str(file) for file in files if half.search(file.read_text("utf-8"))] == []
