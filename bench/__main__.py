"""Run every benchmark; exit 1 if an aim is missed."""

import sys

from bench import exact, ranking, table

sys.exit(0 if all([ranking.run(), table.run(), exact.run()]) else 1)
