"""Problems on the way to the house: late wagers, ended sessions and lost answers."""

import re
from collections.abc import Callable

from playwright.sync_api import Route, WebSocketRoute, expect
from screen import Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]


def test_a_late_wager_is_refused_and_not_shown_on_the_felt(people: Enter, house: SharedHouse) -> None:
    """§ 639a.7(c): no wager after “no more bets”. The refusal stays in view, and the plan is kept."""
    ann, slow, held = people("ann"), False, list[Callable[[], None]]()

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def told(message: str | bytes) -> None:
            if slow and '"type":"table"' in str(message):
                held.append(lambda: page.send(message))
            else:
                page.send(message)

        server.on_message(told)

    ann.page.route_web_socket(re.compile("/api/live"), between)
    table = house.table("caribbean-stud", rest=2)
    ann.sit(table, 2).put(2, ante=2)
    expect(ann.page.locator("[data-do=wager]")).to_have_text("Wager $10.00")
    slow = True  # from here on this browser receives no updates
    house.order(ann.token, table, type="Wager", seat=2, wagers={"ante": 500})
    assert house.request("GET", f"/api/tables/{table}")[1]["view"]["called"]
    ann.wager()
    late = ann.page.locator("[role=alert]", has_text="No more bets")
    expect(late).to_contain_text("639a.7(c)")
    slow = False
    for show in held:
        show()
    ann.page.locator("[data-multiple='0']").wait_for()
    expect(late).to_be_visible()
    expect(ann.page.locator("[data-spot='2/ante']")).to_have_accessible_name(re.compile(r"\$5\.00$"))
    ann.decide(0)
    ann.settled()
    expect(ann.page.locator("[data-do=wager]")).to_have_text("Wager $10.00")  # still planned


def test_signing_out_in_one_window_signs_out_the_other(people: Enter) -> None:
    """Within a second of signing out in another window, this one signs out; the next person has a fresh session."""
    ann = people("ann").go("/table/cajun-stud")
    expect(ann.page.locator("header.top")).to_contain_text("ann")
    other = ann.context.new_page()
    other.goto(ann.url)
    other.get_by_role("button", name="Sign out").click()
    expect(ann.page.locator("header.top")).not_to_contain_text("ann")
    other.click("[data-person=bob]")
    expect(other.locator("header.top")).to_contain_text("bob")
    ann.go("/")
    expect(ann.page.locator("header.top")).to_contain_text("bob")
    ann.page.get_by_role("button", name="Sign out").click()
    expect(ann.page.locator("header.top")).not_to_contain_text("bob")


def test_an_order_without_an_answer_is_carried_out_once(people: Enter, house: SharedHouse) -> None:
    """The answer is lost: the retry uses the same key, so it is the same act."""
    ann = people("ann").sit(house.table("caribbean-stud"), 2)
    before, lost = ann.balance, 0

    def lose(route: Route) -> None:
        nonlocal lost
        route.fetch()  # the house carries it out
        lost += 1
        route.abort("connectionreset") if lost == 1 else route.continue_()

    ann.page.route("**/api/acts", lose)
    ann.drawer("seat")
    buy = ann.page.get_by_role("button", name="Buy in $1,000.00 of play money")
    buy.click()
    expect(ann.page.locator("[aria-label='Seat and money'] [role=alert]")).to_contain_text("cannot be reached")
    buy.click()
    expect(ann.page.locator("[aria-label='Seat and money'] [role=alert]")).to_have_count(0)
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", str(before + 100_000))
    assert lost >= 1
    _, account = house.request("GET", "/api/account", token=ann.token)
    assert account["balance"] == before + 100_000
    ann.wrong = [line for line in ann.wrong if "ERR_CONNECTION_RESET" not in line]


def test_a_clause_tag_shows_its_own_clause(people: Enter, house: SharedHouse) -> None:
    """§ 683a.11(b), then (d): the element of one decision is reused for the next and then shows the next clause."""
    ann = people("ann").sit(house.table("cajun-stud"), 2).put(2, ante=1).wager()
    tag, note = ann.page.locator("[aria-label='Your decision'] .clause button"), ann.page.locator("[role=note]")
    told = []
    for cite in ("683a.11(b)", "683a.11(d)"):
        expect(tag).to_have_text(f"§ {cite}")
        tag.click()
        expect(note).not_to_have_text(re.compile("^…?$"))
        told.append(note.inner_text())
        ann.page.keyboard.press("Escape")
        ann.decide(1)
    assert told[0] != told[1]
