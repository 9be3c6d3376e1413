"""The eventful house, made once for all tests of its evidence, and a copy that each test may change."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_house import copy_house, eventful_folder

from pitboss.house.storage.sqlite import Sqlite


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder."""
    return eventful_folder(tmp_path_factory.mktemp("house"))


@pytest.fixture
def house(made: Path, tmp_path: Path) -> Iterator[Sqlite]:
    """A copy that a test may change."""
    yield from copy_house(made, tmp_path / "data")
