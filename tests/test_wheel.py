"""The wheel: one complete file that runs without the sources, Node or a build."""

import os
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import httpx
import pytest
from house_server import Server

from pitboss import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked where Python finds it before the sources."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def pitboss(installed: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "pitboss", *arguments]
    ran = subprocess.run(command, env=environment, cwd=installed, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_metadata_is_complete(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        metadata = message_from_bytes(archive.read(name))
        files = archive.namelist()
    assert wheel.name == f"pitboss-{__version__}-py3-none-any.whl"
    assert metadata["Version"] == __version__
    for field in ("Author", "Keywords", "Classifier", "Project-URL", "License-Expression", "Description-Content-Type"):
        assert metadata[field], field
    assert {Path(name).name for name in files if "/licenses/" in name} == {"LICENSE", "NOTICE.md"}
    assert not [name for name in files if not name.startswith(("pitboss/", "pitboss-"))]
    assert not [name for name in files if "__pycache__" in name]


def test_pitboss_runs_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    where = f"import pitboss, sys; sys.exit(not pitboss.__file__.startswith({str(installed)!r}))"
    found = {**os.environ, "PYTHONPATH": str(installed)}
    subprocess.run([sys.executable, "-c", where], env=found, cwd=tmp_path, check=True)
    assert pitboss(installed, "--version").strip() == __version__
    assert "443" in pitboss(installed, "clauses")
    for paper in ("sign.pdf", "par.pdf", "par.xlsx", "par.html"):
        command = "signs" if paper == "sign.pdf" else "par"
        pitboss(installed, command, "caribbean-stud-standard", "-o", str(tmp_path / paper))
        assert (tmp_path / paper).stat().st_size > 10_000


def test_a_house_served_from_the_wheel_has_its_screens(installed: Path, tmp_path: Path) -> None:
    server = Server(tmp_path / "data", PYTHONPATH=str(installed)).start()
    try:
        page = httpx.get(server.url, timeout=60).text
        (script,) = (part.partition('"')[0] for part in page.split('src="')[1:] if part.startswith("/assets/"))
        assert httpx.get(server.url + script, timeout=60).headers["content-type"].startswith("text/javascript")
        assert httpx.get(f"{server.url}/api/math/cajun-stud", timeout=60).json()["game"] == "cajun-stud"
    finally:
        server.stop()
