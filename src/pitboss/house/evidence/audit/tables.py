"""The audit of one table: replay its record, and compare the results with the stored rows.

Independent of the desk: the audit applies the recorded events itself, from the opened table on, or from the snapshot
before the part that it checks. It also decides a command again if this engine wrote the entry, and compares the events.

Shared with the desk: the functions that turn transitions into postings, meters and round summaries. The audit compares
their results with the stored rows, so it finds a changed row. Only a test finds a fault in these functions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games.settlement_inputs import meter_key
from pitboss.house import ledger
from pitboss.house.desk.round_summary import FinishedRound, summarize_round
from pitboss.house.evidence.audit.books import Books, Change, Cursor
from pitboss.house.hold.wager_totals import WagerTotal, read_totals, sum_totals
from pitboss.house.live_table import (
    Settings,
    banks,
    decode_meter_rounds,
    meter_ids,
    meter_rounds,
    new_live_table,
    restore_table,
    same_snapshot,
    snapshot,
)
from pitboss.house.storage.connections import DatabaseFailure, Row
from pitboss.house.storage.logs import Chain
from pitboss.house.storage.meters import contributions_by_entry
from pitboss.house.storage.rounds import (
    ROUND_COLUMNS,
    count_results,
    count_rounds,
    results_of_round,
    round_ending_at,
    round_row,
    snapshot_after_round,
)
from pitboss.money import CENT, format_money
from pitboss.progressive import Meter
from pitboss.progressive.meter import increments
from pitboss.progressive.meter_changes import add_contributions, apply_change, meter_change
from pitboss.record.chain import decode_header, decoder, line_of, read_entries_after
from pitboss.record.replay import ReplayedEntry, replay_entries
from pitboss.table import events as happens
from pitboss.table.evolution import round_end
from pitboss.table.metering import apply_to_banks, meter_balances
from pitboss.table.state import Table

settings_in: Final = decoder(Settings).decode
"""Decodes the settings of a table."""


class TableAudit:
    """The state of one table's audit during the replay."""

    def __init__(self, books: Books, chain: Chain, since: int = 0) -> None:
        """Start with the opened table, or with the snapshot after entry `since`."""
        self.books, self.chain, self.since = books, chain, since
        self.live = new_live_table(chain.id, decode_header(chain.header), "", settings_in(chain.settings))
        if since:
            self.live = replace(self.live, table=table_after_round(books, chain, since))
        self.seq, self.first, self.rounds, self.played = since, since + 1, 0, 0
        self.held: list[WagerTotal] = []
        """Wager totals so far."""
        self.kept = True
        """Whether the snapshot after the last round is right, so that an audit can continue from it."""
        self.closed = books.house.closed.get(chain.id)
        self.ids = meter_ids(self.live)
        opened = books.house.meters
        begun = {name: opened[name][0] for name in self.ids.values() if name in opened}
        self.states = {name: self._meter_at_start(name, meter) for name, meter in begun.items()}
        """Meters of this table alone, as its entries change them."""
        self._postings = books.postings(chain.id, since)
        self._fed = {name: self._contributions(name) for name in begun}
        self._moved = {name: self._moves(name, meter) for name, meter in begun.items()}

    def _meter_at_start(self, name: str, meter: Meter) -> Meter:
        """Return a meter with this table's changes up to the starting entry."""
        if not self.since:
            return meter
        for _, chain, seq, change in self.books.moves(name):
            if chain == self.chain.id and seq <= self.since:
                meter = apply_change(meter, change)
        return add_contributions(meter, *self.books.contributed(name, self.chain.id, 0, self.since))

    def _contributions(self, meter: str) -> Cursor:
        return Cursor(contributions_by_entry(self.books.db, meter, self.chain.id, self.since))

    def _moves(self, name: str, opened: Meter) -> Cursor:
        """Return this table's moves of a meter, each with the meter after all earlier moves."""

        def rows() -> Iterator[Row]:
            base = opened
            for _, chain, seq, change in self.books.moves(name):
                if chain == self.chain.id:
                    yield seq, base, change
                base = apply_change(base, change)

        return Cursor(rows())

    def follow(self, rows: Iterable[tuple[int, bytes, str, bool]], enough: int | None = None) -> None:
        """Replay entries while their hashes match, and check the rows of each.

        After `enough` entries, stop at the end of the round.
        """
        whole = (line_of(body, digest) for _, body, digest, _ in takewhile(itemgetter(3), rows))
        entries = read_entries_after(whole, self.since, self.books.digest(self.chain, self.since))
        try:
            for moment in replay_entries(self.live.header, self.live.table, entries):
                self.check(moment)
                if enough and self.seq - self.since >= enough and moment.after.round != moment.before.round:
                    return
        except DatabaseFailure:
            raise
        except Mistake as mistake:
            self.say(self.seq + 1, str(mistake))
        except Exception as error:  # noqa: BLE001 (a forged entry may break anything)
            self.say(self.seq + 1, f"it cannot be replayed ({error!r}).")

    def say(self, seq: int, problem: str) -> None:
        """Report a problem of an entry."""
        self.books.say(f"Log “{self.chain.id}”, entry {seq}: {problem}")

    def check(self, moment: ReplayedEntry) -> None:
        """Check the postings, meters and round of one entry."""
        entry, found = moment.entry, self.books.found
        if not moment.decided:
            found.follow(self.chain.id, entry.seq)
        if self.closed is not None and entry.given.time > self.closed:
            self.say(entry.seq, "the table was closed before it.")
            self.closed = None  # report it once
        played = list(ledger.table_postings(self.chain.id, moment.transitions))
        metered = self._check_meters(moment)
        stored = self._postings.take(entry.seq)
        owed = stored[len(played) : len(stored) - len(metered)]
        if not _is_debt(moment, played, owed):
            owed = []
        self.books.compare(self.chain.id, entry.seq, [*played, *owed, *metered], stored)
        if ending := round_end(moment.transitions):
            self._round(moment, summarize_round(ending.before, entry.given.time))
        self.live = replace(self.live, table=moment.after)
        self.seq = entry.seq

    def ended(self) -> None:
        """Check balances, round data and totals at the end of the log."""
        table, name = self.live.table, self.chain.id
        held = self.books.balances.get(account := ledger.table_account(name, "wagers"), 0)
        if held != (lies := ledger.cents_in_play(table) * CENT):
            self.books.say(f"Account {account}: it holds {held} micro-cents, and {lies} are in play at the table.")
        if decode_meter_rounds(self.chain.played) != self.live.rounds:
            self.books.say(f"Log “{name}”: its meter data of the round under way does not match its entries.")
        counts = (
            ("round", count_rounds(self.books.db, name), self.rounds),
            ("played", count_results(self.books.db, name), self.played),
        )
        for rows, count, expected in counts:
            if count != expected:
                self.books.say(f"Log “{name}”: it has {count} rows of `{rows}`, and its entries lead to {expected}.")
        both = (read_totals(self.books.db, name), self.held)
        stored, worked_out = ({one[:2]: one[2:] for one in many} for many in both)
        for wager, stake in sorted(stored.keys() | worked_out.keys()):
            sums, wanted = (found.get((wager, stake), (0, 0, 0)) for found in (stored, worked_out))
            if sums != wanted:
                what = f"{wager}{f' of {format_money(stake)}' if stake else ''}"
                self.books.say(f"Log “{name}”: the sums of {what} are {sums}; its entries lead to {wanted}.")

    def _check_meters(self, moment: ReplayedEntry) -> list[ledger.Posting]:
        """Check an entry's changes of meters, and return their postings."""
        seq, given = moment.entry.seq, moment.entry.given
        fed_by = {name: rows[0] for name, cursor in self._fed.items() if (rows := cursor.take(seq))}
        moved = {name: rows[0] for name, cursor in self._moved.items() if (rows := cursor.take(seq))}
        changes: dict[str, Change] = {}
        postings: list[ledger.Posting] = []
        if given.meters or any(isinstance(event, happens.Called) for event in moment.entry.events):
            before = banks(self.live, self._meters_before(given.meters, moved) if given.meters else self._empty())
            if given.meters and (shows := meter_balances(before)) != given.meters:
                wrong = [
                    name for name in shows.keys() | given.meters.keys() if shows.get(name) != given.meters.get(name)
                ]
                self.say(seq, f"its meter amounts are wrong: {', '.join(sorted(wrong))}.")
            after = apply_to_banks(before, moment.transitions)
            for (offer, amount, name), meter in self.ids.items():
                was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
                if change := meter_change(was, now):
                    changes[meter] = change
                    postings += ledger.meter_postings(meter, was, now)
            self.live = replace(self.live, rounds=meter_rounds(after))
        self._compare(seq, changes if given.meters else {}, {name: row[1] for name, row in moved.items()}, "move")
        fed_as = {name: change_of(*row) for name, row in fed_by.items()}
        self._compare(seq, {} if given.meters else changes, fed_as, "contribution")
        for name, change in changes.items():
            self.states[name] = apply_change(self.states[name], change)
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
        """Return empty meters: contributions do not depend on amounts."""
        return {name: Meter() for name in self.ids.values()}

    def _meters_before(self, shows: Mapping[str, int], moved: Mapping[str, Row]) -> dict[str, Meter]:
        """Return the meters before an entry; linked meters as far as they can be reconstructed."""
        return {
            meter: self.states[meter]
            if len(self.books.house.owners[meter]) == 1
            else self._linked_meter_before(key, shows.get(meter_key(key[2], key[1]), 0), moved.get(meter))
            for key, meter in self.ids.items()
        }

    def _linked_meter_before(self, key: tuple[str, int, str], shows: int, moved: Row | None) -> Meter:
        """Return a linked meter before an entry, from the amount that the entry records.

        Moves are in order. The amount shown gives the number of contributions, unless those count only from the next
        round; then only the reserve that the entry took out is known.
        """
        offer, amount, name = key
        bank = banks(self.live, self._empty())[offer, amount]
        base, change = moved or (Meter(), {})
        primary, reserve = increments(bank.rules[name], amount)
        if moved and primary and not bank.rules[name].own_round_waits:
            times = max(0, shows - base.current) // primary
            return add_contributions(base, times * primary, 0, times * reserve)
        state = replace(
            base,
            current=shows,
            reserve=max(0, -change.get("reserve", 0)),
            waiting=bank.meters[name].waiting,
        )
        there = state.current + state.reserve + state.waiting + state.pending + state.paid
        balanced: Meter = replace(state, contributed=there - state.house)
        return balanced

    def _round(self, moment: ReplayedEntry, finished: FinishedRound) -> None:
        """Check the stored rows of a finished round."""
        self.rounds, self.books.found.rounds = self.rounds + 1, self.books.found.rounds + 1
        seq, played = moment.entry.seq, finished.patrons
        expected = (self.first, seq, finished.ended, finished.wagered, finished.highest, int(finished.is_void))
        self.held = sum_totals([*self.held, *finished.totals])
        self.first, self.played = seq + 1, self.played + len(played)
        where = f"Log “{self.chain.id}”, round {finished.number + 1}"
        key = (self.chain.id, finished.number)
        stored_round = round_row(self.books.db, *key)
        self.kept = stored_round is not None
        if stored_round is None:
            self.books.say(f"{where}: it is not among the finished rounds.")
            return
        columns, after = stored_round
        for name, stored, wanted in zip(ROUND_COLUMNS, columns, expected, strict=True):
            if stored != wanted:
                self.books.say(f"{where}: its `{name}` is {stored}; its entries lead to {wanted}.")
        alike = same_snapshot(after, snapshot(moment.after))
        if not alike:
            self.books.say(f"{where}: the snapshot after it does not match its entries.")
        self.kept = alike and columns[ROUND_COLUMNS.index("last")] == seq
        stored_played = results_of_round(self.books.db, *key)
        for patron in sorted({row[0] for row in stored_played} ^ {row[0] for row in played}):
            self.books.say(f"{where}: the stored patrons and its entries disagree on {patron}.")
        for row in stored_played:
            if (wanted_row := next((one for one in played if one[0] == row[0]), None)) and wanted_row != row:
                self.books.say(f"{where}: the result of {row[0]} is {row[1:]}; its entries lead to {wanted_row[1:]}.")


def table_after_round(books: Books, chain: Chain, seq: int) -> Table:
    """Return the snapshot of a table after the round that ended with an entry."""
    found = round_ending_at(books.db, chain.id, seq)
    if found is None or found[1] != seq:
        raise Mistake(f"No finished round of the log “{chain.id}” ends with entry {seq}.")
    after = snapshot_after_round(books.db, chain.id, found[0])
    assert after is not None, "the round was just found"
    try:
        return restore_table(decode_header(chain.header), after)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Mistake(f"The snapshot after entry {seq} of the log “{chain.id}” cannot be read.") from None


def change_of(current: int, waiting: int, reserve: int) -> Change:
    """Return a contribution as a change of a meter."""
    return meter_change(Meter(), add_contributions(Meter(), current, waiting, reserve))


def _is_debt(moment: ReplayedEntry, played: Sequence[ledger.Posting], stored: Sequence[Row]) -> bool:
    """Whether postings are debts for reversed payouts, each at most the amount reversed."""
    if not any(isinstance(event, happens.Reversed) for event in moment.entry.events):
        return False
    back = ledger.sum_by_account(played)
    pairs = list(zip(stored[::2], stored[1::2], strict=False))
    return len(stored) % 2 == 0 and all(
        account == f"owed/{who.removeprefix('patron/')}" and less == -more and 0 < more <= -back.get(who, 0)
        for (account, less), (who, more) in pairs
    )
