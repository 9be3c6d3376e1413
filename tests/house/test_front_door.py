"""Requests to the house's address: HEAD works, an unknown address shows a page, and the API answers in JSON."""

from collections.abc import Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

import httpx
import pytest
from house_server import Server

from pitboss.disclaimer import DISCLAIMER
from pitboss.house.zone import PENNSYLVANIA
from pitboss.submission import text_of
from pitboss.web.front_end import SCREENS, STATIC_FOLDER


def today(zone: str) -> date:
    return datetime.now(ZoneInfo(zone)).date()


ZONE = next(zone for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago") if today(zone) != today(PENNSYLVANIA))
"""A zone where the date differs from Pennsylvania's now."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house in another time zone than the default."""
    server = Server(tmp_path_factory.mktemp("door") / "data", PITBOSS_TIMEZONE=ZONE).start()
    yield server
    server.stop()


def send(server: Server, method: str, path: str) -> httpx.Response:
    return httpx.request(method, server.url + path, timeout=20)


def addresses() -> list[str]:
    kinds = {"{table:str}": "cajun-stud", "{number:int}": "1", "{game:str}": "cajun-stud", "{part:str}": "dealer"}
    screens = []
    for pattern in SCREENS:
        path: str = pattern
        for kind, value in kinds.items():
            path = path.replace(kind, value)
        screens.append(path)
    files = {file.suffix: f"/assets/{file.name}" for file in (STATIC_FOLDER / "assets").iterdir()}
    assert {".js", ".css"} <= files.keys()
    return [*screens, *files.values()]


def test_head_equals_get_without_a_body(server: Server) -> None:
    for path in addresses():
        got, head = send(server, "GET", path), send(server, "HEAD", path)
        assert (got.status_code, head.status_code, head.content) == (200, 200, b""), path
        assert got.content
        said = [{name: value for name, value in one.headers.items() if name != "date"} for one in (got, head)]
        assert said[0] == said[1], path
        assert "content-length" in said[1]


@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/at/all", "/round/cajun-stud/first", "/table", "/apiary"])
def test_an_unknown_address_shows_a_page(server: Server, path: str) -> None:
    got, head = send(server, "GET", path), send(server, "HEAD", path)
    assert (got.status_code, head.status_code, head.content) == (404, 404, b"")
    assert got.headers["content-type"] == head.headers["content-type"] == "text/html; charset=utf-8"
    assert got.text == send(server, "GET", "/").text
    assert "content-security-policy" in got.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api"),
        ("GET", "/api/nosuch"),
        ("GET", "/api/tables/nosuch"),
        ("GET", "/assets/nosuch.js"),
        ("GET", "/assets/..%2findex.html"),
        ("POST", "/nosuch"),
    ],
)
def test_unknown_api_paths_answer_in_json(server: Server, method: str, path: str) -> None:
    answer = send(server, method, path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json()["status_code"] == 404
    assert answer.json()["detail"]


def test_the_house_sends_its_time_zone_and_disclaimer(server: Server) -> None:
    told = send(server, "GET", "/api/house").json()
    assert told["timezone"] == ZONE
    assert told["disclaimer"] == DISCLAIMER
    assert told["disclaimer_short"] == "Not legal advice, not certified, not from the Board"


def test_serve_prints_plain_lines_without_a_terminal(server: Server) -> None:
    printed = (server.data.parent / "server.log").read_text("utf-8")
    assert f"The house is open at {server.url}\n" in "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    assert f"{ZONE} ({datetime.now(ZoneInfo(ZONE)):%Z})" in printed
    assert str(server.data) in printed
    assert not set("╭│╰─\x1b") & set(printed)


def test_an_approval_is_dated_in_the_houses_time_zone(server: Server) -> None:
    text, later = text_of("cajun-stud-standard"), max(today(ZONE), today(PENNSYLVANIA))
    approval = {"type": "RecordApproval", "submission": text, "date": later.isoformat(), "reference": "Letter 7"}
    status, _ = server.act(server.sign_in("olga"), "approved", **approval)
    assert status == (200 if later == today(ZONE) else 409)
