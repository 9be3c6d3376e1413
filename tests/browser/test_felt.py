"""Text and objects on the felt in a real browser: complete, without overlap, and as the Submission says."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect
from screen import PHONE, Screen
from shared_house import SharedHouse

from pitboss.report.layout.sheet import layout_paper
from pitboss.submission import text_of

Enter = Callable[..., Screen]
LARGE = {"width": 1600, "height": 1200}
"""Where no letter of the felt is rounded to a pixel of the screen too many."""
ALWAYS = {'"1 in 100"': '"1 in 1"', '"1 in 20"': '"1 in 1"'}
"""The table game system draws a card and a position in every round."""
ENVY = {'[wagers.progressive]      # Progressive Payout\npaytable = "A"': '[wagers.progressive]\npaytable = "H"'}
LIMIT = {
    "# payout_limit = 50_000": "payout_limit = 50_000",
    '[wagers.all-six]\npaytable = "A"': '[wagers.all-six]\npaytable = "E"',
}
FELTS = {
    "everything": ("caribbean-stud-standard", {}),
    "envy": ("caribbean-stud-standard", ENVY),
    "limit": ("four-card-prime-standard", LIMIT),
    "rack-card": ("cajun-stud-rack-card", {}),
    "standard": ("cajun-stud-standard", {}),
}
"""By name: a preset and the changes to it; an Envy Bonus, long names and a long notice fill the cloth most."""
AREAS = {
    "everything": (7, "ante bet progressive bonus five-card-hand-player five-card-hand-dealer"),
    "limit": (6, "ante raise prime aces-bonus all-six"),
    "standard": (6, "ante raise-1 raise-2 raise-3 pocket-bonus board-bonus lo-ball all-six"),
}
"""Sections 639a.2(b)(2) to (5), 682a.2(b)(2) and (3), 683a.2(b)(2) and (3): these areas for this many players."""
OVERLAPS = """() => {
    const box = (one) => one.getBoundingClientRect()
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    const odds = [...document.querySelectorAll('[data-odds] text')]
    const spots = [...document.querySelectorAll('[data-spot] > circle, [data-spot] > rect')]
    const arcs = [...document.querySelectorAll('[data-arc]')].at(-1)
    const found = []
    odds.forEach((one, i) => [...odds.slice(i + 1), ...spots, arcs].forEach((other) => {
        if (over(box(one), box(other))) found.push(`${one.textContent} / ${other.textContent || other.parentNode.dataset.spot}`)
    }))
    return found
}"""
CUT = """() => [...document.querySelectorAll('[data-arc]')].filter((one) => one.getComputedTextLength()
    > document.querySelector(one.firstElementChild.getAttribute('href')).getTotalLength()).map((one) => one.textContent)"""


@pytest.mark.proves(
    "639a.2(b)(1)",
    "639a.2(b)(2)",
    "639a.2(b)(3)",
    "639a.2(b)(4)",
    "639a.2(b)(5)",
    "682a.2(b)(1)",
    "682a.2(b)(2)",
    "682a.2(b)(3)",
    "683a.2(b)(1)",
    "683a.2(b)(2)",
    "683a.2(b)(3)",
)
def test_the_felt_shows_all_odds_limits_and_notices_in_full(people: Enter, house: SharedHouse) -> None:
    """§§ 639a.2(b)(1)–(7), 682a.2(b)(1)–(5), 683a.2(b)(1)–(5): owner, areas, all odds, ace-king, the payout limit."""
    screen = people(size=LARGE)
    for name, (preset, changes) in FELTS.items():
        table = house.table(preset, changes=changes)
        screen.go(f"/table/{table}")
        expect(screen.page.locator("svg.felt")).to_be_visible()
        _, felt = house.request("GET", f"/api/tables/{table}/layout")
        printed = {str(one.get_attribute("data-odds")): one for one in screen.page.locator("[data-odds]").all()}
        assert list(printed) == [panel["title"] for panel in felt["panels"]]
        for panel in felt["panels"]:
            words = [panel["title"], *(word for row in panel["rows"] for word in (row["hand"], row["pays"]))]
            assert _lines(printed[panel["title"]].locator("text").all_text_contents()) == " ".join(words)
        arcs = {kind: _lines(_arcs(screen, kind)) for kind in ("owner", "title", "notice", "limits")}
        assert arcs["owner"] == "Pitboss Demonstration Casino"
        assert arcs["title"] == felt["title"]
        assert arcs["notice"] == " ".join(notice["text"] for notice in felt["notices"])
        for spot in felt["spots"]:
            assert spot["title"].partition(",")[0] in arcs["limits"]
            assert spot["limits"] in arcs["limits"]
            expect(screen.page.locator(f"[data-spot$='/{spot['name']}']")).to_have_count(felt["seats"])
        if name in AREAS:
            players, areas = AREAS[name]
            marked = [str(spot.get_attribute("data-spot")) for spot in screen.page.locator("[data-spot]").all()]
            expected = {f"{seat}/{area}" for seat in range(1, players + 1) for area in areas.split()}
            assert len(marked) == len(expected)
            assert set(marked) == expected
        assert screen.page.evaluate(OVERLAPS) == []
        assert screen.page.evaluate(CUT) == []
        screen.picture(f"felt-{name}")
        assert _felt_texts(screen) == _sheet_texts(preset, changes)


def _felt_texts(screen: Screen) -> list[str]:
    """Every text printed on the felt of a screen, without seat numbers and objects."""
    texts = "[data-arc], [data-odds] text, [data-spot] text.name, text.place"
    return sorted(screen.page.locator("svg.felt").locator(texts).all_text_contents())


def _sheet_texts(preset: str, changes: dict[str, str]) -> list[str]:
    """The same of the sheet that is filed with the Board."""
    text = text_of(preset)
    for old, new in changes.items():
        text = text.replace(old, new)
    found = ET.fromstring(layout_paper(text).plain).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 (our own)
    return sorted("".join(one.itertext()) for one in found if one.get("class") != "seat")


def _arcs(screen: Screen, kind: str) -> list[str]:
    return screen.page.locator(f"[data-arc={kind}]").all_text_contents()


def _lines(texts: list[str]) -> str:
    """Return lines as one text; a line may be broken behind a dash."""
    return " ".join(texts).replace("— ", "—")


def test_every_felt_shows_the_magic_card_and_the_lucky_position(people: Enter, house: SharedHouse) -> None:
    """§ 639a.1, Magic Card Bonus and Lucky Bonus: everybody sees the card and the position drawn."""
    table = house.table("caribbean-stud", changes=ALWAYS, rest=3600)
    ann = people("ann").sit(table, 3)
    ann.page.click("[data-do=whole]")
    ann.put(3, ante=1).page.click("[data-spot='3/five-card-hand-player']")
    screens = [ann, people("dana").go(f"/deal/{table}"), people("sue", size=PHONE).go(f"/table/{table}")]
    for screen in screens:
        expect(screen.page.locator("svg.felt")).to_be_visible()
        expect(screen.page.locator("[data-magic], [data-lucky]")).to_have_count(0)
    ann.wager()
    ann.page.locator("[data-multiple='2']").wait_for()
    view = _view(house, table)
    assert view["magic"]
    assert len(view["lucky"]) == 1
    for screen in screens:
        _assert_draws_shown(screen, view)
    ann.picture("felt-drawn")
    assert ann.violations() == []
    ann.decide(2)
    ann.settled()
    _assert_draws_shown(ann, view)


def test_the_magic_card_and_the_lucky_position_last_one_round_and_are_replayed(
    people: Enter, house: SharedHouse
) -> None:
    """§ 639a.1, Magic Card Bonus and Lucky Bonus: the felt of the next round does not show them."""
    table = house.table("caribbean-stud", changes=ALWAYS, rest=0)
    ann = people("ann")
    house.order(ann.token, table, type="Sit", seat=3)
    house.order(ann.token, table, type="Wager", seat=3, wagers={"ante": 500})
    view = _view(house, table)
    ann.go(f"/table/{table}")
    _assert_draws_shown(ann, view)
    ann.decide(2)
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    ann.put(3, ante=1)  # the result stays in view until the next wager
    expect(ann.page.locator("[data-magic], [data-lucky]")).to_have_count(0)
    ann.go(f"/round/{table}/1")
    _assert_draws_shown(ann, view)
    ann.page.get_by_role("slider").fill("0")
    expect(ann.page.locator("[data-magic], [data-lucky]")).to_have_count(0)


def _view(house: SharedHouse, table: str) -> dict[str, Any]:
    _, shown = house.request("GET", f"/api/tables/{table}")
    view: dict[str, Any] = shown["view"]
    return view


def _assert_draws_shown(screen: Screen, view: dict[str, Any]) -> None:
    (position,) = view["lucky"]
    words = "the dealer" if position == "dealer" else f"seat {position}"
    expect(screen.page.locator(f"[data-magic='{view['magic']}'] [role=img]")).to_be_visible()
    expect(screen.page.locator(f"[data-lucky='{position}']")).to_have_attribute("aria-label", f"Lucky Bonus: {words}")
    expect(screen.page.locator("main")).to_contain_text(f"Lucky: {words}")


def test_every_meter_is_shown_with_its_name_and_amount(people: Enter, house: SharedHouse) -> None:
    """§ 639a.12(d)(1), Paytable H: three meters for each amount on offer, with different names."""
    screen = people().go(f"/table/{house.table('caribbean-stud', changes=ENVY)}")
    shown = screen.page.locator(".display", has_text="Progressive Payout")
    for amount in ("$1", "$5"):
        for meter in ("mega", "major", "minor"):
            expect(shown).to_contain_text(f"{meter} {amount}")
    expect(screen.page.locator(".display", has_text="Five Card Hand Bonus")).to_contain_text("$10,000.00")


def test_the_back_of_a_card_looks_the_same_everywhere(people: Enter) -> None:
    """The same self-contained drawing, on the felt and elsewhere."""
    screen, backs = people(), set()
    for path in ("/table/cajun-stud", "/training/caribbean-stud?drill=any&seed=5"):
        back = screen.go(path).page.get_by_role("img", name="a card face down").first
        back.wait_for()
        backs.add(back.inner_html())
    (back_drawn,) = backs
    assert "<path" in back_drawn
    assert "url(#" not in back_drawn
