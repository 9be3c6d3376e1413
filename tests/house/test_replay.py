"""The replay of a finished round: its frames for each viewer, its felt, and its meters."""

from collections.abc import Iterator
from typing import Any

import pytest
from evidence_server import get_ok, hired_house, serve_copy
from staffed_house import Staffed

from pitboss.rulebook import rulebook


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """The shipped server on a house with every game, with everybody signed in."""
    made = hired_house(tmp_path_factory.mktemp("house"))
    yield from serve_copy(made, tmp_path_factory.mktemp("served") / "data")


def faces(frame: dict[str, Any]) -> dict[str, list[str | None]]:
    """The cards of a frame, by place and by seat."""
    view = frame["view"]
    return {**view["places"], **{str(box["seat"]): box["cards"] for box in view["boxes"]}}


def test_an_auditor_sees_every_card_of_a_finished_round(staffed: Staffed) -> None:
    shown = get_ok(staffed, "ada", "/api/rounds/639a/1/frames")
    frames = shown["frames"]
    assert [frame["seq"] for frame in frames] == list(range(1, 27))
    assert (shown["left_out"], shown["round"]["highest"]) == (0, 10_010_53)
    assert not any(None in held for frame in frames for held in faces(frame).values())
    decides = next(frame for frame in frames if frame["kind"] == "Decide")
    assert faces(decides) == {"dealer": ["2c", "7d", "9s", "4c", "3d"], "1": ["Ah", "Kh", "Qh", "Jh", "Th"]}
    assert decides["view"]["house"]["dealing"] == "manual-shoe"


def test_a_patron_replays_a_round_with_the_cards_seen_then(staffed: Staffed) -> None:
    frames = get_ok(staffed, "ann", "/api/rounds/639a/1/frames")["frames"]
    decides = next(number for number, frame in enumerate(frames) if frame["kind"] == "Decide")
    assert faces(frames[decides]) == {
        "dealer": ["2c", None, None, None, None],  # 639a.8(c): one card of the dealer is dealt up
        "1": ["Ah", "Kh", "Qh", "Jh", "Th"],
    }
    assert faces(frames[decides + 1])["dealer"] == ["2c", "7d", "9s", "4c", "3d"]  # 639a.11(c)
    assert {frame["actor"] for frame in frames} == {""}
    assert all(frame["view"]["house"] is None for frame in frames)
    status, answer = staffed.ask("cy", "GET", "/api/rounds/639a/1/frames")
    assert (status, answer["detail"]) == (403, "Patrons can see only their own rounds.")


def test_staff_replay_a_round_with_the_cards_seen_then(staffed: Staffed) -> None:
    for who in ("dana", "flo", "sue"):
        frames = get_ok(staffed, who, "/api/rounds/639a/1/frames")["frames"]
        decides = next(frame for frame in frames if frame["kind"] == "Decide")
        assert faces(decides) == {"dealer": ["2c", None, None, None, None], "1": [None] * 5}
        assert (decides["actor"], decides["role"]) == ("ann", "player")
        assert decides["view"]["house"] is not None


def test_frames_have_the_lines_of_the_round_with_valid_clauses(staffed: Staffed) -> None:
    for table, number in (("639a", 1), ("639a", 6), ("682a", 3), ("683a", 2)):
        told = get_ok(staffed, "ada", f"/api/rounds/{table}/{number}")["lines"]
        frames = get_ok(staffed, "ada", f"/api/rounds/{table}/{number}/frames")["frames"]
        lines = [line for frame in frames for line in frame["lines"]]
        assert [f"{line['clauses'][0]:<16} {line['text']}" for line in lines] == told
        for line in lines:
            assert all(rulebook().cite(cite) for cite in line["clauses"])
            assert all(cite in line["clauses"] for cite in cited_clauses(line["text"]))
    won = [line for line in lines if "ante" in line["text"] and "683a.11(h)" in line["text"]]
    assert all(line["clauses"][1].startswith("683a.11(h)") for line in won)


def cited_clauses(text: str) -> list[str]:
    """The clauses that a text names with the sign."""
    return [cite for cite in rulebook().clauses if f"(§ {cite})" in text]


def replay(house: Staffed, who: str, table: str, number: int) -> dict[str, Any]:
    return dict(get_ok(house, who, f"/api/rounds/{table}/{number}/frames"))


def test_a_replay_has_the_felt_of_an_open_or_closed_table(staffed: Staffed) -> None:
    open_now = {one["table"] for one in get_ok(staffed, "ada", "/api/tables")}
    assert "639a" in open_now
    assert "682a" not in open_now
    assert replay(staffed, "flo", "639a", 1)["layout"] == get_ok(staffed, "flo", "/api/tables/639a/layout")
    felt = replay(staffed, "flo", "682a", 3)["layout"]
    chapter = rulebook().games["four-card-prime"].chapter
    assert (felt["table"], felt["game"], felt["edition"]) == ("682a", "four-card-prime", chapter.edition)
    assert [place["name"] for place in felt["places"]] == ["dealer", "all-six"]


def test_639a_12_d_5_a_replay_has_the_meter_at_the_players_turn(staffed: Staffed) -> None:
    for who in ("ann", "flo", "ada"):
        shown = replay(staffed, who, "639a", 1)
        settled = [box for frame in shown["frames"] for box in frame["view"]["boxes"] if box["lines"]][-1]
        (paid,) = (line["pays"] for line in settled["lines"] if line["meter"])  # a royal flush: all of it, 639a.12(d)
        claimed = next(frame["seq"] for frame in shown["frames"] if frame["view"]["claimed"] == settled["seat"])
        assert shown["meters"][str(claimed)][f"main@{settled['wagers']['progressive']}"] == paid
        assert not any(shown["meters"].get(str(frame["seq"])) for frame in shown["frames"] if frame["kind"] == "Wager")
