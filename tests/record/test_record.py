"""A record rebuilds every round, and a changed byte is found."""

import json
from pathlib import Path

import pytest
from command import in_a_process, pitboss
from msgspec.structs import replace
from sample_records import sample_record

from pitboss.cards import DECK
from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.record import VERSION, Entry, Header, header, narrate, replay, write
from pitboss.submission import text_of
from pitboss.submission.parser import PRESETS
from pitboss.table import refusal, view
from pitboss.table.commitment import commit, is_valid_opening, opening
from pitboss.table.events import Dealt, Event, Seated, Settled, Shuffled, Stepped, Stood, Turned
from pitboss.table.views import cards_seen_by


@pytest.mark.parametrize("preset", sorted(file.stem for file in PRESETS.glob("*.toml")))
def test_a_record_replays_without_other_data(preset: str) -> None:
    lines = sample_record(preset, 6)
    last = None
    for last in replay(lines):
        assert last.after != last.before or not last.entry.events
    assert last
    assert last.after.round == 6


def test_a_changed_byte_is_located() -> None:
    lines = sample_record("cajun-stud-rack-card", 2)
    for number in (0, 1, len(lines) // 2, len(lines) - 1):
        for place in (12, len(lines[number]) // 2, len(lines[number]) - 4):
            changed = list(lines)
            byte = bytes([changed[number][place] ^ 1])
            changed[number] = changed[number][:place] + byte + changed[number][place + 1 :]
            with pytest.raises(Mistake, match=rf"Line {number + 1} of the record|version|[Ee]ntry {number} "):
                list(replay(changed))


def test_a_missing_added_or_moved_line_is_reported() -> None:
    lines = sample_record("cajun-stud-rack-card", 1)
    for wrong, number in (
        (lines[:5] + lines[6:], 6),
        ([*lines[:5], lines[4], *lines[5:]], 6),
        ([*lines[:5], lines[6], lines[5], *lines[7:]], 6),
    ):
        with pytest.raises(Mistake, match=f"Line {number} of the record was changed, or a line before it removed"):
            list(replay(wrong))
    with pytest.raises(Mistake, match="Line 1 of the record cannot be read"):
        list(replay([]))


def test_a_forged_chain_must_still_follow_from_the_commands() -> None:
    entries = [moment.entry for moment in replay(sample_record("cajun-stud-rack-card", 1))]
    begin = header(text_of("cajun-stud-rack-card"))
    paid = next(place for place, entry in enumerate(entries) if isinstance(entry.events[-1], Settled))
    events = entries[paid].events
    settled = events[-1]
    assert isinstance(settled, Settled)
    richer = replace(settled, lines=tuple(replace(line, pays=line.pays + 1) for line in settled.lines))
    forged = [*entries]
    forged[paid] = replace(entries[paid], events=tuple(richer if event is settled else event for event in events))
    with pytest.raises(Mistake, match=rf"The command of entry {paid + 1} does not cause its events\."):
        list(replay(write(begin, forged)))


def test_a_line_with_extra_fields_is_reported() -> None:
    lines = sample_record("cajun-stud-rack-card", 1)
    lines[3] = lines[3].replace(b'{"body":', b'{"body":{"FAKE":1},"body":', 1)
    with pytest.raises(Mistake, match="Line 4 of the record was changed"):
        list(replay(lines))


def test_a_patron_reads_only_cards_already_seen() -> None:
    lines = sample_record("caribbean-stud-standard", 1)
    ann = [text for moment in replay(lines) for text in narrate(moment, "Ann")]
    nobody = [text for moment in replay(lines) for text in narrate(moment, "")]
    every = [text for moment in replay(lines) for text in narrate(moment)]
    (looks,) = (text for text in ann if "Ann looks at" in text)  # 639a.11(a): after the deal
    assert len(ann) - 1 == len(every) == len(nobody)
    assert all("▒▒" not in text for text in (*every, looks))
    assert not [text for text in nobody if "looks at" in text]
    assert any("→ 1 ▒▒" in text for text in ann)
    assert any("→ 1 ▒▒" in text for text in nobody)


def test_play_writes_a_record_that_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.jsonl"
    typed = "nonsense\nante=7.25\nante=10 bonus=1\n9\n2\n\nf\nq\n"
    ran = pitboss("play", "639a", "--seed", "a test", "--record", str(file), given=typed.encode())
    assert (ran.status, ran.err) == (0, "")
    for words in (
        "Play money.",
        "for practice only",
        "must have the form NAME=VALUE",
        "unit, $0.50",
        "Wager 2 × the Ante, or fold (639a.11(b))",
        "You leave with",
    ):
        assert words in ran.out
    assert main(["replay", str(file), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verified"], found["rounds"]) == (True, 2)
    assert main(["replay", str(file), "--round", "2", "--as", "1"]) == 0
    text = capsys.readouterr().out
    assert "Round 2" in text
    assert "Round 1" not in text
    assert "1 folds" in text
    head = found["head"]
    assert main(["replay", str(file), "--head", head]) == 0
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-3]))
    assert main(["replay", str(shorter), "--head", head]) == 2
    opened = tmp_path / "openings.json"
    for seat in ([], ["--as", "1"]):
        assert main(["replay", str(file), "--round", "1", *seat, "--openings", str(opened)]) == 0
        assert main(["verify-shuffle", str(opened)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file), "--as", "5"]) == 2
    for arguments in (
        ["replay", str(file), "--round", "9"],
        ["replay", str(tmp_path / "nowhere")],
        ["play", "639a", "--seats", "9"],
        ["play", "639a", "--record", str(file)],
    ):
        assert main(arguments) == 2
    data = file.read_bytes()
    file.write_bytes(data.replace(b"Perform", b"Perforn", 1))
    assert main(["replay", str(file)]) == 2
    assert "of the record was changed" in capsys.readouterr().err


def test_the_cards_of_a_round_match_the_commitment() -> None:
    moments = list(replay(sample_record("caribbean-stud-standard", 1)))
    shuffled = next(moment for moment in moments if moment.after.root and not moment.before.root)
    salts = [bytes.fromhex(salt) for salt in shuffled.entry.given.salts]
    committed = commit([card for card in shuffled.after.shoe if card], salts)
    assert view(shuffled.after).root == committed.root
    # After the round a patron has openings of the cards seen, and of no others.
    last = moments[-2].after
    order = [str(card) for card in shuffled.after.shoe]
    for viewer, count in (
        ("Ann", 5 + 5 * (not last.boxes[3].racked) + 5),
        ("", 15 - 5 * last.boxes[1].racked - 5 * last.boxes[3].racked),
    ):
        seen = cards_seen_by(last, viewer)
        assert len(seen) == count
        assert all(is_valid_opening(committed.root, opening(committed, order.index(card))) for card in seen)


def test_a_commitment_needs_a_salt_for_every_card() -> None:
    moments = list(replay(sample_record("caribbean-stud-standard", 1)))
    shuffled = next(moment for moment in moments if moment.after.root and not moment.before.root)
    for salts in (("00" * 32,) * 51, ("zz" * 32,) * 52, ("00",) * 52):
        refused = refusal(shuffled.before, shuffled.entry.command, replace(shuffled.entry.given, salts=salts))
        assert refused
        assert refused.cite == "house rule: the order of the cards is committed to"


def test_stopping_play_in_a_round_leaves_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "left.jsonl"
    given = b"ante=10 progressive=5\n"
    ran = in_a_process("play", "639a", "--seed", "b", "--record", str(file), given=given)  # which a pipe ends
    assert (ran.status, ran.err) == (0, "")
    assert "You leave with -$15.00." in ran.out
    assert main(["replay", str(file), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rounds"], found["whole"]) == (1, True)


def test_a_record_of_another_engine_is_not_decided_again() -> None:
    entries = [moment.entry for moment in replay(sample_record("cajun-stud-rack-card", 1))]
    other = Header(VERSION, text_of("cajun-stud-rack-card"), "0" * 64, "0" * 64)
    moments = list(replay(write(other, entries)))
    assert moments[-1].after.round == 1
    assert not any(moment.decided for moment in moments)
    with pytest.raises(Mistake, match=r"The events of entry 2 do not follow from those before it\."):
        list(replay(write(other, [entries[0], replace(entries[-2], seq=2)])))


def test_the_state_does_not_grow_with_the_rounds() -> None:
    sizes = {}
    for moment in replay(sample_record("caribbean-stud-standard", 60)):
        if moment.before.round != moment.after.round:
            sizes[moment.after.round] = len(repr(replace(moment.after, rules=None, round=0)))
    assert len(sizes) == 60
    assert max(sizes.values()) - min(sizes.values()) < 10


def record_of_another_engine(entries: list[Entry]) -> list[bytes]:
    """A record of another engine with a valid chain."""
    return list(write(replace(header(text_of("cajun-stud-rack-card")), engine="0" * 64), entries))


def test_a_record_of_another_engine_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [moment.entry for moment in replay(sample_record("cajun-stud-rack-card", 1))]
    file = tmp_path / "foreign.jsonl"
    file.write_bytes(b"".join(record_of_another_engine(entries)))
    assert main(["replay", str(file)]) == 1
    assert "Not verified" in capsys.readouterr().out
    assert main(["replay", str(file), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False


def with_replaced_event(entries: list[Entry], kind: type[Event], other: Event) -> list[Entry]:
    """The same entries with the first event of a kind replaced."""
    place = next(place for place, entry in enumerate(entries) if any(isinstance(event, kind) for event in entry.events))
    changed = tuple(other if isinstance(event, kind) else event for event in entries[place].events)
    return [*entries[:place], replace(entries[place], events=changed), *entries[place + 1 :]]


@pytest.mark.parametrize(
    ("kind", "other", "said"),
    [
        (Stepped, Stepped(999), "do not follow"),
        (Stepped, Stepped(-999), "do not follow"),
        (Stepped, Stepped(-1), "do not follow"),
        (Seated, Stood(5), "do not follow"),
        (Turned, Turned((99,), place="board"), "do not follow"),
        (Turned, Turned((0,), place="teapot"), "do not follow"),
        (Dealt, Dealt(1, seat=9), "do not follow"),
        (Shuffled, Shuffled(DECK[:1]), "do not follow"),
        (Shuffled, Shuffled(DECK, "00"), "do not match their commitment"),
    ],
)
def test_impossible_events_of_another_engine_are_reported(kind: type[Event], other: Event, said: str) -> None:
    entries = [moment.entry for moment in replay(sample_record("cajun-stud-rack-card", 1))]
    with pytest.raises(Mistake, match=said):
        _ = [
            list(narrate(moment))
            for moment in replay(record_of_another_engine(with_replaced_event(entries, kind, other)))
        ]


def test_invalid_salts_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [moment.entry for moment in replay(sample_record("cajun-stud-rack-card", 1))]
    place = next(place for place, entry in enumerate(entries) if entry.given.salts)
    given = replace(entries[place].given, salts=("zz",) * 52)
    forged = [*entries[:place], replace(entries[place], given=given), *entries[place + 1 :]]
    file = tmp_path / "salts.jsonl"
    file.write_bytes(b"".join(record_of_another_engine(forged)))
    assert main(["replay", str(file), "--openings", str(tmp_path / "o.json"), "--round", "1"]) == 2
    assert "do not follow" in capsys.readouterr().err
