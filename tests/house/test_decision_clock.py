"""Nobody waits for an absent player: decisions at an automatic table are timed, and a floorperson can warn a patron."""

from typing import Any

import pytest
from desk_house import House

from pitboss.submission import text_of
from pitboss.table import Wager

STUD = text_of("caribbean-stud-standard")


@pytest.mark.parametrize(
    ("settings", "submission", "seconds"),
    [
        ({}, STUD, 30),
        ({"decision": 45}, STUD, 45),
        ({"decision": 0}, STUD, None),
        ({"automatic": False}, STUD, None),
        ({}, STUD.replace("[table]\n", "[table]\ndecision_timeout = 90\n"), 90),
    ],
)
def test_the_clock_of_a_table_is_recorded_when_it_opens(
    sqlite_house: House, settings: dict[str, Any], submission: str, seconds: int | None
) -> None:
    sqlite_house.open("one", submission, **settings)
    assert sqlite_house.table("one").rules.timeout == seconds


def test_the_record_holds_the_clock_so_that_a_replay_has_it_too(sqlite_house: House) -> None:
    sqlite_house.open("one", decision=25)
    assert sqlite_house.live_table("one").header.decision_timeout == 25


def test_at_zero_the_absent_player_is_folded_and_the_round_ends(sqlite_house: House) -> None:
    sqlite_house.patrons("ann")
    sqlite_house.open("one", decision=30, betting=0)
    sqlite_house.seat("one", ann=1)
    sqlite_house.send_ok("ann", "one", Wager(1, {"ante": 1000}))
    sqlite_house.pass_time(29, "one")
    assert sqlite_house.table("one").boxes[1].cards
    sqlite_house.pass_time(1, "one")
    assert sqlite_house.table("one").round == 1
