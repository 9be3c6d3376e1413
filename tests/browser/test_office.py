"""The office in a real browser: a Submission built, refused, priced, printed, compared, approved, and played by."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, expect
from pypdf import PdfReader
from screen import CALCULATION_TIMEOUT, PHONE, Screen
from shared_house import SharedHouse

from pitboss.rulebook.published_hold import published_holds
from pitboss.submission import load, parse

Enter = Callable[..., Screen]
PARTS = ("builder", "submissions", "meters", "holds", "people")


def _open_builder(screen: Screen, preset: str) -> Screen:
    screen.go("/operator?part=builder").page.click(f"[data-preset={preset}]")
    return _wait_until_valid(screen)


def _verdict(screen: Screen, verdict: str) -> Screen:
    expect(screen.page.locator(f"[data-verdict='{verdict}']")).to_be_visible(timeout=CALCULATION_TIMEOUT)
    return screen


def _wait_until_valid(screen: Screen) -> Screen:
    return _verdict(screen, "in order")


def _field(screen: Screen, where: str) -> Locator:
    return screen.page.locator(f"[data-field='{where}']")


def _problems_at(screen: Screen, where: str) -> Locator:
    """Return the problems shown at a field."""
    return screen.page.locator(f".field [data-wrong='{where}'], [data-wager] [data-wrong='{where}']")


def _choose(screen: Screen, offer: str, letter: str) -> dict[str, Fraction]:
    """Choose a paytable; return the exact figures of the wager."""
    radio = screen.page.locator(f"[data-field='wagers.{offer}.paytable'][data-letter={letter}]")
    radio.check()
    _wait_until_valid(screen)
    figures = screen.page.locator(f"[data-figures={offer}] [data-figure]")
    exact = {str(one.get_attribute("data-figure")): str(one.get_attribute("data-exact")) for one in figures.all()}
    return {name: Fraction(text) for name, text in exact.items() if text and "√" not in text}


def test_a_forbidden_choice_is_marked_at_its_field_and_can_be_corrected(people: Enter) -> None:
    """§ 683a.2(a): six betting positions at most; § 683a.9(a)(1): cards dealt from the hand need a shuffling device."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    _field(olga, "table.seats").fill("9")
    expect(_problems_at(olga, "table.seats")).to_have_text("A table has 1 to 6 betting positions, not 9. § 683a.2(a)")
    _field(olga, "table.decks").fill("1")
    _field(olga, "table.dealing").select_option("hand")
    _field(olga, "table.shuffler").select_option("none")
    expect(_problems_at(olga, "table.shuffler")).to_contain_text("§ 683a.9(a)(1)")
    expect(_field(olga, "table.shuffler")).to_have_attribute("aria-invalid", "true")
    _verdict(olga, "wrong")
    together = olga.page.locator("[data-problem]")
    assert {one.get_attribute("data-problem") for one in together.all()} == {"table.seats", "table.shuffler"}
    expect(olga.page.locator("[data-do=sign]")).to_be_disabled()
    expect(olga.page.locator("[data-do=open-table]")).to_be_disabled()
    assert olga.violations() == []
    olga.picture("office-refused")
    together.filter(has_text="table.shuffler").get_by_role("button", name="table.shuffler").click()
    expect(_field(olga, "table.shuffler")).to_be_focused()
    _field(olga, "table.shuffler").select_option("automated")
    _field(olga, "table.seats").fill("6")
    _wait_until_valid(olga)
    expect(together).to_have_count(0)
    expect(_problems_at(olga, "table.seats")).to_have_count(0)
    expect(olga.page.locator("[data-do=sign]")).to_be_enabled()


def test_figures_follow_the_paytable_and_equal_the_published_ones(people: Enter) -> None:
    """The holds of rulemaking 125-204, and nets over all deals found by another program (tests/exact/test_base.py)."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    published = {one.wager: (one.low, one.high) for one in published_holds() if one.game == "cajun-stud"}
    ante = {letter: _choose(olga, "ante", letter) for letter in "BA"}
    assert ante["A"]["edge"] == Fraction(7_664_112, 155_937_600)
    assert ante["B"]["edge"] == Fraction(23_753_760, 155_937_600)
    assert tuple(_percent(ante[letter]["hold"]) for letter in "AB") == published["ante-raise"]
    changes = olga.page.locator("[data-figures=ante] [data-change]")
    assert changes.all_inner_texts() == [""] * changes.count()  # A is what it began with
    lo_ball = {letter: _choose(olga, "lo-ball", letter) for letter in "AB"}
    assert tuple(_percent(lo_ball[letter]["edge"]) for letter in "BA") == published["lo-ball"]
    points = 100 * (lo_ball["B"]["edge"] - lo_ball["A"]["edge"])
    shown = olga.page.locator("[data-figures=lo-ball] [data-change=edge]").inner_text()
    assert shown.endswith(" points")
    assert abs(Fraction(shown.removesuffix(" points").replace("−", "-")) - points) < Fraction(1, 1000)
    olga.picture("office-figures")


def _percent(share: Fraction) -> Decimal:
    """Return a share in per cent as the rulemaking prints it: with two decimals."""
    return Decimal(round(10_000 * share)) / 100


def test_an_edge_outside_the_published_range_is_only_a_warning(people: Enter) -> None:
    """Rulemaking 125-204 publishes 1.11 % to 6.6 % for the Aces Bonus; by § 682a.6(d) as written it holds 46 %."""
    olga = _open_builder(people("olga"), "four-card-prime-standard")
    warning = olga.page.locator("[data-warning=aces-bonus]")
    expect(warning).to_contain_text("holds 46.32 % of the wager; the Board published 1.11 % to 6.6 %.")
    expect(warning).to_contain_text("The reading aces-bonus-hand-size = four-card makes it 1.106 %.")
    expect(olga.page.locator("[data-do=sign]")).to_be_enabled()
    olga.page.locator("summary", has_text="Readings").click()
    olga.page.locator("[data-field='readings.aces-bonus-hand-size'][data-option=four-card]").check()
    _wait_until_valid(olga)
    expect(warning).to_have_count(0)


def test_the_sign_is_printed_and_the_text_is_saved(people: Enter) -> None:
    """§ 683a.12(d): Lo Ball pays 100 to 1 for a seven high; the sign says so, and has the help line."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    with olga.page.expect_download(timeout=CALCULATION_TIMEOUT) as download:
        olga.page.click("[data-do=sign]")
    assert download.value.suggested_filename == "cajun-stud-1-sign.pdf"
    words = " ".join(" ".join(page.extract_text() for page in PdfReader(download.value.path()).pages).split())
    for expected in ("Cajun Stud", "Lo Ball", "7 High 100 to 1", "1-800-GAMBLER"):
        assert expected.casefold() in words.casefold(), words
    _field(olga, "wagers.ante.minimum").fill("7.50")
    expect(olga.page.locator("#toml")).to_have_value(_containing('minimum = "7.50"'))
    _wait_until_valid(olga)
    with olga.page.expect_download() as download:
        olga.page.click("[data-do=toml]")
    found, wrong = parse(download.value.path().read_text(), "what was kept")
    assert found
    assert not wrong
    assert found.wagers["ante"].minimum == 750
    assert found.wagers["lo-ball"] == load("cajun-stud-standard").wagers["lo-ball"]


def _containing(line: str) -> re.Pattern[str]:
    return re.compile(re.escape(line))


def test_a_change_without_an_answer_is_not_valid(people: Enter) -> None:
    """A change that the house has not checked cannot be signed, approved or opened; the screen retries."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    olga.page.route("**/api/submissions/compose", lambda route: route.abort())
    chosen = olga.page.locator("[data-field='wagers.lo-ball.paytable'][data-letter=B]")
    chosen.check()
    for _ in range(2):
        _verdict(olga, "unanswered")
        expect(olga.page.locator("main [role=alert]").first).to_contain_text("The house cannot be reached.")
        for act in ("sign", "open-table", "record-approval"):
            expect(olga.page.locator(f"[data-do={act}]")).to_be_disabled()
        olga.page.reload()
        expect(chosen).to_be_checked(timeout=CALCULATION_TIMEOUT)  # the choice is kept
    olga.page.unroute("**/api/submissions/compose")
    _wait_until_valid(olga)
    found, wrong = parse(olga.page.locator("#toml").input_value(), "what was examined")
    assert not wrong
    assert found
    assert found.wagers["lo-ball"].paytable == "B"
    assert [line for line in olga.wrong if "Failed to load resource" not in line] == []
    olga.wrong.clear()


def test_closing_a_table_needs_a_confirmation(people: Enter, house: SharedHouse) -> None:
    """A table is closed for good: the pit links to the office, and the office asks for confirmation."""
    table = house.table("cajun-stud")

    def is_open() -> bool:
        return any(one["table"] == table for one in house.request("GET", "/api/tables")[1])

    olga = people("olga").go("/pit")
    expect(olga.page.locator(f"[data-table={table}]")).to_be_visible()
    expect(olga.page.get_by_role("button", name="Close")).to_have_count(0)
    olga.page.get_by_role("link", name="Close a table").click()
    olga.page.click(f"[data-close={table}]")
    expect(olga.page.locator(f"[data-open={table}]")).to_contain_text("Close it for good?")
    assert is_open()
    olga.page.get_by_role("button", name="No", exact=True).click()
    expect(olga.page.locator(f"[data-close={table}]")).to_be_visible()
    assert is_open()
    olga.page.click(f"[data-close={table}]")
    olga.page.click("[data-do=close-yes]")
    expect(olga.page.locator(f"[data-open={table}]")).to_have_count(0)
    assert not is_open()
    flo = people("flo").go("/pit")
    expect(flo.page.get_by_role("link", name="Close a table")).to_have_count(0)
    flo.page.get_by_role("link", name="Suspend or resume a wager").click()
    expect(flo.page.locator("[data-meters=caribbean-stud] [data-offer=progressive] [data-do=suspend]")).to_be_visible()


def test_a_version_is_compared_approved_opened_and_superseded(people: Enter, house: SharedHouse) -> None:
    """A manager changes a paytable: the change in words, the Board's approval, and a table in the lobby."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    _field(olga, "version").fill("2")
    _choose(olga, "lo-ball", "B")
    olga.page.click("[data-do=compare]")
    changes = olga.page.locator("[data-changed]")
    expect(changes.first).to_be_visible()
    assert changes.all_inner_texts() == [
        "The version changed from 1 to 2.",
        "The paytable of lo-ball changed from A to B.",
    ]
    today = datetime.now(ZoneInfo("America/New_York")).date()
    approval = olga.page.locator("[data-act=RecordApproval]")
    _field(olga, "approval.date").fill((today + timedelta(days=400)).isoformat())
    _field(olga, "approval.reference").fill("Letter 12 of the Board")
    approval.get_by_role("button").click()
    expect(olga.page.locator("main [role=alert]")).to_contain_text("is in the future")
    expect(_field(olga, "approval.reference")).to_have_value("Letter 12 of the Board")
    _field(olga, "approval.date").fill(today.isoformat())
    approval.get_by_role("button").click()
    expect(olga.page.locator("main")).to_contain_text("of the house’s log: version 2, approved on")
    _field(olga, "open.table").fill("lo-ball night")
    _field(olga, "open.betting").fill("45")
    olga.page.click("[data-do=open-table]")
    expect(olga.page.locator("[data-opened='lo-ball night']")).to_be_visible()
    olga.picture("office-opened")
    text = olga.page.locator("#toml").input_value()

    olga.page.click("[data-part=submissions]")
    row = olga.page.locator("tr[data-version='2']")
    expect(row).to_have_attribute("data-state", "in force")
    expect(row).to_contain_text("lo-ball night")
    expect(row.locator("[data-approval]")).to_contain_text(f"{today.isoformat()}, Letter 12 of the Board")
    olga.picture("office-submissions")
    with olga.page.expect_download() as kept_form:
        row.locator("[data-form]").click()
    assert kept_form.value.suggested_filename == "cajun-stud-2-form.pdf"
    _, kept = house.request("GET", "/api/submissions", token=olga.token)
    assert [one["text"] for one in kept if one["version"] == "2"] == [text]

    ann = people("ann").go("/")
    expect(ann.page.locator("[data-table='lo-ball night']")).to_contain_text("Cajun Stud")
    olga.page.click("[data-close='lo-ball night']")
    olga.page.click("[data-do=close-yes]")
    expect(row).to_have_attribute("data-state", "superseded")
    expect(ann.page.locator("[data-table='lo-ball night']")).to_have_count(0)


def test_the_text_may_be_edited_by_hand_and_survives_a_reload(people: Enter) -> None:
    """The form shows text written by hand; invalid text names its place; nothing is lost."""
    olga = _open_builder(people("olga"), "cajun-stud-standard")
    toml = olga.page.locator("#toml")
    text = toml.input_value()
    toml.fill(text.replace("seats = 6 ", "seats = 4 "))
    expect(_field(olga, "table.seats")).to_have_value("4")
    toml.fill(text.replace("seats = 6 ", "seats = , "))
    expect(olga.page.locator("[data-problem='']")).to_contain_text("is not TOML")
    olga.page.reload()
    expect(olga.page.locator("[data-problem='']")).to_contain_text("is not TOML")
    assert "seats = , " in toml.input_value()
    olga.page.click("[data-do=begin-again]")
    olga.page.get_by_label("A text").fill('game = "cajun-stud"')
    olga.page.click("[data-do=begin-text]")
    expect(olga.page.locator("[data-problem=property]")).to_contain_text("This key is missing.")


def test_actual_holds_are_shown_beside_theory(people: Enter, house: SharedHouse) -> None:
    """One fold: the house wins the whole Ante, and the band of one round is marked as rough."""
    table = house.table("cajun-stud", rest=0)
    ann = people("ann").sit(table, 3).put(3, ante=1).wager().decide(0)
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    olga = people("olga").go("/operator?part=holds")
    row = olga.page.locator(f"[data-hold={table}] tr[data-wager=ante]")
    expect(row).to_contain_text("100 %", timeout=CALCULATION_TIMEOUT)
    expect(row).to_contain_text("theory 15.23 %")  # 23,753,760 of 155,937,600: Paytable B of the rack card
    expect(row).to_contain_text("rough")
    picture = row.get_by_role("img")
    expect(picture).to_have_attribute("aria-label", _containing("Actual 100 %, theoretical 15.23 %"))
    expect(olga.page.locator("main")).to_contain_text("the expected win if every player plays best", ignore_case=True)
    olga.picture("office-holds")


def test_two_persons_hire_and_dismiss_staff(people: Enter, house: SharedHouse) -> None:
    """House rule: a second person approves staff; a dismissed person cannot sign in."""
    olga = people("olga").go("/operator?part=people")
    _field(olga, "hire.name").fill("dora")
    _field(olga, "hire.password").fill("too short")
    olga.page.click("[data-do=hire]")
    expect(olga.page.locator("main [role=alert]")).to_contain_text("at least 10 characters")
    expect(_field(olga, "hire.name")).to_have_value("dora")
    _field(olga, "hire.password").fill("deals by heart")
    olga.page.click("[data-do=hire]")
    waits = olga.page.locator("[data-waits=Hire]", has_text="dora")
    expect(waits.get_by_role("button", name="Approve")).to_be_disabled()
    ada = people("ada").go("/pit")
    ada.page.locator("[data-waits=Hire]", has_text="dora").get_by_role("button", name="Approve").click()
    expect(waits).to_have_count(0)
    assert house.sign_in("dora", "deals by heart")
    olga.page.reload()
    done = olga.page.locator("[data-done=Hire]", has_text="dora")
    expect(done.locator("td").last).to_have_text("ada")
    _field(olga, "dismiss.name").fill("dora")
    olga.page.click("[data-do=dismiss]")
    expect(olga.page.locator("[data-done=Dismiss]")).to_contain_text("dora is dismissed")
    status, _ = house.request("POST", "/api/session", {"name": "dora", "password": "deals by heart"})
    assert status == 401


def test_a_refusal_stays_in_view_after_its_request_is_gone(people: Enter, house: SharedHouse) -> None:
    """Two persons approve the same request: the second sees a refusal, which stays after the request is gone."""
    hired = {"type": "Hire", "name": "dirk", "post": "dealer", "password": "deals by heart"}
    house.do("olga", **hired)
    ada = people("ada")
    pit = house.request("GET", "/api/pit", token=ada.token)[1]
    (asked,) = (one["id"] for one in pit["approvals"] if "dirk" in str(one))
    ada.page.route("**/api/pit", lambda route: route.fulfill(json=pit))  # a stale list
    ada.go("/pit")
    waits = ada.page.locator("[data-waits=Hire]", has_text="dirk")
    expect(waits).to_be_visible()
    house.do("ada", type="Approve", id=asked)
    waits.get_by_role("button", name="Approve").click()
    second = ada.page.get_by_role("region", name="Second person")
    expect(second.get_by_role("alert")).to_contain_text("No request with that id is waiting.")
    ada.page.unroute("**/api/pit")
    expect(waits).to_have_count(0)
    expect(second).to_contain_text("Already answered.")
    expect(second.get_by_role("alert")).to_contain_text("No request with that id is waiting.")


def test_a_wager_is_suspended_with_a_reason_and_refused_at_the_table(people: Enter, house: SharedHouse) -> None:
    """House rule: a table without its link does not take that wager; the meters show the house's amounts."""
    table = house.table("caribbean-stud")
    olga = people("olga").go("/operator?part=meters")
    meters = olga.page.locator(f"[data-meters={table}]")
    shown = meters.locator("[data-offer=progressive] [data-meter='main@100']")
    expect(shown).not_to_have_text("$0.00")
    amount = house.request("GET", "/api/meters")[1][table]["progressive/main@100"]
    expect(shown).to_have_text(f"${amount / 100:,.2f}")
    meters.locator("[data-offer=progressive] [data-do=suspend]").click()
    _field(olga, "reason").fill("the link was lost")
    olga.page.click("[data-do=suspend-yes]")
    expect(olga.page.locator("main [role=status]")).to_contain_text(
        f"Progressive Payout is taken no longer at {table}."
    )
    ann = people("ann").sit(table, 3).put(3, ante=1, progressive=1).wager()
    expect(ann.page.locator("main [role=alert]").first).to_contain_text("link")
    events = house.request("GET", "/api/events", token=olga.token)[1]
    assert any(f"is suspended at {table}: the link was lost" in one["what"] for one in events)


def test_the_office_can_be_used_with_the_keyboard(people: Enter) -> None:
    olga = people("olga").go("/operator")
    olga.page.focus("#tab-builder")
    for part in (*PARTS[1:], PARTS[0]):
        olga.page.keyboard.press("ArrowRight")
        expect(olga.page.locator(f"#tab-{part}")).to_be_focused()
        expect(olga.page.locator(f"#tab-{part}")).to_have_attribute("aria-selected", "true")
        assert olga.page.url.endswith(f"/operator?part={part}")


@pytest.mark.parametrize("size", [None, PHONE], ids=["wide", "phone"])
def test_every_part_of_the_office_is_accessible_and_fits_the_screen(people: Enter, size: dict[str, int] | None) -> None:
    olga = _open_builder(people("olga", size=size), "caribbean-stud-standard")
    for part in PARTS:
        olga.go(f"/operator?part={part}")
        expect(olga.page.locator("h2").first).to_be_visible()
        olga.wait_until_quiet()
        assert olga.violations() == [], part
        width = olga.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0, part
        olga.picture(f"office-{part}-{'wide' if size is None else 'phone'}")
