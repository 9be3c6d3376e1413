"""The boxes one player wagers on: .7(e)."""

import pytest
from msgspec.structs import replace
from table_play import ANTE, PRESETS, after_command, given_by_patron, open_for_gaming, shuffle_and_wager

from pitboss.table import Sit, Table, Wager, refusal

ANN = given_by_patron("Ann")


def with_boxes(preset: str, seat: int, *boxes: int) -> Table:
    """A table where Ann sits and wagers on these boxes, one after another."""
    table = shuffle_and_wager(open_for_gaming(preset, {seat: "Ann"}), {})
    table = replace(table, rules=replace(table.rules, boxes=3))
    for box in boxes:
        table = after_command(table, Wager(box, ANTE), ANN)
    return table


@pytest.mark.proves("{chapter}.7(e)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize(
    ("placed", "next_box", "taken"),
    [
        ((), 3, True),
        ((), 4, True),  # beside the player's seat, which may stay empty
        ((), 5, False),  # it does not touch the seat
        ((4,), 5, True),
        ((2,), 4, False),  # an empty seat does not join two boxes
        ((4,), 2, False),
        ((3, 4), 2, True),
        ((3, 2), 4, True),
        ((3,), 5, False),
        ((4, 5), 3, True),
        ((3, 4, 5), 2, False),  # three are allowed here
    ],
)
def test_7_e_a_players_boxes_are_adjacent_to_the_seat(
    chapter: str, preset: str, placed: tuple[int, ...], next_box: int, *, taken: bool
) -> None:
    table = with_boxes(preset, 3, *placed)
    refused = refusal(table, Wager(next_box, ANTE), ANN)
    assert (refused is None) == taken
    assert refused is None or refused.cite == f"{chapter}.7(e)"


@pytest.mark.proves("{chapter}.7(e)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize(
    ("placed", "back", "allowed"),
    [
        ((3,), 3, True),
        ((3, 4), 3, True),  # box 4 touches the seat
        ((3, 4, 5), 5, True),
        ((3, 4, 5), 4, False),  # boxes 3 and 5 would be left
        ((3, 2, 4), 3, False),  # boxes 2 and 4 would be left
        ((4, 5), 4, False),  # box 5 would be left, away from the seat
        ((4, 5), 5, True),
    ],
)
def test_7_e_wagers_are_taken_back_from_the_outer_box_first(
    chapter: str, preset: str, placed: tuple[int, ...], back: int, *, allowed: bool
) -> None:
    table = with_boxes(preset, 3, *placed)
    refused = refusal(table, Wager(back, {}), ANN)
    assert (refused is None) == allowed
    assert refused is None or refused.cite == f"{chapter}.7(e)"
    assert refusal(table, Wager(back, {"ante": 2000}), ANN) is None  # a wager is changed at any time before the call
    for box in sorted(placed, key=lambda box: -abs(box - 3)):  # outer boxes first: all can be taken back
        table = after_command(table, Wager(box, {}), ANN)
    assert not table.boxes


def test_7_e_a_player_between_blocks_the_box_beyond() -> None:
    table = after_command(with_boxes(PRESETS["639a"], 3, 3), Sit(4), given_by_patron("Bob"))
    refused = refusal(table, Wager(5, ANTE), ANN)
    assert refused
    assert refused.cite == "639a.7(e)"
    assert refusal(table, Wager(5, ANTE), given_by_patron("Bob")) is None
