"""What a replay is drawn from besides its frames: the felt as the table was opened, and what its meters showed."""

from typing import Any

from pitboss.rulebook import rulebook

from .test_evidence_routes import got, made, staffed  # noqa: F401 (fixtures)
from .test_people import Staffed


def replay(house: Staffed, who: str, table: str, number: int) -> dict[str, Any]:
    return dict(got(house, who, f"/api/rounds/{table}/{number}/frames"))


def test_a_replay_has_the_felt_of_its_table_whether_open_or_closed(staffed: Staffed) -> None:  # noqa: F811 (a fixture)
    open_now = {one["table"] for one in got(staffed, "ada", "/api/tables")}
    assert "639a" in open_now
    assert "682a" not in open_now
    assert replay(staffed, "flo", "639a", 1)["layout"] == got(staffed, "flo", "/api/tables/639a/layout")
    felt = replay(staffed, "flo", "682a", 3)["layout"]
    chapter = rulebook().games["four-card-prime"].chapter
    assert (felt["table"], felt["game"], felt["edition"]) == ("682a", "four-card-prime", chapter.edition)
    assert [place["name"] for place in felt["places"]] == ["dealer", "all-six"]


def test_639a_12_d_5_a_replay_says_what_the_meter_showed_at_the_players_turn(staffed: Staffed) -> None:  # noqa: F811 (a fixture)
    for who in ("ann", "flo", "ada"):
        shown = replay(staffed, who, "639a", 1)
        settled = [box for frame in shown["frames"] for box in frame["view"]["boxes"] if box["lines"]][-1]
        (paid,) = (line["pays"] for line in settled["lines"] if line["meter"])  # a royal flush: all of it, 639a.12(d)
        claimed = next(frame["seq"] for frame in shown["frames"] if frame["view"]["claimed"] == settled["seat"])
        assert shown["meters"][str(claimed)][f"main@{settled['wagers']['progressive']}"] == paid
        assert not any(shown["meters"].get(str(frame["seq"])) for frame in shown["frames"] if frame["kind"] == "Wager")
