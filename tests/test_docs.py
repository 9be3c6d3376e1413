"""What the documents show is so."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_pictures_show_what_the_program_prints_today(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "docs" / "pictures.py", tmp_path], check=True)
    drawn = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert drawn.keys() == {"pitboss.svg", "tour.svg", "settle.svg", "exact.svg", "sign.png", "rack-card.png"}
    for name, picture in drawn.items():
        assert picture == (ROOT / "docs" / name).read_bytes(), f"{name} is stale: run `make pictures`"


def test_pictures_fetch_nothing() -> None:
    for file in (ROOT / "docs").glob("*.svg"):
        assert not re.search(r"url\((?!#)|href|@import", file.read_text("utf-8")), file.name


def test_the_screenshots_are_of_the_screens_as_they_are() -> None:
    """They are taken by the tests of the screens; a hash of the front end's sources says of which."""
    spec = importlib.util.spec_from_file_location("screens", ROOT / "docs" / "screens.py")
    assert spec
    assert spec.loader
    screens = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(screens)
    kept = {file.name for file in screens.FOLDER.glob("*.webp")}
    assert kept == screens.named()
    assert len(kept) >= 12
    assert screens.MADE_OF.read_text("utf-8").strip() == screens.sources(), (
        "the screenshots are stale: run `make screens`"
    )


def test_every_link_and_picture_of_the_readme_is_there() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert len(targets) >= 3
    assert all((ROOT / target).exists() for target in targets)


def test_make_help_lists_every_target_the_readme_names() -> None:
    helped = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("setup", "run", "test", "check", "bench"):
        assert f"make {target} " in helped
