"""The record of a table: hash-chained JSON Lines without a database, and a replay that verifies them."""

from pitboss.record.chain import VERSION, Entry, Header, encoded, header, read, write
from pitboss.record.narration import narrate
from pitboss.record.replay import ReplayedEntry, replay, table_of

__all__ = [
    "Header",
    "header",
    "Entry",
    "write",
    "encoded",
    "read",
    "replay",
    "ReplayedEntry",
    "table_of",
    "narrate",
    "VERSION",
]
