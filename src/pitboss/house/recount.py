"""Sums of wagers for rounds that were played before there were any, worked out from the logs."""

from pitboss.house.driver import Connection
from pitboss.house.evidence.reading import entries
from pitboss.house.held import Held, held_in, summed
from pitboss.house.store import HELD
from pitboss.record.chain import entry_of, header_of
from pitboss.record.replay import table_of
from pitboss.table.evolve import evolve


def recount(db: Connection) -> None:
    """Sum the rounds of tables that were played before there were sums, from their logs."""
    missing = db.execute(
        "SELECT DISTINCT r.chain FROM round r WHERE NOT EXISTS (SELECT 1 FROM held h WHERE h.chain = r.chain)"
    )
    for (chain,) in missing:
        with db.transaction():
            marks = ", ".join("?" * len(HELD))
            db.many(
                f"INSERT INTO held ({', '.join(HELD)}) VALUES ({marks})",  # noqa: S608 (our columns)
                [(chain, *one) for one in _recounted(db, chain)],
            )


def _recounted(db: Connection, chain: str) -> list[Held]:
    ((header,),) = db.execute("SELECT header FROM chain WHERE id = ?", (chain,))
    table, found = table_of(header_of(bytes(header))), list[Held]()
    for _, body, _ in entries(db, chain):
        for event in entry_of(body).events:
            after = evolve(table, event)
            if after.round != table.round:
                found = summed([*found, *held_in(table)])
            table = after
    return found
