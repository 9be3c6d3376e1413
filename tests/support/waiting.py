"""How tests wait for a condition, with a timeout that only a failure reaches."""

import time
from collections.abc import Callable
from typing import TypeVar

TIMEOUT = 120
"""Seconds after which a test fails, even on a busy machine."""
Found = TypeVar("Found")


def until(look: Callable[[], Found | None], what: str) -> Found:
    """Poll until a function returns something; return that."""
    end = time.monotonic() + TIMEOUT
    while not (found := look()):
        assert time.monotonic() < end, f"it never happened: {what}"
        time.sleep(0.02)
    return found
