"""Cached figures belong to the code that made them."""

import subprocess
import sys

from pitboss.exact.analysis import CACHED_CODE

APART = {"pitboss", "pitboss.errors", "pitboss.cache", "pitboss.source_hashes", "pitboss.decoding"}
"""Errors and the cache itself: they do not affect figures."""


def test_the_cache_key_covers_every_module_behind_a_figure() -> None:
    """Every module loaded for exact figures is in the hash of the cache key."""
    ask = "import sys, pitboss.exact.joint, pitboss.exact.leaks; print(*(m for m in sys.modules if m.startswith('pitboss')))"
    loaded = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout.split()
    assert "pitboss.progressive" in loaded  # a meter after one hand has won
    covered = tuple(f"pitboss.{name.removesuffix('.py').replace('/', '.')}" for name in CACHED_CODE)
    assert [name for name in loaded if not name.startswith(covered) and name not in APART] == []
