"""Tables live, through the shipped server: windows and clocks, people who deal, reconnecting, restarting, fairness."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from house_server import Server
from staffed_house import query, read_json
from waiting import TIMEOUT, until
from websockets.asyncio.client import connect

from pitboss.cli import main
from pitboss.submission import text_of

TABLE = "caribbean-stud"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all of these."""
    running = Server(tmp_path_factory.mktemp("live") / "data", PITBOSS_BETTING="2").start()
    yield running
    assert running.stop() == 0


class Person:
    """Somebody signed in, who orders over HTTP."""

    def __init__(self, server: Server, name: str) -> None:
        self.server, self.token, self._keys = server, server.session(name), 0

    def order(self, table: str, entered: dict[str, Any] | None = None, **command: Any) -> dict[str, Any]:
        """Order something that must be accepted."""
        status, answer = self.tried(table, entered, **command)
        assert status == 200, answer
        return dict(answer)

    def tried(self, table: str, entered: dict[str, Any] | None = None, **command: Any) -> tuple[int, Any]:
        """Order something."""
        self._keys += 1
        body = {"command": command, "entered": entered or {}}
        key = f"{self.token[:8]}-{self._keys}"
        return self.server.request("POST", f"/api/tables/{table}/orders", body, self.token, Idempotency_Key=key)

    def sees(self, table: str) -> dict[str, Any]:
        """Return a table as they see it."""
        status, answer = self.server.request("GET", f"/api/tables/{table}", token=self.token)
        assert status == 200, answer
        return dict(answer["view"])

    def opens(self, table: str, submission: str, **settings: Any) -> None:
        """Open a table."""
        scanned = settings.pop("scanned", False)
        act = {"type": "OpenTable", "table": table, "submission": submission, "settings": settings, "scanned": scanned}
        status, answer = self.server.act(self.token, f"open-{table}", **act)
        assert status == 200, answer


def test_bets_close_when_the_window_ends(server: Server) -> None:
    """Two sit, one wagers: by the log, cards are dealt when the window of two seconds has passed, and not before."""
    ann, bob = Person(server, "ann"), Person(server, "bob")
    ann.order(TABLE, type="Sit", seat=1)
    bob.order(TABLE, type="Sit", seat=2)
    ann.order(TABLE, type="Wager", seat=1, wagers={"ante": 1000})
    until(lambda: ann.sees(TABLE)["called"], "the bets are closed")
    assert ann.sees(TABLE)["to_act"] == 1
    written = [
        read_json(body) for (body,) in query(server, "SELECT body FROM entry WHERE chain = ? ORDER BY seq", TABLE)
    ]
    (wagered,) = (entry["given"]["time"] for entry in written if entry["command"]["type"] == "Wager")
    (called,) = (entry["given"]["time"] for entry in written if "Called" in {one["type"] for one in entry["events"]})
    assert called >= wagered + 2
    assert bob.tried(TABLE, type="Wager", seat=2, wagers={"ante": 1000}) == (
        409,
        {
            "status_code": 409,
            "detail": "No more bets: you cannot place, increase or withdraw a wager now.",
            "extra": {"cite": "639a.7(c)"},
        },
    )
    ann.order(TABLE, type="Decide", seat=1, multiple=0)
    bob.order(TABLE, type="Stand", seat=2)
    ann.order(TABLE, type="Stand", seat=1)


def test_a_late_player_is_folded(server: Server) -> None:
    """A Submission with a decision timeout of one second: the clock folds, as house policy, and says so."""
    timed = text_of("four-card-prime-standard").replace("# decision_timeout = 60", "decision_timeout = 1")
    assert "\ndecision_timeout = 1" in timed
    Person(server, "olga").opens("timed", timed)
    ann = Person(server, "ann")
    ann.order("timed", type="Sit", seat=1)
    ann.order("timed", type="Wager", seat=1, wagers={"ante": 1000})
    until(lambda: ann.sees("timed")["round"] == 1, "the clock folds")
    status, history = server.request("GET", "/api/history", token=ann.token)
    assert status == 200
    assert [row["net"] for row in history if row["table"] == "timed"] == [-1000]


def test_a_human_dealer_is_prompted_step_by_step(server: Server) -> None:
    """A table without an automatic dealer: nothing moves by itself, and every step names its clause."""
    Person(server, "olga").opens("by-hand", text_of("cajun-stud-rack-card"), automatic=False)
    dana, flo, ann = Person(server, "dana"), Person(server, "flo"), Person(server, "ann")
    prompts: list[str] = []
    ann.order("by-hand", type="Sit", seat=1)

    async def along() -> None:
        headers = {"authorization": f"Bearer {dana.token}"}
        async with connect(f"{server.url.replace('http', 'ws')}/api/live", additional_headers=headers) as line:
            await line.send(json.dumps({"type": "watch", "table": "by-hand"}))
            while True:
                message = json.loads(await asyncio.wait_for(line.recv(), TIMEOUT))
                if message["type"] != "table":
                    continue
                view = message["view"]
                if view["round"] or len(prompts) > 60:
                    return
                prompts.append(message["prompt"])
                await asyncio.to_thread(_perform_due_step, view, dana, flo, ann)

    asyncio.run(along())
    assert prompts[0] == "Receive the decks (§ 683a.4(a))."
    assert any("Confirm the inspection" in prompt for prompt in prompts)
    assert any("“No more bets” (§ 683a" in prompt for prompt in prompts)
    assert any("Ask seat 1 to decide (§ 683a.11(d))" in prompt for prompt in prompts)
    assert ann.sees("by-hand")["round"] == 1


def _perform_due_step(view: dict[str, Any], dana: Person, flo: Person, ann: Person) -> None:
    """Perform the step that is due, as dealer, floorperson or player."""
    if view["to_act"]:
        ann.order("by-hand", type="Decide", seat=1, multiple=1)
    elif view["due"] == "call" and not view["boxes"]:
        ann.order("by-hand", type="Wager", seat=1, wagers={"ante": 500})
    elif view["due"] == "verify":
        flo.order("by-hand", type="Perform")
    else:
        entered = {"count": {"counted": view["shoe"]}, "chips": {"counted": 0}}.get(view["due"], {})
        dana.order("by-hand", entered, type="Perform")


def test_scanned_cards_are_named_when_turned(server: Server) -> None:
    """Nobody knows the order; a face-down card is named nowhere until it is turned, and a card cannot come twice."""
    Person(server, "olga").opens("scanned", text_of("cajun-stud-rack-card"), automatic=False, scanned=True)
    dana, flo, ann = Person(server, "dana"), Person(server, "flo"), Person(server, "ann")
    ann.order("scanned", type="Sit", seat=1)
    shown = iter(("Ah", "Ah", "Kh", "Qh"))
    for _ in range(80):
        view = dana.sees("scanned")
        if view["round"]:
            break
        if view["due"] == "call" and not view["boxes"]:
            ann.order("scanned", type="Wager", seat=1, wagers={"ante": 500})
        elif view["to_act"]:
            assert ann.sees("scanned")["boxes"][0]["cards"] == [
                None,
                None,
            ]  # the server does not know them
            ann.order("scanned", type="Decide", seat=1, multiple=1)
        elif view["due"] == "turn":
            status, answer = dana.tried("scanned", {"cards": [next(shown)]}, type="Perform")
            assert status in {200, 409}, answer
        elif view["due"] == "settle":
            dana.order("scanned", {"cards": ["Jh", "Th"]}, type="Perform")
        else:
            entered = {"count": {"counted": view["shoe"]}, "shuffle": {"counted": 52}}.get(view["due"], {})
            (flo if view["due"] == "verify" else dana).order("scanned", entered, type="Perform")
    assert next(shown, None) is None  # the ace came twice, and once it was refused
    assert ann.sees("scanned")["round"] == 1


async def _first_message(server: Server, person: Person, since: int | None, table: str = TABLE) -> dict[str, Any]:
    """Return the first message about a table to somebody who comes back."""
    headers = {"authorization": f"Bearer {person.token}"}
    async with connect(f"{server.url.replace('http', 'ws')}/api/live", additional_headers=headers) as line:
        await line.send(json.dumps({"type": "watch", "table": table, "since": since}))
        while (message := json.loads(await asyncio.wait_for(line.recv(), TIMEOUT)))["type"] != "table":
            pass
        return dict(message)


def test_a_reconnected_viewer_catches_up(server: Server) -> None:
    """With `since`, a viewer receives every entry after it, as this viewer may read it, and the current table."""
    ann = Person(server, "ann")

    ann.order("cajun-stud", type="Sit", seat=3)
    before = asyncio.run(_first_message(server, ann, None, "cajun-stud"))
    assert before["happened"] == []
    seq = ann.order("cajun-stud", type="Wager", seat=3, wagers={"ante": 500})["seq"]
    after = asyncio.run(_first_message(server, ann, before["seq"], "cajun-stud"))
    assert after["seq"] == seq
    assert [one["seq"] for one in after["happened"]] == sorted({one["seq"] for one in after["happened"]})
    assert after["happened"][0]["seq"] == before["seq"] + 1
    text = str(after["happened"])
    own = after["view"]["boxes"][0]["cards"]
    assert all(card in text for card in own)
    assert "board ▒▒" in text
    ann.order("cajun-stud", type="Decide", seat=3, multiple=0)


def test_meter_changes_are_sent_within_a_second(server: Server, tell: Callable[[str], None]) -> None:
    ann = Person(server, "ann")

    async def measured() -> float:
        async with connect(f"{server.url.replace('http', 'ws')}/api/live") as line:
            await line.send(json.dumps({"type": "watch", "table": TABLE}))
            first = None
            while first is None:
                message = json.loads(await asyncio.wait_for(line.recv(), TIMEOUT))
                first = message["meters"] if message["type"] == "meters" else None
            await asyncio.to_thread(ann.order, TABLE, type="Sit", seat=1)
            begun = time.monotonic()
            await asyncio.to_thread(ann.order, TABLE, type="Wager", seat=1, wagers={"ante": 500, "progressive": 100})
            while True:
                message = json.loads(await asyncio.wait_for(line.recv(), TIMEOUT))
                if message["type"] == "meters":
                    # 53 % of $1.00 (639a.12(d)(4), paytable A)
                    assert message["meters"]["progressive/main@100"] - first["progressive/main@100"] == 53
                    return time.monotonic() - begun

    took = asyncio.run(measured())
    tell(f"the meter's display was {took * 1000:.0f} ms old")
    ann.order(TABLE, type="Decide", seat=1, multiple=0)


def test_a_viewer_can_open_only_the_cards_shown(server: Server, tmp_path: Path) -> None:
    """The commitment of the deck in use, opened for a player during the round, is what `verify-shuffle` accepts."""
    bob = Person(server, "bob")
    bob.order("four-card-prime", type="Sit", seat=1)
    bob.order("four-card-prime", type="Wager", seat=1, wagers={"ante": 500})
    view = bob.sees("four-card-prime")
    mine = set(view["boxes"][0]["cards"])
    _, his = server.request("GET", "/api/tables/four-card-prime/openings", token=bob.token)
    _, everybodys = server.request("GET", "/api/tables/four-card-prime/openings")
    assert {one["card"] for one in his["openings"]} == mine
    assert everybodys == {"root": view["root"], "openings": []}
    file = tmp_path / "openings.json"
    file.write_text(json.dumps(his))
    assert main(["verify-shuffle", str(file)]) == 0
    his["openings"][0]["card"] = next(iter(mine - {his["openings"][0]["card"]}))
    file.write_text(json.dumps(his))
    assert main(["verify-shuffle", str(file)]) == 1
    bob.order("four-card-prime", type="Decide", seat=1, multiple=0)


def test_only_the_player_to_act_gets_advice(server: Server) -> None:
    """A pair of aces or anything: the exact value of a fold is the lost Ante, and others get no advice."""
    ann, bob = Person(server, "ann"), Person(server, "bob")
    ann.order(TABLE, type="Wager", seat=1, wagers={"ante": 500})
    status, found = server.request("GET", f"/api/tables/{TABLE}/advice", token=ann.token)
    assert status == 200, found
    assert [(one["multiple"], one["worth"]) for one in found if not one["multiple"]] == [(0, "-1")]
    assert {one["multiple"] for one in found} == {0, 2}
    assert server.request("GET", f"/api/tables/{TABLE}/advice", token=bob.token)[0] == 409
    ann.order(TABLE, type="Decide", seat=1, multiple=0)


def test_refuses_a_suspended_wager(server: Server) -> None:
    ann, flo = Person(server, "ann"), Person(server, "flo")
    act = {"type": "Suspend", "table": TABLE, "offer": "progressive", "reason": "no connection to the meters"}
    status, lacking = server.act(flo.token, "no-reason", **act | {"reason": " "})
    assert (status, lacking["detail"]) == (409, "Give a reason for suspending the wager.")
    assert server.act(flo.token, "suspend", **act)[0] == 200
    status, refused = ann.tried(TABLE, type="Wager", seat=1, wagers={"ante": 500, "progressive": 100})
    assert (status, refused["extra"]["cite"]) == (
        409,
        "house rule: a table that lost its link does not take that wager",
    )
    assert server.act(flo.token, "resume", type="Resume", table=TABLE, offer="progressive")[0] == 200
    ann.order(TABLE, type="Wager", seat=1, wagers={"ante": 500, "progressive": 100})
    ann.order(TABLE, type="Decide", seat=1, multiple=0)


def test_a_restart_resumes_in_the_middle_of_a_round(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    ann = Person(server, "ann")
    ann.order(TABLE, type="Sit", seat=1)
    ann.order(TABLE, type="Wager", seat=1, wagers={"ante": 1000})
    before = ann.sees(TABLE)
    assert before["to_act"] == 1
    assert server.stop() == 0
    server.start()
    told = asyncio.run(_first_message(server, ann, 4))  # entries from before the restart are sent again
    assert told["happened"][0]["seq"] == 5
    assert "ann at 1: ante $10.00" in told["happened"][0]["lines"][0]
    assert ann.sees(TABLE) == before
    ann.order(TABLE, type="Decide", seat=1, multiple=2)
    assert ann.sees(TABLE)["round"] == 1
    assert server.stop() == 0


def test_a_finished_round_is_found_by_its_players_and_auditors(server: Server) -> None:
    """A patron reads his own rounds with his own cards, an auditor every card, another patron nothing."""
    cy, bob, ada = Person(server, "cy"), Person(server, "bob"), Person(server, "ada")
    cy.order("cajun-stud", type="Sit", seat=5)
    seated = len(cy.sees("cajun-stud")["seated"])
    cy.order("cajun-stud", type="Wager", seat=5, wagers={"ante": 500})
    until(lambda: cy.sees("cajun-stud")["to_act"] == 5, "box 5 is asked")
    own = next(box["cards"] for box in cy.sees("cajun-stud")["boxes"] if box["seat"] == 5)
    cy.order("cajun-stud", type="Decide", seat=5, multiple=0)
    status, found = server.request("GET", "/api/rounds?table=cajun-stud&limit=1", token=cy.token)
    assert (status, found[0]["patrons"], found[0]["wagered"]) == (200, ["cy"], 500), seated
    path = f"/api/rounds/cajun-stud/{found[0]['number']}"
    _, his = server.request("GET", path, token=cy.token)
    _, all_of_it = server.request("GET", path, token=ada.token)
    assert all(any(card in line for line in his["lines"]) for card in own)
    assert any("▒▒" in line for line in his["lines"])
    assert not any("▒▒" in line for line in all_of_it["lines"])
    assert server.request("GET", path, token=bob.token)[0] == 403
    assert server.request("GET", "/api/rounds?patron=cy", token=bob.token)[0] == 403
    assert server.request("GET", "/api/rounds/cajun-stud/9999", token=ada.token)[0] == 404
    status, mattered = server.request("GET", "/api/events", token=ada.token)
    assert status == 200
    assert "the server started" in {event["what"] for event in mattered}


def test_the_server_describes_itself(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/house").json()["money"].startswith("Play money")
    assert "Caribbean Stud Poker" in {table["title"] for table in httpx.get(f"{server.url}/api/tables").json()}
    page = httpx.get(server.url)
    assert "script-src" not in page.headers["content-security-policy"]  # default-src covers scripts
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert httpx.get(f"{server.url}/health").json() == {"status": "runs"}
    assert httpx.get(f"{server.url}/ready").status_code == 200
    assert "pitboss_rounds_total" in httpx.get(f"{server.url}/metrics").text
