"""The seat: at four sizes, in each game, everything needed to sit, wager, decide and read the result is in one viewport."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from screen import PHONE, Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]
SIZES = {
    "laptop": {"width": 1366, "height": 768},
    "desktop": {"width": 1920, "height": 1080},
    "phone": PHONE,
    "sideways": {"width": 844, "height": 390},
}
GAMES = {
    "caribbean-stud": ("bonus", "progressive", "five-card-hand-dealer"),
    "four-card-prime": ("prime", "aces-bonus", "all-six"),
    "cajun-stud": ("pocket-bonus", "board-bonus", "lo-ball", "all-six"),
}
"""By game: side wagers to make."""
CHIPS = (".chip", "[data-do=undo]", "[data-do=clear]", "[data-do=repeat]", "[data-do=wager]")
HIDDEN = """(selectors) => selectors.flatMap((selector) => {
    const found = [...document.querySelectorAll(selector)]
    if (!found.length) return [`${selector}: missing`]
    return found.flatMap((one) => {
        const box = (one.querySelector('.shape') ?? one).getBoundingClientRect()
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5
        const card = one.matches('.card')
        const [x, y] = card ? [box.left + 22, box.top + 14] : [box.left + box.width / 2, box.top + box.height / 2]
        const top = document.elementFromPoint(x, y)
        const free = top && (one.contains(top) || top.contains(one))
        const words = `${selector} ${one.textContent.trim().slice(0, 30)}`
        return [...(inside ? [] : [`${words}: outside ${JSON.stringify(box)}`]), ...(free ? [] : [`${words}: under ${top?.className}`])]
    })
})"""
"""Returns what lies outside the viewport or is covered; of a card its index must be free."""
SMALL = """([selectors, least]) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)]
    .map((one) => one.getBoundingClientRect()).filter((box) => box.width < least - 0.5 || box.height < least - 0.5)
    .map((box) => `${selector}: ${box.width} × ${box.height}`))"""
TINY = """() => {
    const shown = [...document.querySelectorAll('.screen *')].filter((one) => one.checkVisibility() && !one.closest('svg, .hidden')
        && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    return [...new Set(shown.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 13)
        .map((one) => `${one.className}: ${one.textContent.trim()}`))]
}"""
INDEX = """() => Math.min(...[...document.querySelectorAll('.card svg')].map((one) => 27 * one.getBoundingClientRect().width / 63))"""
SCROLLS = (
    "() => [document.scrollingElement.scrollHeight - innerHeight, document.scrollingElement.scrollWidth - innerWidth]"
)
SHIFTS = """() => {
    window.shift = 0
    new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) shift += one.value }))
        .observe({ type: 'layout-shift' })
}"""
ANIMATIONS = """() => {
    window.moves = 0
    const look = () => {
        moves += document.getAnimations().filter((one) => one.playState === 'running').length
        requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
}"""
AUDIO = "() => { const Real = AudioContext; window.sounded = 0; window.AudioContext = class extends Real { constructor() { super(); sounded++ } } }"


def _in_view(screen: Screen, *selectors: str) -> None:
    screen.page.evaluate(
        "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))"
    )
    assert screen.page.evaluate(HIDDEN, list(selectors)) == []
    across, down = screen.page.evaluate(SCROLLS)
    assert max(across, down) <= 0, "the page scrolls"
    assert screen.page.evaluate(TINY) == []


def _stage(screen: Screen, name: str, *selectors: str) -> None:
    """Check one stage of a round, with a picture of it."""
    screen.picture(f"seat-{name}")
    _in_view(screen, "[role=status]", "header [data-balance]", "footer .help", *selectors)
    assert screen.violations() == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_round_in_one_viewport(people: Enter, house: SharedHouse, game: str, size: str) -> None:
    """Sit, wager, decide, read the result: all that is needed is inside the viewport, uncovered and large enough."""
    table, phone = house.table(game, rest=1), size in {"phone", "sideways"}
    other = house.guest("cy")
    house.order(other.token, table, type="Sit", seat=1)
    ann = people("ann", size=SIZES[size]).go(f"/table/{table}")
    ann.page.locator("[data-sit='3']").wait_for()
    _stage(ann, f"{game}-{size}-1-sit", "[data-sit]", ".tools [data-drawer=rules]")
    ann.page.click("[data-sit='3']")
    ann.page.locator("[data-do=wager]").wait_for()
    ann.page.evaluate(SHIFTS)
    spots = [f"[data-spot='3/{name}']" for name in ("ante", *GAMES[game])]
    ann.put(3, ante=2)
    for spot in spots[1:]:
        ann.page.click(spot)
    _stage(ann, f"{game}-{size}-2-wager", "[data-spot]", ".spot .title", "[data-pays] h2", *CHIPS)
    assert ann.page.evaluate(SMALL, [[".spot .shape", ".spot"], 48 if phone else 72]) == []
    if phone:
        assert (
            ann.page.evaluate(SMALL, [[*CHIPS, "select", ".tools [data-drawer=rules]", "[data-do=more]", ".menu"], 48])
            == []
        )
    house.order(other.token, table, type="Wager", seat=1, wagers={"ante": 500})
    ann.wager()
    _play_other(house, other.token, table)
    ann.page.locator("[data-multiple][aria-disabled=false]").first.wait_for()
    hands = ("[data-hand] .card", "[data-place] .card")
    _stage(
        ann, f"{game}-{size}-3-decide", "[data-multiple]", "[data-spot]", "[aria-label='Your decision'] strong", *hands
    )
    assert ann.page.evaluate(INDEX) >= 28
    if phone:
        assert ann.page.evaluate(SMALL, [["[data-multiple]"], 48]) == []
    for _ in range(3 if game == "cajun-stud" else 1):
        ann.page.locator("[data-multiple][aria-disabled=false]").nth(1).click()
        ann.page.wait_for_timeout(100)
    outcomes = ann.settled()
    assert set(outcomes) >= {"ante", *GAMES[game]}
    result = ("[data-spot] .net", "[data-net]", ".notice [data-drawer=result]", "[data-hand-name]", *hands)
    _stage(ann, f"{game}-{size}-4-result", *result)
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    _stage(ann, f"{game}-{size}-5-stays", *result, *CHIPS)  # until the next wager
    assert ann.page.evaluate("shift") < 0.05
    ann.page.click(".notice [data-drawer=result]")
    expect(ann.page.locator("[role=dialog] tr[data-line=ante]")).to_be_visible()
    assert ann.violations() == []
    ann.page.keyboard.press("Escape")
    ann.put(3, ante=1)
    expect(ann.page.locator("[data-net], .net")).to_have_count(0)


def _play_other(house: SharedHouse, token: str, table: str) -> None:
    """Have the other player fold."""
    for _ in range(200):
        view: dict[str, Any] = house.request("GET", f"/api/tables/{table}")[1]["view"]
        if view["to_act"] == 1:
            house.order(token, table, type="Decide", seat=1, multiple=0)
            return
        if view["to_act"]:
            return


def test_the_view_names_the_hand_and_lights_the_row_it_makes(people: Enter, house: SharedHouse) -> None:
    """The odds of the spot under the pointer are shown, and the row of one's own hand is lit."""
    table = house.table("caribbean-stud")
    ann = people("ann").sit(table, 2)
    ann.page.hover("[data-spot='2/bonus']")
    expect(ann.page.locator("[data-pays=bonus]")).to_contain_text("1,000 to 1")
    ann.page.focus("[data-spot='2/progressive']")
    expect(ann.page.locator("[data-pays=progressive]")).to_contain_text("Meter $1")
    ann.put(2, ante=1).wager()
    ann.page.locator("[data-multiple='2']").wait_for()
    _, shown = house.request("GET", f"/api/tables/{table}", token=ann.token)
    (box,) = shown["view"]["boxes"]
    assert box["hand"]
    expect(ann.page.locator("[data-hand-name]")).to_have_text(box["hand"])
    expect(ann.page.locator("[data-pays=bet] [data-made] td").first).to_contain_text(box["rows"]["bet"])
    assert house.request("GET", f"/api/tables/{table}")[1]["view"]["boxes"][0]["hand"] == ""


def test_a_round_by_keys(people: Enter, house: SharedHouse) -> None:
    """1 to 6 choose a chip, Enter wagers, R repeats, F folds, 1 to 3 raise."""
    ann = people("ann").sit(house.table("four-card-prime", rest=1), 2)
    page = ann.page
    page.keyboard.press("3")
    page.click("[data-spot='2/ante']")
    expect(page.locator("[data-do=wager]")).to_have_text("Wager $25.00")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    page.locator("[data-multiple][aria-disabled=false]").first.wait_for()
    page.keyboard.press("2")
    ann.settled()
    expect(page.locator("[data-spot='2/raise']")).to_have_accessible_name(re.compile(r"\$50\.00"))
    expect(page.locator("[data-do=repeat]")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.locator("[data-do=wager]")).to_have_text("Wager $25.00")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    page.locator("[data-multiple][aria-disabled=false]").first.wait_for()
    page.keyboard.press("f")
    assert ann.settled()["ante"] == "forfeited"


def test_undo_takes_back_one_change_at_a_time(people: Enter, house: SharedHouse) -> None:
    ann = people("ann").sit(house.table("cajun-stud"), 2).put(2, ante=2, lo_ball=1)
    for words in ("Wager $10.00", "Wager $5.00", "Wager"):
        ann.page.click("[data-do=undo]")
        expect(ann.page.locator("[data-do=wager]")).to_have_text(words)
    expect(ann.page.locator("[data-do=undo]")).to_be_disabled()


def test_esc_closes_a_drawer_and_the_focus_returns(people: Enter, house: SharedHouse) -> None:
    ann = people("ann").sit(house.table("cajun-stud"), 2)
    for name in ("rules", "log", "fairness", "advice", "seat"):
        ann.page.click(f".tools [data-drawer={name}]")
        expect(ann.page.locator("[role=dialog]")).to_be_focused()
        assert ann.violations() == [], name
        _in_view(ann, *CHIPS)  # the action bar stays free
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator("[role=dialog]")).to_have_count(0)
        expect(ann.page.locator(f".tools [data-drawer={name}]")).to_be_focused()


def _click_twice(screen: Screen, selector: str) -> None:
    """Click something, and the same place again 0.3 s later."""
    box = screen.page.locator(selector).bounding_box()
    assert box
    for pause in (300, 0):
        screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        screen.page.wait_for_timeout(pause)


def test_a_second_click_after_a_destructive_button_changes_nothing(people: Enter, house: SharedHouse) -> None:
    """Folding one box does not fold the next; asking to stand up does not stand up."""
    table = house.table("caribbean-stud")
    ann = people("ann").sit(table, 3)
    _click_twice(ann.drawer("seat"), "[data-do=leave]")
    assert house.request("GET", f"/api/tables/{table}")[1]["view"]["seated"].keys() == {"3"}
    ann.page.keyboard.press("Escape")
    cy = house.guest("cy")
    house.order(cy.token, table, type="Sit", seat=1)
    ann.put(3, ante=1).put(4, ante=1).wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered $10.00")
    house.order(cy.token, table, type="Stand", seat=1)
    ann.page.locator("[data-multiple='0'][aria-disabled=false]").wait_for()
    _click_twice(ann, "[data-multiple='0']")
    expect(ann.page.locator("[aria-label='Your decision'] h2")).to_contain_text("box 4")
    view = house.request("GET", f"/api/tables/{table}")[1]["view"]
    assert [box["decisions"] for box in view["boxes"]] == [[0], []]


@pytest.mark.parametrize("scene", ["seat", "whole table"])
def test_a_player_who_arrives_late_sees_the_table_as_it_is(people: Enter, house: SharedHouse, scene: str) -> None:
    """Cards that lie on the table are there at once: the deal is not played again."""
    table, whole = house.table("caribbean-stud"), scene == "whole table"
    ann = people("ann", still=False)
    house.order(ann.token, table, type="Sit", seat=3)
    house.order(ann.token, table, type="Wager", seat=3, wagers={"ante": 500})
    watcher = people(still=False) if whole else ann
    watcher.page.add_init_script(f"({ANIMATIONS})()")
    watcher.go(f"/table/{table}")
    watcher.page.locator("svg.felt" if whole else "[data-hand] [role=img]").first.wait_for()
    watcher.wait_until_quiet()
    assert watcher.page.evaluate("moves") == 0


def test_sound_is_off_until_it_is_asked_for(people: Enter, house: SharedHouse) -> None:
    ann = people("ann")
    ann.page.add_init_script(f"({AUDIO})()")
    ann.sit(house.table("cajun-stud"), 2).put(2, ante=1)
    assert ann.page.evaluate("sounded") == 0
    ann.drawer("seat").page.check("[data-sound]")
    ann.page.keyboard.press("Escape")
    ann.put(2, ante=1)
    ann.page.wait_for_function("sounded === 1")


def test_the_betting_clock_and_the_whole_table(people: Enter, house: SharedHouse) -> None:
    """The clock says when cards are dealt; a switch shows every seat, with the same action bar."""
    table = house.table("cajun-stud", betting=600)
    cy = house.guest("cy")
    house.order(cy.token, table, type="Sit", seat=1)
    ann = people("ann").sit(table, 3).put(3, ante=1).wager()
    expect(ann.page.locator("[role=timer]")).to_have_text(
        re.compile(r"^Dealing when everybody has wagered, at the latest in \d+ s\.$")
    )
    expect(ann.page.locator("[data-seat='1']")).to_contain_text("cy")
    ann.page.click("[data-do=whole]")
    expect(ann.page.locator("svg.felt")).to_be_visible()
    _in_view(ann, "svg.felt", *CHIPS)
    ann.page.click("[data-do=whole]")
    expect(ann.page.locator("[data-spot='3/ante']")).to_have_accessible_name(re.compile(r"\$5\.00$"))


def test_at_twice_the_size_a_round_can_be_played(people: Enter, house: SharedHouse) -> None:
    """A laptop at 200 % has 683 × 384 of these pixels."""
    ann = people("ann", size={"width": 683, "height": 384}).sit(house.table("caribbean-stud"), 3)
    ann.put(3, ante=1, progressive=1).wager().decide(2)
    assert ann.settled()["bet"]
