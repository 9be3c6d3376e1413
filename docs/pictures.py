"""The documents' pictures, made from the program's own output: `make pictures`.

A test draws them again and compares, so they cannot go stale.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from pitboss.report import sign_pictures
from pitboss.submission import load
from pitboss.submission.signs import sign_of

FOLDER: Final = Path(__file__).parent
WIDTH: Final = 96

PICTURES: Final = {
    "settle.svg": (
        (
            "pitboss settle cajun-stud --submission cajun-stud-rack-card --player '9c 8c' --board '7c 6c 5c'"
            " --wager ante=100 --raise 3 --raise 3 --raise 3 --wager pocket-bonus=5 --wager board-bonus=5"
        ),
    ),
    "pitboss.svg": (
        "pitboss rank Ah Kh Qh Jh Th --game 639a",
        "pitboss clauses '639a.11(c)(3)'",
        "pitboss paytables cajun-stud --wager ante-raise",
        "pitboss readings board-bonus-a-mini-royal",
    ),
    "exact.svg": (
        "pitboss analyze cajun-stud --wager ante-raise",
        "pitboss advise caribbean-stud --player 'Ah Kd Qc 7s 3h' --up 2c",
        "pitboss strategy four-card-prime",
    ),
    "tour.svg": ("pitboss tour",),
}
"""Each picture and the commands it shows."""
SIGN: Final = "cajun-stud-rack-card"
"""The Submission whose sign and rack card are shown."""

FELT: Final = TerminalTheme(
    background=(16, 42, 34),
    foreground=(233, 228, 212),
    normal=[
        (16, 42, 34), (226, 110, 92), (134, 190, 130), (214, 178, 94),
        (98, 160, 190), (190, 130, 170), (110, 180, 170), (233, 228, 212),
    ],
    bright=[
        (120, 140, 128), (236, 130, 112), (154, 210, 150), (228, 196, 120),
        (120, 180, 208), (206, 150, 188), (134, 200, 190), (250, 246, 234),
    ],
)  # fmt: skip
"""Dark felt, pale print."""


def draw(title: str, commands: tuple[str, ...]) -> str:
    """Return a picture of a terminal in which these commands were run; it fetches nothing."""
    console = Console(file=io.StringIO(), record=True, width=WIDTH, color_system="truecolor", force_terminal=True)
    for command in commands:
        if len(commands) > 1:
            console.print(Text.assemble(("$ ", "dim"), (command, "bold")))
        console.print(Text.from_ansi(_run(command)))
    picture = console.export_svg(title=title, theme=FELT, unique_id="pitboss")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    return picture.replace("Fira Code", "ui-monospace, DejaVu Sans Mono, Menlo, Consolas")


def _run(command: str) -> str:
    """Run a command as in a colour terminal of our width."""
    settings = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color", "COLUMNS": str(WIDTH)}
    ran = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # progress
        text=True,
        check=True,
    )
    return ran.stdout


def main(folder: Path = FOLDER) -> None:
    """Draw every picture into a folder."""
    for name, commands in PICTURES.items():
        (folder / name).write_text(draw(commands[0][:60] if len(commands) == 1 else "pitboss", commands), "utf-8")
    sheet, card = sign_pictures(sign_of(load(SIGN)), ppi=80)
    (folder / "sign.png").write_bytes(sheet)
    (folder / "rack-card.png").write_bytes(card)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
