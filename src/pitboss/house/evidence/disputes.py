"""Disputes over rounds and their outcomes, as floorpersons noted them."""

from collections.abc import Iterator

import msgspec

from pitboss.house.office.acts import Note
from pitboss.house.office.house_log import HouseEntry, decode_house_entry
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, entries


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """One note on a dispute."""

    entry: int
    """The entry of the house's log."""
    time: int
    table: str
    round: int
    text: str
    outcome: str
    by: str
    is_open: bool
    """Whether neither this note nor a later one on the round has an outcome."""
    slip: str = ""
    """The number of its slip; notes of older versions have none."""


def list_disputes(
    db: Connection, table: str | None = None, number: int | None = None, limit: int = 100
) -> list[Dispute]:
    """Return notes on disputes, the newest first: all, of a table, or of one round."""
    found: list[Dispute] = []
    settled: set[tuple[str, int]] = set()
    for seq, written, note in reversed(list(_notes(db))):
        if note.outcome:
            settled.add((note.table, note.round))
        if table in (None, note.table) and number in (None, note.round):
            found.append(
                Dispute(
                    entry=seq,
                    time=written.time,
                    table=note.table,
                    round=note.round,
                    text=note.text,
                    outcome=note.outcome,
                    by=written.actor,
                    is_open=(note.table, note.round) not in settled,
                    slip=written.slip_name,
                )
            )
    return found[:limit]


def _notes(db: Connection) -> Iterator[tuple[int, HouseEntry, Note]]:
    for seq, body, _ in entries(db, HOUSE):
        if b'"type":"Note"' in body:
            written = decode_house_entry(body)
            if isinstance(written.act, Note):
                yield seq, written, written.act
