"""The running server: its parts, and the periodic tasks for dealers, meters, sessions, clock and checkpoints."""

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
from pitboss.house.desk.order_policy import bets_are_in, is_showing_result
from pitboss.house.desk.orders import Order, Reply
from pitboss.house.evidence import UnknownLog, UnknownSlip, UnknownStaff, signing_key
from pitboss.house.live_table import LiveTable, meter_ids
from pitboss.house.office.people import active_sessions
from pitboss.house.postgres_follower import Follower
from pitboss.house.startup import connect_to_read
from pitboss.house.storage.connections import Connection, DatabaseFailure
from pitboss.house.storage.meters import shown_amounts
from pitboss.house.storage.tables import open_tables
from pitboss.house.writers import TableChange, Writer, WriterPool
from pitboss.money import CENT
from pitboss.rulebook.procedures import Do
from pitboss.table import Role, Tick
from pitboss.table.steps import is_timed, next_to_decide
from pitboss.web.guard import Guard
from pitboss.web.hub import Hub
from pitboss.web.messages import MetersMessage, encode_message

log = logging.getLogger("pitboss.web")
T = TypeVar("T")
CLOCK: Final = 5
"""Seconds by which the clock may jump before the house log notes it."""
STUCK_PASSES: Final = 25
"""Passes over the tables after which a stuck dealer is retried."""


class Metrics:
    """Prometheus metrics: counts and durations, never cards."""

    def __init__(self) -> None:
        """Start every metric at zero."""
        self.registry = CollectorRegistry()
        self.orders = Counter("pitboss_orders", "Orders by outcome", ["outcome"], registry=self.registry)
        self.rounds = Counter("pitboss_rounds", "Finished rounds", registry=self.registry)
        self.sign_ins = Counter("pitboss_sign_ins", "Sign-ins by outcome", ["outcome"], registry=self.registry)
        self.sockets = Gauge("pitboss_sockets", "Open sockets", registry=self.registry)
        self.tables = Gauge("pitboss_tables", "Open tables", registry=self.registry)
        self.answered = Histogram(
            "pitboss_order_seconds", "Seconds from an order to its reply, including the commit", registry=self.registry
        )


class Runtime:
    """One server: writers, hub, guard, metrics and periodic tasks."""

    def __init__(self, config: Config, pit: WriterPool) -> None:
        """Start without tables."""
        self.config, self.pit = config, pit
        self.hub, self.guard, self.metrics = Hub(), Guard(pit, config), Metrics()
        self.shown: dict[str, int] = {}
        """The displayed amount of every meter, in cents."""
        self.began = time.time()
        self._key = signing_key(Path(config.data))
        self._drift = time.time() - time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []
        self._looks: set[asyncio.Task[None]] = set()
        self._follower: Follower | None = None
        self._passes = 0

    async def begin(self) -> None:
        """Load every open table and start the periodic tasks."""
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
        gc.freeze()  # objects loaded so far live as long as the server; later collections skip them
        gc.set_threshold(20_000, 20, 50)
        self._tasks = [asyncio.create_task(_repeat(pause, work)) for pause, work in every]

    async def end(self) -> None:
        """Stop the tasks, close the sockets, and finish pending writes."""
        for task in (*self._tasks, *self._looks):
            task.cancel()
        for socket in list(self.hub.sockets):
            socket.close()
        if self._follower:
            await asyncio.to_thread(self._follower.stop)
        await self.pit.stop()

    async def refresh_tables(self) -> None:
        """Load newly opened tables, start dealing there, and drop closed ones."""
        names = await self.pit.read(open_tables)
        for gone in set(self.hub.live_tables) - set(names):
            del self.hub.live_tables[gone]
        for name in names:
            if name not in self.hub.live_tables:
                live = await self.pit.do(lambda clerk, name=name: _read_table(clerk, name))  # type: ignore[misc]
                if live:
                    self.hub.live_tables[name] = live
                    try:
                        await self.pit.deal(name)
                    except Exception:
                        log.exception("table %s cannot continue", name, extra={"table": name})
        self.metrics.tables.set(len(self.hub.live_tables))

    async def refresh_table(self, table: str) -> None:
        """Reload a table's settings after a change."""
        reloaded = await self.pit.do(lambda clerk: _read_table(clerk, table))
        current = self.hub.live_tables.get(table)
        if reloaded and current:
            self.hub.live_tables[table] = replace(current, settings=reloaded.settings)

    async def carry_out(self, order: Order) -> Reply:
        """Carry out an order and count it in the metrics."""
        begun = time.perf_counter()
        reply = await self.pit.order(order)
        self.metrics.answered.observe(time.perf_counter() - begun)
        self.metrics.orders.labels("accepted" if reply.accepted else "refused").inc()
        return reply

    def live(self, table: str) -> LiveTable:
        """Return an open table; reply 404 if there is none."""
        if table not in self.hub.live_tables:
            raise NotFoundException(f"There is no open table “{table}”.")
        return self.hub.live_tables[table]

    async def read_in_thread(self, look: Callable[[Connection], T]) -> T:
        """Run a slow query on its own thread and connection, so that nothing else waits for it."""

        def query() -> T:
            db = connect_to_read(self.config)
            try:
                return look(db)
            finally:
                db.close()

        try:
            return await asyncio.to_thread(query)
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

    async def _run_dealers(self) -> None:
        """Continue the tables where a time has run out: betting, a decision, or the display of a result."""
        at = self.pit.now.at
        self._passes += 1
        every = self._passes % STUCK_PASSES == 0  # retry stuck dealers now and then
        due = [one for one in self.hub.live_tables.values() if _due(one, at(one).now) and (every or not one.stuck)]
        done = await asyncio.gather(*(self._continue_table(live) for live in due), return_exceptions=True)
        for live, error in zip(due, done, strict=True):
            if isinstance(error, Exception) and not isinstance(error, DatabaseFailure):
                log.error("table %s cannot continue", live.chain, exc_info=error, extra={"table": live.chain})

    async def _continue_table(self, live: LiveTable) -> None:
        """Continue one table after a time has run out."""
        name = live.chain
        if live.settings.automatic:
            await self.pit.deal(name)
        else:
            key = f"tick-{name}-{live.seq}"
            await self.pit.order(Order(person="house", role=Role.SYSTEM, key=key, chain=name, command=Tick()))

    async def _broadcast_meters(self) -> None:
        """Send changed meters to the sockets that watch their tables."""
        now = await self.pit.read(_meter_cents)
        changed = {name for name, amount in now.items() if self.shown.get(name) != amount}
        self.shown = now
        for table, live in self.hub.live_tables.items() if changed else ():
            ids = meter_ids(live)
            if changed & set(ids.values()):
                self.hub.to_all(self.meters_of(table), self.hub.watchers(table))

    def meters_of(self, table: str) -> str:
        """Return the message with a table's meters, in cents."""
        ids = meter_ids(self.hub.live_tables[table])
        shown = {f"{offer}/{name}@{amount}": self.shown.get(meter, 0) for (offer, amount, name), meter in ids.items()}
        return encode_message(MetersMessage(table=table, meters=shown))

    async def _checkpoint(self) -> None:
        """Sign the heads of all logs."""
        key, now = self._key, int(self.pit.now())
        await self.pit.do(lambda clerk: clerk.checkpoint(key, now))

    async def _note_clock_change(self) -> None:
        """Note in the house log when the system clock was set."""
        drift = time.time() - time.monotonic()
        if abs(drift - self._drift) > CLOCK:
            before, after = (str(int(time.monotonic() + off)) for off in (self._drift, drift))
            await self.pit.do(lambda clerk: clerk.office.note("the clock was changed", before=before, after=after))
            self._drift = drift

    async def close_ended_sessions(self) -> None:
        """Close the sockets of ended sessions."""
        alive = await self.pit.read(lambda db: active_sessions(db, int(self.pit.now())))
        for socket in list(self.hub.sockets):
            if socket.session and socket.session not in alive:
                socket.close()
        self.metrics.sockets.set(len(self.hub.sockets))


def _read_table(clerk: Writer, name: str) -> LiveTable | None:
    return clerk.desk.read_table(name)


def _meter_cents(db: Connection) -> dict[str, int]:
    return {name: amount // CENT for name, amount in shown_amounts(db).items()}


def _due(live: LiveTable, now: int) -> bool:
    """Whether a time has run out that lets a table continue."""
    table = live.table
    if next_to_decide(table):
        return is_timed(table) and now >= table.deadline
    if table.due.do is Do.CLEAR:
        return live.settings.automatic and bool(live.settings.rest) and not is_showing_result(live, now)
    return live.settings.automatic and not table.called and bets_are_in(live, now)


async def _repeat(pause: float, work: Callable[[], Awaitable[None]]) -> None:
    """Run a task again and again with a pause; log failures and retry."""
    while True:
        with contextlib.suppress(DatabaseFailure):
            try:
                await work()
            except asyncio.CancelledError:
                raise
            except DatabaseFailure:
                raise
            except Exception:
                log.exception("a periodic task failed")
        await asyncio.sleep(pause)
