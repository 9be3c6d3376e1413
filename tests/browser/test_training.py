"""Training in the browser: what is graded there is what the server says, with its clause."""

from collections.abc import Callable

import pytest
from house_server import Server
from playwright.sync_api import expect
from screen import Screen

Enter = Callable[..., Screen]


@pytest.mark.parametrize("game", ["caribbean-stud", "four-card-prime", "cajun-stud"])
def test_a_hard_hand_is_graded_with_the_worth_of_every_option(people: Enter, house: Server, game: str) -> None:
    """A fold in the first decision loses one Ante, whatever the hand (639a.11(b), 682a.11(b), 683a.11(b))."""
    screen = people().go(f"/training/{game}?drill=hard&seed=7")
    screen.page.locator("[data-answer='0']").wait_for(timeout=90_000)
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


def test_a_dealer_is_asked_what_an_irregularity_orders(people: Enter, house: Server) -> None:
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


def test_take_and_pay_and_the_timed_test_begin(people: Enter) -> None:
    screen = people().go("/training/cajun-stud?drill=pay&seed=5")
    screen.page.locator("[data-row]").first.wait_for()
    screen.picture("training-pay")
    screen.go("/training/cajun-stud?drill=test&seed=5")
    screen.page.click("[data-do=begin]")
    expect(screen.page.locator("[role=timer]").first).to_be_visible()
