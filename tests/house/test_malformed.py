"""Malformed input by HTTP and WebSocket: no server error, no effect on the ledger, and the server goes on."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from random import Random
from typing import Any

import pytest
import requests
import schemathesis
from fuzzer import Fuzzer, mutated
from house_server import Server
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from served_house import TABLE, Headers, House
from slices import MESSAGES, RAW_REQUESTS, REQUESTS_THAT_CHANGE, REQUESTS_THAT_READ
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

QUIET = ("nobody", "sue", "ada")
"""People whose orders all fail here: no seat, no cash, and no accidental correction of an account."""
Tell = Callable[[str], None]
WHO = (*QUIET, "ann", "dana", "flo", "olga")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for all these tests: it must survive all of them."""
    server = Server(tmp_path_factory.mktemp("malformed") / "data")
    try:
        house = House(server.start())
        yield house
        house.books.close()
    finally:
        server.stop()


@pytest.fixture
def checked_house(house: House) -> Iterator[House]:
    """The server before and after: it answers, its books balance, and it has logged no fault of its own."""
    yield house
    assert house.failures() == []
    assert house.server.request("GET", "/ready")[0] == 200
    with house.socket("ann") as line:
        line.send('{"type":"ping"}')
        assert json.loads(line.recv(60))["type"] == "pong"
    house.books.check()


# Requests made from the description.


def described_operations(server: Server, *, closely: bool) -> Any:
    """The operations of the description; with `closely`, only known fields and existing tables and people."""
    with requests.get(f"{server.url}/schema/openapi.json", timeout=60) as answer:
        raw = answer.json()
    if closely:
        for schema in raw["components"]["schemas"].values():
            if "properties" in schema:
                schema["additionalProperties"] = False
                for name, values in {"patron": ["ann", "bob", "x"], "table": [TABLE, "cajun-stud", "x"]}.items():
                    if name in schema["properties"] and schema["title"] != "CloseTable":
                        schema["properties"][name] = {"enum": values}
    return schemathesis.openapi.from_dict(raw)


def check_cases(strategy: Any, examples: int, check: Callable[[Any], None]) -> None:
    """Check this many cases, the same every time."""

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
    """Every operation, with valid and invalid data."""
    for found in schema.get_all_operations():
        operation = found.ok()
        changes = operation.method in {"POST", "post"} and operation.path.endswith(("/orders", "/acts", "/session"))
        for mode in GenerationMode:
            if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.headers):
                continue  # every text is a name of a table
            more = {"path_parameters": {"table": TABLE}} if changes and "{table}" in operation.path else {}
            examples = REQUESTS_THAT_CHANGE if changes else REQUESTS_THAT_READ
            yield operation.label, operation.as_strategy(generation_mode=mode, **more), examples


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_request_crashes_the_server_and_refused_requests_change_nothing(checked_house: House, tell: Tell) -> None:
    begun, statuses, seen = time.monotonic(), Counter[int](), Counter[str]()
    books, moved = checked_house.books, Counter[str]()
    with requests.Session() as line:

        def check(case: Any, label: str, *, new_keys: bool) -> None:
            for who in WHO if "session" not in label else QUIET[:1]:
                before = books.heads()
                headers = checked_house.headers(who)
                if new_keys and case.headers.get("Idempotency-Key"):
                    headers["Idempotency-Key"] = checked_house.key()
                answer = case.call(base_url=checked_house.server.url, headers=headers, session=line, timeout=120)
                statuses[answer.status_code] += 1
                seen[label] += 1
                assert answer.status_code < 500, (who, case.as_curl_command(), answer.text)
                after = books.heads()
                if answer.status_code >= 400 or who in QUIET or case.method == "GET":
                    assert after == before, (who, case.as_curl_command(), answer.text)
                elif after != before:
                    moved[f"{who}: {case.body['act' if 'acts' in label else 'command']['type']}"] += 1

        for closely in (False, True):
            for label, strategy, examples in strategies(described_operations(checked_house.server, closely=closely)):
                check_cases(strategy, examples, partial(check, label=label, new_keys=closely))
    tell(
        f"{sum(statuses.values())} requests to {len(seen)} operations, 0 server errors: "
        f"{dict(sorted(statuses.items()))}; carried out: {dict(moved)}, {time.monotonic() - begun:.0f} s"
    )
    assert len(seen) >= 15
    assert statuses[400] > 12 * REQUESTS_THAT_CHANGE  # undecodable requests
    assert statuses[409] > 5 * REQUESTS_THAT_CHANGE  # valid requests that are refused
    assert moved  # some requests were carried out


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


def test_raw_bytes_do_not_crash_the_server(checked_house: House, tell: Tell) -> None:
    chance, statuses = Random("raw bytes"), Counter[int]()  # noqa: S311 (a test that can be repeated)
    before = checked_house.books.all()
    bodies = [(path, text.encode()) for path in PATHS for text in ODD]
    bodies += [(path, mutated(text, chance)) for path, text in PATHS.items() for _ in range(RAW_REQUESTS)]
    bodies += [(path, chance.randbytes(chance.randint(0, 300))) for path in PATHS for _ in range(50)]
    bodies += [(path, b"x" * 70_000) for path in PATHS]
    for number, (path, body) in enumerate(bodies):
        kind = chance.choice(
            ("application/json",) * 8 + ("text/plain", "application/msgpack", "multipart/form-data", "", "x")
        )
        headers = {
            "content-type": kind,
            "idempotency-key": f"raw-{number}",
            **checked_house.headers(chance.choice(QUIET)),
        }
        statuses[_raw_status(checked_house.server, "POST", path, body, headers)] += 1
    fine = {"content-type": "application/json", "idempotency-key": "k", **checked_house.headers("sue")}
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
                _raw_status(
                    checked_house.server, "POST", f"/api/tables/{TABLE}/orders", SIT.encode(), {**fine, name: value}
                )
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
            statuses[_raw_status(checked_house.server, method, path, b"", fine)] += 1
    for limit in ("0", "201", "x", "1e3", "", "9" * 500, "-1"):
        statuses[_raw_status(checked_house.server, "GET", f"/api/history?limit={limit}", b"", fine)] += 1
    tell(f"{sum(statuses.values())} raw requests: {dict(sorted(statuses.items()))}")
    assert {status for status in statuses if status >= 500 or 200 <= status < 300} <= {200, 204}
    assert checked_house.books.all() == before


def _raw_status(server: Server, method: str, path: str, body: bytes, headers: Headers) -> int:
    """The status of one raw request; 0 if the connection was closed instead."""
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=60)) as line:
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            line.putheader(name, value.encode("latin-1"))
        try:
            line.endheaders(body)
            return line.getresponse().status
        except (ConnectionError, TimeoutError):
            return 0


# The WebSocket.

ANSWERS = {"error", "reply", "pong", "table", "meters"}


def wait_for_answers(line: ClientConnection, mark: str, kinds: Counter[str]) -> None:
    """Send an order that is always refused and wait for its refusal: all earlier messages are answered then."""
    line.send(json.dumps({"type": "order", "key": mark, "table": TABLE, "command": {"type": "Tick"}}))
    while True:
        answer = json.loads(line.recv(60))
        assert answer["type"] in ANSWERS
        assert not answer.get("accepted"), answer
        if answer.get("key") == mark:
            return
        kinds[answer["type"]] += 1


def test_invalid_socket_messages_neither_crash_the_server_nor_change_anything(checked_house: House, tell: Tell) -> None:
    fuzzer, kinds, sent, closings = Fuzzer("messages"), Counter[str](), 0, Counter[int]()
    before = checked_house.books.all()
    while sent < MESSAGES:
        with checked_house.socket(WHO[sent % len(WHO)]) as line:
            try:
                for _ in range(4):
                    for _ in range(10):
                        line.send(fuzzer.message())
                        sent += 1
                    wait_for_answers(line, f"mark-{sent}", kinds)
            except ConnectionClosed as closed:
                closings[closed.rcvd.code if closed.rcvd else 0] += 1
    tell(f"{sent} messages, 0 server errors: {dict(kinds)}, sockets closed: {dict(closings)}")
    assert checked_house.books.all() == before
    assert kinds["error"] > MESSAGES / 4
    assert kinds["reply"] > MESSAGES / 60


def _sixty_invalid_messages(line: ClientConnection) -> None:
    for _ in range(60):
        line.send("no")


def test_a_misused_socket_is_closed_and_the_house_goes_on(checked_house: House) -> None:
    before = checked_house.books.all()
    ends: dict[str, int] = {}
    abuses: dict[str, Callable[[ClientConnection], None]] = {
        "fifty that cannot be read": _sixty_invalid_messages,
        "too long": lambda line: line.send("x" * 70_000),
        "little that becomes much": lambda line: line.send("0" * 2_000_000),  # it is sent compressed
        "no UTF-8": lambda line: line.send(b"\xff\xfe{}", text=True),
        "in pieces": lambda line: line.send("x" * 10_000 for _ in range(20)),
    }
    for name, abuse in abuses.items():
        with checked_house.socket("ann") as line:
            try:
                abuse(line)
                while True:
                    line.recv(60)
            except ConnectionClosed as closed:
                ends[name] = closed.rcvd.code if closed.rcvd else 0
    assert ends.pop("fifty that cannot be read") == 4401
    assert ends.pop("no UTF-8") == 1007
    assert len(ends) == 3
    assert set(ends.values()) <= {1009, 0}  # 0: cut off while it was still being sent
    assert checked_house.books.all() == before
