"""Replaying a record: every command decided again, every event compared, every round rebuilt."""

from collections.abc import Iterable, Iterator

import msgspec

from pitboss.errors import Mistake
from pitboss.record.chain import Entry, Header, read
from pitboss.submission import parse
from pitboss.table import Table, after, decide, open_table, refusal


class Replayed(msgspec.Struct, frozen=True):
    """One entry, with the table before and after it."""

    before: Table
    entry: Entry
    after: Table
    hash: str = ""
    """Of its line in the record."""


def table_of(header: Header) -> Table:
    """Return the table a record begins with."""
    submission, problems = parse(header.submission, "the record's Submission")
    if submission is None:
        raise Mistake(f"The record's Submission cannot be read: {problems[0].where}: {problems[0].problem}")
    return open_table(submission)


def replay(lines: Iterable[bytes]) -> Iterator[Replayed]:
    """Yield every entry of a record, verified: the chain is whole, and each command led to these events."""
    header, entries = read(lines)
    table = table_of(header)
    for entry, digest in entries:
        if refused := refusal(table, entry.command, entry.given):
            raise Mistake(f"Entry {entry.seq} would be refused: {refused.why} ({refused.cite})")
        if tuple(decide(table, entry.command, entry.given)) != entry.events:
            raise Mistake(f"Entry {entry.seq} does not lead to the events it has.")
        state = after(table, list(entry.events))
        yield Replayed(table, entry, state, digest)
        table = state
