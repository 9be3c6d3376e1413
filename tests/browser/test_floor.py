"""The dealer, the floor and a dispute, in real browsers: cards entered as they are turned, a jackpot, a void."""

from collections.abc import Callable

from house_server import Server
from playwright.sync_api import Locator, expect
from screen import Screen

Enter = Callable[..., Screen]
Open = Callable[..., str]
TURNED = {"Deal": "2c", "Turn": "7d 8s 9c 4h", "Settle": "Ah Kh Qh Jh 10h"}
"""By the first word of a step: the cards the dealer enters, as they are turned."""


def _due(screen: Screen) -> Locator:
    return screen.page.locator("form[data-do=Perform] button").first


def _perform(dealer: Screen, floor: Screen, until: str) -> None:
    """Perform one step after another, entering what is asked for, until a step is due that begins so."""
    for _ in range(80):
        words = _due(dealer).inner_text()
        if words.startswith(until):
            return
        who = dealer if _due(dealer).is_enabled() else floor
        if who is floor:
            expect(_due(floor)).to_be_enabled()
        form = who.page.locator("form[data-do=Perform]").first
        for label, number in (("cards above the cover card", "20"), ("counted", "0")):
            if form.get_by_label(label, exact=True).count():
                form.get_by_label(label, exact=True).fill(number)
        log = dealer.page.locator(".log li").count()
        _due(who).click()
        dealer.page.wait_for_function(
            "([words, log]) => document.querySelector('form[data-do=Perform] button')?.innerText !== words"
            " || document.querySelectorAll('.log li').length !== log",
            arg=[words, log],
        )
    raise AssertionError(f"“{until}” does not become due; it is “{_due(dealer).inner_text()}”")


def test_an_irregularity_reported_by_the_dealer(people: Enter, dealt_by_hand: Open) -> None:
    """§ 639a.13(c): a wrong number of cards voids every hand and returns every wager; a floorperson acknowledges it."""
    table = dealt_by_hand()
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='3']")
    dana, flo = people("dana").go(f"/deal/{table}"), people("flo").go(f"/deal/{table}")
    _perform(dana, flo, "“No more bets”")
    ann.put(3, ante=4, bonus=1).wager()
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "997500")
    _perform(dana, flo, "Ask seat 3")
    ann.page.locator("[data-multiple='0']").wait_for()
    report = dana.page.locator("form[data-do=Report][data-kind=wrong-number]")
    expect(report).to_contain_text("All hands are void, and every wager is returned.")
    expect(report.locator(".clause")).to_contain_text("639a.13(c)")
    dana.picture("dealer")
    report.get_by_role("button").first.click()
    expect(ann.page.locator("[role=status]")).to_contain_text("The round is void")
    expect(ann.page.locator("[data-line=ante]")).to_have_attribute("data-outcome", "returned")
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "1000000")
    expect(dana.page.locator("form[data-do=Perform]")).to_contain_text("a floorperson has not acknowledged it")
    flo.page.locator("form[data-do=Acknowledge] button").click()
    expect(_due(dana)).to_be_enabled()
    expect(dana.page.locator(".log")).to_contain_text("flo acknowledges the void")


def test_a_jackpot_validated_by_the_floor(people: Enter, dealt_by_hand: Open, house: Server) -> None:
    """§ 639a.11(c)(5), 639a.12(d): a royal flush takes the whole meter once a floorperson has validated it.

    The cards come from a scanned shoe: the dealer enters each as it is turned. A second person is asked for.
    """
    table = dealt_by_hand(scanned=True)
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='2']")
    dana, flo, fred = (people(name).go(f"/deal/{table}") for name in ("dana", "flo", "fred"))
    _perform(dana, flo, "“No more bets”")
    ann.put(2, ante=1, progressive=1).wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered")
    for _ in range(60):
        form = dana.page.locator("form[data-do=Perform]").first
        if dana.page.get_by_text("a payout waits to be validated").count():
            break
        words, log = _due(dana).inner_text(), dana.page.locator(".log li").count()
        if words.startswith("Ask seat"):
            ann.decide(2)
        else:
            chips = form.get_by_label("counted", exact=True)
            if chips.count():
                chips.fill("1" if words.startswith("Count the chips") else "42")
            if form.locator("legend").count():
                scan = form.get_by_label("Scan or type")
                scan.fill(TURNED[words.split()[0]])
                scan.blur()
            _due(dana).click()
        dana.page.wait_for_function(
            "([words, log]) => document.querySelector('form[data-do=Perform] button')?.innerText !== words"
            " || document.querySelectorAll('.log li').length !== log"
            " || document.body.innerText.includes('waits to be validated')",
            arg=[words, log],
        )
    meter = int(house.request("GET", "/api/meters")[1][table]["progressive/main@100"])
    validate = flo.page.locator("form[data-do=Acknowledge]")
    validate.get_by_role("checkbox").check()
    validate.get_by_role("button").click()
    expect(validate).to_contain_text("Another person has to approve it")
    expect(fred.page.locator("[data-waits=jackpot]")).to_contain_text("asked by flo")
    second = fred.page.locator("form[data-do=Acknowledge]")
    second.get_by_role("checkbox").check()
    second.get_by_role("button").click()
    expect(ann.page.locator("[data-line=progressive]")).to_have_attribute("data-outcome", "win")
    assert "off the meter" in ann.page.locator("[data-line=progressive]").inner_text()
    flo.picture("jackpot")
    paid = ann.page.locator("[data-line=progressive] td").nth(4).inner_text()
    assert round(float(paid.replace("$", "").replace(",", "")) * 100) >= meter > 0


def test_a_dispute_is_found_replayed_settled_and_noted(people: Enter, house: Server) -> None:
    """Who disputes a round: the floor finds it, replays it, asks what it should have paid, and notes the outcome."""
    ann = people("ann").sit("four-card-prime", 3).put(3, ante=2, prime=1).wager().decide(1)
    ann.settled()
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    net = house.request("GET", "/api/history", token=house.sign_in("ann"))[1][0]["net"]
    flo = people("flo").go("/pit")
    expect(flo.page.locator("[data-table=four-card-prime]")).to_be_visible()
    flo.picture("pit")
    flo.page.locator("[data-find] [data-do=find]").first.click()
    flo.page.click("[data-choose='four-card-prime/1']")
    flo.page.click("[data-settle='3']")
    flo.page.locator("[data-do=settle]").click()
    settled = flo.page.locator("[data-net]")
    expect(settled).to_have_attribute("data-net", str(net))
    flo.picture("dispute", whole=True)
    flo.page.fill("[data-note=text]", "ann says the Prime was not paid")
    flo.page.click("[data-do=note]")
    row = flo.page.locator("[data-dispute]")
    expect(row).to_have_attribute("data-open", "true")
    flo.page.get_by_label("How it was settled").fill("it was settled right: 682a.11(e)(1)")
    flo.page.click("[data-do=close]")
    expect(row).to_have_attribute("data-open", "false")
    flo.go("/round/four-card-prime/1")
    expect(flo.page.locator("svg.felt")).to_be_visible()
    expect(flo.page.locator("main")).to_contain_text("682a.11")
    ada = people("ada").go("/auditor?part=log&chain=four-card-prime")
    expect(ada.page.locator("main")).to_contain_text("682a.11")
    ada.picture("auditor")
    noted = house.request("GET", "/api/disputes", token=house.sign_in("flo"))[1]
    assert [(one["table"], one["round"], one["by"], one["is_open"]) for one in noted] == [
        ("four-card-prime", 1, "flo", False)
    ] * 2
