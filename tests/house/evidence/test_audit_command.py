"""`pitboss audit` verifies, exports, narrates and backs up; a mistake is one sentence."""

import json
import re
import threading
from pathlib import Path

import pytest
from cyclopts import App
from evidence_house import House
from table_play import PRESETS
from tampering import byte
from waiting import TIMEOUT

from pitboss.cli import main
from pitboss.cli.audit import audit
from pitboss.errors import Mistake
from pitboss.house.evidence import verify_house
from pitboss.house.storage.sqlite import Sqlite
from pitboss.submission import text_of


def _run(*arguments: str) -> object:
    app = App(result_action="return_value")
    app.command(audit)
    return app(["audit", *arguments], exit_on_error=False, print_error=False)


def test_a_backup_during_writes_is_complete(tmp_path: Path) -> None:
    file, begun, done = tmp_path / "house.db", threading.Event(), threading.Event()

    def write() -> None:
        house = House(file)
        house.open("639a", "ann", text_of(PRESETS["639a"]))
        while not done.is_set():
            house.step("639a")
            begun.set()
        house.db.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(TIMEOUT)
        sizes = []
        for number in range(3):
            assert _run("backup", str(file), "-o", str(tmp_path / f"{number}.db")) == 0
            copy = Sqlite(tmp_path / f"{number}.db")
            found = verify_house(copy)
            copy.close()
            assert found.problems == []
            sizes.append(found.entries)
    finally:
        done.set()
        writer.join()
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1], "nothing was written meanwhile"


def test_the_command_line_verifies_a_folder_or_a_file(
    made: Path, house: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("verify", str(made)) == 0
    assert capsys.readouterr().out.startswith("Verified: 6 logs with ")
    byte(house)
    assert _run("verify", str(tmp_path / "data" / "house.db")) == 1
    assert "Log “683a”, entry 30" in capsys.readouterr().out
    assert _run("verify", str(tmp_path / "data"), "--format", "json") == 1
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 1


def test_the_command_line_exports_and_narrates(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("export", str(made), "-o", str(tmp_path / "bundle"), "--table", "683a")
    assert main(["replay", str(tmp_path / "bundle" / "tables" / "683a.jsonl")]) == 0
    capsys.readouterr()
    _run(
        "find",
        str(made),
        "--table",
        "639a",
        "--least",
        "10,000",
        "--since",
        "2023-11-14",
        "--until",
        "2023-11-14",
        "--format",
        "json",
    )
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["table"], found["number"], found["patrons"]) == ("639a", 1, ["ann"])
    _run("find", str(made), "--until", "2023-11-14T17:13", "--patron", "ann")
    assert capsys.readouterr().out == "No finished round matches.\n"
    _run("round", str(made), "639a", "1")
    assert "100% of the main meter, $10,000.53" in capsys.readouterr().out
    _run("events", str(made))
    assert "round 6 is void" in capsys.readouterr().out
    _run("submissions", str(made))
    assert "four-card-prime" in capsys.readouterr().out


def test_times_are_in_the_houses_zone(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The house began on November 14, 2023 at 22:13:20 in UTC: at 17:13:20 in New York, the next day in Tokyo."""
    monkeypatch.setenv("COLUMNS", "200")

    def output_of(*arguments: str) -> str:
        _run(*arguments)
        return capsys.readouterr().out

    commands = (
        ("find", str(made)),
        ("round", str(made), "639a", "1"),
        ("events", str(made)),
        ("submissions", str(made)),
    )
    for command in commands:
        assert re.search(r"2023-11-14 17:\d\d:\d\d EST", output_of(*command)), command
    assert output_of("find", str(made), "--until", "2023-11-14T17:13") == "No finished round matches.\n"
    config = tmp_path / "house.toml"
    config.write_text('timezone = "Asia/Tokyo"\n', "utf-8")
    for command in commands:
        assert re.search(r"2023-11-15 07:\d\d:\d\d JST", output_of(*command, "--config", str(config))), command
    monkeypatch.setenv("PITBOSS_TIMEZONE", "Asia/Tokyo")
    assert output_of("find", str(made), "--until", "2023-11-14") == "No finished round matches.\n"
    assert "2023-11-15 07:" in output_of("find", str(made), "--since", "2023-11-15", "--until", "2023-11-15")
    assert "2023-11-15 07:" in output_of("events", str(made), "--since", "2023-11-15")
    assert "2023" not in output_of("events", str(made), "--since", "2023-11-16")
    found = json.loads(output_of("find", str(made), "--format", "json"))
    assert all(isinstance(one["ended"], int) for one in found)  # programs read seconds, as before


def test_refuses_an_unknown_time_zone_in_one_sentence(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PITBOSS_TIMEZONE", "America/New_Yrok")
    assert main(["audit", "find", str(made)]) == 2
    assert capsys.readouterr().err == (
        "pitboss: Unknown time zone “America/New_Yrok” in the setting “timezone”; did you mean “America/New_York”?\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["verify", "/nowhere/house.db"], "There is no database /nowhere/house.db."),
        (["verify", __file__], "cannot be opened: file is not a database."),
        (["find", "DATA", "--since", "yesterday"], "“yesterday” is not a time such as 2026-01-31"),
        (["find", "DATA", "--least", "much"], "“much” is not an amount in dollars"),
        (["round", "DATA", "639a", "0"], "There is no finished round 0 of a table “639a”."),
        (["round", "DATA", "639a", "9" * 23], f"There is no finished round {'9' * 23} of a table “639a”."),
        (["round", "DATA", "639a", "-" + "9" * 23], f"There is no finished round -{'9' * 23} of a table “639a”."),
        (["verify", "DATA", "--key", "/nowhere"], "The key /nowhere cannot be read"),
        (["backup", "DATA", "-o", __file__], "already exists"),
        (["backup", "DATA", "-o", "/nowhere/copy.db"], "cannot be copied to /nowhere/copy.db"),
        (["export", "DATA", "-o", "/proc/bundle"], "/proc/bundle cannot be created"),
    ],
)
def test_a_mistake_is_one_sentence(made: Path, arguments: list[str], sentence: str) -> None:
    with pytest.raises(Mistake) as mistake:
        _run(*(str(made) if argument == "DATA" else argument for argument in arguments))
    assert sentence in str(mistake.value)


@pytest.mark.parametrize("command", ["find", "events"])
@pytest.mark.parametrize("limit", ["0", "1000001", "9" * 23])
def test_a_limit_is_from_one_to_a_million(
    made: Path, capsys: pytest.CaptureFixture[str], command: str, limit: str
) -> None:
    assert main(["audit", command, str(made), "--limit", limit]) == 2
    assert f'Invalid value "{limit}" for --limit.' in capsys.readouterr().err


def test_refuses_a_database_without_a_house(tmp_path: Path) -> None:
    Sqlite(tmp_path / "house.db").close()
    with pytest.raises(Mistake, match="is not the database of a house"):
        _run("verify", str(tmp_path))
