"""One table while its record is replayed: every posting, contribution, move and round beside what is stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from pitboss.games import stakes
from pitboss.games.entry import of_amount
from pitboss.house import ledger
from pitboss.house.driver import Row
from pitboss.house.evidence.checkpoints import fed
from pitboss.house.evidence.reading import octets, paged
from pitboss.house.standing import (
    Settings,
    banks,
    fresh,
    meter_ids,
    remembered,
    rounds_of,
    snapshot,
)
from pitboss.house.store import Chain, added, difference
from pitboss.money import CENT
from pitboss.progressive import Meter
from pitboss.progressive.meter import increments
from pitboss.record.chain import decoder, header_of
from pitboss.record.replay import Replayed
from pitboss.table import events as happens
from pitboss.table.evolve import evolve
from pitboss.table.metering import metered_all, shown

if TYPE_CHECKING:
    from pitboss.house.evidence.audit import Audit

Change = dict[str, int]
_CHANGE: Final = decoder(Change).decode
_SETTINGS: Final = decoder(Settings).decode
_ROUND: Final = ("first", "last", "ended", "wagered", "highest", "is_void")
"""The columns of a round that are compared one by one."""


class Cursor:
    """Rows in the order of their first column, taken as far as they are asked for."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, place: int) -> list[Row]:
        """Return the rest of the rows of this place; those before it are passed over."""
        taken = []
        while self._next and self._next[0] <= place:
            if self._next[0] == place:
                taken.append(self._next[1:])
            self._next = next(self._rows, None)
        return taken


class TableAudit:
    """One table while its record is replayed."""

    def __init__(self, audit: "Audit", chain: Chain) -> None:
        self.audit, self.chain = audit, chain
        self.standing = fresh(chain.id, header_of(chain.header), "", _SETTINGS(chain.settings))
        self.seq, self.first, self.rounds, self.played = 0, 1, 0, 0
        self.closed = audit.house.closed.get(chain.id)
        self.ids = meter_ids(self.standing)
        opened = audit.house.meters
        self.states = {name: opened[name][0] for name in self.ids.values() if name in opened}
        """Meters that no other table has, as this table's entries bring them."""
        self._postings = audit.postings(chain.id)
        self._fed = {name: self._contributions(name) for name in self.states}
        self._moved = {name: self._moves(name) for name in self.states}

    def _contributions(self, meter: str) -> Cursor:
        sql = (
            "SELECT seq, current, waiting, reserve FROM contribution WHERE meter = ? AND chain = ? AND seq > ?"
            " ORDER BY seq LIMIT ?"
        )
        return Cursor(paged(self.audit.db, sql, (meter, self.chain.id), (0,)))

    def _moves(self, meter: str) -> Cursor:
        """Return this table's moves of a meter, each with where the moves before it had brought the meter."""

        def rows() -> Iterator[Row]:
            base = self.states[meter]
            for _, chain, seq, change in self.audit.moves(meter):
                if chain == self.chain.id:
                    yield seq, base, change
                base = added(base, change)

        return Cursor(rows())

    def say(self, seq: int, problem: str) -> None:
        """Note a problem of an entry."""
        self.audit.say(f"Log “{self.chain.id}”, entry {seq}: {problem}")

    def check(self, moment: Replayed) -> None:
        """Check what came of one entry."""
        entry, found = moment.entry, self.audit.found
        if not moment.decided and self.chain.id not in found.followed:
            found.followed.append(self.chain.id)
        if self.closed is not None and entry.given.time > self.closed:
            self.say(entry.seq, "the table was closed before it.")
            self.closed = None  # once is enough
        played = list(ledger.played(self.chain.id, moment.before, entry.events))
        metered = self._metered(moment)
        stored = self._postings.take(entry.seq)
        owed = stored[len(played) : len(stored) - len(metered)]
        if not _owed(moment, played, owed):
            owed = []
        self.audit.compare(self.chain.id, entry.seq, [*played, *owed, *metered], stored)
        if moment.after.round != moment.before.round:
            self._round(moment)
        self.standing = replace(self.standing, table=moment.after)
        self.seq = entry.seq

    def ended(self) -> None:
        """Check what the log leaves behind."""
        table, name = self.standing.table, self.chain.id
        held = self.audit.balances.get(account := ledger.at_table(name, "wagers"), 0)
        if held != (lies := ledger.in_play(table) * CENT):
            self.audit.say(f"Account {account}: it holds {held} micro-cents, and {lies} are in play at the table.")
        if rounds_of(self.chain.played) != self.standing.rounds:
            self.audit.say(f"Log “{name}”: what it remembers of the round under way is not what its entries lead to.")
        for rows, expected in (("round", self.rounds), ("played", self.played)):
            ((count,),) = self.audit.db.execute(f"SELECT COUNT(*) FROM {rows} WHERE chain = ?", (name,))  # noqa: S608 (our words)
            if count != expected:
                self.audit.say(f"Log “{name}”: it has {count} rows of `{rows}`, and its entries lead to {expected}.")

    # Meters.

    def _metered(self, moment: Replayed) -> list[ledger.Posting]:
        """Check how an entry moves the meters; return what that moves in the ledger."""
        seq, given = moment.entry.seq, moment.entry.given
        fed_by = {name: rows[0] for name, cursor in self._fed.items() if (rows := cursor.take(seq))}
        moved = {name: rows[0] for name, cursor in self._moved.items() if (rows := cursor.take(seq))}
        changes: dict[str, Change] = {}
        postings: list[ledger.Posting] = []
        if given.meters or any(isinstance(event, happens.Called) for event in moment.entry.events):
            before = banks(self.standing, self._before(given.meters, moved) if given.meters else self._empty())
            if given.meters and (shows := shown(before)) != given.meters:
                wrong = [
                    name for name in shows.keys() | given.meters.keys() if shows.get(name) != given.meters.get(name)
                ]
                self.say(seq, f"the meters showed otherwise then than it says: {', '.join(sorted(wrong))}.")
            after = metered_all(before, moment.before, moment.entry.events)
            for (offer, amount, name), meter in self.ids.items():
                was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
                if change := difference(was, now):
                    changes[meter] = change
                    postings += ledger.metered(meter, was, now)
            self.standing = replace(self.standing, rounds=remembered(after))
        self._compare(seq, changes if given.meters else {}, {name: row[1] for name, row in moved.items()}, "move")
        fed_as = {name: change_of(*row) for name, row in fed_by.items()}
        self._compare(seq, {} if given.meters else changes, fed_as, "contribution")
        for name, change in changes.items():
            self.states[name] = added(self.states[name], change)
        return postings

    def _compare(self, seq: int, expected: Mapping[str, Change], stored: Mapping[str, Change], what: str) -> None:
        for name in sorted(expected.keys() | stored.keys()):
            if expected.get(name) != stored.get(name):
                self.say(
                    seq,
                    f"the meter {name} has a {what} of {stored.get(name) or 'nothing'} by it;"
                    f" its events lead to {expected.get(name) or 'nothing'}.",
                )

    def _empty(self) -> dict[str, Meter]:
        """Return meters without anything: contributions depend on nothing."""
        return {name: Meter() for name in self.ids.values()}

    def _before(self, shows: Mapping[str, int], moved: Mapping[str, Row]) -> dict[str, Meter]:
        """Return the meters before an entry; those of several tables as far as it is known what was on them."""
        return {
            meter: self.states[meter]
            if len(self.audit.house.owners[meter]) == 1
            else self._linked(key, shows.get(of_amount(key[2], key[1]), 0), moved.get(meter))
            for key, meter in self.ids.items()
        }

    def _linked(self, key: tuple[str, int, str], shows: int, moved: Row | None) -> Meter:
        """Return a linked meter before an entry that says what it showed.

        Moves are in order. How many wagers had contributed follows from what it showed, unless those count only from
        the next round: then what is known of the reserve is what was taken out of it.
        """
        offer, amount, name = key
        bank = banks(self.standing, self._empty())[offer, amount]
        base, change = moved or (Meter(), {})
        primary, reserve = increments(bank.rules[name], amount)
        if moved and primary and not bank.rules[name].own_round_waits:
            times = max(0, shows - base.current) // primary
            return fed(base, times * primary, 0, times * reserve)
        state = replace(
            base,
            current=shows,
            reserve=max(0, -change.get("reserve", 0)),
            waiting=bank.meters[name].waiting,
        )
        there = state.current + state.reserve + state.waiting + state.pending + state.paid
        balanced: Meter = replace(state, contributed=there - state.house)
        return balanced

    # Rounds.

    def _round(self, moment: Replayed) -> None:
        """Check what is kept of a finished round."""
        self.rounds, self.audit.found.rounds = self.rounds + 1, self.audit.found.rounds + 1
        number, expected, played = _finished(moment, self.first)
        self.first, self.played = moment.entry.seq + 1, self.played + len(played)
        where = f"Log “{self.chain.id}”, round {number + 1}"
        key = (self.chain.id, number)
        rows = self.audit.db.execute(
            f"SELECT {', '.join(_ROUND)}, after FROM round WHERE chain = ? AND number = ?",  # noqa: S608 (our columns)
            key,
        )
        if not rows:
            self.audit.say(f"{where}: it is not among the finished rounds.")
            return
        *columns, after = rows[0]
        for name, stored, wanted in zip(_ROUND, columns, expected, strict=True):
            if stored != wanted:
                self.audit.say(f"{where}: its `{name}` is {stored}; its entries lead to {wanted}.")
        text = snapshot(moment.after)
        if not _alike(octets(after), text):
            self.audit.say(f"{where}: the table kept after it is not the one that its entries lead to.")
        stored_played = self.audit.db.execute(
            "SELECT patron, ended, wagered, net FROM played WHERE chain = ? AND number = ? ORDER BY patron", key
        )
        for patron in sorted({row[0] for row in stored_played} ^ {row[0] for row in played}):
            self.audit.say(f"{where}: whether {patron} has played in it is not what its entries say.")
        for row in stored_played:
            if (wanted_row := next((one for one in played if one[0] == row[0]), None)) and wanted_row != row:
                self.audit.say(f"{where}: what {row[0]} has played is {row[1:]}; its entries lead to {wanted_row[1:]}.")


def change_of(current: int, waiting: int, reserve: int) -> Change:
    """Return what a contribution changes."""
    return difference(Meter(), fed(Meter(), current, waiting, reserve))


def _owed(moment: Replayed, played: Sequence[ledger.Posting], stored: Sequence[Row]) -> bool:
    """Whether postings are what patrons owe of payouts that were reversed: each no more than was taken back."""
    if not any(isinstance(event, happens.Reversed) for event in moment.entry.events):
        return False
    back = ledger.summed(played)
    pairs = list(zip(stored[::2], stored[1::2], strict=False))
    return len(stored) % 2 == 0 and all(
        account == f"owed/{who.removeprefix('patron/')}" and less == -more and 0 < more <= -back.get(who, 0)
        for (account, less), (who, more) in pairs
    )


def _finished(moment: Replayed, first: int) -> tuple[int, tuple[int, ...], list[Row]]:
    """Return a finished round's number, what is kept of it, and what each patron played in it."""
    last = table = moment.before
    for event in moment.entry.events:
        last, table = table, evolve(table, event)
        if table.round != last.round:
            break
    time = moment.entry.given.time
    boxes = list(last.boxes.values())
    wagered = {box.seat: sum(stakes(last.rules.terms, box.wagers, box.decisions).values()) for box in boxes}
    highest = max((sum(line.pays for line in box.lines) for box in boxes), default=0)
    row = (first, moment.entry.seq, time, sum(wagered.values()), highest, int(bool(last.void)))
    played = []
    for patron in sorted({box.patron for box in boxes}):
        own = [box for box in boxes if box.patron == patron]
        net = sum(line.net for box in own for line in box.lines)
        played.append((patron, time, sum(wagered[box.seat] for box in own), net))
    return last.round, row, played


def _alike(stored: bytes, expected: bytes) -> bool:
    """Whether two snapshots say the same."""
    try:
        return stored == expected or bool(msgspec.json.decode(stored) == msgspec.json.decode(expected))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
