"""Entries of a table since a given position, read from its log."""

from typing import Final

from pitboss.house.live_table import LiveTable, new_live_table, restore_table
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import entries
from pitboss.house.storage.rounds import last_round_until
from pitboss.record.chain import decode_entry
from pitboss.record.replay import ReplayedEntry, follow_entries

MAX_ENTRIES: Final = 500
"""Upper bound of the returned entries; for more, a player reads the history."""
MAX_ROUND_ENTRIES: Final = 10_000
"""Upper bound of the entries to replay; a longer round yields nothing until it is over."""


def entries_since(db: Connection, standing: LiveTable, since: int) -> list[ReplayedEntry]:
    """Return the entries after `since`, each with the table before and after it."""
    since = max(since, standing.seq - MAX_ENTRIES)
    begun = new_live_table(standing.chain, standing.header, "", standing.settings)
    table, last = begun.table, 0
    if ended := last_round_until(db, standing.chain, since):
        last, table = ended.last, restore_table(standing.header, ended.after)
    if standing.seq - last > MAX_ROUND_ENTRIES:
        return []
    log = entries(db, standing.chain, last + 1, standing.seq)
    followed = follow_entries(table, ((decode_entry(body), digest) for _, body, digest in log))
    return [moment for moment in followed if moment.entry.seq > since]
