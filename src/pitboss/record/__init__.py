"""The record of a table: events as hash-chained JSON Lines, and replay that verifies them; no database."""

from pitboss.record.chain import VERSION, Entry, Header, encoded, header, read, write
from pitboss.record.narration import narrate
from pitboss.record.replay import ReplayedEntry, replay, table_of

__all__ = [
    "VERSION",
    "Entry",
    "Header",
    "ReplayedEntry",
    "encoded",
    "header",
    "narrate",
    "read",
    "replay",
    "table_of",
    "write",
]
