"""Wager totals for rounds played before totals were stored, calculated from the logs."""

from pitboss.house.hold.wager_totals import WagerTotal, round_totals, sum_totals
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import entries
from pitboss.house.storage.unit_of_work import HELD_COLUMNS
from pitboss.record.chain import decode_entry, decode_header
from pitboss.record.replay import follow_entries, table_of
from pitboss.table.evolution import round_end


def backfill_totals(db: Connection) -> None:
    """Store the totals of tables that have rounds but no totals."""
    missing = db.execute(
        "SELECT DISTINCT r.chain FROM round r WHERE NOT EXISTS (SELECT 1 FROM held h WHERE h.chain = r.chain)"
    )
    for (chain,) in missing:
        with db.transaction():
            marks = ", ".join("?" * len(HELD_COLUMNS))
            db.many(
                f"INSERT INTO held ({', '.join(HELD_COLUMNS)}) VALUES ({marks})",  # noqa: S608 (our columns)
                [(chain, *one) for one in _totals_from_log(db, chain)],
            )


def _totals_from_log(db: Connection, chain: str) -> list[WagerTotal]:
    ((header,),) = db.execute("SELECT header FROM chain WHERE id = ?", (chain,))
    table, found = table_of(decode_header(bytes(header))), list[WagerTotal]()
    log = ((decode_entry(body), digest) for _, body, digest in entries(db, chain))
    for moment in follow_entries(table, log):
        if ending := round_end(moment.transitions):
            found = sum_totals([*found, *round_totals(ending.before)])
    return found
