"""The house's own log: acts and significant events, linked by hashes."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from pitboss.house.ledger import Posting
from pitboss.house.office.acts import Act, Hire
from pitboss.house.office.slips import Slip, assign_number
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.record.chain import decoder, encode_and_hash


class HouseEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the house's log."""

    seq: int
    time: int
    actor: str
    second: str
    act: Act
    slip: Slip | None = None
    """The slip for this entry, if it has one."""

    @property
    def slip_name(self) -> str:
        """The printed number of the slip, or an empty string."""
        return self.slip.name if self.slip else ""


decode_house_entry: Final = decoder(HouseEntry).decode


def house_entries(db: Connection) -> Iterator[HouseEntry]:
    """Yield all entries of the house's log."""
    return (decode_house_entry(body) for _, body, _ in entries(db, HOUSE))


def append_entry(  # noqa: PLR0913, PLR0917 (an entry)
    unit: UnitOfWork,
    time: int,
    actor: str,
    second: str,
    act: Act,
    postings: Iterable[Posting] = (),
    slip: Slip | None = None,
) -> HouseEntry:
    """Append an entry with its postings, assign the number of its slip, and return the entry."""
    row = unit.chain(HOUSE)
    assert row is not None, "the house's log exists"
    seq, previous = (row.seq, row.hash) if HOUSE not in unit.log_ends else unit.log_ends[HOUSE][:2]
    kept = msgspec.structs.replace(act, password="(kept)") if isinstance(act, Hire) else act  # noqa: S106
    written = HouseEntry(seq + 1, time, actor, second, kept, assign_number(unit, slip, seq + 1) if slip else None)
    text, digest = encode_and_hash(written, previous)
    unit.entries.append((HOUSE, seq + 1, text, digest))
    unit.log_ends[HOUSE] = (seq + 1, digest, b"[]")
    unit.post(HOUSE, seq + 1, postings)
    return written
