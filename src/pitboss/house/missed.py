"""What happened at a table since somebody last looked, read from its log."""

from typing import Final

from pitboss.house.driver import Connection
from pitboss.house.evidence.reading import entries
from pitboss.house.standing import Standing, fresh, restored
from pitboss.record.chain import entry_of
from pitboss.record.replay import Replayed
from pitboss.table.evolve import evolve

MOST: Final = 500
"""Entries that are told: who was away for longer reads his history."""
LONGEST: Final = 10_000
"""Entries of a round that are gone through for that: of a longer one nothing is told until it is over."""


def missed(db: Connection, standing: Standing, since: int) -> list[Replayed]:
    """Return the entries after one, up to where a table stands, each with the table before and after it."""
    since = max(since, standing.seq - MOST)
    begun = fresh(standing.chain, standing.header, "", standing.settings)
    table, last = begun.table, 0
    rows = db.execute(
        "SELECT last, after FROM round WHERE chain = ? AND last <= ? ORDER BY number DESC LIMIT 1",
        (standing.chain, since),
    )
    if rows:
        last, table = rows[0][0], restored(standing.header, bytes(rows[0][1]))
    if standing.seq - last > LONGEST:
        return []
    found = []
    for seq, body, _ in entries(db, standing.chain, last + 1, standing.seq):
        entry, before = entry_of(body), table
        for event in entry.events:
            table = evolve(table, event)
        if seq > since:
            found.append(Replayed(before, entry, table))
    return found
