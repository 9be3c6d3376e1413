"""Sessions: cookies and tokens, allowed origins, and the rate limit."""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from approved_submissions import approved_text
from house_server import PASSWORD
from staffed_house import (
    LOCAL,
    WRONG,
    Staffed,
    disk_bytes,
    open_socket,
    query,
    read_json,
    staffed_server,
    time_of_closing,
)
from waiting import TIMEOUT, until
from websockets.exceptions import InvalidStatus

from pitboss.house.config import Config
from pitboss.house.office import acts, people
from pitboss.house.office.office import HOUSE_PERSON, Office
from pitboss.house.office.people import Post
from pitboss.house.startup import connect, prepare_database


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server with everybody signed in."""
    with staffed_server(tmp_path_factory.mktemp("people") / "data") as house:
        yield house


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server behind a proxy, with real money and people of its own, that takes two orders a second and ten at once."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "tables").mkdir()
    (folder / "tables" / f"{LOCAL}.toml").write_text(approved_text("639a"), "utf-8")
    db = connect(Config(data=str(folder / "data")))
    prepare_database(db)
    for name, post in {"pia": Post.PATRON, "paul": Post.PATRON, "otto": Post.OPERATOR}.items():
        assert (
            Office(db, time.time).do(HOUSE_PERSON, acts.Hire(name, post, people.hash_password(PASSWORD)), name).accepted
        )
    db.close()
    settings = {
        "PITBOSS_DEMO": "false",
        "PITBOSS_TABLES": str(folder / "tables"),
        "PITBOSS_ORIGIN": "https://house.example",
        "PITBOSS_PLAY_MONEY": "false",
        "PITBOSS_ORDERS_PER_SECOND": "2",
    }
    with staffed_server(folder / "data", "pia", "paul", "otto", **settings) as house:
        yield house


# Cookies and tokens.


def test_a_session_is_known_by_cookie_and_by_token(staffed: Staffed) -> None:
    status, headers, text = staffed.line("POST", "/api/session", {"name": "sue", "password": PASSWORD})
    who = read_json(text)
    assert status == 201
    assert (who["name"], who["post"]) == ("sue", "surveillance")
    assert (who["may"], who["acts"]) == (["see-floor", "oversee"], [])  # surveillance watches and never acts
    assert headers["set-cookie"].startswith(f"pitboss={who['token']};")
    for sent in ({"cookie": f"pitboss={who['token']}"}, {"authorization": f"Bearer {who['token']}"}):
        status, _, text = staffed.line("GET", "/api/session", **sent)
        assert (status, read_json(text)) == (
            200,
            {**who, "token": ""},
        )


def test_a_cookie_is_http_only_and_same_site(staffed: Staffed, strict: Staffed) -> None:
    flags = {}
    for house, name in ((staffed, "olga"), (strict, "otto")):
        _, headers, _ = house.line("POST", "/api/session", {"name": name, "password": PASSWORD})
        flags[house] = {flag.strip().lower() for flag in headers["set-cookie"].split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= flags[house]
        assert not any(flag.startswith("domain") for flag in flags[house])
    assert "secure" in flags[strict]
    assert "secure" not in flags[staffed]  # plain HTTP, on this machine only


def test_only_hashes_of_passwords_and_sessions_are_stored(staffed: Staffed) -> None:
    secret = "correct horse battery"  # noqa: S105 (a test's)
    staffed.hire("hana", "dealer", secret)
    assert staffed.ask("hana", "GET", "/api/session")[0] == 200
    everything = disk_bytes(staffed.server) + (staffed.server.data.parent / "server.log").read_bytes()
    assert secret.encode() not in everything
    assert PASSWORD.encode() not in disk_bytes(staffed.server)
    assert [name for name, token in staffed.tokens.items() if token.encode() in everything] == []
    for (password,) in query(staffed.server, "SELECT password FROM person"):
        form = re.fullmatch(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$[\w+/]{22,}\$[\w+/]{43,}", password)
        assert form, password
        assert int(form[1]) >= 19 * 1024  # KiB, and
        assert int(form[2]) >= 2
    sessions = {name for (name,) in query(staffed.server, "SELECT id FROM session")}
    assert {hashlib.sha256(token.encode()).hexdigest() for token in staffed.tokens.values()} <= sessions
    assert staffed.act("olga", "Hire", name="short", post="dealer", password="123456789")[0] == 409  # noqa: S106


def test_sockets_close_after_sign_out_and_revocation(staffed: Staffed, tell: Callable[[str], None]) -> None:
    """Also sockets that a proxy would keep open: the server closes them, and their tokens are invalid.

    Within a second, where the machine is not busy: test_sessions.py holds how often the server looks for them.
    """
    other = "another password"
    took: dict[str, list[float]] = {"sign-out": [], "dismissal": [], "another post": []}
    for name in ("gail", "gus", "gwen"):
        staffed.hire(name, "floorperson", other)
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
                assert json.loads(line.recv(TIMEOUT))["type"] == "table"
            begun = time.monotonic()
            assert over()[0] in {200, 204}
            took[way] = [time_of_closing(line) - begun for line in lines]
            over_now = "the token is worth nothing"
            until(lambda: staffed.ask(name, "GET", "/api/session")[0] == 401, over_now)  # noqa: B023 (it is used at once)
        stays.send(json.dumps({"type": "ping"}))
        assert json.loads(stays.recv(TIMEOUT))["type"] == "pong"
    slowest = {way: max(times) for way, times in took.items()}
    tell("sockets closed after " + ", ".join(f"{way} {most:.3f} s" for way, most in slowest.items()))
    refused = staffed.server.request("POST", "/api/session", {"name": "gus", "password": other})
    unknown = staffed.server.request("POST", "/api/session", {"name": "nobody", "password": other})
    assert refused == unknown
    assert refused[0] == 401


# Origins.

ELSEWHERE = ("https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "http://[", "x", "")


def test_refuses_requests_from_another_site(staffed: Staffed) -> None:
    line, server, token = staffed.line, staffed.server, staffed.tokens["cy"]
    body = {"name": "cy", "password": WRONG}
    cookie = f"pitboss={token}"
    csrf = read_json(line("GET", "/api/session", cookie=cookie)[2])["csrf"]
    away = {"command": {"type": "Sit", "seat": 99}}
    order = f"/api/tables/{LOCAL}/orders"
    for origin in ELSEWHERE:
        assert line("POST", "/api/session", body, origin=origin)[0] == 403, origin
        sent = {"cookie": cookie, "x-csrf-token": csrf, "idempotency-key": "away", "origin": origin}
        assert line("POST", order, away, **sent)[0] == 403, origin
        assert line("DELETE", "/api/session", **sent)[0] == 403, origin
        with pytest.raises(InvalidStatus) as refused, open_socket(server, cookie=cookie, origin=origin):
            pass
        assert refused.value.response.status_code == 403, origin
    assert query(server, "SELECT failures FROM person WHERE name = 'cy'") == [(0,)]
    here = {"cookie": cookie, "x-csrf-token": csrf, "idempotency-key": "here", "origin": server.url}
    assert line("POST", order, away, **here)[0] == 409  # no such seat: the request reached the table
    with open_socket(server, cookie=cookie, origin=server.url) as fine:
        fine.send(json.dumps({"type": "ping"}))
        assert json.loads(fine.recv(TIMEOUT))["type"] == "pong"


def test_behind_a_proxy_the_configured_origin_counts(strict: Staffed) -> None:
    body = {"name": "pia", "password": PASSWORD}
    assert strict.line("POST", "/api/session", body, origin="https://house.example")[0] == 201
    assert strict.line("POST", "/api/session", body, origin="https://house.example.evil")[0] == 403
    with open_socket(strict.server, origin="https://house.example"):
        pass


def test_a_change_needs_more_than_a_cookie_but_only_a_token(staffed: Staffed) -> None:
    line = staffed.line
    mine, others = (f"pitboss={staffed.tokens[name]}" for name in ("cy", "bob"))
    csrf = {
        who: read_json(line("GET", "/api/session", cookie=cookie)[2])["csrf"]
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
            assert (status, read_json(text)["detail"]) == (403, "The header X-CSRF-Token is missing or wrong."), (
                path,
                wrong,
            )
    for (method, path), body in list(paths.items())[:2]:
        right = line(method, path, body, cookie=mine, idempotency_key="by-cookie", x_csrf_token=csrf["cy"])
        assert right[0] == 409  # refused by the table: the request was allowed
        assert (
            line(method, path, body, idempotency_key="by-token", authorization=f"Bearer {staffed.tokens['cy']}")[0]
            == 409
        )
    assert line("GET", "/api/account", cookie=mine)[0] == 200  # looking needs none


# The rate limit.


def test_the_rate_limit_is_per_person(strict: Staffed) -> None:
    away = {"type": "Sit", "seat": 99}
    begun = time.monotonic()
    answers = [strict.order("pia", LOCAL, away)[0] for _ in range(30)]
    allowed = 10 + 2 * (time.monotonic() - begun)  # ten at once, two more each second
    assert answers[:10] == [409] * 10
    assert answers.count(409) <= allowed + 1
    assert set(answers[10:]) == {409, 429} or set(answers[10:]) == {429}
    assert strict.order("paul", LOCAL, away)[0] == 409
    begun = time.monotonic()
    with strict.socket("paul") as line:
        for number in range(30):
            line.send(json.dumps({"type": "order", "key": f"often-{number}", "table": LOCAL, "command": away}))
        replies = [json.loads(line.recv(TIMEOUT)) for _ in range(30)]
    slowed = [reply for reply in replies if reply["why"] == "Too many orders; wait a moment."]
    assert 30 - 10 - 2 * (time.monotonic() - begun) - 1 <= len(slowed) <= 21
    assert slowed
    assert not any(reply["accepted"] for reply in replies)
    slowed_keys = {reply["key"] for reply in slowed}
    until(lambda: strict.order("pia", LOCAL, away)[0] == 409, "who waited may order again")
    written = {key for (key,) in query(strict.server, "SELECT key FROM answered WHERE person = 'paul'")}
    assert not slowed_keys & written  # the same key may be sent again later


def test_with_real_money_only_the_cage_buys_in(strict: Staffed) -> None:
    before = query(strict.server, "SELECT * FROM account ORDER BY name")
    for kind in ("BuyIn", "CashOut"):
        status, answer = strict.act("paul", kind, patron="paul", amount=100)
        while status == 429:
            time.sleep(0.3)
            status, answer = strict.act("paul", kind, patron="paul", amount=100)
        assert (status, answer["detail"]) == (403, "With real money, only the cage buys in and cashes out.")
    assert query(strict.server, "SELECT * FROM account ORDER BY name") == before
    strict.act_ok("otto", "BuyIn", patron="paul", amount=100)
