"""The shipped server with everybody signed in: what they ask of it, over HTTP and sockets, and what it has kept."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from house_server import Server
from waiting import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pitboss.house.startup import DEMO_PEOPLE
from pitboss.house.storage.sqlite import Sqlite

Rows = list[tuple[Any, ...]]
"""What a database answers."""
HOUSE = "house"
"""The log of what concerns all."""
WRONG = "not-the-password"
"""Nobody's password."""
LOCAL = "caribbean-stud"
"""A table of the demonstration, where a seat far off is asked for and refused: an order that changes nothing."""


class Line:
    """One connection that is kept: what is asked, and all that is answered."""

    def __init__(self, server: Server) -> None:
        self._line, self._used = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE), time.monotonic()

    def __call__(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask; return the status, the headers and what was answered."""
        named = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if time.monotonic() - self._used > 2:  # the server lets go of idle connections
            self._line.close()
        self._used = time.monotonic()
        self._line.request(method, path, None if body is None else json.dumps(body), named)
        answer = self._line.getresponse()
        return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()

    def close(self) -> None:
        """Hang up."""
        self._line.close()


class Staffed:
    """A server with everybody signed in, and shorthands for what they ask of it."""

    def __init__(self, server: Server, *names: str) -> None:
        self.server, self.line, self._keys = server, Line(server), count(1)
        self.tokens = {name: server.session(name) for name in names or DEMO_PEOPLE}

    def ask(self, who: str, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Ask as somebody, or as nobody; return the status and what was answered."""
        sent = {"idempotency-key": f"key-{next(self._keys)}", **headers}
        if who in self.tokens:
            sent["authorization"] = f"Bearer {self.tokens[who]}"
        status, _, text = self.line(method, path, body, **sent)
        return status, json.loads(text) if text else None

    def order(
        self, who: str, table: str, command: Mapping[str, Any], entered: Mapping[str, Any] | None = None
    ) -> tuple[int, Any]:
        """Send an order to a table."""
        return self.ask(who, "POST", f"/api/tables/{table}/orders", {"command": command, "entered": entered or {}})

    def did(self, who: str, table: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any) -> Any:
        """Send an order that is carried out."""
        status, answer = self.order(who, table, {"type": kind, **facts}, entered)
        assert status == 200, (who, kind, facts, answer)
        return answer

    def act(self, who: str, kind: str, /, **facts: Any) -> tuple[int, Any]:
        """Have the house do something."""
        return self.ask(who, "POST", "/api/acts", {"act": {"type": kind, **facts}})

    def acted(self, who: str, kind: str, /, **facts: Any) -> Any:
        """Have the house do something that is done."""
        status, answer = self.act(who, kind, **facts)
        assert status == 200, (who, kind, facts, answer)
        return answer

    def hired(self, name: str, post: str, password: str) -> None:
        """Hire somebody, with a second person where that needs one, and sign them in."""
        answer = self.acted("olga", "Hire", name=name, post=post, password=password)
        if "waiting" in answer:
            self.acted("ada", "Approve", id=answer["waiting"])
        self.tokens[name] = self.server.sign_in(name, password)

    def seen(self, table: str) -> Any:
        """The table as a dealer sees it."""
        return self.ask("dana", "GET", f"/api/tables/{table}")[1]["view"]

    def socket(self, who: str) -> ClientConnection:
        """A WebSocket of somebody's."""
        return live(self.server, authorization=f"Bearer {self.tokens[who]}")


def live(server: Server, origin: Any = None, **headers: str) -> ClientConnection:
    """A WebSocket."""
    return connect(server.url.replace("http", "ws") + "/api/live", additional_headers=headers, origin=origin)


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[Server]:
    """The shipped server, ended whatever happens."""
    server = Server(data, **environment)
    try:
        yield server.start()
    finally:
        server.stop()


@contextmanager
def staffing(data: Path, *names: str, **environment: str) -> Iterator[Staffed]:
    """The shipped server with these people signed in, or everybody of the demonstration."""
    with serving(data, **environment) as server:
        house = Staffed(server, *names)
        yield house
        house.line.close()


def closed(line: ClientConnection) -> float:
    """When a socket was closed because its session is over, by the monotonic clock."""
    with pytest.raises(ConnectionClosed) as closing:
        read_on(line)
    at = time.monotonic()
    assert closing.value.rcvd
    assert closing.value.rcvd.code == 4401
    return at


def read_on(line: ClientConnection) -> None:
    """Read until there is no more to come."""
    while True:
        line.recv(PATIENCE)


def rows(server: Server, sql: str, *values: object) -> Rows:
    """What is in the database, or is changed there."""
    db = Sqlite(server.data / "house.db")
    try:
        return db.execute(sql, values)
    finally:
        db.close()


def kept(server: Server) -> bytes:
    """Every byte on the disk of the house."""
    return b"".join(file.read_bytes() for file in sorted(server.data.rglob("*")) if file.is_file())


def said(text: bytes) -> Any:
    """What an answer or an entry says."""
    return json.loads(text)


def balance(server: Server, account: str) -> int:
    """What an account holds, in micro-cents."""
    found = rows(server, "SELECT balance FROM account WHERE name = ?", account)
    return int(found[0][0]) if found else 0


class Books:
    """Every row of the database but answers and sessions, read anew each time."""

    def __init__(self, server: Server) -> None:
        self._db = Sqlite(server.data / "house.db", read_only=True)
        named = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        self._names = [
            name
            for (name,) in named
            if name not in {"answered", "checkpoint", "session"} and not name.startswith("sqlite_")
        ]
        assert {"entry", "posting", "account", "meter", "approval", "round", "person"} <= set(self._names)

    def read(self) -> dict[str, Rows]:
        """Every row, by table."""
        return {name: self._db.execute(f"SELECT * FROM {name}") for name in self._names}

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()
