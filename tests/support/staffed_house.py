"""The shipped server with everybody signed in: requests over HTTP and sockets, and its database."""

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
from waiting import TIMEOUT
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pitboss.house.startup import DEMO_PEOPLE
from pitboss.house.storage.sqlite import Sqlite

Rows = list[tuple[Any, ...]]
"""The rows that a database returns."""
HOUSE = "house"
"""The house's own log."""
WRONG = "not-the-password"
"""A password that nobody has."""
LOCAL = "caribbean-stud"
"""A table of the demonstration; an order for a seat that it does not have is refused and changes nothing."""


class HttpLine:
    """One HTTP connection that stays open."""

    def __init__(self, server: Server) -> None:
        self._line, self._used = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT), time.monotonic()

    def __call__(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return status, headers and body."""
        named = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if time.monotonic() - self._used > 2:  # the server lets go of idle connections
            self._line.close()
        self._used = time.monotonic()
        self._line.request(method, path, None if body is None else json.dumps(body), named)
        answer = self._line.getresponse()
        return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


class Staffed:
    """A server with everybody signed in, and shorthands for requests."""

    def __init__(self, server: Server, *names: str) -> None:
        self.server, self.line, self._keys = server, HttpLine(server), count(1)
        self.tokens = {name: server.session(name) for name in names or DEMO_PEOPLE}

    def ask(self, who: str, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Send a request as a person or anonymously; return status and body."""
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

    def order_ok(
        self, who: str, table: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any
    ) -> Any:
        """Send an order that must be accepted."""
        status, answer = self.order(who, table, {"type": kind, **facts}, entered)
        assert status == 200, (who, kind, facts, answer)
        return answer

    def act(self, who: str, kind: str, /, **facts: Any) -> tuple[int, Any]:
        """Send an act."""
        return self.ask(who, "POST", "/api/acts", {"act": {"type": kind, **facts}})

    def act_ok(self, who: str, kind: str, /, **facts: Any) -> Any:
        """Send an act that must be accepted."""
        status, answer = self.act(who, kind, **facts)
        assert status == 200, (who, kind, facts, answer)
        return answer

    def hire(self, name: str, post: str, password: str) -> None:
        """Hire a person, with a second person's approval if needed, and sign the person in."""
        answer = self.act_ok("olga", "Hire", name=name, post=post, password=password)
        if "waiting" in answer:
            self.act_ok("ada", "Approve", id=answer["waiting"])
        self.tokens[name] = self.server.sign_in(name, password)

    def dealer_view(self, table: str) -> Any:
        """The table as a dealer sees it."""
        return self.ask("dana", "GET", f"/api/tables/{table}")[1]["view"]

    def socket(self, who: str) -> ClientConnection:
        """Open a WebSocket of a person."""
        return open_socket(self.server, authorization=f"Bearer {self.tokens[who]}")


def open_socket(server: Server, origin: Any = None, **headers: str) -> ClientConnection:
    """Open a WebSocket."""
    return connect(server.url.replace("http", "ws") + "/api/live", additional_headers=headers, origin=origin)


@contextmanager
def running_server(data: Path, **environment: str) -> Iterator[Server]:
    """Run the shipped server, and always stop it."""
    server = Server(data, **environment)
    try:
        yield server.start()
    finally:
        server.stop()


@contextmanager
def staffed_server(data: Path, *names: str, **environment: str) -> Iterator[Staffed]:
    """Run the shipped server with these people, or all of the demonstration, signed in."""
    with running_server(data, **environment) as server:
        house = Staffed(server, *names)
        yield house
        house.line.close()


def time_of_closing(line: ClientConnection) -> float:
    """Wait until the server closes a socket whose session is over; return the monotonic time."""
    with pytest.raises(ConnectionClosed) as closing:
        read_to_end(line)
    at = time.monotonic()
    assert closing.value.rcvd
    assert closing.value.rcvd.code == 4401
    return at


def read_to_end(line: ClientConnection) -> None:
    """Read until the connection closes."""
    while True:
        line.recv(TIMEOUT)


def query(server: Server, sql: str, *values: object) -> Rows:
    """Run a statement on the house's database; return its rows."""
    db = Sqlite(server.data / "house.db")
    try:
        return db.execute(sql, values)
    finally:
        db.close()


def disk_bytes(server: Server) -> bytes:
    """Every byte on the disk of the house."""
    return b"".join(file.read_bytes() for file in sorted(server.data.rglob("*")) if file.is_file())


def read_json(text: bytes) -> Any:
    """Decode an answer or an entry."""
    return json.loads(text)


def balance(server: Server, account: str) -> int:
    """The balance of an account, in micro-cents."""
    found = query(server, "SELECT balance FROM account WHERE name = ?", account)
    return int(found[0][0]) if found else 0


class Books:
    """Every row of the database except answers and sessions, read again each time."""

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
        """Close the database."""
        self._db.close()
