"""Checkpoints: their signatures, their order, and that everything they signed is still there."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.house.driver import Row
from pitboss.house.evidence.audit.books import Books, Change, change_in
from pitboss.house.evidence.checkpoints import (
    Checkpoint,
    Heads,
    Kept,
    MeterState,
    checkpoint_of,
    fed,
    heads_of,
    kept_of,
)
from pitboss.house.evidence.reading import MOST, entries, octets, paged
from pitboss.house.log import HOUSE
from pitboss.house.store import added
from pitboss.record.chain import entry_of

_COLUMNS: Final = "number, time, body, signature"
SOON: Final = 600
"""Seconds within which a server that started has signed."""


class Signed(NamedTuple):
    """A checkpoint that could be read: what was signed, where every log ended, and the hash of it."""

    made: Checkpoint
    heads: Heads
    hash: str


NONE: Final = Signed(Checkpoint(0, 0, "", "", {}, "", 0, {}), {}, "")
"""What comes before the first."""


def check_checkpoints(books: Books) -> None:
    """Check every checkpoint: the logs it names, and the meters."""
    sql = f"SELECT {_COLUMNS} FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?"  # noqa: S608 (our words)
    last = NONE
    for row in paged(books.db, sql, (), (-MOST,)):
        now = _checked(books, row, last)
        if now:
            _say(books, row, (*_heads(books, now), *_metered(books, now, last)))
            last = now
    _missing(books, last)


def _missing(books: Books, last: Signed) -> None:
    """Say where the last checkpoints are not there: a server signs when it starts, and again and again."""
    started, time = books.house.started
    if not last.made.number and (books.key or started) and books.db.execute("SELECT 1 FROM round LIMIT 1"):
        books.say("There is no checkpoint, though rounds were finished: they were deleted, and nothing here is signed.")
    elif last.heads.get(HOUSE, (0, ""))[0] < started and _last_played(books) > time + SOON:
        books.say(
            f"The server that started with entry {started} of the log “{HOUSE}” has signed no checkpoint:"
            f" those after checkpoint {last.made.number} were deleted."
        )


def _last_played(books: Books) -> int:
    """Return the time of the last entry of any table."""
    tables = (chain for chain in books.chains.values() if chain.kind != HOUSE)
    ends = (body for chain in tables for _, body, _ in entries(books.db, chain.id, chain.seq, chain.seq))
    return max((entry_of(body).given.time for body in ends), default=0)


def check_some(books: Books, chain: str, end: int, after: int, most: int) -> int:
    """Check at most so many checkpoints after one, as far as they tell of a log up to an entry; return the last."""
    sql = f"SELECT {_COLUMNS} FROM checkpoint"  # noqa: S608 (our words)
    before = books.db.execute(f"{sql} WHERE number <= ? ORDER BY number DESC LIMIT 1", (after,))
    last = NONE
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        last = _read(before[0])[1] if before else NONE
    for row in books.db.execute(f"{sql} WHERE number > ? ORDER BY number LIMIT ?", (after, most)):
        now = _checked(books, row, last)
        if now:
            _say(books, row, _heads(books, now, chain, end))
            last = now
        after = row[0]
    return after


def _read(row: Row) -> tuple[Kept, Signed]:
    kept = kept_of(octets(row[2]))
    return kept, Signed(checkpoint_of(kept.signed), heads_of(kept.heads), sha256(kept.signed).hexdigest())


def _checked(books: Books, row: Row, last: Signed) -> Signed | None:
    """Return a checkpoint that can be read; say what is wrong with it by itself, and after the last."""
    number, time, _, signature = row
    books.found.checkpoints += 1
    try:
        kept, now = _read(row)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        books.say(f"Checkpoint {number}: it cannot be read: {error}.")
        return None
    problems = [
        *_signature(books, now.made, bytes(kept.signed), signature),
        *_in_order(now.made, number, time, last),
        *([] if sha256(kept.heads).hexdigest() == now.made.heads else ["where the logs ended is not what was signed."]),
    ]
    _say(books, row, problems)
    return now


def _say(books: Books, row: Row, problems: Iterable[str]) -> None:
    for problem in problems:
        books.say(f"Checkpoint {row[0]}: {problem}")


def _signature(books: Books, made: Checkpoint, text: bytes, signature: str) -> Iterator[str]:
    if made.key not in books.found.signed_by:
        books.found.signed_by.append(made.key)
    try:
        key = books.key or Ed25519PublicKey.from_public_bytes(bytes.fromhex(made.key))
        key.verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        yield "its signature does not fit: it was changed, or signed with another key."


def _in_order(made: Checkpoint, number: int, time: int, last: Signed) -> Iterator[str]:
    if (made.number, made.time) != (number, time):
        yield f"it says of itself that it is checkpoint {made.number} of {made.time}."
    if number != last.made.number + 1 or made.previous != last.hash:
        yield f"it does not follow checkpoint {last.made.number}: one between them is missing, or that one was changed."


def _heads(books: Books, signed: Signed, only: str = "", end: int = MOST) -> Iterator[str]:
    """Say which entries are no longer what was signed: of all logs, or of one, whose round under way is left out."""
    if signed.made.balances:
        yield f"all accounts together held {signed.made.balances} micro-cents, not nothing."
    under_way = ((name, head) for name, head in signed.heads.items() if not only or head[0] <= end)
    for name, (seq, digest) in (*signed.made.finished.items(), *under_way):
        if only and name != only:
            continue
        chain = books.chains.get(name)
        if chain is None:
            yield f"the log “{name}” was there, and is missing."
            continue
        here = books.digest(chain, seq)
        if not here:
            yield f"the log “{name}” had an entry {seq}, which is missing: it was cut off."
        elif here != digest:
            yield f"entry {seq} of the log “{name}” was another than it is now."


def _metered(books: Books, signed: Signed, last: Signed) -> Iterator[str]:
    """Say which meters were signed with another state than entries up to then bring them to."""
    for name, state in signed.made.meters.items():
        if name not in books.house.meters:
            yield f"the meter {name} was there, and no table was opened with it."
            continue
        before = last.made.meters.get(name, MeterState(0, books.house.meters[name][0]))
        expected = before.meter
        for change in _between(books, name, before.seq, state.seq):
            expected = added(expected, change)
        for owner in books.house.owners[name]:
            since, until = (heads.get(owner, (0, ""))[0] for heads in (last.heads, signed.heads))
            expected = fed(expected, *books.contributed(name, owner, since, until))
        if expected != state.meter:
            yield f"the meter {name} was signed with another state than its contributions and moves lead to."


def _between(books: Books, meter: str, first: int, last: int) -> Iterator[Change]:
    rows = books.db.execute(
        "SELECT change FROM move WHERE meter = ? AND meter_seq > ? AND meter_seq <= ?", (meter, first, last)
    )
    for (change,) in rows:
        yield change_in(octets(change))
