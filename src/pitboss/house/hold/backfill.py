"""Wager totals for rounds played before totals were stored, calculated from the logs."""

from pitboss.house.hold.wager_totals import WagerTotal, round_totals, sum_totals
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import read_header
from pitboss.house.storage.table_states import follow_log
from pitboss.house.storage.wager_totals import insert_totals, tables_without_totals
from pitboss.record.chain import decode_header
from pitboss.record.replay import table_of
from pitboss.table.evolution import round_end


def backfill_totals(db: Connection) -> None:
    """Store the totals of tables that have rounds but no totals."""
    for chain in tables_without_totals(db):
        with db.transaction():
            insert_totals(db, chain, _totals_from_log(db, chain))


def _totals_from_log(db: Connection, chain: str) -> list[WagerTotal]:
    table, found = table_of(decode_header(read_header(db, chain))), list[WagerTotal]()
    for moment in follow_log(db, chain, table):
        if ending := round_end(moment.transitions):
            found = sum_totals([*found, *round_totals(ending.before)])
    return found
