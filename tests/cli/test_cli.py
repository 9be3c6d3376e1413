"""The command line as a user sees it; in a separate process where that matters."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from command import in_a_process, pitboss
from waiting import TIMEOUT

from pitboss.cli import main
from pitboss.rulebook import proofs as proofs_file
from pitboss.rulebook import rulebook

COMMANDS = (
    "tour", "play", "replay", "settle", "submission", "signs", "rng-report", "verify-shuffle", "clauses", "paytables", "meters", "rankings", "rank", "readings",
)  # fmt: skip


def as_json(*arguments: str) -> Any:
    ran = pitboss(*arguments, "--format", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), *((name, "--help") for name in COMMANDS)])
def test_help(arguments: tuple[str, ...]) -> None:
    ran = pitboss(*arguments)
    assert ran.status == 0
    assert ran.out
    assert not ran.err


LISTINGS = (
    (),
    ("--help",),
    ("tour",),
    ("clauses",),
    ("paytables",),
    ("meters",),
    ("rankings",),
    ("readings",),
    ("rank", "Ah", "Kh"),
    ("clauses", "--format", "json"),
    ("submission", "list"),
    ("submission", "new", "639a"),
    ("submission", "check", "cajun-stud-rack-card"),
    ("settle", "639a", "--player", "Kc Kd 8s 5h 2c", "--dealer", "Ac Kh 9d 7d 3s", "--wager", "ante=1", "--raise", "2"),
)


@pytest.fixture(scope="module")
def loaded_modules() -> dict[tuple[str, ...], tuple[int, list[str]]]:
    """The status of each listing and the heavy modules it loaded, all in one fresh process."""
    script = f"""
import json, os, sys
from pitboss.cli import main
found, out = [], sys.stdout
for arguments in {LISTINGS!r}:
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code
    found.append([arguments, [status, sorted({{"numpy", "numba", "llvmlite"}} & sys.modules.keys())]])
json.dump(found, out)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    return {tuple(arguments): (status, heavy) for arguments, (status, heavy) in json.loads(ran.stdout)}


@pytest.mark.parametrize("arguments", LISTINGS)
def test_help_and_listings_load_neither_numpy_nor_numba(
    arguments: tuple[str, ...], loaded_modules: dict[tuple[str, ...], tuple[int, list[str]]]
) -> None:
    assert loaded_modules[arguments] == (0, [])


@pytest.mark.parametrize(
    "arguments", [("--help",), ("paytables",), ("clauses", "--format", "json"), ("rank", "Xx"), ("nonsense",)]
)
def test_a_separate_process_prints_the_same(arguments: tuple[str, ...]) -> None:
    assert in_a_process(*arguments) == pitboss(*arguments)


def test_the_entry_point_is_the_command_line() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert EntryPoint("pitboss", project["scripts"]["pitboss"], "console_scripts").load() is main


def test_clauses_as_json() -> None:
    rows = as_json("clauses")
    assert [row["id"] for row in rows] == list(rulebook().clauses)
    row = next(row for row in rows if row["id"] == "639a.6(b)(1)")
    assert {key: row[key] for key in ("edition", "chapter", "section", "bearer", "kind", "status", "met_by")} == {
        "edition": "639a (codified 2019)",
        "chapter": "639a",
        "section": "639a.6",
        "bearer": "system",
        "kind": "ranking",
        "status": "enforced",
        "met_by": ["pitboss.ranking", "pitboss.rulebook"],
    }
    assert row["duty"].startswith("Royal flush: ")
    assert "tests/ranking/test_counts.py::test_639a_6_b_counts_of_five_card_hands" in row["tests"]
    both = next(row for row in rows if row["id"] == "682a.12(f)")
    assert "Tour-of-a-kind" in both["other_editions"]["682a (proposed 2017)"]


@pytest.mark.parametrize(
    ("filters", "number"),
    [
        (("--chapter", "639a"), 157),
        (("--chapter", "four-card-prime"), 139),
        (("--chapter", "cajun-stud"), 147),
        (("--kind", "definition"), 30),
        (("--status", "enforced"), 375),
        (("639a.11(c)(3)",), 6),
        (("639a.1",), 15),
        (("639a.1:lucky-bonus",), 3),
        (("639a.13", "--bearer", "player"), 0),
    ],
)
def test_clauses_can_be_filtered(filters: tuple[str, ...], number: int) -> None:
    assert len(as_json("clauses", *filters)) == number


def test_every_clause_has_one_bearer() -> None:
    bearers = ("dealer", "floorperson", "player", "operator", "system", "board")
    assert sum(len(as_json("clauses", "--bearer", bearer)) for bearer in bearers) == 443


def test_clauses_strict_names_proofs_never_seen_failing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row for row in as_json("clauses") if row["status"] in ("enforced", "prompted", "printed")]
    seen = {row["id"]: {"on": "2026-11-20"} for row in rows}
    monkeypatch.setattr(proofs_file, "failures_by_clause", lambda: seen)
    assert main(["clauses", "--strict"]) == 0
    (row,) = as_json("clauses", "683a.6(d)(1)")
    assert row["proof"] == {"seen_failing": True, "on": "2026-11-20"}
    monkeypatch.setattr(
        proofs_file, "failures_by_clause", lambda: {clause: seen[clause] for clause in seen if clause != "683a.6(d)(1)"}
    )
    capsys.readouterr()
    assert main(["clauses", "--strict"]) == 1
    assert capsys.readouterr().err == "pitboss: no proof seen failing: 683a.6(d)(1).\n"
    assert main(["clauses"]) == 0


def test_paytables_as_json() -> None:
    tables = as_json("paytables")
    assert {game: list(wagers) for game, wagers in tables.items()} == {
        "caribbean-stud": ["ante", "bet", "bonus", "progressive", "five-card-hand", "magic-card", "lucky-bonus"],
        "four-card-prime": ["ante", "raise", "win-bonus", "bad-beat-bonus", "prime", "aces-bonus", "all-six"],
        "cajun-stud": ["ante-raise", "pocket-bonus", "board-bonus", "lo-ball", "all-six"],
    }
    assert tables["caribbean-stud"]["progressive"]["F"]["Royal flush"] == "100% of mega"
    assert list(tables["caribbean-stud"]["bet"]["-"].values())[:2] == ["100 to 1", "50 to 1"]
    assert tables["four-card-prime"]["all-six"]["D"]["Six-card royal flush—diamonds"] == "n/a"
    assert tables["cajun-stud"]["lo-ball"] == {
        "A": {
            "7 High": "100 to 1",
            "8 High": "50 to 1",
            "9 High": "15 to 1",
            "10 High": "5 to 1",
            "Jack High": "1 to 1",
            "Queen High": "loss",
        },
        "B": {
            "7 High": "100 to 1",
            "8 High": "50 to 1",
            "9 High": "10 to 1",
            "10 High": "5 to 1",
            "Jack High": "1 to 1",
            "Queen High": "push",
        },
    }
    assert as_json("paytables", "683a", "--wager", "lo-ball") == {
        "cajun-stud": {"lo-ball": tables["cajun-stud"]["lo-ball"]}
    }


def test_meters_as_json() -> None:
    meters = as_json("meters")
    progressive = meters["caribbean-stud"]["progressive"]
    assert progressive["paytables"]["A"] == {
        "main": {"seed": "$10000 for 1", "reseed": "$10000 for 1", "primary": "53%", "reserve": "15%"}
    }
    assert progressive["paytables"]["F"]["minor"]["seed"] == "n/a"
    assert progressive["envy"]["pays"]["$5"] == {"Royal flush": "$5000", "Straight flush": "$1500"}
    assert progressive["not_linked"] == ["A", "B", "C", "E"]
    assert meters["cajun-stud"] == {}


def test_readings_as_json() -> None:
    rows = as_json("readings")
    assert [row["id"] for row in rows] == list(rulebook().readings)
    for row in rows:
        assert {"id", "clauses", "question", "options", "default", "evidence"} <= row.keys()
        assert row["options"][0] == row["default"]
    assert [row["id"] for row in as_json("readings", "five-card-wheel")] == ["five-card-wheel"]
    assert {row["id"] for row in as_json("readings", "--chapter", "683a")} < {row["id"] for row in rows}


def test_rankings_as_json() -> None:
    rankings = as_json("rankings", "four-card-prime")["four-card-prime"]
    assert [hand["name"] for hand in rankings["prime"]["hands"]] == [
        "All five the same color",
        "Four of the same color",
        "Three of the same color",
    ]
    assert rankings["prime"]["hands"][0] == {
        "name": "All five the same color",
        "cite": "682a.12(d)",
        "same_color": 5,
    }


def test_rank_names_a_hand_for_every_wager() -> None:
    found = {(row["game"], row["ranking"]): row["hand"] for row in as_json("rank", "Ah", "2h", "3h", "4h", "9c")}
    assert found["four-card-prime", "four-card"] == "Straight flush"
    assert found["four-card-prime", "aces-bonus"] == "Less than two aces"
    read = as_json("rank", "Ah2h3h4h9c", "--game", "682a", "--reading", "aces-bonus-hand-size=four-card")
    assert {row["ranking"]: row["hand"] for row in read}["aces-bonus"] == "Straight flush"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("tour",),
            ["Caribbean Stud Poker", "Four Card Prime", "Cajun Stud", "Where to go next", "683a (proposed 2017)"],
        ),
        (("tour", "cajun-stud"), ["Cajun Stud", "147 clauses"]),
        (("clauses", "639a.11(c)(3)"), ["(c)(3)(i)", "Dealer below ace-king", "6 clauses: 6 enforced."]),
        (("clauses", "682a.12(f)"), ["682a (proposed 2017): Prints Tour-of-a-kind"]),
        (("paytables",), ["progressive  § 639a.12(d)(1)", "200000 to 1", "100% of mega"]),
        (("meters",), ["$10000 for 1", "Envy Bonus", "No progressive meters."]),
        (("readings", "five-card-wheel"), ["● yes", "○ no", "§ 682a.6(a)"]),
        (("rankings", "cajun-stud"), ["Mini-royal", "3 of one suit, A K Q", "board-bonus-threshold=any-pair"]),
        (("rank", "Ah Kh"), ["Ace and a king, queen or jack of the same suit"]),
    ],
)
def test_listings_as_text(arguments: tuple[str, ...], says: list[str]) -> None:
    ran = pitboss(*arguments)
    assert ran.status == 0, ran.err
    assert [words for words in says if words not in ran.out] == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nonsense",), 'Unknown command "nonsense".'),
        (("clauses", "--nonsense"), "Unknown option"),
        (("clauses", "--bearer", "croupier"), 'Invalid value "croupier" for --bearer.'),
        (("clauses", "639a.99"), "There is no clause 639a.99; the sections are 639a.1 to .13, "),  # cites-nothing
        (("clauses", "nonsense"), "“nonsense” is not a citation; write one like"),
        (("clauses", "--chapter", "640a"), "There is no game “640a”; there are caribbean-stud (639a), "),
        (("paytables", "roulette"), "There is no game “roulette”"),
        (("paytables", "--wager", "nonsense"), "Unknown wager “nonsense”; choose from aces-bonus, "),
        (("paytables", "--format", "xml"), 'Invalid value "xml" for --format.'),
        (("meters", "roulette"), "There is no game “roulette”"),
        (("readings", "nonsense"), "There is no reading “nonsense”."),
        (("readings", "five-card-wheel", "--chapter", "639a"), "The reading five-card-wheel does not concern 639a."),
        (("rank", "Ah", "Ah"), "Ah is listed twice; a card can appear only once."),
        (("rank", "Ah", "Xx"), "“Xx” is not a card"),
        (
            ("rank", "Ah", "Kh", "--reading", "x"),
            "“x” must have the form NAME=VALUE, for example five-card-wheel=no.",
        ),
        (("rank", "Ah", "Kh", "--reading", "x=y"), "There is no reading “x”."),
        (("rank", "Ah"), "No ranking is for 1 card."),
        (("rank",), "No ranking is for 0 cards."),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(arguments: tuple[str, ...], sentence: str) -> None:
    ran = pitboss(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith(f"pitboss: {sentence}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8"])
@pytest.mark.parametrize("command", ["tour", "paytables --format json", "readings", "clauses", "rank Ah Kh", "rank Xx"])
def test_every_terminal_encoding_works(command: str, encoding: str) -> None:
    ran = pitboss(*command.split(), encoding=encoding)
    assert ran.status == (2 if "Xx" in command else 0)
    assert "Traceback" not in ran.err
    if "json" in command:
        assert json.loads(ran.out) == as_json("paytables")
    if command == "rank Xx":  # by the encoding that Python itself takes from the environment
        assert in_a_process(*command.split(), encoding=encoding) == ran


def test_a_full_disk_is_one_sentence() -> None:
    """In a separate process, where standard output is a file."""
    with open("/dev/full", "w") as full:  # noqa: PTH123 (a device)
        ran = subprocess.run(
            [sys.executable, "-m", "pitboss", "clauses"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 1
    assert ran.stderr == "pitboss: The output could not be written: No space left on device.\n"


@pytest.mark.parametrize("columns", ["40", "60", "80"])
@pytest.mark.parametrize("command", ["clauses", "paytables", "meters", "rankings", "readings"])
def test_a_narrow_terminal_shows_everything(command: str, columns: str) -> None:
    ran = pitboss(command, environment={"COLUMNS": columns})
    assert ran.status == 0
    assert "…" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= int(columns)


@pytest.mark.parametrize(("command", "first"), [("clauses", "§ 639a.1"), ("clauses --format json", "[\n")])
def test_output_cut_short_by_a_pipe_ends_quietly(command: str, first: str) -> None:
    """In a separate process, because a signal ends it."""
    piped = f"'{sys.executable}' -m pitboss {command} | head -n 1"
    ran = subprocess.run(piped, shell=True, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(first)
    assert ran.stderr == ""
