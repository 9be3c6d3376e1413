"""A backup or a bundle is complete or absent, and can be read in a read-only folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from evidence_house import eventful_folder

from pitboss.cli import main
from pitboss.house.evidence import PUBLIC, verify_house
from pitboss.house.storage.sqlite import Sqlite

KIBIBYTES = 64
"""Maximum file size that stands in for a full disk."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eventful_folder(tmp_path_factory.mktemp("house"))


def _names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_backup_is_one_private_file_and_verifying_adds_none(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert main(["audit", "backup", str(made), "-o", str(copy)]) == 0
    assert _names(tmp_path) == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert main(["audit", "verify", str(copy), "--key", str(made / PUBLIC)]) == 0
    assert _names(tmp_path) == ["copy.db"]
    restored = Sqlite(copy)
    assert restored.execute("PRAGMA journal_mode") == [("wal",)]
    assert verify_house(restored).problems == []
    restored.close()


def test_a_database_in_a_read_only_folder_is_verified(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a medium? 100%"
    folder.mkdir()
    shutil.copy(made / "house.db", folder)  # the server has ended, so there is no write-ahead log
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and allowed(path, mode))
    assert main(["audit", "verify", str(folder), "--key", str(made / PUBLIC)]) == 0
    assert _names(folder) == ["house.db"]


@pytest.mark.parametrize("what", ["backup", "export"])
def test_a_copy_that_does_not_fit_leaves_no_files(made: Path, tmp_path: Path, what: str) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "pitboss", "audit", what, str(made), "-o", str(out)]
    full = subprocess.run(
        ["bash", "-c", f'ulimit -f {KIBIBYTES}; exec "$@"', "-", *command], capture_output=True, text=True, check=False
    )
    assert full.returncode == 2
    assert f"{out}" in full.stderr
    assert "Traceback" not in full.stderr
    assert _names(tmp_path) == []
    assert main(command[3:]) == 0


def test_a_full_disk_is_named(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: Sqlite, made: Path) -> None:
        made.write_bytes(b"half of it")
        raise apsw.FullError("not an error")

    monkeypatch.setattr(Sqlite, "_copy_database", full)
    assert main(["audit", "backup", str(made), "-o", str(tmp_path / "copy.db")]) == 2
    said = f"The database cannot be copied to {tmp_path / 'copy.db'}: the disk is full."
    assert said in " ".join(capsys.readouterr().err.split())
    assert _names(tmp_path) == []
