"""The desk carries orders out: what a table decides, the money it moves, its meters, and the answer, all at once.

One transaction for a batch of orders. Everything is decided first and written at the end, so that an order that is
refused leaves nothing behind it but its answer.
"""

import time as clock
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.games import stakes
from pitboss.house import ledger
from pitboss.house.acts import KEYS, SECOND, Noted
from pitboss.house.driver import Connection
from pitboss.house.log import write
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
    snapshot,
)
from pitboss.house.store import Chain, Unit, difference
from pitboss.money import CENT, dollars
from pitboss.progressive import Meter
from pitboss.record.chain import Entry, bound, decoder, entry_of, header_of, plain
from pitboss.record.replay import Replayed
from pitboss.rulebook.procedures import Do
from pitboss.table import (
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
    Decide,
    Given,
    Leave,
    Perform,
    Recut,
    Refusal,
    Reject,
    Reshuffle,
    Role,
    Sit,
    Stand,
    Tick,
    Wager,
    Withhold,
    refusal,
)
from pitboss.table import events as happens
from pitboss.table.decide import led_to
from pitboss.table.evolve import evolve
from pitboss.table.live import automatic, furnished
from pitboss.table.metering import metered_all, shown
from pitboss.table.shoe import Source, system
from pitboss.table.state import Table

FUNDS: Final = "house rule: no account of a patron goes below zero"
LINK: Final = "house rule: a table that lost its link does not take that wager"
CLOSED: Final = "house rule: orders go to an open table"
_JACKPOT: Final = (Acknowledge, Withhold)
"""What two persons do where a payout is off a meter."""
_QUIET: Final = (Wager, Sit, Stand, Decide, Leave, Tick)
"""Commands that move no meter but by contributions."""
_MEASURED: Final = (Do.COUNT, Do.TURN, Do.SETTLE, Do.CLEAR)
"""Steps that may win off meters, or void or end their round."""


_OVERRIDES: Final = (Reject, Withhold, Correct, Recut, Reshuffle, ChangeDeck, ChangeDealing)
"""What a floorperson orders against the usual course: noted in the house's log too."""


class Entered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a person at the table enters with a command: counts, the cut, the cards of a scanned shoe."""

    preshuffled: bool = False
    depth: int = 0
    counted: int | None = None
    misdealt: bool = False
    light: bool = False
    whole: bool = True
    cards: tuple[str, ...] = ()


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """One command for one table, by one person, to be carried out once."""

    person: str
    role: Role
    key: str
    chain: str
    command: Command
    entered: Entered = Entered()


class Deal(msgspec.Struct, frozen=True):
    """Have the automatic dealer of a table do what is due, if anything."""

    chain: str


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of an order."""

    accepted: bool
    table: str
    seq: int = 0
    """Where the table's log ended after it."""
    waiting: str = ""
    """What of it waits for a second person."""
    why: str = ""
    cite: str = ""


_REPLY: Final = decoder(Reply)


class Desk:
    """Carries orders out on one connection, and remembers the tables it has seen."""

    def __init__(
        self, connection: Connection, *, source: Source = system, now: Callable[[], float] = clock.time
    ) -> None:
        """Begin with a connection to an up-to-date database."""
        self.db, self._source, self._now = connection, source, now
        self.standings: dict[str, Standing] = {}
        self._told: list[tuple[str, Replayed]] = []

    def carry_out(self, orders: Sequence[Order | Deal]) -> list[Reply]:
        """Carry orders out, in their order, in one transaction; the replies are for after it."""
        unit, staged = Unit(self.db), dict[str, Standing]()
        self._told = []
        with self.db.transaction():
            keys = [(order.person, order.key) for order in orders if isinstance(order, Order)]
            unit.fetch([order.chain for order in orders], keys)
            replies = [self._answered(unit, staged, order) for order in orders]
            unit.write()
        self.standings.update(staged)
        return replies

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
        self.standings.update(staged)
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
                return _refused(order, Refusal("That key was used for another order.", KEYS))
            return _REPLY.decode(before[1])
        standing = self._standing(unit, staged, order.chain)
        if standing is None:
            return _refused(order, Refusal("There is no open table of that name.", CLOSED))
        reply = self._reply(unit, staged, standing, order)
        unit.answers.append((order.person, order.key, payload, plain(reply), int(self._now())))
        return reply

    def _reply(self, unit: Unit, staged: dict[str, Standing], standing: Standing, order: Order) -> Reply:
        given = self._given(standing, order)
        if isinstance(given, Refusal):
            return _refused(order, given)
        if gone := _suspended(standing, order.command):
            return _refused(order, Refusal(f"The {gone} is not taken now: its meters cannot be reached.", LINK))
        claim = _jackpot(standing)
        if claim and isinstance(order.command, _JACKPOT) and not refusal(standing.table, order.command, given):
            jackpot = f"{claim}/{type(order.command).__name__}"  # two persons who want the same
            first = unit.requested_by(jackpot)
            if first is None:
                unit.request(jackpot, "jackpot", standing.chain, plain(order.command), order.person, given.time)
                return Reply(accepted=True, table=order.chain, seq=standing.seq, waiting=jackpot)
            if first == order.person:
                return _refused(order, Refusal("Another person has to validate it too.", SECOND))
        after = self._carried(unit, staged, standing, order.command, given)
        if isinstance(after, Refusal):
            return _refused(order, after)
        if claim and claim != _jackpot(after):  # settled, rejected or void: nothing of it waits any longer
            for kind in _JACKPOT:
                unit.settle_request(f"{claim}/{kind.__name__}")
        return Reply(accepted=True, table=order.chain, seq=self._dealt(unit, staged, after).seq)

    def _given(self, standing: Standing, order: Order) -> Given | Refusal:
        entered = msgspec.structs.asdict(order.entered)
        try:
            entered["cards"] = tuple(Card(card) for card in order.entered.cards)
        except Mistake as mistake:
            return Refusal(str(mistake), "house rule: cards are named as they are")
        given = Given(actor=order.person, role=order.role, time=self._time(standing), **entered)
        return furnished(standing.table, self._source, given) if isinstance(order.command, Perform) else given

    def _time(self, standing: Standing) -> int:
        return max(int(self._now()), standing.table.now)

    def _dealt(self, unit: Unit, staged: dict[str, Standing], standing: Standing) -> Standing:
        """Let the automatic dealer go on as far as it can."""
        while standing.settings.automatic and not standing.table.rules.scanned:
            given = Given(actor="", role=Role.SYSTEM, time=self._time(standing))
            bets_are_in = _bets_are_in(standing, given.time)
            due = automatic(standing.table, self._source, given, bets_are_in=bets_are_in, alone=False)
            after = self._carried(unit, staged, standing, *due) if due else None
            if after is None or isinstance(after, Refusal):
                return standing
            standing = after
        return standing

    def _carried(
        self, unit: Unit, staged: dict[str, Standing], standing: Standing, command: Command, given: Given
    ) -> Standing | Refusal:
        """Decide one command, and collect all it leads to; or say why it is refused."""
        measured = _measured(standing.table, command)
        if measured:
            meters = {name: unit.meter(name).meter for name in sorted(set(meter_ids(standing).values()))}
            given = replace(given, meters=shown(banks(standing, meters)))
        if refused := refusal(standing.table, command, given):
            return refused
        happened, table = led_to(standing.table, command, given)
        postings = list(ledger.played(standing.chain, standing.table, happened))
        postings = _covered(unit, postings, happened)
        if short := _short(unit, postings):
            return short
        seq = standing.seq + 1
        entry = Entry(seq, command, given, tuple(happened))
        text, digest = bound(entry, standing.hash)
        self._told.append((standing.chain, Replayed(standing.table, entry, table)))
        rounds = standing.rounds
        if measured or _contributes(happened):
            rounds, moved = self._meters(unit, standing, happened, seq, measured=measured)
            postings += moved
        after = replace(standing, seq=seq, hash=digest, table=table, rounds=rounds)
        unit.entries.append((standing.chain, seq, text, digest))
        unit.post(standing.chain, seq, postings)
        if table.round != standing.table.round:
            _finished(unit, standing, after, happened, given.time)
            after = replace(after, first=seq + 1, betting_since=0)
        elif isinstance(command, Wager) and not standing.betting_since:
            after = replace(after, betting_since=given.time)
        if isinstance(command, _OVERRIDES):
            what = f"{type(command).__name__} at {standing.chain}, entry {seq}"
            write(unit, given.time, given.actor, "", Noted(what, before=_told_of(command)))
        unit.chains[standing.chain] = (seq, digest, plain(after.rounds))
        staged[standing.chain] = after
        return after

    def _meters(
        self, unit: Unit, standing: Standing, happened: Sequence[happens.Event], seq: int, *, measured: bool
    ) -> tuple[tuple[Round, ...], list[ledger.Posting]]:
        """Move the meters as events say; contributions alone need no lock, since they only add."""
        ids = meter_ids(standing)
        meters = {name: unit.meter(name).meter if measured else Meter() for name in set(ids.values())}
        before = banks(standing, meters)
        after = metered_all(before, standing.table, happened)
        postings: list[ledger.Posting] = []
        for (offer, amount, name), meter in ids.items():
            was, now = before[offer, amount].meters[name], after[offer, amount].meters[name]
            if change := difference(was, now):
                postings += ledger.metered(meter, was, now)
                if measured:
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
        header = header_of(row.header)
        if known is None:
            known = fresh(row.id, header, "", settings_of(row.settings))
            last = self.db.execute(
                "SELECT last, after FROM round WHERE chain = ? AND last <= ? ORDER BY number DESC LIMIT 1",
                (row.id, row.seq),
            )
            if last:
                table = restored(header, bytes(last[0][1]))
                known = replace(known, seq=last[0][0], first=last[0][0] + 1, table=table)
        table, first = known.table, known.first
        entries = self.db.execute(
            "SELECT seq, body FROM entry WHERE chain = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (row.id, known.seq, row.seq),
        )
        for seq, body in entries:
            entry, before = entry_of(bytes(body)), table
            for event in entry.events:
                table = evolve(table, event)
            first = first if table.round == before.round else seq + 1
            self._told.append((row.id, Replayed(before, entry, table)))
        since = known.betting_since if table.round == known.table.round else 0  # of this round
        since = since or (int(self._now()) if table.boxes and not table.called else 0)
        return replace(
            known,
            settings=settings_of(row.settings),
            seq=row.seq,
            hash=row.hash,
            table=table,
            first=first,
            rounds=rounds_of(bytes(row.played)),
            betting_since=since,
        )


def _told_of(command: Command) -> str:
    """Say what an override is about."""
    facts = msgspec.structs.asdict(command)
    return ", ".join(f"{name} {value}" for name, value in facts.items() if value)


def _suspended(standing: Standing, command: Command) -> str:
    """Return an offer that a command wagers on and that is not taken now."""
    if not standing.settings.suspended or not isinstance(command, Wager):
        return ""
    offers = {wager.name: wager.offer for wager in standing.table.rules.terms.game.initial}
    made = {offers.get(name, "") for name, amount in command.wagers.items() if amount}
    return next((offer for offer in standing.settings.suspended if offer in made), "")


def _jackpot(standing: Standing) -> str:
    """Return which payout off a meter waits to be validated or withheld, if one does: that takes two persons."""
    table = standing.table
    claims = (box.seat for box in table.boxes.values() if any(line.meter for line in box.claimed))
    return "" if table.unacknowledged else next((f"{standing.chain}/{table.round}/{seat}" for seat in claims), "")


def _refused(order: Order, refused: Refusal) -> Reply:
    return Reply(accepted=False, table=order.chain, why=refused.why, cite=str(refused.cite))


def _measured(table: Table, command: Command) -> bool:
    """Whether a command may move meters in a way that needs to know what they show."""
    if not table.rules.terms.meters or not table.called or isinstance(command, _QUIET):
        return False
    if isinstance(command, Perform) and table.due.do not in _MEASURED:
        return False
    metered = {wager.name for wager in table.rules.terms.game.wagers if wager.by.paytable in table.rules.terms.meters}
    return any(metered & box.wagers.keys() for box in table.boxes.values())


def _contributes(happened: Sequence[happens.Event]) -> bool:
    return any(isinstance(event, happens.Called) for event in happened)


def _bets_are_in(standing: Standing, now: int) -> bool:
    """Whether bets are closed: everybody seated has wagered, or the time for it is over."""
    table = standing.table
    if not table.boxes:
        return False
    waiting = set(table.seated.values()) - {box.patron for box in table.boxes.values()}
    return not waiting or now >= standing.betting_since + standing.settings.betting


def _covered(unit: Unit, postings: list[ledger.Posting], happened: Sequence[happens.Event]) -> list[ledger.Posting]:
    """Return postings with what a patron cannot pay back of a reversed payout owed instead."""
    if not any(isinstance(event, happens.Reversed) for event in happened):
        return postings
    owed: list[ledger.Posting] = []
    for account, change in ledger.summed(postings).items():
        if account.startswith("patron/") and (lacking := -(unit.balance(account) + change)) > 0:
            owed += ledger.moved(account.replace("patron/", "owed/", 1), account, lacking)
    return postings + owed


def _short(unit: Unit, postings: Sequence[ledger.Posting]) -> Refusal | None:
    for account, change in ledger.summed(postings).items():
        if account.startswith("patron/") and change < 0 and unit.balance(account) + change < 0:
            holds, takes = dollars(unit.balance(account) // CENT), dollars(-change // CENT)
            return Refusal(f"The account holds {holds}; this takes {takes}.", FUNDS)
    return None


def _finished(unit: Unit, standing: Standing, after: Standing, happened: Sequence[happens.Event], time: int) -> None:
    """Note a finished round: where it is, who played, what it came to, and the table after it."""
    table = last = standing.table
    for event in happened:
        last, table = table, evolve(table, event)
        if table.round != last.round:
            break
    boxes = list(last.boxes.values())
    wagered = {box.seat: sum(stakes(last.rules.terms, box.wagers, box.decisions).values()) for box in boxes}
    highest = max((sum(line.pays for line in box.lines) for box in boxes), default=0)
    number = last.round
    unit.rounds.append(
        (
            standing.chain,
            number,
            standing.first,
            after.seq,
            time,
            sum(wagered.values()),
            highest,
            int(bool(last.void)),
            snapshot(after.table),
        )
    )
    by_patron: dict[str, tuple[int, int]] = {}
    for box in boxes:
        made, net = by_patron.get(box.patron, (0, 0))
        by_patron[box.patron] = made + wagered[box.seat], net + sum(line.net for line in box.lines)
    unit.played += [(patron, time, standing.chain, number, made, net) for patron, (made, net) in by_patron.items()]
