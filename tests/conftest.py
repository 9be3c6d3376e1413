"""Tests say which clauses they prove; the matrix of `pitboss clauses` is made from that.

`@pytest.mark.proves("639a.6(b)(1)")` on a test, `("{chapter}.6(b)(1)")` where its cases have a chapter; a citation to
nowhere stops the collection.
`make proofs` writes the tests of each clause to `src/pitboss/rulebook/proofs.json`.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from claims import claims
from slices import EXAMPLES

from pitboss.games import GAMES, Bounds, Terms, agree
from pitboss.rulebook import rulebook
from pitboss.rulebook.proofs import FILE

os.environ["PITBOSS_CACHE"] = str(Path(__file__).parents[1] / "build" / "cache")  # its keys hash code and data
os.environ.pop("COLUMNS", None)  # which workers set: output is as wide here as in a pipe
LONGEST = (
    "test_recount", "test_access", "test_office", "test_floor", "test_play", "test_secrecy", "test_crash", "test_joint",
    "test_first_look", "test_settlement_matrix", "test_par", "test_hidden", "test_money", "test_mathematics",
    "test_signs", "test_training", "test_training_routes", "test_exactly_once", "test_felt", "test_malformed",
)  # fmt: skip
"""Files that take longest. Those of `tests/exact` use every core by themselves: they stand apart, and do not meet."""
hypothesis.settings.register_profile("pitboss", deadline=None, max_examples=EXAMPLES)  # the first call may compile
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no worker is left alone with one at the end."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(Path(item.nodeid.partition("::")[0]).stem, len(places)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that the campaigns reported, if workers ran them; otherwise they have been printed."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    told = [text for report in reports for name, text in report.user_properties if name == "told"]
    if told and hasattr(reports[0], "node"):
        terminalreporter.section("figures")
        for text in told:
            terminalreporter.write_line(text)


def pytest_collection_finish(session: pytest.Session) -> None:
    tests: dict[str, set[str]] = {}
    for item in session.items:
        for clause in claims(item):
            tests.setdefault(clause, set()).add(item.nodeid.partition("[")[0])
    if file := session.config.getoption("--write-proofs"):
        proofs = {clause: sorted(tests[clause]) for clause in sorted(tests)}
        file.write_text(json.dumps(proofs, indent=1) + "\n", "utf-8")


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Report a figure: at once, or where workers run the tests, at the end."""

    def report(sentence: str) -> None:
        request.node.user_properties.append(("told", sentence))
        if not hasattr(request.config, "workerinput"):
            capture: Any = request.config.pluginmanager.getplugin("capturemanager")
            with capture.global_and_fixture_disabled():
                print(f"\n{sentence}", end="", flush=True)  # noqa: T201

    return report


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
