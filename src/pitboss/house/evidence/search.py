"""Search for rounds by table, time, patron or amount, and replay one of them.

Rounds are counted from 1, as `pitboss replay` counts them.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.live_table import restore_table
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import as_bytes, entries
from pitboss.record.chain import Header, decode_entry, decode_header, hash_line
from pitboss.record.narration import ALL_CARDS, narrate_sentences
from pitboss.record.replay import ReplayedEntry, follow_entries, table_of
from pitboss.record.sentences import Sentence
from pitboss.table import Table
from pitboss.table.views import is_present

RARE_ROUNDS: Final = 20_000
"""Below this number of rounds, sorting them is faster than scanning by time."""
MOST: Final = 2**62
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


class RoundFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter for rounds: times in seconds, the highest payout to one box in cents."""

    table: str | None = None
    patron: str | None = None
    since: int | None = None
    until: int | None = None
    least: int | None = None
    most: int | None = None


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
    sql, values = statement(db, sought, limit)
    return [_round_summary(db, chain, number) for _, chain, number in db.execute(sql, values)]


def statement(db: Connection, sought: RoundFilter, limit: int) -> tuple[str, list[object]]:
    """Return the query for these rounds and its values, written for the most selective index."""
    limits = {"chain = ?": sought.table, "ended >= ?": sought.since, "ended <= ?": sought.until}
    tests = [f"x.{test}" for test, value in limits.items() if value is not None]
    values: list[object] = [value for value in limits.values() if value is not None]
    paid = sought.least is not None or sought.most is not None
    bounds: list[object] = [sought.least or 0, MOST if sought.most is None else sought.most]
    if paid and _is_rare_payout(db, bounds):
        few = "WITH few AS MATERIALIZED (SELECT ended, chain, number FROM round WHERE highest BETWEEN ? AND ?) "
        if sought.patron is not None:
            same = "p.ended = x.ended AND p.chain = x.chain AND p.number = x.number"
            tests.append(f"EXISTS (SELECT 1 FROM played p WHERE p.patron = ? AND {same})")  # noqa: S608 (our words)
            values.append(sought.patron)
        return few + _newest("few x", tests), [*bounds, *values, limit]
    source = "round x"
    if sought.patron is not None:
        source, tests, values = "played x", ["x.patron = ?", *tests], [sought.patron, *values]
    if paid and sought.patron is not None:
        source, tests = "played x CROSS JOIN round r", [*tests, "r.chain = x.chain", "r.number = x.number"]
    if paid:
        tests.append(f"+{source[-1]}.highest BETWEEN ? AND ?")  # the plus keeps SQLite off the index by amount
        values += bounds
    return _newest(source, tests), [*values, limit]


def _newest(source: str, tests: Sequence[str]) -> str:
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    order = "ORDER BY x.ended DESC, x.chain DESC, x.number DESC LIMIT ?"
    return f"SELECT x.ended, x.chain, x.number FROM {source}{where} {order}"  # noqa: S608 (our words)


def _is_rare_payout(db: Connection, bounds: Sequence[object]) -> bool:
    """Whether few rounds have such a payout."""
    sql = "SELECT COUNT(*) FROM (SELECT 1 FROM round WHERE highest BETWEEN ? AND ? LIMIT ?) few"
    return bool(db.execute(sql, (*bounds, RARE_ROUNDS))[0][0] < RARE_ROUNDS)


def _round_summary(db: Connection, chain: str, number: int) -> RoundSummary:
    where = "WHERE chain = ? AND number = ?"
    ((ended, wagered, highest, void),) = db.execute(
        f"SELECT ended, wagered, highest, is_void FROM round {where}",  # noqa: S608 (our words)
        (chain, number),
    )
    patrons = db.execute(f"SELECT patron FROM played {where} ORDER BY patron", (chain, number))  # noqa: S608 (our words)
    return RoundSummary(chain, number + 1, ended, wagered, highest, bool(void), tuple(name for (name,) in patrons))


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
    rows = db.execute("SELECT first, last FROM round WHERE chain = ? AND number = ?", place)
    begun = db.execute("SELECT header FROM chain WHERE id = ?", (table,))
    if not rows or not begun:
        raise Mistake(f"There is no finished round {number} of a table “{table}”.")
    first, last = rows[0]
    header = decode_header(bytes(begun[0][0]))
    moments = tuple(_moments(db, table, _before(db, table, number, header), first, last))
    return RoundRecord(_round_summary(db, table, number - 1), moments, header.submission)


def moments_until(db: Connection, table: str, number: int, last: int) -> tuple[Header, list[ReplayedEntry]]:
    """Return a table's header, and a round's entries up to `last`; the round may be under way."""
    ((begun,),) = db.execute("SELECT header FROM chain WHERE id = ?", (table,))
    ended = db.execute("SELECT last FROM round WHERE chain = ? AND number = ?", (table, number - 2))
    header, first = decode_header(as_bytes(begun)), ended[0][0] + 1 if ended else 1
    return header, list(_moments(db, table, _before(db, table, number, header), first, last))


def _moments(db: Connection, table: str, state: Table, first: int, last: int) -> Iterator[ReplayedEntry]:
    """Yield entries with the table before and after each; check their hashes."""
    begun = db.execute("SELECT header FROM chain WHERE id = ?", (table,))
    before = [digest for _, _, digest in entries(db, table, first - 1, first - 1)]
    previous = before[0] if before else hash_line(as_bytes(begun[0][0]))
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
    kept = db.execute("SELECT after FROM round WHERE chain = ? AND number = ?", (table, number - 2))
    if number == 1:
        return table_of(header)
    try:
        return restore_table(header, as_bytes(kept[0][0]))
    except (ValueError, LookupError):
        raise Mistake(f"The table “{table}” before round {number} is missing or was changed.") from None
