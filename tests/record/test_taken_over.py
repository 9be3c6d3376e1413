"""A record of a table that a new version took over: replay says which entries it decided again."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from sample_records import METERS, sample_record

from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.record import Entry, header, narrate, replay, write
from pitboss.record.replay import DecidedRange, decided_ranges
from pitboss.source_hashes import engine_hash, rules_hash
from pitboss.submission import text_of
from pitboss.table import Given, Role, TakeOver
from pitboss.table.events import Decided, TakenOver

GAME = "cajun-stud-rack-card"
OTHER = "0" * 64


def takeover_entries(engines: tuple[str, str], at: int, rules: str = "") -> list[Entry]:
    """The entries of two rounds, with an entry between them that names the new engine."""
    entries = [moment.entry for moment in replay(sample_record(GAME, 2))]
    hashes = (rules or rules_hash(), engines[1])
    given = Given(actor="house", role=Role.SYSTEM, meters=METERS, time=entries[at].given.time)
    line = Entry(at + 1, TakeOver(*hashes), given, (TakenOver(*hashes),))
    return [*entries[:at], line, *(replace(entry, seq=entry.seq + 1) for entry in entries[at:])]


def record(engines: tuple[str, str], entries: list[Entry]) -> list[bytes]:
    return list(write(replace(header(text_of(GAME)), engine=engines[0]), entries))


@pytest.mark.parametrize("at", [1, 20, 37])
@pytest.mark.parametrize("engines", [(OTHER, engine_hash()), (engine_hash(), OTHER)], ids=["to this", "from this"])
def test_only_entries_of_this_engine_are_decided_again(engines: tuple[str, str], at: int) -> None:
    entries = takeover_entries(engines, at)
    moments = list(replay(record(engines, entries)))
    ours = engines[1] == engine_hash()
    assert decided_ranges(moments) == [DecidedRange(2, at + 1, not ours), DecidedRange(at + 2, len(entries) + 1, ours)]
    assert moments[-1].after.round == 2
    assert moments[-1].after.made_by == (rules_hash(), engines[1])
    assert any("another engine decide from here on" in text for moment in moments for text in narrate(moment))


def test_entries_under_other_rules_are_not_decided_again() -> None:
    engines = (engine_hash(), engine_hash())
    moments = list(replay(record(engines, takeover_entries(engines, 20, rules="1" * 64))))
    assert [part.decided for part in decided_ranges(moments)] == [True, False]


def test_a_changed_decision_after_the_takeover_is_reported() -> None:
    engines = (OTHER, engine_hash())
    entries = takeover_entries(engines, 20)
    later = [entry for entry in entries[21:] if any(isinstance(event, Decided) for event in entry.events)][-1]
    forged = replace(later, given=replace(later.given, actor="Mallory"))
    wrong = [*entries[: later.seq - 1], forged, *entries[later.seq :]]
    with pytest.raises(Mistake, match=rf"Entry {later.seq} has a refused command"):
        list(replay(record(engines, wrong)))
    assert list(replay(record((OTHER, OTHER), [*takeover_entries((OTHER, OTHER), 20)[:20]])))  # followed, as before


def test_the_command_names_the_first_line_of_this_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = (OTHER, engine_hash())
    entries = takeover_entries(engines, 20)
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"".join(record(engines, entries)))
    assert main(["replay", str(file)]) == 1
    said = capsys.readouterr().out
    assert "Verified in part" in said
    assert "Lines 2 to 21 were not decided again: other rules or another engine produced them." in said
    last = len(entries) + 1
    assert f"Lines 22 to {last} were decided again, with the same rules and engine." in said
    assert main(["replay", str(file), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verified"] is False
    assert found["parts"] == [
        {"first": 2, "last": 21, "decided": False},
        {"first": 22, "last": last, "decided": True},
    ]
