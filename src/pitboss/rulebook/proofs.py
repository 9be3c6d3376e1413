"""Which tests prove which clauses, and when each proof was last seen failing.

The test run writes `proofs.json`. `make mutants` breaks each clause on purpose and writes `seen_failing.json`: the
clauses whose tests noticed. The tests stay in the repository; the matrix of clauses goes wherever Pitboss is installed.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).parent / "proofs.json"
SEEN_FAILING_FILE: Final = Path(__file__).parent / "seen_failing.json"


class Proof(NamedTuple):
    """Whether the proof of a clause was seen failing when the clause was broken, and on which day."""

    seen_failing: bool
    on: str | None


@cache
def tests_by_clause() -> Mapping[str, list[str]]:
    """Return the tests of each clause that has any, by citation."""
    tests: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return tests


@cache
def failures_by_clause() -> Mapping[str, Mapping[str, Any]]:
    """Return, by citation, when and by which tests a break of the clause was noticed."""
    seen: dict[str, dict[str, Any]] = json.loads(SEEN_FAILING_FILE.read_text("utf-8"))
    return seen


def tests_of(clause: str) -> list[str]:
    """Return the tests that prove one clause."""
    return tests_by_clause().get(clause, [])


def proof_of(clause: str) -> Proof:
    """Return whether and when the proof of a clause was seen failing."""
    seen = failures_by_clause().get(clause)
    return Proof(seen is not None, seen["on"] if seen else None)
