"""A database under audit: its rows, the state that the house's log leads to, and the problems found."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from pitboss.house import ledger
from pitboss.house.live_table import Settings, new_live_table, opening_meters
from pitboss.house.office.acts import (
    Act,
    CloseTable,
    Dismiss,
    Hire,
    OpenTable,
    Resume,
    Suspend,
)
from pitboss.house.office.bookkeeping import cash_postings, settings_after
from pitboss.house.storage.connections import Connection, DatabaseFailure, Row
from pitboss.house.storage.ledger_rows import balances, postings_after
from pitboss.house.storage.logs import Chain, chains, entries
from pitboss.house.storage.meters import Contributions, moves, sum_contributions
from pitboss.progressive import Meter
from pitboss.record.chain import decode_header, decoder, hash_line

Progress = Callable[[int, int], object]
"""Called with the number of checked entries, and of all entries."""
Change = dict[str, int]
NOBODY: Final[Progress] = lambda _done, _all: None  # noqa: E731 (the default)
decode_change: Final = decoder(Change).decode
"""Decodes the change of a move."""


class AuditReport(msgspec.Struct):
    """The counts and problems of an audit."""

    problems: list[str] = []
    logs: int = 0
    entries: int = 0
    rounds: int = 0
    """Replayed rounds."""
    postings: int = 0
    accounts: int = 0
    meters: int = 0
    checkpoints: int = 0
    followed: list[str] = []
    """Tables with entries of other rules or another engine: replayed without deciding again."""
    followed_entries: dict[str, list[tuple[int, int]]] = {}
    """By table: first and last entry of each run that was not decided again."""
    signed_by: list[str] = []
    """The public keys of the checkpoints, in hexadecimal."""

    def follow(self, table: str, entry: int) -> None:
        """Record an entry that was not decided again."""
        if table not in self.followed:
            self.followed.append(table)
        runs = self.followed_entries.setdefault(table, [])
        if runs and runs[-1][1] == entry - 1:
            runs[-1] = (runs[-1][0], entry)
        else:
            runs.append((entry, entry))


class HouseLogState(msgspec.Struct):
    """The state of tables, meters and people that the house's log leads to.

    It comes from the log alone, and the audit compares it with the rows that the office wrote. Shared with the office:
    the functions that turn an act into postings, settings and meters.
    """

    tables: dict[str, OpenTable] = {}
    settings: dict[str, Settings] = {}
    """Settings of tables, including suspensions."""
    closed: dict[str, int] = {}
    """Times when tables were closed."""
    meters: dict[str, tuple[Meter, bytes]] = {}
    owners: dict[str, list[str]] = {}
    """By meter: its tables."""
    people: dict[str, tuple[str, bool]] = {}
    """By name: the post, and whether the account is active."""
    slips: dict[tuple[str, int], int] = {}
    """By kind and number: the entry of a slip."""
    started: tuple[int, int] = (0, 0)
    """The last entry that notes a server's start, and its time."""

    def done(self, act: Act, time: int, known: Mapping[str, Chain]) -> list[ledger.Posting]:
        """Return an act's postings, and update the state with it."""
        match act:
            case OpenTable():
                return list(self._apply_open_table(act, known))
            case CloseTable(table):
                self.closed[table] = time
            case Hire(name, post):
                self.people[name] = post, True
            case Dismiss(name) if name in self.people:
                self.people[name] = self.people[name][0], False
            case Suspend(table) | Resume(table) if table in self.settings:
                self.settings[table] = settings_after(self.settings[table], act)
            case _:
                pass
        return cash_postings(act)

    def _apply_open_table(self, act: OpenTable, known: Mapping[str, Chain]) -> Iterator[ledger.Posting]:
        """Yield the postings of an opened table: seeds of meters that no other table has opened."""
        self.tables[act.table], self.settings[act.table] = act, act.settings
        if act.table not in known:
            return
        header = decode_header(known[act.table].header)
        live = new_live_table(act.table, replace(header, submission=act.submission), "", act.settings)
        for name, (meter, rule) in opening_meters(live).items():
            self.owners.setdefault(name, []).append(act.table)
            if name not in self.meters:
                self.meters[name] = meter, rule
                yield from ledger.meter_postings(name, Meter(), meter)


class Books:
    """One database during its audit."""

    def __init__(self, db: Connection, public_key: Ed25519PublicKey | None, progress: Progress = NOBODY) -> None:
        self.db, self.key, self.progress = db, public_key, progress
        self.found = AuditReport()
        self.chains = chains(db)
        self.house = HouseLogState()
        self.all = sum(chain.seq for chain in self.chains.values())

    @cached_property
    def balances(self) -> dict[str, int]:
        """The balance of every account."""
        return balances(self.db)

    def try_check(self, what: str, check: Callable[[], None]) -> None:
        """Run a check; report an exception as a problem."""
        try:
            check()
        except DatabaseFailure:
            raise
        except Exception as error:  # noqa: BLE001 (forged rows may contain anything)
            self.say(f"{what}: it cannot be checked any further ({error!r}).")

    def say(self, problem: str) -> None:
        """Report a problem."""
        self.found.problems.append(problem)

    def digest(self, chain: Chain, seq: int) -> str:
        """Return the stored hash of an entry; entry 0 is the header."""
        if not seq:
            return hash_line(chain.header)
        return "".join(digest for _, _, digest in entries(self.db, chain.id, seq, seq))

    def entries(self, chain: Chain, since: int = 0, last: int | None = None) -> Iterator[tuple[int, bytes, str, bool]]:
        """Yield entries, and whether each hash matches the entry before it; report gaps and wrong hashes.

        With `last`, only entries after `since` up to it.
        """
        previous, number, end = self.digest(chain, since), since, chain.seq if last is None else last
        rows = entries(self.db, chain.id) if last is None else entries(self.db, chain.id, since + 1, last)
        for seq, body, digest in rows:
            fits = hash_line(body, previous) == digest
            if seq != number + 1:
                missing = f"entry {seq - 1} is" if seq == number + 2 else f"entries {number + 1} to {seq - 1} are"
                self.say(f"Log “{chain.id}”: {missing} missing.")
            elif not fits:
                self.say(
                    f"Log “{chain.id}”, entry {seq}: it or the one before it was changed: its hash does not match."
                )
            yield seq, body, digest, fits and seq == number + 1
            previous, number = digest, seq
            self.found.entries += 1
            self.progress(self.found.entries, self.all)
        if number != end:
            self.say(f"Log “{chain.id}”: it ends with entry {number}, but should end with {end}.")
        elif number == chain.seq and previous != chain.hash:
            self.say(f"Log “{chain.id}”, entry {number}: its hash is not the one that the log should end with.")

    def postings(self, chain: str, since: int = 0) -> "Cursor":
        """Return the postings of a log after an entry."""
        return Cursor(postings_after(self.db, chain, since))

    def compare(self, chain: str, seq: int, expected: Sequence[ledger.Posting], stored: Sequence[Row]) -> None:
        """Report postings that differ from the expected ones."""
        self.found.postings += len(stored)
        if [tuple(row) for row in stored] == list(expected):
            return
        sums = ledger.sum_by_account(
            [*((name, amount) for name, amount in stored), *((name, -cost) for name, cost in expected)]
        )
        wrong = ", ".join(f"{name} by {amount:+}" for name, amount in sums.items() if amount)
        self.say(
            f"Log “{chain}”, entry {seq}: its postings do not match its events: "
            + (f"{wrong} micro-cents." if wrong else "they are in another order, or split differently.")
        )

    def moves(self, meter: str) -> Iterator[tuple[int, str, int, Change]]:
        """Yield number, log, entry and change of a meter's moves."""
        for number, chain, seq, change in moves(self.db, meter):
            try:
                yield number, chain, seq, decode_change(change)
            except (msgspec.DecodeError, UnicodeDecodeError):
                yield number, chain, seq, {}

    def contributed(self, meter: str, chain: str, first: int, last: int) -> Contributions:
        """Return the sum of a log's contributions to a meter, after entry `first` up to `last`."""
        return sum_contributions(self.db, meter, chain, first, last)


class Cursor:
    """Rows sorted by their first column, read on demand."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, place: int) -> list[Row]:
        """Return the other columns of the rows at a position; skip rows before it."""
        taken = []
        while self._next and self._next[0] <= place:
            if self._next[0] == place:
                taken.append(self._next[1:])
            self._next = next(self._rows, None)
        return taken
