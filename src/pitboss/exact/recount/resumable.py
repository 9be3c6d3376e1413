"""Recount all classes of player hands on all cores, with progress and checkpoints to resume from."""

import time
from pathlib import Path
from typing import Final

import msgspec

from pitboss.decoding import decode_json
from pitboss.exact.recount.contest import ContestRecount
from pitboss.exact.recount.hands import classes_of
from pitboss.exact.recount.parallel import CORES, map_over_cores
from pitboss.exact.recount.sums import Sums

CHECKPOINT: Final = 60.0
"""Seconds between checkpoints."""


class Progress(msgspec.Struct):
    """The state of a long recount: the number of finished classes, and the sums for each of the terms."""

    done: int
    sums: list[Sums]


def recount(contest: ContestRecount, file: Path, cores: int = CORES) -> list[Sums]:
    """Recount every class of player hands; resume an earlier run and show progress."""
    classes = list(classes_of(contest.players))
    begun = Progress(0, [Sums() for _ in contest.tables])
    at = decode_json(file.read_bytes(), Progress) if file.exists() else begun
    since = saved = time.monotonic()
    first, todo = at.done, classes[at.done :]
    results = map_over_cores(contest.best, [place for place, _ in todo], cores, chunk=16)
    for (_, count), found in zip(todo, results, strict=True):
        at.done += 1
        for total, one in zip(at.sums, found, strict=True):
            total.add(one, count)
        if time.monotonic() - saved > CHECKPOINT or at.done == len(classes):
            saved = time.monotonic()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.with_suffix(".part").write_bytes(msgspec.json.encode(at))
            file.with_suffix(".part").replace(file)
            left = (saved - since) / (at.done - first) * (len(classes) - at.done)
            print_line(f"{at.done:,} of {len(classes):,} classes, about {left / 60:.0f} minutes left")
    return at.sums


def print_line(words: str) -> None:
    """Print a result or progress."""
    print(words, flush=True)  # noqa: T201
