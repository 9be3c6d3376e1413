"""Who comes to the house's address: HEAD is answered, an unknown address is a page, and programs keep their JSON."""

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
"""Where it is another day now than in Pennsylvania."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house in another time zone than the default."""
    server = Server(tmp_path_factory.mktemp("door") / "data", PITBOSS_TIMEZONE=ZONE).start()
    yield server
    server.stop()


def asked(server: Server, method: str, path: str) -> httpx.Response:
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


def test_head_of_every_screen_and_asset_is_get_without_a_body(server: Server) -> None:
    for path in addresses():
        got, head = asked(server, "GET", path), asked(server, "HEAD", path)
        assert (got.status_code, head.status_code, head.content) == (200, 200, b""), path
        assert got.content
        said = [{name: value for name, value in one.headers.items() if name != "date"} for one in (got, head)]
        assert said[0] == said[1], path
        assert "content-length" in said[1]


@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/at/all", "/round/cajun-stud/first", "/table", "/apiary"])
def test_an_unknown_address_is_a_page(server: Server, path: str) -> None:
    got, head = asked(server, "GET", path), asked(server, "HEAD", path)
    assert (got.status_code, head.status_code, head.content) == (404, 404, b"")
    assert got.headers["content-type"] == head.headers["content-type"] == "text/html; charset=utf-8"
    assert got.text == asked(server, "GET", "/").text
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
def test_what_programs_ask_for_in_vain_is_json(server: Server, method: str, path: str) -> None:
    answer = asked(server, method, path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json()["status_code"] == 404
    assert answer.json()["detail"]


def test_the_house_tells_screens_its_time_zone_and_what_it_is_not(server: Server) -> None:
    told = asked(server, "GET", "/api/house").json()
    assert told["timezone"] == ZONE
    assert told["disclaimer"] == DISCLAIMER
    assert told["disclaimer_short"] == "Not legal advice, not certified, not from the Board"


def test_serve_says_where_it_is_in_plain_lines_where_nobody_looks_at_a_terminal(server: Server) -> None:
    printed = (server.data.parent / "server.log").read_text("utf-8")
    assert f"The house is open at {server.url}\n" in "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    assert f"{ZONE} ({datetime.now(ZoneInfo(ZONE)):%Z})" in printed
    assert str(server.data) in printed
    assert not set("╭│╰─\x1b") & set(printed)


def test_an_approval_is_dated_by_the_clocks_of_the_house(server: Server) -> None:
    text, later = text_of("cajun-stud-standard"), max(today(ZONE), today(PENNSYLVANIA))
    approval = {"type": "RecordApproval", "submission": text, "date": later.isoformat(), "reference": "Letter 7"}
    status, _ = server.act(server.sign_in("olga"), "approved", **approval)
    assert status == (200 if later == today(ZONE) else 409)
