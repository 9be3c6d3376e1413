"""Verification of one log in pieces, so that no request takes long: first its entries, then its checkpoints.

A piece of a table's log ends with a round; a round under way is not checked.
"""

import time
from contextlib import suppress
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.errors import Mistake
from pitboss.house.evidence.audit.books import Books
from pitboss.house.evidence.audit.checkpoint_audit import check_checkpoints_after
from pitboss.house.evidence.audit.logs import check_house, is_replayable
from pitboss.house.evidence.audit.tables import TableAudit, table_after_round
from pitboss.house.office.house_log import decode_house_entry
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, Chain, entries, last_finished_entry
from pitboss.house.storage.reading import MOST, read_snapshot

PIECE_ENTRIES: Final = 500
"""Entries of one piece; it continues to the end of a round."""
PIECE_CHECKPOINTS: Final = 500
"""Checkpoints of one piece."""
_OPENING: Final = tuple(f'"type":"{kind}"'.encode() for kind in ("OpenTable", "CloseTable", "Suspend", "Resume"))
"""Markers of the acts that decide how tables are run."""


class NextPiece(msgspec.Struct, frozen=True):
    """Where the next piece starts: after this entry and this checkpoint."""

    since: int
    checkpoint: int


class PieceReport(msgspec.Struct, kw_only=True):
    """The counts and problems of one piece."""

    chain: str
    kind: str
    first: int
    """The first entry of this piece."""
    last: int
    """The last entry of this piece; before the first if only checkpoints were checked."""
    of: int
    """Entries up to the end of the last finished round."""
    rounds: int
    """Rounds replayed in this piece, with every command decided again."""
    postings: int
    checkpoints: int
    problems: list[str]
    """Problems, each with its location."""
    followed: bool
    """Whether other rules or another engine made the record; it is then replayed without deciding again."""
    signed_by: list[str]
    """The public keys of these checkpoints, in hexadecimal."""
    milliseconds: int
    next: NextPiece | None
    """None if everything is checked, or the check cannot continue."""


class UnknownLog(Mistake):
    """No log has that name."""


def check_log(
    db: Connection, name: str, since: int = 0, checkpoint: int = 0, public_key: Ed25519PublicKey | None = None
) -> PieceReport:
    """Verify the next piece of a log: its entries after `since`, or at its end the checkpoints after `checkpoint`.

    The hash of each entry must match the entry before it. Every round is replayed and decided again from the snapshot
    after the round before, which the previous piece has verified. Postings, contributions and moves must match.
    """
    started = time.perf_counter()
    with read_snapshot(db):
        books = Books(db, public_key)
        if name not in books.chains:
            raise UnknownLog(f"There is no log “{name}”.")
        chain = books.chains[name]
        end = last_finished_entry(db, chain)
        if since > end:
            raise Mistake(f"The log “{name}” has {end} entries of finished rounds, so none after entry {since}.")
        piece = _Piece(books, chain, since, end, checkpoint)
        books.try_check(f"Log “{name}”", piece.check)
    found = books.found
    return PieceReport(
        chain=name,
        kind=chain.kind,
        first=since + 1,
        last=piece.last,
        of=end,
        rounds=found.rounds,
        postings=found.postings,
        checkpoints=found.checkpoints,
        problems=found.problems,
        followed=bool(found.followed),
        signed_by=found.signed_by,
        milliseconds=round((time.perf_counter() - started) * 1000),
        next=NextPiece(piece.last, piece.checkpoint) if piece.goes_on else None,
    )


class _Piece:
    """One piece: how far it was checked, and whether the next can continue from there."""

    def __init__(self, books: Books, chain: Chain, since: int, end: int, checkpoint: int) -> None:
        self._books, self._chain, self._since, self._end = books, chain, since, end
        self.last, self.checkpoint, self.goes_on = since, checkpoint, False
        if since and chain.kind != HOUSE:
            table_after_round(books, chain, since)

    def check(self) -> None:
        if self._since == self._end:
            self.checkpoint = check_checkpoints_after(
                self._books, self._chain.id, self._end, self.checkpoint, PIECE_CHECKPOINTS
            )
            self.goes_on = self._books.found.checkpoints == PIECE_CHECKPOINTS
        elif self._chain.kind == HOUSE:
            self._house()
        else:
            self._table()

    def _house(self) -> None:
        last = min(self._since + PIECE_ENTRIES, self._end)
        self._begin_with(self._since)
        check_house(self._books, self._chain, self._since, last)
        self.last, self.goes_on = last, True

    def _table(self) -> None:
        self._begin_with(MOST)
        if not self._since and not is_replayable(self._books, self._chain):
            return
        table = TableAudit(self._books, self._chain, self._since)
        table.follow(self._books.entries(self._chain, self._since, self._end), PIECE_ENTRIES)
        self.last = table.seq
        round_is_over = table.first == table.seq + 1
        enough = table.seq == self._end or table.seq >= self._since + PIECE_ENTRIES
        self.goes_on = enough and round_is_over and table.kept

    def _begin_with(self, last: int) -> None:
        """Read how tables were opened and run, from the house's log up to an entry."""
        for _, body, _ in entries(self._books.db, HOUSE, last=last):
            if any(act in body for act in _OPENING):
                with suppress(msgspec.DecodeError, UnicodeDecodeError, Mistake):  # the house's own check reports it
                    written = decode_house_entry(body)
                    self._books.house.done(written.act, written.time, self._books.chains)
