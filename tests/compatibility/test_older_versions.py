"""Today's code reads the files of every released version: records, bundles, Submissions and JSON output."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from json_differences import missing_parts
from older_versions import COMMANDS, VERSIONS, Version, arguments_of, public_surface, record_facts, submission_facts

from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.record import VERSION, header, replay, table_of
from pitboss.record.chain import encode_and_hash, line_of
from pitboss.source_hashes import engine_hash, rules_hash
from pitboss.submission import load

ROOT = Path(__file__).parents[2]


def json_output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status = main([*arguments, "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_the_files_of_the_first_version_are_kept() -> None:
    assert [version.name for version in VERSIONS][:1] == ["v0.1"]
    assert sum(file.stat().st_size for file in VERSIONS[0].rglob("*") if file.is_file()) < 300_000


# Records.


def test_older_records_replay_to_the_same_result(version: Version) -> None:
    files = sorted((version.folder / "records").iterdir())
    assert {file.stem: record_facts(file.read_bytes().splitlines(keepends=True)) for file in files} == version.expected[
        "records"
    ]


def test_replay_reports_whether_an_older_record_was_decided_again(
    version: Version, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the same rules and engine it is decided again; otherwise status is 1 and `verified` is false."""
    for name, facts in version.expected["records"].items():
        file = version.folder / "records" / f"{name}.jsonl"
        status, found = json_output(capsys, "replay", str(file), "--head", facts["head"])
        made = json.loads(file.read_bytes().splitlines()[0])["body"]
        same = (made["rules"], made["engine"]) == (rules_hash(), engine_hash())
        assert (status, found["verified"]) == ((0, True) if same else (1, False))
        assert (found["entries"], found["rounds"], found["head"]) == (facts["entries"], facts["rounds"], facts["head"])


def test_a_changed_byte_of_an_older_record_is_reported(version: Version) -> None:
    lines = (version.folder / "records" / "irregular.jsonl").read_bytes().splitlines(keepends=True)
    lines[5] = lines[5].replace(b'"seq":5', b'"seq":6')
    with pytest.raises(Mistake, match="Line 6 of the record was changed"):
        list(replay(lines))


def test_refuses_a_record_of_a_later_format_in_one_sentence() -> None:
    later = line_of(*encode_and_hash({"pitboss": VERSION + 1, "something": "new"}, ""))
    sentence = f"The record has version {VERSION + 1}; this Pitboss reads version {VERSION}. Use a newer Pitboss."
    with pytest.raises(Mistake, match=re.escape(sentence)):
        list(replay([later]))


# Bundles.


def test_every_table_of_a_bundle_replays(version: Version, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = version.folder / "bundle"
    manifest = version.json("bundle/manifest.json")
    assert {name: sha256((bundle / name).read_bytes()).hexdigest() for name in manifest["sha256"]} == manifest["sha256"]
    for file in sorted((bundle / "tables").iterdir()):
        _, found = json_output(capsys, "replay", str(file))
        assert found["entries"] == manifest["logs"][file.stem]["entries"]
        assert found["rounds"] == version.expected["house"]["rounds"][file.stem]


# Submissions.


def test_older_submissions_give_the_same_terms(version: Version, capsys: pytest.CaptureFixture[str]) -> None:
    """Readings may be added; every choice stays the same."""
    assert set(version.expected["submissions"]) == {"caribbean-stud", "four-card-prime", "cajun-stud"}
    for game, facts in version.expected["submissions"].items():
        file = version.folder / "submissions" / f"{game}.toml"
        found = submission_facts(file.read_text("utf-8"))
        assert {name: option for name, option in found.pop("readings").items() if name in facts["readings"]} == (
            facts.pop("readings")
        )
        assert found == facts
        status, found = json_output(capsys, "submission", "check", str(file))
        assert (status, found["ok"], found["problems"]) == (0, True, [])


def test_a_table_keeps_a_submission_that_is_forbidden_later(version: Version) -> None:
    text = (version.folder / "forbidden.toml").read_text("utf-8")
    with pytest.raises(Mistake, match=re.escape("683a.2(a)")):
        load(str(version.folder / "forbidden.toml"))
    assert table_of(header(text)).rules.seats == 7


# JSON.


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_json_output_keeps_every_key_type_and_figure(
    name: str, version: Version, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = json_output(capsys, *arguments_of(version.json("commands.json")[name], version.folder))
    assert missing_parts(version.json(f"json/{name}.json"), found) == []
    assert status == (name == "submission-check" or (name == "replay" and not found["verified"]))


def without_each_key(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the output without each of its keys in turn."""
    inside: list[Any] = [answer]
    while inside:
        one = inside.pop()
        if isinstance(one, dict):
            for key, value in list(one.items()):
                del one[key]
                yield key, deepcopy(answer)
                one[key] = value  # at the end: order does not matter
                inside.append(value)
        elif isinstance(one, list):
            inside += one


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_removed_key_is_reported(name: str, version: Version) -> None:
    answer = version.json(f"json/{name}.json")
    removed = 0
    for key, changed in without_each_key(deepcopy(answer)):
        assert missing_parts(answer, changed), f"nobody misses {key}"
        removed += 1
    assert removed


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ({"net": 1}, {"net": 2}, [".net was 1 and is 2"]),
        ({"net": 1}, {"net": "1"}, [".net was 1 and is '1'"]),
        ({"net": 1}, {"net": True}, [".net was 1 and is True"]),
        ({"edge": "1/3"}, {"edge": "2/3"}, [".edge was '1/3' and is '2/3'"]),
        ({"why": "A pair."}, {"why": "One pair."}, []),
        ({"why": "A pair."}, {"why": None}, [".why was 'A pair.' and is None"]),
        ({"lines": ["Ann sits."]}, {"lines": ["Ann sat down.", "Bob sat down."]}, []),
        ([{"id": "a"}, {"id": "c"}], [{"id": "a"}, {"id": "b"}, {"id": "c", "more": 1}], []),
        ([{"id": "a"}, {"id": "c"}], [{"id": "a"}], ["[1] is missing"]),
        ([{"id": "a"}], [{"id": "b"}], ["[0].id was 'a' and is 'b'"]),
    ],
)
def test_allowed_and_forbidden_changes_of_json(old: object, new: object, missing: list[str]) -> None:
    assert missing_parts(old, new) == missing


# Names that programs use.


def test_the_changelog_names_every_removed_path_setting_and_public_name(version: Version) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    now = public_surface()
    gone = [one for kind, names in version.expected["surface"].items() for one in names if one not in now[kind]]
    assert [one for one in gone if f"`{one}`" not in changelog] == []
