"""Malformed input: requests made from the OpenAPI description, raw bytes, and a fuzzer of the WebSocket.

No server error, no effect on the ledger, and the server goes on.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests
import schemathesis
from house_server import Server
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pitboss.house.driver import Sqlite
from pitboss.house.opening import DEMO_PEOPLE

Headers = dict[str, str]
MANY, SOME = 40, 5
"""Examples of each operation that changes something, and of each other, for each kind of data; each goes to every post."""
MESSAGES = 6_000
"""Of the WebSocket fuzzer."""
TABLE = "caribbean-stud"
QUIET = ("nobody", "sue", "ada")
"""Of whom nothing at all is carried out here: no seat, no cash, and no account is corrected by chance."""
WHO = (*QUIET, "ann", "dana", "flo", "olga")


class Books:
    """What the house has written down, read anew each time."""

    def __init__(self, server: Server) -> None:
        self._db = Sqlite(server.data / "house.db", read_only=True)
        named = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        self._names = [
            name for (name,) in named if name not in {"answered", "checkpoint", "session"} and name[:7] != "sqlite_"
        ]

    def all(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row but answers and sessions."""
        return {name: self._db.execute(f"SELECT * FROM {name}") for name in self._names}

    def heads(self) -> list[Any]:
        """What no refused request changes: where the logs end, what accounts hold, who is known."""
        tables = ("chain", "account", "meter", "approval", "person")
        return [
            *(self._db.execute(f"SELECT * FROM {name}") for name in tables),
            self.count("entry"),
            self.count("posting"),
        ]

    def count(self, name: str) -> int:
        return int(self._db.execute(f"SELECT COUNT(*) FROM {name}")[0][0])

    def check(self) -> None:
        """The books balance: to nothing, with their postings, and no patron owes."""
        balances = dict[str, int](self._db.execute("SELECT name, balance FROM account"))
        posted = dict[str, int](self._db.execute("SELECT account, SUM(amount) FROM posting GROUP BY account"))
        assert sum(balances.values()) == 0
        assert {name: amount for name, amount in balances.items() if amount} == {
            name: amount for name, amount in posted.items() if amount
        }
        assert [name for name, amount in balances.items() if name.startswith("patron/") and amount < 0] == []

    def close(self) -> None:
        self._db.close()


class House:
    """A server, its books, and everybody's token."""

    def __init__(self, server: Server) -> None:
        self.server, self.books, self._keys = server, Books(server), count(1)
        self.tokens = {name: server.sign_in(name) for name in DEMO_PEOPLE}

    def headers(self, who: str) -> Headers:
        return {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def failures(self) -> list[str]:
        """What the server has logged as its own fault; text that is none is logged as an error and is the client's."""
        lines = (self.server.data.parent / "server.log").read_text("utf-8").splitlines()
        faults = ('"level":"error"', '"level":"critical"', "Traceback")
        wrong = [line for line in lines if any(fault in line for fault in faults)]
        return [line for line in wrong if "Invalid UTF-8 sequence received from client" not in line]

    def socket(self, who: str) -> ClientConnection:
        url = self.server.url.replace("http", "ws") + "/api/live"
        return connect(url, additional_headers=self.headers(who), max_queue=None)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all of this: it has to bear all of it."""
    server = Server(tmp_path_factory.mktemp("malformed") / "data")
    try:
        house = House(server.start())
        yield house
        house.books.close()
    finally:
        server.stop()


@pytest.fixture
def sound(house: House) -> Iterator[House]:
    """The server before and after: it answers, its books balance, and it has logged no fault of its own."""
    yield house
    assert house.failures() == []
    assert house.server.request("GET", "/ready")[0] == 200
    with house.socket("ann") as line:
        line.send('{"type":"ping"}')
        assert json.loads(line.recv(5))["type"] == "pong"
    house.books.check()


# Requests made from the description.


def described(server: Server, *, closely: bool) -> Any:
    """The operations as they are described; closely: without fields that are none, at tables and for people there are."""
    with requests.get(f"{server.url}/schema/openapi.json", timeout=10) as answer:
        raw = answer.json()
    if closely:
        for schema in raw["components"]["schemas"].values():
            if "properties" in schema:
                schema["additionalProperties"] = False
                for name, values in {"patron": ["ann", "bob", "x"], "table": [TABLE, "cajun-stud", "x"]}.items():
                    if name in schema["properties"] and schema["title"] != "CloseTable":
                        schema["properties"][name] = {"enum": values}
    return schemathesis.openapi.from_dict(raw)


def cases(strategy: Any, examples: int, check: Callable[[Any], None]) -> None:
    """Have so many cases checked, the same every time."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=strategy)
    def each(case: Any) -> None:
        check(case)

    each()


def strategies(schema: Any) -> Iterator[tuple[str, Any, int]]:
    """Every operation, with data as it should be and as it should not."""
    for found in schema.get_all_operations():
        operation = found.ok()
        changes = operation.method in {"POST", "post"} and operation.path.endswith(("/orders", "/acts", "/session"))
        for mode in GenerationMode:
            if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.headers):
                continue  # every text is a name of a table
            more = {"path_parameters": {"table": TABLE}} if changes and "{table}" in operation.path else {}
            yield operation.label, operation.as_strategy(generation_mode=mode, **more), MANY if changes else SOME


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_request_makes_the_server_fail_and_none_that_is_refused_changes_anything(
    sound: House, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, statuses, seen = time.monotonic(), Counter[int](), Counter[str]()
    books, moved = sound.books, Counter[str]()
    with requests.Session() as line:

        def check(case: Any, label: str, *, new_keys: bool) -> None:
            for who in WHO if "session" not in label else QUIET[:1]:
                before = books.heads()
                headers = sound.headers(who)
                if new_keys and case.headers.get("Idempotency-Key"):
                    headers["Idempotency-Key"] = sound.key()
                answer = case.call(base_url=sound.server.url, headers=headers, session=line, timeout=120)
                statuses[answer.status_code] += 1
                seen[label] += 1
                assert answer.status_code < 500, (who, case.as_curl_command(), answer.text)
                after = books.heads()
                if answer.status_code >= 400 or who in QUIET or case.method == "GET":
                    assert after == before, (who, case.as_curl_command(), answer.text)
                elif after != before:
                    moved[f"{who}: {case.body['act' if 'acts' in label else 'command']['type']}"] += 1

        for closely in (False, True):
            for label, strategy, examples in strategies(described(sound.server, closely=closely)):
                cases(strategy, examples, partial(check, label=label, new_keys=closely))
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{sum(statuses.values())} requests to {len(seen)} operations, 0 server errors: "
            f"{dict(sorted(statuses.items()))}; carried out: {dict(moved)}, {time.monotonic() - begun:.0f} s"
        )
    assert len(seen) >= 15
    assert statuses[400] > 500  # what cannot be read
    assert statuses[409] > 200  # what can be read and not be done
    assert moved  # and what can


# Raw requests.

DEEP = "[" * 20_000
SIT = '{"command":{"type":"Sit","seat":999999},"entered":{"cards":["Ah"],"depth":3}}'
ACT = '{"act":{"type":"Amend","giver":"house","taker":"nowhere","amount":12,"reason":"x"}}'
NAME = '{"name":"mallory","password":"not-the-password"}'
PATHS = {f"/api/tables/{TABLE}/orders": SIT, "/api/acts": ACT, "/api/session": NAME}
ODD = (
    "",
    "null",
    "true",
    "[]",
    "{}",
    '""',
    "0",
    "-0",
    "1e999",
    "NaN",
    "Infinity",
    DEEP,
    '{"command":' * 5_000,
    '{"a":' * 9_000 + "1" + "}" * 9_000,
    '{"command":{"type":"Report","kind":"\\ud800"}}',
    '{"command":{"type":"Report","kind":"\\u0000"}}',
    '{"command":{"type":"Wager","seat":1,"wagers":{"ante":1e3}}}',
    '{"command":{"type":"Wager","seat":1,"wagers":{"ante":' + "9" * 4_000 + "}}}",
    '{"command":{"type":"Wager","seat":1,"wagers":{"ante":-1,"ante":2}}}',
    '{"command":{"type":"Wager","seat":1,"wagers":' + json.dumps({f"w{n}": n for n in range(2_000)}) + "}}",
    '{"command":{"type":"Sit","seat":true}}',
    '{"command":{"type":"Sit","seat":"1"}}',
    '{"command":{"type":"Sit","seat":null}}',
    '{"command":{"type":"Sit"}}',
    '{"command":{"type":"sit","seat":1}}',
    '{"command":{"type":["Sit"],"seat":1}}',
    '{"command":{"type":"Correct","card":"Zz","number":0}}',
    '{"command":{"type":"Correct","card":7,"number":0}}',
    '{"command":{"type":"ChangeDealing","dealing":"by hand"}}',
    '{"command":{"type":"Perform"},"entered":{"cards":["Ah",1]}}',
    '{"command":{"type":"Perform"},"entered":{"depth":1e400}}',
    '{"command":{"type":"Perform"},"given":{"role":"floorperson"}}',
    '{"act":{"type":"BuyIn","patron":"ann\\u0000","amount":100}}',
    '{"act":{"type":"BuyIn","patron":"ann","amount":' + "9" * 400 + "}}",
    '{"act":{"type":"BuyIn","patron":"ann","amount":-100}}',
    '{"act":{"type":"OpenTable","table":"../x","submission":"game = "}}',
    '{"act":{"type":"OpenTable","table":"y","submission":"[[[[[[[["}}',
    '{"act":{"type":"OpenTable","table":"z","submission":' + json.dumps("a." * 8_000 + "a = 1") + "}}",
    '{"act":{"type":"OpenTable","table":"z","submission":' + json.dumps("a = " + "[" * 9_000) + "}}",
    '{"name":"ann\'; DROP TABLE person; --","password":"x"}',
    '{"name":"\\u0000","password":"\\u0000"}',
    '{"name":"' + "a" * 50 + '","password":"x"}',
)


def mutated(text: str, chance: Random) -> bytes:
    """A text with a few bytes changed, left out, doubled or cut off."""
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.randint(1, 5)]
            case 2:
                data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 5)))
            case 3:
                data[place:place] = data[place : place + 20]
            case 4:
                del data[place:]
            case _:
                data[place : place + 1] = chance.choice(
                    (b"{", b"}", b"[", b'"', b",", b":", b"-", b"null", b"\\", b"1e9")
                )
    return bytes(data)


def test_raw_bytes_make_no_request_fail(sound: House, capsys: pytest.CaptureFixture[str]) -> None:
    chance, statuses = Random("raw bytes"), Counter[int]()  # noqa: S311 (a test that can be repeated)
    before = sound.books.all()
    bodies = [(path, text.encode()) for path in PATHS for text in ODD]
    bodies += [(path, mutated(text, chance)) for path, text in PATHS.items() for _ in range(400)]
    bodies += [(path, chance.randbytes(chance.randint(0, 300))) for path in PATHS for _ in range(50)]
    bodies += [(path, b"x" * 70_000) for path in PATHS]
    for number, (path, body) in enumerate(bodies):
        kind = chance.choice(
            ("application/json",) * 8 + ("text/plain", "application/msgpack", "multipart/form-data", "", "x")
        )
        headers = {"content-type": kind, "idempotency-key": f"raw-{number}", **sound.headers(chance.choice(QUIET))}
        statuses[_asked(sound.server, "POST", path, body, headers)] += 1
    fine = {"content-type": "application/json", "idempotency-key": "k", **sound.headers("sue")}
    for name, values in {
        "origin": ("http://[", "http://", "://", "\xff", "a" * 5_000),
        "authorization": ("Bearer", "Bearer ", "Bearer \xff", "Basic x", "Bearer " + "a" * 5_000, "bearer x"),
        "cookie": ("pitboss", "pitboss=", "pitboss=\xff", "=;=;", "pitboss=" + "a" * 5_000, 'pitboss="'),
        "idempotency-key": ("", " ", "a b", "\xff", "a" * 81, "a" * 5_000),
        "content-type": ("application/json; charset=utf-16", "application/json; charset=x", ";", "multipart/form-data"),
        "content-length": ("-1", "x", "99999999999"),
        "transfer-encoding": ("gzip", "chunked, chunked"),
        "x-csrf-token": ("\xff",),
    }.items():
        for value in values:
            statuses[
                _asked(sound.server, "POST", f"/api/tables/{TABLE}/orders", SIT.encode(), {**fine, name: value})
            ] += 1
    for path in (
        "/api/tables/%00",
        "/api/tables/%ff",
        "/api/tables/..%2f..",
        "/api/tables/" + "a" * 5_000,
        "//",
        "/%",
        "/api/tables/%F0%9F%82%A1/sign",
    ):
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "X"):
            statuses[_asked(sound.server, method, path, b"", fine)] += 1
    for limit in ("0", "201", "x", "1e3", "", "9" * 500, "-1"):
        statuses[_asked(sound.server, "GET", f"/api/history?limit={limit}", b"", fine)] += 1
    with capsys.disabled():
        print(f"\n{sum(statuses.values())} raw requests: {dict(sorted(statuses.items()))}")  # noqa: T201
    assert {status for status in statuses if status >= 500 or 200 <= status < 300} <= {200, 204}
    assert sound.books.all() == before


def _asked(server: Server, method: str, path: str, body: bytes, headers: Headers) -> int:
    """The status of one request as it is; 0 where the connection was closed instead."""
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=5)) as line:
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            line.putheader(name, value.encode("latin-1"))
        try:
            line.endheaders(body)
            return line.getresponse().status
        except (ConnectionError, TimeoutError):
            return 0


NUL = "\x00"
WITH_NUL: tuple[tuple[str, str, object], ...] = (
    ("GET", "/api/tables/%00", None),
    ("GET", "/api/tables/%00/advice", None),
    ("GET", "/api/rounds?table=%00", None),
    ("GET", "/api/rounds?patron=%00", None),
    ("GET", "/api/rounds/%00/1", None),
    ("POST", "/api/session", {"name": NUL, "password": "x"}),
    ("POST", f"/api/tables/{TABLE}/orders", {"command": {"type": "Cover", "device": NUL}}),
    ("POST", f"/api/tables/{TABLE}/orders", {"command": {"type": "Wager", "seat": 1, "wagers": {NUL: 1}}}),
    ("POST", "/api/acts", {"act": {"type": "BuyIn", "patron": NUL, "amount": 100}}),
    ("POST", "/api/acts", {"act": {"type": "Amend", "giver": NUL, "taker": "house", "amount": 1, "reason": "x"}}),
    ("POST", "/api/acts", {"act": {"type": "Approve", "id": NUL}}),
    ("POST", "/api/acts", {"act": {"type": "Dismiss", "name": NUL}}),
    ("POST", "/api/acts", {"act": {"type": "Fill", "table": NUL, "amount": 100}}),
    ("POST", "/api/acts", {"act": {"type": "OpenTable", "table": NUL, "submission": NUL}}),
)


def test_a_letter_that_postgresql_cannot_keep_does_not_halt_the_house(tmp_path: Path, postgres_url: str) -> None:
    """NUL: the client's mistake, not the database's failure."""
    server = Server(tmp_path / "data", PITBOSS_DATABASE=postgres_url)
    try:
        token = server.start().sign_in("olga")
        for number, (method, path, body) in enumerate(WITH_NUL):
            status, _ = server.request(method, path, body, token, Idempotency_Key=f"nul-{number}")
            assert status in {400, 404}, (method, path, body, status)
        url = server.url.replace("http", "ws") + "/api/live"
        with connect(url, additional_headers={"authorization": f"Bearer {token}"}) as line:
            for message in (
                {"type": "order", "key": "k", "table": NUL, "command": {"type": "Tick"}},
                {"type": "order", "key": NUL, "table": TABLE, "command": {"type": "Tick"}},
                {"type": "watch", "table": NUL},
            ):
                line.send(json.dumps(message))
                assert json.loads(line.recv(5))["type"] == "error"
        assert server.request("GET", "/ready")[0] == 200
        log = (tmp_path / "server.log").read_text("utf-8")
        assert '"level":"error"' not in log
        assert '"level":"critical"' not in log
    finally:
        server.stop()


# The WebSocket.

COMMANDS: tuple[dict[str, Any], ...] = (
    {"type": "Sit", "seat": 999999},
    {"type": "Stand", "seat": 999999},
    {"type": "Wager", "seat": 999999, "wagers": {"ante": 1000, "progressive": 100}},
    {"type": "Decide", "seat": 999999, "multiple": 2},
    {"type": "Leave", "seat": 999999},
    {"type": "Report", "kind": "no such thing", "device": "none", "seat": 5, "place": "dealer", "cards": 6},
    {"type": "Acknowledge"},
    {"type": "Cover", "device": "none"},
    {"type": "Document", "seat": 999999},
    {"type": "Reject"},
    {"type": "Withhold", "reason": "none"},
    {"type": "Correct", "card": "Ah", "number": 1, "seat": 999999, "place": "dealer"},
    {"type": "Repair", "device": "none"},
    {"type": "ChangeDealing", "dealing": "manual-shoe"},
    {"type": "Tick"},
)
"""Commands that whoever may give them is refused: no change of a byte makes one of them possible."""
ENTERED = {"cards": ["Ah"], "depth": 3, "counted": None, "light": False, "whole": True}
ANSWERS = {"error", "reply", "pong", "table", "meters"}


class Fuzzer:
    """Messages of every wrong kind, the same every time."""

    def __init__(self, seed: str) -> None:
        self.chance, self._number = Random(seed), count(1)  # noqa: S311 (a test that can be repeated)

    def valid(self) -> dict[str, Any]:
        pick = self.chance
        watched = {"table": pick.choice((TABLE, "cajun-stud", "nowhere"))}
        order = {
            "type": "order",
            "key": f"fuzz-{next(self._number)}",
            **watched,
            "command": pick.choice(COMMANDS),
            "entered": ENTERED,
        }
        others = (
            {"type": "ping"},
            {"type": "unwatch", **watched},
            {"type": "watch", **watched, "since": pick.randint(-5, 99)},
        )
        return pick.choice((order, order, order, *others))

    def value(self, depth: int = 3) -> Any:
        """Any value of JSON."""
        pick = self.chance
        if depth and pick.random() < 0.4:
            if pick.random() < 0.5:
                return [self.value(depth - 1) for _ in range(pick.randrange(4))]
            return {self.text(): self.value(depth - 1) for _ in range(pick.randrange(4))}
        return pick.choice(
            (
                None,
                True,
                False,
                0,
                -1,
                1.5,
                2**63,
                -(2**63) - 1,
                10**40,
                1e308,
                "",
                self.text(),
                "order",
                TABLE,
                "\x00",
                "é🂡",
            )
        )

    def text(self) -> str:
        return "".join(
            chr(self.chance.choice((self.chance.randrange(32, 127), self.chance.randrange(0x250)))) for _ in range(8)
        )

    def message(self) -> str | bytes:  # noqa: C901, PLR0911, PLR0912 (one kind after another)
        """One message; bytes are binary."""
        pick, valid = self.chance, self.valid()
        match pick.randrange(14):
            case 0:  # another type for one field
                return json.dumps({**valid, pick.choice(list(valid)): self.value()})
            case 1:  # a field too few or too many
                valid.pop(pick.choice(list(valid)))
                return json.dumps({**valid, **({self.text(): self.value()} if pick.random() < 0.5 else {})})
            case 2 if "command" in valid:
                command = dict(valid["command"])
                name = pick.choice(list(command))
                return json.dumps({**valid, "command": {**command, name: [self.value()]}})
            case 3 if "entered" in valid:
                return json.dumps(
                    {**valid, "entered": {**ENTERED, pick.choice((*ENTERED, self.text())): [self.value()]}}
                )
            case 4:
                return json.dumps(self.value())
            case 5:
                return json.dumps(valid)[: pick.randint(0, 60)]
            case 6:
                return pick.choice(("[", '{"a":', '{"type":"order","command":')) * pick.randint(1, 3_000)
            case 7:
                return json.dumps({**valid, "key": "x" * pick.choice((0, 81, 16_000))})
            case 8:
                return pick.randbytes(pick.randint(0, 200))
            case 9:
                return json.dumps(valid).encode()
            case 10:
                return pick.choice(
                    ("", " ", "\x00", "\ufeff{}", "ping", "x" * 16_385, " " * 60_000, '"\\ud800"', "1e999")
                )
            case 11:  # as it should be, and refused
                return json.dumps(valid)
            case _:
                return mutated(json.dumps(valid), pick).decode("utf-8", "replace")


def answered(line: ClientConnection, mark: str, kinds: Counter[str]) -> None:
    """Read until an order that nobody is allowed now is refused: what was sent before it has been answered."""
    line.send(json.dumps({"type": "order", "key": mark, "table": TABLE, "command": {"type": "Tick"}}))
    while True:
        answer = json.loads(line.recv(5))
        assert answer["type"] in ANSWERS
        assert not answer.get("accepted"), answer
        if answer.get("key") == mark:
            return
        kinds[answer["type"]] += 1


def test_no_message_over_a_socket_makes_the_server_fail_or_changes_anything(
    sound: House, capsys: pytest.CaptureFixture[str]
) -> None:
    fuzzer, kinds, sent, closings = Fuzzer("messages"), Counter[str](), 0, Counter[int]()
    before = sound.books.all()
    while sent < MESSAGES:
        with sound.socket(WHO[sent % len(WHO)]) as line:
            try:
                for _ in range(4):
                    for _ in range(10):
                        line.send(fuzzer.message())
                        sent += 1
                    answered(line, f"mark-{sent}", kinds)
            except ConnectionClosed as closed:
                closings[closed.rcvd.code if closed.rcvd else 0] += 1
    with capsys.disabled():
        print(f"\n{sent} messages, 0 server errors: {dict(kinds)}, sockets closed: {dict(closings)}")  # noqa: T201
    assert sound.books.all() == before
    assert kinds["error"] > MESSAGES / 4
    assert kinds["reply"] > 100


def _sixty_of_nothing(line: ClientConnection) -> None:
    for _ in range(60):
        line.send("no")


def test_a_socket_that_is_misused_is_closed_and_the_house_goes_on(sound: House) -> None:
    before = sound.books.all()
    ends: dict[str, int] = {}
    abuses: dict[str, Callable[[ClientConnection], None]] = {
        "fifty that cannot be read": _sixty_of_nothing,
        "too long": lambda line: line.send("x" * 70_000),
        "little that becomes much": lambda line: line.send("0" * 2_000_000),  # it is sent compressed
        "no UTF-8": lambda line: line.send(b"\xff\xfe{}", text=True),
        "in pieces": lambda line: line.send("x" * 10_000 for _ in range(20)),
    }
    for name, abuse in abuses.items():
        with sound.socket("ann") as line:
            try:
                abuse(line)
                while True:
                    line.recv(5)
            except ConnectionClosed as closed:
                ends[name] = closed.rcvd.code if closed.rcvd else 0
    assert ends.pop("fifty that cannot be read") == 4401
    assert ends.pop("no UTF-8") == 1007
    assert len(ends) == 3
    assert set(ends.values()) <= {1009, 0}  # 0: cut off while it was still being sent
    assert sound.books.all() == before
