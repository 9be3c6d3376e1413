"""What is kept is kept for the code that made it."""

import subprocess
import sys

from pitboss.exact.analysis import CACHED_CODE

APART = {"pitboss", "pitboss.errors", "pitboss.cache", "pitboss.source_hashes", "pitboss.decoding"}
"""Mistakes, and how results are kept: no figure comes of these."""


def test_the_key_covers_every_module_that_figures_come_of() -> None:
    """Everything that is loaded for exact figures is in the hash that they are kept under."""
    ask = "import sys, pitboss.exact.joint, pitboss.exact.leaks; print(*(m for m in sys.modules if m.startswith('pitboss')))"
    loaded = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout.split()
    assert "pitboss.progressive" in loaded  # what one hand leaves of a meter for another
    covered = tuple(f"pitboss.{name.removesuffix('.py').replace('/', '.')}" for name in CACHED_CODE)
    assert [name for name in loaded if not name.startswith(covered) and name not in APART] == []
