"""The audit of slips: every number was assigned once, in sequence, to the entry that names it."""

from itertools import groupby
from operator import itemgetter
from typing import Final

from pitboss.house.evidence.audit.books import Books
from pitboss.house.office.slips import Slip
from pitboss.house.storage.migrations import applied_migrations
from pitboss.house.storage.slips import assigned_numbers

MIGRATION: Final = "0005_slips.sql"
"""A database of an older version has no slip numbers."""


def note_slip(books: Books, slip: Slip, seq: int) -> None:
    """Record the entry of a slip; report a repeated number."""
    first = books.house.slips.setdefault((slip.kind, slip.number), seq)
    if first != seq:
        books.say(f"Log “house”, entry {seq}: its slip {slip.name} is that of entry {first}.")


def check_slips(books: Books) -> None:
    """Compare assigned numbers with those in the house's log; report gaps."""
    named = books.house.slips
    for kind, of_kind in groupby(sorted(named), key=itemgetter(0)):
        numbers = [number for _, number in of_kind]
        for missing in sorted(set(range(1, numbers[-1])) - set(numbers))[:10]:
            books.say(f"Slips: no entry of the house's log has the number {missing} of the kind {kind}.")
    given = assigned_numbers(books.db) if MIGRATION in applied_migrations(books.db) else {}
    for kind, number in sorted(given.keys() | named.keys()):
        stored, entry = given.get((kind, number)), named.get((kind, number))
        if stored != entry:
            books.say(
                f"Slips: the number {number} of the kind {kind} was given out for {_words(stored)};"
                f" the house's log names it in {_words(entry)}."
            )


def _words(entry: int | None) -> str:
    return "no entry" if entry is None else f"entry {entry}"
