"""Every screen is accessible: axe finds no serious problem, the page fits a phone, and reduced motion is respected."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from screen import CALCULATION_TIMEOUT, PHONE, Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]

SCREENS = {
    "": (
        "/",
        "/mathematics",
        "/mathematics/caribbean-stud",
        "/training",
        "/training/cajun-stud?drill=pay&seed=5",
        "/training/caribbean-stud?drill=irregular&seed=3",
        "/calculator",
        "/table/cajun-stud",
    ),
    "ann": ("/", "/table/caribbean-stud", "/history"),
    "dana": ("/pit", "/deal/caribbean-stud"),
    "sue": ("/pit", "/deal/caribbean-stud"),
    "flo": ("/pit", "/deal/caribbean-stud", "/auditor"),
    "ada": (
        "/auditor",
        "/auditor?part=rounds",
        "/auditor?part=chains",
        "/auditor?part=clauses",
        "/auditor?part=clauses&cite=639a.11(c)(3)(i)",
        "/auditor?part=events",
        "/auditor?part=ledger",
        "/pit",
    ),
    "olga": ("/operator", "/pit", "/auditor"),
}
"""The screens of the house, by viewer."""
MOVES = """() => {
    window.moves = 0
    const look = () => {
        moves += document.getAnimations().filter((one) => one.playState === 'running').length
        requestAnimationFrame(look)
    }
    look()
}"""
"""Script that counts the running animations of a page in every frame."""


def _open_screen(screen: Screen, path: str) -> None:
    """Go to a screen, and wait until it is complete."""
    screen.go(path)
    expect(screen.page.locator("h1").first).to_be_attached(timeout=CALCULATION_TIMEOUT)
    screen.wait_until_quiet()


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_no_serious_or_critical_problem(people: Enter, name: str) -> None:
    screen = people()
    if name:
        screen.sign_in(name)  # with one click, as everybody of the demonstration may
    for path in SCREENS[name]:
        _open_screen(screen, path)
        where, _, asked = path.partition("?")
        part = asked.partition("&")[0].partition("part=")[2]
        screen.picture("-".join(filter(None, ((name or "public") + where.replace("/", "-"), part))))
        assert screen.violations() == [], path
        assert screen.page.title().endswith("Pitboss") or screen.page.title().startswith("Pitboss"), path


@pytest.mark.parametrize("name", SCREENS)
def test_no_screen_is_wider_than_a_phone(people: Enter, name: str) -> None:
    screen = people(name, size=PHONE)
    for path in SCREENS[name]:
        _open_screen(screen, path)
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_play_money_and_the_help_line_are_always_in_view(people: Enter) -> None:
    """58 Pa. Code § 639a.2(b) requires notices; the house adds that this is play money."""
    screen = people("ann")
    for path in ("/", "/table/caribbean-stud", "/history"):
        screen.go(path)
        for words in ("Play money", "1-800-GAMBLER"):
            expect(screen.page.locator("footer").get_by_text(words)).to_be_in_viewport()


def test_nothing_moves_with_reduced_motion(people: Enter, house: SharedHouse) -> None:
    """`prefers-reduced-motion`: cards appear; with motion they travel, and an animation can be seen to run."""
    screens = {}
    for name, still in (("ann", True), ("bob", False)):
        screen = screens[name] = people(name, still=still).sit(house.table("four-card-prime", rest=2), 2)
        screen.page.evaluate(MOVES)
        screen.put(2, ante=1).wager().decide(0)
        screen.settled()
    screens["bob"].page.wait_for_function("moves > 0")
    assert screens["ann"].page.evaluate("moves") == 0
    for screen in screens.values():
        expect(screen.page.locator("[role=status]")).to_contain_text("Place your bets")
        screen.stand()
        expect(screen.page.locator("[data-sit='2']")).to_be_visible()
    assert screens["ann"].page.evaluate("moves") == 0


def test_the_first_view_loads_little_script(people: Enter) -> None:
    """Under 150 kB of compressed script: the goal for the first view, measured after compression."""
    import gzip  # noqa: PLC0415 (for this figure only)

    screen = people()
    scripts: dict[str, int] = {}
    screen.page.on(
        "response",
        lambda answer: (
            scripts.update({answer.url: len(gzip.compress(answer.body()))}) if answer.url.endswith(".js") else None
        ),
    )
    screen.go("/")
    expect(screen.page.locator("[data-table]").first).to_be_visible()
    assert scripts
    assert sum(scripts.values()) < 150_000, scripts
