"""Run work on all cores in forked processes, which inherit memory: only numbers are sent, and only results returned."""

import os
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from typing import Any, Final, TypeVar

T = TypeVar("T")

CORES: Final = os.cpu_count() or 1

_works: Final[list[Callable[[int], Any]]] = []


def map_over_cores(work: Callable[[int], T], numbers: Sequence[int], cores: int = CORES, chunk: int = 1) -> Iterator[T]:
    """Yield the result of the work for each number, in order."""
    if cores == 1:
        yield from map(work, numbers)
        return
    _works.append(work)  # before the fork, so that it is inherited and not sent
    try:
        with get_context("fork").Pool(cores) as pool:
            yield from pool.imap(_work, numbers, chunk)
    finally:
        _works.pop()


def _work(number: int) -> object:
    return _works[-1](number)
