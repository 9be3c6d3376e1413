"""The replay of a finished round: its frames for each viewer, its layout, and its meters."""

from collections.abc import Iterator
from typing import Any

import pytest
from evidence_server import get_ok, hired_house, serve_copy
from staffed_house import Staffed

from pitboss.rulebook import rulebook

LAST_ENTRY = 26
"""The last entry of the first round at table 639a; its first is entry 1."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """The shipped server on a house with every game, with everybody signed in."""
    house_folder = hired_house(tmp_path_factory.mktemp("house"))
    yield from serve_copy(house_folder, tmp_path_factory.mktemp("served") / "data")


def replay(server: Staffed, who: str, table: str, number: int) -> dict[str, Any]:
    """Return a round's frames, layout and meters, as a person sees them."""
    return dict(get_ok(server, who, f"/api/rounds/{table}/{number}/frames"))


def visible_cards(frame: dict[str, Any]) -> dict[str, list[str | None]]:
    """The cards of a frame, by place and by seat."""
    view = frame["view"]
    return {**view["places"], **{str(box["seat"]): box["cards"] for box in view["boxes"]}}


def test_an_auditor_sees_every_card_of_a_finished_round(server: Staffed) -> None:
    shown = replay(server, "ada", "639a", 1)
    frames = shown["frames"]
    assert [frame["seq"] for frame in frames] == list(range(1, LAST_ENTRY + 1))
    assert shown["left_out"] == 0
    assert shown["round"]["highest"] == 10_010_53  # $10,010.53
    assert not any(None in held for frame in frames for held in visible_cards(frame).values())
    decision_frame = next(frame for frame in frames if frame["kind"] == "Decide")
    assert visible_cards(decision_frame) == {
        "dealer": ["2c", "7d", "9s", "4c", "3d"],
        "1": ["Ah", "Kh", "Qh", "Jh", "Th"],
    }
    assert decision_frame["view"]["house"]["dealing"] == "manual-shoe"


def test_a_patron_replays_a_round_with_only_the_cards_visible_at_the_time(server: Staffed) -> None:
    frames = replay(server, "ann", "639a", 1)["frames"]
    decision_index = next(number for number, frame in enumerate(frames) if frame["kind"] == "Decide")
    assert visible_cards(frames[decision_index]) == {
        "dealer": ["2c", None, None, None, None],  # 639a.8(c): one card of the dealer is dealt up
        "1": ["Ah", "Kh", "Qh", "Jh", "Th"],
    }
    assert visible_cards(frames[decision_index + 1])["dealer"] == ["2c", "7d", "9s", "4c", "3d"]  # 639a.11(c)
    assert {frame["actor"] for frame in frames} == {""}
    assert all(frame["view"]["house"] is None for frame in frames)


def test_a_patron_cannot_replay_a_round_of_others(server: Staffed) -> None:
    status, answer = server.ask("cy", "GET", "/api/rounds/639a/1/frames")
    assert (status, answer["detail"]) == (403, "Patrons can see only their own rounds.")


def test_staff_replay_a_round_with_only_the_cards_visible_at_the_time(server: Staffed) -> None:
    for who in ("dana", "flo", "sue"):
        frames = replay(server, who, "639a", 1)["frames"]
        decision_frame = next(frame for frame in frames if frame["kind"] == "Decide")
        assert visible_cards(decision_frame) == {"dealer": ["2c", None, None, None, None], "1": [None] * 5}
        assert (decision_frame["actor"], decision_frame["role"]) == ("ann", "player")
        assert decision_frame["view"]["house"] is not None


def test_frames_have_the_lines_of_the_round_with_valid_clauses(server: Staffed) -> None:
    for table, number in (("639a", 1), ("639a", 6), ("682a", 3), ("683a", 2)):
        round_lines = get_ok(server, "ada", f"/api/rounds/{table}/{number}")["lines"]
        lines = [line for frame in replay(server, "ada", table, number)["frames"] for line in frame["lines"]]
        assert [f"{line['clauses'][0]:<16} {line['text']}" for line in lines] == round_lines
        for line in lines:
            assert all(rulebook().cite(cite) for cite in line["clauses"])
            assert all(cite in line["clauses"] for cite in cited_clauses(line["text"]))


def test_a_line_of_a_win_has_the_clause_of_the_payment(server: Staffed) -> None:
    lines = [line for frame in replay(server, "ada", "683a", 2)["frames"] for line in frame["lines"]]
    won = [line for line in lines if "ante" in line["text"] and "683a.11(h)" in line["text"]]
    assert won
    assert all(line["clauses"][1].startswith("683a.11(h)") for line in won)


def cited_clauses(text: str) -> list[str]:
    """The clauses that a text cites as “(§ …)”."""
    return [cite for cite in rulebook().clauses if f"(§ {cite})" in text]


def test_a_replay_has_the_layout_of_an_open_or_closed_table(server: Staffed) -> None:
    open_now = {one["table"] for one in get_ok(server, "ada", "/api/tables")}
    assert "639a" in open_now
    assert "682a" not in open_now
    assert replay(server, "flo", "639a", 1)["layout"] == get_ok(server, "flo", "/api/tables/639a/layout")
    layout = replay(server, "flo", "682a", 3)["layout"]
    chapter = rulebook().games["four-card-prime"].chapter
    assert (layout["table"], layout["game"], layout["edition"]) == ("682a", "four-card-prime", chapter.edition)
    assert [place["name"] for place in layout["places"]] == ["dealer", "all-six"]


def test_639a_12_d_5_replay_shows_the_meter_at_the_players_turn(server: Staffed) -> None:
    for who in ("ann", "flo", "ada"):
        shown = replay(server, who, "639a", 1)
        last_settled_box = [box for frame in shown["frames"] for box in frame["view"]["boxes"] if box["lines"]][-1]
        seat, wager = last_settled_box["seat"], last_settled_box["wagers"]["progressive"]
        # a royal flush wins the whole meter: 639a.12(d)
        (paid,) = (line["pays"] for line in last_settled_box["lines"] if line["meter"])
        claim_entry = next(frame["seq"] for frame in shown["frames"] if frame["view"]["claimed"] == seat)
        assert shown["meters"][str(claim_entry)][f"main@{wager}"] == paid
        # while patrons wager nobody has a claim, so a replay shows no meter
        assert not any(shown["meters"].get(str(frame["seq"])) for frame in shown["frames"] if frame["kind"] == "Wager")
