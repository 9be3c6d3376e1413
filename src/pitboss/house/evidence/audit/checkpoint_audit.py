"""The audit of checkpoints: signatures, sequence, and signed content that must still exist."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.house.evidence.audit.books import Books, Change, decode_change
from pitboss.house.evidence.checkpoints import (
    Checkpoint,
    Heads,
    MeterState,
    StoredCheckpoint,
    decode_checkpoint,
    decode_heads,
    decode_stored_checkpoint,
)
from pitboss.house.storage.checkpoints import CheckpointRow, checkpoints_after, iter_checkpoints, last_checkpoint
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.house.storage.meters import changes_between
from pitboss.house.storage.reading import MOST
from pitboss.house.storage.rounds import has_rounds
from pitboss.progressive.meter_changes import add_contributions, apply_change
from pitboss.record.chain import decode_entry

SOON: Final = 600
"""Seconds within which a started server signs a checkpoint."""


class DecodedCheckpoint(NamedTuple):
    """A readable checkpoint: the signed content, the ends of all logs, and its hash."""

    made: Checkpoint
    heads: Heads
    hash: str


NO_CHECKPOINT: Final = DecodedCheckpoint(Checkpoint(0, 0, "", "", {}, "", 0, {}), {}, "")
"""The predecessor of the first checkpoint."""


def check_checkpoints(books: Books) -> None:
    """Check every checkpoint, its logs and its meters."""
    last = NO_CHECKPOINT
    for row in iter_checkpoints(books.db):
        now = _check_checkpoint(books, row, last)
        if now:
            _say(books, row, (*_heads(books, now), *_meter_problems(books, now, last)))
            last = now
    _check_missing(books, last)


def _check_missing(books: Books, last: DecodedCheckpoint) -> None:
    """Report that the latest checkpoints were deleted: a server signs one soon after it starts, then regularly."""
    started, time = books.house.started
    if not last.made.number and (books.key or started) and has_rounds(books.db):
        books.say("There are finished rounds but no checkpoint: the checkpoints were deleted, so nothing is signed.")
    elif last.heads.get(HOUSE, (0, ""))[0] < started and _last_played(books) > time + SOON:
        books.say(
            f"The server that started with entry {started} of the log “{HOUSE}” has signed no checkpoint:"
            f" those after checkpoint {last.made.number} were deleted."
        )


def _last_played(books: Books) -> int:
    """Return the time of the last entry of any table."""
    tables = (chain for chain in books.chains.values() if chain.kind != HOUSE)
    ends = (body for chain in tables for _, body, _ in entries(books.db, chain.id, chain.seq, chain.seq))
    return max((decode_entry(body).given.time for body in ends), default=0)


def check_checkpoints_after(books: Books, chain: str, end: int, after: int, most: int) -> int:
    """Check up to `most` checkpoints after number `after`, for one log up to entry `end`; return the last number."""
    before = last_checkpoint(books.db, after)
    last = NO_CHECKPOINT
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        last = _read(before)[1] if before else NO_CHECKPOINT
    for row in checkpoints_after(books.db, after, most):
        now = _check_checkpoint(books, row, last)
        if now:
            _say(books, row, _heads(books, now, chain, end))
            last = now
        after = row.number
    return after


def _read(row: CheckpointRow) -> tuple[StoredCheckpoint, DecodedCheckpoint]:
    kept = decode_stored_checkpoint(row.body)
    return kept, DecodedCheckpoint(
        decode_checkpoint(kept.signed), decode_heads(kept.heads), sha256(kept.signed).hexdigest()
    )


def _check_checkpoint(books: Books, row: CheckpointRow, last: DecodedCheckpoint) -> DecodedCheckpoint | None:
    """Decode a checkpoint, and report its own problems and a wrong predecessor."""
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
        *(
            []
            if sha256(kept.heads).hexdigest() == now.made.heads
            else ["the ends of the logs do not match the signed hash."]
        ),
    ]
    _say(books, row, problems)
    return now


def _say(books: Books, row: CheckpointRow, problems: Iterable[str]) -> None:
    for problem in problems:
        books.say(f"Checkpoint {row.number}: {problem}")


def _signature(books: Books, made: Checkpoint, text: bytes, signature: str) -> Iterator[str]:
    if made.key not in books.found.signed_by:
        books.found.signed_by.append(made.key)
    try:
        key = books.key or Ed25519PublicKey.from_public_bytes(bytes.fromhex(made.key))
        key.verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        yield "its signature is invalid: it was changed, or signed with another key."


def _in_order(made: Checkpoint, number: int, time: int, last: DecodedCheckpoint) -> Iterator[str]:
    if (made.number, made.time) != (number, time):
        yield f"it was signed as checkpoint {made.number} of {made.time}."
    if number != last.made.number + 1 or made.previous != last.hash:
        yield f"it does not follow checkpoint {last.made.number}: one between them is missing, or that one was changed."


def _heads(books: Books, signed: DecodedCheckpoint, only: str = "", end: int = MOST) -> Iterator[str]:
    """Report balances that do not sum to zero, and log entries that are missing or differ from the signed ones."""
    if signed.made.balances:
        yield f"all accounts together held {signed.made.balances} micro-cents, not zero."
    under_way = ((name, head) for name, head in signed.heads.items() if not only or head[0] <= end)
    for name, (seq, digest) in (*signed.made.finished.items(), *under_way):
        if only and name != only:
            continue
        chain = books.chains.get(name)
        if chain is None:
            yield f"the log “{name}” is missing."
            continue
        here = books.digest(chain, seq)
        if not here:
            yield f"the log “{name}” had an entry {seq}, which is missing: it was cut off."
        elif here != digest:
            yield f"entry {seq} of the log “{name}” was changed since."


def _meter_problems(books: Books, signed: DecodedCheckpoint, last: DecodedCheckpoint) -> Iterator[str]:
    """Report meters whose signed state does not match the entries up to then."""
    for name, state in signed.made.meters.items():
        if name not in books.house.meters:
            yield f"it has the meter {name}, but no table was opened with it."
            continue
        before = last.made.meters.get(name, MeterState(0, books.house.meters[name][0]))
        expected = before.meter
        for change in _meter_changes(books, name, before.seq, state.seq):
            expected = apply_change(expected, change)
        for owner in books.house.owners[name]:
            since, until = (heads.get(owner, (0, ""))[0] for heads in (last.heads, signed.heads))
            expected = add_contributions(expected, *books.contributed(name, owner, since, until))
        if expected != state.meter:
            yield f"the meter {name} does not match its contributions and moves."


def _meter_changes(books: Books, meter: str, first: int, last: int) -> Iterator[Change]:
    return (decode_change(change) for change in changes_between(books.db, meter, first, last))
