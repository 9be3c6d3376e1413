"""Which tests prove which clauses, as the test run wrote it down in `proofs.json`.

The tests stay in the repository; the matrix of clauses goes wherever Pitboss is installed.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parent / "proofs.json"


@cache
def proofs() -> Mapping[str, list[str]]:
    """Return the tests of each clause that has any, by citation."""
    tests: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return tests


def tests_of(clause: str) -> list[str]:
    """Return the tests that prove one clause."""
    return proofs().get(clause, [])
