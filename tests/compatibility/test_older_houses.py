"""A house of an older version is migrated, verified and played on; a newer one is refused."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from house_server import Player, Server
from older_versions import Version, house_facts
from postgres_cluster import running_cluster

from pitboss.cli import main
from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Order
from pitboss.house.evidence import verify_house
from pitboss.house.startup import prepare_database
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.postgres import Postgres
from pitboss.house.storage.sqlite import Sqlite
from pitboss.table import Decide, Role
from pitboss.table.shoe import seeded_source

TABLE = "caribbean-stud"
NEWER = "9999_of_a_later_version.sql"
REFUSED = (
    "The database was created by a newer Pitboss: it has 9999_of_a_later_version.sql. Use that version or a later one."
)


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with running_cluster() as cluster, cluster.database() as url:
        yield url


def audit_report(house: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["audit", "verify", str(house), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def copy_rows(target: Connection, source: Connection) -> None:
    """Copy every row from one database to another."""
    tables = [
        name
        for (name,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'migration'")
    ]
    with target.transaction():
        for name in sorted(tables, key=lambda name: name != "chain"):  # entries refer to it
            for row in source.execute(f"SELECT * FROM {name}"):
                target.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)


def decide_open_round(db: Connection) -> None:
    """Ann decides in the round that was under way when the older version ended."""
    order = Order(person="ann", role=Role.PLAYER, key="after", chain=TABLE, command=Decide(1, 0))
    (reply,) = Desk(db, source=seeded_source("after"), now=lambda: 1_800_000_000).carry_out([order])
    assert reply.accepted, reply


def play_rounds(player: Player, rounds: int) -> None:
    """Play until this many rounds are over."""
    over = player.play(lambda: bool(player.seen) and player.seen["view"]["round"] >= rounds)
    asyncio.run(asyncio.wait_for(over, 60))


def test_an_older_house_is_migrated_with_all_its_data(
    version: Version, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = version.house(tmp_path / "data")
    with closing(Sqlite(house / "house.db")) as db:
        prepare_database(db)
        assert house_facts(db) == version.expected["house"]
        assert migrate(db) == []
    found = audit_report(house, capsys)
    assert found["problems"] == []
    assert found["rounds"] == sum(version.expected["house"]["rounds"].values())
    assert found["signed_by"]


def test_the_open_round_of_an_older_house_ends_and_the_books_balance(
    version: Version, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = version.house(tmp_path / "data")
    with closing(Sqlite(house / "house.db")) as db:
        prepare_database(db)
        decide_open_round(db)
        assert house_facts(db)["rounds"][TABLE] == version.expected["house"]["rounds"][TABLE] + 1
    assert audit_report(house, capsys)["problems"] == []


def test_a_server_continues_an_older_house(
    version: Version, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, before = version.house(tmp_path / "data"), version.expected["house"]["rounds"][TABLE]
    server = Server(house).start()
    try:
        ann = Player(server.url, server.sign_in("ann"), "ann", TABLE, 1, "after")
        play_rounds(ann, before + 1)
        order = {"command": {"type": "ChangeDeck"}}  # the old one has been in use for more than 8 hours
        path = f"/api/tables/{TABLE}/orders"
        assert server.request("POST", path, order, server.sign_in("flo"), Idempotency_Key="deck")[0] == 200
        play_rounds(ann, before + 2)
        assert set(ann.seen) >= {"v", "type", "table", "seq", "view", "happened", "can", "free", "closes"}
        assert {answer["v"] for answer in ann.answered.values()} == {1}
    finally:
        assert server.stop() == 0
    found = audit_report(house, capsys)
    assert found["problems"] == []
    assert found["rounds"] >= sum(version.expected["house"]["rounds"].values()) + 2
    with closing(Sqlite(house / "house.db")) as db:  # entries after the start are decided again
        ((entries,),) = db.execute("SELECT seq FROM chain WHERE id = ?", (TABLE,))
    ((first, last),) = found["followed_entries"][TABLE]
    assert first == 1
    assert last < entries - 20


def test_an_older_house_is_migrated_on_postgresql(version: Version, tmp_path: Path, postgres_url: str) -> None:
    """The house's rows, in the older version's PostgreSQL schema."""
    with (
        closing(Sqlite(version.house(tmp_path / "data") / "house.db")) as kept,
        closing(Postgres(postgres_url)) as db,
    ):
        steps = kept.execute("SELECT COUNT(*) FROM migration")[0][0]
        assert len(migrate(db, up_to=steps)) == steps
        copy_rows(db, kept)
        prepare_database(db)
        assert house_facts(db) == version.expected["house"]
        decide_open_round(db)
        found = verify_house(db)
        assert (found.problems, found.rounds) == ([], sum(version.expected["house"]["rounds"].values()) + 1)
        db.execute("INSERT INTO migration (name) VALUES (?)", (NEWER,))
        assert main(["serve", "--data", str(tmp_path / "other"), "--database", postgres_url]) == 2
        assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--data", "{data}"),
        ("hire", "zoe", "patron", "--data", "{data}"),
        ("audit", "verify", "{data}"),
        ("audit", "find", "{data}"),
        ("audit", "export", "{data}", "-o", "{data}/bundle"),
        ("audit", "backup", "{data}", "-o", "{data}/copy.db"),
    ],
    ids=" ".join,
)
def test_refuses_a_newer_house_and_leaves_it_unchanged(
    command: tuple[str, ...],
    version: Version,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = version.house(tmp_path / "data")
    with closing(Sqlite(house / "house.db")) as db:
        db.execute("INSERT INTO migration (name) VALUES (?)", (NEWER,))
        db.execute("PRAGMA journal_mode=DELETE")
    before = {file.name: file.read_bytes() for file in house.iterdir()}
    monkeypatch.setattr("pitboss.cli.hire._password", lambda _: "a long password")
    assert main([part.format(data=house) for part in command]) == 2
    assert capsys.readouterr().err == f"pitboss: {REFUSED}\n"
    assert {file.name: file.read_bytes() for file in house.iterdir()} == before
