"""A browser never receives a face-down card that its viewer may not see."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from screen import Screen
from shared_house import SharedHouse

Enter = Callable[..., Screen]


def _cards_of_first_round(house: SharedHouse, table: str) -> tuple[set[str], dict[str, set[str]]]:
    """Return, from the record of the first round, the cards of the dealer and the board, and those of each seat."""
    status, found = house.request("GET", f"/api/rounds/{table}/1/frames", token=house.token("ada"))
    assert status == 200, found
    last = [frame["view"] for frame in found["frames"] if frame["view"]["boxes"]][-1]
    places = {card for held in last["places"].values() for card in held}
    boxes = {str(box["seat"]): set(box["cards"]) for box in last["boxes"]}
    assert None not in places
    return places, boxes


def _wait_for_newest(screens: dict[str, Screen], house: SharedHouse, table: str) -> None:
    """Wait until every screen has the newest state of the table, and the pit has refreshed."""
    newest = f'"table":"{table}","seq":{house.request("GET", f"/api/tables/{table}")[1]["seq"]},'
    for name, screen in screens.items():
        if name == "flo":
            with screen.page.expect_request("**/api/pit") as asked:
                pass
            asked.value.response()
        else:
            screen.wait_until(lambda screen=screen: any(newest in text for _, text in screen.received))  # type: ignore[misc]
    for screen in screens.values():
        screen.wait_until(lambda screen=screen: not screen.unread)  # type: ignore[misc]


FOLD, RAISE = "[data-multiple='0']", "[data-multiple]:not([data-multiple='0'])"
TURNS = {
    "caribbean-stud": [("ann", RAISE, 1), ("bob", FOLD, 1)],
    "four-card-prime": [("ann", RAISE, 0), ("bob", FOLD, 0)],
    "cajun-stud": [("ann", RAISE, 0), ("bob", FOLD, 0), ("ann", RAISE, 1), ("ann", RAISE, 2)],
}
"""The decisions, and how many cards of the dealer or the board are face up then.

One card of the dealer does under 639a.8(d), none under 682a.8; the board of 683a.8(c) lies face down, and 683a.11(c),
(e) and (g) turn a card of it after each decision.
"""


@pytest.mark.parametrize("game", TURNS)
def test_only_its_player_receives_a_card_before_it_is_turned(people: Enter, house: SharedHouse, game: str) -> None:
    """Guarantee 6, from the browsers' own network records, their pages and their storage, at every decision."""
    table = house.table(game, rest=0)
    screens = {
        "ann": people("ann").record_traffic().sit(table, 2),
        "bob": people("bob").record_traffic().sit(table, 4),
        "nobody": people().record_traffic().go(f"/table/{table}"),
        "dana": people("dana").record_traffic().go(f"/deal/{table}"),
        "flo": people("flo").record_traffic().go("/pit"),
        "sue": people("sue").record_traffic().go(f"/table/{table}"),
    }
    for name, seat in (("ann", 2), ("bob", 4)):
        screens[name].put(seat, ante=1).wager()
    known: list[tuple[int, dict[str, set[str]]]] = []
    for who, choice, face_up in TURNS[game]:
        turn = screens[who].page.locator(choice).first
        turn.wait_for()
        for name in ("nobody", "sue"):
            expect(screens[name].page.locator("[role=status]")).to_contain_text(
                f"Seat {2 if who == 'ann' else 4} decides"
            )
        _wait_for_newest(screens, house, table)
        known.append((face_up, {name: screen.cards_seen() for name, screen in screens.items()}))
        turn.click()
    expect(screens["ann"].page.locator("[role=status]")).to_contain_text("Place your bets")
    places, boxes = _cards_of_first_round(house, table)
    for face_up, seen in known:
        assert seen["ann"] >= boxes["2"]
        assert seen["bob"] >= boxes["4"]
        for name, cards in seen.items():
            assert len(cards & places) == (0 if name == "flo" else face_up), (name, cards & places)
            assert name == "ann" or not cards & boxes["2"], (name, cards & boxes["2"])
            assert name == "bob" or not cards & boxes["4"], (name, cards & boxes["4"])
