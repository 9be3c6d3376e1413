"""The dealer, the floor and a dispute, in real browsers: cards entered as they are turned, corrected, a jackpot, a void."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from pypdf import PdfReader
from screen import PHONE, WIDE, Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]
TURNED = {"Deal": "2c", "Turn": "7d 8s 9c 4h", "Settle": "Ah Kh Qh Jh 10h"}
"""By the first word of a step: the cards the dealer enters, as they are turned."""


def _due(screen: Screen) -> Locator:
    return screen.page.locator("form[data-do=Perform] button").first


def _perform(dealer: Screen, floor: Screen, until: str) -> None:
    """Perform steps, entering the cards asked for, until a step with this name is due."""
    for _ in range(80):
        words = _due(dealer).inner_text()
        if until in words:
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


def _first_card_to_name(people: Enter, table: str, size: dict[str, int] | None = None) -> tuple[Screen, Screen]:
    """Prepare a scanned table whose dealer must name the first face-up card; return dealer and floorperson."""
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='2']")
    dana, flo = (people(name, size=size).go(f"/deal/{table}") for name in ("dana", "flo"))
    _perform(dana, flo, "“No more bets”")
    ann.put(2, ante=1).wager()
    expect(_due(dana)).to_be_enabled()
    _perform(dana, flo, "face up")
    return dana, flo


def _assert_no_sideways_scroll(screen: Screen) -> None:
    """The page does not scroll sideways."""
    root = "document.documentElement"
    assert screen.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_scanned_card_is_clicked_in_the_deck_and_a_wrong_name_is_corrected(
    people: Enter, house: SharedHouse, size: dict[str, int]
) -> None:
    """§ 639a.8(d)(2): the dealer's card face up is named; house rule: a floorperson corrects a wrong name."""
    dana, flo = _first_card_to_name(people, house.table("caribbean-stud", automatic=False, scanned=True), size)
    naming = dana.page.locator("form[data-do=Perform]").first
    for card in ("As", "2s", "2c"):  # three corners of the deck; each can be selected, and a second click deselects it
        naming.locator(f"[data-card='{card}']").click()
        expect(naming.locator("legend")).to_have_text("1 of 1 named")
        if card != "2c":
            naming.locator(f"[data-card='{card}']").click()
            expect(naming.locator("legend")).to_have_text("0 of 1 named")
    _assert_no_sideways_scroll(dana)
    dana.picture(f"naming-{size['width']}")
    assert dana.violations() == []
    _due(dana).click()
    expect(flo.page.locator("[data-which] option")).to_have_text(["2c, card 1 of the dealer"])
    expect(dana.page.locator("form[data-do=Correct]")).to_have_count(0)
    correct = flo.page.locator("form[data-do=Correct]")
    expect(correct.get_by_role("button", name="Correct its name")).to_be_disabled()
    correct.locator("[data-card='2d']").click()
    correct.get_by_role("button", name="Correct its name").click()
    expect(flo.page.locator("[data-which] option")).to_have_text(["2d, card 1 of the dealer"])
    expect(dana.page.locator(".log")).to_contain_text("card 1 is 2d, not 2c")
    _assert_no_sideways_scroll(flo)
    flo.picture(f"corrected-{size['width']}", whole=True)
    assert flo.violations() == []


def test_input_for_one_step_is_not_sent_with_the_next(people: Enter, house: SharedHouse) -> None:
    """When a report voids the round, a half-entered card is dropped with its step, and the dealer goes on."""
    dana, flo = _first_card_to_name(people, house.table("caribbean-stud", automatic=False, scanned=True))
    dana.page.locator("form[data-do=Perform] [data-card='2c']").first.click()
    expect(dana.page.locator("form[data-do=Perform] legend").first).to_have_text("1 of 1 named")
    flo.page.locator("form[data-do=Report][data-kind=wrong-number] button").first.click()
    flo.page.locator("form[data-do=Acknowledge] button").click()
    expect(dana.page.locator(".log")).to_contain_text("flo acknowledges the void")
    expect(dana.page.locator("form[data-do=Perform] legend")).to_have_count(0)
    expect(_due(dana)).to_be_enabled()


def test_the_dealer_reports_an_irregularity(people: Enter, house: SharedHouse) -> None:
    """§ 639a.13(c): a wrong number of cards voids every hand and returns every wager; a floorperson acknowledges it."""
    table = house.table("caribbean-stud", automatic=False)
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='3']")
    dana, flo = people("dana").go(f"/deal/{table}"), people("flo").go(f"/deal/{table}")
    _perform(dana, flo, "“No more bets”")
    ann.put(3, ante=4, bonus=1).wager()
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "997500")
    _perform(dana, flo, "Ask seat 3")
    ann.page.locator("[data-multiple='0']").wait_for()
    report = dana.page.locator("form[data-do=Report][data-kind=wrong-number]")
    expect(report).to_contain_text("All hands are void. Every wager is returned.")
    expect(report.locator(".clause")).to_contain_text("639a.13(c)")
    dana.picture("dealer")
    report.get_by_role("button").first.click()
    expect(ann.page.locator("[role=status]")).to_contain_text("The round is void")
    expect(ann.page.locator("[data-line=ante]")).to_have_attribute("data-outcome", "returned")
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "1000000")
    expect(dana.page.locator("form[data-do=Perform]")).to_contain_text("A floorperson must acknowledge it first")
    flo.page.locator("form[data-do=Acknowledge] button").click()
    expect(_due(dana)).to_be_enabled()
    expect(dana.page.locator(".log")).to_contain_text("flo acknowledges the void")


@pytest.mark.proves("639a.8(b)")
def test_the_floor_cancels_a_wager_without_a_chip(people: Enter, house: SharedHouse) -> None:
    """No chip for ann's Progressive wager: the dealer cannot go on; flo ticks her box, and ann has her dollar back."""
    table = house.table("caribbean-stud", automatic=False)
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='2']")
    dana, flo = (people(name).go(f"/deal/{table}") for name in ("dana", "flo"))
    _perform(dana, flo, "“No more bets”")
    ann.put(2, ante=1, progressive=1).wager()
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "999400")  # $5 and $1
    _perform(dana, flo, "chips")
    theirs, form = (screen.page.locator("form[data-do=Perform]").first for screen in (dana, flo))
    expect(theirs.get_by_role("checkbox")).to_have_count(0)
    theirs.get_by_label("counted", exact=True).fill("0")
    _due(dana).click()
    expect(theirs).to_contain_text("Chips counted: 0, wagers accepted: 1. A floorperson must decide first.")
    form.get_by_label("counted", exact=True).fill("0")
    form.get_by_label("box 2").check()
    flo.picture("chip-missing")
    assert flo.violations() == []
    _due(flo).click()
    expect(dana.page.locator(".log")).to_contain_text("2: no chip, so progressive is cancelled; $1.00 goes back to ann")
    expect(ann.page.locator("[data-balance]")).to_have_attribute("data-balance", "999500")
    expect(ann.page.locator("[data-accepted]")).to_have_count(0)


def _claim_royal_flush(ann: Screen, dana: Screen) -> None:
    """Enter ann's royal flush card by card, until it waits for validation."""
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
                chips.fill("1" if "chips" in words else "42")
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


def test_the_floor_validates_a_jackpot(people: Enter, house: SharedHouse) -> None:
    """§ 639a.11(c)(5), 639a.12(d): a royal flush takes the whole meter once a floorperson has validated it.

    The cards come from a scanned shoe: the dealer enters each as it is turned. A second person is asked for.
    """
    table = house.table("caribbean-stud", automatic=False, scanned=True)
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='2']")
    dana, flo, fred = (people(name).go(f"/deal/{table}") for name in ("dana", "flo", "fred"))
    _perform(dana, flo, "“No more bets”")
    ann.put(2, ante=1, progressive=1).wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered")
    _claim_royal_flush(ann, dana)
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
    ann.drawer("result")
    line = ann.page.locator("tr[data-line=progressive]")
    assert "off the meter" in line.inner_text()
    flo.picture("jackpot")
    with fred.page.expect_download() as paper:
        fred.page.locator("[data-slip^=J-] a").click()
    words = PdfReader(paper.value.path()).pages[0].extract_text()
    assert [
        one for one in ("Jackpot payout slip", "flo, floorperson", "fred, floorperson", table) if one not in words
    ] == []
    paid = line.locator("td").nth(4).inner_text()
    assert round(float(paid.replace("$", "").replace(",", "")) * 100) >= meter > 0


def _validate(floor: Screen) -> None:
    form = floor.page.locator("form[data-do=Acknowledge]")
    if form.get_by_role("checkbox").count():
        form.get_by_role("checkbox").check()
    form.get_by_role("button").click()


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_a_five_card_hand_jackpot_is_paid_by_hand_and_the_patron_sees_it(people: Enter, house: SharedHouse) -> None:
    """The account is not credited, the hand stays until the floor documented and paid it, and ann sees that."""
    table = house.table("caribbean-stud", automatic=False, scanned=True)
    ann = people("ann").go(f"/table/{table}")
    ann.page.click("[data-sit='2']")
    dana, flo, fred = (people(name).go(f"/deal/{table}") for name in ("dana", "flo", "fred"))
    _perform(dana, flo, "“No more bets”")
    ann.put(2, ante=1, **{"five-card-hand-player": 1}).wager()
    expect(ann.page.locator("[data-do=wager]")).to_contain_text("Wagered")
    _claim_royal_flush(ann, dana)
    held = ann.balance
    _validate(flo)
    expect(fred.page.locator("[data-waits=jackpot]")).to_contain_text("asked by flo")
    _validate(fred)
    expect(ann.page.locator(".notice")).to_contain_text("is paid to you by hand")
    ann.drawer("result")
    owed = ann.page.locator("[data-by-hand=payable]")
    expect(owed).to_contain_text("is paid to you by hand, not to your account. Your hand stays on the table")
    expect(owed.locator(".clause")).to_contain_text("639a.11(c)(6)(iii)")
    amount = owed.locator("strong").inner_text()
    assert float(amount.replace("$", "").replace(",", "")) > 10_000
    assert ann.balance < held + 100_00  # the Ante's pay, the Bet that is returned; not the jackpot
    expect(dana.page.locator("form[data-do=Perform]")).to_contain_text("stays until its payout is documented")
    expect(flo.page.locator("[data-by-hand=payable]")).to_contain_text(f"{amount} to ann")
    expect(dana.page.locator("form[data-do=Document]")).to_have_count(0)
    assert flo.violations() == []
    flo.page.locator("form[data-do=Document] button").click()
    expect(flo.page.locator("[data-by-hand=paid]")).to_contain_text("documented and paid")
    expect(ann.page.locator("[data-by-hand=paid]")).to_contain_text(f"{amount} was paid to you by hand")
    expect(dana.page.locator(".log")).to_contain_text("is documented by flo, validated by flo and fred")
    expect(_due(dana)).to_be_enabled()
    _due(dana).click()
    expect(ann.page.locator("[role=status]").first).to_contain_text("Round 2")
    expect(ann.page.locator("[data-by-hand=paid]")).to_contain_text("was paid to you by hand")
    ann.drawer("log")
    expect(ann.page.locator("[role=dialog]")).to_contain_text(f"{amount} is paid to ann")


def test_the_floor_finds_replays_and_notes_a_dispute(people: Enter, house: SharedHouse) -> None:
    """A patron disputes a round: the floor finds it, replays it, calculates the right payout, and notes the outcome."""
    table = house.table("four-card-prime", rest=0)
    ann = people("ann").sit(table, 3).put(3, ante=2, prime=1).wager().decide(1)
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    net = house.request("GET", "/api/history", token=ann.token)[1][0]["net"]
    flo = people("flo").go("/pit")
    expect(flo.page.locator(f"[data-table={table}]")).to_be_visible()
    flo.picture("pit")
    flo.page.locator("[data-find] [data-do=find]").first.click()
    flo.page.click(f"[data-choose='{table}/1']")
    flo.page.click("[data-settle='3']")
    flo.page.locator("[data-do=settle]").click()
    settled = flo.page.locator("[data-net]")
    expect(settled).to_have_attribute("data-net", str(net))
    flo.picture("dispute", whole=True)
    flo.page.fill("[data-note=text]", "ann says the Prime was not paid")
    flo.page.click("[data-do=note]")
    row = flo.page.locator("[data-dispute]")
    expect(row).to_have_attribute("data-open", "true")
    expect(row.locator("[data-slip-of^=D-]")).to_have_count(1)
    flo.page.get_by_label("How it was settled").fill("it was settled right: 682a.11(e)(1)")
    flo.page.click("[data-do=close]")
    expect(row).to_have_attribute("data-open", "false")
    flo.go(f"/round/{table}/1")
    expect(flo.page.locator("svg.felt")).to_be_visible()
    expect(flo.page.locator("main")).to_contain_text("682a.11")
    ada = people("ada").go(f"/auditor?part=log&chain={table}")
    expect(ada.page.locator("main")).to_contain_text("682a.11")
    ada.picture("auditor")
    noted = house.request("GET", "/api/disputes", token=flo.token)[1]
    assert [(one["table"], one["round"], one["by"], one["is_open"]) for one in noted] == [(table, 1, "flo", False)] * 2


def test_the_calculator_compares_only_the_hand_of_the_box(people: Enter, house: SharedHouse) -> None:
    """The table's payout is compared only with the hand of this box under the table's own rules."""
    table = house.table("four-card-prime", rest=0)
    ann = people("ann").sit(table, 3).put(3, ante=2).wager().decide(1)
    expect(ann.page.locator("[role=status]").first).to_contain_text("Place your bets")
    where = f"/calculator?round={table}/1&seat=3"
    flo = people("flo").go(where)
    settled, paid = flo.page.locator("[data-net]"), flo.page.locator("[data-paid]")
    expect(paid).to_contain_text("the same")
    ante = flo.page.locator("[data-wager=ante]")
    staked = ante.input_value()
    ante.fill("75")
    expect(settled).to_have_count(0)
    flo.page.click("[data-do=settle]")
    expect(settled).to_be_visible()
    expect(paid).to_have_count(0)
    ante.fill(staked)
    flo.page.click("[data-do=settle]")
    expect(paid).to_contain_text("the same")
    flo.page.get_by_role("button", name="Reset").click()
    expect(settled).to_have_count(0)
    deck = flo.page.locator("[data-card]")
    for card in range(52):
        if flo.page.get_by_role("group", name="nobody, all are dealt").count():
            break
        deck.nth(card).click()
    flo.page.locator("[data-decide$='/1']").check()
    flo.page.click("[data-do=settle]")
    expect(settled).to_be_visible()
    expect(paid).to_have_count(0)
    ann.go("/")
    house.do("olga", type="CloseTable", table=table)
    sue = people("sue").go(where)
    expect(sue.page.locator("[data-instead]")).to_contain_text("a preset of the game is taken instead")
    expect(sue.page.locator("[data-net]")).to_be_visible()
    expect(sue.page.locator("[data-paid]")).to_have_count(0)


def test_the_lobby_says_that_the_house_cannot_be_reached(people: Enter) -> None:
    """Without an answer the lobby does not claim that no table is open; with an answer it shows the tables."""
    ann = people("ann")
    ann.page.route("**/api/tables", lambda route: route.abort())
    ann.go("/")
    said = ann.page.locator("main [role=alert]")
    expect(said).to_have_text("The house cannot be reached.")
    expect(ann.page.locator("main")).not_to_contain_text("No table is open.")
    ann.page.unroute("**/api/tables")
    expect(ann.page.locator("[data-table]").first).to_be_visible()
    expect(said).to_have_count(0)
    _clear_network_errors(ann)


def _clear_network_errors(screen: Screen) -> None:
    """Assert that the browser logged only network errors, and clear them."""
    assert screen.wrong
    assert [line for line in screen.wrong if "Failed to load resource" not in line] == []
    screen.wrong.clear()
