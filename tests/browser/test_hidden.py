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


FOLD, RAISE = "[data-multiple='0']", "[data-multiple]:not([data-multiple='0'])"
TURNS = {
    "caribbean-stud": [("ann", RAISE, 1), ("bob", FOLD, 1)],
    "four-card-prime": [("ann", RAISE, 0), ("bob", FOLD, 0)],
    "cajun-stud": [("ann", RAISE, 0), ("bob", FOLD, 0), ("ann", RAISE, 1), ("ann", RAISE, 2)],
}
"""Who decides what, and how many cards of the dealer or the board then lie face up.

One card of the dealer does under 639a.8(d), none under 682a.8; the board of 683a.8(c) lies face down, and 683a.11(c),
(e) and (g) turn a card of it after each decision.
"""


@pytest.mark.parametrize("table", TURNS)
def test_until_a_card_is_turned_nobody_has_it_but_who_holds_it(people: Enter, house: Server, table: str) -> None:
    """Guarantee 6, from the browsers' own network records, their pages and their storage, at every decision."""
    screens = {
        "ann": people("ann").sit(table, 2),
        "bob": people("bob").sit(table, 4),
        "nobody": people().go(f"/table/{table}"),
        "dana": people("dana").go(f"/deal/{table}"),
        "flo": people("flo").go("/pit"),
        "sue": people("sue").go(f"/table/{table}"),
    }
    for name, seat in (("ann", 2), ("bob", 4)):
        screens[name].put(seat, ante=1).wager()
    known: list[tuple[int, dict[str, set[str]]]] = []
    for who, choice, face_up in TURNS[table]:
        turn = screens[who].page.locator(choice).first
        turn.wait_for()
        for name in ("nobody", "sue"):
            expect(screens[name].page.locator("[role=status]")).to_contain_text(
                f"Seat {2 if who == 'ann' else 4} decides"
            )
        screens["dana"].page.wait_for_timeout(200)  # what there is to be received is received
        known.append((face_up, {name: screen.cards_seen() for name, screen in screens.items()}))
        turn.click()
    screens["ann"].settled()
    expect(screens["ann"].page.locator("[role=status]")).to_contain_text("Place your bets")
    places, boxes = _dealt(house, table)
    for face_up, seen in known:
        assert seen["ann"] >= boxes["2"]
        assert seen["bob"] >= boxes["4"]
        for name, cards in seen.items():
            assert len(cards & places) == (0 if name == "flo" else face_up), (name, cards & places)
            assert name == "ann" or not cards & boxes["2"], (name, cards & boxes["2"])
            assert name == "bob" or not cards & boxes["4"], (name, cards & boxes["4"])
