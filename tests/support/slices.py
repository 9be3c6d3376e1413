"""How much of each campaign is run: a slice in `make test`, all of it in `make nightly`."""

import os
from typing import Final

NIGHTLY: Final = os.environ.get("PITBOSS_NIGHTLY") == "1"
PART: Final = os.environ.get("PITBOSS_PART", "1")
"""Seeds a campaign that the nightly run splits into parts."""


def _size(test: int, nightly: int) -> int:
    return nightly if NIGHTLY else test


EXAMPLES: Final = _size(100, 5_000)
"""Examples of each property."""
KILLS_ON_SQLITE: Final = _size(12, 200)
"""Kills of the server during play; the nightly run has five such parts."""
KILLS_ON_POSTGRESQL: Final = _size(6, 200)
"""Kills of one of two servers on one database; the nightly run has five such parts."""
CONTRIBUTIONS: Final = _size(20_000, 200_000)
"""Contributions to linked meters on SQLite."""
LINKED_ROUNDS: Final = _size(300, 2_000)
"""Rounds of linked tables on PostgreSQL whose processes die."""
POWER_LOSSES: Final = _size(4_000, 20_000)
"""Different crash images of the disk."""
REQUESTS_THAT_CHANGE: Final = _size(8, 40)
"""Requests made from the description, for each operation that changes something, kind of data and post."""
REQUESTS_THAT_READ: Final = _size(2, 5)
"""The same for each other operation."""
RAW_REQUESTS: Final = _size(100, 400)
"""Mutated requests to each of three addresses."""
MESSAGES: Final = _size(1_500, 6_000)
"""Messages of the WebSocket fuzzer."""
ORDERS_OVER_SOCKETS: Final = _size(400, 2_400)
"""Distinct orders of each of three patrons over sockets that break."""
DELIVERIES_ON_SQLITE: Final = _size(4_000, 20_000)
DELIVERIES_ON_POSTGRESQL: Final = _size(800, 2_500)
"""Deliveries of orders to the desk, each order one to five times."""
TABLE_STEPS: Final = _size(20_000, 200_000)
"""Random commands to a table of each game, dealing method and shuffler."""
HANDS_OF_A_KIND: Final = _size(1, 4)
"""Classes of each kind of hand that the recount compares; ten times as many where the decision turns."""
EVERY_SO_MANYTH_CLASS: Final = _size(8, 1)
"""One in this many classes of five cards is settled."""
METER_MOVES: Final = _size(200_000, 2_000_000)
"""Random movements of a progressive meter."""
