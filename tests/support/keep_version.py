"""Writes the files of the present version that later versions must read: `python tests/support/keep_version.py 0.2`.

Run it at the commit that is released, once: kept files are never written anew.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evidence_house import BEGAN, ROYAL, WAGERS, StackedSource
from evidence_house import House as Played
from msgspec.structs import replace
from older_versions import (
    COMMANDS,
    KEPT,
    arguments_of,
    compress_large_files,
    house_facts,
    public_surface,
    record_facts,
    submission_facts,
)

from pitboss.house.config import Config
from pitboss.house.desk.desk import Desk
from pitboss.house.evidence import sign_checkpoint, signing_key
from pitboss.house.office.acts import Amend, Approve
from pitboss.house.office.office import Office
from pitboss.house.office.people import Person, Post
from pitboss.house.startup import DATABASE, open_house
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record import Entry, header, write
from pitboss.submission import load, text_of
from pitboss.table import Decide, Given, Report, Role, Sit, Wager, open_table, view
from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.runner import TableRunner, automatic_command
from pitboss.table.shoe import seeded_source

ROUNDS = 2
LINES = {
    "caribbean-stud": ("ante=10 bonus=5 progressive=1", "2"),
    "four-card-prime": ("ante=10 prime=5", "1"),
    "cajun-stud": ("ante=10 pocket-bonus=5", "1", "1", "1"),
}
"""A player's input in one round."""
STAFF = Person("olga", Post.OPERATOR)
AUDITOR = Person("ada", Post.AUDITOR)


class Demonstration(Played):
    """The demonstration's house, played at by its own people: rounds, a jackpot, a void, a correction."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.db, self.now, self.source = Sqlite(folder / DATABASE), BEGAN, StackedSource(seed)
        self.office = Office(self.db, lambda: self.now)
        open_house(self.db, Config(data=str(folder), betting=0, pause=0, rest=0, decision=0), self.office)
        self.desk = Desk(self.db, source=self.source, now=lambda: self.now)
        self._keys = 0

    def live(self, folder: Path) -> None:
        """Play at every table, and stop within a round."""
        key = signing_key(folder)
        self.source.stack(ROYAL)
        for table, patron in {"caribbean-stud": "ann", "four-card-prime": "bob", "cajun-stud": "cy"}.items():
            self.order(table, Sit(1), patron)
            self.play(table, ROUNDS)
        sign_checkpoint(self.db, key, self.now)
        self.order("caribbean-stud", Wager(1, WAGERS["639a"]), "ann")
        self.order("caribbean-stud", Report("wrong-number", seat=1, cards=6), "dana", Role.DEALER)
        self.play("caribbean-stud", 1)
        self.act(Approve(self.act(Amend("patron/ann", "cage", 100, "a correction"), STAFF)), AUDITOR)
        self.order("caribbean-stud", Wager(1, WAGERS["639a"]), "ann")
        sign_checkpoint(self.db, key, self.now)


def irregular(seed: str) -> list[bytes]:
    """The record of a round that a wrong number of cards voids, and of one that is dealt well."""
    entries: list[Entry] = []

    def hear(command: Command, given: Given, events: list[Event]) -> None:
        entries.append(Entry(len(entries) + 1, command, given, tuple(events)))

    preset = "caribbean-stud-standard"
    live, source = TableRunner(open_table(load(preset)), hear), seeded_source(seed)
    ann, house = Given(actor="Ann", role=Role.PLAYER), Given(actor="house", role=Role.SYSTEM)
    live.do(Sit(1), ann)
    reported = False
    while live.table.round < ROUNDS:
        if view(live.table).to_act and not reported:
            live.do(Report("wrong-number", seat=1, cards=6), replace(house, role=Role.DEALER))
            reported = True
        elif due := automatic_command(live.table, source, house, bets_are_in=bool(live.table.boxes)):
            live.do(*due)
        elif view(live.table).to_act:
            live.do(Decide(1, 2), ann)
        else:
            live.do(Wager(1, {"ante": 1000}), ann)
    return list(write(header(text_of(preset)), entries))


def pitboss(*arguments: str, typed: str = "") -> str:
    """The output of a command; its status may be 1 if it found problems."""
    command = [sys.executable, "-m", "pitboss", *arguments]
    ran = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1}, ran.stderr
    return ran.stdout


def keep(version: str) -> None:
    """Write all files of a version."""
    folder = KEPT / f"v{version}"
    for name in ("records", "submissions", "json", "house"):
        (folder / name).mkdir(parents=True)
    for game, lines in LINES.items():
        file = folder / "records" / f"{game}.jsonl"
        pitboss("play", game, "--seed", version, "--record", str(file), typed="\n".join([*lines * ROUNDS, "q", ""]))
        (folder / "submissions" / f"{game}.toml").write_text(pitboss("submission", "new", game), "utf-8")
    wrong = text_of("cajun-stud-standard").replace("seats = 6 ", "seats = 7 ")
    (folder / "forbidden.toml").write_text(wrong, "utf-8")
    (folder / "records" / "irregular.jsonl").write_bytes(b"".join(irregular(version)))
    first = str(folder / "records" / "caribbean-stud.jsonl")
    pitboss("replay", first, "--round", "1", "--as", "1", "--openings", str(folder / "openings.json"))
    _write(folder / "expected.json", {**_written(folder, version), "surface": public_surface()})
    _write(folder / "commands.json", COMMANDS)
    for name, arguments in COMMANDS.items():
        answer = pitboss(*arguments_of(arguments, folder), "--format", "json")
        (folder / "json" / f"{name}.json").write_text(answer, "utf-8")
    compress_large_files(folder)


def _written(folder: Path, version: str) -> dict[str, object]:
    """Play at a house, back it up and export it; return the facts about these files and those before."""
    with tempfile.TemporaryDirectory() as temporary:
        data = Path(temporary)
        house = Demonstration(data, version)
        house.live(data)
        facts = house_facts(house.db)
        house.db.execute("VACUUM")
        house.db.close()
        pitboss("audit", "backup", temporary, "-o", str(folder / "house" / DATABASE))
        pitboss("audit", "export", temporary, "-o", str(folder / "bundle"))
        for name in ("signing.key", "signing.pub"):
            shutil.copy(data / name, folder / "house")
    return {
        "records": {
            file.stem: record_facts(file.read_bytes().splitlines(keepends=True))
            for file in sorted((folder / "records").iterdir())
        },
        "submissions": {
            file.stem: submission_facts(file.read_text("utf-8")) for file in sorted((folder / "submissions").iterdir())
        },
        "house": facts,
    }


def _write(file: Path, data: object) -> None:
    file.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    keep(*sys.argv[1:])
