"""The audit of slips: every number was assigned once, in sequence, to the entry that names it."""

from itertools import groupby
from operator import itemgetter
from typing import Final

from pitboss.house.evidence.audit.books import Books
from pitboss.house.office.slips import Slip

MIGRATION: Final = "0005_slips.sql"


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
    given = _given_out(books)
    for kind, number in sorted(given.keys() | named.keys()):
        stored, entry = given.get((kind, number)), named.get((kind, number))
        if stored != entry:
            books.say(
                f"Slips: the number {number} of the kind {kind} was given out for {_words(stored)};"
                f" the house's log names it in {_words(entry)}."
            )


def _given_out(books: Books) -> dict[tuple[str, int], int]:
    """Return the assigned numbers; a database of an older version has none."""
    if not books.db.execute("SELECT 1 FROM migration WHERE name = ?", (MIGRATION,)):
        return {}
    rows = books.db.execute("SELECT kind, number, entry FROM slip")
    return {(str(kind), int(number)): int(entry) for kind, number, entry in rows}


def _words(entry: int | None) -> str:
    return "no entry" if entry is None else f"entry {entry}"
