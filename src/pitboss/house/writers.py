"""Writer threads run the desk and the office, so that the event loop never waits for the database.

A writer takes all waiting orders and commits them together. SQLite has one writer. PostgreSQL may have several, in
several processes; each locks its tables by name and retries after a conflict.
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import Deal, Order, Reply
from pitboss.house.desk.table_clock import table_clocks
from pitboss.house.evidence import sign_checkpoint
from pitboss.house.live_table import LiveTable
from pitboss.house.office.acts import Act, CloseTable, Resume, Suspend
from pitboss.house.office.office import POSTS_RULE, ActResult, Office
from pitboss.house.office.people import Person
from pitboss.house.storage.connections import Conflict, Connection, DatabaseFailure
from pitboss.house.storage.sessions import touch_session
from pitboss.house.zone import PENNSYLVANIA
from pitboss.record.replay import ReplayedEntry
from pitboss.table.shoe import Source, system_source

BATCH: Final = 256
"""Upper bound of the orders in one transaction."""
T = TypeVar("T")
log = logging.getLogger("pitboss.house")


class TableChange(NamedTuple):
    """A table after a commit, and its new entries."""

    live: LiveTable
    new_entries: list[ReplayedEntry]


class _Job(NamedTuple, Generic[T]):
    work: Callable[["Writer"], T]
    future: "asyncio.Future[T]"


_PendingOrder = tuple[Order | Deal, "asyncio.Future[Reply]"]
_Answer = tuple["asyncio.Future[Reply]", Reply | Exception]


class Writer:
    """The connection, desk and office of one writer thread."""

    def __init__(
        self, connection: Connection, source: Source, now: Callable[[], float], zone: str = PENNSYLVANIA
    ) -> None:
        """Create desk and office on a connection."""
        self.db = connection
        self.desk = Desk(connection, source=source, now=now, zone=zone)
        self.office = Office(connection, now, zone)

    def do(self, person: Person, act: Act, key: str) -> ActResult:
        """Carry out an act of the whole house; drop tables it changes from the desk's cache."""
        if isinstance(act, CloseTable) and (live := self.desk.read_table(act.table)):
            table = live.table
            if table.called or table.unacknowledged_void or table.boxes:
                return ActResult(accepted=False, why="Close a table between rounds.", cite=POSTS_RULE)
        done = self.office.do(person, act, key)
        if isinstance(act, CloseTable | Suspend | Resume):
            self.desk.forget(act.table)
        return done

    def checkpoint(self, key: Ed25519PrivateKey, now: int) -> None:
        """Sign a checkpoint unless another process is signing one; orders do not wait for that."""
        with self.db.house_lock(wait=False) as alone:
            if alone:
                sign_checkpoint(self.db, key, now)

    def touch(self, session: str, now: int) -> None:
        """Update the last use of a session."""
        with self.db.transaction():
            touch_session(self.db, session, now)


class WriterPool:
    """Takes orders from an event loop, has threads carry them out, and reports every change."""

    def __init__(  # noqa: PLR0913 (its dependencies)
        self,
        connect: Callable[[], Connection],
        reader: Callable[[], Connection],
        *,
        writers: int = 1,
        source: Source = system_source,
        now: Callable[[], float] = time.time,
        zone: str = PENNSYLVANIA,
    ) -> None:
        """Start the threads with factories for writing and for reading connections."""
        self._connect, self._source, self.now, self._zone = connect, source, table_clocks(now), zone
        self._condition = threading.Condition()
        self._orders: dict[str, list[_PendingOrder]] = {}
        self._ready: deque[str] = deque()
        self._jobs: deque[_Job[object]] = deque()
        self._stopping = False
        self.halted = ""
        """The reason that orders are refused; empty while they are accepted."""
        self.hear: Callable[[dict[str, TableChange]], None] = lambda _: None
        """Called in the event loop after every commit. A `Follower` reports commits of other processes."""
        self._loop = asyncio.get_running_loop()
        self._reader, self._connect_to_read = ThreadPoolExecutor(1, "reader"), reader
        self._read_db = reader()
        self._threads = [threading.Thread(target=self._run, name=f"writer-{n}", daemon=True) for n in range(writers)]
        for thread in self._threads:
            thread.start()

    def order(self, order: Order) -> "asyncio.Future[Reply]":
        """Enqueue an order and return its future reply."""
        return self._enqueue(order)

    def deal(self, chain: str) -> "asyncio.Future[Reply]":
        """Let the automatic dealer of a table act, if something is due."""
        return self._enqueue(Deal(chain))

    def do(self, work: Callable[[Writer], T]) -> "asyncio.Future[T]":
        """Run a job on a writer thread."""
        future: asyncio.Future[T] = self._loop.create_future()
        with self._condition:
            if why := self._refusal_reason():
                future.set_exception(DatabaseFailure(why))
                return future
            self._jobs.append(_Job(work, future))  # type: ignore[arg-type]
            self._condition.notify()
        return future

    def read(self, look: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Run a query on the reader thread."""
        return self._loop.run_in_executor(self._reader, self._read_with_retry, look)

    def _read_with_retry(self, look: Callable[[Connection], T]) -> T:
        """Run a query; retry once on a new connection if the old one was lost."""
        try:
            return look(self._read_db)
        except DatabaseFailure:
            if not self._read_db.dialect.can_reconnect:
                raise
            with suppress(Exception):
                self._read_db.close()
            self._read_db = self._connect_to_read()
            return look(self._read_db)

    def _refusal_reason(self) -> str:
        """Return why orders are refused now, or an empty string."""
        return self.halted or ("The server is shutting down." if self._stopping else "")

    async def stop(self) -> None:
        """Finish the queued orders and jobs, then stop."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        for thread in self._threads:
            await asyncio.to_thread(thread.join, 10)
        self._reader.shutdown(wait=True)
        self._read_db.close()

    def _enqueue(self, order: Order | Deal) -> "asyncio.Future[Reply]":
        future: asyncio.Future[Reply] = self._loop.create_future()
        with self._condition:
            if why := self._refusal_reason():
                future.set_exception(DatabaseFailure(why))
                return future
            if order.chain not in self._orders:
                self._orders[order.chain] = []
                self._ready.append(order.chain)
                self._condition.notify()
            self._orders[order.chain].append((order, future))
        return future

    def _run(self) -> None:
        clerk = Writer(self._connect(), self._source, self.now, self._zone)
        while True:
            with self._condition:
                while not (self._ready or self._jobs or self._stopping):
                    self._condition.wait()
                if not (self._ready or self._jobs):
                    clerk.db.close()
                    return
                job = self._jobs.popleft() if self._jobs else None
                taken = {} if job else self._take_batch()
            clerk = self._run_job(clerk, job) if job else self._carry_out_batch(clerk, taken)

    def _take_batch(self) -> dict[str, list[_PendingOrder]]:
        """Dequeue the waiting orders, up to one transaction's worth."""
        taken: dict[str, list[_PendingOrder]] = {}
        count = 0
        while self._ready and count < BATCH:
            chain = self._ready.popleft()
            taken[chain] = self._orders.pop(chain)
            count += len(taken[chain])
        return taken

    def _carry_out_batch(self, clerk: Writer, taken: dict[str, list[_PendingOrder]]) -> Writer:
        asked = [one for held in taken.values() for one in held]
        done: list[_Answer] = []
        changes: dict[str, TableChange] = {}
        broken = False
        try:
            _carry_out_with_retry(clerk.desk, asked, done, changes)
        except DatabaseFailure as error:
            broken = True
            self._halt(error)
            done += [(future, error) for _, future in asked[len(done) :]]
        self._loop.call_soon_threadsafe(self._deliver, done, changes)
        return self._reconnect(clerk) if broken else clerk

    def _halt(self, error: DatabaseFailure) -> None:
        """Refuse new orders and fail all waiting ones."""
        log.critical("orders halted: %s", error)
        with self._condition:
            self.halted = f"The database failed: {error}"
            waiting: list[asyncio.Future[Any]] = [future for held in self._orders.values() for _, future in held]
            waiting += [job.future for job in self._jobs]
            self._orders.clear()
            self._ready.clear()
            self._jobs.clear()
            refused = DatabaseFailure(self.halted)
        for future in waiting:
            self._loop.call_soon_threadsafe(_resolve_future, future, refused)

    def _reconnect(self, clerk: Writer) -> Writer:
        """Reconnect until it works; SQLite stays halted until an operator restarts the server."""
        if not clerk.db.dialect.can_reconnect:
            return clerk
        with suppress(Exception):
            clerk.db.close()
        while not self._stopping:
            try:
                clerk = Writer(self._connect(), self._source, self.now, self._zone)
            except Exception:  # noqa: BLE001 (every failure is retried)
                time.sleep(1)
            else:
                self.halted = ""
                break
        return clerk

    def _run_job(self, clerk: Writer, job: _Job[object]) -> Writer:
        try:
            result: object = job.work(clerk)
        except DatabaseFailure as error:
            self._halt(error)
            self._loop.call_soon_threadsafe(_resolve_future, job.future, error)
            clerk = self._reconnect(clerk)
        except Exception as error:  # noqa: BLE001 (the caller gets it)
            self._loop.call_soon_threadsafe(_resolve_future, job.future, error)
        else:
            self._loop.call_soon_threadsafe(_resolve_future, job.future, result)
        return clerk

    def _deliver(self, done: list[_Answer], changes: dict[str, TableChange]) -> None:
        for future, result in done:
            _resolve_future(future, result)
        self.hear(changes)


def _carry_out_with_retry(
    desk: Desk, asked: list[_PendingOrder], done: list[_Answer], changes: dict[str, TableChange], again: int = 5
) -> None:
    """Carry out orders together; if that fails, one by one, and retry after conflicts."""
    try:
        replies = desk.carry_out([order for order, _ in asked])
    except DatabaseFailure:
        raise
    except Conflict as conflict:
        if len(asked) > 1 or again:
            for one in asked:
                _carry_out_with_retry(desk, [one], done, changes, again - 1)
        else:
            done.append((asked[0][1], conflict))
    except Exception as error:
        if len(asked) > 1:
            for one in asked:
                _carry_out_with_retry(desk, [one], done, changes)
        else:
            log.exception("an order failed")
            done.append((asked[0][1], error))
    else:
        done += [(future, reply) for (_, future), reply in zip(asked, replies, strict=True)]
        collect_changes(desk, changes)


def collect_changes(desk: Desk, changes: dict[str, TableChange]) -> None:
    """Collect the desk's new entries by table, and tables that changed without one."""
    for chain, replayed in desk.new_entries:
        before = changes[chain].new_entries if chain in changes else []
        changes[chain] = TableChange(desk.live_tables[chain], [*before, replayed])
    for chain in desk.altered:
        changes[chain] = TableChange(desk.live_tables[chain], changes[chain].new_entries if chain in changes else [])


def _resolve_future(future: "asyncio.Future[T]", result: object) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)  # type: ignore[arg-type]
