"""The unit of work: it collects the rows that one transaction adds, then writes them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from pitboss.house.storage.connections import Connection
from pitboss.progressive import Meter

METER_COLUMNS = Meter.__struct_fields__
"""The columns of `meter`, from the fields of `Meter`."""
HELD_COLUMNS = ("chain", "wager", "stake", "boxes", "wagered", "won")
"""The columns of `held`, the wager totals."""


class Chain(NamedTuple):
    """A log: its header, its last entry, and the settings of its table."""

    id: str
    kind: str
    header: bytes
    seq: int
    hash: str
    is_open: int
    settings: bytes
    played: bytes


class MeterRow(msgspec.Struct):
    """A meter locked by this transaction, with all contributions folded in."""

    meter: Meter
    seq: int
    rule: bytes


class UnitOfWork:
    """Rows that one transaction adds, collected while it decides and written at its end."""

    def __init__(self, connection: Connection, *, locks: bool = True) -> None:
        """Start empty; pass `locks=False` for reading only."""
        self.db = connection
        self._lock = " FOR UPDATE" if locks and not connection.one_writer else ""
        self.entries: list[tuple[str, int, bytes, str]] = []
        self.postings: list[tuple[str, int, int, str, int]] = []
        self.deltas: dict[str, int] = {}
        self.answers: list[tuple[str, str, str, bytes, int]] = []
        self.rounds: list[tuple[object, ...]] = []
        self.played: list[tuple[object, ...]] = []
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
        """Fetch everything these orders need in one round trip: tables locked by name, keys, patron accounts.

        Only PostgreSQL benefits; SQLite has no round trip.
        """
        if self.db.one_writer:
            return
        columns = ", ".join(Chain._fields)
        accounts = sorted({f"patron/{person}" for person, _ in keys})
        rows, used, balances = self.db.together(
            (
                f"SELECT {columns} FROM chain WHERE id = ANY(?) ORDER BY id{self._lock}",  # noqa: S608 (our columns)
                (sorted(set(chains)),),
            ),
            (
                "SELECT person, key FROM answered WHERE (person, key) IN (SELECT * FROM unnest(?::text[], ?::text[]))",
                ([person for person, _ in keys], [key for _, key in keys]),
            ),
            ("SELECT name, balance FROM account WHERE name = ANY(?)", (accounts,)),
        )
        self._fetched = {row[0]: Chain(*row) for row in rows}
        self._unused = set(keys) - {(person, key) for person, key in used}
        self._balances = dict.fromkeys(accounts, 0) | dict(balances)

    def chain(self, name: str) -> Chain | None:
        """Return a log, locked against other processes until the transaction ends."""
        if name in self._fetched:
            return self._fetched[name]
        columns = ", ".join(Chain._fields)
        rows = self.db.execute(f"SELECT {columns} FROM chain WHERE id = ?{self._lock}", (name,))  # noqa: S608 (our columns)
        return Chain(*rows[0]) if rows else None

    def answer(self, person: str, key: str) -> tuple[str, bytes] | None:
        """Return the payload and reply stored for a key."""
        for who, what, payload, reply, _ in self.answers:
            if (who, what) == (person, key):
                return payload, reply
        if (person, key) in self._unused:
            return None
        rows = self.db.execute("SELECT payload, reply FROM answered WHERE person = ? AND key = ?", (person, key))
        return (rows[0][0], bytes(rows[0][1])) if rows else None

    def balance(self, account: str) -> int:
        """Return the balance of an account, including uncommitted postings."""
        if account not in self._balances:
            rows = self.db.execute("SELECT balance FROM account WHERE name = ?", (account,))
            self._balances[account] = rows[0][0] if rows else 0
        return self._balances[account] + self.deltas.get(account, 0)

    def meter(self, name: str) -> MeterRow:
        """Lock a meter and fold its contributions into it."""
        if name not in self.locked:
            columns = ", ".join((*METER_COLUMNS, "seq", "rule"))
            ((*amounts, seq, rule),) = self.db.execute(
                f"SELECT {columns} FROM meter WHERE id = ?{self._lock}",  # noqa: S608 (our columns)
                (name,),
            )
            ((current, waiting, reserve),) = self.db.execute(
                "SELECT COALESCE(SUM(current), 0), COALESCE(SUM(waiting), 0), COALESCE(SUM(reserve), 0)"
                " FROM contribution WHERE meter = ? AND is_folded = 0",
                (name,),
            )
            self.locked[name] = MeterRow(Meter(**dict(zip(METER_COLUMNS, amounts, strict=True))), seq, bytes(rule))
            self.folded.add(name)
            self._fold(name, int(current), int(waiting), int(reserve))
            for meter, _, _, now, later, kept in self.contributions:
                if meter == name:
                    self._fold(name, now, later, kept)
        return self.locked[name]

    def _fold(self, name: str, current: int, waiting: int, reserve: int) -> None:
        row = self.locked[name]
        row.meter = apply_change(row.meter, {"current": current, "waiting": waiting, "reserve": reserve})
        row.meter = apply_change(row.meter, {"contributed": current + waiting + reserve})

    def pending_request(self, name: str) -> tuple[str, bytes, str] | None:
        """Return the kind, body and requester of a waiting request, locked against other processes."""
        rows = self.db.execute(
            f"SELECT kind, body, requested_by FROM approval WHERE id = ?{self._lock}",  # noqa: S608 (our words)
            (name,),
        )
        return (rows[0][0], bytes(rows[0][1]), rows[0][2]) if rows else None

    def requested_by(self, name: str) -> str | None:
        """Return the first of the two persons an act needs, if one has asked."""
        asked = self.pending_request(name)
        return asked[2] if asked else None

    def request(self, name: str, kind: str, chain: str, body: bytes, person: str, time: int) -> None:  # noqa: PLR0913, PLR0917 (a row)
        """Store a request that waits for a second person."""
        self.db.execute(
            "INSERT INTO approval (id, kind, chain, body, requested_by, time) VALUES (?, ?, ?, ?, ?, ?)",
            (name, kind, chain, body, person, time),
        )

    def settle_request(self, name: str) -> None:
        """Delete a request that no longer waits."""
        self.db.execute("DELETE FROM approval WHERE id = ?", (name,))

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
        """Write all collected rows."""
        with self.db.pipelined():
            self._write()

    def _write(self) -> None:
        db = self.db
        db.many("INSERT INTO entry (chain, seq, body, hash) VALUES (?, ?, ?, ?)", self.entries)
        db.many(
            "UPDATE chain SET seq = ?, hash = ?, played = ? WHERE id = ?",
            [(seq, digest, played, name) for name, (seq, digest, played) in sorted(self.chains.items())],
        )
        db.many("INSERT INTO posting (chain, seq, line, account, amount) VALUES (?, ?, ?, ?, ?)", self.postings)
        if self.entries:  # a refused order folds no contributions
            self._write_meters()  # meters before accounts: every process locks in this order
        accounts = sorted(name for name, delta in self.deltas.items() if delta)
        db.many(
            "INSERT INTO account (name, balance) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            [(name, 0) for name in accounts],
        )
        if self._lock and accounts:  # by name: every process locks in this order
            db.execute("SELECT 1 FROM account WHERE name = ANY(?) ORDER BY name FOR UPDATE", (accounts,))
        db.many(
            "UPDATE account SET balance = balance + ? WHERE name = ?",
            [(self.deltas[name], name) for name in accounts],
        )
        db.many("INSERT INTO answered (person, key, payload, reply, time) VALUES (?, ?, ?, ?, ?)", self.answers)
        db.many(
            "INSERT INTO round (chain, number, first, last, ended, wagered, highest, is_void, after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self.rounds,
        )
        db.many(
            "INSERT INTO played (patron, ended, chain, number, wagered, net) VALUES (?, ?, ?, ?, ?, ?)", self.played
        )
        db.many(
            f"INSERT INTO held ({', '.join(HELD_COLUMNS)}) VALUES ({', '.join('?' * len(HELD_COLUMNS))})"  # noqa: S608 (our columns)
            " ON CONFLICT (chain, wager, stake) DO UPDATE SET boxes = held.boxes + excluded.boxes,"
            " wagered = held.wagered + excluded.wagered, won = held.won + excluded.won",
            [(*key, *sums) for key, sums in sorted(self.held.items())],
        )
        db.notify(sorted(self.chains.keys() | self.changed))

    def _write_meters(self) -> None:
        db = self.db
        db.many(
            "UPDATE contribution SET is_folded = 1 WHERE meter = ? AND is_folded = 0",
            [(name,) for name in sorted(self.folded)],
        )
        db.many(
            "INSERT INTO contribution (meter, chain, seq, current, waiting, reserve, is_folded)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(*row, int(row[0] in self.folded)) for row in sorted(self.contributions)],
        )
        columns = ", ".join(f"{name} = ?" for name in METER_COLUMNS)
        db.many(
            f"UPDATE meter SET {columns}, seq = ? WHERE id = ?",  # noqa: S608 (our columns)
            [
                (*(getattr(row.meter, name) for name in METER_COLUMNS), row.seq, meter)
                for meter, row in sorted(self.locked.items())
            ],
        )
        db.many("INSERT INTO move (meter, meter_seq, chain, seq, change) VALUES (?, ?, ?, ?, ?)", self.moves)


def apply_change(meter: Meter, change: Mapping[str, int]) -> Meter:
    """Return a meter with changes added to its amounts."""
    amounts = {name: getattr(meter, name) + change.get(name, 0) for name in METER_COLUMNS}
    return Meter(**amounts)


def meter_change(before: Meter, after: Meter) -> dict[str, int]:
    """Return the changed amounts of a meter, each as a difference."""
    changes = {name: getattr(after, name) - getattr(before, name) for name in METER_COLUMNS}
    return {name: change for name, change in changes.items() if change}
