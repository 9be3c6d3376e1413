"""What a browser never receives: a card that lies face down, for anybody who may not see it."""

from collections.abc import Callable

import pytest
from house_server import Server
from playwright.sync_api import expect
from screen import Screen

Enter = Callable[..., Screen]


def _dealt(house: Server, table: str) -> tuple[set[str], dict[str, set[str]]]:
    """Return, from the record of the first round, the cards of the dealer and the board, and those of each seat."""
    ada = house.sign_in("ada")
    status, found = house.request("GET", f"/api/rounds/{table}/1/frames", token=ada)
    assert status == 200, found
    last = [frame["view"] for frame in found["frames"] if frame["view"]["boxes"]][-1]
    places = {card for held in last["places"].values() for card in held}
    boxes = {str(box["seat"]): set(box["cards"]) for box in last["boxes"]}
    assert None not in places
    return places, boxes


@pytest.mark.parametrize(("table", "face_up"), [("caribbean-stud", 1), ("four-card-prime", 1), ("cajun-stud", 0)])
def test_two_browsers_each_see_their_own_cards_and_nothing_face_down(
    people: Enter, house: Server, table: str, face_up: int
) -> None:
    """Guarantee 6, from the browsers' own network records: until the reveal nobody has a card he may not see.

    One card of the dealer lies face up in 639a.8(d) and 682a.8(c); the board of 683a.8(c) lies face down.
    """
    ann, bob, watcher = people("ann").sit(table, 2), people("bob").sit(table, 4), people().go(f"/table/{table}")
    ann.put(2, ante=1)
    bob.put(4, ante=1)
    ann.wager()
    bob.wager()
    ann.page.locator("[data-multiple='0']").wait_for()
    expect(watcher.page.locator("[role=status]")).to_contain_text("Seat 2 decides")
    known = {name: one.cards_seen() for name, one in (("ann", ann), ("bob", bob), ("watcher", watcher))}
    for player, other in ((ann, bob), (bob, ann)):
        while True:
            first = player.page.locator("[data-multiple='0']")
            player.page.locator("[data-multiple='0'], [data-line], [role=status]").first.wait_for()
            if first.count():
                first.click()
                break
            other.page.wait_for_timeout(50)
    ann.settled()
    expect(ann.page.locator("[role=status]")).to_contain_text("Place your bets")
    places, boxes = _dealt(house, table)
    assert known["ann"] >= boxes["2"]
    assert known["bob"] >= boxes["4"]
    assert not known["ann"] & boxes["4"]
    assert not known["bob"] & boxes["2"]
    for name, cards in known.items():
        assert len(cards & places) <= face_up, (name, cards & places)
    assert not known["watcher"] & (boxes["2"] | boxes["4"])
