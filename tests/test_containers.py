"""The container files name settings that exist."""

import re
from pathlib import Path

import pytest

from pitboss.house.config import Config

ROOT = Path(__file__).parents[1]
OF_THE_DATABASE = "password"


@pytest.mark.parametrize(("file", "least"), [("Containerfile", 4), ("compose.yaml", 2)])
def test_every_variable_of_the_containers_is_a_setting(file: str, least: int) -> None:
    named = {name.lower() for name in re.findall(r"PITBOSS_([A-Z_]+)", (ROOT / file).read_text("utf-8"))}
    assert len(named) >= least
    assert named <= {*Config.__struct_fields__, OF_THE_DATABASE}
