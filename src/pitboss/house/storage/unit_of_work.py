"""The unit of work: it collects the rows that one transaction adds, then writes them.

Requests for a second person are written at once.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.ledger_rows import balance_of, balances_sql, change_balances, insert_postings
from pitboss.house.storage.logs import Chain, chains_sql, insert_entries, read_chain, update_log_ends
from pitboss.house.storage.meters import (
    MeterRow,
    insert_contributions,
    move_meters,
    read_meter,
)
from pitboss.house.storage.replies import insert_replies, read_reply, used_keys_sql
from pitboss.house.storage.requests import RequestRow, delete_request, insert_request, read_request
from pitboss.house.storage.rounds import insert_results, insert_rounds
from pitboss.house.storage.wager_totals import add_totals
from pitboss.progressive.meter_changes import add_contributions, apply_change


class UnitOfWork:
    """Rows that one transaction adds, collected while it decides and written at its end."""

    def __init__(self, connection: Connection, *, lock_rows: bool = True) -> None:
        """Start empty; pass `lock_rows=False` for reading only."""
        self.db = connection
        self._lock_rows = lock_rows
        self.entries: list[tuple[str, int, bytes, str]] = []
        """Log, number, body, hash."""
        self.postings: list[tuple[str, int, int, str, int]] = []
        """Log, entry, number in the entry, account, amount."""
        self.balance_changes: dict[str, int] = {}
        """The sum of the postings by account."""
        self.replies: list[tuple[str, str, str, bytes, int]] = []
        """Person, key, payload, reply, time."""
        self.rounds: list[Row] = []
        """Log, number, first entry, last entry, end, cents wagered, highest wager, whether void, table after it."""
        self.results: list[Row] = []
        """Patron, end of the round, log, round, cents wagered, net."""
        self.wager_totals: dict[tuple[str, str, int], tuple[int, int, int]] = {}
        """Boxes, cents wagered and cents won by the house, by log, wager and amount."""
        self.contributions: list[tuple[str, str, int, int, int, int]] = []
        """Meter, log, entry, and the amounts for current, waiting and reserve."""
        self.merged_meters: set[str] = set()
        """Meters whose stored amounts now include all contributions."""
        self.locked_meters: dict[str, MeterRow] = {}
        self.moves: list[tuple[str, int, str, int, bytes]] = []
        """Meter, number of the move, log, entry, encoded change."""
        self.log_ends: dict[str, tuple[int, str, bytes]] = {}
        """The last entry of a log, its hash, and the meter data of the round under way."""
        self.changed: set[str] = set()
        """Tables whose settings changed without a new entry."""
        self._balances: dict[str, int] = {}
        self._fetched: dict[str, Chain] = {}
        self._unused_keys: set[tuple[str, str]] = set()

    def fetch(self, chains: Iterable[str], keys: Sequence[tuple[str, str]]) -> None:
        """Fetch logs, used keys and the accounts of the keys' persons in one round trip; SQLite needs none.

        Logs are locked in the order of their names if this unit locks.
        """
        if not self.db.dialect.has_round_trips:
            return
        accounts = sorted({f"patron/{person}" for person, _ in keys})
        rows, used, balances = self.db.execute_together(
            chains_sql(self.db, chains, lock=self._lock_rows), used_keys_sql(keys), balances_sql(accounts)
        )
        self._fetched = {row[0]: Chain(*row) for row in rows}
        self._unused_keys = set(keys) - {(person, key) for person, key in used}
        self._balances = dict.fromkeys(accounts, 0) | dict(balances)

    def chain(self, name: str) -> Chain | None:
        """Return a log, locked against other processes until the transaction ends if this unit locks."""
        return self._fetched.get(name) or read_chain(self.db, name, lock=self._lock_rows)

    def stored_reply(self, person: str, key: str) -> tuple[str, bytes] | None:
        """Return the payload and reply stored for a key."""
        for other_person, other_key, payload, reply, _ in self.replies:
            if (other_person, other_key) == (person, key):
                return payload, reply
        return None if (person, key) in self._unused_keys else read_reply(self.db, person, key)

    def balance(self, account: str) -> int:
        """Return the balance of an account, including uncommitted postings."""
        if account not in self._balances:
            self._balances[account] = balance_of(self.db, account) or 0
        return self._balances[account] + self.balance_changes.get(account, 0)

    def lock_meter(self, name: str) -> MeterRow:
        """Return a meter with all its contributions, locked against other processes if this unit locks."""
        if name not in self.locked_meters:
            self.locked_meters[name] = read_meter(self.db, name, lock=self._lock_rows)
            self.merged_meters.add(name)
            for meter, _, _, current, waiting, reserve in self.contributions:
                if meter == name:
                    self._merge_contribution(name, current, waiting, reserve)
        return self.locked_meters[name]

    def _merge_contribution(self, name: str, current: int, waiting: int, reserve: int) -> None:
        row = self.locked_meters[name]
        row.meter = add_contributions(row.meter, current, waiting, reserve)

    def pending_request(self, request_id: str) -> tuple[str, bytes, str] | None:
        """Return the kind, body and requester of a waiting request, locked if this unit locks."""
        return read_request(self.db, request_id, lock=self._lock_rows)

    def requested_by(self, request_id: str) -> str | None:
        """Return the person who made a waiting request, or None if there is no such request."""
        request = self.pending_request(request_id)
        return request[2] if request else None

    def request(self, request_id: str, kind: str, chain: str, body: bytes, person: str, time: int) -> None:  # noqa: PLR0913, PLR0917 (a row)
        """Store a request that waits for a second person."""
        insert_request(self.db, RequestRow(request_id, kind, chain, body, person, time))

    def delete_request(self, request_id: str) -> None:
        """Delete a request that no longer waits."""
        delete_request(self.db, request_id)

    def add_wager_total(self, chain: str, wager: str, stake: int, sums: tuple[int, int, int]) -> None:
        """Add to the total of a wager.

        `stake` is the amount of one wager in cents. `sums` has boxes, cents wagered and cents won by the house.
        """
        boxes, wagered, won = self.wager_totals.get((chain, wager, stake), (0, 0, 0))
        self.wager_totals[chain, wager, stake] = boxes + sums[0], wagered + sums[1], won + sums[2]

    def post(self, chain: str, seq: int, postings: Iterable[tuple[str, int]]) -> None:
        """Add the postings of one entry, which must sum to zero."""
        lines = list(postings)
        assert sum(amount for _, amount in lines) == 0, f"the postings of {chain} {seq} do not sum to zero"
        for number, (account, amount) in enumerate(lines):
            self.postings.append((chain, seq, number, account, amount))
            self.balance_changes[account] = self.balance_changes.get(account, 0) + amount

    def contribute(self, meter: str, chain: str, seq: int, change: Mapping[str, int]) -> None:
        """Add a contribution of wagers to a meter."""
        current, waiting, reserve = (change.get(name, 0) for name in ("current", "waiting", "reserve"))
        self.contributions.append((meter, chain, seq, current, waiting, reserve))
        if meter in self.locked_meters:
            self._merge_contribution(meter, current, waiting, reserve)

    def move(self, name: str, chain: str, seq: int, change: Mapping[str, int]) -> None:
        """Change a meter by anything except a contribution, for example a win. Locks the meter first."""
        row = self.lock_meter(name)
        row.meter, row.seq = apply_change(row.meter, change), row.seq + 1
        assert row.meter.is_balanced, f"the meter {name} does not balance"
        self.moves.append((name, row.seq, chain, seq, msgspec.json.encode(change, order="deterministic")))

    def write(self) -> None:
        """Write all collected rows. Every process locks in this order: logs, meters, accounts."""
        db = self.db
        with db.pipelined():
            insert_entries(db, self.entries)
            update_log_ends(db, self.log_ends)  # locks logs
            insert_postings(db, self.postings)
            if self.entries:  # without an entry every order was refused: meters were read, not changed
                insert_contributions(db, self.contributions, self.merged_meters)
                move_meters(db, self.locked_meters, self.moves)  # locks meters
            change_balances(db, self.balance_changes)  # locks accounts
            insert_replies(db, self.replies)
            insert_rounds(db, self.rounds)
            insert_results(db, self.results)
            add_totals(db, self.wager_totals)
            db.notify(sorted(self.log_ends.keys() | self.changed))  # tell the other processes which tables changed
