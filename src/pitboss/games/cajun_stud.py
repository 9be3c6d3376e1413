"""Cajun Stud: 58 Pa. Code ch. 683a, as proposed in 2017."""

from typing import Final

from pitboss.games.declarations import ByTable, Decision, Game, Limit, Place, Wager, side_wager
from pitboss.money import DOLLAR
from pitboss.rulebook.readings import Choice

_BASE: Final = ByTable("ante-raise", ("player", "board"), "683a.11(h)(1)", "683a.11(h)(2)")
_SEPARATE: Final[Choice] = {"cajun-all-six-cards": "four-separate"}
_SHARED: Final[Choice] = {"cajun-all-six-cards": "community-plus-one"}


def _all_six(places: tuple[str, ...], when: Choice) -> Wager:
    return side_wager("all-six", "All-Six Bonus", "683a.7(d)(5)", places, "683a.11(i)(4)(ii)", "683a.11(i)(4)(i)", when)


CAJUN_STUD: Final = Game(
    name="cajun-stud",
    seats=6,
    places=(
        Place("player", 2, "the player"),
        Place("board", 3, "the board"),
        Place("all-six", 4, "the All-Six Bonus", _SEPARATE, only_for="all-six"),
        Place("all-six", 1, "the All-Six Bonus", _SHARED, only_for="all-six"),
    ),
    required="ante",
    left_cite="683a.7(b)",
    odds_sign="683a.2(b)(4)",
    decisions=(
        Decision("raise-1", "ante", (1, 2, 3), "683a.11(b)"),
        Decision("raise-2", "ante", (1, 2, 3), "683a.11(d)"),
        Decision("raise-3", "ante", (1, 2, 3), "683a.11(f)"),
    ),
    settles=(
        Wager(name="ante", title="Ante", cite="683a.7(d)(1)", by=_BASE),
        Wager(name="raise-1", title="First Raise", cite="683a.7(d)(1)", by=_BASE),
        Wager(name="raise-2", title="Second Raise", cite="683a.7(d)(1)", by=_BASE),
        Wager(name="raise-3", title="Third Raise", cite="683a.7(d)(1)", by=_BASE),
        side_wager(
            "pocket-bonus", "Pocket Bonus", "683a.7(d)(2)", ("player",), "683a.11(i)(1)(ii)", "683a.11(i)(1)(i)"
        ),
        side_wager("board-bonus", "Board Bonus", "683a.7(d)(3)", ("board",), "683a.11(i)(2)(ii)", "683a.11(i)(2)(i)"),
        side_wager("lo-ball", "Lo Ball", "683a.7(d)(4)", ("player", "board"), "683a.11(i)(3)(ii)", "683a.11(i)(3)(i)"),
        _all_six(("player", "all-six"), _SEPARATE),
        _all_six(("player", "board", "all-six"), _SHARED),
    ),
    limit=Limit("683a.12(f)", "683a.2(b)(5)", 50_000 * DOLLAR, ("ante", "raise-1", "raise-2", "raise-3")),
)
