"""Failed devices, and what is allowed without them: .5(g), .9(a)(1), .13(g)."""

import pytest
from msgspec.structs import replace
from table_play import DEALER, FLOORPERSON, PRESETS, after_command, open_for_gaming

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import ChangeDealing, Cover, Perform, Refusal, Report, Table, refusal

SHUFFLED = replace(DEALER, cards=DECK, counted=52)


def shoe_failed(preset: str, shuffler: Shuffler, **readings: str) -> Table:
    """A table whose automated shoe is out of order, with its cover on."""
    table = open_for_gaming(
        preset,
        {1: "Ann"},
        dealing=Dealing.AUTOMATED_SHOE,
        shuffler=shuffler,
        readings={name.replace("_", "-"): option for name, option in readings.items()},
    )
    return after_command(after_command(table, Report("malfunction", device="shoe")), Cover("shoe"), FLOORPERSON)


@pytest.mark.proves("{chapter}.9(a)(1)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize(
    ("shuffler", "readings", "allowed"),
    [
        (Shuffler.NONE, {}, False),
        (Shuffler.AUTOMATED, {}, True),
        (Shuffler.COUNTING, {}, True),
        # An approved device fails with its shoe, unless the Submission says that it is separate.
        (Shuffler.APPROVED_DEVICE, {}, False),
        (Shuffler.APPROVED_DEVICE, {"approved_device_and_shoe": "two"}, True),
        # If it does not count as a shuffler, it does not allow dealing from the hand.
        (Shuffler.APPROVED_DEVICE, {"approved_device_and_shoe": "two", "approved_device_as_shuffler": "no"}, False),
        (Shuffler.APPROVED_DEVICE, {"approved_device_as_shuffler": "no"}, False),
    ],
)
def test_9_a_1_dealing_from_the_hand_after_a_shoe_failure_needs_a_shuffler(
    chapter: str, preset: str, shuffler: Shuffler, readings: dict[str, str], *, allowed: bool
) -> None:
    table = shoe_failed(preset, shuffler, **readings)
    refused = refusal(table, ChangeDealing(Dealing.HAND), FLOORPERSON)
    why = "The device that this way of dealing needs is missing or has failed."
    assert refused == (None if allowed else Refusal(why, f"{chapter}.9(a)(1)"))
    assert refusal(table, ChangeDealing(Dealing.MANUAL_SHOE), FLOORPERSON) is None


@pytest.mark.proves(*(f"{chapter}.5(g)" for chapter in PRESETS))
@pytest.mark.parametrize("preset", PRESETS.values())
@pytest.mark.parametrize(("apart", "is_cut"), [("one", True), ("two", False)])
def test_5_g_after_an_approved_device_fails_cards_are_shuffled_by_hand_and_cut(
    preset: str, apart: str, *, is_cut: bool
) -> None:
    table = shoe_failed(preset, Shuffler.APPROVED_DEVICE, approved_device_and_shoe=apart)
    table = after_command(table, ChangeDealing(Dealing.MANUAL_SHOE), FLOORPERSON)
    assert (refusal(table, Perform(), replace(SHUFFLED, counted=None)) is None) == is_cut  # no device counts
    assert (after_command(table, Perform(), SHUFFLED).due.do is Do.CUT) == is_cut
