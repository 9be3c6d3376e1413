"""`make nightly`: runs every test campaign at full size, two at a time, and skips those that passed for this code.

The sizes are in tests/support/slices.py. Output and results are in build/nightly.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Final, NamedTuple

from install import ROOT

FOLDER: Final = ROOT / "build" / "nightly"
LANES: Final = 2
WRITTEN: Final = "seen_failing.json"
"""The file that `make mutants` writes into the package; it does not count as code."""
PYTEST: Final = ("-m", "pytest", "-q", "-s", "-n0", "--durations=0", "--durations-min=60")


class Campaign(NamedTuple):
    """A command for this Python; each of its `parts` has its own seed."""

    name: str
    arguments: tuple[str, ...]
    parts: int = 1


def of_tests(name: str, *paths: str, parts: int = 1) -> Campaign:
    """Return a campaign that runs these tests."""
    return Campaign(name, (*PYTEST, *paths), parts)


CAMPAIGNS: Final = (
    of_tests("kills on SQLite", "tests/house/test_crash.py", "-k", "sqlite", parts=5),
    of_tests("kills on PostgreSQL", "tests/house/test_crash.py", "-k", "postgresql", parts=5),
    Campaign("recount of every wager", ("-m", "pitboss.exact.recount")),
    of_tests("recount of hands of every kind", "tests/exact/test_recount.py"),
    Campaign("planted breaks of every clause", ("tools/mutants.py", "--keep")),
    of_tests("linked meters", "tests/house/test_drift.py"),
    of_tests("power loss", "tests/house/test_power_loss.py"),
    of_tests("malformed requests and messages", "tests/house/test_malformed.py"),
    of_tests("exactly once", "tests/house/test_exactly_once.py", "tests/house/test_one_effect.py"),
    of_tests("any command to any table", "tests/table/test_stateful.py"),
    of_tests("meters and other properties", "tests/progressive", "tests/games", "tests/ranking", "tests/test_cards.py"),
)
"""The longest first."""


def code() -> str:
    """Return a hash of the code and the tests."""
    digest = sha256()
    for file in sorted(file for top in ("src", "tests") for file in (ROOT / top).rglob("*") if file.is_file()):
        if "__pycache__" not in file.parts and "static" not in file.parts and file.name != WRITTEN:
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Night:
    """The results for one state of the code, saved after each campaign."""

    def __init__(self) -> None:
        """Load the campaigns that passed before."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.file = FOLDER / f"{code()}.json"
        self.passed: dict[str, int] = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}
        self.failed: list[str] = []
        self.running: list[subprocess.Popen[bytes]] = []
        self.stopped = threading.Event()
        self._lock, self._began = threading.Lock(), time.monotonic()

    def say(self, sentence: str) -> None:
        """Print a line of progress."""
        print(f"[{(time.monotonic() - self._began) / 60:5.1f} min] {sentence}", flush=True)

    def run(self, campaign: Campaign, part: int) -> None:
        """Run one part of a campaign, unless it passed before."""
        name = campaign.name + (f", part {part} of {campaign.parts}" if campaign.parts > 1 else "")
        if name in self.passed:
            self.say(f"{name}: passed before, in {self.passed[name]} s")
        if name in self.passed or self.stopped.is_set():
            return
        self.say(f"{name}: started")
        began, log = time.monotonic(), FOLDER / f"{name.replace(' ', '-').replace(',', '')}.log"
        settings = {**os.environ, "PITBOSS_NIGHTLY": "1", "PITBOSS_PART": str(part)}
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *campaign.arguments], cwd=ROOT, env=settings, stdout=output, stderr=subprocess.STDOUT
            )
            self.running.append(process)
            status = process.wait()
        seconds = round(time.monotonic() - began)
        if self.stopped.is_set():
            return
        with self._lock:
            if status:
                self.failed.append(name)
                self.say(f"{name}: FAILED after {seconds} s, see {log.relative_to(ROOT)}")
            else:
                self.passed[name] = seconds
                self.file.write_text(json.dumps(self.passed, indent=1), "utf-8")
                self.say(f"{name}: passed in {seconds} s")

    def stop(self) -> None:
        """Interrupt the running campaigns; keep the results so far."""
        self.stopped.set()
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)


def main(wanted: Sequence[str]) -> int:
    """Run all campaigns, or those whose name contains one of these words."""
    night = Night()
    work = [
        (campaign, part)
        for campaign in CAMPAIGNS
        for part in range(1, campaign.parts + 1)
        if not wanted or any(word in campaign.name for word in wanted)
    ]
    work.sort(key=lambda one: one[1])  # the first part of everything before the second of anything
    with ThreadPoolExecutor(LANES) as lanes:
        try:
            for done in [lanes.submit(night.run, *one) for one in work]:
                done.result()
        except KeyboardInterrupt:
            night.stop()
            night.say("stopped; `make nightly` continues from here")
            return 130
    night.say(f"{len(night.passed)} passed, {len(night.failed)} failed")
    return 1 if night.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
