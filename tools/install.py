"""Installs a hashed lock file of `requirements/` into this Python's environment or a folder."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
STEPS: Final = 4
"""Number of progress reports."""
PIP: Final = (
    sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar=off",
    "--no-cache-dir", "--no-compile", "--no-deps", "--require-hashes",
)  # fmt: skip


def say(sentence: str) -> None:
    """Print a line of progress."""
    print(f"  {sentence}", flush=True)


def install(lock: str, target: Path | None = None) -> None:
    """Install every package of a lock file; on failure, exit with pip's message."""
    requirements = ROOT / "requirements" / f"{lock}.txt"
    total = len(set(re.findall(r"^([\w.-]+)==", requirements.read_text("utf-8"), re.MULTILINE)))
    say(f"{lock} packages: {total} to install")
    folder = ["--target", str(target)] if target else []
    pip = subprocess.Popen(
        [*PIP, *folder, "--requirement", requirements], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert pip.stdout
    lines, seen = list[str](), 0
    for line in pip.stdout:
        lines.append(line)
        if line.startswith(("Collecting ", "Requirement already ", "Ignoring ")):
            seen += 1
            if total > 2 * STEPS and seen % (total // STEPS) == 0 and seen < total:
                say(f"{lock} packages: {seen} of {total}")
    if pip.wait():
        sys.exit(f"{''.join(lines[-12:])}The {lock} packages could not be installed; pip says why above.")
    say(f"{lock} packages: ready")


def put_on_path() -> None:
    """Make Pitboss importable from `src/` in this environment, and add the command `pitboss`."""
    environment = Path(sys.prefix)
    library = environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (library / "pitboss.pth").write_text(f"{ROOT / 'src'}\n", "utf-8")
    command = environment / "bin" / "pitboss"
    command.write_text(f'#!/bin/sh\nexec "{environment}/bin/python" -m pitboss "$@"\n', "utf-8")
    command.chmod(0o755)


if __name__ == "__main__":
    install(sys.argv[1])
    if sys.argv[1] == "run":
        put_on_path()
        subprocess.run([*PIP[:3], "uninstall", "--yes", "--quiet", "setuptools"], check=False)  # came with the venv
