"""Visitors who are lost or far away: a page for an unknown address, and times in the house's zone."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from house_server import Server
from playwright.sync_api import Browser, Page, expect
from screen import PHONE, Screen

from pitboss.disclaimer import DISCLAIMER
from pitboss.house.zone import parse_time

Enter = Callable[..., Screen]
ZONE = "America/Chicago"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house in Chicago, for all tests of this file."""
    server = Server(tmp_path_factory.mktemp("first-look") / "data", PITBOSS_TIMEZONE=ZONE).start()
    yield server
    server.stop()


@pytest.fixture
def far_away(browser: Browser, house: Server) -> Iterator[Page]:
    """The auditor at a browser whose clock is Tokyo's."""
    context = browser.new_context(timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.goto(house.url)
    page.click("[data-person=ada]")
    expect(page.locator("header.top")).to_contain_text("ada")
    yield page
    context.close()


@pytest.mark.parametrize("size", [None, PHONE])
def test_an_unknown_address_shows_a_page_with_links(people: Enter, size: dict[str, int] | None) -> None:
    lost = people(size=size)
    answer = lost.page.goto(f"{lost.url}/nosuch")
    assert answer
    assert answer.status == 404
    expect(lost.page.locator("main")).to_contain_text("The house has no screen at /nosuch.")
    assert lost.violations() == []
    # The browser logs the status of the page itself and nothing else.
    assert [line for line in lost.wrong if "status of 404" in line and line.endswith("/nosuch)")] == lost.wrong
    lost.wrong.clear()
    ways = lost.page.locator("main a")
    assert [way.get_attribute("href") for way in ways.all()] == ["/", "/mathematics", "/training"]
    ways.first.click()
    expect(lost.page.locator("main")).to_contain_text("Come in")


def test_a_trailing_slash_shows_the_same_screen(people: Enter) -> None:
    expect(people().go("/training/").page.locator("main.training")).to_be_visible()


def test_the_footer_has_the_disclaimer_and_the_time_zone(people: Enter) -> None:
    screen = people().go("/")
    whole = screen.page.locator("#disclaimer")
    expect(whole).to_be_hidden()
    screen.page.get_by_role("button", name="Not legal advice, not certified, not from the Board").click()
    expect(whole).to_be_visible()
    expect(whole).to_contain_text(DISCLAIMER)
    expect(whole).to_contain_text(f"Times are those of {ZONE}.")
    assert screen.violations() == []


def test_on_a_phone_the_disclaimer_takes_no_line_of_its_own(people: Enter) -> None:
    screen = people(size=PHONE).go("/")
    button, options = screen.page.locator("footer [popovertarget]"), screen.page.locator("footer .options")
    button.wait_for()
    mine, theirs = button.bounding_box(), options.bounding_box()
    assert mine
    assert theirs
    assert mine["y"] < theirs["y"] + theirs["height"]
    assert theirs["y"] < mine["y"] + mine["height"]


def test_times_are_in_the_houses_zone_wherever_the_browser_is(far_away: Page, house: Server) -> None:
    _, events = house.request("GET", "/api/events", token=house.sign_in("ada"))
    far_away.goto(f"{house.url}/auditor?part=events")
    cells = far_away.locator("[data-event] td:first-child")
    expect(cells).to_have_count(len(events))
    for cell, event in zip(cells.all_inner_texts(), events, strict=True):
        *_, zone = cell.split()
        assert zone in {"CST", "CDT"}
        shown = datetime.strptime(cell.replace("\u202f", " ").rpartition(" ")[0], "%b %d, %Y, %I:%M:%S %p")  # noqa: DTZ007 (of the house)
        assert event["time"] in {parse_time(shown.isoformat(), ZONE), parse_time(shown.isoformat(), ZONE, end=True)}


@pytest.mark.parametrize(
    ("typed", "since", "until"),
    [
        ("2026-01-31T18:30:00", "2026-02-01T00:30:00", "2026-02-01T00:30:00"),
        ("2026-07-31T18:30:05", "2026-07-31T23:30:05", "2026-07-31T23:30:05"),
        ("2026-11-01T00:59:59", "2026-11-01T05:59:59", "2026-11-01T05:59:59"),
        ("2026-11-01T01:30:00", "2026-11-01T06:30:00", "2026-11-01T07:30:00"),  # comes twice
        ("2026-11-01T02:00:00", "2026-11-01T08:00:00", "2026-11-01T08:00:00"),
        ("2026-03-08T01:59:59", "2026-03-08T07:59:59", "2026-03-08T07:59:59"),
        ("2026-03-08T02:30:00", "2026-03-08T07:30:00", "2026-03-08T08:30:00"),  # never comes
        ("2026-03-08T03:00:00", "2026-03-08T08:00:00", "2026-03-08T08:00:00"),
    ],
)
def test_a_typed_time_is_in_the_houses_zone_even_when_clocks_change(
    far_away: Page, house: Server, typed: str, since: str, until: str
) -> None:
    far_away.goto(f"{house.url}/auditor?part=log&chain=house")
    for label in ("From", "to"):
        far_away.get_by_label(label, exact=True).fill(typed)
    far_away.click("[data-do=look]")
    seconds = [int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) for text in (since, until)]
    far_away.wait_for_url(f"**since={seconds[0]}&until={seconds[1]}")
    assert [parse_time(typed, ZONE), parse_time(typed, ZONE, end=True)] == seconds  # as `pitboss audit` reads it
    if seconds[0] == seconds[1]:
        far_away.reload()
        expect(far_away.get_by_label("From", exact=True)).to_have_value(typed.removesuffix(":00"))
