"""Golden playthroughs: one readable file for each game, dealing method and notable path, compared byte for byte."""

import pytest
from playthroughs import FOLDER, SCRIPTS, playthrough


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_playthrough_equals_its_golden_file(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_every_golden_file_has_a_script() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(SCRIPTS)
