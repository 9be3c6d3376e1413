"""Training in the browser: the screen shows the server's grade, with its clause."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader
from screen import CALCULATION_TIMEOUT, Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]


@pytest.mark.parametrize("game", ["caribbean-stud", "four-card-prime", "cajun-stud"])
def test_a_hard_hand_is_graded_with_the_value_of_every_option(people: Enter, house: SharedHouse, game: str) -> None:
    """A fold in the first decision loses one Ante, whatever the hand (639a.11(b), 682a.11(b), 683a.11(b))."""
    screen = people().go(f"/training/{game}?drill=hard&seed=7")
    screen.page.locator("[data-answer='0']").wait_for(timeout=CALCULATION_TIMEOUT)
    _, drill = house.request("GET", f"/api/training/player/{game}?kind=hard&seed=7")
    options = screen.page.locator("[data-answer]")
    expect(options).to_have_count(len(drill["options"]))
    screen.page.locator("[data-answer='0']").click()
    _, graded = house.request("POST", "/api/training/player/answer", {"hand": drill["hand"], "multiple": 0})
    verdict = screen.page.locator("[data-verdict]")
    expect(verdict).to_be_visible()
    worth = next(one["about"] for one in graded["options"] if one["multiple"] == 0)
    assert worth == -1.0 - sum(drill["hand"]["raised"])
    expect(screen.page.locator("main")).to_contain_text(graded["clause"]["cite"])
    screen.picture(f"training-{game}")


def test_a_dealer_is_asked_about_an_irregularity(people: Enter, house: SharedHouse) -> None:
    """Section .13: the answer and its clause are the server's."""
    screen = people().go("/training/caribbean-stud?drill=irregular&seed=3")
    first = screen.page.locator("[data-answer]").first
    first.wait_for()
    _, drill = house.request("GET", "/api/training/dealer/caribbean-stud?kind=irregular&seed=3")
    expect(screen.page.locator("main")).to_contain_text(drill["says"])
    first.click()
    expect(screen.page.locator("[data-verdict]")).to_be_visible()
    expect(screen.page.locator("main")).to_contain_text("639a.")
    screen.picture("training-irregular")


def _settle(screen: Screen, lines: list[dict[str, Any]]) -> None:
    """Answer every line, and settle."""
    for line in lines:
        row = screen.page.locator(f"[data-row='pay-{line['seat']}-{line['wager']}']")
        row.locator(f"input[value='{line['answer']}']").check(force=True)
        if row.locator("input.n").count():
            row.locator("input.n").fill(f"{line['amount'] / 100:.2f}")
    screen.page.click("[data-do=settle]")
    screen.page.locator("[data-row][data-right]").first.wait_for()


def test_take_and_pay_is_graded_line_by_line(people: Enter, house: SharedHouse) -> None:
    """Section .11, (i) and (j) of 683a: the table's payout is right; a cent more is wrong, with the clause."""
    _, drill = house.request("GET", "/api/training/dealer/cajun-stud?kind=pay&seed=5&table=cajun-stud")
    _, right = house.request("POST", "/api/training/dealer/answer", {"drill": drill["drill"]})
    lines = right["lines"]
    screen = people().go("/training/cajun-stud?drill=pay&seed=5")
    rows = screen.page.locator("[data-row]")
    rows.first.wait_for()
    expect(rows).to_have_count(len(lines))
    screen.picture("training-pay")
    screen.page.click("[data-do=settle]")
    expect(screen.page.locator("[role=alert]")).to_contain_text("to fill in")  # an incomplete form is not sent
    _settle(screen, lines)
    expect(screen.page.locator("[data-row][data-right=true]")).to_have_count(len(lines))
    paid = next(line for line in lines if line["amount"])
    screen.go("/training/cajun-stud?drill=pay&seed=5")
    rows.first.wait_for()
    _settle(screen, [{**line, "amount": line["amount"] + 1} if line is paid else line for line in lines])
    wrong = screen.page.locator("[data-row][data-right=false]")
    expect(wrong).to_have_count(1)
    expect(wrong).to_contain_text(paid["clause"]["cite"])


def test_a_timed_test_is_scored_and_recorded_by_the_examiner(people: Enter, house: SharedHouse) -> None:
    """Every question is answered in turn, the score names each error with its clause; flo examines dana."""
    screen = people("flo").go("/training/caribbean-stud?drill=test&seed=5")
    screen.page.click("[data-do=begin]")
    expect(screen.page.locator("[role=timer]").first).to_be_visible()
    asked = 0
    while True:
        screen.page.locator("[data-kind], [data-score]").first.wait_for()
        if screen.page.locator("[data-score]").count():
            break
        seed = screen.page.locator("[data-kind]").get_attribute("data-seed")
        if screen.page.locator("[data-row]").count():
            for row in screen.page.locator("[data-row]").all():
                row.locator("input[type=radio]").first.check(force=True)
                if row.locator("input.n").count():
                    row.locator("input.n").fill("1")
            screen.page.click("[data-do=settle]")
        else:
            screen.page.locator("[data-answer]").first.click()
        asked += 1
        screen.page.wait_for_function(
            "seed => document.querySelector('[data-score]')"
            " || document.querySelector('[data-kind]')?.getAttribute('data-seed') !== seed",
            arg=seed,
        )
    right = int(screen.page.locator("[data-score]").get_attribute("data-score") or -1)
    assert 0 <= right < asked  # always taking the first answer is sometimes wrong
    assert screen.page.locator("[data-error]").count() >= asked - right
    assert all("639a." in str(one.get_attribute("data-error")) for one in screen.page.locator("[data-error]").all())
    assert screen.violations() == []
    screen.picture("training-score", whole=True)
    expect(screen.page.locator("[data-trainee]")).to_have_value("dana")
    screen.page.click("[data-do=keep]")
    expect(screen.page.locator("[data-record=dana]")).to_be_visible()
    (one,) = house.request("GET", "/api/training/records/dana", token=screen.token)[1]
    assert (one["examined_by"], one["right"], one["asked"]) == ("flo", right, asked)
    screen.go("/training")
    with screen.page.expect_download() as paper:
        screen.page.locator("[data-trained=dana] a", has_text="PDF").click()
    assert f"{right} of {asked}" in PdfReader(paper.value.path()).pages[0].extract_text()
    assert screen.violations() == []
