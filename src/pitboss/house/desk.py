"""The desk carries orders out: what a table decides, the money it moves, its meters, and the answer, all at once.

One transaction for a batch of orders. Everything is decided first and written at the end, so that an order that is
refused leaves nothing behind it but its answer.
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
from pitboss.house.acts import KEYS, LONGEST, SECOND
from pitboss.house.approvals import unapproved_dealing
from pitboss.house.driver import Connection
from pitboss.house.evidence.reading import entries
from pitboss.house.finished import finished
from pitboss.house.log import write
from pitboss.house.orders import Deal, Order, Reply, refused
from pitboss.house.people import still
from pitboss.house.policy import (
    BRIEF,
    ENTERS,
    LINK,
    TWO_FOR_A_JACKPOT,
    bets_are_in,
    contributes,
    covered,
    jackpot,
    measured,
    rests,
    short,
    suspended,
    to_note,
    wordy,
)
from pitboss.house.slips import Kind, Slip
from pitboss.house.standing import (
    Round,
    Standing,
    banks,
    fresh,
    meter_ids,
    remembered,
    restored,
    rounds_of,
    settings_of,
)
from pitboss.house.store import Chain, Unit, difference
from pitboss.house.times import times
from pitboss.house.zone import PENNSYLVANIA, local_time
from pitboss.progressive import Meter
from pitboss.record.chain import Entry, bound, decoder, entry_of, header_of, plain
from pitboss.record.hashes import running
from pitboss.record.replay import Replayed, made_by
from pitboss.rulebook.procedures import Do
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
from pitboss.table import events as happens
from pitboss.table.decide import led_to
from pitboss.table.evolve import evolve
from pitboss.table.live import automatic, furnished
from pitboss.table.metering import metered_all, shown
from pitboss.table.shoe import Source, system

CLOSED: Final = "house rule: orders go to an open table"

_REPLY: Final = decoder(Reply)
_SHUFFLED: Final = (Do.SHUFFLE, Do.CUT)


class Desk:
    """Carries orders out on one connection, and remembers the tables it has seen."""

    def __init__(
        self,
        connection: Connection,
        *,
        source: Source = system,
        now: Callable[[], float] = clock.time,
        zone: str = PENNSYLVANIA,
    ) -> None:
        """Begin with a connection to an up-to-date database, and the time zone of the house."""
        self.db, self._source, self._times, self._zone = connection, source, times(now), zone
        self.standings: dict[str, Standing] = {}
        self._told: list[tuple[str, Replayed]] = []
        self.altered: list[str] = []
        """Tables that the last transaction found run otherwise, or whose dealer cannot go on: that is no entry."""

    def carry_out(self, orders: Sequence[Order | Deal]) -> list[Reply]:
        """Carry orders out, in their order, in one transaction; the replies are for after it."""
        unit, staged = Unit(self.db), dict[str, Standing]()
        self._told = []
        with self.db.transaction():
            keys = [(order.person, order.key) for order in orders if isinstance(order, Order)]
            unit.fetch([order.chain for order in orders], keys)
            replies = [self._answered(unit, staged, order) for order in orders]
            unit.write()
        self._keep(staged)
        return replies

    def take_over(self, chains: Sequence[str]) -> list[str]:
        """Write into the logs of tables that these rules and this engine decide from now on, where others did.

        Return those tables. What follows is decided again when the record is replayed.
        """
        unit, staged = Unit(self.db), dict[str, Standing]()
        self._told = []
        with self.db.transaction():
            unit.fetch(chains, [])
            found = [self._standing(unit, staged, chain) for chain in chains]
            others = [one for one in found if one and made_by(one.header, one.table) != running()]
            for standing in others:
                given = Given(actor="house", role=Role.SYSTEM, time=self._time(standing))
                after = self._carried(unit, staged, standing, TakeOver(*running()), given)
                assert isinstance(after, Standing), after
            unit.write()
        self._keep(staged)
        return [standing.chain for standing in others]

    def _keep(self, staged: dict[str, Standing]) -> None:
        """Remember tables as a transaction left them."""
        self.altered = [chain for chain, now in staged.items() if _altered(self.standings.get(chain), now)]
        self.standings.update(staged)

    @property
    def happened(self) -> list[tuple[str, Replayed]]:
        """What the last transaction did, by table; for after its commit."""
        return self._told

    def forget(self, chain: str) -> None:
        """Look at a table anew when it is next needed: how it is run has changed."""
        self.standings.pop(chain, None)

    def look(self, chain: str) -> Standing | None:
        """Return a table as it stands after the last commit."""
        unit, staged = Unit(self.db, locks=False), dict[str, Standing]()
        if self.db.one_writer and chain in self.standings:
            return self.standings[chain]
        self._told = []
        with self.db.transaction():
            standing = self._standing(unit, staged, chain)
        self._keep(staged)
        return standing

    def _answered(self, unit: Unit, staged: dict[str, Standing], order: Order | Deal) -> Reply:
        if isinstance(order, Deal):
            standing = self._standing(unit, staged, order.chain)
            return Reply(
                accepted=standing is not None,
                table=order.chain,
                seq=self._dealt(unit, staged, standing).seq if standing else 0,
            )
        payload = sha256(plain((order.chain, order.command, order.entered))).hexdigest()
        if before := unit.answer(order.person, order.key):
            if before[0] != payload:
                return refused(order, Refusal("That key was used for another order.", KEYS))
            return _REPLY.decode(before[1])
        standing = self._standing(unit, staged, order.chain)
        if standing is None:
            reply = refused(order, Refusal("There is no open table of that name.", CLOSED))
        else:
            reply = self._reply(unit, staged, standing, order)
        unit.answers.append((order.person, order.key, payload, plain(reply), int(self._times())))
        return reply

    def _reply(self, unit: Unit, staged: dict[str, Standing], standing: Standing, order: Order) -> Reply:
        given = self._given(standing, order)
        if isinstance(given, Refusal):
            return refused(order, given)
        if why := self._house_refusal(standing, order.command, given.time):
            return refused(order, why)
        claim, first = jackpot(standing), None
        if claim and isinstance(order.command, TWO_FOR_A_JACKPOT) and not refusal(standing.table, order.command, given):
            waiting = f"{claim}/{type(order.command).__name__}"  # two persons who want the same
            first = unit.requested_by(waiting)
            if first is None or not self._may_still(first):  # who is gone does not count: this one is the first now
                unit.settle_request(waiting)
                unit.request(waiting, "jackpot", standing.chain, plain(order.command), order.person, given.time)
                return Reply(accepted=True, table=order.chain, seq=standing.seq, waiting=waiting)
            if first == order.person:
                return refused(order, Refusal("Another person has to validate it too.", SECOND))
            given = replace(given, first=first)
        after = self._carried(unit, staged, standing, order.command, given)
        if isinstance(after, Refusal):
            return refused(order, after)
        slip = ""
        if noted := to_note(standing, order.command, after.seq, first):
            actor, second = (first, order.person) if first else (order.person, "")
            takes = _slip(order, after.seq, claim) if first else None
            slip = write(unit, given.time, actor, second, noted, slip=takes).slip_name
        if claim and claim != jackpot(after):  # settled, rejected or void: nothing of it waits any longer
            for kind in TWO_FOR_A_JACKPOT:
                unit.settle_request(f"{claim}/{kind.__name__}")
        return Reply(accepted=True, table=order.chain, seq=self._dealt(unit, staged, after).seq, slip=slip)

    def _may_still(self, name: str) -> bool:
        """Whether who was first to decide on a jackpot is still here, as a floorperson."""
        person = still(self.db, name)
        return person is not None and person.role is Role.FLOORPERSON

    def _house_refusal(self, standing: Standing, command: Command, now: int) -> Refusal | None:
        """Refuse what the table would take: a wager whose meters are out of reach, dealing that is not approved."""
        if gone := suspended(standing, command):
            return Refusal(f"The {gone} is not taken now: its meters cannot be reached.", LINK)
        if isinstance(command, ChangeDealing):
            return unapproved_dealing(self.db, standing, command.dealing, local_time(now, self._zone).date())
        return None

    def _given(self, standing: Standing, order: Order) -> Given | Refusal:
        """Return what an order comes with; what its command has no use for is left out, and not kept."""
        if wordy(order.command):
            return Refusal(f"A text has up to {LONGEST} letters.", BRIEF)
        entered: dict[str, Any] = {}
        if isinstance(order.command, ENTERS):
            entered = msgspec.structs.asdict(order.entered)
            try:
                entered["cards"] = tuple(Card(card) for card in order.entered.cards)
            except Mistake as mistake:
                return Refusal(str(mistake), "house rule: cards are named as they are")
        given = Given(actor=order.person, role=order.role, time=self._time(standing), **entered)
        return furnished(standing.table, self._source, given) if isinstance(order.command, Perform) else given

    def _time(self, standing: Standing) -> int:
        return self._times.at(standing).now

    def _dealt(self, unit: Unit, staged: dict[str, Standing], standing: Standing) -> Standing:
        """Let the automatic dealer go on as far as it can."""
        while standing.settings.automatic and not standing.table.rules.scanned:
            given = Given(actor="", role=Role.SYSTEM, time=self._time(standing))
            if rests(standing, given.time):
                return standing
            closed = standing.table.due.do is Do.CALL and bets_are_in(standing, given.time)
            due = automatic(standing.table, self._source, given, bets_are_in=closed, alone=False)
            after = self._carried(unit, staged, standing, *due) if due else None
            if after is None or isinstance(after, Refusal):
                why = f"{after.why} (§ {after.cite})" if isinstance(after, Refusal) else ""
                if why != standing.stuck:
                    standing = staged[standing.chain] = replace(standing, stuck=why)
                return standing
            standing = after
        return standing

    def _carried(
        self, unit: Unit, staged: dict[str, Standing], standing: Standing, command: Command, given: Given
    ) -> Standing | Refusal:
        """Decide one command, and collect all it leads to; or say why it is refused."""
        locks = measured(standing.table, command, given)
        if locks:
            meters = {name: unit.meter(name).meter for name in sorted(set(meter_ids(standing).values()))}
            given = replace(given, meters=shown(banks(standing, meters)))
        if why := refusal(standing.table, command, given):
            return why
        happened, table = led_to(standing.table, command, given)
        if postings := list(ledger.played(standing.chain, standing.table, happened)):
            postings = covered(unit, postings, happened)
            if lacking := short(unit, postings):
                return lacking
        seq = standing.seq + 1
        entry = Entry(seq, command, given, tuple(happened))
        text, digest = bound(entry, standing.hash)
        self._told.append((standing.chain, Replayed(standing.table, entry, table)))
        rounds = standing.rounds
        if locks or contributes(standing.table, happened):
            rounds, moved = self._meters(unit, standing, happened, seq, locks=locks)
            postings += moved
        after = replace(standing, seq=seq, hash=digest, table=table, rounds=rounds, stuck="")
        unit.entries.append((standing.chain, seq, text, digest))
        if postings:
            unit.post(standing.chain, seq, postings)
        if table.round != standing.table.round:
            finished(unit, standing, after, happened, given.time)
        after = _timed(standing, after, command, given.time)
        unit.chains[standing.chain] = (seq, digest, plain(after.rounds))
        staged[standing.chain] = after
        return after

    def _meters(
        self, unit: Unit, standing: Standing, happened: Sequence[happens.Event], seq: int, *, locks: bool
    ) -> tuple[tuple[Round, ...], list[ledger.Posting]]:
        """Move the meters as events say; contributions alone need no lock, since they only add."""
        ids = meter_ids(standing)
        meters = {name: unit.meter(name).meter if locks else Meter() for name in set(ids.values())}
        before = banks(standing, meters)
        after = metered_all(before, standing.table, happened)
        postings: list[ledger.Posting] = []
        for (offer, amount, name), meter in ids.items():
            was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
            if change := difference(was, now):
                postings += ledger.metered(meter, was, now)
                if locks:
                    unit.move(meter, standing.chain, seq, change)
                else:
                    unit.contribute(meter, standing.chain, seq, change)
        return remembered(after), postings

    # Reading a table.

    def _standing(self, unit: Unit, staged: dict[str, Standing], chain: str) -> Standing | None:
        """Return a table as it stands, caught up with what other processes did."""
        if chain in staged:
            return staged[chain]
        known = self.standings.get(chain)
        if known and self.db.one_writer:
            return known
        row = unit.chain(chain)
        if row is None or row.kind != "table" or not row.is_open:
            return None
        staged[chain] = self._caught_up(row, known)
        return staged[chain]

    def _caught_up(self, row: Chain, known: Standing | None) -> Standing:
        if known and known.seq == row.seq:  # nobody else was at it
            return replace(known, settings=settings_of(row.settings))
        told = None if known is None else self._told  # what was before it was first looked at is nothing new
        if known is None:
            header = header_of(row.header)
            known = fresh(row.id, header, "", settings_of(row.settings))
            last = self.db.execute(
                "SELECT last, after FROM round WHERE chain = ? AND last <= ? ORDER BY number DESC LIMIT 1",
                (row.id, row.seq),
            )
            if last:
                table = restored(header, bytes(last[0][1]))
                known = replace(known, seq=last[0][0], first=last[0][0] + 1, table=table)
        for seq, body, _ in entries(self.db, row.id, known.seq + 1, row.seq):
            entry, before = entry_of(body), known
            table = before.table
            for event in entry.events:
                table = evolve(table, event)
            known = _timed(before, replace(before, seq=seq, table=table, stuck=""), entry.command, entry.given.time)
            if told is not None:
                told.append((row.id, Replayed(before.table, entry, table)))
        settings, rounds = settings_of(row.settings), rounds_of(bytes(row.played))
        return replace(known, settings=settings, seq=row.seq, hash=row.hash, rounds=rounds)


def _slip(order: Order, seq: int, claim: str) -> Slip | None:
    """Return the slip of a payout off a meter that two persons validated."""
    if not isinstance(order.command, Acknowledge):
        return None
    *_, number, seat = claim.split("/")
    return Slip(kind=Kind.JACKPOT, table=order.chain, round=int(number) + 1, entry=seq, seat=int(seat))


def _altered(was: Standing | None, now: Standing) -> bool:
    """Whether a table has something to say besides entries: it is run otherwise, or its automatic dealer cannot go on.

    The latter is said again whenever it is looked at, since a follower, who does not deal, knows nothing of it.
    """
    return bool(now.stuck) or (was is not None and (was.settings, was.stuck) != (now.settings, now.stuck))


def _timed(before: Standing, after: Standing, command: Command, time: int) -> Standing:
    """Return a table with the times that its automatic dealer goes by, and the entries that made its deck."""
    table = after.table
    if table.round != before.table.round:
        return replace(after, first=after.seq + 1, betting_since=0, wagered_at=0, shuffled=())
    if isinstance(command, Perform) and before.table.due.do in _SHUFFLED:
        earlier = before.shuffled if before.table.due.do is Do.CUT else ()
        return replace(after, shuffled=(*earlier, after.seq))
    if isinstance(command, Wager):
        return replace(after, betting_since=(before.betting_since or time) if table.boxes else 0, wagered_at=time)
    if table.due.do is Do.CLEAR and before.table.due.do is not Do.CLEAR:
        return replace(after, settled_at=time)
    return after
