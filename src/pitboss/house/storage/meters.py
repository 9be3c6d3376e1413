"""Meters (`meter`), contributions of wagers to them (`contribution`), and every other change (`move`).

A contribution only adds a row, so tables do not wait for each other. A win locks the meter, adds the contributions to
it and marks them, and moves it.

The column `is_folded` says that a contribution is merged into its meter. It has nothing to do with a player who folds.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import msgspec

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.reading import as_bytes, read_pages
from pitboss.progressive import Meter
from pitboss.progressive.meter_changes import AMOUNTS, add_contributions

METER_COLUMNS: Final = AMOUNTS
"""The columns of `meter`, from the fields of `Meter`."""
_SUMS: Final = "COALESCE(SUM(current), 0), COALESCE(SUM(waiting), 0), COALESCE(SUM(reserve), 0)"


class MeterRow(msgspec.Struct):
    """A meter, the number of its moves, and its rule."""

    meter: Meter
    seq: int
    rule: bytes


class Contributions(NamedTuple):
    """The sums of contributions to a meter, in micro-cents."""

    current: int
    waiting: int
    reserve: int


class Move(NamedTuple):
    """A change of a meter: its number, the log and entry that made it, and the encoded change."""

    meter_seq: int
    chain: str
    seq: int
    change: bytes


def insert_meter(db: Connection, name: str, meter: Meter, rule: bytes) -> None:
    """Open a meter."""
    columns = ", ".join(("id", *METER_COLUMNS, "seq", "rule"))
    marks = ", ".join("?" * (len(METER_COLUMNS) + 3))
    amounts = [getattr(meter, field) for field in METER_COLUMNS]
    db.execute(f"INSERT INTO meter ({columns}) VALUES ({marks})", (name, *amounts, 0, rule))  # noqa: S608 (our columns)


def insert_contributions(db: Connection, rows: Iterable[Row], merged_meters: AbstractSet[str]) -> None:
    """Mark the contributions that locked meters now include, then add new ones: meter, log, entry, three amounts."""
    db.execute_many(
        "UPDATE contribution SET is_folded = 1 WHERE meter = ? AND is_folded = 0",
        [(name,) for name in sorted(merged_meters)],
    )
    db.execute_many(
        "INSERT INTO contribution (meter, chain, seq, current, waiting, reserve, is_folded)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*row, int(row[0] in merged_meters)) for row in sorted(rows)],
    )


def move_meters(db: Connection, meters: Mapping[str, MeterRow], moves: Iterable[Row]) -> None:
    """Write locked meters as they stand now, and their moves: meter, number, log, entry, change."""
    columns = ", ".join(f"{name} = ?" for name in METER_COLUMNS)
    db.execute_many(
        f"UPDATE meter SET {columns}, seq = ? WHERE id = ?",  # noqa: S608 (our columns)
        [
            (*(getattr(row.meter, name) for name in METER_COLUMNS), row.seq, meter)
            for meter, row in sorted(meters.items())
        ],
    )
    db.execute_many("INSERT INTO move (meter, meter_seq, chain, seq, change) VALUES (?, ?, ?, ?, ?)", moves)


def read_meter(db: Connection, name: str, *, lock: bool) -> MeterRow:
    """Return a meter with all contributions; `lock` holds it against other processes until the transaction ends."""
    columns, row_lock = ", ".join((*METER_COLUMNS, "seq", "rule")), db.dialect.row_lock if lock else ""
    ((*amounts, seq, rule),) = db.execute(
        f"SELECT {columns} FROM meter WHERE id = ?{row_lock}",  # noqa: S608 (our columns)
        (name,),
    )
    (unmerged,) = db.execute(f"SELECT {_SUMS} FROM contribution WHERE meter = ? AND is_folded = 0", (name,))  # noqa: S608 (our columns)
    return MeterRow(add_contributions(_meter(amounts), *unmerged), seq, bytes(rule))


def read_meters(db: Connection) -> dict[str, tuple[int, Meter]]:
    """Return every meter by name: the number of its moves, and its amounts with all contributions."""
    rows = db.execute(f"SELECT id, seq, {', '.join(METER_COLUMNS)} FROM meter ORDER BY id")  # noqa: S608 (our columns)
    unmerged = db.execute(
        "SELECT meter, SUM(current), SUM(waiting), SUM(reserve) FROM contribution WHERE is_folded = 0 GROUP BY meter"
    )
    more = {name: amounts for name, *amounts in unmerged}
    return {name: (seq, add_contributions(_meter(amounts), *more.get(name, (0, 0, 0)))) for name, seq, *amounts in rows}


def shown_amounts(db: Connection) -> dict[str, int]:
    """Return the amount that every meter shows, in micro-cents."""
    rows = db.execute(
        "SELECT m.id, m.current + COALESCE((SELECT SUM(c.current) FROM contribution c"
        " WHERE c.meter = m.id AND c.is_folded = 0), 0) FROM meter m"
    )
    return {name: int(amount) for name, amount in rows}


def meter_rule(db: Connection, name: str) -> bytes | None:
    """Return the rule of a meter: its seed and rates."""
    rows = db.execute("SELECT rule FROM meter WHERE id = ?", (name,))
    return as_bytes(rows[0][0]) if rows else None


def meter_rules(db: Connection) -> dict[str, bytes]:
    """Return the rule of every meter."""
    return {name: as_bytes(rule) for name, rule in db.execute("SELECT id, rule FROM meter")}


def moves(db: Connection, meter: str) -> Iterator[Move]:
    """Yield the moves of a meter in order."""
    sql = "SELECT meter_seq, chain, seq, change FROM move WHERE meter = ? AND meter_seq > ? ORDER BY meter_seq LIMIT ?"
    for number, chain, seq, change in read_pages(db, sql, (meter,), (0,)):
        yield Move(number, chain, seq, as_bytes(change))


def changes_between(db: Connection, meter: str, first: int, last: int) -> list[bytes]:
    """Return the encoded changes of a meter's moves after `first` up to `last`."""
    rows = db.execute(
        "SELECT change FROM move WHERE meter = ? AND meter_seq > ? AND meter_seq <= ?", (meter, first, last)
    )
    return [as_bytes(change) for (change,) in rows]


def contributions_by_entry(db: Connection, meter: str, chain: str, since: int) -> Iterator[Row]:
    """Yield a log's contributions to a meter after an entry: the entry, and the three amounts."""
    sql = (
        "SELECT seq, current, waiting, reserve FROM contribution WHERE meter = ? AND chain = ? AND seq > ?"
        " ORDER BY seq LIMIT ?"
    )
    return read_pages(db, sql, (meter, chain), (since,))


def sum_contributions(db: Connection, meter: str, chain: str, first: int, last: int) -> Contributions:
    """Return the sums of a log's contributions to a meter, after entry `first` up to `last`."""
    (amounts,) = db.execute(
        f"SELECT {_SUMS} FROM contribution WHERE meter = ? AND chain = ? AND seq > ? AND seq <= ?",  # noqa: S608 (our columns)
        (meter, chain, first, last),
    )
    return Contributions(*map(int, amounts))


def count_contributions(db: Connection, meter: str) -> tuple[int, Contributions]:
    """Return the number of all contributions to a meter, and their sums."""
    ((count, *amounts),) = db.execute(f"SELECT COUNT(*), {_SUMS} FROM contribution WHERE meter = ?", (meter,))  # noqa: S608 (our columns)
    return count, Contributions(*map(int, amounts))


def contributors(db: Connection) -> list[tuple[str, str]]:
    """Return each log that contributed to a meter, with the meter."""
    return [(chain, meter) for chain, meter in db.execute("SELECT DISTINCT chain, meter FROM contribution")]


def _meter(amounts: Iterable[int]) -> Meter:
    return Meter(**dict(zip(METER_COLUMNS, amounts, strict=True)))
