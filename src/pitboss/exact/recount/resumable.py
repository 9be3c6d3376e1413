"""All classes of the player's hands, over all cores, with progress, checkpoints and resuming."""

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
"""Seconds between two of them."""


class Progress(msgspec.Struct):
    """Where a long recount stands: how many classes are done, and the sums for each of the terms."""

    done: int
    sums: list[Sums]


def recount(contest: ContestRecount, file: Path, cores: int = CORES) -> list[Sums]:
    """Go through every class of the player's hands, from where an earlier run stopped; show how far it is."""
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
    """Tell what was found, or how far it is."""
    print(words, flush=True)  # noqa: T201
