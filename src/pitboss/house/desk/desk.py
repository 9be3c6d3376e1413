"""The desk carries out orders: it lets the table decide, posts money, moves meters and stores the reply.

A batch of orders is one transaction. All orders are decided first and written at the end, so a refused order writes
only its reply.
"""

import time as clock
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.house import ledger
from pitboss.house.desk.order_policy import (
    INPUT_COMMANDS,
    LINK_RULE,
    TEXT_LENGTH_RULE,
    TWO_FOR_A_JACKPOT,
    add_debt_postings,
    adds_to_meters,
    bets_are_in,
    funds_refusal,
    has_long_text,
    house_log_note,
    is_showing_result,
    needs_meter_balances,
    pending_jackpot,
    suspended_offer,
)
from pitboss.house.desk.orders import Deal, Order, Reply, refuse_order
from pitboss.house.desk.round_summary import summarize_round, write_round_summary
from pitboss.house.desk.table_clock import table_clocks
from pitboss.house.live_table import (
    LiveTable,
    MeterRound,
    banks,
    decode_meter_rounds,
    meter_ids,
    meter_rounds,
    new_live_table,
    settings_of,
)
from pitboss.house.office.acts import IDEMPOTENCY_RULE, JACKPOT, MAX_TEXT, SECOND_PERSON_RULE
from pitboss.house.office.approvals import unapproved_dealing
from pitboss.house.office.house_log import append_entry
from pitboss.house.office.people import active_person
from pitboss.house.office.slips import Slip, SlipKind
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import Chain
from pitboss.house.storage.table_states import follow_log, table_at_round_end
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.house.zone import PENNSYLVANIA, local_time
from pitboss.progressive import Meter
from pitboss.progressive.meter_changes import meter_change
from pitboss.record.chain import Entry, decode_header, decoder, encode_and_hash, encode_json
from pitboss.record.replay import ReplayedEntry, hashes_at
from pitboss.rulebook.procedures import Do
from pitboss.source_hashes import current_hashes
from pitboss.table import (
    Acknowledge,
    ChangeDealing,
    Command,
    Given,
    Perform,
    Refusal,
    Role,
    TakeOver,
    Wager,
    refusal,
)
from pitboss.table.decider import unchecked_transitions
from pitboss.table.evolution import Transition, last_table, round_end
from pitboss.table.metering import apply_to_banks, meter_balances
from pitboss.table.runner import add_device_inputs, automatic_command
from pitboss.table.shoe import Source, system_source

OPEN_TABLE_RULE: Final = "house rule: orders go to an open table"

_REPLY: Final = decoder(Reply)
_DECK_STEPS: Final = (Do.SHUFFLE, Do.CUT)


class Desk:
    """Carries out orders on one connection, and caches the tables it has loaded."""

    def __init__(
        self,
        connection: Connection,
        *,
        source: Source = system_source,
        now: Callable[[], float] = clock.time,
        zone: str = PENNSYLVANIA,
    ) -> None:
        """Use a connection to a migrated database, and the house's time zone."""
        self.db, self._source, self._times, self._zone = connection, source, table_clocks(now), zone
        self.live_tables: dict[str, LiveTable] = {}
        self._replayed: list[tuple[str, ReplayedEntry]] = []
        self.altered: list[str] = []
        """Tables that changed in the last transaction without an entry: new settings, or a stuck automatic dealer."""

    def carry_out(self, orders: Sequence[Order | Deal]) -> list[Reply]:
        """Carry out orders in one transaction, in sequence; send the replies only after it."""
        unit, staged = UnitOfWork(self.db), dict[str, LiveTable]()
        self._replayed = []
        with self.db.transaction():
            keys = [(order.person, order.key) for order in orders if isinstance(order, Order)]
            unit.fetch([order.chain for order in orders], keys)
            replies = [self._answer_once(unit, staged, order) for order in orders]
            unit.write()
        self._remember_tables(staged)
        return replies

    def take_over(self, chains: Sequence[str]) -> list[str]:
        """Write an entry to each table's log whose last entries were decided by other rules or another engine.

        Return those tables. A replay follows the older entries and decides the later ones again.
        """
        unit, staged = UnitOfWork(self.db), dict[str, LiveTable]()
        self._replayed = []
        with self.db.transaction():
            unit.fetch(chains, [])
            found = [self._load_table(unit, staged, chain) for chain in chains]
            others = [one for one in found if one and hashes_at(one.header, one.table) != current_hashes()]
            for live in others:
                given = Given(actor="house", role=Role.SYSTEM, time=self._time(live))
                after = self._apply_command(unit, staged, live, TakeOver(*current_hashes()), given)
                assert isinstance(after, LiveTable), after
            unit.write()
        self._remember_tables(staged)
        return [live.chain for live in others]

    def _remember_tables(self, staged: dict[str, LiveTable]) -> None:
        """Cache the tables as a committed transaction left them."""
        self.altered = [chain for chain, now in staged.items() if _needs_broadcast(self.live_tables.get(chain), now)]
        self.live_tables.update(staged)

    @property
    def new_entries(self) -> list[tuple[str, ReplayedEntry]]:
        """The entries of the last transaction with their tables; read it after the commit."""
        return self._replayed

    def forget(self, chain: str) -> None:
        """Drop a table from the cache, since its settings changed."""
        self.live_tables.pop(chain, None)

    def read_table(self, chain: str) -> LiveTable | None:
        """Return a table as of the last commit."""
        unit, staged = UnitOfWork(self.db, lock_rows=False), dict[str, LiveTable]()
        if chain in self.live_tables and not self.db.dialect.has_other_writers:
            return self.live_tables[chain]
        self._replayed = []
        with self.db.transaction():
            live = self._load_table(unit, staged, chain)
        self._remember_tables(staged)
        return live

    def _answer_once(self, unit: UnitOfWork, staged: dict[str, LiveTable], order: Order | Deal) -> Reply:
        if isinstance(order, Deal):
            live = self._load_table(unit, staged, order.chain)
            return Reply(
                accepted=live is not None,
                table=order.chain,
                seq=self._run_automatic_dealer(unit, staged, live).seq if live else 0,
            )
        payload = sha256(encode_json((order.chain, order.command, order.entered))).hexdigest()
        if before := unit.stored_reply(order.person, order.key):
            if before[0] != payload:
                return refuse_order(order, Refusal("That key was used for another order.", IDEMPOTENCY_RULE))
            return _REPLY.decode(before[1])
        live = self._load_table(unit, staged, order.chain)
        if live is None:
            reply = refuse_order(order, Refusal("There is no open table of that name.", OPEN_TABLE_RULE))
        else:
            reply = self._carry_out_order(unit, staged, live, order)
        unit.replies.append((order.person, order.key, payload, encode_json(reply), int(self._times())))
        return reply

    def _carry_out_order(self, unit: UnitOfWork, staged: dict[str, LiveTable], live: LiveTable, order: Order) -> Reply:
        given = self._given(live, order)
        if isinstance(given, Refusal):
            return refuse_order(order, given)
        if why := self._house_refusal(live, order.command, given.time):
            return refuse_order(order, why)
        claim, first = pending_jackpot(live), None
        if claim and isinstance(order.command, TWO_FOR_A_JACKPOT) and not refusal(live.table, order.command, given):
            waiting = f"{claim}/{type(order.command).__name__}"  # both persons must give the same command
            first = unit.requested_by(waiting)
            if first is None or not self._is_floorperson(first):  # a dismissed floorperson does not count
                unit.delete_request(waiting)
                unit.request(waiting, JACKPOT, live.chain, encode_json(order.command), order.person, given.time)
                return Reply(accepted=True, table=order.chain, seq=live.seq, waiting=waiting)
            if first == order.person:
                return refuse_order(order, Refusal("A second person must validate it.", SECOND_PERSON_RULE))
            given = replace(given, first=first)
        after = self._apply_command(unit, staged, live, order.command, given)
        if isinstance(after, Refusal):
            return refuse_order(order, after)
        slip = ""
        if noted := house_log_note(live, order.command, after.seq, first):
            actor, second = (first, order.person) if first else (order.person, "")
            takes = _slip(order, after.seq, claim) if first else None
            slip = append_entry(unit, given.time, actor, second, noted, slip=takes).slip_name
        if claim and claim != pending_jackpot(after):  # the claim was settled, rejected or voided
            for kind in TWO_FOR_A_JACKPOT:
                unit.delete_request(f"{claim}/{kind.__name__}")
        return Reply(
            accepted=True, table=order.chain, seq=self._run_automatic_dealer(unit, staged, after).seq, slip=slip
        )

    def _is_floorperson(self, name: str) -> bool:
        """Whether the first person to decide on a jackpot is still an active floorperson."""
        person = active_person(self.db, name)
        return person is not None and person.role is Role.FLOORPERSON

    def _house_refusal(self, live: LiveTable, command: Command, now: int) -> Refusal | None:
        """Return the house's refusal: a suspended wager, or a way of dealing that is not approved."""
        if gone := suspended_offer(live, command):
            return Refusal(f"The {gone} wager is suspended: its meters cannot be reached.", LINK_RULE)
        if isinstance(command, ChangeDealing):
            return unapproved_dealing(self.db, live, command.dealing, local_time(now, self._zone).date())
        return None

    def _given(self, live: LiveTable, order: Order) -> Given | Refusal:
        """Return the `Given` of an order; drop inputs that its command does not use."""
        if has_long_text(order.command):
            return Refusal(f"A text may have at most {MAX_TEXT} characters.", TEXT_LENGTH_RULE)
        entered: dict[str, Any] = {}
        if isinstance(order.command, INPUT_COMMANDS):
            entered = msgspec.structs.asdict(order.entered)
            try:
                entered["cards"] = tuple(Card(card) for card in order.entered.cards)
            except Mistake as mistake:
                return Refusal(str(mistake), "house rule: cards are named as they are")
        given = Given(actor=order.person, role=order.role, time=self._time(live), **entered)
        return add_device_inputs(live.table, self._source, given) if isinstance(order.command, Perform) else given

    def _time(self, live: LiveTable) -> int:
        return self._times.at(live).now

    def _run_automatic_dealer(self, unit: UnitOfWork, staged: dict[str, LiveTable], live: LiveTable) -> LiveTable:
        """Let the automatic dealer act until it must wait."""
        while live.settings.automatic and not live.table.rules.scanned:
            given = Given(actor="", role=Role.SYSTEM, time=self._time(live))
            if is_showing_result(live, given.time):
                return live
            closed = live.table.due.do is Do.CALL and bets_are_in(live, given.time)
            due = automatic_command(live.table, self._source, given, bets_are_in=closed, alone=False)
            after = self._apply_command(unit, staged, live, *due) if due else None
            if after is None or isinstance(after, Refusal):
                why = f"{after.why} (§ {after.cite})" if isinstance(after, Refusal) else ""
                if why != live.stuck:
                    live = staged[live.chain] = replace(live, stuck=why)
                return live
            live = after
        return live

    def _apply_command(
        self, unit: UnitOfWork, staged: dict[str, LiveTable], live: LiveTable, command: Command, given: Given
    ) -> LiveTable | Refusal:
        """Decide one command and collect its entry, postings and meter changes; or return the refusal."""
        locks = needs_meter_balances(live.table, command, given)
        if locks:
            meters = {name: unit.lock_meter(name).meter for name in sorted(set(meter_ids(live).values()))}
            given = replace(given, meters=meter_balances(banks(live, meters)))
        if why := refusal(live.table, command, given):
            return why
        decided = unchecked_transitions(live.table, command, given)
        happened, table = tuple(one.event for one in decided), last_table(live.table, decided)
        if postings := list(ledger.table_postings(live.chain, decided)):
            postings = add_debt_postings(unit, postings, happened)
            if lacking := funds_refusal(unit, postings):
                return lacking
        seq = live.seq + 1
        entry = Entry(seq, command, given, happened)
        text, digest = encode_and_hash(entry, live.hash)
        self._replayed.append((live.chain, ReplayedEntry(live.table, entry, decided)))
        rounds = live.rounds
        if locks or adds_to_meters(live.table, happened):
            rounds, moved = self._move_meters(unit, live, decided, seq, locks=locks)
            postings += moved
        after = replace(live, seq=seq, hash=digest, table=table, rounds=rounds, stuck="")
        unit.entries.append((live.chain, seq, text, digest))
        if postings:
            unit.post(live.chain, seq, postings)
        if ending := round_end(decided):
            write_round_summary(unit, live, after, summarize_round(ending.before, given.time))
        after = _update_times(live, after, command, given.time)
        unit.log_ends[live.chain] = (seq, digest, encode_json(after.rounds))
        staged[live.chain] = after
        return after

    def _move_meters(
        self, unit: UnitOfWork, live: LiveTable, decided: Sequence[Transition], seq: int, *, locks: bool
    ) -> tuple[tuple[MeterRound, ...], list[ledger.Posting]]:
        """Move the meters for these transitions. Contributions alone need no lock, since they only add."""
        ids = meter_ids(live)
        meters = {name: unit.lock_meter(name).meter if locks else Meter() for name in set(ids.values())}
        before = banks(live, meters)
        after = apply_to_banks(before, decided)
        postings: list[ledger.Posting] = []
        for (offer, amount, name), meter in ids.items():
            was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
            if change := meter_change(was, now):
                postings += ledger.meter_postings(meter, was, now)
                if locks:
                    unit.move(meter, live.chain, seq, change)
                else:
                    unit.contribute(meter, live.chain, seq, change)
        return meter_rounds(after), postings

    def _load_table(self, unit: UnitOfWork, staged: dict[str, LiveTable], chain: str) -> LiveTable | None:
        """Return a table up to date, including entries that other processes wrote; None if it is not open."""
        if chain in staged:
            return staged[chain]
        known = self.live_tables.get(chain)
        if known and not self.db.dialect.has_other_writers:
            return known
        row = unit.chain(chain)
        if row is None or row.kind != "table" or not row.is_open:
            return None
        staged[chain] = self._catch_up(row, known)
        return staged[chain]

    def _catch_up(self, row: Chain, known: LiveTable | None) -> LiveTable:
        if known and known.seq == row.seq:  # no other process wrote to it
            return replace(known, settings=settings_of(row.settings))
        replayed = None if known is None else self._replayed  # entries before the first load are not news
        if known is None:
            header = decode_header(row.header)
            last, table = table_at_round_end(self.db, row.id, header, row.seq)
            known = new_live_table(row.id, header, "", settings_of(row.settings))
            known = replace(known, seq=last, first=last + 1, table=table)
        for moment in follow_log(self.db, row.id, known.table, known.seq + 1, row.seq):
            entry, after = moment.entry, replace(known, seq=moment.entry.seq, table=moment.after, stuck="")
            known = _update_times(known, after, entry.command, entry.given.time)
            if replayed is not None:
                replayed.append((row.id, moment))
        settings, rounds = settings_of(row.settings), decode_meter_rounds(bytes(row.played))
        return replace(known, settings=settings, seq=row.seq, hash=row.hash, rounds=rounds)


def _slip(order: Order, seq: int, claim: str) -> Slip | None:
    """Return the jackpot slip, if two persons validated a meter payout."""
    if not isinstance(order.command, Acknowledge):
        return None
    *_, number, seat = claim.split("/")
    return Slip(kind=SlipKind.JACKPOT, table=order.chain, round=int(number) + 1, entry=seq, seat=int(seat))


def _needs_broadcast(was: LiveTable | None, now: LiveTable) -> bool:
    """Whether to broadcast a table without an entry: its settings changed, or its automatic dealer is stuck.

    A stuck dealer is broadcast every time, since a follower does not deal and never finds out by itself.
    """
    return bool(now.stuck) or (was is not None and (was.settings, was.stuck) != (now.settings, now.stuck))


def _update_times(before: LiveTable, after: LiveTable, command: Command, time: int) -> LiveTable:
    """Return a table with the times that its automatic dealer uses, and the entries that shuffled its deck."""
    table = after.table
    if table.round != before.table.round:
        return replace(after, first=after.seq + 1, betting_since=0, wagered_at=0, shuffled=())
    if isinstance(command, Perform) and before.table.due.do in _DECK_STEPS:
        earlier = before.shuffled if before.table.due.do is Do.CUT else ()
        return replace(after, shuffled=(*earlier, after.seq))
    if isinstance(command, Wager):
        return replace(after, betting_since=(before.betting_since or time) if table.boxes else 0, wagered_at=time)
    if table.due.do is Do.CLEAR and before.table.due.do is not Do.CLEAR:
        return replace(after, settled_at=time)
    return after
