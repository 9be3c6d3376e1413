"""The logs of a house for reading: their ends, and their entries page by page.

A table's log is shown up to the end of its last finished round.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.evidence.audit.log_pieces import UnknownLog
from pitboss.house.evidence.checkpoints import decode_checkpoint, decode_stored_checkpoint
from pitboss.house.evidence.search import round_record
from pitboss.house.evidence.significant_events import describe_act
from pitboss.house.office.house_log import HouseEntry, decode_house_entry
from pitboss.house.storage.checkpoints import CheckpointRow, last_checkpoint
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, Chain, chains, entries, last_finished_entry
from pitboss.house.storage.rounds import count_rounds_by_table, round_after, round_ending_at, round_since
from pitboss.record.chain import decode_entry
from pitboss.record.narration import narrate_sentences
from pitboss.record.replay import ReplayedEntry
from pitboss.record.sentences import Sentence, recorded_sentence

MAX_SCANNED_ENTRIES: Final = 1_000
"""Upper bound of the entries scanned for one page."""


class LogCheckpoint(msgspec.Struct, frozen=True):
    """The last checkpoint of a log: its number and time, and the signed entry with its hash."""

    number: int
    time: int
    entry: int
    hash: str


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """A log up to its last finished round."""

    chain: str
    kind: str
    is_open: bool
    entries: int
    rounds: int
    began: int | None
    """The time of its first entry, in seconds; None before the first finished round."""
    ended: int | None
    checkpoint: LogCheckpoint | None


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a log."""

    seq: int
    time: int
    round: int | None
    """Counted from 1; None in the house's log."""
    actor: str
    second: str = ""
    """The second person, if it needed one."""
    role: str = ""
    kind: str
    """The type of the command or act."""
    lines: list[Sentence]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Entries in order, and the entry to continue after; a page may be empty without being the last."""

    chain: str
    entries: list[LogEntry]
    next: int | None


class EntryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter for entries: position, command or act, actor, times."""

    after: int = 0
    kind: str | None = None
    actor: str | None = None
    since: int | None = None
    until: int | None = None

    def matches(self, one: LogEntry) -> bool:
        """Whether an entry passes the filter."""
        return (
            self.kind in (None, one.kind)
            and self.actor in (None, one.actor, one.second or None)
            and (self.since is None or one.time >= self.since)
            and (self.until is None or one.time <= self.until)
        )


def list_logs(db: Connection) -> list[Log]:
    """Return every log, the house's first."""
    signed, rounds = _signed_entries(last_checkpoint(db)), count_rounds_by_table(db)
    found = (_log(db, chain, rounds.get(chain.id, 0), signed) for chain in chains(db).values())
    return sorted(found, key=lambda log: (log.kind != HOUSE, log.chain))


def _log(db: Connection, chain: Chain, rounds: int, signed: dict[str, LogCheckpoint]) -> Log:
    last = last_finished_entry(db, chain)
    return Log(
        chain=chain.id,
        kind=chain.kind,
        is_open=bool(chain.is_open),
        entries=last,
        rounds=rounds,
        began=_time(db, chain, 1) if last else None,
        ended=_time(db, chain, last) if last else None,
        checkpoint=signed.get(chain.id),
    )


def _signed_entries(row: CheckpointRow | None) -> dict[str, LogCheckpoint]:
    """Return the entry of every log that a checkpoint signed; none if it cannot be read."""
    if row is None:
        return {}
    try:
        made = decode_checkpoint(decode_stored_checkpoint(row.body).signed)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return {name: LogCheckpoint(row.number, row.time, seq, digest) for name, (seq, digest) in made.finished.items()}


def _time(db: Connection, chain: Chain, seq: int) -> int | None:
    for _, body, _ in entries(db, chain.id, seq, seq):
        try:
            return decode_house_entry(body).time if chain.kind == HOUSE else decode_entry(body).given.time
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
    return None


def page(db: Connection, chain: str, wanted: EntryFilter, limit: int, viewer: str | None) -> Page:
    """Return one page of the entries that pass a filter, as a viewer may read them."""
    known = chains(db)
    if chain not in known:
        raise UnknownLog(f"There is no log “{chain}”.")
    in_order = known[chain].kind != HOUSE  # the house's clock may be set back
    candidates = _entries(db, chain, wanted, viewer) if in_order else _acts(db, wanted.after)
    found: list[LogEntry] = []
    last = wanted.after
    for scanned, one in enumerate(candidates):
        if len(found) == limit or scanned == MAX_SCANNED_ENTRIES:
            return Page(chain=chain, entries=found, next=last)
        if in_order and wanted.until is not None and one.time > wanted.until:
            break
        if wanted.matches(one):
            found.append(one)
        last = one.seq
    return Page(chain=chain, entries=found, next=None)


def _acts(db: Connection, after: int) -> Iterator[LogEntry]:
    """Yield entries of the house's log after a position."""
    for seq, body, _ in entries(db, HOUSE, after + 1):
        try:
            yield _act(decode_house_entry(body))
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Mistake(f"Entry {seq} of the log “{HOUSE}” cannot be read.") from None


def _act(written: HouseEntry) -> LogEntry:
    what, before, now = describe_act(written.act, {})
    parts = (what, f"before: {before}" if before else "", f"after: {now}" if now else "")
    return LogEntry(
        seq=written.seq,
        time=written.time,
        round=None,
        actor=written.actor,
        second=written.second,
        kind=type(written.act).__name__,
        lines=[recorded_sentence("; ".join(filter(None, parts)))],
    )


def _entries(db: Connection, chain: str, wanted: EntryFilter, viewer: str | None) -> Iterator[LogEntry]:
    """Yield entries of a table's finished rounds after a position; skip rounds that ended too early."""
    place = round_ending_at(db, chain, wanted.after + 1)
    number = place[0] if place else None
    if wanted.since is not None and number is not None:
        later = round_since(db, chain, wanted.since)
        number = None if later is None else max(number, later)
    while number is not None:
        for moment in round_record(db, chain, number + 1).moments:
            if moment.entry.seq > wanted.after:
                yield _entry(moment, number + 1, viewer)
        number = round_after(db, chain, number)


def _entry(moment: ReplayedEntry, number: int, viewer: str | None) -> LogEntry:
    given = moment.entry.given
    return LogEntry(
        seq=moment.entry.seq,
        time=given.time,
        round=number,
        actor=given.actor,
        role=given.role,
        kind=type(moment.entry.command).__name__,
        lines=narrate_sentences(moment, viewer),
    )
