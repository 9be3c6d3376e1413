"""Golden playthroughs: one readable file for each game, way of dealing and notable path, byte for byte."""

import pytest
from playthroughs import FOLDER, SCRIPTS, playthrough


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_playthrough_is_as_it_was_read_and_found_right(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_every_file_has_its_script() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(SCRIPTS)
