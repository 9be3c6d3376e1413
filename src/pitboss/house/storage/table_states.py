"""States of a table, rebuilt from the snapshot after a finished round and the entries after that."""

from collections.abc import Iterator

from pitboss.house.live_table import opened_table, restore_table
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import entries
from pitboss.house.storage.reading import MOST
from pitboss.house.storage.rounds import last_round_until
from pitboss.record.chain import Header, decode_entry
from pitboss.record.replay import ReplayedEntry, follow_entries
from pitboss.table import Table


def table_at_round_end(db: Connection, chain: str, header: Header, seq: int) -> tuple[int, Table]:
    """Return the last entry up to `seq` that ended a round, and the table after it; before that, 0 and a new table."""
    ended = last_round_until(db, chain, seq)
    return (ended.last, restore_table(header, ended.after)) if ended else (0, opened_table(header))


def follow_log(db: Connection, chain: str, table: Table, first: int = 1, last: int = MOST) -> Iterator[ReplayedEntry]:
    """Yield entries of a log; `table` is the table before the first of them."""
    rows = entries(db, chain, first, last)
    return follow_entries(table, ((decode_entry(body), digest) for _, body, digest in rows))
