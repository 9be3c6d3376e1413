"""Section .2(b): the operator's name on a layout, and the areas for each player, by the wagers on offer."""

import re

import pytest

from pitboss.house.live_table import Settings, new_live_table
from pitboss.record.chain import header
from pitboss.report.layout import Layout
from pitboss.submission.parser import text_of
from pitboss.web.felt import table_layout

PRESETS = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}
REQUIRED = {
    "639a": {"Ante", "Bet"},
    "682a": {"Ante", "Raise"},
    "683a": {"Ante", "First Raise", "Second Raise", "Third Raise"},
}
"""639a.2(b)(2), 682a.2(b)(2), 683a.2(b)(2)."""


def felt(chapter: str, *, offers: tuple[str, ...] = (), owner: str = "Pitboss", seats: int = 5) -> Layout:
    """The layout of a table that offers the Ante and these, and has so many betting positions."""
    text = text_of(PRESETS[chapter]).replace("Pitboss Demonstration Casino", owner)
    text = re.sub(r"^seats = \d", f"seats = {seats}", text, flags=re.MULTILINE)
    head, *wagers, tail = re.split(r"^(?=\[wagers\.[a-z-]+\]|\[readings\])", text, flags=re.MULTILINE)
    kept = [wager for wager in wagers if wager.startswith(tuple(f"[wagers.{name}]" for name in ("ante", *offers)))]
    return table_layout(new_live_table("table", header("".join([head, *kept, tail])), "", Settings()), play_money=True)


@pytest.mark.proves("{chapter}.2(b)(1)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_2_b_1_the_layout_has_the_operators_name(chapter: str) -> None:
    assert felt(chapter, owner="Grand Tulip").property == "Grand Tulip"


@pytest.mark.proves("{chapter}.2(b)(2)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_2_b_2_each_player_has_separate_areas_for_ante_and_raises(chapter: str) -> None:
    layout = felt(chapter, seats=4)
    assert sorted(spot.title for spot in layout.spots) == sorted(REQUIRED[chapter])
    assert len({spot.name for spot in layout.spots}) == len(REQUIRED[chapter])  # each apart
    assert layout.seats == 4


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "offer", "areas"),
    [
        ("639a.2(b)(3)", "progressive", {"Progressive Payout"}),
        ("639a.2(b)(4)", "bonus", {"Caribbean Stud Bonus"}),
        ("639a.2(b)(5)", "five-card-hand", {"Five Card Hand Bonus, player's hand", "Five Card Hand Bonus, dealer's hand"}),
        ("682a.2(b)(3)", "prime", {"Prime"}),
        ("682a.2(b)(3)", "aces-bonus", {"Aces Bonus"}),
        ("682a.2(b)(3)", "all-six", {"All-Six Bonus"}),
        ("683a.2(b)(3)", "pocket-bonus", {"Pocket Bonus"}),
        ("683a.2(b)(3)", "board-bonus", {"Board Bonus"}),
        ("683a.2(b)(3)", "lo-ball", {"Lo Ball"}),
        ("683a.2(b)(3)", "all-six", {"All-Six Bonus"}),
    ],
)  # fmt: skip
def test_2_b_every_optional_wager_on_offer_has_its_own_area(clause: str, offer: str, areas: set[str]) -> None:
    chapter = clause.partition(".")[0]
    spots = felt(chapter, offers=(offer,)).spots
    assert sorted(spot.title for spot in spots) == sorted(REQUIRED[chapter] | areas)
    assert len({spot.name for spot in spots}) == len(spots)
