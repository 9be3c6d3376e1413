"""`pitboss rehearse`: a scene in JSON Lines, and the table's answer to every line."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import pitboss

from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.money import CENT
from pitboss.rehearse import play_scene, read_scene

STUD = {"open": {"submission": "caribbean-stud-standard", "shuffler": "none", "decks": 1}}
SIT = {"as": "Ann", "do": {"type": "Sit", "seat": 1}}
ROYAL = "Ah 2c Kh 7d Qh 9s Jh 4c Th 3d"
"""To one box and the dealer in turn; the dealer's nine high does not qualify."""


def wager(**wagers: int) -> dict[str, Any]:
    return {"as": "Ann", "do": {"type": "Wager", "seat": 1, "wagers": wagers}}


def decide(multiple: int) -> dict[str, Any]:
    return {"as": "Ann", "do": {"type": "Decide", "seat": 1, "multiple": multiple}}


def perform(who: str = "dealer", **beside: Any) -> dict[str, Any]:
    return {"as": who, "do": {"type": "Perform"}, **beside}


def answers(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    ran = pitboss("rehearse", "-", "--format", "json", given="\n".join(map(json.dumps, lines)).encode())
    assert ran.status == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_every_line_of_a_scene_is_answered_with_events_and_the_due_step() -> None:
    told = answers(STUD, SIT, {"until": "call"}, wager(ante=1000), {"until": "ask"}, decide(3), decide(2))
    assert [one["line"] for one in told] == [1, 2, 3, 4, 5, 6, 7]
    missing = told[0].pop("not_approved")["missing"]  # presets have no approvals
    assert {"kind", "words", "cite"} == missing[0].keys()
    assert told[0] == {"line": 1, "refused": None, "events": [], "due": {"do": "receive", "cite": "639a.4(a)"}}
    assert told[1]["events"] == [{"type": "Seated", "seat": 1, "patron": "Ann"}]
    assert told[4]["due"] == {"do": "ask", "cite": "639a.11(b)"}
    assert told[5]["refused"] == {"why": "Wager 2 times the Ante, or fold.", "cite": "639a.11(b)"}
    assert told[5]["events"] == []
    assert told[6]["events"][0] == {"type": "Decided", "seat": 1, "multiple": 2}


def test_the_last_line_of_a_round_has_settlements_and_balanced_postings() -> None:
    told = answers(
        STUD, SIT, {"until": "call", "cards": ROYAL}, wager(ante=1000), {"until": "ask"}, decide(2), {"until": "round"}
    )
    assert all("settled" not in one for one in told[:-1])
    settled = told[-1]["settled"]
    (ante, bet) = settled["boxes"]["1"]["lines"]
    # 639a.11(c)(3)(i): the dealer is below ace-king, so the Ante is paid 1 to 1 and the Bet returned.
    assert (ante["outcome"], ante["pays"], bet["outcome"], bet["pays"]) == ("win", 1000, "returned", 0)
    assert (ante["cite"], settled["boxes"]["1"]["net"]) == ("639a.11(c)(3)(i)", 1000)
    assert sum(posting["amount"] for posting in settled["postings"]) == 0
    ann = [posting["amount"] for posting in settled["postings"] if posting["account"] == "patron/Ann"]
    assert sum(ann) == 1000 * CENT
    assert {posting["line"] for posting in settled["postings"]} == {4, 6, 7}


@pytest.mark.parametrize(
    "cuts",
    [
        [{"until": "call"}],
        [{"until": "cut"}, perform(depth=10)],
        [{"until": "cut"}, perform(depth=9), perform(depth=42)],
        [
            {"until": "call", "depth": 17},
            {"as": "floorperson", "do": {"type": "Recut"}},
            perform(depth=20),
        ],
        [{"until": "call"}, {"as": "floorperson", "do": {"type": "Reshuffle"}}, {"until": "call", "cards": ROYAL}],
    ],
)
def test_given_cards_are_in_the_order_after_the_cut(cuts: list[dict[str, Any]]) -> None:
    told = answers(
        STUD, SIT, {"until": "shuffle", "cards": ROYAL}, *cuts, wager(ante=1000), {"until": "ask", "see": "Ann"}
    )
    assert told[-1]["view"]["boxes"][0]["cards"] == ["Ah", "Kh", "Qh", "Jh", "Th"]


def test_without_given_cards_the_deck_is_in_order() -> None:
    told = answers(STUD, SIT, {"until": "call"}, wager(ante=1000), {"until": "ask", "see": "Ann"})
    assert told[-1]["view"]["boxes"][0]["cards"] == [str(card) for card in DECK[:10:2]]


def test_a_view_shows_only_what_its_viewer_may_see() -> None:
    told = answers(
        STUD,
        SIT,
        {"until": "call"},
        wager(ante=1000),
        {"until": "ask"},
        {"see": "Ann"},
        {"see": "public"},
        {"see": "dealer"},
        {"see": "surveillance:Sue"},
    )
    ann, public, dealer, sue = (one["view"] for one in told[-4:])
    assert None not in ann["boxes"][0]["cards"]
    for other in (public, dealer, sue):
        assert other["boxes"][0]["cards"] == [None] * 5
        assert other["places"]["dealer"] == [str(DECK[1]), None, None, None, None]
    assert (public["boxes"][0]["patron"], public["house"], ann["house"]) == ("", None, None)
    assert dealer["house"]
    assert sue["house"]


def test_time_carries_over_and_does_not_go_back() -> None:
    open_ = {"open": {"submission": "caribbean-stud-standard", "decision_timeout": 60}}
    told = answers(
        open_, SIT, {"until": "call", "time": 100}, wager(ante=1000), {"until": "ask"},
        {"as": "system", "do": {"type": "Tick"}, "time": 159},
        {"as": "system", "do": {"type": "Tick"}, "time": 99},
        {"as": "system", "do": {"type": "Tick"}, "time": 160},
    )  # fmt: skip
    assert {"type": "Timed", "deadline": 160} in told[4]["events"]
    assert "until 160" in told[5]["refused"]["why"]
    assert told[6]["refused"]["cite"] == "house rule: the clock does not run backwards"
    assert {"type": "TimedOut", "seat": 1} in told[7]["events"]


def test_639a_12_d_5_a_meter_starts_with_the_amount_of_the_scene() -> None:
    main = 23_456_78
    round_ = [wager(ante=1000, progressive=100), {"until": "ask"}, decide(2), {"until": "round"}]
    first, second = (
        {"until": "call", "cards": ROYAL, "meters": {"main": main * CENT}},
        {"until": "call", "cards": ROYAL},
    )
    told = answers(STUD, SIT, first, *round_, second, *round_)
    paid = [
        line["pays"]
        for one in told
        if "settled" in one
        for line in one["settled"]["boxes"]["1"]["lines"]
        if line["wager"] == "progressive"
    ]
    # The whole amount of the scene; then the reseed of $10,000 and the reserve's and the second round's 15 % and 53 %.
    assert paid[0] == main
    assert 10_000_00 < paid[1] < 10_002_00


def test_until_stops_if_a_step_cannot_be_reached() -> None:
    nobody = answers(STUD, {"until": "call"})[-1]
    assert (nobody["refused"]["why"], nobody["due"]["do"]) == ("The cards stay spread until a player arrives.", "wash")
    no_wager = answers(STUD, SIT, {"until": "ask"})[-1]
    assert (no_wager["refused"]["why"], no_wager["due"]["do"]) == ("Nobody has wagered.", "call")
    undecided = answers(STUD, SIT, {"until": "call"}, wager(ante=1000), {"until": "round"})[-1]
    assert (undecided["refused"]["why"], undecided["due"]["do"]) == ("Waiting for seat 1 to decide.", "ask")


def test_until_uses_the_other_keys_of_its_line() -> None:
    counted = {"open": {"submission": "caribbean-stud-standard", "shuffler": "automated-with-count"}}
    told = answers(counted, SIT, {"until": "call", "counted": 51})
    # 639a.5(b): a device that counts 51 has the deck removed; the next deck is whole.
    assert {"type": "Removed", "cite": "639a.5(b)"} in told[-1]["events"]
    assert told[-1]["due"]["do"] == "call"
    drawn = answers(STUD, SIT, {"until": "call"}, wager(ante=1000), {"until": "ask", "magic": "Ah", "lucky": ["1"]})
    assert drawn[-1]["events"][0] == {"type": "Called", "magic": "Ah", "lucky": ["1"]}


def test_a_scanned_shoe_takes_the_names_of_turned_cards() -> None:
    scanned = {"open": {**STUD["open"], "scanned": True}}
    told = answers(
        scanned, SIT, {"until": "call"}, wager(ante=1000),
        {"until": "ask"},
        {"until": "ask", "cards": "Kd"},
        decide(2),
        {"until": "round", "cards": "Ks 8h 8c 2c Ah Jh 9h 6h 3h"},
    )  # fmt: skip
    assert told[4]["refused"]["why"] == "Name each card turned up: 1 turned up, 0 named."
    assert told[5]["due"]["do"] == "ask"
    assert told[7]["settled"]["boxes"]["1"]["lines"][1]["why"].startswith("Flush")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "this is not JSON"),
        ("[]", "a line must be a JSON object"),
        ('{"do": {"type": "Perform"}}', "“as” is missing"),
        ('{"as": "Ann"}', "“do” is missing"),
        ('{"as": "Ann", "do": {"type": "Sitt", "seat": 1}}', "Unknown command “Sitt”; did you mean “Sit”?"),
        ('{"as": "Ann", "do": {"type": "Sit"}}', "Sit: Object missing required field `seat`."),
        ('{"as": "Ann", "do": {"type": "Sit", "seat": 1, "chair": 2}}', "Sit has no “chair”; there is seat."),
        ('{"as": "Ann", "do": {"type": "Sit", "seat": "one"}}', "Sit: Expected `int`, got `str`"),
        ('{"as": "floorperson:", "do": {"type": "Recut"}}', "“floorperson:” has no name after the colon."),
        ('{"until": "shufle"}', "Unknown step “shufle”; did you mean “shuffle”?"),
        ('{"until": "call", "as": "dealer"}', "give either “do” with “as”"),
        ('{"until": "call", "cards": "Ah Ah"}', "Ah is listed twice"),
        ('{"until": "call", "cards": "Ax"}', "“Ax” is not a card"),
        ('{"until": "call", "time": "noon"}', "Expected `int`, got `str`"),
        ('{"until": "call", "weather": "fine"}', "Unknown key “weather”"),
        ('{"until": "call", "meters": {"mega": 1}}', "There is no meter “mega” at this table"),
        ('{"until": "call", "meters": {"main": -1}}', "The meter “main” cannot be negative."),
        ('{"until": "call", "until": "ask"}', "a key is given twice"),
        ('{"see": 3}', "“see” must be a string, not 3."),
    ],
)
def test_refuses_an_invalid_line_with_its_number(line: str, sentence: str) -> None:
    scene = f"{json.dumps(STUD)}\n\n{line}\n"
    ran = pitboss("rehearse", "-", "--format", "json", given=scene.encode())
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("pitboss: Line 3: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("opening", "sentence"),
    [
        ({}, "Object missing required field `submission`"),
        ({"submission": "nosuch"}, "There is no file or preset “nosuch”"),
        ({"submission": "caribbean-stud-standard", "dealing": "foot"}, "Invalid enum value 'foot'"),
        ({"submission": "caribbean-stud-standard", "seats": 8}, "639a.2(a)"),
        ({"submission": "caribbean-stud-standard", "dealing": "hand", "shuffler": "none", "decks": 1}, "639a.9(a)(1)"),
        ({"submission": "caribbean-stud-standard", "readings": {"five-card-whel": "no"}}, "five-card-wheel"),
        ({"submission": "caribbean-stud-standard", "chairs": 3}, "unknown field `chairs`"),
        ({"submission": "caribbean-stud-standard", "begin": {"seated": {"8": "Ann"}}}, "Unknown seat “8”"),
        ({"submission": "caribbean-stud-standard", "begin": {"deck": 2}}, "deck 2 does not exist"),
        ({"submission": "caribbean-stud-standard", "begin": {"round": -1}}, "Expected `int` >= 0"),
        ({"submission": "caribbean-stud-standard", "begin": {"covered": ["hat"]}}, "Invalid enum value 'hat'"),
        ({"submission": "caribbean-stud-standard", "begin": {"seated": {"1": "Ann", "2": "Ann"}}}, "exactly one seat"),
        ({"submission": "caribbean-stud-standard", "begin": {"seated": {"1": " "}}}, "needs a name"),
        ({"submission": "caribbean-stud-standard", "begin": {"since": 9, "now": 8}}, "after the time now, 8"),
        ({"submission": "caribbean-stud-standard", "dealing": "hand", "begin": {"broken": ["shoe"]}}, "has no shoe"),
        (
            {"submission": "caribbean-stud-standard", "begin": {"void": "639a.99"}},  # cites-nothing
            "Unknown clause 639a.99",  # cites-nothing
        ),  # cites-nothing
        ({"submission": "x" * 5000}, "cannot be read: File name too long"),
    ],
)
def test_refuses_an_opening_that_the_chapter_forbids(opening: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Mistake, match=r"^Line 1: ") as refused:
        read_scene(json.dumps({"open": opening}))
    assert sentence in str(refused.value)


def test_refuses_a_scene_without_an_opening_or_a_file(tmp_path: Path) -> None:
    assert "a scene begins with" in pitboss("rehearse", "-", given=b"").err
    assert "a scene begins with" in pitboss("rehearse", "-", given=b'{"until": "call"}').err
    assert "cannot be read" in pitboss("rehearse", str(tmp_path / "no.jsonl")).err


def test_the_opening_overrides_a_preset_or_a_file_beside_the_scene(tmp_path: Path) -> None:
    own = pitboss("submission", "new", "682a").out
    (tmp_path / "mine.toml").write_text(own, "utf-8")
    scene = tmp_path / "scene.jsonl"
    scene.write_text('{"open": {"submission": "mine.toml", "seats": 4}}\n', "utf-8")
    assert read_scene(scene.read_text("utf-8"), tmp_path).submission.table.seats == 4
    assert "682a.4(a)" in pitboss("rehearse", str(scene)).out
    text = json.dumps({"open": {"submission": own, "boxes": 1}})
    assert read_scene(text).submission.table.boxes == 1


def test_every_difference_to_an_earlier_output_is_shown(tmp_path: Path) -> None:
    scene, output = tmp_path / "scene.jsonl", tmp_path / "expected.jsonl"
    scene.write_text("\n".join(map(json.dumps, (STUD, SIT, {"until": "call"}))), "utf-8")
    output.write_text(pitboss("rehearse", str(scene), "--format", "json").out, "utf-8")
    assert pitboss("rehearse", str(scene), "--expect", str(output)).status == 0
    changed = json.dumps({**SIT, "as": "Bob"})
    scene.write_text("\n".join((json.dumps(STUD), changed, json.dumps({"until": "call"}))), "utf-8")
    ran = pitboss("rehearse", str(scene), "--expect", str(output))
    assert ran.status == 1
    assert '-   "patron": "Ann"' in ran.out
    assert '+   "patron": "Bob"' in ran.out
    output.write_text("no", "utf-8")
    assert pitboss("rehearse", str(scene), "--expect", str(output)).status == 2


def test_the_text_format_narrates_a_scene_with_clauses() -> None:
    lines = ({"note": "Ann raises three times."}, SIT, {"until": "call"}, wager(ante=1000), {"until": "ask"}, decide(3))
    ran = pitboss("rehearse", "-", given="\n".join(map(json.dumps, (STUD, *lines))).encode())
    assert "Ann raises three times." in ran.out
    assert "   3  639a.4(a)        Ann sits at 1" in ran.out
    assert "refused: Wager 2 times the Ante, or fold. (639a.11(b))" in ran.out


def test_a_scene_can_be_played_from_python() -> None:
    (first, *_) = play_scene(read_scene(json.dumps(STUD)))
    assert (first.line, first.refused) == (1, None)


def test_a_scene_may_begin_with_a_void_to_acknowledge() -> None:
    opening = {"submission": "caribbean-stud-standard", "begin": {"ready": False, "void": "639a.13(c)"}}
    told = answers({"open": opening}, {"as": "floorperson:Flo", "do": {"type": "Acknowledge"}})
    assert told[1]["refused"] is None
    assert [event["type"] for event in told[1]["events"]] == ["Acknowledged"]


def test_lines_end_only_where_json_lines_end(tmp_path: Path) -> None:
    scene = tmp_path / "scene.jsonl"
    scene.write_text(json.dumps({**STUD, "note": "One line,\u2028of two."}, ensure_ascii=False), "utf-8")
    said = pitboss("rehearse", str(scene), "--format", "json")
    assert said.status == 0, said.err
    kept = tmp_path / "kept.jsonl"
    kept.write_text(said.out, "utf-8")
    assert pitboss("rehearse", str(scene), "--expect", str(kept)).status == 0


@pytest.mark.parametrize(
    ("text", "sentence"), [("[" * 100_000, "line 1: this is not JSON: it is nested"), ("9" * 6_000, "line 1: a number")]
)
def test_refuses_an_unreadable_expected_output(tmp_path: Path, text: str, sentence: str) -> None:
    scene, kept = tmp_path / "scene.jsonl", tmp_path / "kept.jsonl"
    scene.write_text(json.dumps(STUD), "utf-8")
    kept.write_text(text, "utf-8")
    ran = pitboss("rehearse", str(scene), "--expect", str(kept))
    assert (ran.status, sentence in ran.err) == (2, True), ran.err
