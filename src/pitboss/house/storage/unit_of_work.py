"""The unit of work: it collects the rows that one transaction adds, then writes them."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.ledger_rows import balance_of, change_balances, insert_postings, query_balances
from pitboss.house.storage.logs import Chain, insert_entries, query_chains, read_chain, update_log_ends
from pitboss.house.storage.meters import (
    MeterRow,
    insert_contributions,
    move_meters,
    read_meter,
)
from pitboss.house.storage.replies import insert_replies, query_used_keys, read_reply
from pitboss.house.storage.requests import RequestRow, delete_request, insert_request, read_request
from pitboss.house.storage.rounds import insert_results, insert_rounds
from pitboss.house.storage.wager_totals import add_totals
from pitboss.progressive.meter_changes import add_contributions, apply_change


class UnitOfWork:
    """Rows that one transaction adds, collected while it decides and written at its end."""

    def __init__(self, connection: Connection, *, locks: bool = True) -> None:
        """Start empty; pass `locks=False` for reading only."""
        self.db = connection
        self._locks = locks
        self.entries: list[tuple[str, int, bytes, str]] = []
        self.postings: list[tuple[str, int, int, str, int]] = []
        self.deltas: dict[str, int] = {}
        self.answers: list[tuple[str, str, str, bytes, int]] = []
        self.rounds: list[Row] = []
        self.played: list[Row] = []
        self.held: dict[tuple[str, str, int], tuple[int, int, int]] = {}
        self.contributions: list[tuple[str, str, int, int, int, int]] = []
        self.folded: set[str] = set()
        self.locked: dict[str, MeterRow] = {}
        self.moves: list[tuple[str, int, str, int, bytes]] = []
        self.chains: dict[str, tuple[int, str, bytes]] = {}
        self.changed: set[str] = set()
        """Tables whose settings changed without a new entry."""
        self._balances: dict[str, int] = {}
        self._fetched: dict[str, Chain] = {}
        self._unused: set[tuple[str, str]] = set()

    def fetch(self, chains: Iterable[str], keys: Sequence[tuple[str, str]]) -> None:
        """Fetch everything these orders need in one round trip: tables locked by name, keys, patron accounts."""
        if not self.db.dialect.has_round_trips:
            return
        accounts = sorted({f"patron/{person}" for person, _ in keys})
        rows, used, balances = self.db.together(
            query_chains(self.db, chains, lock=self._locks), query_used_keys(keys), query_balances(accounts)
        )
        self._fetched = {row[0]: Chain(*row) for row in rows}
        self._unused = set(keys) - {(person, key) for person, key in used}
        self._balances = dict.fromkeys(accounts, 0) | dict(balances)

    def chain(self, name: str) -> Chain | None:
        """Return a log, locked against other processes until the transaction ends."""
        return self._fetched.get(name) or read_chain(self.db, name, lock=self._locks)

    def answer(self, person: str, key: str) -> tuple[str, bytes] | None:
        """Return the payload and reply stored for a key."""
        for who, what, payload, reply, _ in self.answers:
            if (who, what) == (person, key):
                return payload, reply
        return None if (person, key) in self._unused else read_reply(self.db, person, key)

    def balance(self, account: str) -> int:
        """Return the balance of an account, including uncommitted postings."""
        if account not in self._balances:
            self._balances[account] = balance_of(self.db, account) or 0
        return self._balances[account] + self.deltas.get(account, 0)

    def meter(self, name: str) -> MeterRow:
        """Lock a meter and fold its contributions into it."""
        if name not in self.locked:
            self.locked[name] = read_meter(self.db, name, lock=self._locks)
            self.folded.add(name)
            for meter, _, _, current, waiting, reserve in self.contributions:
                if meter == name:
                    self._fold(name, current, waiting, reserve)
        return self.locked[name]

    def _fold(self, name: str, current: int, waiting: int, reserve: int) -> None:
        row = self.locked[name]
        row.meter = add_contributions(row.meter, current, waiting, reserve)

    def pending_request(self, name: str) -> tuple[str, bytes, str] | None:
        """Return the kind, body and requester of a waiting request, locked against other processes."""
        return read_request(self.db, name, lock=self._locks)

    def requested_by(self, name: str) -> str | None:
        """Return the first of the two persons an act needs, if one has asked."""
        asked = self.pending_request(name)
        return asked[2] if asked else None

    def request(self, name: str, kind: str, chain: str, body: bytes, person: str, time: int) -> None:  # noqa: PLR0913, PLR0917 (a row)
        """Store a request that waits for a second person."""
        insert_request(self.db, RequestRow(name, kind, chain, body, person, time))

    def settle_request(self, name: str) -> None:
        """Delete a request that no longer waits."""
        delete_request(self.db, name)

    def add_wager_total(self, chain: str, wager: str, stake: int, sums: tuple[int, int, int]) -> None:
        """Add boxes, cents wagered and cents won by the house to the total of a wager and amount."""
        before = self.held.get((chain, wager, stake), (0, 0, 0))
        self.held[chain, wager, stake] = before[0] + sums[0], before[1] + sums[1], before[2] + sums[2]

    def post(self, chain: str, seq: int, postings: Iterable[tuple[str, int]]) -> None:
        """Add the postings of one entry, which must sum to zero."""
        lines = list(postings)
        assert sum(amount for _, amount in lines) == 0, f"the postings of {chain} {seq} do not sum to zero"
        for line, (account, amount) in enumerate(lines):
            self.postings.append((chain, seq, line, account, amount))
            self.deltas[account] = self.deltas.get(account, 0) + amount

    def contribute(self, meter: str, chain: str, seq: int, change: Mapping[str, int]) -> None:
        """Add a contribution of wagers to a meter."""
        current, waiting, reserve = (change.get(name, 0) for name in ("current", "waiting", "reserve"))
        self.contributions.append((meter, chain, seq, current, waiting, reserve))
        if meter in self.locked:
            self._fold(meter, current, waiting, reserve)

    def move(self, name: str, chain: str, seq: int, change: Mapping[str, int]) -> None:
        """Change a locked meter other than by contributions."""
        row = self.meter(name)
        row.meter, row.seq = apply_change(row.meter, change), row.seq + 1
        assert row.meter.is_balanced, f"the meter {name} does not balance"
        self.moves.append((name, row.seq, chain, seq, msgspec.json.encode(change, order="deterministic")))

    def write(self) -> None:
        """Write all collected rows. Every process locks in this order: logs, meters, accounts."""
        db = self.db
        with db.pipelined():
            insert_entries(db, self.entries)
            update_log_ends(db, self.chains)
            insert_postings(db, self.postings)
            if self.entries:  # a refused order folds no contributions
                insert_contributions(db, self.contributions, self.folded)
                move_meters(db, self.locked, self.moves)
            change_balances(db, self.deltas)
            insert_replies(db, self.answers)
            insert_rounds(db, self.rounds)
            insert_results(db, self.played)
            add_totals(db, self.held)
            db.notify(sorted(self.chains.keys() | self.changed))
