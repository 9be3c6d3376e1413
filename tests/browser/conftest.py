"""A house on a real server for the tests of a file, and people at real browsers that must log no errors."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser
from screen import Screen, chromium
from shared_house import SharedHouse

Seat = Callable[..., Screen]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium for the tests of a file: it runs an event loop that must not outlive them."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedHouse]:
    """A demonstration for the tests of a file; each test has its own tables and patrons."""
    house = SharedHouse(tmp_path_factory.mktemp("house") / "data")
    house.start()
    yield house
    house.stop()


@pytest.fixture
def people(browser: Browser, house: SharedHouse) -> Iterator[Seat]:
    """Opens browsers, signed in where a name is given; at the end no browser may have logged an error."""
    opened: list[Screen] = []

    def enter(name: str = "", *, size: dict[str, int] | None = None, still: bool = True) -> Screen:
        screen = Screen(browser, house.url, size=size, still=still)
        opened.append(screen)
        return screen.use_session(*house.guest(name)) if name else screen

    yield enter
    wrong = [line for screen in opened for line in screen.wrong]
    for screen in opened:
        screen.close()
    assert wrong == []
