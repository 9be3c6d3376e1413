"""What a running server consists of, and the rounds it makes: dealers, meters, sessions."""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

from litestar.exceptions import ClientException, NotFoundException
from msgspec.structs import replace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from pitboss.errors import Mistake
from pitboss.house.config import Config
from pitboss.house.connections import Connection, DatabaseFailure
from pitboss.house.evidence import UnknownLog, UnknownSlip, UnknownStaff, signing_key
from pitboss.house.live_table import LiveTable, meter_ids
from pitboss.house.order_policy import bets_are_in, is_showing_result
from pitboss.house.orders import Order, Reply
from pitboss.house.people import active_sessions
from pitboss.house.postgres_follower import Follower
from pitboss.house.startup import connect_to_read
from pitboss.house.writers import TableChange, Writer, WriterPool
from pitboss.money import CENT
from pitboss.rulebook.procedures import Do
from pitboss.table import Role, Tick
from pitboss.table.steps import next_to_decide
from pitboss.web.guard import Guard
from pitboss.web.hub import Hub, encode_message

log = logging.getLogger("pitboss.web")
T = TypeVar("T")
CLOCK: Final = 5
"""Seconds by which the clock may stray before it is noted."""
STUCK_PASSES: Final = 25
"""Looks at the tables after which one whose dealer cannot go on is tried again."""


class Metrics:
    """What is counted, for Prometheus: numbers of things that happened, never what a card is."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.registry = CollectorRegistry()
        self.orders = Counter("pitboss_orders", "Orders by what became of them", ["outcome"], registry=self.registry)
        self.rounds = Counter("pitboss_rounds", "Rounds that were finished", registry=self.registry)
        self.sign_ins = Counter(
            "pitboss_sign_ins", "Sign-ins by what became of them", ["outcome"], registry=self.registry
        )
        self.sockets = Gauge("pitboss_sockets", "Sockets that are open", registry=self.registry)
        self.tables = Gauge("pitboss_tables", "Tables that are open", registry=self.registry)
        self.answered = Histogram(
            "pitboss_order_seconds", "From an order to its answer, commit included", registry=self.registry
        )


class Runtime:
    """One server: the pit, who watches, who may, and what is counted."""

    def __init__(self, config: Config, pit: WriterPool) -> None:
        """Begin with nothing open."""
        self.config, self.pit = config, pit
        self.hub, self.guard, self.metrics = Hub(), Guard(pit, config), Metrics()
        self.shown: dict[str, int] = {}
        """What every meter shows, in cents."""
        self.began = time.time()
        self._key = signing_key(Path(config.data))
        self._drift = time.time() - time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []
        self._looks: set[asyncio.Task[None]] = set()
        self._follower: Follower | None = None
        self._passes = 0

    async def begin(self) -> None:
        """Look at every table, and go on making rounds until the end."""
        if self.config.database:
            loop = asyncio.get_running_loop()
            self._follower = Follower(
                self.config.database,
                lambda changes: loop.call_soon_threadsafe(self._on_changes, changes),  # type: ignore[arg-type]
                lambda: loop.call_soon_threadsafe(self._new_tables),  # type: ignore[arg-type]
            )
        self.pit.hear = self._on_changes
        await self.refresh_tables()
        every = (
            (0.2, self._run_dealers),
            (0.5, self._broadcast_meters),
            (0.4, self.close_ended_sessions),
            (1.0, self._note_clock_change),
            (float(self.config.checkpoint_every), self._checkpoint),
        )
        gc.collect()
        gc.freeze()  # what is there now stays: it need not be looked through again and again
        gc.set_threshold(20_000, 20, 50)
        self._tasks = [asyncio.create_task(_repeat(pause, work)) for pause, work in every]

    async def end(self) -> None:
        """Let everybody go, and finish what was begun."""
        for task in (*self._tasks, *self._looks):
            task.cancel()
        for socket in list(self.hub.sockets):
            socket.close()
        if self._follower:
            await asyncio.to_thread(self._follower.stop)
        await self.pit.stop()

    async def refresh_tables(self) -> None:
        """Look which tables are open, and begin to deal at those that are new."""
        rows = await self.pit.read(
            lambda db: db.execute("SELECT id FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")
        )
        names = [name for (name,) in rows]
        for gone in set(self.hub.standings) - set(names):
            del self.hub.standings[gone]
        for name in names:
            if name not in self.hub.standings:
                standing = await self.pit.do(lambda clerk, name=name: _read_table(clerk, name))  # type: ignore[misc]
                if standing:
                    self.hub.standings[name] = standing
                    try:
                        await self.pit.deal(name)
                    except Exception:
                        log.exception("the table %s cannot go on", name)
        self.metrics.tables.set(len(self.hub.standings))

    async def refresh_table(self, table: str) -> None:
        """Look at a table again whose settings were changed."""
        standing = await self.pit.do(lambda clerk: _read_table(clerk, table))
        held = self.hub.standings.get(table)
        if standing and held:
            self.hub.standings[table] = replace(held, settings=standing.settings)

    async def carry_out(self, order: Order) -> Reply:
        """Have an order carried out, and count it."""
        begun = time.perf_counter()
        reply = await self.pit.order(order)
        self.metrics.answered.observe(time.perf_counter() - begun)
        self.metrics.orders.labels("accepted" if reply.accepted else "refused").inc()
        return reply

    def standing(self, table: str) -> LiveTable:
        """Return an open table, or say that there is none."""
        if table not in self.hub.standings:
            raise NotFoundException(f"There is no open table “{table}”.")
        return self.hub.standings[table]

    async def read_in_thread(self, look: Callable[[Connection], T]) -> T:
        """Look something up that takes a while, on a thread and a connection of its own: nobody waits for it."""

        def looked() -> T:
            db = connect_to_read(self.config)
            try:
                return look(db)
            finally:
                db.close()

        try:
            return await asyncio.to_thread(looked)
        except (UnknownLog, UnknownSlip, UnknownStaff) as unknown:
            raise NotFoundException(str(unknown)) from None
        except Mistake as mistake:
            raise ClientException(str(mistake)) from None

    def close(self, session: str) -> None:
        """Close the sockets of a session."""
        for socket in [socket for socket in self.hub.sockets if socket.session == session]:
            socket.close()

    def _new_tables(self) -> None:
        task = asyncio.create_task(self.refresh_tables())
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    def _on_changes(self, changes: dict[str, TableChange]) -> None:
        self.metrics.rounds.inc(self.hub.broadcast(changes, self.pit.now))

    # Rounds the server makes.

    async def _run_dealers(self) -> None:
        """Have dealers go on where time has passed: bets are closed, who did not decide has folded."""
        at = self.pit.now.at
        self._passes += 1
        every = self._passes % STUCK_PASSES == 0  # a dealer who cannot go on is asked again now and then
        due = [one for one in self.hub.standings.values() if _due(one, at(one).now) and (every or not one.stuck)]
        done = await asyncio.gather(*(self._continue_table(standing) for standing in due), return_exceptions=True)
        for standing, error in zip(due, done, strict=True):
            if isinstance(error, Exception) and not isinstance(error, DatabaseFailure):
                log.error("the table %s cannot go on", standing.chain, exc_info=error)

    async def _continue_table(self, standing: LiveTable) -> None:
        """Have a table go on for which time has passed."""
        name = standing.chain
        if standing.settings.automatic:
            await self.pit.deal(name)
        else:
            key = f"tick-{name}-{standing.seq}"
            await self.pit.order(Order(person="house", role=Role.SYSTEM, key=key, chain=name, command=Tick()))

    async def _broadcast_meters(self) -> None:
        """Tell who watches what the meters show."""
        now = await self.pit.read(_meter_cents)
        changed = {name for name, amount in now.items() if self.shown.get(name) != amount}
        self.shown = now
        for table, standing in self.hub.standings.items() if changed else ():
            ids = meter_ids(standing)
            if changed & set(ids.values()):
                self.hub.to_all(self.meters_of(table), self.hub.watchers(table))

    def meters_of(self, table: str) -> str:
        """Return the message that says what a table's meters show, in cents."""
        ids = meter_ids(self.hub.standings[table])
        shown = {f"{offer}/{name}@{amount}": self.shown.get(meter, 0) for (offer, amount, name), meter in ids.items()}
        return encode_message("meters", table=table, meters=shown)

    async def _checkpoint(self) -> None:
        """Sign where everything stands."""
        key, now = self._key, int(self.pit.now())
        await self.pit.do(lambda clerk: clerk.checkpoint(key, now))

    async def _note_clock_change(self) -> None:
        """Note when somebody has set the clock."""
        drift = time.time() - time.monotonic()
        if abs(drift - self._drift) > CLOCK:
            before, after = (str(int(time.monotonic() + off)) for off in (self._drift, drift))
            await self.pit.do(lambda clerk: clerk.office.note("the clock was changed", before=before, after=after))
            self._drift = drift

    async def close_ended_sessions(self) -> None:
        """Close the sockets of sessions that are over."""
        alive = await self.pit.read(lambda db: active_sessions(db, int(self.pit.now())))
        for socket in list(self.hub.sockets):
            if socket.session and socket.session not in alive:
                socket.close()
        self.metrics.sockets.set(len(self.hub.sockets))


def _read_table(clerk: Writer, name: str) -> LiveTable | None:
    return clerk.desk.look(name)


def _meter_cents(db: Connection) -> dict[str, int]:
    rows = db.execute(
        "SELECT m.id, m.current + COALESCE((SELECT SUM(c.current) FROM contribution c"
        " WHERE c.meter = m.id AND c.is_folded = 0), 0) FROM meter m"
    )
    return {name: int(amount) // CENT for name, amount in rows}


def _due(standing: LiveTable, now: int) -> bool:
    """Whether time alone lets a table go on."""
    table = standing.table
    if next_to_decide(table):
        return bool(table.rules.timeout) and now >= table.deadline
    if table.due.do is Do.CLEAR:
        return standing.settings.automatic and bool(standing.settings.rest) and not is_showing_result(standing, now)
    return standing.settings.automatic and not table.called and bets_are_in(standing, now)


async def _repeat(pause: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something over and over; what fails is logged, and tried again."""
    while True:
        with contextlib.suppress(DatabaseFailure):
            try:
                await work()
            except asyncio.CancelledError:
                raise
            except DatabaseFailure:
                raise
            except Exception:
                log.exception("a round of the server failed")
        await asyncio.sleep(pause)
