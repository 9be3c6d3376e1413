"""Lists every sentence of refusal and error in `refusals.md`, to review them together: `make pictures`.

The sentences stay beside the conditions that raise them. A test lists them again and compares.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent
SOURCES: Final = FOLDER.parent / "src" / "pitboss"
PAGE: Final = FOLDER / "refusals.md"
HEAD: Final = """# Every refusal and error

What Pitboss says when it refuses: at a table, in the house, for a Submission, a record, a file or a command. The list
is made from the source by `make pictures`. `…` stands for a value. To change a sentence, change it in the file named
above it.
"""
_AFTER_PLACE: Final = {"Problem": 1, "DataMistake": 2}
"""Errors whose first arguments say the place in a file, with the argument of the sentence."""


class Sentence(NamedTuple):
    """A sentence with its file and line."""

    file: str
    line: int
    text: str
    cite: str


def sentences() -> list[Sentence]:
    """Return every sentence of the source, by file and line."""
    trees = {file: ast.parse(file.read_text("utf-8")) for file in sorted(SOURCES.rglob("*.py"))}
    kinds = _error_classes(trees.values())
    return [
        Sentence(str(file.relative_to(SOURCES)), call.lineno, _with_place(call, text), _cite(call))
        for file, tree in trees.items()
        for call in _calls(tree, kinds)
        for text in _texts(_said(call), _constants(tree))
        if text.strip("… ")
    ]


def page() -> str:
    """Return the page."""
    lines, file = [HEAD], ""
    for one in sentences():
        if one.file != file:
            lines.append(f"\n## `{one.file}`\n")
            file = one.file
        lines.append(f"- {one.text}{f' *({one.cite})*' if one.cite else ''}")
    return "\n".join(lines) + "\n"


def _error_classes(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of the classes that carry a sentence to a person."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = {"Mistake", "Refusal", "Problem", "DatabaseFailure", "HTTPException"}
    while more := {one.name for one in classes if {ast.unparse(base) for base in one.bases} & found} - found:
        found |= more
    return found


def _calls(tree: ast.Module, kinds: set[str]) -> Iterator[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = _name(call)
        if name in kinds or name.endswith("Exception"):
            yield call


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _said(call: ast.Call) -> ast.expr | None:
    """Return the argument that holds the sentence."""
    named = {word.arg: word.value for word in call.keywords}
    return named.get("problem") or (
        call.args[min(_AFTER_PLACE.get(_name(call), 0), len(call.args) - 1)] if call.args else None
    )


def _with_place(call: ast.Call, text: str) -> str:
    """Return the whole sentence of an error in a data file, as `DataMistake` builds it."""
    if _name(call) != "DataMistake":
        return text
    return f"…: {text}{'' if text.endswith(('?', '.', '…')) else '.'}"


def _cite(call: ast.Call) -> str:
    """Return the clause or house rule of a refusal, as the source names it."""
    if _name(call) != "Refusal":
        return ""
    cited = ast.unparse(call.args[-1]).removeprefix("str(").removesuffix(")")
    return cited.rpartition("Ground.")[2].rstrip("]").strip("'").replace("_", " ").lower()


def _texts(node: ast.expr | None, known: dict[str, str]) -> Iterator[str]:
    """Yield the sentences of an expression; one with a condition has several."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, known)
            yield from _texts(other, known)
        case ast.BinOp(left=left, right=right):
            yield from (one + other for one in _texts(left, known) for other in _texts(right, known))
        case ast.Name(id=name) if name in known:
            yield known[name]
        case _:
            yield "…"


def _constants(tree: ast.Module) -> dict[str, str]:
    """Return the texts that a module names."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Constant):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                found[target.id] = node.value.value
    return found


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
