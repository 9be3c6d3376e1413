"""The commands whose outputs programs read, and the files that commands write for programs."""

import csv
import gzip
import json
import shlex
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from command import pitboss
from keep_version import LINES

from pitboss.table.shoe import seeded_source

ROOT = Path(__file__).parents[2]
PLACES = {
    "{scenes}": str(ROOT / "docs" / "scenes"),
    "{pair}": "--player 'Kc Kd 8s 5h 2c' --dealer 'Ac Kh 9d 7d 3s'",
    "{royal}": "--player 'Ah Kh Qh Jh Th' --dealer 'Ac Kd 9d 7d 3s'",
}
COMMANDS = """
settle caribbean-stud {pair} --wager ante=10 --wager bonus=2.50 --raise 2
settle 639a {pair} --wager ante=10 --fold
settle 639a {pair} --wager ante=10 --wager progressive=1 --left
settle 639a {royal} --wager ante=10 --wager progressive=1 --raise 2 --meter main=23456.78
settle 639a {pair} --wager ante=10 --wager bonus=5 --paytable bonus=B --raise 2
settle four-card-prime --player 'Kc Kd 8s 5h 2c' --dealer 'Ac Kh 9d 7d 3s 2h' --wager ante=10 --wager prime=5 --raise 1
settle cajun-stud --player 'Ah Kh' --board 'Qh 8c 3d' --wager ante=10 --wager pocket-bonus=5 --raise 1 --raise 1 --raise 1
settle cajun-stud --player 'Ah Kh' --board 'Qh 8c 3d' --wager ante=10 --raise 1 --fold
settle cajun-stud --player 'Ah Ah' --board 'Qh 8c 3d' --wager ante=10 --fold
settle teapot
analyze cajun-stud --wager pocket-bonus --paytable A
analyze caribbean-stud --wager progressive --paytable A
analyze four-card-prime --wager prime
analyze cajun-stud --wager board-bonus --paytable A --rounds 100
analyze cajun-stud --wager board-bonus --reading board-bonus-ace-low=no
analyze cajun-stud --together pocket-bonus=5
analyze four-card-prime --together ante=10 --together prime=5
analyze cajun-stud --wager teapot
advise caribbean-stud --player 'Ah Kd Qs 8c 3d' --up 8h
advise cajun-stud --player 'Ah Kd'
advise cajun-stud --player 'Ah Kd' --board '9h' --raise 1
advise four-card-prime --player 'Ah Kd Qs 8c 3d' --up 8h
strategy caribbean-stud
holds cajun-stud
holds teapot
rank Ah Kh Qh Jh Th
rank Ah Kh Qh --game cajun-stud
rank Ah Ah
readings
readings board-bonus-ace-low
readings --chapter 683a
readings teapot
paytables
paytables cajun-stud --wager pocket-bonus
paytables teapot
meters
meters caribbean-stud
rankings
rankings cajun-stud
clauses 639a.6(b)
clauses 682a.12
clauses --chapter 683a --bearer dealer
clauses --chapter 639a --kind ranking
clauses --outside
clauses 999a.1
submission list
submission check caribbean-stud-standard
submission check cajun-stud-rack-card
submission check {files}/forbidden.toml
submission check {files}/unreadable.toml
submission check {files}/missing.toml
submission diff cajun-stud-standard cajun-stud-rack-card
submission diff cajun-stud-standard cajun-stud-standard
rehearse {scenes}/639a-12-e-2-one-part-per-player.jsonl
rehearse {scenes}/639a-13-c-wrong-number-of-cards.jsonl
rehearse {files}/missing.jsonl
replay {files}/caribbean-stud.jsonl
replay {files}/cajun-stud.jsonl --round 1 --as 1
replay {files}/cajun-stud.jsonl --head 0
replay {files}/cajun-stud.jsonl --round 99
verify-shuffle {files}/openings.json
verify-shuffle {files}/changed.json
verify-shuffle {files}/missing.json
rng-report --decks 10000
rng-report --decks 1
audit verify {house}
audit verify {files}
audit find {house}
audit find {house} --patron ann --least 100 --limit 2
audit find {house} --since yesterday
audit round {house} caribbean-stud 1
audit round {house} caribbean-stud 99
audit events {house} --limit 60
audit slips {house}
audit slips {house} --kind jackpot
audit training {house}
audit training {house} --person dana
audit submissions {house}
teapot
"""
"""`{files}` is a folder of files as they are made here, `{house}` that of a house, `{scenes}` that of the scenes."""


def command_outputs(files: Path, house: Path) -> dict[str, Any]:
    """Run every command with `--format json`; return each status and output."""
    places = {**PLACES, "{files}": str(files), "{house}": str(house)}
    found = {}
    for line in COMMANDS.split("\n"):
        if not line:
            continue
        text = line
        for name, place in places.items():
            text = text.replace(name, place)
        with patch(
            "pitboss.table.shoe.system_source", seeded_source("outputs")
        ):  # the decks of a report on the shuffle
            ran = pitboss(*shlex.split(text), "--format", "json")
        found[line] = {"status": ran.status, "prints": _read(ran.out)} if ran.out else {"status": ran.status}
    return found


def _read(text: str) -> Any:
    """Read JSON, or JSON Lines."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def write_input_files(files: Path) -> dict[str, Any]:
    """Write the input files of commands; return the contents of those that Pitboss wrote."""
    files.mkdir()
    found: dict[str, Any] = {}
    for game, typed in LINES.items():
        lines = "\n".join([*typed * 2, "q", ""]).encode()
        record, toml = files / f"{game}.jsonl", files / f"{game}.toml"
        _ran("play", game, "--seed", "outputs", "--record", str(record), given=lines)
        _ran("submission", "new", game, "-o", str(toml))
        found[f"record of {game}"] = _first_of_each(record.read_text("utf-8").splitlines())
        found[f"Submission of {game}"] = read_toml(toml.read_text("utf-8"))
    text = (files / "cajun-stud.toml").read_text("utf-8")
    (files / "forbidden.toml").write_text(text.replace("seats = 6 ", "seats = 7 "), "utf-8")
    (files / "unreadable.toml").write_text(text.replace("seats = 6 ", "teapots = 7 "), "utf-8")
    openings = files / "openings.json"
    _ran("replay", str(files / "caribbean-stud.jsonl"), "--round", "1", "--as", "1", "--openings", str(openings))
    found["openings"] = json.loads(openings.read_text("utf-8"))
    changed = json.loads(openings.read_text("utf-8"))
    changed["openings"][0]["card"] = changed["openings"][1]["card"]
    (files / "changed.json").write_text(json.dumps(changed), "utf-8")
    return found


def house_files(files: Path, house: Path) -> dict[str, Any]:
    """Return the contents of the files that Pitboss writes about a house."""
    _ran("audit", "training", str(house), "-o", str(files / "training.csv"))
    _ran("audit", "export", str(house), "-o", str(files / "bundle"))
    scene = _ran("audit", "round", str(house), "caribbean-stud", "1", "--scene")
    found: dict[str, Any] = {
        "training.csv": list(csv.reader((files / "training.csv").read_text("utf-8").splitlines())),
        "scene of a round": [json.loads(line) for line in scene.splitlines()],
    }
    for file in sorted((files / "bundle").rglob("*.json*")):
        lines = _text(file).splitlines() if ".jsonl" in file.name else [_text(file)]
        found[file.relative_to(files).as_posix()] = (
            _first_of_each(lines) if ".jsonl" in file.name else json.loads("\n".join(lines))
        )
    return found


def _text(file: Path) -> str:
    held = file.read_bytes()
    return (gzip.decompress(held) if file.suffix == ".gz" else held).decode()


def _first_of_each(lines: Iterable[str]) -> list[Any]:
    """Return the first line of every kind: by its command and events, or else by its keys."""
    found: dict[str, Any] = {}
    for line in lines:
        one = json.loads(line)
        body = one.get("body", one)
        command = body.get("command", body.get("act"))
        events = sorted({event["type"] for event in body.get("events", ())})
        kind = json.dumps([command["type"], events] if command else sorted(body))
        found.setdefault(kind, one)
    return list(found.values())


def read_toml(text: str) -> Any:
    """Return the content of TOML as JSON."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def _ran(*arguments: str, given: bytes = b"") -> str:
    ran = pitboss(*arguments, given=given)
    assert ran.status == 0, ran.err
    return ran.out
