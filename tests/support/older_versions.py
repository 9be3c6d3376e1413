"""The files of every released version, and the facts that today's code reads from them: `tests/compatibility/vX.Y/`.

`python tests/support/keep_version.py X.Y` writes the files of the present version with the same functions.
"""

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from pitboss.errors import Mistake
from pitboss.house.config import Config
from pitboss.house.storage.connections import Connection
from pitboss.record import ReplayedEntry, replay
from pitboss.submission import parse, terms_of
from pitboss.table.events import Reported, Settled

KEPT = Path(__file__).parents[1] / "compatibility"
VERSIONS = tuple(sorted(KEPT.glob("v*")))
PUBLIC = ("cards", "ranking", "rulebook", "games", "submission", "progressive", "table", "record")
"""The packages whose `__all__` is the library's public surface."""


class Version:
    """The files of one version, unpacked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.expected: Any = self.json("expected.json")
        """The expected facts, recorded when the files were made."""

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text("utf-8"))

    def house(self, folder: Path) -> Path:
        """A copy of its house, as a data folder that a test may change."""
        return Path(shutil.copytree(self.folder / "house", folder))


def unpack_version(version: Path, folder: Path) -> Path:
    """A copy of a version's files, decompressed."""
    for file in version.rglob("*"):
        copy = folder / file.relative_to(version)
        if file.is_dir():
            copy.mkdir(mode=0o700, parents=True)
        elif file.suffix == ".gz":
            copy.with_suffix("").write_bytes(gzip.decompress(file.read_bytes()))
        else:
            shutil.copy(file, copy)
    return folder


def compress_large_files(folder: Path) -> None:
    """Compress the large files of a folder: databases and records."""
    for file in sorted((*folder.rglob("*.db"), *folder.rglob("*.jsonl"))):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        file.unlink()


# What matters about each of them.


def record_facts(lines: Iterable[bytes]) -> dict[str, Any]:
    """The facts of a replayed record: its size, its end, and the money and irregularities of each round."""
    moments: list[ReplayedEntry] = list(replay(lines))
    nets: dict[str, int] = {}
    irregular: dict[str, list[str]] = {}
    for moment in moments:
        number = str(moment.before.round + 1)
        for event in moment.entry.events:
            if isinstance(event, Settled):
                nets[number] = nets.get(number, 0) + sum(line.net for line in event.lines)
            elif isinstance(event, Reported):
                irregular.setdefault(number, []).append(event.kind)
    last = moments[-1]
    return {
        "entries": len(moments),
        "rounds": last.after.round,
        "head": last.hash,
        "nets": nets,
        "irregular": irregular,
    }


def submission_facts(text: str) -> dict[str, Any]:
    """The Terms of a Submission: paytables, readings, limits and bounds."""
    submission, problems = parse(text, "the kept Submission")
    if submission is None:
        raise Mistake(f"{problems[0].where}: {problems[0].problem}")
    terms = terms_of(submission)
    return {
        "game": terms.game.name,
        "letters": dict(terms.letters),
        "readings": dict(terms.readings),
        "offered": {
            name: [bounds.minimum, bounds.maximum, list(bounds.amounts)] for name, bounds in terms.offered.items()
        },
        "unit": terms.unit,
        "payout_limit": terms.payout_limit,
        "tables": {name: {hand: str(pay) for hand, pay in table.items()} for name, table in terms.tables.items()},
    }


def house_facts(db: Connection) -> dict[str, Any]:
    """The facts of a house: money, meters, finished rounds, people, and the ends of its logs."""
    return {
        "balances": dict(db.execute("SELECT name, balance FROM account ORDER BY name")),
        "rounds": dict(db.execute("SELECT chain, COUNT(*) FROM round GROUP BY chain ORDER BY chain")),
        "nets": dict(db.execute("SELECT patron, SUM(net) FROM played GROUP BY patron ORDER BY patron")),
        "people": dict(db.execute("SELECT name, post FROM person WHERE is_active = 1 ORDER BY name")),
        "heads": dict(db.execute("SELECT id, hash FROM chain ORDER BY id")),
    }


def public_surface() -> dict[str, Any]:
    """The public surface beside files: paths of the API, settings, names of the library."""
    described = subprocess.run([sys.executable, "-m", "pitboss.web.schema"], capture_output=True, check=True).stdout
    paths: Mapping[str, Mapping[str, object]] = json.loads(described)["paths"]
    return {
        "api": sorted(f"{method.upper()} {path}" for path, methods in paths.items() for method in methods),
        "settings": sorted(Config.__struct_fields__),
        "library": sorted(f"pitboss.{name}.{word}" for name in PUBLIC for word in _public(name)),
    }


def _public(name: str) -> list[str]:
    words: list[str] = import_module(f"pitboss.{name}").__all__
    return words


# The commands that answer in JSON.

_STUD = ["settle", "caribbean-stud", "--player", "Kc Kd 8s 5h 2c", "--dealer", "Ac Kh 9d 7d 3s"]
COMMANDS: Mapping[str, list[str]] = {
    "settle": [*_STUD, "--wager", "ante=10", "--wager", "bonus=2.50", "--raise", "2"],
    "analyze": ["analyze", "cajun-stud", "--wager", "pocket-bonus", "--paytable", "A"],
    "analyze-meter": ["analyze", "caribbean-stud", "--wager", "progressive", "--paytable", "A"],
    "analyze-sessions": ["analyze", "cajun-stud", "--wager", "board-bonus", "--paytable", "A", "--rounds", "100"],
    "advise": ["advise", "caribbean-stud", "--player", "Ah Kd Qs 8c 3d", "--up", "8h"],
    "strategy": ["strategy", "cajun-stud"],
    "holds": ["holds", "cajun-stud"],
    "rank": ["rank", "Ah", "Kh", "Qh"],
    "readings": ["readings", "board-bonus-ace-low"],
    "paytables": ["paytables", "cajun-stud", "--wager", "pocket-bonus"],
    "meters": ["meters", "caribbean-stud"],
    "rankings": ["rankings", "cajun-stud"],
    "clauses": ["clauses", "639a.6(b)"],
    "submission-check": ["submission", "check", "{kept}/forbidden.toml"],
    "submission-list": ["submission", "list"],
    "submission-diff": ["submission", "diff", "{kept}/submissions/cajun-stud.toml", "cajun-stud-rack-card"],
    "replay": ["replay", "{kept}/records/irregular.jsonl"],
    "verify-shuffle": ["verify-shuffle", "{kept}/openings.json"],
    "audit-verify": ["audit", "verify", "{kept}/house"],
    "audit-find": ["audit", "find", "{kept}/house"],
    "audit-round": ["audit", "round", "{kept}/house", "caribbean-stud", "1"],
    "audit-events": ["audit", "events", "{kept}/house"],
    "audit-submissions": ["audit", "submissions", "{kept}/house"],
}
"""By the name of their file: every command that lists or calculates something; `{kept}` is a version's folder."""


def arguments_of(arguments: list[str], kept: Path) -> list[str]:
    """The arguments of a command, on the unpacked files of a version."""
    return [one.replace("{kept}", str(kept)) for one in arguments]
