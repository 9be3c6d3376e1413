"""Tests say which clauses they prove; the matrix of `pitboss clauses` is made from that.

`@pytest.mark.proves("639a.6(b)(1)")` on a test; a citation to nowhere stops the collection.
`make proofs` writes the tests of each clause to `src/pitboss/rulebook/proofs.json`.
"""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import hypothesis
import pytest

from pitboss.games import GAMES, Bounds, Terms, agree
from pitboss.rulebook import CitationMistake, cite, rulebook
from pitboss.rulebook.proofs import FILE

os.environ["PITBOSS_CACHE"] = tempfile.mkdtemp(prefix="pitboss-")  # what is tested is worked out, not remembered
hypothesis.settings.register_profile("pitboss", deadline=None)  # the first call may compile
hypothesis.settings.load_profile("pitboss")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-proofs",
        type=Path,
        nargs="?",
        const=FILE,
        help="write which tests prove which clauses (to this file; by default the package's)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proves(*clauses): the clauses this test proves")


def pytest_collection_finish(session: pytest.Session) -> None:
    tests: dict[str, set[str]] = {}
    for item in session.items:
        for mark in item.iter_markers("proves"):
            for text in mark.args:
                try:
                    clause = cite(text)
                except CitationMistake as error:
                    raise pytest.UsageError(f"{item.nodeid}: {error}") from None
                tests.setdefault(clause, set()).add(item.nodeid.partition("[")[0])
    if file := session.config.getoption("--write-proofs"):
        proofs = {clause: sorted(tests[clause]) for clause in sorted(tests)}
        file.write_text(json.dumps(proofs, indent=1) + "\n", "utf-8")


Make = Callable[..., Terms]


@pytest.fixture(scope="session")
def make_terms() -> Make:
    """Terms with every wager on offer, at Paytable A where no other letter is given, and no limits."""

    def make(  # noqa: PLR0913 (every choice by its name)
        game: str,
        letters: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        *,
        unit: int = 1,
        payout_limit: int | None = None,
        offered: Mapping[str, Bounds] | None = None,
    ) -> Terms:
        offers = {wager.offer for wager in GAMES[game].initial}
        single = {"ante", "five-card-hand"} if game == "caribbean-stud" else set()
        return agree(
            GAMES[game],
            rulebook(),
            offered=offered if offered is not None else dict.fromkeys(sorted(offers), Bounds()),
            letters={**dict.fromkeys(offers - single, "A"), **(letters or {})},
            readings=readings or {},
            unit=unit,
            payout_limit=payout_limit,
            bonuses=("magic-card", "lucky-bonus"),
        )

    return make
