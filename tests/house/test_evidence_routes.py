"""Evidence over HTTP, and who may read it: replays, logs, disputes, the pit."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evidence_house import BEGAN
from evidence_server import PEOPLE, RowFilter, get_ok, hired_house, serve_copy
from house_server import PASSWORD
from pypdf import PdfReader
from staffed_house import Staffed

from pitboss.house.storage.sqlite import Sqlite
from pitboss.rulebook import rulebook

SEES_ALL, STAFF = {"ada", "olga"}, {"dana", "flo", "sue", "ada", "olga"}
ACTING = (*PEOPLE, "nobody")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with every game, a jackpot, a void, linked meters and three checkpoints; one round is under way."""
    return hired_house(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def staffed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """The shipped server on it, with everybody signed in."""
    yield from serve_copy(made, tmp_path_factory.mktemp("served") / "data")


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
    "/api/slips": STAFF - {"dana"},
    "/api/rounds/639a/1/frames": STAFF | {"ann"},
    "/api/clauses": {*ACTING},
    "/api/clauses/639a.11": {*ACTING},
    "/api/settle/639a": {*ACTING},
}


@pytest.mark.parametrize("path", LOOKS)
def test_who_may_read_each_path(staffed: Staffed, path: str) -> None:
    for who in ACTING:
        status, answer = staffed.ask(who, "GET", path)
        assert status == (200 if who in LOOKS[path] else 401 if who == "nobody" else 403), (who, answer)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/rounds/639a/7/frames", 404, "There is no finished round 7 of a table “639a”."),
        ("/api/rounds/639a/0/frames", 404, "Rounds are numbered from 1."),
        ("/api/rounds/nowhere/1/frames", 404, "There is no finished round 1 of a table “nowhere”."),
        ("/api/pit/682a", 404, "There is no open table “682a”."),
        ("/api/chains/nowhere/verify", 404, "There is no log “nowhere”."),
        ("/api/chains/639a/verify?since=2", 400, "No finished round of the log “639a” ends with entry 2."),
        (
            "/api/chains/639a/verify?since=999",
            400,
            "The log “639a” has 133 entries of finished rounds, so none after entry 999.",
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
            "There is no preset “x”; there are cajun-stud-rack-card, cajun-stud-standard, caribbean-stud-standard, four-card-prime-as-published, four-card-prime-standard.",
        ),
    ],
)
def test_an_unknown_thing_is_one_sentence(staffed: Staffed, path: str, status: int, sentence: str) -> None:
    found, answer = staffed.ask("ada", "GET", path)
    assert (found, answer["detail"]) == (status, sentence)


# Logs.


def test_every_log_is_listed_up_to_its_last_finished_round(staffed: Staffed, made: Path) -> None:
    listed = {log["chain"]: log for log in get_ok(staffed, "ada", "/api/chains")}
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


def test_a_log_is_verified_over_http_to_its_end(staffed: Staffed) -> None:
    for log in get_ok(staffed, "ada", "/api/chains"):
        chain, place, entries, rounds, signed = log["chain"], {"since": 0, "checkpoint": 0}, 0, 0, 0
        while place:
            piece = get_ok(
                staffed, "ada", f"/api/chains/{chain}/verify?since={place['since']}&checkpoint={place['checkpoint']}"
            )
            assert piece["problems"] == []
            entries += piece["last"] - piece["first"] + 1
            rounds, signed, place = rounds + piece["rounds"], signed + piece["checkpoints"], piece["next"]
        assert (entries, rounds) == (log["entries"], log["rounds"])
        assert signed >= 3


def all_pages(staffed: Staffed, who: str, query: str, limit: int = 50) -> list[Any]:
    """All pages of a log."""
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        one = get_ok(staffed, who, f"/api/log?{query}&after={after}&limit={limit}")
        assert len(one["entries"]) <= limit
        assert one["next"] is None or one["next"] > after
        found, after = [*found, *one["entries"]], one["next"]
    return found


def test_the_log_has_pages_without_the_round_under_way(staffed: Staffed) -> None:
    for table, rounds in (("639a", 6), ("682a", 6)):
        entries = all_pages(staffed, "ada", f"chain={table}", limit=7)
        told = [
            line
            for number in range(1, rounds + 1)
            for line in get_ok(staffed, "ada", f"/api/rounds/{table}/{number}")["lines"]
        ]
        assert [f"{line['clauses'][0]:<16} {line['text']}" for one in entries for line in one["lines"]] == told
        assert [one["seq"] for one in entries] == list(range(1, len(entries) + 1))
        assert {one["round"] for one in entries} == set(range(1, rounds + 1))
    assert len(entries) == 119


def test_the_log_can_be_filtered(staffed: Staffed) -> None:
    everything = all_pages(staffed, "ada", "chain=639a")
    middle = everything[60]["time"]
    queries: dict[str, RowFilter] = {
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
            assert (
                all_pages(staffed, "ada", f"chain=639a&{query}", limit)
                == [one for one in everything if fits(one)]
                != []
            )
    assert all_pages(staffed, "ada", f"chain=639a&since={BEGAN + 10**6}") == []


def test_the_houses_own_log_is_narrated_too(staffed: Staffed) -> None:
    entries = all_pages(staffed, "olga", "chain=house", limit=4)
    said = {one["seq"]: (one["kind"], one["actor"], one["second"], one["lines"][0]["text"]) for one in entries}
    assert said[7] == ("BuyIn", "boss", "", "ann buys in; after: $100,000.00")
    amended = next(one for one in said.values() if one[0] == "Amend")
    assert amended == (
        "Amend",
        "boss",
        "ada",
        "the ledger is corrected: a test; before: $1.00 in patron/ann; after: $1.00 in cage",
    )
    assert [one["actor"] for one in all_pages(staffed, "ada", "chain=house&kind=Dismiss")] == ["boss"]
    assert [one["kind"] for one in all_pages(staffed, "ada", "chain=house&actor=ada")] == ["Amend"]
    assert not any(word in str(said) for word in ("argon2", PASSWORD))


# Disputes.


def test_a_dispute_is_noted_settled_and_listed(staffed: Staffed) -> None:
    first = {"table": "639a", "round": 6, "text": "The patron says that the wager was $20."}
    staffed.act_ok("flo", "Note", **first)
    staffed.act_ok("flo", "Note", table="639a", round=7, text="The patron asks to see the tape.")  # the one under way
    listed = get_ok(staffed, "sue", "/api/disputes?table=639a&round=6")
    assert [(one["text"], one["outcome"], one["by"], one["is_open"]) for one in listed] == [
        (first["text"], "", "flo", True)
    ]
    staffed.act_ok("olga", "Note", **first | {"text": "The tape shows $10.", "outcome": "The payout stands."})
    listed = get_ok(staffed, "ada", "/api/disputes?table=639a&round=6")
    assert [(one["by"], one["outcome"], one["is_open"]) for one in listed] == [
        ("olga", "The payout stands.", False),
        ("flo", "", False),
    ]
    assert [one["round"] for one in get_ok(staffed, "ada", "/api/disputes?table=639a")] == [6, 7, 6]
    assert get_ok(staffed, "ada", "/api/disputes?table=683a") == []
    slips = get_ok(staffed, "sue", "/api/slips?kind=dispute")
    assert [(one["slip"], one["table"], one["round"], one["by"]) for one in slips] == [
        ("D-000003", "639a", 6, "olga"),
        ("D-000002", "639a", 7, "flo"),
        ("D-000001", "639a", 6, "flo"),
    ]
    assert listed[0]["slip"] == "D-000003"
    status, headers, paper = staffed.line("GET", "/api/slips/D-000003", authorization=f"Bearer {staffed.tokens['flo']}")
    assert (status, headers["content-type"]) == (200, "application/pdf")
    assert headers["content-disposition"] == 'attachment; filename="D-000003.pdf"'
    assert "The tape shows $10." in PdfReader(io.BytesIO(paper)).pages[0].extract_text()
    assert staffed.ask("flo", "GET", "/api/slips/D-000004")[0] == 404
    assert staffed.ask("dana", "GET", "/api/slips/D-000003")[0] == 403
    events = get_ok(staffed, "ada", "/api/events?limit=200")
    assert get_ok(staffed, "ada", "/api/events?limit=2&skip=1") == events[1:3], "older ones, page by page"
    mattered = [(one["what"], one["after"], one["actor"]) for one in events if "dispute" in one["what"]]
    assert mattered[0] == ("a dispute over round 6 of 639a: The tape shows $10.", "The payout stands.", "olga")
    assert len(mattered) == 3
    assert verify_over_http(staffed, "house") == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"table": "nowhere"}, "There is no table “nowhere”."),
        ({"table": "house"}, "There is no table “house”."),
        ({"round": 8}, "The table 639a has no round 8. Finished rounds: 6."),
        ({"round": 0}, "The table 639a has no round 0. Finished rounds: 6."),
        ({"table": "682a", "round": 7}, "The table 682a has no round 7. Finished rounds: 6."),  # it is closed
        ({"text": "  "}, "Write what the dispute is about."),
    ],
)
def test_refuses_a_note_about_an_unknown_round(staffed: Staffed, change: dict[str, Any], sentence: str) -> None:
    status, answer = staffed.act("flo", "Note", **{"table": "639a", "round": 1, "text": "x", **change})
    assert (status, answer["detail"]) == (409, sentence)
    assert staffed.act("flo", "Note", table="639a", round=1, text="x" * 501)[0] == 400


def verify_over_http(staffed: Staffed, chain: str) -> list[str]:
    place = {"since": 0, "checkpoint": 0}
    problems: list[str] = []
    while place:
        piece = get_ok(
            staffed, "ada", f"/api/chains/{chain}/verify?since={place['since']}&checkpoint={place['checkpoint']}"
        )
        place, problems = piece["next"], [*problems, *piece["problems"]]
    return problems


# The pit.


def test_the_pit_shows_every_open_table(staffed: Staffed) -> None:
    shown = get_ok(staffed, "dana", "/api/pit")
    tables = {one["table"]: one for one in shown["tables"]}
    assert list(tables) == ["639a", "683a", "left", "right"]  # 682a is closed
    one = tables["639a"]
    assert (one["game"], one["title"], one["automatic"], one["round"]) == (
        "caribbean-stud",
        "Caribbean Stud Poker",
        True,
        6,
    )
    assert one["due"] == {
        "text": "Ask seat 1 to decide (§ 639a.11(b)).",
        "clauses": ["639a.11(b)"],
        "parts": [
            {"kind": "text", "text": "Ask seat 1 to decide ("},
            {"kind": "clause", "text": "639a.11(b)"},
            {"kind": "text", "text": ")."},
        ],
    }
    assert (one["seats"], one["seated"], one["boxes"], one["money"]) == (
        7,
        1,
        1,
        1500,
    )  # the chip is in the inventory: 639a.8(b)
    assert one["deck"]["cite"] == "639a.3(c)(2)"  # from a shoe a deck is in use for 8 hours
    assert 0 <= one["deck"]["at"] - 8 * 3600 - BEGAN < 100
    duties = [(duty["text"], duty["clauses"]) for duty in one["duties"]]
    assert ("Change the deck now (§ 639a.3(c)(2)).", ["639a.3(c)(2)"]) in duties
    assert tables["683a"]["count"] == {"rounds": 0, "cite": "683a.8(e)"}  # the fifth round since the last count
    for name, table in tables.items():
        alone = get_ok(staffed, "flo", f"/api/pit/{name}")
        assert {**alone, "duties": []} == {**table, "duties": []}
        for sentence in (table["due"], *table["duties"]):
            assert all(rulebook().cite(cite) for cite in sentence["clauses"])
