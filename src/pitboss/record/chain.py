"""The record of a table as hash-chained JSON Lines: each command with its inputs and events.

The first line is the header: version, Submission. Every other line is an entry. Its hash covers the previous
line's hash and its own text, so a changed byte is found, and its line.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.source_hashes import engine_hash, rules_hash
from pitboss.table.commands import Command, Given
from pitboss.table.events import Event

VERSION: Final = 1


class Format(msgspec.Struct, frozen=True):
    """The part of a header that every version of the format has."""

    pitboss: int


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """First line of a record."""

    pitboss: int
    submission: str
    """Full text of the table's Submission."""
    rules: str
    engine: str
    """Hash of the code that decided; `rules` is the hash of the rulebook's data."""
    scanned: bool = False
    """Whether the shoe was scanned, so that the order of the cards was unknown."""
    decision_timeout: int | None = None
    """Seconds for a decision, if the house times it and the Submission does not."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One executed command."""

    seq: int
    command: Command
    given: Given
    events: tuple[Event, ...]


class RecordLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the file."""

    body: msgspec.Raw
    hash: str


def _plain(value: object) -> object:
    """Encode types that JSON lacks: a card, a citation."""
    return str(value)


def _special(to: type[Any], value: object) -> object:
    if to is Card and isinstance(value, str):
        return Card(value)
    raise ValueError(f"{value!r} is not a {to.__name__}")


T = TypeVar("T")


def decoder(to: type[T]) -> msgspec.json.Decoder[T]:
    """Return a decoder for a type as records encode it."""
    return msgspec.json.Decoder(to, dec_hook=_special)


_ENCODER: Final = msgspec.json.Encoder(order="deterministic", enc_hook=_plain)
_FORMAT: Final = decoder(Format)
_HEADER: Final = decoder(Header)
_ENTRY: Final = decoder(Entry)
_LINE: Final = decoder(RecordLine)
encode_json: Final = _ENCODER.encode
"""Encodes a value as records do: the same bytes for the same value."""
decode_entry: Final = _ENTRY.decode
decode_header: Final = _HEADER.decode


def header(submission: str, *, scanned: bool = False, decision_timeout: int | None = None) -> Header:
    """Return the header of a new record."""
    return Header(VERSION, submission, rules_hash(), engine_hash(), scanned, decision_timeout)


def hash_line(text: bytes, previous: str = "") -> str:
    """Return the hash of a line's body after the hash of the previous line; a header has no previous line."""
    return sha256(previous.encode() + text).hexdigest()


def encode_and_hash(body: object, previous: str) -> tuple[bytes, str]:
    """Return a line's body as text, and its hash, which covers the previous hash."""
    text = encode_json(body)
    return text, hash_line(text, previous)


def line_of(text: bytes, digest: str) -> bytes:
    """Return one line of a record."""
    return b'{"body":' + text + b',"hash":"' + digest.encode() + b'"}\n'


def encoded(body: Header | Entry, previous: str) -> tuple[bytes, str]:
    """Return one line chained to the previous hash, and its own hash."""
    text, digest = encode_and_hash(body, previous)
    return line_of(text, digest), digest


def write(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines of a record."""
    line, digest = encoded(header, "")
    yield line
    for entry in entries:
        line, digest = encoded(entry, digest)
        yield line


def read(lines: Iterable[bytes]) -> tuple[Header, Iterator[tuple[Entry, str]]]:
    """Return the header and the entries with their hashes; raise a `Mistake` at the first changed line."""
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (1, b""))
    raw, digest = _body(first, number, "")
    version = _decode(_FORMAT, raw, number).pitboss
    if version != VERSION:
        raise Mistake(f"The record has version {version}; this Pitboss reads version {VERSION}. Use a newer Pitboss.")
    return _decode(_HEADER, raw, number), _entries(numbered, digest)


def read_entries_after(lines: Iterable[bytes], seq: int, digest: str) -> Iterator[tuple[Entry, str]]:
    """Yield the entries after entry `seq` with hash `digest`, checked as `read` does."""
    return _entries(enumerate(lines, seq + 2), digest)


def _entries(numbered: Iterator[tuple[int, bytes]], digest: str) -> Iterator[tuple[Entry, str]]:
    for number, line in numbered:
        raw, digest = _body(line, number, digest)
        entry = _decode(_ENTRY, raw, number)
        if entry.seq != number - 1:
            raise Mistake(f"Line {number} of the record is entry {entry.seq}, not {number - 1}.")
        yield entry, digest


def _body(line: bytes, number: int, previous: str) -> tuple[bytes, str]:
    line_read = _decode(_LINE, line, number)
    raw = bytes(line_read.body)
    if hash_line(raw, previous) != line_read.hash or line != line_of(raw, line_read.hash):
        raise Mistake(f"Line {number} of the record was changed, or a line before it removed: its hash does not match.")
    return raw, line_read.hash


def _decode(decoder: msgspec.json.Decoder[T], text: bytes, number: int) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"Line {number} of the record cannot be read: {error}.") from None
