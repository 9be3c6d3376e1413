"""Reads and writes seen_failing.json: when each clause's proof was seen failing, and which tests failed.

An entry is valid until the clause's breaks or the tests that noticed them change.
"""

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final

from breaks import Break
from install import ROOT

SEEN: Final = ROOT / "src/pitboss/rulebook/seen_failing.json"
Seen = dict[str, dict[str, Any]]


@cache
def functions(file: str) -> dict[str, str]:
    """Return the source of each test of a file, decorators included."""
    text = (ROOT / file).read_text("utf-8")
    lines = text.splitlines()
    tests = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    first = {node.name: min([node.lineno, *(one.lineno for one in node.decorator_list)]) for node in tests}
    return {node.name: "\n".join(lines[first[node.name] - 1 : node.end_lineno]) for node in tests}


def digest(breaks: Iterable[Break], tests: Iterable[str]) -> str:
    """Return a hash of a clause's breaks and of the tests that noticed them."""
    said = sorted(one.id for one in breaks)
    for test in sorted(set(tests)):
        file, _, name = test.partition("::")
        source = functions(file).get(name, "") if (ROOT / file).exists() else ""
        said.append(f"{test} {source}")
    return sha256("\0".join(said).encode()).hexdigest()[:16]


def by_clause(breaks: Iterable[Break]) -> dict[str, list[Break]]:
    """Return the breaks grouped by clause."""
    found: dict[str, list[Break]] = {}
    for one in breaks:
        found.setdefault(one.clause, []).append(one)
    return found


def valid(seen: Seen, clause: str, breaks: list[Break]) -> bool:
    """Whether a clause's entry matches its current breaks and tests."""
    return clause in seen and seen[clause]["digest"] == digest(breaks, seen[clause]["tests"])


def read() -> Seen:
    """Return the entries of the file."""
    return json.loads(SEEN.read_text("utf-8")) if SEEN.exists() else {}


def write(noticed: Mapping[str, str], breaks: Sequence[Break]) -> None:
    """Write today's date for each clause whose breaks were all noticed; an empty test name means unnoticed."""
    before, today, seen = read(), f"{datetime.now(UTC):%Y-%m-%d}", {}
    for clause, planted in sorted(by_clause(breaks).items()):
        by = [noticed.get(one.id) for one in planted]
        if all(by):
            tests = sorted({test.partition("[")[0] for test in by if test})
            seen[clause] = {"on": today, "tests": tests, "digest": digest(planted, tests)}
        elif None in by and valid(before, clause, planted):
            seen[clause] = before[clause]
    lines = (f" {json.dumps(clause)}: {json.dumps(entry)}" for clause, entry in seen.items())
    SEEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")  # one line each, so that branches merge
