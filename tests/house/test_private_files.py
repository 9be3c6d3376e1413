"""Files with hidden cards and password hashes are private to the user who runs the house."""

from pathlib import Path

from command import pitboss
from house_server import PASSWORD, Server

from pitboss.cli import main
from pitboss.house.config import Config
from pitboss.house.startup import connect_or_create


def test_the_data_folder_is_private(tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = Server(data).start()
    try:
        modes = {file.name: file.stat().st_mode & 0o077 for file in (data, *data.iterdir())}
        assert {"house.db", "house.db-wal", "house.db-shm", "signing.key"} < modes.keys()
        assert not any(modes.values()), modes
    finally:
        server.stop()


def test_the_first_hire_creates_a_private_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ran = pitboss("hire", "zed", "operator", "--data", str(data), given=f"{PASSWORD}\n".encode())
    assert (ran.status, ran.out) == (0, "zed now has the post operator.\n")
    assert not any(file.stat().st_mode & 0o077 for file in (data, *data.iterdir()))


def test_backups_and_bundles_are_private(tmp_path: Path) -> None:
    connect_or_create(Config(data=str(tmp_path / "data"))).close()
    copy, bundle = tmp_path / "copy.db", tmp_path / "bundle"
    assert main(["audit", "backup", str(tmp_path / "data"), "-o", str(copy)]) == 0
    assert main(["audit", "export", str(tmp_path / "data"), "-o", str(bundle)]) == 0
    made = [copy, bundle, *bundle.rglob("*")]
    assert not any(file.stat().st_mode & 0o077 for file in made)
    (tmp_path / "other").write_text("anybody's", "utf-8")
    assert (tmp_path / "other").stat().st_mode & 0o044, "and what is made afterwards is as before"
