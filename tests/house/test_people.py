"""People at the server's edge: who gets in, for how long, from where, how often; and who may do what, cell by cell."""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from house_server import PASSWORD, Server
from litestar.testing import TestClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from pitboss.house import acts, people
from pitboss.house.config import Config
from pitboss.house.driver import Sqlite
from pitboss.house.office import ITSELF, Office
from pitboss.house.opening import DEMO_PEOPLE, open_house, prepared
from pitboss.house.opening import connect as connect_house
from pitboss.house.people import FAILURES, INACTIVE, ROLES, Post
from pitboss.record.chain import entry_of
from pitboss.submission import text_of
from pitboss.table import commands
from pitboss.web import guard
from pitboss.web.server import application

Rows = list[tuple[Any, ...]]
KEYS = "house rule: one effect for each idempotency key"
SECOND = "house rule: a second person"
POSTS = "house rule: what each post may do"
HOUSE = "house"
"""The log of what concerns all."""
WRONG = "not-the-password"
LOCAL = "caribbean-stud"
"""A table of the demonstration, where a seat far off is asked for and refused: an order that changes nothing."""


class Line:
    """One connection that is kept: what is asked, and all that is answered."""

    def __init__(self, server: Server) -> None:
        self._line, self._used = HTTPConnection("127.0.0.1", server.port, timeout=20), time.monotonic()

    def __call__(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        named = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if time.monotonic() - self._used > 2:  # the server lets go of idle connections
            self._line.close()
        self._used = time.monotonic()
        self._line.request(method, path, None if body is None else json.dumps(body), named)
        answer = self._line.getresponse()
        return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()

    def close(self) -> None:
        self._line.close()


class Staffed:
    """A server with everybody signed in, and shorthands for what they ask of it."""

    def __init__(self, server: Server, *names: str) -> None:
        self.server, self.line, self._keys = server, Line(server), count(1)
        self.tokens = {name: server.sign_in(name) for name in names or DEMO_PEOPLE}

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
        return self.ask(who, "POST", f"/api/tables/{table}/orders", {"command": command, "entered": entered or {}})

    def did(self, who: str, table: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any) -> Any:
        status, answer = self.order(who, table, {"type": kind, **facts}, entered)
        assert status == 200, (who, kind, facts, answer)
        return answer

    def act(self, who: str, kind: str, /, **facts: Any) -> tuple[int, Any]:
        return self.ask(who, "POST", "/api/acts", {"act": {"type": kind, **facts}})

    def acted(self, who: str, kind: str, /, **facts: Any) -> Any:
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


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server with everybody signed in."""
    with serving(tmp_path_factory.mktemp("people") / "data") as server:
        house = Staffed(server)
        yield house
        house.line.close()


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server behind a proxy, with real money and people of its own, that takes two orders a second and ten at once."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "tables").mkdir()
    (folder / "tables" / f"{LOCAL}.toml").write_text(text_of("caribbean-stud-standard"), "utf-8")
    db = connect_house(Config(data=str(folder / "data")))
    prepared(db)
    for name, post in {"pia": Post.PATRON, "paul": Post.PATRON, "otto": Post.OPERATOR}.items():
        assert Office(db, time.time).do(ITSELF, acts.Hire(name, post, people.hashed(PASSWORD)), name).accepted
    db.close()
    settings = {
        "PITBOSS_DEMO": "false",
        "PITBOSS_TABLES": str(folder / "tables"),
        "PITBOSS_ORIGIN": "https://house.example",
        "PITBOSS_PLAY_MONEY": "false",
        "PITBOSS_ORDERS_PER_SECOND": "2",
    }
    with serving(folder / "data", **settings) as server:
        house = Staffed(server, "pia", "paul", "otto")
        yield house
        house.line.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    """A server of one test's own."""
    with serving(tmp_path / "data") as server:
        yield server


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
    return json.loads(text)


# Who gets in.


def test_who_signs_in_is_known_by_cookie_and_by_token(staffed: Staffed) -> None:
    status, headers, text = staffed.line("POST", "/api/session", {"name": "sue", "password": PASSWORD})
    who = said(text)
    assert status == 201
    assert (who["name"], who["post"]) == ("sue", "surveillance")
    assert headers["set-cookie"].startswith(f"pitboss={who['token']};")
    for sent in ({"cookie": f"pitboss={who['token']}"}, {"authorization": f"Bearer {who['token']}"}):
        status, _, text = staffed.line("GET", "/api/session", **sent)
        assert (status, said(text)) == (200, {"name": "sue", "post": "surveillance", "csrf": who["csrf"], "token": ""})


def test_a_cookie_cannot_be_read_by_scripts_nor_sent_from_other_sites(staffed: Staffed, strict: Staffed) -> None:
    flags = {}
    for house, name in ((staffed, "olga"), (strict, "otto")):
        _, headers, _ = house.line("POST", "/api/session", {"name": name, "password": PASSWORD})
        flags[house] = {flag.strip().lower() for flag in headers["set-cookie"].split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= flags[house]
        assert not any(flag.startswith("domain") for flag in flags[house])
    assert "secure" in flags[strict]
    assert "secure" not in flags[staffed]  # which is reached over plain HTTP, on this machine only


def test_five_wrong_passwords_lock_out_and_no_answer_tells_why(fresh: Server) -> None:
    line = Line(fresh)

    def tried(name: str, password: str) -> tuple[int, dict[str, str], bytes]:
        status, headers, text = line("POST", "/api/session", {"name": name, "password": password})
        return status, {**headers, "date": ""}, text

    for _ in range(2):  # a right password forgives the wrong ones before it
        assert [tried("bob", WRONG)[0] for _ in range(FAILURES - 1)] == [401] * (FAILURES - 1)
        assert tried("bob", PASSWORD)[0] == 201
    wrong = [tried("bob", WRONG) for _ in range(FAILURES)]
    locked, unknown = tried("bob", PASSWORD), tried("nobody", WRONG)
    assert {repr(answer) for answer in (*wrong, locked, unknown)} == {repr(wrong[0])}
    assert wrong[0][0] == 401
    until, failures = rows(fresh, "SELECT locked_until, failures FROM person WHERE name = 'bob'")[0]
    assert 14 * 60 < until - time.time() <= 15 * 60
    assert failures == 0
    assert rows(fresh, "SELECT COUNT(*) FROM person WHERE name != 'bob' AND locked_until > 0") == [(0,)]
    noted = [said(body) for (body,) in rows(fresh, "SELECT body FROM entry WHERE chain = ? ORDER BY seq", HOUSE)]
    failed = [entry for entry in noted if entry["act"].get("what") == "failed sign-in"]
    assert [entry["actor"] for entry in failed] == ["bob"] * (3 * FAILURES - 2)
    assert [entry["act"].get("after", "") for entry in failed] == [""] * (3 * FAILURES - 3) + ["locked out"]
    assert WRONG.encode() not in kept(fresh)
    rows(fresh, "UPDATE person SET locked_until = ? WHERE name = 'bob'", int(time.time()) - 1)
    assert tried("bob", PASSWORD)[0] == 201
    tries = 0
    while (answer := tried("ann", PASSWORD))[0] == 201:  # many sign-ins from one place are slowed down
        tries += 1
        assert tries < 20
    assert answer[0] == 429
    line.close()


def test_an_unknown_name_costs_as_much_work_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    class Spy:
        @staticmethod
        def verify(held: str, password: str) -> bool:
            checked.append(held)
            return bool(PasswordHasher().verify(held, password))

    kept_hash = people.hashed(PASSWORD)
    monkeypatch.setattr(people, "_HASHER", Spy)
    assert people.fits(PASSWORD, kept_hash)
    assert not people.fits(WRONG, kept_hash)
    assert not people.fits(PASSWORD, None)
    known, _, unknown = (held.rpartition("$")[0].rpartition("$")[0] for held in checked)
    assert known == unknown  # the same method, memory, passes and lanes


def test_of_a_password_only_argon2id_is_kept_and_of_a_session_only_a_hash(staffed: Staffed) -> None:
    secret = "correct horse battery"  # noqa: S105 (a test's)
    staffed.hired("hana", "dealer", secret)
    assert staffed.ask("hana", "GET", "/api/session")[0] == 200
    everything = kept(staffed.server) + (staffed.server.data.parent / "server.log").read_bytes()
    assert secret.encode() not in everything
    assert PASSWORD.encode() not in kept(staffed.server)
    assert [name for name, token in staffed.tokens.items() if token.encode() in everything] == []
    for (password,) in rows(staffed.server, "SELECT password FROM person"):
        form = re.fullmatch(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$[\w+/]{22,}\$[\w+/]{43,}", password)
        assert form, password
        assert int(form[1]) >= 19 * 1024  # KiB, and
        assert int(form[2]) >= 2
    sessions = {name for (name,) in rows(staffed.server, "SELECT id FROM session")}
    assert {hashlib.sha256(token.encode()).hexdigest() for token in staffed.tokens.values()} <= sessions
    assert staffed.act("olga", "Hire", name="short", post="dealer", password="123456789")[0] == 409  # noqa: S106


# For how long.


def test_a_session_that_is_not_used_is_over(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        tokens = {name: server.sign_in(name) for name in ("ann", "bob")}
    now = int(time.time())
    ids = {name: hashlib.sha256(token.encode()).hexdigest() for name, token in tokens.items()}
    rows(server, "UPDATE session SET seen = ? WHERE id = ?", now - INACTIVE - 1, ids["ann"])
    rows(server, "UPDATE session SET seen = ? WHERE id = ?", now - INACTIVE + 120, ids["bob"])
    with serving(tmp_path / "data") as server:
        assert server.request("GET", "/api/account", None, tokens["ann"])[0] == 401
        assert server.request("GET", "/api/account", None, tokens["bob"])[0] == 200
        with live(server, authorization=f"Bearer {tokens['ann']}") as over:  # as the public, who may watch
            order = {"type": "order", "key": "k", "table": LOCAL, "command": {"type": "Sit", "seat": 1}}
            over.send(json.dumps(order))
            reply = json.loads(over.recv(5))
            assert (reply["accepted"], reply["why"]) == (False, "Nobody is signed in here.")
        with live(server, authorization=f"Bearer {tokens['bob']}") as line:
            assert rows(server, "SELECT seen FROM session WHERE id = ?", ids["bob"])[0][0] >= now  # it was used
            rows(server, "UPDATE session SET seen = ? WHERE id = ?", now - INACTIVE - 1, ids["bob"])
            begun = time.monotonic()
            assert closed(line, begun) < 1


@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
def test_orders_over_a_socket_keep_a_session_alive_and_pings_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "TOUCHED", 0)
    config = Config(data=str(tmp_path))
    db = Sqlite(tmp_path / "house.db")
    open_house(db, config, Office(db, time.time))

    def seen() -> int:
        return int(db.execute("SELECT seen FROM session")[0][0])

    with TestClient(application(config)) as client:
        token = client.post("/api/session", json={"name": "ann", "password": PASSWORD}).json()["token"]
        client.cookies.clear()
        with client.websocket_connect("/api/live", headers={"authorization": f"Bearer {token}"}) as line:
            nearly = int(time.time()) - INACTIVE + 60
            line.send_json({"type": "ping"})
            assert line.receive_json()["type"] == "pong"
            db.execute("UPDATE session SET seen = ?", (nearly,))
            line.send_json({"type": "ping"})
            assert line.receive_json()["type"] == "pong"
            order = {"type": "order", "key": "k", "table": LOCAL, "command": {"type": "Sit", "seat": 99}}
            assert seen() == nearly
            line.send_json(order)
            assert line.receive_json()["why"] == "The table has seats 1 to 7."
            assert seen() > nearly
    db.close()


def closed(line: ClientConnection, begun: float) -> float:
    """How many seconds after something a socket was closed because its session is over."""
    with pytest.raises(ConnectionClosed) as closing:
        _read_on(line)
    took = time.monotonic() - begun
    assert closing.value.rcvd
    assert closing.value.rcvd.code == 4401
    return took


def _read_on(line: ClientConnection) -> None:
    while True:
        line.recv(5)


def test_sockets_close_within_a_second_of_sign_out_and_of_revocation(
    staffed: Staffed, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also those that a proxy would keep: the server closes them, and their tokens are worth nothing."""
    other = "another password"
    took: dict[str, list[float]] = {"sign-out": [], "dismissal": [], "another post": []}
    for name in ("gail", "gus", "gwen"):
        staffed.hired(name, "floorperson", other)
    ways: dict[str, tuple[str, Callable[[], tuple[int, Any]]]] = {
        "sign-out": ("gail", lambda: staffed.ask("gail", "DELETE", "/api/session")),
        "dismissal": ("gus", lambda: staffed.act("olga", "Dismiss", name="gus")),
        "another post": ("gwen", lambda: staffed.act("olga", "Hire", name="gwen", post="patron", password=other)),
    }
    with ExitStack() as stack, staffed.socket("flo") as stays:
        for way, (name, over) in ways.items():
            lines = [stack.enter_context(staffed.socket(name)) for _ in range(5)]
            for line in lines:
                line.send(json.dumps({"type": "watch", "table": LOCAL}))
                assert json.loads(line.recv(5))["type"] == "table"
            begun = time.monotonic()
            assert over()[0] in {200, 204}
            took[way] = [closed(line, begun) for line in lines]
            while time.monotonic() - begun < 1 and staffed.ask(name, "GET", "/api/session")[0] == 200:
                time.sleep(0.02)
            assert staffed.ask(name, "GET", "/api/session")[0] == 401
        stays.send(json.dumps({"type": "ping"}))
        assert json.loads(stays.recv(5))["type"] == "pong"
    slowest = {way: max(times) for way, times in took.items()}
    with capsys.disabled():
        print("\nsockets closed after " + ", ".join(f"{way} {most:.3f} s" for way, most in slowest.items()))  # noqa: T201
    assert max(slowest.values()) < 1
    refused = staffed.server.request("POST", "/api/session", {"name": "gus", "password": other})
    unknown = staffed.server.request("POST", "/api/session", {"name": "nobody", "password": other})
    assert refused == unknown
    assert refused[0] == 401


# From where.

ELSEWHERE = ("https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "http://[", "x", "")


def test_another_sites_requests_are_refused(staffed: Staffed) -> None:
    line, server, token = staffed.line, staffed.server, staffed.tokens["cy"]
    body = {"name": "cy", "password": WRONG}
    cookie = f"pitboss={token}"
    csrf = said(line("GET", "/api/session", cookie=cookie)[2])["csrf"]
    away = {"command": {"type": "Sit", "seat": 99}}
    order = f"/api/tables/{LOCAL}/orders"
    for origin in ELSEWHERE:
        assert line("POST", "/api/session", body, origin=origin)[0] == 403, origin
        sent = {"cookie": cookie, "x-csrf-token": csrf, "idempotency-key": "away", "origin": origin}
        assert line("POST", order, away, **sent)[0] == 403, origin
        assert line("DELETE", "/api/session", **sent)[0] == 403, origin
        with pytest.raises(InvalidStatus) as refused, live(server, cookie=cookie, origin=origin):
            pass
        assert refused.value.response.status_code == 403, origin
    assert rows(server, "SELECT failures FROM person WHERE name = 'cy'") == [(0,)]
    here = {"cookie": cookie, "x-csrf-token": csrf, "idempotency-key": "here", "origin": server.url}
    assert line("POST", order, away, **here)[0] == 409  # there is no such seat: it was asked of the table
    with live(server, cookie=cookie, origin=server.url) as fine:
        fine.send(json.dumps({"type": "ping"}))
        assert json.loads(fine.recv(5))["type"] == "pong"


def test_behind_a_proxy_the_configured_origin_is_taken(strict: Staffed) -> None:
    body = {"name": "pia", "password": PASSWORD}
    assert strict.line("POST", "/api/session", body, origin="https://house.example")[0] == 201
    assert strict.line("POST", "/api/session", body, origin="https://house.example.evil")[0] == 403
    with live(strict.server, origin="https://house.example"):
        pass


def test_a_cookie_alone_changes_nothing_a_token_needs_no_more(staffed: Staffed) -> None:
    line = staffed.line
    mine, others = (f"pitboss={staffed.tokens[name]}" for name in ("cy", "bob"))
    csrf = {
        who: said(line("GET", "/api/session", cookie=cookie)[2])["csrf"]
        for who, cookie in (("cy", mine), ("bob", others))
    }
    paths: dict[tuple[str, str], object] = {
        ("POST", f"/api/tables/{LOCAL}/orders"): {"command": {"type": "Sit", "seat": 99}},
        ("POST", "/api/acts"): {"act": {"type": "CashOut", "patron": "cy", "amount": 0}},
        ("DELETE", "/api/session"): None,
    }
    for (method, path), body in paths.items():
        for wrong in ({}, {"x-csrf-token": ""}, {"x-csrf-token": csrf["bob"]}, {"x-csrf-token": csrf["cy"][:-1]}):
            status, _, text = line(method, path, body, cookie=mine, idempotency_key="csrf", **wrong)
            assert (status, said(text)["detail"]) == (403, "The header X-CSRF-Token is missing or wrong."), (
                path,
                wrong,
            )
    for (method, path), body in list(paths.items())[:2]:
        right = line(method, path, body, cookie=mine, idempotency_key="by-cookie", x_csrf_token=csrf["cy"])
        assert right[0] == 409  # what was asked for cannot be; it was asked
        assert (
            line(method, path, body, idempotency_key="by-token", authorization=f"Bearer {staffed.tokens['cy']}")[0]
            == 409
        )
    assert line("GET", "/api/account", cookie=mine)[0] == 200  # looking needs none


# How often.


def test_who_orders_too_often_waits_and_nobody_else_does(strict: Staffed) -> None:
    away = {"type": "Sit", "seat": 99}
    begun = time.monotonic()
    answers = [strict.order("pia", LOCAL, away)[0] for _ in range(30)]
    allowed = 10 + 2 * (time.monotonic() - begun)  # ten at once, two more each second
    assert answers[:10] == [409] * 10
    assert answers.count(409) <= allowed + 1
    assert set(answers[10:]) == {409, 429} or set(answers[10:]) == {429}
    assert strict.order("paul", LOCAL, away)[0] == 409
    with strict.socket("paul") as line:
        for number in range(30):
            line.send(json.dumps({"type": "order", "key": f"often-{number}", "table": LOCAL, "command": away}))
        replies = [json.loads(line.recv(5)) for _ in range(30)]
    slowed = [reply for reply in replies if reply["why"] == "Too many orders; wait a moment."]
    assert 15 <= len(slowed) <= 21
    assert not any(reply["accepted"] for reply in replies)
    slowed_keys = {reply["key"] for reply in slowed}
    time.sleep(1.1)
    assert strict.order("pia", LOCAL, away)[0] == 409
    written = {key for (key,) in rows(strict.server, "SELECT key FROM answered WHERE person = 'paul'")}
    assert not slowed_keys & written  # the same key may be sent again later


def test_with_real_money_the_cage_buys_in_and_nobody_else(strict: Staffed) -> None:
    before = rows(strict.server, "SELECT * FROM account ORDER BY name")
    for kind in ("BuyIn", "CashOut"):
        status, answer = strict.act("paul", kind, patron="paul", amount=100)
        while status == 429:
            time.sleep(0.3)
            status, answer = strict.act("paul", kind, patron="paul", amount=100)
        assert (status, answer["detail"]) == (403, "With real money that is for the cage to do.")
    assert rows(strict.server, "SELECT * FROM account ORDER BY name") == before
    strict.acted("otto", "BuyIn", patron="paul", amount=100)


# A second person.


def balance(server: Server, account: str) -> int:
    found = rows(server, "SELECT balance FROM account WHERE name = ?", account)
    return int(found[0][0]) if found else 0


def test_a_correction_of_the_ledger_takes_two_persons(staffed: Staffed) -> None:
    server = staffed.server
    before = balance(server, "patron/bob")
    correction = {"giver": "house", "taker": "patron/bob", "amount": 7_00, "reason": "a chip under the table"}
    asked = staffed.acted("ada", "Amend", **correction)["waiting"]
    assert balance(server, "patron/bob") == before
    assert asked in {one["id"] for one in staffed.ask("flo", "GET", "/api/approvals")[1]}
    status, answer = staffed.act("ada", "Approve", id=asked)
    assert (status, answer["extra"]["cite"]) == (409, SECOND)
    assert staffed.act("flo", "Approve", id=asked)[0] == 409  # who may not correct may not approve
    assert balance(server, "patron/bob") == before
    staffed.acted("olga", "Approve", id=asked)
    assert balance(server, "patron/bob") - before == 7_00 * 1_000_000
    assert staffed.act("olga", "Approve", id=asked)[0] == 409  # once
    last = said(rows(server, "SELECT body FROM entry WHERE chain = ? ORDER BY seq DESC LIMIT 1", HOUSE)[0][0])
    assert (last["actor"], last["second"], last["act"]["reason"]) == ("ada", "olga", correction["reason"])


def test_a_jackpot_takes_two_floorpersons_who_want_the_same(staffed: Staffed) -> None:
    claim(staffed, "jackpot")
    before = balance(staffed.server, "patron/ann")
    light = {"light": True}

    def pending() -> set[str]:
        found = staffed.ask("flo", "GET", "/api/approvals")[1]
        return {one["id"].rpartition("/")[2] for one in found if one["chain"] == "jackpot"}

    seq = staffed.did("flo", "jackpot", "Withhold", reason="the light")["seq"]
    again = staffed.order("flo", "jackpot", {"type": "Withhold", "reason": "the light"})
    assert (again[0], again[1]["extra"]["cite"]) == (409, SECOND)
    answer = staffed.did("fred", "jackpot", "Acknowledge", light)  # he wants another thing: that is one person each
    assert (answer["seq"], pending()) == (seq, {"Withhold", "Acknowledge"})
    assert staffed.order("fred", "jackpot", {"type": "Acknowledge"}, light)[1]["extra"]["cite"] == SECOND
    staffed.did("fred", "jackpot", "Reject")  # the claim is gone, and what was said of it
    assert pending() == set()
    staffed.did("dana", "jackpot", "Perform")
    staffed.did("flo", "jackpot", "Acknowledge", light)
    assert balance(staffed.server, "patron/ann") == before
    staffed.did("fred", "jackpot", "Acknowledge", light)
    assert pending() == set()
    assert balance(staffed.server, "patron/ann") - before > 10_000_00 * 1_000_000


# Who may do what: every post, command, state, own seat and another's.

SEATS = {"own": 1, "free": 2, "other": 3}
"""Ann's, nobody's, Bob's."""
ROYAL, HOLE = ["Ah", "Kh", "Qh", "Jh", "Th"], ["3d", "4h", "6s", "8c"]
AT_HAND = {"light": True, "preshuffled": True, "depth": 20}
ACTORS = ("ann", "cy", "dana", "flo", "sue", "ada", "olga", "nobody")
"""A patron at the table, one who is not, everybody who works here, and who is not signed in."""


def opened(staffed: Staffed, table: str, *, scanned: bool = False, dealing: str = "manual-shoe") -> None:
    text = text_of("caribbean-stud-standard").replace('dealing = "manual-shoe"', f'dealing = "{dealing}"')
    settings = {"automatic": False, "betting": 3600}
    staffed.acted("olga", "OpenTable", table=table, submission=text, settings=settings, scanned=scanned)
    staffed.did("ann", table, "Sit", seat=1)
    staffed.did("bob", table, "Sit", seat=3)


def ready(
    staffed: Staffed, table: str, *who: str, side: int = 0, scanned: bool = False, dealing: str = "manual-shoe"
) -> None:
    """Open a table for gaming; these patrons wager."""
    opened(staffed, table, scanned=scanned, dealing=dealing)
    staffed.did("dana", table, "Perform", {"preshuffled": True})
    for name in who:
        made = {"ante": 1000, **({"progressive": side} if side else {})}
        staffed.did(name, table, "Wager", seat={"ann": 1, "bob": 3}[name], wagers=made)


def until(staffed: Staffed, table: str, due: str, *, scanned: bool = False) -> None:
    """Deal until a step is due; Ann raises."""
    while (view := staffed.seen(table))["due"] != due:
        up = view["due"] == "deal" and not view["places"] and all(len(box["cards"]) == 1 for box in view["boxes"])
        named = {"deal": ["2c"] if up else [], "turn": HOLE}.get(view["due"], []) if scanned else []
        chips = sum("progressive" in box["wagers"] for box in view["boxes"])
        if view["due"] == "ask":
            staffed.did("ann", table, "Decide", seat=1, multiple=2)
        else:
            staffed.did("dana", table, "Perform", {"depth": 20, "counted": chips, "cards": named})


def betting(staffed: Staffed, table: str) -> None:
    ready(staffed, table, "ann")
    until(staffed, table, "call")


def dealing(staffed: Staffed, table: str) -> None:
    ready(staffed, table, "ann", "bob")
    until(staffed, table, "deal")
    staffed.did("dana", table, "Perform")


def asking(staffed: Staffed, table: str) -> None:
    ready(staffed, table, "ann", "bob", scanned=True)
    until(staffed, table, "ask", scanned=True)


def claim(staffed: Staffed, table: str) -> None:
    ready(staffed, table, "ann", side=100, scanned=True)
    until(staffed, table, "settle", scanned=True)
    staffed.did("dana", table, "Perform", {"cards": ROYAL})


def documenting(staffed: Staffed, table: str) -> None:
    claim(staffed, table)
    for name in ("flo", "fred"):
        staffed.did(name, table, "Acknowledge", {"light": True})


def void(staffed: Staffed, table: str) -> None:
    dealing(staffed, table)
    staffed.did("flo", table, "Report", kind="wrong-number")


def failed(staffed: Staffed, table: str) -> None:
    ready(staffed, table, dealing="hand")
    staffed.did("dana", table, "Report", kind="malfunction", device="shuffler")


def covered(staffed: Staffed, table: str) -> None:
    failed(staffed, table)
    staffed.did("dana", table, "Cover", device="shuffler")


STATES: dict[str, Callable[[Staffed, str], None]] = {
    "opening": opened,
    "betting open": betting,
    "dealing": dealing,
    "asking": asking,
    "claim pending": claim,
    "payout undocumented": documenting,
    "void unacknowledged": void,
    "device failed": failed,
    "device covered": covered,
}
CELLS: dict[str, dict[str, Any]] = {
    **{
        f"{kind} {whose}": {"type": kind, "seat": seat, **facts}
        for kind, facts in dict[str, dict[str, Any]](
            Sit={},
            Stand={},
            Leave={},
            Document={},
            Wager={"wagers": {"ante": 1000}},
            Decide={"multiple": 2},
            Report={"kind": "wrong-number", "cards": 4},
            Correct={"card": "Kd", "number": 0},
        ).items()
        for whose, seat in SEATS.items()
    },
    "Correct dealer": {"type": "Correct", "card": "Kd", "number": 0, "place": "dealer"},
    "Report device": {"type": "Report", "kind": "malfunction", "device": "shuffler"},
    "Cover": {"type": "Cover", "device": "shuffler"},
    "Repair": {"type": "Repair", "device": "shuffler"},
    "ChangeDealing": {"type": "ChangeDealing", "dealing": "manual-shoe"},
    "Withhold": {"type": "Withhold", "reason": "no light"},
    **{
        kind: {"type": kind}
        for kind in ("Perform", "Acknowledge", "Recut", "Idle", "Reject", "ChangeDeck", "Tick", "Reshuffle")
    },
}
"""Every command, for whichever seat."""
_LEAVE = "Leave own, Leave other"
_COUNT = "Report own, Report other, Report device"
ACCEPTED: dict[str, dict[str, str]] = {
    "opening": {
        "ann": "Stand own, Leave own",
        "dana": f"{_LEAVE}, Perform",
        "flo": f"{_LEAVE}, ChangeDeck",
    },
    "betting open": {
        "ann": "Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Report device, Perform",
        "flo": f"{_LEAVE}, Report device, Recut, ChangeDeck, Reshuffle",
    },
    "dealing": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, {_COUNT}, Perform",
        "flo": f"{_LEAVE}, {_COUNT}",
    },
    "asking": {
        "ann": "Leave own, Decide own",
        "dana": f"{_LEAVE}, {_COUNT}",
        "flo": f"{_LEAVE}, {_COUNT}, Correct dealer",
    },
    "claim pending": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, Report own, Report device",
        "flo": f"{_LEAVE}, Report own, Report device, Acknowledge, Reject, Withhold",
    },
    "payout undocumented": {
        "ann": "Leave own",
        "dana": f"{_LEAVE}, Report own, Report device",
        "flo": f"{_LEAVE}, Report own, Report device, Document own",
    },
    "void unacknowledged": {"ann": "Leave own", "dana": _LEAVE, "flo": f"{_LEAVE}, Acknowledge"},
    "device failed": {
        "ann": "Stand own, Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Idle, Cover",
        "flo": f"{_LEAVE}, Idle, ChangeDeck, Cover, ChangeDealing",
    },
    "device covered": {
        "ann": "Stand own, Leave own, Wager own, Wager free",
        "dana": f"{_LEAVE}, Idle",
        "flo": f"{_LEAVE}, Idle, ChangeDeck, Repair, ChangeDealing",
    },
}
"""By state and person: what is carried out, and nothing else is. Cy may sit down at a free seat in every state."""


def accepted(state: str, who: str) -> set[str]:
    return {"Sit free"} if who == "cy" else set(filter(None, ACCEPTED[state].get(who, "").split(", ")))


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
        return {name: self._db.execute(f"SELECT * FROM {name}") for name in self._names}

    def close(self) -> None:
        self._db.close()


def role_of(who: str) -> commands.Role:
    return ROLES[DEMO_PEOPLE[who]]


def test_the_cells_are_all_commands_and_each_is_carried_out_somewhere() -> None:
    kinds = {kind.__name__ for kind in commands.MAY}
    assert {cell["type"] for cell in CELLS.values()} == kinds
    done = {CELLS[cell]["type"] for state in STATES for who in ACTORS for cell in accepted(state, who)}
    assert done == kinds - {"Tick"}  # which the server itself sends in time


def test_the_matrix_of_the_table_is_held_cell_by_cell(staffed: Staffed, capsys: pytest.CaptureFixture[str]) -> None:
    books, cells, allowed = Books(staffed.server), 0, 0
    may = {kind.__name__: roles for kind, roles in commands.MAY.items()}
    for state, make in STATES.items():
        table = state.replace(" ", "-")
        make(staffed, table)
        before = books.read()
        for who in ACTORS:
            for cell in CELLS.keys() - accepted(state, who):
                status, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                cells += 1
                if who == "nobody":
                    assert (status, answer["detail"]) == (401, "Nobody is signed in here."), (state, cell)
                else:
                    assert status == 409, (state, who, cell, answer)
                    role = role_of(who)
                    not_theirs = answer["detail"] == f"That is not for a {role} to do."
                    assert not_theirs == (role not in may[CELLS[cell]["type"]]), (state, who, cell, answer)
                    assert answer["extra"]["cite"], (state, who, cell)
                assert books.read() == before, (state, who, cell)
    for state, make in STATES.items():
        for who in ACTORS:
            for cell in sorted(accepted(state, who)):
                table = f"{state.replace(' ', '-')}-{allowed}"
                make(staffed, table)
                seq = rows(staffed.server, "SELECT seq FROM chain WHERE id = ?", table)[0][0]
                status, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                cells, allowed = cells + 1, allowed + 1
                assert role_of(who) in may[CELLS[cell]["type"]]
                assert (status, answer.get("accepted")) == (200, True), (state, who, cell, answer)
                found = rows(staffed.server, "SELECT body FROM entry WHERE chain = ? AND seq > ?", table, seq)
                if "waiting" in answer:
                    assert found == [], "one person alone leads to nothing"
                else:
                    assert [(entry_of(body).given.actor, entry_of(body).given.role) for (body,) in found] == [
                        (who, role_of(who))
                    ], (state, cell)
    books.close()
    with capsys.disabled():
        print(f"\nthe table's matrix: {cells} cells, {allowed} of them carried out")  # noqa: T201
    assert cells == len(STATES) * len(ACTORS) * len(CELLS)


def test_a_socket_answers_as_the_api_does(staffed: Staffed) -> None:
    """Authorisation is for each message: the same sentence, whichever way it came."""
    table = "by-socket"
    betting(staffed, table)
    books = Books(staffed.server)
    before = books.read()
    for who in ACTORS[:-1]:
        with staffed.socket(who) as line:
            for number, cell in enumerate(sorted(CELLS.keys() - accepted("betting open", who))):
                _, answer = staffed.order(who, table, CELLS[cell], AT_HAND)
                order = {"key": f"socket-{number}", "table": table, "command": CELLS[cell], "entered": AT_HAND}
                line.send(json.dumps({"type": "order", **order}))
                reply = json.loads(line.recv(5))
                assert (reply["accepted"], reply["why"], reply["cite"]) == (
                    False,
                    answer["detail"],
                    answer["extra"]["cite"],
                ), (who, cell)
    assert books.read() == before
    with live(staffed.server) as line:
        line.send(json.dumps({"type": "order", "key": "k", "table": table, "command": CELLS["Sit free"]}))
        reply = json.loads(line.recv(5))
        assert (reply["accepted"], reply["why"]) == (False, "Nobody is signed in here.")
    assert books.read() == before
    books.close()


# The same for what concerns the whole house.

ACTING = ("ann", "dana", "flo", "sue", "ada", "olga", "nobody")
ACTED = {
    "ann": "BuyIn own, CashOut own",
    "flo": "Suspend, Resume, Fill, Credit, Approve other, Decline own, Decline other, Decline correction, "
    "Decline staff, Note",
    "ada": "Amend, Approve other, Approve correction, Approve staff, Decline own, Decline other, Decline correction, "
    "Decline staff",
    "olga": "OpenTable, CloseTable, Suspend, Resume, BuyIn other, CashOut other, Fill, Credit, Amend, Hire, Dismiss other, "
    "Approve other, Approve correction, Decline own, Decline other, Decline correction, Decline staff, Note, "
    "RecordApproval",
}
"""By person: what is carried out, or waits for a second person, and nothing else is."""


class Acts:
    """Every act of the house, for whoever does it, with what it needs to be possible."""

    def __init__(self, staffed: Staffed) -> None:
        self._staffed, self._number = staffed, count(1)
        self._submission = text_of("cajun-stud-rack-card")

    def of(self, who: str) -> dict[str, Callable[[], dict[str, Any]]]:
        cash = {"amount": 100}
        made: dict[str, Callable[[], dict[str, Any]]] = {
            "OpenTable": lambda: {"table": f"new {next(self._number)}", "submission": self._submission},
            "CloseTable": lambda: {"table": self._table()},
            "Amend": lambda: {"giver": "house", "taker": "patron/ann", "amount": 1, "reason": "a test"},
            "Hire": lambda: {"name": f"temp {next(self._number)}", "post": "dealer", "password": "long enough"},
            "Dismiss own": lambda: {"name": who},
            "Dismiss other": lambda: {"name": self._person()},
            "Note": lambda: {"table": LOCAL, "round": 1, "text": "a patron disputes a payout"},
            "RecordApproval": lambda: {
                "submission": self._submission,
                "date": "2020-02-29",
                "reference": "the Board's letter",
            },
            "Noted": lambda: {"what": "the clock was changed"},
            "Suspend": lambda: {"table": LOCAL, "offer": "progressive", "reason": "the link failed"},
            "Resume": lambda: {"table": LOCAL, "offer": "progressive"},
        }
        for kind in ("BuyIn", "CashOut"):
            made |= {f"{kind} own": lambda: {"patron": who, **cash}, f"{kind} other": lambda: {"patron": "bob", **cash}}
        for kind in ("Fill", "Credit"):
            made[kind] = lambda: {"table": LOCAL, **cash}
        for kind in ("Approve", "Decline"):
            if who in {"flo", "ada", "olga"}:
                made[f"{kind} own"] = lambda: {"id": self._request("Amend" if who == "ada" else "Fill", who)}
            made |= {
                f"{kind} other": lambda: {"id": self._request("Fill", "fred")},
                f"{kind} correction": lambda: {"id": self._request("Amend", "olga" if who == "ada" else "ada")},
                f"{kind} staff": lambda: {"id": self._request("Hire", "olga")},
            }
        return made

    def _table(self) -> str:
        name = f"closing {next(self._number)}"
        self._staffed.acted("olga", "OpenTable", table=name, submission=self._submission)
        return name

    def _person(self) -> str:
        name = f"leaving {next(self._number)}"
        self._staffed.acted("olga", "Hire", name=name, post="patron", password="long enough")  # noqa: S106 (a test's)
        return name

    def _request(self, kind: str, who: str) -> str:
        return str(self._staffed.acted(who, kind, **self.of(who)[kind]())["waiting"])


def test_the_matrix_of_the_house_is_held_cell_by_cell(staffed: Staffed, capsys: pytest.CaptureFixture[str]) -> None:
    books, known, cells, done = Books(staffed.server), Acts(staffed), 0, 0
    may = {kind.__name__: posts for kind, posts in acts.MAY.items()}
    for who in ACTING:
        expected = set(filter(None, ACTED.get(who, "").split(", ")))
        made = known.of(who)
        assert {cell.partition(" ")[0] for cell in made} == set(may)
        for cell in sorted(made):
            kind, facts = cell.partition(" ")[0], made[cell]()
            before = books.read()
            status, answer = staffed.act(who, kind, **facts)
            cells += 1
            if cell in expected:
                done += 1
                assert DEMO_PEOPLE[who] in may[kind], (who, cell)
                assert (status, answer["accepted"]) == (200, True), (who, cell, answer)
                after = books.read()
                more = sum(chain == HOUSE for chain, *_ in after["entry"]) - sum(
                    chain == HOUSE for chain, *_ in before["entry"]
                )
                assert more == (0 if "waiting" in answer else 1), (who, cell)
                moves = kind in {"BuyIn", "CashOut"} or cell in {"Approve other", "Approve correction"}
                assert (after["posting"] != before["posting"]) == moves, (who, cell)
            else:
                if who == "nobody":
                    assert status == 401, cell
                else:
                    assert status == 409, (who, cell, answer)
                    not_theirs = answer["detail"] == f"That is not for a {DEMO_PEOPLE[who]} to do."
                    assert not_theirs == (DEMO_PEOPLE[who] not in may[kind]), (who, cell, answer)
                    assert answer["extra"]["cite"] in {POSTS, SECOND}, (who, cell, answer)
                assert books.read() == before, (who, cell)
    books.close()
    with capsys.disabled():
        print(f"\nthe house's matrix: {cells} cells, {done} of them carried out")  # noqa: T201
    assert sum(amount for (amount,) in rows(staffed.server, "SELECT balance FROM account")) == 0


def test_a_key_of_the_house_is_used_once_too(staffed: Staffed) -> None:
    def bought(amount: int) -> tuple[int, Any]:
        body = {"act": {"type": "BuyIn", "patron": "cy", "amount": amount}}
        return staffed.ask("cy", "POST", "/api/acts", body, **{"idempotency-key": "one-buy-in"})

    before = balance(staffed.server, "patron/cy")
    first = bought(500)
    assert [bought(500) for _ in range(5)] == [first] * 5
    status, answer = bought(600)
    assert (status, answer["extra"]["cite"]) == (409, KEYS)
    assert balance(staffed.server, "patron/cy") - before == 500 * 1_000_000
    hire = {"act": {"type": "Hire", "name": "zoe", "post": "patron", "password": "long enough"}}
    answers = [staffed.ask("olga", "POST", "/api/acts", hire, **{"idempotency-key": "one-zoe"}) for _ in range(3)]
    assert answers == [answers[0]] * 3  # though a password is salted anew each time
    assert answers[0][0] == 200


def test_advice_is_refused_where_nobody_knows_the_cards(staffed: Staffed) -> None:
    asking(staffed, "scanned")
    assert staffed.ask("ann", "GET", "/api/tables/scanned/advice")[0] == 409  # it is her turn
    assert staffed.ask("bob", "GET", "/api/tables/scanned/advice")[0] == 409
    assert staffed.ask("nobody", "GET", "/api/tables/scanned/advice")[0] == 401


LOOKS: dict[str, frozenset[str]] = {
    "/api/session": frozenset(Post),
    "/api/account": frozenset(Post),
    "/api/history": frozenset(Post),
    "/api/approvals": frozenset(Post) - {Post.PATRON},
    "/api/ledger": frozenset({Post.AUDITOR, Post.OPERATOR}),
    "/api/rounds": frozenset(Post),
    "/api/events": frozenset(Post) - {Post.PATRON, Post.DEALER},
    **dict.fromkeys(
        ("/", "/api/tables", f"/api/tables/{LOCAL}", f"/api/tables/{LOCAL}/sign", "/api/meters", "/health", "/ready"),
        frozenset({*Post, "nobody"}),
    ),
}
"""Who may look at what."""


def test_who_may_look_at_what(staffed: Staffed) -> None:
    for path, posts in LOOKS.items():
        for who in ACTING:
            sent = {"authorization": f"Bearer {staffed.tokens[who]}"} if who in staffed.tokens else {}
            status = staffed.line("GET", path, **sent)[0]
            post = DEMO_PEOPLE.get(who, "nobody")
            expected = 200 if post in posts else 401 if who == "nobody" else 403
            assert status == expected, (path, who)
