"""Run every benchmark; exit 1 if an aim is missed."""

import sys

from bench import ranking, table

sys.exit(0 if all([ranking.run(), table.run()]) else 1)
