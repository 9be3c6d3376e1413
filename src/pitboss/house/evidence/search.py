"""Search for rounds by table, time, patron or amount, and replay one of them.

Rounds are counted from 1, as `pitboss replay` counts them.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.live_table import opened_table, restore_table
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import entries, find_header, read_header
from pitboss.house.storage.reading import MOST
from pitboss.house.storage.round_search import RoundFilter, search_rounds
from pitboss.house.storage.rounds import (
    entries_of_round,
    last_entry_of_round,
    patrons_of_round,
    round_amounts,
    snapshot_after_round,
)
from pitboss.record.chain import Header, decode_entry, decode_header, hash_line
from pitboss.record.narration import ALL_CARDS, narrate_sentences
from pitboss.record.replay import ReplayedEntry, follow_entries
from pitboss.record.sentences import Sentence
from pitboss.table import Table
from pitboss.table.views import is_present

MAX_LINES: Final = 1_000
"""Upper bound of the entries shown of a round; a longer round is cut at its beginning."""


class RoundSummary(msgspec.Struct, frozen=True):
    """A finished round; money in cents."""

    table: str
    number: int
    ended: int
    wagered: int
    highest: int
    """The highest payout to one box."""
    is_void: bool
    patrons: tuple[str, ...]


def find_rounds(  # noqa: PLR0913 (one for each filter)
    db: Connection,
    *,
    table: str | None = None,
    patron: str | None = None,
    since: int | None = None,
    until: int | None = None,
    least: int | None = None,
    most: int | None = None,
    limit: int = 50,
) -> list[RoundSummary]:
    """Return finished rounds that pass the filters, the newest first."""
    sought = RoundFilter(table=table, patron=patron, since=since, until=until, least=least, most=most)
    return [_round_summary(db, chain, number) for chain, number in search_rounds(db, sought, limit)]


def _round_summary(db: Connection, chain: str, number: int) -> RoundSummary:
    ended, wagered, highest, is_void = round_amounts(db, chain, number)
    patrons = patrons_of_round(db, chain, number)
    return RoundSummary(chain, number + 1, ended, wagered, highest, bool(is_void), patrons)


class RoundRecord(msgspec.Struct, frozen=True):
    """A finished round with its replayed entries."""

    found: RoundSummary
    moments: tuple[ReplayedEntry, ...]
    submission: str
    """The text of the table's Submission."""

    def visible_entries(self, viewer: str | None, *, staff: bool, most: int = MOST) -> list[ReplayedEntry]:
        """Return its last entries; a patron gets only those while present."""
        there = (
            one
            for one in self.moments
            if staff or is_present(one.before, viewer or "") or is_present(one.after, viewer or "")
        )
        return list(there)[-most:]

    def sentences(self, viewer: str | None = ALL_CARDS, *, staff: bool = True, most: int = MOST) -> list[Sentence]:
        """Return the narration as a viewer may read it."""
        shown = self.visible_entries(viewer, staff=staff, most=most)
        return [said for moment in shown for said in narrate_sentences(moment, viewer, staff=staff)]


def round_record(db: Connection, table: str, number: int) -> RoundRecord:
    """Replay a finished round, and check the hashes of its entries."""
    place = table, min(max(number, 0), MOST) - 1  # the database's integers end there
    found, begun = entries_of_round(db, *place), find_header(db, table)
    if found is None or begun is None:
        raise Mistake(f"There is no finished round {number} of a table “{table}”.")
    first, last = found
    header = decode_header(begun)
    moments = tuple(_moments(db, table, _before(db, table, number, header), first, last))
    return RoundRecord(_round_summary(db, table, number - 1), moments, header.submission)


def moments_until(db: Connection, table: str, number: int, last: int) -> tuple[Header, list[ReplayedEntry]]:
    """Return a table's header, and a round's entries up to `last`; the round may be under way."""
    header, ended = decode_header(read_header(db, table)), last_entry_of_round(db, table, number - 2)
    first = 1 if ended is None else ended + 1
    return header, list(_moments(db, table, _before(db, table, number, header), first, last))


def _moments(db: Connection, table: str, state: Table, first: int, last: int) -> Iterator[ReplayedEntry]:
    """Yield entries with the table before and after each; check their hashes."""
    begun = read_header(db, table)
    before = [digest for _, _, digest in entries(db, table, first - 1, first - 1)]
    previous = before[0] if before else hash_line(begun)
    for seq, body, digest in entries(db, table, first, last):
        if hash_line(body, previous) != digest:
            raise Mistake(
                f"Entry {seq} of the log “{table}” or the one before it was changed: its hash does not match."
            )
        try:
            (moment,) = follow_entries(state, [(decode_entry(body), digest)])
        except (ValueError, LookupError, AssertionError):
            raise Mistake(f"Entry {seq} of the log “{table}” does not follow from those before it.") from None
        yield moment
        state, previous = moment.after, digest


def _before(db: Connection, table: str, number: int, header: Header) -> Table:
    """Return the table before a round, from the snapshot after the previous round."""
    if number == 1:
        return opened_table(header)
    kept = snapshot_after_round(db, table, number - 2)
    with suppress(ValueError, LookupError):
        if kept is not None:
            return restore_table(header, kept)
    raise Mistake(f"The table “{table}” before round {number} is missing or was changed.")
