"""Follows commits of other processes on one PostgreSQL: a notification wakes it, then it reads the new entries."""

import logging
import threading
from collections.abc import Callable, Iterable

from pitboss.house.desk.desk import Desk
from pitboss.house.storage.logs import HOUSE
from pitboss.house.storage.postgres import Postgres
from pitboss.house.storage.tables import all_tables
from pitboss.house.writers import TableChange, collect_changes

log = logging.getLogger("pitboss.house")


class Follower:
    """A thread that reports tables changed by other processes."""

    def __init__(self, url: str, hear: Callable[[dict[str, TableChange]], None], house: Callable[[], None]) -> None:
        """Start the thread; `hear` gets changed tables, `house` is called when the house's log grew."""
        self._url, self._hear, self._house = url, hear, house
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._stopping.set()
        self._thread.join(5)

    def _run(self) -> None:
        """Listen until stopped; after a failure reconnect and load every table again."""
        while not self._stopping.is_set():
            try:
                self._listen()
            except Exception:
                log.exception("the follower lost its connection and reconnects")
                self._stopping.wait(1)

    def _listen(self) -> None:
        listening, reading = Postgres(self._url), Postgres(self._url)
        try:
            listening.listen()
            desk = Desk(reading)
            self._refresh_tables(desk, all_tables(reading))
            while not self._stopping.is_set():
                changed = listening.changed_logs(timeout=0.2)
                if HOUSE in changed:
                    self._house()
                self._refresh_tables(desk, changed - {HOUSE})
        finally:
            listening.close()
            reading.close()

    def _refresh_tables(self, desk: Desk, chains: Iterable[str]) -> None:
        for chain in chains:
            changes: dict[str, TableChange] = {}
            known = chain in desk.live_tables
            if live := desk.read_table(chain):
                collect_changes(desk, changes)  # entries before the first load are not news
                self._hear(changes if known else {chain: TableChange(live, [])})
