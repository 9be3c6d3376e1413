"""A house on a real server, and people at real browsers, who may leave without a complaint of theirs unheard."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from house_server import Server
from playwright.sync_api import Browser, sync_playwright
from screen import Screen, chromium

Seat = Callable[..., Screen]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium for the tests of a file: while it is driven, an event loop runs that other tests must not meet."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        yield browser
        browser.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Server]:
    """A demonstration whose settled rounds lie on the table long enough for a browser to see them."""
    server = Server(tmp_path / "data", PITBOSS_REST="3", PITBOSS_PAUSE="2", PITBOSS_BETTING="30").start()
    yield server
    server.stop()


@pytest.fixture
def people(browser: Browser, house: Server) -> Iterator[Seat]:
    """Opens browsers; at the end no browser may have complained of anything."""
    opened: list[Screen] = []

    def enter(name: str = "", *, size: dict[str, int] | None = None, still: bool = True) -> Screen:
        screen = Screen(browser, house.url, size=size, still=still)
        opened.append(screen)
        return screen.come(name) if name else screen

    yield enter
    wrong = [line for screen in opened for line in screen.wrong]
    for screen in opened:
        screen.close()
    assert wrong == []


@pytest.fixture
def dealt_by_hand(house: Server) -> Callable[..., str]:
    """Opens a table that a person deals, from a scanned shoe where one is asked for."""

    def opened(preset: str = "caribbean-stud-standard", *, scanned: bool = False, table: str = "by-hand") -> str:
        olga = house.sign_in("olga")
        status, presets = house.request("GET", "/api/presets", token=olga)
        assert status == 200, presets
        text = next(one["text"] for one in presets if one["name"] == preset)
        act = {"type": "OpenTable", "table": table, "submission": text, "scanned": scanned}
        status, done = house.act(olga, f"open-{table}", **act, settings={"automatic": False})
        assert status == 200, json.dumps(done)
        return table

    return opened
