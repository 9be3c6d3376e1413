"""Entries of a table since a given position, read from its log."""

from typing import Final

from pitboss.house.live_table import LiveTable
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.table_states import follow_log, table_at_round_end
from pitboss.record.replay import ReplayedEntry

MAX_ENTRIES: Final = 500
"""Upper bound of the returned entries; for more, a player reads the history."""
MAX_ROUND_ENTRIES: Final = 10_000
"""Upper bound of the entries to replay; a longer round yields nothing until it is over."""


def entries_since(db: Connection, live: LiveTable, since: int) -> list[ReplayedEntry]:
    """Return the entries after `since`, each with the table before and after it."""
    since = max(since, live.seq - MAX_ENTRIES)
    last, table = table_at_round_end(db, live.chain, live.header, since)
    if live.seq - last > MAX_ROUND_ENTRIES:
        return []
    followed = follow_log(db, live.chain, table, last + 1, live.seq)
    return [moment for moment in followed if moment.entry.seq > since]
