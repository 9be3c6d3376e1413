"""Playing in a real browser against the real server: every game, with its side wagers, through reload and restart."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from screen import CALCULATION_TIMEOUT, PHONE, Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]

GAMES = {
    "caribbean-stud": (("bonus", "progressive", "five-card-hand-dealer", "five-card-hand-player"), (1, 2)),
    "four-card-prime": (("prime", "aces-bonus", "all-six"), (1,)),
    "cajun-stud": (("pocket-bonus", "board-bonus", "lo-ball", "all-six"), (1, 1, 1)),
}
"""By table: the wagers beside the Ante, and decisions that keep the hand."""


def _sides(screen: Screen, seat: int, sides: tuple[str, ...]) -> None:
    screen.put(seat, ante=2)
    for side in sides:
        screen.page.click(f"[data-spot='{seat}/{side}']")


def _seat_waiting_patron(house: SharedHouse, table: str) -> Callable[[], None]:
    """Seat another patron, so that bets stay open; return a function that lets the patron leave."""
    cy = house.guest("cy")
    house.order(cy.token, table, type="Sit", seat=1)

    def leave() -> None:
        house.order(cy.token, table, type="Stand", seat=1)

    return leave


@pytest.mark.parametrize("game", GAMES)
def test_a_full_round_with_side_wagers(people: Enter, house: SharedHouse, game: str) -> None:
    """§§ 639a.11, 682a.11, 683a.11: every wager made is settled in a line of its own, and the money agrees."""
    table = house.table(game, rest=2)
    ann, leave = people("ann").sit(table, 3), _seat_waiting_patron(house, table)
    sides, _ = GAMES[game]
    _sides(ann, 3, sides)
    before = ann.balance
    ann.wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered")
    ann.picture(f"{game}-wagered")
    leave()
    decisions = 0
    while True:
        ann.page.locator("[data-multiple='0'], [data-line]").first.wait_for()
        if ann.page.locator("[data-line]").count():
            break
        at = ann.page.locator("[aria-label='Your decision'] h2").inner_text()
        if not decisions:
            assert ann.violations() == []
            ann.picture(f"{game}-decision", whole=True)
        ann.page.locator("[data-multiple][aria-disabled=false]").nth(1).click()
        decisions += 1
        ann.page.wait_for_function(
            "at => !document.querySelector('[aria-label=\"Your decision\"] h2') "
            "|| document.querySelector('[aria-label=\"Your decision\"] h2').innerText !== at",
            arg=at,
        )
    outcomes = ann.settled()
    assert decisions == len(GAMES[game][1]) - (game == "caribbean-stud")
    assert set(outcomes) >= {"ante", *sides}, outcomes
    ann.drawer("result").picture(f"{game}-settled", whole=True)
    ann.page.keyboard.press("Escape")
    _, account = house.request("GET", "/api/account", token=ann.token)
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", str(account["balance"]))
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")  # the round is over and stored
    _, rounds = house.request("GET", "/api/history", token=ann.token)
    assert account["balance"] - before == rounds[0]["net"]


def test_boxes_of_one_player_are_played_and_settled_separately(people: Enter, house: SharedHouse) -> None:
    """§ 639a.7(e): a player may wager on adjacent boxes where the Submission allows it (three here), and no further."""
    table = house.table("caribbean-stud")
    ann, leave = people("ann").sit(table, 5), _seat_waiting_patron(house, table)
    before = ann.balance
    ann.put(3, ante=2)
    refused = ann.page.locator("[data-box='3'] [role=alert]")
    expect(refused).to_contain_text("Box 3 is not beside seat 5")
    expect(refused).to_contain_text("639a.7(e)")
    ann.put(4, ante=4).put(5, ante=2)
    expect(refused).to_have_count(0)
    ann.put(6, ante=2)
    expect(ann.page.locator("[data-box='6'] [role=alert]")).to_contain_text("639a.7(e)")
    for _ in range(2):
        ann.page.click("[data-spot='6/ante']", modifiers=["Shift"])
    ann.wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered $40.00")
    expect(ann.page.locator("[data-box-tab]")).to_have_count(3)
    leave()
    heading = ann.page.locator("[aria-label='Your decision'] h2")
    for box, multiple in ((3, 2), (4, 0), (5, 2)):
        expect(heading).to_contain_text(f"box {box}")
        ann.decide(multiple)
    ann.settled()
    ann.drawer("result")
    results = ann.page.locator("[aria-label=Results] h3")
    expect(results).to_have_count(3)
    ann.picture("three-boxes", whole=True)
    _, account = house.request("GET", "/api/account", token=ann.token)
    shown = [_cents(text) for text in results.all_inner_texts()]
    assert account["balance"] - before == sum(shown)
    assert shown[1] == -2000, "the Ante of the box that folded"


def _cents(heading: str) -> int:
    sign, dollars, cents = re.search(r"([+−-]?)\$([\d,]+)(?:\.(\d\d))?", heading).groups()  # type: ignore[union-attr]
    amount = int(dollars.replace(",", "")) * 100 + int(cents or 0)
    return -amount if sign in {"−", "-"} else amount


def test_a_fold_keeps_its_side_wagers(people: Enter, house: SharedHouse) -> None:
    """§ 682a.11(b), (e): a fold loses the Ante; Prime, Aces Bonus and All-Six are settled on the cards."""
    ann = people("ann").sit(house.table("four-card-prime"), 2)
    _sides(ann, 2, ("prime", "aces-bonus", "all-six"))
    ann.wager().decide(0)
    outcomes = ann.settled()
    assert outcomes["ante"] == "forfeited"
    assert {outcomes[side] for side in ("prime", "aces-bonus", "all-six")} <= {"win", "lose"}
    assert "raise" not in outcomes


def test_a_refused_wager_shows_why_and_keeps_the_chips(people: Enter, house: SharedHouse) -> None:
    """§ 682a.7(d)(1): no other wager without the Ante; the chips stay where they were put."""
    ann = people("ann").sit(house.table("four-card-prime"), 2)
    ann.put(2, prime=1)
    beside = ann.page.locator(".notice[data-box='2']")
    expect(beside.locator("[role=alert]")).to_contain_text("The Ante wager is missing")
    expect(beside.locator("[role=alert] .clause")).to_contain_text("682a.7(d)")
    ann.wager()
    expect(beside.locator("[role=alert]")).to_contain_text("The Ante wager is missing")
    expect(ann.page.locator("[data-spot='2/prime']")).to_have_accessible_name(re.compile(r"\$5\.00$"))
    beside.locator("[role=alert] .clause button").click()
    expect(beside.locator("[role=note]")).to_contain_text("682a (codified 2019)")
    ann.picture("refused", whole=True)


def test_repeat_clear_and_take_back(people: Enter, house: SharedHouse) -> None:
    ann = people("ann").sit(house.table("cajun-stud", pause=3600), 4).put(4, ante=1, lo_ball=1).wager()
    expect(ann.page.locator("[data-do=wager]")).to_have_text("Wagered $10.00")
    ann.page.get_by_role("button", name="Clear").click()
    ann.wager()
    expect(ann.page.locator("[data-do=wager]")).to_have_text("Wager")
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "1000000")
    ann.page.get_by_role("button", name="Repeat").click()
    expect(ann.page.locator("[data-do=wager]")).to_have_text("Wager $10.00")


def test_a_round_survives_reload_and_restart(people: Enter, house: SharedHouse) -> None:
    """Guarantee 9: the hand, the wagers and the turn are the same after both."""
    ann = people("ann").sit(house.table("caribbean-stud"), 5).put(5, ante=1).wager()
    hand = ann.page.locator("[data-hand] [role=img]")
    expect(hand).to_have_count(5)
    ann.page.locator("[data-multiple='0']").wait_for()
    cards = [one.get_attribute("aria-label") for one in hand.all()]
    ann.page.reload()
    expect(hand).to_have_count(5)
    assert [one.get_attribute("aria-label") for one in hand.all()] == cards
    house.kill()
    expect(ann.page.locator("header.top")).to_contain_text("reconnecting")
    house.start()
    expect(ann.page.locator("header.top")).not_to_contain_text("reconnecting")
    assert [one.get_attribute("aria-label") for one in hand.all()] == cards
    ann.decide(2)
    assert ann.settled()["bet"] in {"win", "lose", "returned", "push"}
    ann.wrong = [line for line in ann.wrong if "ERR_CONNECTION" not in line and "WebSocket" not in line]


def test_advice_before_each_decision_is_exact(people: Enter, house: SharedHouse) -> None:
    """A fold in Caribbean Stud loses exactly one Ante, whatever the cards: 639a.11(b)."""
    ann = people("ann").sit(house.table("caribbean-stud", decision=0), 1)
    ann.drawer("advice").page.select_option("[data-advice]", "before")
    ann.page.keyboard.press("Escape")
    ann.put(1, ante=1).wager()
    expect(ann.page.locator("[data-multiple='0']")).to_contain_text("-1.0000 Antes", timeout=CALCULATION_TIMEOUT)
    expect(ann.page.locator(".best")).to_have_count(1)
    ann.picture("advice", whole=True)
    ann.page.locator(".best").click()
    ann.drawer("advice")
    expect(ann.page.locator("section[aria-label=Advice]")).to_contain_text("1 of 1 decisions right")


def test_the_browser_verifies_the_players_cards(people: Enter, house: SharedHouse) -> None:
    """Every card seen verifies against the root published before the deal; a changed card does not."""
    ann = people("ann").sit(house.table("cajun-stud"), 1).put(1, ante=1).wager().decide(0)
    ann.settled()  # 683a.11(g): the board is turned even where everybody has folded
    ann.drawer("fairness").page.click("[data-do=verify]")
    expect(ann.page.locator("[data-verified]")).to_have_attribute("data-verified", "true")
    assert "5 of 5 cards" in ann.page.locator("[data-verified]").inner_text()


def test_a_changed_card_or_a_missing_root_is_not_verified(people: Enter, house: SharedHouse) -> None:
    """An opening that names another card is not verified; a page that saw no commitment before the deal says so."""
    ann = people("ann")

    def changed(route: Route) -> None:
        answer = route.fetch()
        said = answer.json()
        said["openings"][0]["card"] = "2c" if said["openings"][0]["card"] != "2c" else "2d"
        route.fulfill(response=answer, json=said)

    ann.page.route("**/openings", changed)
    ann.sit(house.table("cajun-stud"), 1).put(1, ante=1).wager().decide(0)
    ann.settled()
    ann.drawer("fairness").page.click("[data-do=verify]")
    expect(ann.page.locator("[data-verified]")).to_have_attribute("data-verified", "false")
    ann.sit(house.table("cajun-stud"), 1).put(1, ante=1).wager()
    ann.page.locator("[data-multiple='0']").wait_for()
    ann.page.evaluate("sessionStorage.clear()")
    ann.page.reload()
    ann.decide(0)
    ann.settled()
    ann.drawer("fairness")
    expect(ann.page.locator("section[aria-label=Fairness]")).to_contain_text("cannot verify")


def test_the_next_person_in_the_browser_sees_nothing_of_the_one_before(people: Enter, house: SharedHouse) -> None:
    """Signed out in the middle of a round: the next person in the same tab sees nothing from before."""
    table = house.table("caribbean-stud")
    screen = people("ann").sit(table, 6).put(6, ante=1).wager()
    hand = screen.page.locator("[data-hand] [role=img]")
    expect(hand).to_have_count(5)
    screen.page.locator("[data-multiple='0']").wait_for()
    mine = {str(one.get_attribute("aria-label")) for one in hand.all()}
    screen.page.get_by_role("button", name="Sign out").click()
    screen.page.click("[data-person=bob]")
    screen.page.click(f"[data-table={table}] a")
    expect(screen.page.locator("svg.felt")).to_be_visible()
    screen.drawer("log")
    assert not {card for card in mine if card in screen.page.content()}
    expect(screen.page.locator(".log-lines li")).to_have_count(0)


def test_a_round_can_be_played_on_a_phone(people: Enter, house: SharedHouse) -> None:
    ann = people("ann", size=PHONE).sit(house.table("four-card-prime"), 1)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    ann.put(1, ante=1, prime=1).wager()
    ann.page.locator("[data-multiple='1']").wait_for()
    ann.picture("phone")
    ann.decide(1)
    assert ann.settled()["prime"] in {"win", "lose"}
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_round_can_be_played_by_keyboard_alone(people: Enter, house: SharedHouse) -> None:
    """With Tab, Enter, Space and Backspace from the top of the page; the focus is never lost on the way."""
    ann = people("ann").go(f"/table/{house.table('four-card-prime', rest=2)}")
    page = ann.page
    page.locator("[data-sit='2']").wait_for()
    ann.tab("[data-sit='2']")
    page.keyboard.press("Enter")
    page.locator("[data-spot='2/ante'][aria-disabled=false]").wait_for()
    ann.tab("[data-spot='2/ante'][aria-disabled=false]")
    page.keyboard.press("Enter")
    page.keyboard.press(" ")
    expect(page.locator("[data-spot='2/ante']")).to_have_accessible_name(re.compile(r"\$10\.00$"))
    page.keyboard.press("Backspace")
    expect(page.locator("[data-spot='2/ante']")).to_have_accessible_name(re.compile(r"\$5\.00$"))
    ann.tab("[data-do=wager]")
    page.keyboard.press("Enter")
    expect(page.locator("[aria-label='Your decision']")).to_be_focused()  # the decision replaces the wagers
    ann.tab("[data-multiple='1'][aria-disabled=false]")
    page.keyboard.press("Enter")
    assert ann.settled()["ante"] in {"win", "lose", "returned"}
    expect(page.locator("[aria-label=Wagers]")).to_be_focused()


def test_a_past_round_is_replayed_card_by_card(people: Enter, house: SharedHouse) -> None:
    table = house.table("caribbean-stud", rest=0)
    ann = people("ann").sit(table, 2).put(2, ante=1).wager().decide(2)
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    ann.go("/history").page.get_by_role("link", name="Replay").click()
    expect(ann.page.locator("h1")).to_contain_text(f"Round 1 at {table}")
    scrub = ann.page.get_by_role("slider")
    scrub.fill("0")
    expect(
        ann.page.locator("svg.felt [role=img][aria-label$='spades'], svg.felt [role=img][aria-label$='hearts']")
    ).to_have_count(0)
    last = int(scrub.get_attribute("max") or 0)
    scrub.fill(str(last - 1))
    expect(ann.page.locator("svg.felt [aria-label='a card face down']")).to_have_count(0)
    assert ann.violations() == []
    ann.picture("replay")
