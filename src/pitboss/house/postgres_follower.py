"""Following what other processes do to the tables of one PostgreSQL: woken by them, then read by position."""

import logging
import threading
from collections.abc import Callable, Iterable

from pitboss.house.desk import Desk
from pitboss.house.postgres import CHANNEL, ORIGIN, Postgres
from pitboss.house.writers import TableChange, collect_changes

log = logging.getLogger("pitboss.house")


class Follower:
    """A thread that hears of every commit of another process, and tells of the tables after it."""

    def __init__(self, url: str, hear: Callable[[dict[str, TableChange]], None], house: Callable[[], None]) -> None:
        """Begin to follow; `house` is called when something of the whole house changed."""
        self._url, self._hear, self._house = url, hear, house
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Follow no longer."""
        self._stopping.set()
        self._thread.join(5)

    def _run(self) -> None:
        """Follow; where the connection is lost, come back and look at every table again."""
        while not self._stopping.is_set():
            try:
                self._listen()
            except Exception:
                log.exception("the follower begins again")
                self._stopping.wait(1)

    def _listen(self) -> None:
        listening, reading = Postgres(self._url), Postgres(self._url)
        try:
            listening.execute(f"LISTEN {CHANNEL}")
            desk = Desk(reading)
            self._refresh_tables(
                desk, [name for (name,) in reading.execute("SELECT id FROM chain WHERE kind = 'table'")]
            )
            while not self._stopping.is_set():
                notices = [*listening.db.notifies(timeout=0.2, stop_after=1), *listening.db.notifies(timeout=0)]
                told = [notice.payload.partition(" ") for notice in notices]
                woken = {chain for origin, _, chain in told if origin != ORIGIN}
                if "house" in woken:
                    self._house()
                self._refresh_tables(desk, woken - {"house"})
        finally:
            listening.close()
            reading.close()

    def _refresh_tables(self, desk: Desk, chains: Iterable[str]) -> None:
        for chain in chains:
            changes: dict[str, TableChange] = {}
            known = chain in desk.standings
            if standing := desk.look(chain):
                collect_changes(desk, changes)  # what was before it was first looked at is nothing new
                self._hear(changes if known else {chain: TableChange(standing, [])})
