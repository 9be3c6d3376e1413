"""The scenes of docs/scenes: each was read against its clauses, and its output is kept beside it.

After a change that is meant, `pitboss rehearse SCENE --format json` writes the output anew; read the difference.
"""

import json
from pathlib import Path

import pytest
from command import pitboss

FOLDER = Path(__file__).parents[2] / "docs" / "scenes"
SCENES = sorted(file.stem for file in FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_equals_its_expected_output(name: str) -> None:
    ran = pitboss("rehearse", str(FOLDER / f"{name}.jsonl"), "--expect", str(FOLDER / "expected" / f"{name}.jsonl"))
    assert ran.status == 0, ran.out or ran.err


def test_every_scene_has_expected_output_and_a_note() -> None:
    assert {file.stem for file in (FOLDER / "expected").iterdir()} == set(SCENES)
    for name in SCENES:
        first = json.loads((FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()[0])
        assert len(first["note"]) > 20, name


@pytest.mark.parametrize("chapter", ["639a", "682a", "683a"])
@pytest.mark.parametrize("clause", "abcdefg")
def test_every_irregularity_of_section_13_has_a_scene(chapter: str, clause: str) -> None:
    scenes = [name for name in SCENES if name.startswith(f"{chapter}-13-{clause}-")]
    assert scenes
    outputs = [(FOLDER / "expected" / f"{name}.jsonl").read_text("utf-8") for name in scenes]
    assert any(f'"cite": "{chapter}.13({clause})"' in output for output in outputs)
