"""WebSockets: each receives only what its person may see, and only pages of this house may open one."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from house_server import Server
from waiting import TIMEOUT
from websockets.asyncio.client import ClientConnection, connect

from pitboss.submission import text_of

TABLE = "caribbean-stud"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("line") / "data").start()
    yield found
    found.stop()


def _line(server: Server, token: str) -> connect:
    headers = {"authorization": f"Bearer {token}"}
    return connect(f"{server.url.replace('http', 'ws')}/api/live", additional_headers=headers)


async def _send(line: ClientConnection, **message: object) -> None:
    await line.send(json.dumps(message))


async def _receive(line: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(line.recv(), TIMEOUT))
        if message["type"] == kind:
            return message


def test_a_new_player_does_not_receive_earlier_entries(server: Server) -> None:
    """A patron sees only own rounds over the socket, whatever entry number the request names."""
    ann, bob = server.session("ann"), server.session("bob")

    async def played() -> tuple[list[str], list[str]]:
        async with _line(server, ann) as first:
            for number, command in enumerate(
                (
                    {"type": "Sit", "seat": 3},
                    {"type": "Wager", "seat": 3, "wagers": {"ante": 1000}},
                    {"type": "Decide", "seat": 3, "multiple": 0},
                )
            ):
                await _send(first, type="order", key=f"first-{number}", table=TABLE, command=command)
                reply = await _receive(first, "reply")
                assert reply["accepted"], reply
            await _send(first, type="watch", table=TABLE, since=0)
            own = await _receive(first, "table")
            await _send(first, type="order", key="up", table=TABLE, command={"type": "Stand", "seat": 3})
            assert (await _receive(first, "reply"))["accepted"]
        async with _line(server, bob) as second:
            await _send(second, type="order", key="sit", table=TABLE, command={"type": "Sit", "seat": 3})
            assert (await _receive(second, "reply"))["accepted"]
            await _send(second, type="watch", table=TABLE, since=0)
            others = await _receive(second, "table")
        return _lines(own), _lines(others)

    own, others = asyncio.run(played())
    assert any("ann at 3: ante $10.00" in line for line in own)
    assert not any("ann" in line for line in others), others
    assert any("bob sits at 3" in line for line in others)


def _lines(message: dict[str, Any]) -> list[str]:
    return [line for one in message["happened"] for line in one["lines"]]


def test_refuses_a_foreign_host_name_that_resolves_here(server: Server) -> None:
    """A page under another host name that resolves to this machine can neither sign in nor open a socket."""
    who = {"name": "olga", "password": "play-money"}
    evil = f"evil.example:{server.port}"
    status, told = server.request("POST", "/api/session", who, Origin=f"http://{evil}", Host=evil)
    assert (status, told["detail"]) == (403, "The request comes from another site.")
    for own in (f"127.0.0.1:{server.port}", f"localhost:{server.port}"):
        assert server.request("POST", "/api/session", who, Origin=f"http://{own}", Host=own)[0] == 201


def test_accepts_only_the_configured_origin(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", PITBOSS_DEMO="false", PITBOSS_ORIGIN="https://house.example").start()
    try:
        who = {"name": "nobody", "password": "none"}
        own = f"127.0.0.1:{server.port}"
        assert server.request("POST", "/api/session", who, Origin=f"http://{own}", Host=own)[0] == 403
        assert server.request("POST", "/api/session", who, Origin="https://house.example", Host=own)[0] == 401
    finally:
        server.stop()


def test_staff_see_why_the_dealer_is_stuck(server: Server) -> None:
    """§ 639a.13(g): a shoe that failed before the call; the refused call is no entry, but the pit shows it."""
    text = text_of("caribbean-stud-standard").replace('dealing = "manual-shoe"', 'dealing = "automated-shoe"')
    olga, flo, ann, bob = (server.session(name) for name in ("olga", "flo", "ann", "bob"))
    opened = {"type": "OpenTable", "table": "shoe", "submission": text, "settings": {"betting": 1}}
    assert server.act(olga, "open", **opened)[0] == 200

    async def watched() -> list[str]:
        async with _line(server, flo) as line:
            await _send(line, type="watch", table="shoe")
            orders = (
                (ann, {"type": "Sit", "seat": 1}),
                (bob, {"type": "Sit", "seat": 2}),
                (flo, {"type": "Report", "kind": "malfunction", "device": "shoe"}),
                (flo, {"type": "Cover", "device": "shoe"}),
                (ann, {"type": "Wager", "seat": 1, "wagers": {"ante": 1000}}),
            )
            for number, (token, command) in enumerate(orders):
                path, body = "/api/tables/shoe/orders", {"command": command}
                status, answer = await asyncio.to_thread(
                    server.request, "POST", path, body, token, Idempotency_Key=f"shoe-{number}"
                )
                assert status == 200, answer
            while True:
                message = await _receive(line, "table")
                if any("is stuck" in duty for duty in message["duties"]):
                    return list(message["duties"])

    assert any("automated shoe has failed" in duty for duty in asyncio.run(watched()))
