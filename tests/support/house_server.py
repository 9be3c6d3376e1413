"""The shipped server in a separate process, and clients that play over WebSockets."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Self

from waiting import TIMEOUT, until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from pitboss.house.office.people import begin_session
from pitboss.house.storage.sqlite import Sqlite

PASSWORD = "play-money"  # noqa: S105 (of the demonstration)
TABLES = ("caribbean-stud", "four-card-prime", "cajun-stud")


def free_port() -> int:
    """Return a free loopback port outside the ephemeral range."""
    while True:
        port = SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class Server:
    """`pitboss serve` on a folder, started and stopped normally or killed."""

    def __init__(self, data: Path, *more: str, **environment: str) -> None:
        """Choose a port; start with `start`."""
        self.port, self.data, self._more = free_port(), data, more
        quick = {
            "PITBOSS_ORDERS_PER_SECOND": "100000",
            "PITBOSS_BETTING": "1",
            "PITBOSS_PAUSE": "0",
            "PITBOSS_REST": "0",
        }
        self._environment = {**os.environ, **quick, **environment}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start the server, and wait until it takes orders."""
        command = [sys.executable, "-m", "pitboss", "serve", "--data", str(self.data), "--port", str(self.port)]
        with (self.data.parent / "server.log").open("ab") as log:
            self._process = subprocess.Popen([*command, *self._more], stdout=log, stderr=log, env=self._environment)
        until(self._is_ready, "the server starts")
        return self

    def _is_ready(self) -> bool:
        assert self._process
        assert self._process.poll() is None, (self.data.parent / "server.log").read_text()[-2000:]
        try:
            return self.request("GET", "/ready")[0] == 200
        except (OSError, HTTPException):
            return False

    def kill(self) -> None:
        """Kill the server."""
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Stop the server normally; return its exit status."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(TIMEOUT)

    def request(self, method: str, path: str, body: object = None, token: str = "", **headers: str) -> tuple[int, Any]:
        """Send a request over HTTP; return status and body."""
        known = {name.replace("_", "-"): text for name, text in headers.items()}
        if token:
            known["authorization"] = f"Bearer {token}"
        if body is not None:
            known["content-type"] = "application/json"
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)) as line:
            line.request(method, path, None if body is None else json.dumps(body), known)
            answer = line.getresponse()
            content = answer.read()
        return answer.status, json.loads(content) if content else None

    def sign_in(self, name: str, password: str = PASSWORD) -> str:
        """Return the token of a new session."""
        status, who = self.request("POST", "/api/session", {"name": name, "password": password})
        assert status == 201, who
        return str(who["token"])

    def session(self, name: str) -> str:
        """Return the token of a session created in the SQLite database: checking a password is slow on purpose."""
        db = Sqlite(self.data / "house.db")
        try:
            with db.transaction():
                begun = begin_session(db, name, int(time.time()))
        finally:
            db.close()
        assert begun, name
        return begun[0]

    def act(self, token: str, key: str, **act: object) -> tuple[int, Any]:
        """Send an act."""
        return self.request("POST", "/api/acts", {"act": act}, token, Idempotency_Key=key)


def wagers_for(table: str, chance: Random) -> dict[str, int]:
    """Return valid wagers for a table of the demonstration."""
    made = {"ante": 500 * chance.randint(1, 4)}
    if table.startswith("caribbean-stud"):
        made |= {"progressive": chance.choice((100, 500))} if chance.random() < 0.5 else {}
    return made


class Player:
    """Plays at one table through a socket, and remembers its orders and replies."""

    def __init__(self, url: str, token: str, name: str, table: str, seat: int, seed: str) -> None:  # noqa: PLR0913, PLR0917 (who plays where)
        """Start without orders."""
        self.url, self.token, self.name, self.table, self.seat = url.replace("http", "ws"), token, name, table, seat
        self.chance = Random(seed)  # noqa: S311 (a test that can be repeated)
        self.asked: dict[str, dict[str, Any]] = {}
        self.answered: dict[str, dict[str, Any]] = {}
        self.seen: dict[str, Any] = {}
        self._open: str = ""
        self._number = 0

    def connected(self) -> connect:
        """Return a new connection."""
        return connect(f"{self.url}/api/live", additional_headers={"authorization": f"Bearer {self.token}"})

    async def play(self, until: Callable[[], bool]) -> None:
        """Play until it is enough; reconnect whenever the connection is lost, and repeat open orders."""
        while not until():
            try:
                async with self.connected() as line:
                    await line.send(json.dumps({"type": "watch", "table": self.table}))
                    if self._open:
                        await line.send(json.dumps(self.asked[self._open]))
                    await self._along(line, until)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                await asyncio.sleep(0.05)

    async def _along(self, line: ClientConnection, until: Callable[[], bool]) -> None:
        while not until():
            try:
                text = await asyncio.wait_for(line.recv(), 0.5)
            except TimeoutError:
                continue
            message = json.loads(text)
            if message["type"] == "table":
                self.seen = message
            elif message["type"] == "reply":
                self.answered[message["key"]] = message
                self._open = "" if message["key"] == self._open else self._open
            if not self._open and (command := self.next()):
                await self.ask(line, command)

    async def ask(self, line: ClientConnection, command: dict[str, Any]) -> None:
        """Send an order under a new key."""
        self._number += 1
        key = f"{self.name}-{self.table}-{self._number}"
        entered = {"light": True} if command["type"] == "Acknowledge" else {}
        self.asked[key] = {"type": "order", "key": key, "table": self.table, "command": command, "entered": entered}
        self._open = key
        await line.send(json.dumps(self.asked[key]))

    def next(self) -> dict[str, Any] | None:
        """Return what there is to do."""
        if not self.seen:
            return None
        view = self.seen["view"]
        if str(self.seat) not in view["seated"]:
            return {"type": "Sit", "seat": self.seat}
        if view["to_act"] == self.seat:
            return {
                "type": "Decide",
                "seat": self.seat,
                "multiple": self.chance.choice((0, 2 if "carib" in self.table else 1)),
            }
        mine = [box for box in view["boxes"] if box["seat"] == self.seat]
        if not view["called"] and not mine and view["due"] in {"shuffle", "cut", "call"}:
            return {"type": "Wager", "seat": self.seat, "wagers": wagers_for(self.table, self.chance)}
        return None


class Floor(Player):
    """A floorperson who validates and documents every claim."""

    def next(self) -> dict[str, Any] | None:
        """Return what there is to do."""
        view = self.seen["view"] if self.seen else {}
        if view and (view["claimed"] or view["void"]):
            return {"type": "Acknowledge"}
        if view and view["due"] == "clear" and view["house"]["undocumented"]:
            return {"type": "Document", "seat": view["house"]["undocumented"][0]}
        return None
