"""Data for the screens: the felt of a table, trial orders that change nothing, a settled round that stays in view."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from house_server import Server
from staffed_house import open_socket
from waiting import TIMEOUT
from websockets.asyncio.client import connect
from websockets.sync.client import ClientConnection

REST = 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all of these; a settled round lies on its tables for two seconds."""
    running = Server(tmp_path_factory.mktemp("screens") / "data", PITBOSS_REST=str(REST)).start()
    yield running
    assert running.stop() == 0


def _order(server: Server, token: str, table: str, **command: Any) -> Any:
    path, key = f"/api/tables/{table}/orders", f"k{time.monotonic_ns()}"
    status, answer = server.request("POST", path, {"command": command}, token, Idempotency_Key=key)
    assert status == 200, answer
    return answer


@pytest.mark.parametrize(
    ("table", "shapes", "cite"),
    [
        (
            "caribbean-stud",
            {
                "ante": "circle",
                "bet": "square",
                "bonus": "small",
                "progressive": "diamond",
                "five-card-hand-dealer": "diamond",
                "five-card-hand-player": "diamond",
            },
            "639a.2(b)(7)",
        ),
        (
            "four-card-prime",
            {"ante": "circle", "raise": "square", "prime": "small", "aces-bonus": "small", "all-six": "small"},
            "",
        ),
        (
            "cajun-stud",
            {
                "ante": "circle",
                "raise-1": "square",
                "raise-2": "square",
                "raise-3": "square",
                "pocket-bonus": "small",
                "board-bonus": "small",
                "lo-ball": "small",
                "all-six": "small",
            },
            "683a.2(b)(5)",
        ),
    ],
)
def test_the_felt_has_an_area_for_every_wager_and_the_notices(
    server: Server, table: str, shapes: dict[str, str], cite: str
) -> None:
    """§§ 639a.2(b), 682a.2(b), 683a.2(b): a marked area for each wager, odds, the ace-king notice, the payout limit."""
    status, felt = server.request("GET", f"/api/tables/{table}/layout")
    assert status == 200
    assert {spot["name"]: spot["shape"] for spot in felt["spots"]} == shapes
    assert [notice["cite"] for notice in felt["notices"]] == ([cite] if cite else [])
    panels = {panel["name"] for panel in felt["panels"]}
    assert all(spot["panel"] in panels and spot["limits"] for spot in felt["spots"])
    assert felt["play_money"] is True
    assert "1-800-GAMBLER" in felt["help_line"]


def test_a_trial_order_changes_nothing(server: Server) -> None:
    """A trial order gets the same answer as the order, with the clause, and changes neither table nor money."""
    token = server.session("cy")
    _order(server, token, "four-card-prime", type="Sit", seat=6)

    async def asked(*wagers: dict[int, dict[str, int]]) -> list[dict[str, Any]]:
        headers = {"authorization": f"Bearer {token}"}
        answers = []
        async with connect(f"{server.url.replace('http', 'ws')}/api/live", additional_headers=headers) as line:
            for number, made in enumerate(wagers):
                commands = [{"type": "Wager", "seat": seat, "wagers": chips} for seat, chips in made.items()]
                asks = {"type": "may", "key": f"m{number}", "table": "four-card-prime", "commands": commands}
                await line.send(json.dumps(asks))
                answers.append(json.loads(await asyncio.wait_for(line.recv(), TIMEOUT)))
        return answers

    before = server.request("GET", "/api/tables/four-card-prime", token=token)
    ante = {"ante": 500}
    questions = (
        {6: {**ante, "prime": 500}},
        {6: {"prime": 500}},
        {4: ante},
        {6: ante, 5: ante},
        {6: ante, 5: ante, 4: ante},
    )
    yes, no, apart, two, three = asyncio.run(asked(*questions))
    assert (yes["type"], yes["may"], yes["why"]) == ("may", True, "")
    assert (no["may"], no["of"], no["cite"]) == (False, 0, "682a.7(d)")
    assert "Ante wager is missing" in no["why"]
    assert (apart["may"], apart["cite"]) == (False, "682a.7(e)"), "a box that is not adjacent"
    assert two["may"], "two adjacent boxes, as the Submission allows"
    assert (three["may"], three["of"], three["cite"]) == (False, 2, "682a.7(e)"), "and a third"
    assert server.request("GET", "/api/tables/four-card-prime", token=token) == before
    assert server.request("GET", "/api/account", token=token)[1]["balance"] == 1_000_000
    _order(server, token, "four-card-prime", type="Stand", seat=6)


def test_a_settled_round_stays_on_the_table_for_a_while(server: Server) -> None:
    """The automatic dealer clears the cards (683a.11(j)) only after the rest, and then goes on by itself."""
    token = server.session("ann")
    with _watching_socket(server, token) as line:
        _order(server, token, "cajun-stud", type="Sit", seat=1)
        _order(server, token, "cajun-stud", type="Wager", seat=1, wagers={"ante": 500, "lo-ball": 100})
        _until(line, lambda view: view["to_act"] == 1)
        _order(server, token, "cajun-stud", type="Decide", seat=1, multiple=0)
        begun = time.monotonic()
        settled = _until(line, lambda view: view["due"] == "clear")
        assert {one["wager"] for one in settled["boxes"][0]["lines"]} == {"ante", "lo-ball"}
        _until(line, lambda view: view["round"] == 1 and not view["called"])
    assert time.monotonic() - begun > REST - 1  # the clock of the log counts whole seconds


def test_a_restart_clears_a_settled_round_that_was_left(tmp_path: Path) -> None:
    """Guarantee 9: killed between settlement and clearing, the table clears the round after all."""
    server = Server(tmp_path / "data", PITBOSS_REST=str(REST)).start()
    token = server.session("ann")
    with _watching_socket(server, token) as line:
        _order(server, token, "cajun-stud", type="Sit", seat=1)
        _order(server, token, "cajun-stud", type="Wager", seat=1, wagers={"ante": 500})
        _until(line, lambda view: view["to_act"] == 1)
        _order(server, token, "cajun-stud", type="Decide", seat=1, multiple=0)
        _until(line, lambda view: view["due"] == "clear")
        server.kill()
    server.start()
    with _watching_socket(server, token) as line:
        _until(line, lambda view: view["round"] == 1 and not view["called"])
    assert server.stop() == 0


def test_the_house_names_the_viewer_and_the_demo_people(server: Server) -> None:
    _, nobody = server.request("GET", "/api/house")
    _, ann = server.request("GET", "/api/house", token=server.session("ann"))
    assert nobody["who"] is None
    assert (ann["who"]["name"], ann["who"]["post"]) == ("ann", "patron")
    assert nobody["demonstration"]["people"]["flo"] == "floorperson"
    assert abs(nobody["time"] - time.time()) < 60


@contextmanager
def _watching_socket(server: Server, token: str) -> Iterator[ClientConnection]:
    """A socket that receives every change of a table."""
    with open_socket(server, authorization=f"Bearer {token}") as line:
        line.send(json.dumps({"type": "watch", "table": "cajun-stud"}))
        yield line


def _until(line: ClientConnection, so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        message = json.loads(line.recv(TIMEOUT))
        if message["type"] == "table" and so(message["view"]):
            return dict(message["view"])
