"""The audit of logs: complete, as the house opened them, with matching postings."""

from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.house.evidence.audit.books import Books
from pitboss.house.evidence.audit.slips import note_slip
from pitboss.house.evidence.audit.tables import TableAudit, settings_in
from pitboss.house.office.acts import TWO_PERSON_ACTS, Noted
from pitboss.house.office.house_log import decode_house_entry
from pitboss.house.storage.logs import Chain
from pitboss.record.chain import VERSION, decode_header

SERVER_START_NOTE: Final = "the server started"


def check_house(books: Books, chain: Chain, since: int = 0, last: int | None = None) -> None:
    """Check the house's log, and the postings of every act."""
    postings = books.postings(chain.id, since)
    for seq, body, _, _ in books.entries(chain, since, last):
        stored = postings.take(seq)
        try:
            written = decode_house_entry(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            books.say(f"Log “{chain.id}”, entry {seq}: it cannot be read: {error}.")
            continue
        if written.seq != seq:
            books.say(f"Log “{chain.id}”, entry {seq}: its body has the number {written.seq}.")
        if written.second in (
            {"", written.actor} if isinstance(written.act, TWO_PERSON_ACTS) else {written.actor} - {""}
        ):
            books.say(f"Log “{chain.id}”, entry {seq}: it needs a second person, but has none.")
        if written.slip:
            note_slip(books, written.slip, seq)
        if isinstance(written.act, Noted) and written.act.what.startswith(SERVER_START_NOTE):
            books.house.started = seq, written.time
        try:
            expected = books.house.done(written.act, written.time, books.chains)
        except Mistake as mistake:
            books.say(f"Log “{chain.id}”, entry {seq}: {mistake}")
            continue
        books.compare(chain.id, seq, expected, stored)


def check_table(books: Books, chain: Chain) -> None:
    """Replay a table's record and check the rows of every entry."""
    rows = books.entries(chain)
    if is_replayable(books, chain):
        table = TableAudit(books, chain)
        table.follow(rows)
        if table.seq == chain.seq:
            table.ended()
    for _ in rows:  # check the hashes of entries that were not replayed
        pass


def is_replayable(books: Books, chain: Chain) -> bool:
    """Whether a table can be replayed; report differences from how the house opened it."""
    act = books.house.tables.get(chain.id)
    if act is None:
        books.say(f"Log “{chain.id}”: the house never opened this table.")
        return False
    try:
        header, settings = decode_header(chain.header), settings_in(chain.settings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        books.say(f"Log “{chain.id}”: its header or its settings cannot be read: {error}.")
        return False
    if header.pitboss != VERSION:
        books.say(f"Log “{chain.id}”: its record is of version {header.pitboss}; this reads version {VERSION}.")
        return False
    if (header.submission, header.scanned) != (act.submission, act.scanned):
        books.say(f"Log “{chain.id}”: its Submission is not the one that the house opened the table with.")
    if settings != books.house.settings[chain.id]:
        books.say(f"Log “{chain.id}”: its settings do not match the house's log.")
    if bool(chain.is_open) == (chain.id in books.house.closed):
        books.say(
            f"Log “{chain.id}”: the table is {'open' if chain.is_open else 'closed'}; the house's log says otherwise."
        )
    return True
