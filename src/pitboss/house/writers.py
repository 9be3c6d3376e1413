"""The pit: desk and office on threads of their own, for a server that must not wait.

A writer takes all orders there are and commits them together. SQLite has one of them. PostgreSQL may have several in
several processes; each locks its tables in the order of their names, and tries again where another was in the way.
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

from pitboss.house.acts import Act, CloseTable, Resume, Suspend
from pitboss.house.connections import Conflict, Connection, DatabaseFailure
from pitboss.house.desk import Desk
from pitboss.house.evidence import sign_checkpoint
from pitboss.house.live_table import LiveTable
from pitboss.house.office import POSTS_RULE, ActResult, Office
from pitboss.house.orders import Deal, Order, Reply
from pitboss.house.people import Person
from pitboss.house.table_clock import table_clocks
from pitboss.house.zone import PENNSYLVANIA
from pitboss.record.replay import ReplayedEntry
from pitboss.table.shoe import Source, system_source

BATCH: Final = 256
"""Orders in one transaction, at most."""
T = TypeVar("T")
log = logging.getLogger("pitboss.house")


class TableChange(NamedTuple):
    """A table after a commit, and what happened to it."""

    standing: LiveTable
    happened: list[ReplayedEntry]


class _Job(NamedTuple, Generic[T]):
    work: Callable[["Writer"], T]
    future: "asyncio.Future[T]"


_PendingOrder = tuple[Order | Deal, "asyncio.Future[Reply]"]
_Answer = tuple["asyncio.Future[Reply]", Reply | Exception]


class Writer:
    """What a writing thread has at hand."""

    def __init__(
        self, connection: Connection, source: Source, now: Callable[[], float], zone: str = PENNSYLVANIA
    ) -> None:
        """Begin with a connection."""
        self.db = connection
        self.desk = Desk(connection, source=source, now=now, zone=zone)
        self.office = Office(connection, now, zone)

    def do(self, person: Person, act: Act, key: str) -> ActResult:
        """Do what concerns the whole house; tables that it changes are looked at anew."""
        if isinstance(act, CloseTable) and (standing := self.desk.look(act.table)):
            table = standing.table
            if table.called or table.unacknowledged_void or table.boxes:
                return ActResult(accepted=False, why="A table is closed between rounds.", cite=POSTS_RULE)
        done = self.office.do(person, act, key)
        if isinstance(act, CloseTable | Suspend | Resume):
            self.desk.forget(act.table)
        return done

    def checkpoint(self, key: Ed25519PrivateKey, now: int) -> None:
        """Sign where everything stands, one process at a time; while another is at it, orders do not wait for that."""
        with self.db.alone(wait=False) as alone:
            if alone:
                sign_checkpoint(self.db, key, now)

    def touch(self, session: str, now: int) -> None:
        """Note that a session is in use."""
        with self.db.transaction():
            self.db.execute("UPDATE session SET seen = ? WHERE id = ?", (now, session))


class WriterPool:
    """Takes orders from an event loop, has them carried out by threads, and tells of every change."""

    def __init__(  # noqa: PLR0913 (what it works with)
        self,
        connect: Callable[[], Connection],
        reader: Callable[[], Connection],
        *,
        writers: int = 1,
        source: Source = system_source,
        now: Callable[[], float] = time.time,
        zone: str = PENNSYLVANIA,
    ) -> None:
        """Begin with a way to connect, and one to connect for reading."""
        self._connect, self._source, self.now, self._zone = connect, source, table_clocks(now), zone
        self._condition = threading.Condition()
        self._orders: dict[str, list[_PendingOrder]] = {}
        self._ready: deque[str] = deque()
        self._jobs: deque[_Job[object]] = deque()
        self._stopping = False
        self.halted = ""
        """Why no order is taken, if so."""
        self.hear: Callable[[dict[str, TableChange]], None] = lambda _: None
        """Called in the event loop after every commit; where several processes write, a `Follower` hears of it."""
        self._loop = asyncio.get_running_loop()
        self._reader, self._connect_to_read = ThreadPoolExecutor(1, "reader"), reader
        self._read_db = reader()
        self._threads = [threading.Thread(target=self._run, name=f"writer-{n}", daemon=True) for n in range(writers)]
        for thread in self._threads:
            thread.start()

    # For the event loop.

    def order(self, order: Order) -> "asyncio.Future[Reply]":
        """Have an order carried out."""
        return self._enqueue(order)

    def deal(self, chain: str) -> "asyncio.Future[Reply]":
        """Have the automatic dealer of a table look whether something is due."""
        return self._enqueue(Deal(chain))

    def do(self, work: Callable[[Writer], T]) -> "asyncio.Future[T]":
        """Have something else done by a writer."""
        future: asyncio.Future[T] = self._loop.create_future()
        with self._condition:
            if why := self._refusal_reason():
                future.set_exception(DatabaseFailure(why))
                return future
            self._jobs.append(_Job(work, future))  # type: ignore[arg-type]
            self._condition.notify()
        return future

    def read(self, look: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Look something up, beside the writers."""
        return self._loop.run_in_executor(self._reader, self._read_with_retry, look)

    def _read_with_retry(self, look: Callable[[Connection], T]) -> T:
        """Look something up; where the connection was lost, once more on another."""
        try:
            return look(self._read_db)
        except DatabaseFailure:
            if self._read_db.one_writer:
                raise
            with suppress(Exception):
                self._read_db.close()
            self._read_db = self._connect_to_read()
            return look(self._read_db)

    def _refusal_reason(self) -> str:
        """Say why nothing is taken now, if so."""
        return self.halted or ("The server is being stopped." if self._stopping else "")

    async def stop(self) -> None:
        """Finish what was begun, and stop."""
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

    # For the threads.

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
        """Take what there is, as many orders as one transaction has."""
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
        """Take no more orders, and carry out none of those that wait."""
        log.critical("halted: %s", error)
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
        """With PostgreSQL, take orders again once it can be reached; SQLite waits for somebody to look."""
        if not clerk.db.one_writer:
            with suppress(Exception):
                clerk.db.close()
        while not clerk.db.one_writer and not self._stopping:
            try:
                clerk = Writer(self._connect(), self._source, self.now, self._zone)
            except Exception:  # noqa: BLE001 (whatever it is, it is tried again)
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
        except Exception as error:  # noqa: BLE001 (whoever asked is told)
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
    """Carry orders out together; where that fails for one of them, one by one, and again if others were in the way."""
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
            log.exception("an order could not be carried out")
            done.append((asked[0][1], error))
    else:
        done += [(future, reply) for (_, future), reply in zip(asked, replies, strict=True)]
        collect_changes(desk, changes)


def collect_changes(desk: Desk, changes: dict[str, TableChange]) -> None:
    """Gather what a desk has just done, by table; a table may be run otherwise, or stuck, though nothing happened."""
    for chain, replayed in desk.happened:
        before = changes[chain].happened if chain in changes else []
        changes[chain] = TableChange(desk.standings[chain], [*before, replayed])
    for chain in desk.altered:
        changes[chain] = TableChange(desk.standings[chain], changes[chain].happened if chain in changes else [])


def _resolve_future(future: "asyncio.Future[T]", result: object) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)  # type: ignore[arg-type]
