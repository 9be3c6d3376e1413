"""The tests that prove each clause, and the last time each proof was seen failing.

The test run writes `proofs.json`. `make mutants` breaks each clause on purpose and writes `seen_failing.json`: the
clauses whose tests failed. Both files are part of the package, so an installed Pitboss can show the clause matrix
without the tests.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).parent / "proofs.json"
SEEN_FAILING_FILE: Final = Path(__file__).parent / "seen_failing.json"


class Proof(NamedTuple):
    """Whether the tests of a clause failed when the clause was broken on purpose, and the date."""

    seen_failing: bool
    on: str | None


@cache
def tests_by_clause() -> Mapping[str, list[str]]:
    """Return the tests of each proved clause, by citation."""
    tests: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return tests


@cache
def failures_by_clause() -> Mapping[str, Mapping[str, Any]]:
    """Return, by citation, when and by which tests a planted break was detected."""
    failures: dict[str, dict[str, Any]] = json.loads(SEEN_FAILING_FILE.read_text("utf-8"))
    return failures


def tests_of(clause: str) -> list[str]:
    """Return the tests that prove one clause."""
    return tests_by_clause().get(clause, [])


def proof_of(clause: str) -> Proof:
    """Return whether and when a planted break of the clause was detected."""
    failure = failures_by_clause().get(clause)
    return Proof(failure is not None, failure["on"] if failure else None)
