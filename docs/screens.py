"""The documents' screenshots and the film of a round, taken from the tests of the screens: `make screens`.

A test compares a hash of the front end's sources with the one kept here, so they cannot go stale.
"""

import hashlib
import io
import itertools
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from PIL import Image

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "screens"
TAKEN: Final = ROOT / "build" / "screens"
MADE_OF: Final = FOLDER / "made-of.txt"
DOCUMENTS: Final = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
FILM: Final = "round.webp"


def sources() -> str:
    """Return a hash of everything the screens are made of."""
    files = (file for file in (ROOT / "ui" / "src").rglob("*") if file.is_file() and file.name != "schema.d.ts")
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest()


def named() -> set[str]:
    """Return the pictures of screens that the documents show."""
    texts = "".join(file.read_text("utf-8") for file in DOCUMENTS)
    return {Path(found).name for found in re.findall(r"screens/[\w-]+\.webp", texts)}


def film(path: Path, width: int = 760) -> None:
    """Film a round of Caribbean Stud as a patron sees it: chips, cards, a decision, the settlement."""
    sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
    from house_server import Server  # noqa: PLC0415 (of the tests)
    from screen import Screen, chromium  # noqa: PLC0415

    frames: list[tuple[float, bytes]] = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder) / "data", PITBOSS_REST="6", PITBOSS_PAUSE="1", PITBOSS_BETTING="30").start()
        ann = Screen(browser, server.url, size={"width": 1366, "height": 768}, still=False).sign_in("ann")
        ann.sit("caribbean-stud", 4)

        def shoot(seconds: float) -> None:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                frames.append((time.monotonic(), ann.page.screenshot(type="jpeg", quality=85)))

        shoot(0.6)
        for spot in ("ante", "ante", "bonus", "progressive"):
            ann.page.click(f"[data-spot='4/{spot}']")
            shoot(0.5)
        ann.wager()
        shoot(4.5)
        ann.decide(2)
        shoot(5.0)
        ann.close()
        server.stop()
    pictures = [Image.open(io.BytesIO(taken)).convert("RGB") for _, taken in frames]
    size = (width, round(pictures[0].height * width / pictures[0].width))
    small = [picture.resize(size, Image.Resampling.LANCZOS) for picture in pictures]
    lasts = [round(1000 * (after - before)) for (before, _), (after, _) in itertools.pairwise(frames)]
    small[0].save(path, save_all=True, append_images=small[1:], duration=[*lasts, 2500], loop=0, quality=62, method=4)


def main() -> None:
    """Run the tests of the screens, keep the pictures that the documents name, and film a round."""
    subprocess.run([sys.executable, "-m", "pytest", "-q", "tests/browser"], cwd=ROOT, check=True)
    keep()


def keep() -> None:
    """Keep the pictures that the documents name, film a round, and write down what they are made of."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    for name in sorted(named() - {FILM}):
        Image.open(TAKEN / Path(name).with_suffix(".png")).convert("RGB").save(FOLDER / name, quality=82, method=6)
    film(FOLDER / FILM)
    MADE_OF.write_text(f"{sources()}\n", "utf-8")


if __name__ == "__main__":
    main()
