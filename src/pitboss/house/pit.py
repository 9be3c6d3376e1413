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
from pitboss.house.desk import Desk
from pitboss.house.driver import Broken, Conflict, Connection
from pitboss.house.evidence import checkpoint
from pitboss.house.office import POSTS, Done, Office
from pitboss.house.orders import Deal, Order, Reply
from pitboss.house.people import Person
from pitboss.house.standing import Standing
from pitboss.house.times import times
from pitboss.house.zone import PENNSYLVANIA
from pitboss.record.replay import Replayed
from pitboss.table.shoe import Source, system

BATCH: Final = 256
"""Orders in one transaction, at most."""
T = TypeVar("T")
log = logging.getLogger("pitboss.house")


class Change(NamedTuple):
    """A table after a commit, and what happened to it."""

    standing: Standing
    happened: list[Replayed]


class _Job(NamedTuple, Generic[T]):
    work: Callable[["Clerk"], T]
    future: "asyncio.Future[T]"


_Asked = tuple[Order | Deal, "asyncio.Future[Reply]"]
_Answer = tuple["asyncio.Future[Reply]", Reply | Exception]


class Clerk:
    """What a writing thread has at hand."""

    def __init__(
        self, connection: Connection, source: Source, now: Callable[[], float], zone: str = PENNSYLVANIA
    ) -> None:
        """Begin with a connection."""
        self.db = connection
        self.desk = Desk(connection, source=source, now=now, zone=zone)
        self.office = Office(connection, now, zone)

    def do(self, person: Person, act: Act, key: str) -> Done:
        """Do what concerns the whole house; tables that it changes are looked at anew."""
        if isinstance(act, CloseTable) and (standing := self.desk.look(act.table)):
            table = standing.table
            if table.called or table.unacknowledged or table.boxes:
                return Done(accepted=False, why="A table is closed between rounds.", cite=POSTS)
        done = self.office.do(person, act, key)
        if isinstance(act, CloseTable | Suspend | Resume):
            self.desk.forget(act.table)
        return done

    def checkpoint(self, key: Ed25519PrivateKey, now: int) -> None:
        """Sign where everything stands, one process at a time; while another is at it, orders do not wait for that."""
        with self.db.alone(wait=False) as alone:
            if alone:
                checkpoint(self.db, key, now)

    def touch(self, session: str, now: int) -> None:
        """Note that a session is in use."""
        with self.db.transaction():
            self.db.execute("UPDATE session SET seen = ? WHERE id = ?", (now, session))


class Pit:
    """Takes orders from an event loop, has them carried out by threads, and tells of every change."""

    def __init__(  # noqa: PLR0913 (what it works with)
        self,
        connect: Callable[[], Connection],
        reader: Callable[[], Connection],
        *,
        writers: int = 1,
        source: Source = system,
        now: Callable[[], float] = time.time,
        zone: str = PENNSYLVANIA,
    ) -> None:
        """Begin with a way to connect, and one to connect for reading."""
        self._connect, self._source, self.now, self._zone = connect, source, times(now), zone
        self._condition = threading.Condition()
        self._orders: dict[str, list[_Asked]] = {}
        self._ready: deque[str] = deque()
        self._jobs: deque[_Job[object]] = deque()
        self._stopping = False
        self.halted = ""
        """Why no order is taken, if so."""
        self.hear: Callable[[dict[str, Change]], None] = lambda _: None
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
        return self._queued(order)

    def deal(self, chain: str) -> "asyncio.Future[Reply]":
        """Have the automatic dealer of a table look whether something is due."""
        return self._queued(Deal(chain))

    def do(self, work: Callable[[Clerk], T]) -> "asyncio.Future[T]":
        """Have something else done by a writer."""
        future: asyncio.Future[T] = self._loop.create_future()
        with self._condition:
            if why := self._closed():
                future.set_exception(Broken(why))
                return future
            self._jobs.append(_Job(work, future))  # type: ignore[arg-type]
            self._condition.notify()
        return future

    def read(self, look: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Look something up, beside the writers."""
        return self._loop.run_in_executor(self._reader, self._looked, look)

    def _looked(self, look: Callable[[Connection], T]) -> T:
        """Look something up; where the connection was lost, once more on another."""
        try:
            return look(self._read_db)
        except Broken:
            if self._read_db.one_writer:
                raise
            with suppress(Exception):
                self._read_db.close()
            self._read_db = self._connect_to_read()
            return look(self._read_db)

    def _closed(self) -> str:
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

    def _queued(self, order: Order | Deal) -> "asyncio.Future[Reply]":
        future: asyncio.Future[Reply] = self._loop.create_future()
        with self._condition:
            if why := self._closed():
                future.set_exception(Broken(why))
                return future
            if order.chain not in self._orders:
                self._orders[order.chain] = []
                self._ready.append(order.chain)
                self._condition.notify()
            self._orders[order.chain].append((order, future))
        return future

    # For the threads.

    def _run(self) -> None:
        clerk = Clerk(self._connect(), self._source, self.now, self._zone)
        while True:
            with self._condition:
                while not (self._ready or self._jobs or self._stopping):
                    self._condition.wait()
                if not (self._ready or self._jobs):
                    clerk.db.close()
                    return
                job = self._jobs.popleft() if self._jobs else None
                taken = {} if job else self._taken()
            clerk = self._did(clerk, job) if job else self._carried(clerk, taken)

    def _taken(self) -> dict[str, list[_Asked]]:
        """Take what there is, as many orders as one transaction has."""
        taken: dict[str, list[_Asked]] = {}
        count = 0
        while self._ready and count < BATCH:
            chain = self._ready.popleft()
            taken[chain] = self._orders.pop(chain)
            count += len(taken[chain])
        return taken

    def _carried(self, clerk: Clerk, taken: dict[str, list[_Asked]]) -> Clerk:
        asked = [one for held in taken.values() for one in held]
        done: list[_Answer] = []
        changes: dict[str, Change] = {}
        broken = False
        try:
            _tried(clerk.desk, asked, done, changes)
        except Broken as error:
            broken = True
            self._halt(error)
            done += [(future, error) for _, future in asked[len(done) :]]
        self._loop.call_soon_threadsafe(self._deliver, done, changes)
        return self._mended(clerk) if broken else clerk

    def _halt(self, error: Broken) -> None:
        """Take no more orders, and carry out none of those that wait."""
        log.critical("halted: %s", error)
        with self._condition:
            self.halted = f"The database failed: {error}"
            waiting: list[asyncio.Future[Any]] = [future for held in self._orders.values() for _, future in held]
            waiting += [job.future for job in self._jobs]
            self._orders.clear()
            self._ready.clear()
            self._jobs.clear()
            refused = Broken(self.halted)
        for future in waiting:
            self._loop.call_soon_threadsafe(_settle, future, refused)

    def _mended(self, clerk: Clerk) -> Clerk:
        """With PostgreSQL, take orders again once it can be reached; SQLite waits for somebody to look."""
        if not clerk.db.one_writer:
            with suppress(Exception):
                clerk.db.close()
        while not clerk.db.one_writer and not self._stopping:
            try:
                clerk = Clerk(self._connect(), self._source, self.now, self._zone)
            except Exception:  # noqa: BLE001 (whatever it is, it is tried again)
                time.sleep(1)
            else:
                self.halted = ""
                break
        return clerk

    def _did(self, clerk: Clerk, job: _Job[object]) -> Clerk:
        try:
            result: object = job.work(clerk)
        except Broken as error:
            self._halt(error)
            self._loop.call_soon_threadsafe(_settle, job.future, error)
            clerk = self._mended(clerk)
        except Exception as error:  # noqa: BLE001 (whoever asked is told)
            self._loop.call_soon_threadsafe(_settle, job.future, error)
        else:
            self._loop.call_soon_threadsafe(_settle, job.future, result)
        return clerk

    def _deliver(self, done: list[_Answer], changes: dict[str, Change]) -> None:
        for future, result in done:
            _settle(future, result)
        self.hear(changes)


def _tried(desk: Desk, asked: list[_Asked], done: list[_Answer], changes: dict[str, Change], again: int = 5) -> None:
    """Carry orders out together; where that fails for one of them, one by one, and again if others were in the way."""
    try:
        replies = desk.carry_out([order for order, _ in asked])
    except Broken:
        raise
    except Conflict as conflict:
        if len(asked) > 1 or again:
            for one in asked:
                _tried(desk, [one], done, changes, again - 1)
        else:
            done.append((asked[0][1], conflict))
    except Exception as error:
        if len(asked) > 1:
            for one in asked:
                _tried(desk, [one], done, changes)
        else:
            log.exception("an order could not be carried out")
            done.append((asked[0][1], error))
    else:
        done += [(future, reply) for (_, future), reply in zip(asked, replies, strict=True)]
        gathered(desk, changes)


def gathered(desk: Desk, changes: dict[str, Change]) -> None:
    """Gather what a desk has just done, by table; a table may be run otherwise, or stuck, though nothing happened."""
    for chain, replayed in desk.happened:
        before = changes[chain].happened if chain in changes else []
        changes[chain] = Change(desk.standings[chain], [*before, replayed])
    for chain in desk.altered:
        changes[chain] = Change(desk.standings[chain], changes[chain].happened if chain in changes else [])


def _settle(future: "asyncio.Future[T]", result: object) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)  # type: ignore[arg-type]
