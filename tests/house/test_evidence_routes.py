"""What auditor, floor and players look things up with: replays, the calculator, clauses, logs, disputes, the pit."""

import asyncio
import gc
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from house_server import PASSWORD

from pitboss.errors import Mistake
from pitboss.games import GAMES
from pitboss.house.acts import Fill, Hire, Note, Suspend
from pitboss.house.driver import Sqlite
from pitboss.house.evidence import check_log, disputes, logs, signing_key, verify
from pitboss.house.evidence.audit import pieces
from pitboss.house.evidence.audit.pieces import Checked, Next
from pitboss.house.evidence.logs import Wanted, page
from pitboss.house.evidence.reading import chains as read_chains
from pitboss.house.evidence.reading import over, round_with
from pitboss.house.glance import glance
from pitboss.house.office import ITSELF, waiting
from pitboss.house.people import Person, Post, hashed
from pitboss.house.pit import Pit
from pitboss.record.telling import sentences
from pitboss.rulebook import rulebook
from pitboss.submission import text_of
from pitboss.table import Acknowledge, Decide, Report, Wager
from pitboss.web import runtime, server

from .conftest import House as EitherHouse
from .test_evidence import BEGAN, TAMPERED, House, _made
from .test_people import Staffed, serving
from .test_secrecy import (
    EVERY_CARD,
    NOW,
    STORIES,
    TABLE,
    VIEWERS,
    Round,
    Running,
    Seen,
    Template,
    decks,
    differences,
    stacked,
)
from .test_secrecy import GAMES as SECRET

PEOPLE = {
    "ann": Post.PATRON,
    "cy": Post.PATRON,
    "dana": Post.DEALER,
    "flo": Post.FLOORPERSON,
    "sue": Post.SURVEILLANCE,
    "ada": Post.AUDITOR,
    "olga": Post.OPERATOR,
}
SEES_ALL, STAFF = {"ada", "olga"}, {"dana", "flo", "sue", "ada", "olga"}
ACTING = (*PEOPLE, "nobody")
Fits = Callable[[dict[str, Any]], bool]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with every game, a jackpot, a void, linked meters and three checkpoints; one round is under way."""
    folder = tmp_path_factory.mktemp("house")
    house, kept = _made(folder), hashed(PASSWORD)
    for name, post in PEOPLE.items():
        house.act(Hire(name, post, kept), ITSELF)
    house.db.close()
    return folder


@pytest.fixture(scope="module")
def staffed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """The shipped server on it, with everybody signed in."""
    data = tmp_path_factory.mktemp("served") / "data"
    shutil.copytree(made, data)
    with serving(data, PITBOSS_DEMO="false") as running:
        house = Staffed(running, *PEOPLE)
        yield house
        house.line.close()


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Iterator[Sqlite]:
    """A copy to do something to."""
    shutil.copytree(made, tmp_path / "data")
    db = Sqlite(tmp_path / "data" / "house.db")
    yield db
    db.close()


def got(staffed: Staffed, who: str, path: str) -> Any:
    status, answer = staffed.ask(who, "GET", path)
    assert status == 200, (who, path, answer)
    return answer


# Who may look at what.

LOOKS = {
    "/api/chains": SEES_ALL,
    "/api/chains/639a/verify": SEES_ALL,
    "/api/chains/house/verify": SEES_ALL,
    "/api/log?chain=639a": SEES_ALL | {"sue", "flo"},
    "/api/log?chain=house": SEES_ALL,
    "/api/pit": STAFF,
    "/api/pit/639a": STAFF,
    "/api/disputes": STAFF - {"dana"},
    "/api/rounds/639a/1/frames": STAFF | {"ann"},
    "/api/clauses": {*ACTING},
    "/api/clauses/639a.11": {*ACTING},
    "/api/settle/639a": {*ACTING},
}


@pytest.mark.parametrize("path", LOOKS)
def test_who_may_look_at_what(staffed: Staffed, path: str) -> None:
    for who in ACTING:
        status, answer = staffed.ask(who, "GET", path)
        assert status == (200 if who in LOOKS[path] else 401 if who == "nobody" else 403), (who, answer)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/rounds/639a/7/frames", 404, "There is no finished round 7 of a table “639a”."),
        ("/api/rounds/639a/0/frames", 404, "Rounds are counted from 1."),
        ("/api/rounds/nowhere/1/frames", 404, "There is no finished round 1 of a table “nowhere”."),
        ("/api/pit/682a", 404, "There is no open table “682a”."),
        ("/api/chains/nowhere/verify", 404, "There is no log “nowhere”."),
        ("/api/chains/639a/verify?since=2", 400, "No finished round of the log “639a” ends with entry 2."),
        (
            "/api/chains/639a/verify?since=999",
            400,
            "The log “639a” has 133 entries of finished rounds: there is none after entry 999.",
        ),
        ("/api/log?chain=nowhere", 404, "There is no log “nowhere”."),
        (
            "/api/clauses/639a.11(c)(9)",  # cites-nothing
            404,
            "There is no clause 639a.11(c)(9); 639a.11(c) has (1), (2), (3), (4), (5), (6).",  # cites-nothing
        ),
        (
            "/api/clauses?chapter=640a",
            400,
            "There is no game “640a”; there are caribbean-stud (639a), four-card-prime (682a), cajun-stud (683a).",
        ),
        ("/api/clauses?under=x", 400, "“x” is not a citation; write one like 639a.11(c)(3)(i) or 639a.1:bet-wager."),
        (
            "/api/settle/whist",
            404,
            "There is no game “whist”; there are caribbean-stud (639a), four-card-prime (682a), cajun-stud (683a).",
        ),
        ("/api/settle/639a?table=683a", 400, "That Submission is for cajun-stud, not caribbean-stud."),
        (
            "/api/settle/639a?preset=x",
            400,
            "There is no preset “x”; there is cajun-stud-rack-card, cajun-stud-standard, caribbean-stud-standard, four-card-prime-standard.",
        ),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(staffed: Staffed, path: str, status: int, sentence: str) -> None:
    found, answer = staffed.ask("ada", "GET", path)
    assert (found, answer["detail"]) == (status, sentence)


# Replays.


def faces(frame: dict[str, Any]) -> dict[str, list[str | None]]:
    """The cards of a frame, by place and by seat."""
    view = frame["view"]
    return {**view["places"], **{str(box["seat"]): box["cards"] for box in view["boxes"]}}


def test_an_auditor_sees_every_card_of_a_finished_round_from_the_moment_it_is_dealt(staffed: Staffed) -> None:
    shown = got(staffed, "ada", "/api/rounds/639a/1/frames")
    frames = shown["frames"]
    assert [frame["seq"] for frame in frames] == list(range(1, 27))
    assert (shown["left_out"], shown["round"]["highest"]) == (0, 10_010_53)
    assert not any(None in held for frame in frames for held in faces(frame).values())
    decides = next(frame for frame in frames if frame["kind"] == "Decide")
    assert faces(decides) == {"dealer": ["2c", "7d", "9s", "4c", "3d"], "1": ["Ah", "Kh", "Qh", "Jh", "Th"]}
    assert decides["view"]["house"]["dealing"] == "manual-shoe"


def test_a_patron_sees_a_round_again_as_he_saw_it(staffed: Staffed) -> None:
    frames = got(staffed, "ann", "/api/rounds/639a/1/frames")["frames"]
    decides = next(number for number, frame in enumerate(frames) if frame["kind"] == "Decide")
    assert faces(frames[decides]) == {
        "dealer": ["2c", None, None, None, None],  # 639a.8(c): one card of the dealer is dealt up
        "1": ["Ah", "Kh", "Qh", "Jh", "Th"],
    }
    assert faces(frames[decides + 1])["dealer"] == ["2c", "7d", "9s", "4c", "3d"]  # 639a.11(c)
    assert {frame["actor"] for frame in frames} == {""}
    assert all(frame["view"]["house"] is None for frame in frames)
    status, answer = staffed.ask("cy", "GET", "/api/rounds/639a/1/frames")
    assert (status, answer["detail"]) == (403, "A patron sees his own rounds.")


def test_staff_sees_a_round_again_as_staff_did(staffed: Staffed) -> None:
    for who in ("dana", "flo", "sue"):
        frames = got(staffed, who, "/api/rounds/639a/1/frames")["frames"]
        decides = next(frame for frame in frames if frame["kind"] == "Decide")
        assert faces(decides) == {"dealer": ["2c", None, None, None, None], "1": [None] * 5}
        assert (decides["actor"], decides["role"]) == ("ann", "player")
        assert decides["view"]["house"] is not None


def test_frames_are_the_lines_of_the_round_with_clauses_that_there_are(staffed: Staffed) -> None:
    for table, number in (("639a", 1), ("639a", 6), ("682a", 3), ("683a", 2)):
        told = got(staffed, "ada", f"/api/rounds/{table}/{number}")["lines"]
        frames = got(staffed, "ada", f"/api/rounds/{table}/{number}/frames")["frames"]
        lines = [line for frame in frames for line in frame["lines"]]
        assert [f"{line['clauses'][0]:<16} {line['text']}" for line in lines] == told
        for line in lines:
            assert all(rulebook().cite(cite) for cite in line["clauses"])
            assert all(cite in line["clauses"] for cite in cited(line["text"]))
    won = [line for line in lines if "ante" in line["text"] and "683a.11(h)" in line["text"]]
    assert all(line["clauses"][1].startswith("683a.11(h)") for line in won)


def cited(text: str) -> list[str]:
    """The clauses that a text names with the sign."""
    return [cite for cite in rulebook().clauses if f"(§ {cite})" in text]


# The calculator.


def settled(staffed: Staffed, **body: Any) -> Any:
    status, answer = staffed.ask("nobody", "POST", "/api/settle", body)
    assert status == 200, answer
    return answer


def test_639a_11_c_3_i_the_calculator_returns_the_bet_and_pays_the_ante_below_ace_king(staffed: Staffed) -> None:
    body: dict[str, Any] = {
        "cards": {"player": ["2c", "3d", "5h", "7s", "9c"], "dealer": ["Ac", "Qh", "Jd", "7d", "3s"]},
        "wagers": {"ante": 1000},
        "raises": [2],
    }
    expected = [("ante", "win", 1000, 1000), ("bet", "returned", 2000, 0)]
    answers = [
        settled(staffed, **source, **body)
        for source in (
            {"game": "639a"},
            {"game": "caribbean-stud"},
            {"table": "639a"},
            {"preset": "caribbean-stud-standard"},
            {"submission": text_of("caribbean-stud-standard")},
        )
    ]
    assert answers == [answers[0]] * 5
    lines = answers[0]["lines"]
    assert [(line["wager"], line["outcome"], line["returned"], line["pays"]) for line in lines] == expected
    assert {line["cite"] for line in lines} == {"639a.11(c)(3)(i)"}
    assert [line["title"] for line in lines] == ["Ante", "Bet"]
    assert (answers[0]["staked"], answers[0]["net"]) == (3000, 1000)


def test_the_calculator_takes_other_paytables_and_readings(staffed: Staffed) -> None:
    body = {
        "preset": "caribbean-stud-standard",
        "cards": {"player": ["Kc", "Kd", "8s", "8h", "8c"], "dealer": ["Ac", "Kh", "9d", "7d", "3s"]},
        "wagers": {"ante": 1000, "bonus": 500},
        "raises": [2],
    }
    pays = {
        letter: next(
            line["pays"]
            for line in settled(staffed, **body, paytables={"bonus": letter})["lines"]
            if line["wager"] == "bonus"
        )
        for letter in ("A", "B")
    }
    tables = rulebook().games["caribbean-stud"].paytables["bonus"].printed
    assert pays == {letter: 500 * int(str(tables[letter]["Full house"]).split()[0]) for letter in pays}


@pytest.mark.parametrize(
    ("table", "rounds"), [("639a", (1, 2, 3, 4, 5)), ("682a", (1, 2, 3, 4, 5, 6)), ("683a", (1, 2, 3, 4))]
)
def test_the_calculator_pays_what_the_table_paid(staffed: Staffed, table: str, rounds: tuple[int, ...]) -> None:
    """Every finished round put in as its replay shows it: the same lines, clauses and reasons."""
    presets = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}
    compared = 0
    for number in rounds:
        frames = got(staffed, "ada", f"/api/rounds/{table}/{number}/frames")["frames"]
        view = next(frame["view"] for frame in reversed(frames) if any(box["lines"] for box in frame["view"]["boxes"]))
        (box,) = view["boxes"]
        answer = settled(
            staffed,
            preset=presets[table],
            cards={**{place: held for place, held in view["places"].items() if held}, "player": box["cards"]},
            wagers=box["wagers"],
            raises=[multiple for multiple in box["decisions"] if multiple],
            fold=0 in box["decisions"],
            meters={"main": 10_000_53, "five-card-hand": 10_000_00} if table == "639a" else {},
            magic=view["magic"] or "",
            lucky=["player" if place == "1" else place for place in view["lucky"] if place in {"1", "dealer"}],
        )
        wanted = [
            {name: line[name] for name in ("wager", "outcome", "stake", "returned", "pays", "cite", "why", "meter")}
            for line in box["lines"]
        ]
        assert [{name: line[name] for name in wanted[0]} for line in answer["lines"]] == wanted, (table, number)
        compared += len(wanted)
    assert compared > 2 * len(rounds)


@pytest.mark.parametrize("game", GAMES)
def test_a_form_asks_for_all_that_a_hand_takes(staffed: Staffed, game: str) -> None:
    form = got(staffed, "nobody", f"/api/settle/{game}")
    deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    cards = {}
    for place in form["places"]:
        cards[place["name"]], deck = deck[: place["cards"]], deck[place["cards"] :]
    wagers = {
        wager["name"]: min(wager["amounts"], default=0) or max(wager["minimum"], form["unit"])
        for wager in form["wagers"]
    }
    raises = [decision["multiples"][-1] for decision in form["decisions"]]
    meters = {meter["name"]: 1_000_000 for meter in form["meters"]}
    answer = settled(staffed, game=game, cards=cards, wagers=wagers, raises=raises, meters=meters)
    staked = {line["wager"] for line in answer["lines"] if line["outcome"] != "bonus"}
    assert staked >= {*wagers, *(decision["wager"] for decision in form["decisions"])}
    assert form["presets"] == [name for name in form["presets"] if name.startswith(game)] != []
    assert sum(wager["required"] for wager in form["wagers"]) == 1


HAND: dict[str, Any] = {
    "cards": {"player": ["2c", "3d", "5h", "7s", "9c"], "dealer": ["Ac", "Qh", "Jd", "7d", "3s"]},
    "wagers": {"ante": 1000},
    "raises": [2],
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Name a game, a table or a preset, or send a Submission."),
        ({"table": "639a", "preset": "caribbean-stud-standard"}, "Give one of table, preset and submission."),
        ({"game": "682a", "table": "639a"}, "That Submission is for caribbean-stud, not four-card-prime."),
        ({"preset": "/etc/hostname"}, "There is no preset “/etc/hostname”; there is cajun-stud-rack-card"),
        ({"submission": "game = "}, "“The Submission” is not TOML: "),
        ({"submission": 'game = "whist"'}, "The Submission cannot be read: property: It is missing."),
        ({"game": "639a", "raises": []}, "The Bet is still to be decided: raise or fold (639a.11(b))."),
        ({"game": "639a", "raises": [3]}, "The Bet is 2 times the Ante, not 3 times (639a.11(b))."),
        ({"game": "639a", "wagers": {"ante": 1001}}, "The Ante wager of $10.01 is not a multiple of the table's unit"),
        ({"game": "639a", "wagers": {}}, "There is no Ante wager, and without it no other is taken (639a.7(d)(1))."),
        ({"game": "639a", "cards": {"player": ["2c"]}}, "The player has 5 cards, not 1."),
        ({"game": "639a", "cards": {**HAND["cards"], "player": ["Ac", "3d", "5h", "7s", "9c"]}}, "Ac"),
        ({"game": "639a", "cards": {**HAND["cards"], "player": ["Zz", "3d", "5h", "7s", "9c"]}}, "Zz"),
        (
            {"game": "639a", "meters": {"side": 100}},
            "There is no meter “side” at this table; there are five-card-hand, main.",
        ),
        ({"game": "639a", "readings": {"nothing": "yes"}}, "nothing"),
        ({"game": "639a", "paytables": {"nothing": "A"}}, "“nothing” is no wager or paytable here; "),
        ({"game": "639a", "paytables": {"bonus": "Z"}}, "Z"),
        ({"game": "682a", "others": [{"cards": ["2c"]}]}, "The dealer has 6 cards, not 5."),
    ],
)
def test_a_hand_that_cannot_be_is_refused_in_a_sentence(
    staffed: Staffed, change: dict[str, Any], sentence: str
) -> None:
    status, answer = staffed.ask("nobody", "POST", "/api/settle", {**HAND, **change})
    assert (status, sentence in answer["detail"]) == (400, True), answer


# Clauses.


def test_the_matrix_has_every_clause_and_each_opens(staffed: Staffed) -> None:
    rows = got(staffed, "nobody", "/api/clauses")
    assert [row["cite"] for row in rows] == [str(cite) for cite in rulebook().clauses]
    for row in rows:
        sheet = got(staffed, "nobody", f"/api/clauses/{quote(row['cite'])}")
        assert (sheet["cite"], sheet["duty"], sheet["status"]) == (row["cite"], row["duty"], row["status"])
        assert (len(sheet["tests"]), sheet["edition"]) == (row["tests"], row["edition"])
        assert set(row["readings"]) <= {reading["id"] for reading in sheet["readings"]}
        assert bool(sheet["met_by"]) == (row["status"] not in {"physical", "planned"})


def test_a_clause_is_opened_however_its_tag_is_written(staffed: Staffed) -> None:
    written = (
        "639a.11(c)(3)(i)",
        quote("639a.11(c)(3)(i)", safe=""),
        quote("§ 639a.11(c)(3)(i)"),
        quote("§\u00a0639a.11(c)(3)(i)"),
        quote(" §639a.11(c)(3)(i) "),
    )
    answers = [got(staffed, "nobody", f"/api/clauses/{text}") for text in written]
    assert answers == [answers[0]] * len(written)
    sheet = answers[0]
    assert sheet["duty"] == "Dealer below ace-king: give back the Bet and pay the Ante under 639a.12(a) and (b)."
    assert [row["cite"] for row in sheet["above"]] == ["639a.11(c)", "639a.11(c)(3)"]
    assert [reading["id"] for reading in sheet["readings"]] == ["ante-when-dealer-fails"]
    assert sheet["met_by"] == ["pitboss.games.settle"]
    assert sheet["tests"]
    term = got(staffed, "nobody", "/api/clauses/639a.1:bet-wager")
    assert (term["kind"], term["title"]) == ("definition", rulebook().sections["639a.1"].title)
    assert got(staffed, "nobody", "/api/clauses/683a.11(h)")["edition"] == "683a (proposed 2017)"
    section = got(staffed, "nobody", "/api/clauses/639a.11")
    assert section["bearer"] is None
    assert [row["cite"] for row in section["parts"]] == [
        str(clause.id) for clause in rulebook().clauses.values() if clause.id.section == "639a.11"
    ]


def test_the_matrix_is_filtered(staffed: Staffed) -> None:
    everything = got(staffed, "nobody", "/api/clauses")
    queries: dict[str, Fits] = {
        "chapter=682a": lambda row: row["chapter"] == "682a",
        "chapter=cajun-stud&kind=payout": lambda row: (row["chapter"], row["kind"]) == ("683a", "payout"),
        "bearer=floorperson": lambda row: row["bearer"] == "floorperson",
        "status=enforced&chapter=639a": lambda row: (row["status"], row["chapter"]) == ("enforced", "639a"),
        "under=639a.12(d)": lambda row: row["cite"].startswith("639a.12(d)"),
        "text=Ace-King": lambda row: "ace-king" in row["duty"].lower(),
        "text=639a.13": lambda row: "639a.13" in row["cite"] + row["duty"],
    }
    for query, fits in queries.items():
        found = got(staffed, "nobody", f"/api/clauses?{query}")
        assert found == [row for row in everything if fits(row)] != [], query
    assert got(staffed, "nobody", "/api/clauses?text=no%20clause%20says%20this") == []
    assert staffed.ask("nobody", "GET", "/api/clauses?kind=nonsense")[0] == 400


# Logs, and their verification.


def test_every_log_is_listed_up_to_its_last_finished_round(staffed: Staffed, made: Path) -> None:
    listed = {log["chain"]: log for log in got(staffed, "ada", "/api/chains")}
    db = Sqlite(made / "house.db", read_only=True)
    ends: dict[str, int] = dict(db.execute("SELECT chain, MAX(last) FROM round GROUP BY chain"))
    hashes = {(chain, seq): digest for chain, seq, digest in db.execute("SELECT chain, seq, hash FROM entry")}
    stands: dict[str, int] = dict(db.execute("SELECT id, seq FROM chain"))
    db.close()
    assert {*listed} == {*stands}
    assert stands["639a"] > ends["639a"], "a round is under way"
    for chain, last in ends.items():
        log = listed[chain]
        assert (log["kind"], log["entries"], log["is_open"]) == ("table", last, chain != "682a")
        assert (log["checkpoint"]["entry"], log["checkpoint"]["hash"]) == (last, hashes[chain, last])
        assert BEGAN < log["began"] < log["ended"] < BEGAN + 100
    assert listed["house"]["kind"] == "house"
    assert next(iter(listed)) == "house"


def verified(check: Callable[[int, int], Checked]) -> list[Checked]:
    """A log verified to its end, piece by piece."""
    found: list[Checked] = []
    place: Next | None = Next(0, 0)
    while place:
        piece = check(place.since, place.checkpoint)
        found.append(piece)
        assert piece.next is None or (piece.next.since, piece.next.checkpoint) > (place.since, place.checkpoint)
        place = piece.next
    return found


def all_pieces(db: Sqlite, folder: Path) -> dict[str, list[Checked]]:
    key = signing_key(folder).public_key()
    return {
        chain: verified(lambda since, checkpoint, chain=chain: check_log(db, chain, since, checkpoint, key))  # type: ignore[misc]
        for (chain,) in db.execute("SELECT id FROM chain ORDER BY id")
    }


def problems_of(db: Sqlite, folder: Path) -> list[str]:
    return [problem for found in all_pieces(db, folder).values() for piece in found for problem in piece.problems]


def test_a_log_is_verified_over_http_to_its_end(staffed: Staffed) -> None:
    for log in got(staffed, "ada", "/api/chains"):
        chain, place, entries, rounds, signed = log["chain"], {"since": 0, "checkpoint": 0}, 0, 0, 0
        while place:
            piece = got(
                staffed, "ada", f"/api/chains/{chain}/verify?since={place['since']}&checkpoint={place['checkpoint']}"
            )
            assert piece["problems"] == []
            entries += piece["last"] - piece["first"] + 1
            rounds, signed, place = rounds + piece["rounds"], signed + piece["checkpoints"], piece["next"]
        assert (entries, rounds) == (log["entries"], log["rounds"])
        assert signed >= 3


@pytest.mark.parametrize("size", [1, 30, 10_000])
def test_pieces_of_any_size_check_all_that_the_whole_audit_does(
    copied: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(pieces, "PIECE", size)
    monkeypatch.setattr(pieces, "SIGNED", 2)
    found, whole = all_pieces(copied, made), verify(copied, signing_key(made).public_key())
    for chain, parts in found.items():
        ends = [piece.last for piece in parts if piece.last >= piece.first]
        assert ends == sorted(set(ends))
        assert (ends[-1], sum(piece.checkpoints for piece in parts)) == (over(copied, read_chains(copied)[chain]), 3)
        assert not any(piece.problems or piece.followed for piece in parts)
    flat = [piece for parts in found.values() for piece in parts]
    assert sum(piece.rounds for piece in flat) == whole.rounds
    under_way = copied.execute(
        "SELECT COUNT(*) FROM posting p WHERE chain <> 'house' AND seq > (SELECT MAX(last) FROM round r WHERE r.chain = p.chain)"
    )[0][0]
    assert under_way > 0
    assert sum(piece.postings for piece in flat) == whole.postings - under_way
    assert (len(flat) > 30) == (size < 30)


WHOLE_HOUSE = {
    "the last entry deleted",
    "the end of a log",
    "what a round under way remembers",
    "a table nobody opened",
    "a posting to another account",
    "a posting of no entry",
    "a balance",
    "two balances",
    "wagers on a table",
    "a balance that is none",
    "a meter",
    "a meter out of balance",
    "a meter and its account",
    "how often a meter moved",
    "the parameters of a meter",
    "a meter invented",
    "a contribution of another table",
    "a move deleted",
    "a round invented",
    "sums of a wager",
    "sums of a wager deleted",
}
"""What only the audit of the whole house finds: accounts, meters and sums as a whole, and rounds under way."""


@pytest.mark.parametrize("what", sorted(TAMPERED.keys() - WHOLE_HOUSE))
def test_tampering_is_found_by_pieces_too_and_located(
    copied: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 30)
    monkeypatch.setattr(pieces, "SIGNED", 2)
    tamper, expected = TAMPERED[what]
    tamper(copied)
    found = problems_of(copied, made)
    assert any(expected in problem for problem in found), found


def test_a_broken_chain_ends_its_verification_where_it_breaks(
    copied: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 5)
    ((body,),) = copied.execute("SELECT body FROM entry WHERE chain = '683a' AND seq = 30")
    copied.execute(
        "UPDATE entry SET body = ? WHERE chain = '683a' AND seq = 30", (bytes(body)[:-9] + b" " + body[-8:],)
    )
    parts = all_pieces(copied, made)["683a"]
    assert (parts[-1].last, parts[-1].next) == (29, None)
    assert [problem.partition(":")[0] for piece in parts for problem in piece.problems] == ["Log “683a”, entry 30"]


def test_a_suspended_wager_is_no_tampering(tmp_path: Path) -> None:
    house = House(tmp_path / "house.db")
    house.open("639a", "ann", text_of("caribbean-stud-standard"))
    house.act(Suspend("639a", "progressive", "the link failed"))
    assert verify(house.db).problems == []
    house.db.execute("UPDATE chain SET settings = '{\"suspended\": []}' WHERE id = '639a'")
    assert verify(house.db).problems == ["Log “639a”: its settings are not those that the house runs the table with."]
    house.db.close()


def test_a_round_is_found_by_its_entries(copied: Sqlite) -> None:
    for chain, number, first, last in copied.execute("SELECT chain, number, first, last FROM round"):
        assert round_with(copied, chain, first) == round_with(copied, chain, last) == (number, last)
    ((end,),) = copied.execute("SELECT MAX(last) FROM round WHERE chain = '639a'")
    assert round_with(copied, "639a", end + 1) is None
    assert round_with(copied, "nowhere", 1) is None


def paged(staffed: Staffed, who: str, query: str, limit: int = 50) -> list[Any]:
    """All pages of a log."""
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        one = got(staffed, who, f"/api/log?{query}&after={after}&limit={limit}")
        assert len(one["entries"]) <= limit
        assert one["next"] is None or one["next"] > after
        found, after = [*found, *one["entries"]], one["next"]
    return found


def test_the_log_is_told_page_by_page_and_nothing_of_the_round_under_way(staffed: Staffed) -> None:
    for table, rounds in (("639a", 6), ("682a", 6)):
        entries = paged(staffed, "ada", f"chain={table}", limit=7)
        told = [
            line
            for number in range(1, rounds + 1)
            for line in got(staffed, "ada", f"/api/rounds/{table}/{number}")["lines"]
        ]
        assert [f"{line['clauses'][0]:<16} {line['text']}" for one in entries for line in one["lines"]] == told
        assert [one["seq"] for one in entries] == list(range(1, len(entries) + 1))
        assert {one["round"] for one in entries} == set(range(1, rounds + 1))
    assert len(entries) == 119


def test_the_log_is_filtered(staffed: Staffed) -> None:
    everything = paged(staffed, "ada", "chain=639a")
    middle = everything[60]["time"]
    queries: dict[str, Fits] = {
        "kind=Decide": lambda one: one["kind"] == "Decide",
        "actor=flo": lambda one: one["actor"] == "flo",
        "kind=Wager&actor=ann": lambda one: (one["kind"], one["actor"]) == ("Wager", "ann"),
        f"since={middle}": lambda one: one["time"] >= middle,
        f"until={middle}": lambda one: one["time"] <= middle,
        f"since={middle}&until={middle + 5}&kind=Perform": lambda one: (
            middle <= one["time"] <= middle + 5 and one["kind"] == "Perform"
        ),
    }
    for query, fits in queries.items():
        for limit in (3, 200):
            assert paged(staffed, "ada", f"chain=639a&{query}", limit) == [one for one in everything if fits(one)] != []
    assert paged(staffed, "ada", f"chain=639a&since={BEGAN + 10**6}") == []


def test_the_house_s_own_log_is_told_too(staffed: Staffed) -> None:
    entries = paged(staffed, "olga", "chain=house", limit=4)
    said = {one["seq"]: (one["kind"], one["actor"], one["second"], one["lines"][0]["text"]) for one in entries}
    assert said[3] == ("BuyIn", "boss", "", "ann buys in; after: $100,000.00")
    amended = next(one for one in said.values() if one[0] == "Amend")
    assert amended == (
        "Amend",
        "boss",
        "ada",
        "the ledger is corrected: a test; before: $1.00 in patron/ann; after: $1.00 in cage",
    )
    assert [one["actor"] for one in paged(staffed, "ada", "chain=house&kind=Dismiss")] == ["boss"]
    assert [one["kind"] for one in paged(staffed, "ada", "chain=house&actor=ada")] == ["Amend"]
    assert not any(word in str(said) for word in ("argon2", PASSWORD))


def test_a_log_that_was_changed_is_not_told_as_if_it_were_whole(copied: Sqlite) -> None:
    copied.execute("UPDATE entry SET hash = 'x' WHERE chain = '639a' AND seq = 5")
    with pytest.raises(Mistake, match="Entry 5 of the log “639a” was changed"):
        page(copied, "639a", Wanted(), 10, None)
    copied.execute("UPDATE round SET after = '{}' WHERE chain = '683a' AND number = 1")
    with pytest.raises(Mistake, match="as it was before round 3 is missing, or was changed"):
        page(copied, "683a", Wanted(), 200, None)


def test_evidence_is_read_alike_on_both_databases(house: EitherHouse) -> None:
    house.patrons("ann", "bob")
    house.open("639a")
    house.seat("639a", ann=1, bob=2)
    for _ in range(3):
        for patron, seat in (("ann", 1), ("bob", 2)):
            house.took(patron, "639a", Wager(seat, {"ante": 1000, "progressive": 100}))
        house.passes(30, "639a")
        for patron, seat in (("ann", 1), ("bob", 2)):
            house.took(patron, "639a", Decide(seat, 0))
    assert house.table("639a").round == 3
    house.did(Note("639a", 4, "the patron says he had wagered"))
    log = next(log for log in logs(house.db) if log.chain == "639a")
    parts = verified(lambda since, checkpoint: check_log(house.db, "639a", since, checkpoint))
    assert [problem for piece in parts for problem in piece.problems] == []
    assert (parts[0].last, sum(piece.rounds for piece in parts)) == (log.entries, 3)
    told = page(house.db, "639a", Wanted(kind="Wager", since=house.clock.time - 1000), 200, "")
    assert [one.actor for one in told.entries] == ["ann", "bob"] * 3
    assert [one.text for one in disputes(house.db, "639a")] == ["the patron says he had wagered"]


# Disputes.


def test_a_dispute_is_noted_settled_and_listed(staffed: Staffed) -> None:
    first = {"table": "639a", "round": 6, "text": "The patron says that the wager was $20."}
    staffed.acted("flo", "Note", **first)
    staffed.acted("flo", "Note", table="639a", round=7, text="The patron asks to see the tape.")  # the one under way
    listed = got(staffed, "sue", "/api/disputes?table=639a&round=6")
    assert [(one["text"], one["outcome"], one["by"], one["is_open"]) for one in listed] == [
        (first["text"], "", "flo", True)
    ]
    staffed.acted("olga", "Note", **first | {"text": "The tape shows $10.", "outcome": "The payout stands."})
    listed = got(staffed, "ada", "/api/disputes?table=639a&round=6")
    assert [(one["by"], one["outcome"], one["is_open"]) for one in listed] == [
        ("olga", "The payout stands.", False),
        ("flo", "", False),
    ]
    assert [one["round"] for one in got(staffed, "ada", "/api/disputes?table=639a")] == [6, 7, 6]
    assert got(staffed, "ada", "/api/disputes?table=683a") == []
    events = got(staffed, "ada", "/api/events?limit=200")
    assert got(staffed, "ada", "/api/events?limit=2&skip=1") == events[1:3], "older ones, page by page"
    mattered = [(one["what"], one["after"], one["actor"]) for one in events if "dispute" in one["what"]]
    assert mattered[0] == ("a dispute over round 6 of 639a: The tape shows $10.", "The payout stands.", "olga")
    assert len(mattered) == 3
    assert verified_over_http(staffed, "house") == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"table": "nowhere"}, "There is no table “nowhere”."),
        ({"table": "house"}, "There is no table “house”."),
        ({"round": 8}, "The table 639a has finished 6 rounds; there is no round 8."),
        ({"round": 0}, "The table 639a has finished 6 rounds; there is no round 0."),
        ({"table": "682a", "round": 7}, "The table 682a has finished 6 rounds; there is no round 7."),  # it is closed
        ({"text": "  "}, "A note says what it is about."),
    ],
)
def test_a_note_is_about_a_round_that_there_is(staffed: Staffed, change: dict[str, Any], sentence: str) -> None:
    status, answer = staffed.act("flo", "Note", **{"table": "639a", "round": 1, "text": "x", **change})
    assert (status, answer["detail"]) == (409, sentence)
    assert staffed.act("flo", "Note", table="639a", round=1, text="x" * 501)[0] == 400


def verified_over_http(staffed: Staffed, chain: str) -> list[str]:
    place = {"since": 0, "checkpoint": 0}
    problems: list[str] = []
    while place:
        piece = got(
            staffed, "ada", f"/api/chains/{chain}/verify?since={place['since']}&checkpoint={place['checkpoint']}"
        )
        place, problems = piece["next"], [*problems, *piece["problems"]]
    return problems


# The pit.


def test_the_pit_shows_every_open_table_at_a_glance(staffed: Staffed) -> None:
    shown = got(staffed, "dana", "/api/pit")
    tables = {one["table"]: one for one in shown["tables"]}
    assert list(tables) == ["639a", "683a", "left", "right"]  # 682a is closed
    one = tables["639a"]
    assert (one["game"], one["title"], one["automatic"], one["round"]) == (
        "caribbean-stud",
        "Caribbean Stud Poker",
        True,
        6,
    )
    assert one["due"] == {"text": "Ask seat 1 to decide (§ 639a.11(b)).", "clauses": ["639a.11(b)"]}
    assert (one["seats"], one["seated"], one["boxes"], one["money"]) == (7, 1, 1, 1600)
    assert one["deck"]["cite"] == "639a.3(c)(2)"  # from a shoe a deck is in use for 8 hours
    assert 0 <= one["deck"]["at"] - 8 * 3600 - BEGAN < 100
    assert {"text": "The deck must be changed now (§ 639a.3(c)(2)).", "clauses": ["639a.3(c)(2)"]} in one["duties"]
    assert tables["683a"]["count"] == {"rounds": 0, "cite": "683a.8(e)"}  # the fifth round since the last count
    for name, table in tables.items():
        alone = got(staffed, "flo", f"/api/pit/{name}")
        assert {**alone, "duties": []} == {**table, "duties": []}
        for sentence in (table["due"], *table["duties"]):
            assert all(rulebook().cite(cite) for cite in sentence["clauses"])


def test_the_pit_shows_what_waits_for_a_person(sqlite_house: EitherHouse) -> None:
    house = sqlite_house
    house.patrons("ann")
    house.open("639a", betting=1)
    house.seat("639a", ann=1)

    def seen() -> Any:
        return glance(house.standing("639a"), house.clock.time, waiting(house.db))

    assert (seen().void, seen().claims, seen().approvals) == ("", (), [])
    counted = []
    for number in range(6):
        counted.append(seen().count.rounds)
        house.took("ann", "639a", Wager(1, {"ante": 1000, "progressive": 100}))
        house.passes(5, "639a")
        assert (seen().called, seen().money, seen().boxes) == (True, 1100, 1)
        if number < 5:
            house.took("ann", "639a", Decide(1, 0))
    assert counted == [4, 3, 2, 1, 0, 4]  # 639a.8(f): at least every fifth round
    house.took("dealer dan", "639a", Report("wrong-number", seat=1, cards=6))
    assert seen().void == "639a.13(c)"
    assert any("639a.13(c)" in duty.clauses for duty in seen().duties)
    house.took("flo", "639a", Acknowledge())
    house.took("dealer dan", "639a", Report("malfunction", device="shuffler"))
    assert (seen().broken, seen().void) == (("shuffler",), "")
    request = house.did(Fill("639a", 1000_00), Person("flo", Post.FLOORPERSON)).waiting
    (waits,) = seen().approvals
    assert (waits.id, waits.kind, waits.by) == (request, "Fill", "flo")
    house.did(Suspend("639a", "progressive", "the link failed"))
    house.desk.forget("639a")
    assert seen().suspended == ("progressive",)


# Secrecy: two servers alike but for hidden cards.

PATHS = (
    "pit",
    f"pit/{TABLE}",
    f"log?chain={TABLE}",
    "log?chain=house",
    "chains",
    f"chains/{TABLE}/verify",
    "chains/house/verify",
    "disputes",
    f"rounds/{TABLE}/1/frames",
)


class Looking(Round):
    """A round in which everybody asks for all of this, again and again."""

    async def looked(self, *, asking: bool = False, over: bool = False) -> None:
        del asking
        for who in VIEWERS:
            await self.lines[who].quiet()
            if not (over and who in EVERY_CARD):
                self.asked.setdefault(who, []).extend(await asyncio.to_thread(self._answers, who))

    def _answers(self, who: str) -> list[str]:
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        line, found = HTTPConnection("127.0.0.1", self.running.port, timeout=10), []
        for path in PATHS:
            line.request("GET", f"/api/{path}", headers=headers)
            answer = line.getresponse()
            text = re.sub(r'"milliseconds":\d+', "", answer.read().decode())  # how long it took is no card's matter
            found.append(f"{path} {answer.status} {text}")
        line.close()
        return found


@pytest.fixture
def _standing_still(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock of both servers stands still; what a server does to the collector of garbage is undone."""
    monkeypatch.setattr(server, "Pit", partial(Pit, now=lambda: NOW))
    monkeypatch.setattr(runtime, "_again", lambda pause, work, again=runtime._again: again(pause / 10, work))
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


def compared(folder: Path, name: str, way: str, game: str = "caribbean stud") -> tuple[list[str], Seen]:
    """Play a story at two servers; return in what they differ, and what everybody was told at one of them."""
    story, hidden, _ = STORIES[name]
    (folder / "template").mkdir()
    template = Template(folder / "template", SECRET[game], automatic=way == "automatic")
    signing_key(template.folder)
    told = []
    for number, deck in enumerate(decks(SECRET[game], hidden)):
        shutil.copytree(template.folder, folder / str(number))
        running = Running(folder / str(number), stacked(deck, is_cut=True))

        async def played(running: Running = running) -> Seen:
            async with Looking(SECRET[game], running, template.tokens, automatic=way == "automatic") as now:
                await story(now)
                return now.asked

        try:
            told.append(asyncio.run(played()))
        finally:
            running.stop()
    return differences(*told), told[0]


@pytest.mark.usefixtures("_standing_still")
@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
@pytest.mark.parametrize(
    ("name", "way", "game"),
    [
        ("first reveal", "automatic", "caribbean stud"),
        ("Bob's hand", "by hand", "four card prime"),
        ("second card of the board", "automatic", "cajun stud"),
        ("the end, Bob folded", "by hand", "caribbean stud"),
        ("the end, void", "automatic", "caribbean stud"),
    ],
)
def test_no_look_at_the_evidence_tells_of_a_hidden_card(tmp_path: Path, name: str, way: str, game: str) -> None:
    different, seen = compared(tmp_path, name, way, game)
    assert different == []
    statuses = {text.split()[1] for texts in seen.values() for text in texts}
    assert statuses >= {"200", "401", "403"}
    (last,) = {text for text in seen["sue"][-len(PATHS) :] if text.startswith(f"rounds/{TABLE}/1/frames")}
    assert last.split()[1] == ("200" if "the end" in name else "404")


@pytest.mark.usefixtures("_standing_still")
@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
@pytest.mark.parametrize(("module", "place"), [("logs", PATHS.index(f"log?chain={TABLE}")), ("frames", len(PATHS) - 1)])
def test_a_leak_planted_in_the_evidence_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, place: int
) -> None:
    """A folded hand that was never turned: told to staff as an auditor is told it."""
    monkeypatch.setattr(
        sys.modules[f"pitboss.house.evidence.{module}"], "sentences", lambda moment, _, **__: sentences(moment)
    )
    different, seen = compared(tmp_path, "the end, Bob folded", "automatic")
    last = len(seen["sue"]) - len(PATHS) + place
    assert {line.split(":")[0] for line in different if line.startswith("sue")} == {f"sue, {last}"}
