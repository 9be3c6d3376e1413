"""Fixtures: a house on SQLite, on PostgreSQL, or on each in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_house import House
from postgres_cluster import Cluster, running_cluster

from pitboss.house.storage.postgres import Postgres
from pitboss.house.storage.sqlite import Sqlite


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """A temporary PostgreSQL cluster, shared by all tests of the run."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """The URL of a new, empty database for this test."""
    with postgres_cluster.database() as url:
        yield url


@pytest.fixture
def sqlite_house(tmp_path: Path) -> Iterator[House]:
    """A house on SQLite."""
    house = House(lambda: Sqlite(tmp_path / "house.db"))
    yield house
    house.close()


@pytest.fixture
def postgres_house(postgres_url: str) -> Iterator[House]:
    """A house on PostgreSQL."""
    house = House(lambda: Postgres(postgres_url))
    yield house
    house.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> House:
    """Run the test twice: with a house on SQLite, and with one on PostgreSQL."""
    chosen_house = request.getfixturevalue("sqlite_house" if request.param == "sqlite" else "postgres_house")
    assert isinstance(chosen_house, House)
    return chosen_house
