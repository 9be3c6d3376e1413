"""An audit of the books that is independent of the house: postings and events, summed up again."""

import re
from collections.abc import Mapping, Sequence

import msgspec
from desk_house import meters

from pitboss.games import Line
from pitboss.house import ledger
from pitboss.house.storage.connections import Connection
from pitboss.money import CENT
from pitboss.record.chain import Entry, decode_entry
from pitboss.table import Table, events

PRINTED = {
    "progressive": ("progressive", "main", 53, 15),
    "five-card-hand-player": ("five-card-hand", "five-card-hand", 13, 8),
    "five-card-hand-dealer": ("five-card-hand", "five-card-hand", 13, 8),
}
"""By wager: its offer, its meter, and the rates of meter and reserve in per cent: 639a.12(d)(4) for Paytable A,
639a.12(e)(4)."""

ELECTRONIC = "five-card-hand"
_Box = tuple[str, Mapping[str, int]]
"""A patron and the wagers of the box."""


class Audit:
    """Recounts the books independently from postings and events: Caribbean Stud's meters at Paytable A."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.balances: dict[str, int] = {}
        self.contributed: dict[str, int] = {}
        """By meter: increments of accepted wagers, less those of voided rounds."""
        self.paid: dict[str, int] = {}
        self.contributions = 0
        self.entries = 0
        self.rounds = 0
        self._seen: dict[str, int] = {}
        self._tables: dict[str, _Followed] = {}

    def check(self, tables: Mapping[str, Table]) -> None:
        """Check guarantees 1 and 5 now, without using the house's own sums."""
        for chain, seq, kind, settings in self.db.execute("SELECT id, seq, kind, settings FROM chain"):
            if kind == "table" and chain not in self._tables:
                self._tables[chain] = _Followed(chain, msgspec.json.decode(bytes(settings))["links"])
            if seq > self._seen.get(chain, 0):
                self._read(chain)
        held: dict[str, int] = dict(self.db.execute("SELECT name, balance FROM account"))
        assert _without_nothing(held) == _without_nothing(self.balances)
        assert sum(held.values()) == 0
        patrons = {name: amount for name, amount in held.items() if name.startswith("patron/")}
        assert [name for name, amount in patrons.items() if amount < 0 or amount % CENT] == []
        for chain, table in tables.items():
            assert held.get(ledger.table_account(chain, "wagers"), 0) == ledger.cents_in_play(table) * CENT, chain
        found = meters(self.db)
        for name, meter in found.items():
            assert meter.is_balanced, (name, meter)
            accounts = [held.get(ledger.meter_account(name, part), 0) for part in ("current", "reserve", "pending")]
            assert accounts == [meter.current + meter.waiting, meter.reserve, meter.pending], (name, meter)
        assert _without_nothing(self.contributed) == _without_nothing(
            {name: m.contributed for name, m in found.items()}
        )
        assert _without_nothing(self.paid) == _without_nothing({name: m.paid for name, m in found.items()})

    def _read(self, chain: str) -> None:
        first = self._seen.get(chain, 0)
        postings: dict[int, dict[str, int]] = {}
        for seq, account, amount in self.db.execute(
            "SELECT seq, account, amount FROM posting WHERE chain = ? AND seq > ?", (chain, first)
        ):
            lines = postings.setdefault(seq, {})
            lines[account] = lines.get(account, 0) + amount
            self.balances[account] = self.balances.get(account, 0) + amount
        for seq, body in self.db.execute(
            "SELECT seq, body FROM entry WHERE chain = ? AND seq > ? ORDER BY seq", (chain, first)
        ):
            lines = postings.pop(seq, {})
            assert sum(lines.values()) == 0, (chain, seq, lines)
            if (table := self._tables.get(chain)) and (lines or _TELLING.search(bytes(body))):
                self._follow(table, decode_entry(bytes(body)), lines)
            self._seen[chain], self.entries = seq, self.entries + 1
        assert not postings, "every posting belongs to an entry"

    def _follow(self, table: "_Followed", entry: Entry, lines: Mapping[str, int]) -> None:
        """Follow the money of a round: each patron's gain must equal the lines."""
        for account, amount in lines.items():
            whose, _, name = account.partition("/")
            if whose in {"patron", "owed", "payable"}:
                table.moved[name] = table.moved.get(name, 0) + amount
        for event in entry.events:
            match event:
                case events.Called():
                    table.called = True
                    self._contribute(table, 1, table.boxes)
                case events.ChipsPlaced(cancelled=seats) if seats:  # 639a.8(b): a wager without a chip was never made
                    self._contribute(table, -1, table.cancel(seats, "progressive"))
                case events.Voided():
                    self._contribute(table, -1, table.boxes)
                case events.Cleared() | events.Removed() if table.lines:
                    self._over(table)
                case events.Documented(seat, paid=paid):  # what was payable went out of the house, into a hand
                    table.moved[table.boxes[seat][0]] += paid * CENT
                case _:
                    self._by_hand(table, event)
                    table.hear(event)

    def _contribute(self, table: "_Followed", sign: int, boxes: Mapping[int, _Box]) -> None:
        for _, wagers in boxes.values():
            for wager, amount in wagers.items():
                if wager in PRINTED:
                    _, _, primary, reserve = PRINTED[wager]
                    name = table.meter(wager, amount)
                    self.contributed[name] = self.contributed.get(name, 0) + sign * amount * CENT // 100 * (
                        primary + reserve
                    )
                    self.contributions += sign > 0

    def _by_hand(self, table: "_Followed", event: events.Event) -> None:
        """639a.11(c)(6)(iii): an electronic wager's share leaves the meter when validated, and returns when void."""
        match event:
            case events.Settled(seat, lines):
                sign = 1
            case events.Reversed(seat):
                lines, sign = table.lines[seat], -1
            case _:
                return
        for line in lines:
            if line.meter and line.wager.startswith(ELECTRONIC):
                name = table.meter(line.wager, line.stake)
                self.paid[name] = self.paid.get(name, 0) + sign * line.pays * CENT

    def _over(self, table: "_Followed") -> None:
        due: dict[str, int] = {}
        for seat, lines in table.lines.items():
            patron, _ = table.boxes[seat]
            due[patron] = due.get(patron, 0) + sum(line.net for line in lines)
            for line in lines:
                if line.meter and not line.wager.startswith(ELECTRONIC):
                    name = table.meter(line.wager, line.stake)
                    self.paid[name] = self.paid.get(name, 0) + line.pays * CENT
        won = {name: amount // CENT for name, amount in table.moved.items()}
        assert _without_nothing(won) == _without_nothing(due), table.chain
        kept = self.db.execute(
            "SELECT patron, net FROM played WHERE chain = ? AND number = ?", (table.chain, table.round)
        )
        assert dict(kept) == due, (table.chain, table.round)
        self.rounds += 1
        table.round += 1
        table.boxes, table.lines, table.moved, table.called = {}, {}, {}, False


_TELLING = re.compile(rb'"type":"(Called|Cleared|Left|Removed|Seated|Stood|Voided|Wagered)"')
"""Events that an audit follows although they move no money."""


class _Followed:
    """A table as the audit follows it: seats, boxes, wagers and their outcomes."""

    def __init__(self, chain: str, links: Mapping[str, str]) -> None:
        self.chain, self._links = chain, links
        self.round = 0
        self.seated: dict[int, str] = {}
        self.boxes: dict[int, _Box] = {}
        self.lines: dict[int, tuple[Line, ...]] = {}
        self.moved: dict[str, int] = {}
        self.called = False

    def meter(self, wager: str, amount: int) -> str:
        offer, meter, _, _ = PRINTED[wager]
        owner = f"link:{self._links[offer]}" if offer in self._links else self.chain
        return f"{owner}/{offer}/{meter}@{amount}"

    def cancel(self, seats: Sequence[int], wager: str) -> dict[int, _Box]:
        """Remove a wager from boxes; return the amount."""
        off: dict[int, _Box] = {}
        for seat in seats:
            patron, wagers = self.boxes[seat]
            off[seat] = patron, {wager: wagers[wager]}
            self.boxes[seat] = patron, {name: amount for name, amount in wagers.items() if name != wager}
        return off

    def hear(self, event: events.Event) -> None:
        match event:
            case events.Seated(seat, patron):
                self.seated[seat] = patron
            case events.Stood(seat):
                del self.seated[seat]
            case events.Left(seat):
                gone = self.seated.pop(seat)
                if not self.called:
                    self.boxes = {box: held for box, held in self.boxes.items() if held[0] != gone}
            case events.Wagered(seat, patron, wagers):
                self.boxes[seat] = patron, wagers
                if not wagers:
                    del self.boxes[seat]
            case events.Settled(seat, lines):
                self.lines[seat] = lines
            case events.Added(seat, lines):
                self.lines[seat] += lines
            case events.Reversed(seat):
                del self.lines[seat]
            case _:
                pass


def _without_nothing(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}
