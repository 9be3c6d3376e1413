"""The files of every version that was released, unpacked once."""

from pathlib import Path

import pytest
from older_versions import VERSIONS, Version, unpack_version


@pytest.fixture(scope="session", params=VERSIONS, ids=lambda version: str(version.name))
def version(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Version:
    """One of them."""
    kept: Path = request.param
    return Version(unpack_version(kept, tmp_path_factory.mktemp("kept") / kept.name))
