"""Replay of a record: decides every command again, compares the events, rebuilds every round.

Entries made under other rules or another engine are only followed, not decided again. The header and every
takeover by a new version name the rules and the engine.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.record.chain import Entry, Header, read
from pitboss.source_hashes import current_hashes
from pitboss.submission import read_draft
from pitboss.table import Table, decide, events, open_table, refusal
from pitboss.table.commitment import commit
from pitboss.table.evolution import Transition, apply_events, last_table


class ReplayedEntry(msgspec.Struct, frozen=True):
    """One entry, with the table before and after each of its events."""

    before: Table
    entry: Entry
    transitions: Sequence[Transition]
    """One for each event of the entry."""
    hash: str = ""
    """Hash of its line in the record."""
    decided: bool = True
    """Whether the command was decided again, with the same events."""

    @property
    def after(self) -> Table:
        """The table after the entry."""
        return last_table(self.before, self.transitions)


def table_of(header: Header) -> Table:
    """Return the table at the start of a record."""
    submission = read_draft(header.submission, "the record's Submission")
    return open_table(submission, scanned=header.scanned, decision_timeout=header.decision_timeout)


def replay(lines: Iterable[bytes]) -> Iterator[ReplayedEntry]:
    """Yield every entry of a record after checking the hash chain and the events of its command.

    The events of an entry made under other rules or another engine are only followed.
    """
    header, entries = read(lines)
    yield from replay_entries(header, table_of(header), entries)


def replay_entries(header: Header, table: Table, entries: Iterable[tuple[Entry, str]]) -> Iterator[ReplayedEntry]:
    """Yield entries that continue from a table, checked in the same way."""
    for entry, digest in entries:
        taken = (event for event in entry.events if isinstance(event, events.TakenOver))
        same = next(((event.rules, event.engine) for event in taken), hashes_at(header, table)) == current_hashes()
        if same:
            _require_same_decision(table, entry)
        try:
            transitions = _apply_recorded(table, entry)
        except Mistake:
            raise
        except (LookupError, ValueError, StopIteration, AssertionError):
            raise Mistake(f"The events of entry {entry.seq} do not follow from those before it.") from None
        moment = ReplayedEntry(table, entry, transitions, digest, decided=same)
        yield moment
        table = moment.after


def follow_entries(table: Table, entries: Iterable[tuple[Entry, str]]) -> Iterator[ReplayedEntry]:
    """Yield entries that continue from a table, neither checked nor decided again."""
    for entry, digest in entries:
        moment = ReplayedEntry(table, entry, apply_events(table, entry.events), digest, decided=False)
        yield moment
        table = moment.after


def _apply_recorded(table: Table, entry: Entry) -> list[Transition]:
    """Apply an entry's recorded events, with the checks that hold for every engine.

    The tables come from the recorded events, never from the decision that these are compared with.
    """
    transitions: list[Transition] = []
    for event in entry.events:
        if isinstance(event, events.Turned):
            slots = table.boxes[event.seat].cards if event.seat else table.places[event.place]
            if not all(0 <= number < len(slots) for number in event.which):
                raise IndexError
        if isinstance(event, events.Stood | events.Left) and event.seat not in table.seated:
            raise KeyError
        if isinstance(event, events.Stepped) and event.step < 0:
            raise IndexError
        if isinstance(event, events.Corrected) and event.number < 0:
            raise IndexError
        transitions += apply_events(table, [event])
        table = transitions[-1].after
        _ = table.due  # raises if the step does not exist
        if isinstance(event, events.Shuffled | events.Cut) and event.root:
            known = [card for card in table.shoe if card]
            if commit(known, [bytes.fromhex(salt) for salt in entry.given.salts]).root != event.root:
                raise Mistake(f"The cards of entry {entry.seq} do not match their commitment.")
    whole = len(DECK) == len(table.cards) and (table.rules.scanned or len(set(table.cards)) == len(DECK))
    if table.ready and table.cards and not whole:
        raise ValueError
    return transitions


def hashes_at(header: Header, table: Table) -> tuple[str, ...]:
    """Return the hashes of the rules and the engine in force at this point of a record."""
    return table.made_by or (header.rules, header.engine)


class DecidedRange(msgspec.Struct, frozen=True):
    """A run of entries that were all decided again, or all only followed."""

    first: int
    """Number of its first line in the record; the header is line 1."""
    last: int
    decided: bool


def decided_ranges(moments: Iterable[ReplayedEntry]) -> list[DecidedRange]:
    """Return the ranges of lines that were decided again, and those only followed."""
    ranges: list[DecidedRange] = []
    for moment in moments:
        line = moment.entry.seq + 1
        if ranges and ranges[-1].decided == moment.decided:
            ranges[-1] = msgspec.structs.replace(ranges[-1], last=line)
        else:
            ranges.append(DecidedRange(line, line, moment.decided))
    return ranges


def _require_same_decision(table: Table, entry: Entry) -> None:
    """Raise a `Mistake` if an entry's command is refused or causes other events."""
    if refused := refusal(table, entry.command, entry.given):
        raise Mistake(f"Entry {entry.seq} has a refused command: {refused.why} ({refused.cite})")
    if tuple(decide(table, entry.command, entry.given)) != entry.events:
        raise Mistake(f"The command of entry {entry.seq} does not cause its events.")
