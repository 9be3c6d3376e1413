"""A house for tests, on SQLite and on PostgreSQL alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_house import House
from postgres_cluster import Cluster, running_cluster

from pitboss.house.storage.postgres import Postgres
from pitboss.house.storage.sqlite import Sqlite


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """The throw-away PostgreSQL of this test run."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """A fresh database of its own for each test."""
    with postgres_cluster.database() as url:
        yield url


@pytest.fixture
def sqlite_house(tmp_path: Path) -> Iterator[House]:
    """A house on SQLite."""
    made = House(lambda: Sqlite(tmp_path / "house.db"))
    yield made
    made.close()


@pytest.fixture
def postgres_house(postgres_url: str) -> Iterator[House]:
    """A house on PostgreSQL."""
    made = House(lambda: Postgres(postgres_url))
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> House:
    """A house on each of the two."""
    made = request.getfixturevalue("sqlite_house" if request.param == "sqlite" else "postgres_house")
    assert isinstance(made, House)
    return made
