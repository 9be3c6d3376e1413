"""How tests wait: for what they expect, with a limit that only something broken reaches."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120
"""Seconds that nothing takes unless it is broken, however busy the machine is."""
Found = TypeVar("Found")


def until(look: Callable[[], Found | None], what: str) -> Found:
    """Look until there is something to see; return it."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"it never happened: {what}"
        time.sleep(0.02)
    return found
