"""Wager totals of finished rounds by table, wager and amount (`held`), in cents."""

from collections.abc import Iterable, Mapping
from typing import Final

from pitboss.house.storage.connections import Connection, Row

COLUMNS: Final = ("chain", "wager", "stake", "boxes", "wagered", "won")
_INSERT: Final = f"INSERT INTO held ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 (our columns)


def totals_of_table(db: Connection, chain: str) -> list[Row]:
    """Return wager, stake, boxes, cents wagered and cents won of a table's totals."""
    return db.execute(f"SELECT {', '.join(COLUMNS[1:])} FROM held WHERE chain = ? ORDER BY wager, stake", (chain,))  # noqa: S608 (our columns)


def tables_without_totals(db: Connection) -> list[str]:
    """Return the tables that have rounds but no totals."""
    rows = db.execute(
        "SELECT DISTINCT r.chain FROM round r WHERE NOT EXISTS (SELECT 1 FROM held h WHERE h.chain = r.chain)"
    )
    return [chain for (chain,) in rows]


def insert_totals(db: Connection, chain: str, totals: Iterable[Row]) -> None:
    """Store the totals of a table that has none."""
    db.execute_many(_INSERT, [(chain, *one) for one in totals])


def add_totals(db: Connection, totals: Mapping[tuple[str, str, int], tuple[int, int, int]]) -> None:
    """Add boxes, cents wagered and cents won to the totals of logs, wagers and stakes."""
    db.execute_many(
        f"{_INSERT} ON CONFLICT (chain, wager, stake) DO UPDATE SET boxes = held.boxes + excluded.boxes,"
        " wagered = held.wagered + excluded.wagered, won = held.won + excluded.won",
        [(*key, *sums) for key, sums in sorted(totals.items())],
    )
