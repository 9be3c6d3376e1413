"""`make mutants`: breaks each clause on purpose and checks that a test claiming the clause fails.

The breaks are in tests/mutants. Two workers have private copies of the code under build/mutants. Each break runs in
a forked process that has the heavy packages loaded. Only the tests that claim the clause run, until the first
failure. Results for the same state of the code are reused. A full run writes seen_failing.json.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, NamedTuple

import seen
from breaks import Break, LostAnchor, plant, read_breaks, restore
from install import ROOT
from nightly import code

FOLDER: Final = ROOT / "build" / "mutants"
PROOFS: Final = seen.SEEN.with_name("proofs.json")
COPIED: Final = ("src", "tests", "tools", "docs", "pyproject.toml", "README.md", "CONTRIBUTING.md", "build/cache")
WORKERS: Final = 2
LIMIT: Final = 180
"""Timeout in seconds for the tests of one break."""
SLICE: Final = 4
"""Breaks that `make test` plants."""
CRASHES: Final = frozenset({"NameError", "SyntaxError", "IndentationError", "ImportError", "ModuleNotFoundError"})
"""Errors raised by a break that is not valid Python; they prove nothing."""
PROVEN: Final = frozenset({"enforced", "prompted", "printed"})
"""The statuses of clauses that need a proof."""
PRELOADED: Final = (
    "numpy", "numba", "pytest", "_pytest.assertion.rewrite", "hypothesis", "msgspec", "cyclopts", "litestar", "rich",
    "apsw", "cryptography", "prometheus_client", "xdist",
)  # fmt: skip

LONG: Final = ("tests/browser/", "tests/exact/", "tests/games/test_paytables_pay", "tests/games/test_settlement_matrix")
"""Slow tests: they run last if their times are unknown, and a slice skips them."""
IGNORED: Final = "ignore::pytest.PytestAssertRewriteWarning"  # plugins are loaded already

Report = dict[str, Any]


def is_long(test: str) -> bool:
    """Whether a test takes many seconds."""
    return test.startswith(LONG)


class Plugin:
    """A pytest plugin that selects tests, shortest first, and records their results."""

    def __init__(self, wanted: Callable[[Any, list[str]], bool], seconds: dict[str, float]) -> None:
        self.wanted, self.seconds = wanted, seconds
        self.report: Report = {"failed": {}, "passed": [], "seconds": {}, "claims": {}, "broken": "", "statuses": {}}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Deselect every unwanted test and case."""
        from claims import claims  # noqa: PLC0415 (from the copy, when its tests are collected)

        chosen = []
        for item in items:
            found = list(map(str, claims(item)))
            for clause in found:
                self.report["claims"].setdefault(clause, []).append(item.nodeid)
            if self.wanted(item, found):
                chosen.append(item)
        items[:] = sorted(chosen, key=lambda item: self.seconds.get(item.nodeid, 9.0 if is_long(item.nodeid) else 1.0))

    def pytest_collectreport(self, report: Any) -> None:  # noqa: ANN401 (pytest's own)
        """Record that a break prevents the collection of tests."""
        if report.failed:
            self.report["broken"] = str(report.longrepr)[-300:]

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:  # noqa: ANN401 (pytest's own)
        """Record a test's result and exception."""
        if call.excinfo is not None:
            self.report["failed"][item.nodeid] = call.excinfo.typename
        elif call.when == "call":
            self.report["passed"].append(item.nodeid)
            self.report["seconds"][item.nodeid] = round(call.duration, 2)


def in_child(tree: Path, paths: Sequence[str], plugin: Plugin, *options: str) -> int:
    """Run the wanted tests of these files in a forked process, in a copy of the code; return its id."""
    result = tree / "report.json"
    result.unlink(missing_ok=True)
    if child := os.fork():
        return child
    try:
        os.setsid()
        os.chdir(tree)
        quiet = os.open(tree / "output.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(quiet, 1), os.dup2(quiet, 2)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(tree / "src"), str(tree / "tests" / "support")])
        sys.path[:] = [str(tree / "src"), *(path for path in sys.path if path != str(ROOT / "src"))]
        import pytest  # noqa: PLC0415 (loaded before the fork)

        status = pytest.main(["-n0", "-q", "-p", "no:cacheprovider", "-W", IGNORED, *options, *paths], plugins=[plugin])
        if status not in (0, 1, 5) and not plugin.report["broken"]:
            plugin.report["broken"] = f"pytest ended with {int(status)}"
        if "pitboss.rulebook" in sys.modules:
            clauses = sys.modules["pitboss.rulebook"].rulebook().clauses
            plugin.report["statuses"] = {str(name): str(clause.status) for name, clause in clauses.items()}
    except BaseException as error:  # noqa: BLE001 (every failure is reported)
        plugin.report["broken"] = repr(error)
    finally:
        (tree / "part.json").write_text(json.dumps(plugin.report), "utf-8")
        (tree / "part.json").rename(result)
        os._exit(0)


def ended(child: int, since: float) -> bool | None:
    """Whether a child is done; None if it timed out and was killed."""
    done, _ = os.waitpid(child, os.WNOHANG)
    late = not done and time.monotonic() - since > LIMIT
    if done or late:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # including processes its tests started
    if late:
        os.waitpid(child, 0)
        return None
    return bool(done)


def waited(child: int, tree: Path) -> Report:
    """Return a child's report."""
    since = time.monotonic()
    while ended(child, since) is False:
        time.sleep(0.01)
    return reported(tree)


def reported(tree: Path) -> Report:
    """Wait for the child of this copy and return its report."""
    file = tree / "report.json"
    found: Report = json.loads(file.read_text("utf-8")) if file.exists() else {"broken": "the tests took too long"}
    return found


def copies(number: int) -> list[Path]:
    """Copy the code for each worker, including compiled modules and cached results."""
    trees = [FOLDER / f"copy-{os.getpid()}-{place}" for place in range(1, number + 1)]
    for tree in trees:
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name)
            elif (ROOT / name).exists():
                shutil.copy2(ROOT / name, tree / name)
    return trees


class Outcome(NamedTuple):
    """The result of a break."""

    noticed: bool
    by: str
    """The test that failed, or the reason none did."""
    seconds: float


class Run:
    """The results for one state of the code, saved after each break."""

    def __init__(self, trees: list[Path], *, part: bool) -> None:
        """Load earlier results; a slice uses the claims on file instead of collecting every test."""
        self.trees = trees
        self.file = FOLDER / f"{code()}.json"
        self.times = FOLDER / "seconds.json"
        self.seconds: dict[str, float] = json.loads(self.times.read_text("utf-8")) if self.times.exists() else {}
        kept = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}
        self.outcomes: dict[str, Outcome] = {name: Outcome(*one) for name, one in kept.get("outcomes", {}).items()}
        self.sound: dict[str, bool] = kept.get("sound", {})
        self.statuses: dict[str, str] = kept.get("statuses", {})
        self.claims: dict[str, list[str]] = kept.get("claims") or _claims_on_file()
        if not self.statuses and not part:
            self._collect()

    def _collect(self) -> None:
        plugin = Plugin(lambda *_: False, {})
        report = waited(in_child(self.trees[0], ["tests"], plugin, "--collect-only"), self.trees[0])
        if report["broken"]:
            raise SystemExit(f"The tests cannot be collected: {report['broken']}")
        self.claims, self.statuses = report["claims"], report["statuses"]
        self.keep()

    def keep(self) -> None:
        """Save the results."""
        if self.file.exists():  # another run may have written there
            self.outcomes = json.loads(self.file.read_text("utf-8"))["outcomes"] | self.outcomes
            self.outcomes = {name: Outcome(*one) for name, one in self.outcomes.items()}
        claims = self.claims if self.statuses else {}
        kept = {"outcomes": self.outcomes, "sound": self.sound, "claims": claims, "statuses": self.statuses}
        self.file.write_text(json.dumps(kept), "utf-8")
        self.times.write_text(json.dumps(self.seconds), "utf-8")

    def plant_all(self, breaks: Sequence[Break]) -> None:
        """Plant the remaining breaks, two at a time."""
        left = [one for one in breaks if one.id not in self.outcomes or not self.outcomes[one.id].noticed]
        if len(left) < len(breaks):
            say(f"{len(breaks) - len(left)} breaks were planted before")
        busy: dict[Path, tuple[Break, Any, int, float]] = {}
        done = len(breaks) - len(left)
        try:
            while left or busy:
                for tree in [tree for tree in self.trees if tree not in busy and left]:
                    one = left.pop(0)
                    busy[tree] = (one, plant(one, tree), self._begin(one, tree), time.monotonic())
                time.sleep(0.01)
                for tree, (one, before, child, since) in list(busy.items()):
                    if ended(child, since) is False:
                        continue
                    del busy[tree]
                    restore(one, tree, before)
                    done += 1
                    self.outcomes[one.id] = outcome = self._outcome(one, reported(tree), time.monotonic() - since)
                    told = f"by {outcome.by.rpartition('::')[2]}" if outcome.noticed else f"UNNOTICED: {outcome.by}"
                    say(f"{done:3} of {len(breaks)}  {one.clause:24} {told}, {outcome.seconds} s ({one.place})")
                    self.keep()
        finally:
            for tree, (one, before, child, _) in busy.items():
                os.killpg(child, signal.SIGKILL)
                restore(one, tree, before)

    def _begin(self, one: Break, tree: Path) -> int:
        if "import njit" in (tree / one.file).read_text("utf-8"):  # compiled callers would keep the old code
            os.environ["NUMBA_CACHE_DIR"] = str(tree / "compiled")
            shutil.rmtree(tree / "compiled", ignore_errors=True)
        else:
            os.environ.pop("NUMBA_CACHE_DIR", None)
        files = sorted({test.partition("::")[0] for test in self.claims.get(one.clause, [])})
        plugin = Plugin(lambda _, claims: one.clause in claims, self.seconds)
        return in_child(tree, files or ["tests/mutants"], plugin, "-x")

    def _outcome(self, one: Break, report: Report, seconds: float) -> Outcome:
        self.seconds |= report.get("seconds", {})
        failed = {test: kind for test, kind in report.get("failed", {}).items() if kind not in CRASHES}
        if one.clause not in self.claims:
            why = "no test claims the clause"
        elif report["broken"]:
            why = f"the break does not load: {report['broken']}"
        elif report["failed"] and not failed:
            why = f"the break is not valid Python: {next(iter(report['failed'].values()))}"
        else:
            why = "no test fails"
        ok = bool(failed) and not report["broken"]
        return Outcome(ok, next(iter(failed)) if ok else why, round(seconds, 1))

    def check_sound(self) -> None:
        """Check that the failed tests pass on unbroken code."""
        failed = {outcome.by for outcome in self.outcomes.values() if outcome.noticed} - self.sound.keys()
        files = sorted({test.partition("::")[0] for test in failed})
        if files:
            say(f"{len(failed)} failed tests must pass on unbroken code")
            plugin = Plugin(lambda item, _: item.nodeid in failed, {})
            report = waited(in_child(self.trees[0], files, plugin), self.trees[0])
            self.sound |= {test: test in report.get("passed", []) for test in failed}
            self.seconds |= report.get("seconds", {})
            self.keep()

    @property
    def noticed(self) -> dict[str, str]:
        """The failed test of each break; empty if none failed, or if it fails without the break too."""
        done = self.outcomes.items()
        return {name: one.by if one.noticed and self.sound.get(one.by) else "" for name, one in done}

    def problems(self, breaks: Sequence[Break]) -> list[str]:
        """Return a sentence for each break that no reliable test noticed."""
        found = []
        for one in breaks:
            outcome = self.outcomes[one.id]
            if not outcome.noticed:
                found.append(f"{one.clause}: {outcome.by} ({one.place})")
            elif not self.sound.get(outcome.by):
                found.append(f"{one.clause}: {outcome.by} fails without the break too")
        return found


def _claims_on_file() -> dict[str, list[str]]:
    """Return the tests that claim each clause, from proofs.json and seen_failing.json."""
    proofs: dict[str, list[str]] = json.loads(PROOFS.read_text("utf-8"))
    on_file = {clause: entry["tests"] for clause, entry in seen.read().items()}
    return {clause: [*proofs.get(clause, ()), *on_file.get(clause, ())] for clause in proofs.keys() | on_file.keys()}


def say(sentence: str) -> None:
    """Print a line of progress."""
    print(f"{datetime.now().astimezone():%H:%M:%S}  {sentence}", flush=True)


def chosen(breaks: list[Break], wanted: Sequence[str], *, stale: bool, part: bool) -> list[Break]:
    """Return the selected breaks: all, those of some clauses, those not on file, or a slice by the commit's hash."""
    on_file = seen.read()
    if stale:
        groups = seen.by_clause(breaks).items()
        breaks = [one for clause, planted in groups if not seen.valid(on_file, clause, planted) for one in planted]
    if part:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        seed = commit.stdout.strip() or code()
        breaks = [one for one in breaks if not any(map(is_long, on_file.get(one.clause, {}).get("tests", ())))]
        breaks = sorted(breaks, key=lambda one: sha256(f"{seed} {one.id}".encode()).digest())[:SLICE]
        say(f"breaks chosen by {seed[:12]}: {', '.join(one.clause for one in breaks)}")
    return [one for one in breaks if is_wanted(one.clause, wanted)]


def is_wanted(clause: str, wanted: Sequence[str]) -> bool:
    """Whether a clause is selected or below a selected one; without a selection, all are."""
    below = tuple(word + mark for word in wanted for mark in "(:.")
    return not wanted or clause in wanted or clause.startswith(below)


def main() -> int:
    """Plant the selected breaks; return 1 if one was not noticed or a clause has none."""
    parser = argparse.ArgumentParser(
        description="Break each clause on purpose and check that a test claiming it fails."
    )
    parser.add_argument("clause", nargs="*", help="only these clauses and those below them")
    parser.add_argument("--stale", action="store_true", help="only breaks that are not on file or have changed")
    parser.add_argument("--slice", action="store_true", help=f"only {SLICE}, chosen by the commit's hash")
    parser.add_argument("--keep", action="store_true", help="do not write seen_failing.json")
    options = parser.parse_args()
    every = read_breaks(ROOT / "tests" / "mutants")
    breaks = chosen(every, options.clause, stale=options.stale, part=options.slice)
    try:
        for one in breaks if options.slice else every:
            one.planted((ROOT / one.file).read_text("utf-8"))
    except LostAnchor as error:
        raise SystemExit(f"A break lost its anchor. {error}") from None
    for name in (*PRELOADED, *(plugin.module for plugin in entry_points(group="pytest11"))):
        import_module(name)
    FOLDER.mkdir(parents=True, exist_ok=True)
    trees = copies(min(WORKERS, max(1, len(breaks))))
    try:
        run = Run(trees, part=options.slice)
        run.plant_all(breaks)
        run.check_sound()
    except KeyboardInterrupt:
        say("stopped; the same command continues from here")
        return 130
    finally:
        for tree in trees:
            shutil.rmtree(tree, ignore_errors=True)
    if not (options.slice or options.keep):
        seen.write(run.noticed, every)
    problems = run.problems(breaks)
    need = {name for name, status in run.statuses.items() if status in PROVEN and is_wanted(name, options.clause)}
    without = need - {one.clause for one in every}
    for problem in problems:
        say(problem)
    if without:
        say(f"{len(without)} clauses have no break: {', '.join(sorted(without))}")
    say(f"{len(breaks)} breaks planted, {len(breaks) - len(problems)} noticed")
    return 1 if problems or (without and not options.slice) else 0


if __name__ == "__main__":
    sys.exit(main())
