"""A house that a test knows from both sides: a server, the books it writes, and everybody's token."""

from itertools import count
from typing import Any

from house_server import Server
from websockets.sync.client import ClientConnection, connect

from pitboss.house.startup import DEMO_PEOPLE
from pitboss.house.storage.sqlite import Sqlite

Headers = dict[str, str]
"""Of a request, by name."""
TABLE = "caribbean-stud"
"""A table that is open in every demonstration."""

FAILED = "(chain = 'house' AND CAST(body AS TEXT) LIKE '%\"what\":\"failed sign-in%')"
"""Entries that note a sign-in that failed."""
KNOWN = {
    "entry": f"SELECT chain, seq, body, CASE chain WHEN 'house' THEN '' ELSE hash END FROM entry WHERE NOT {FAILED}",
    "chain": "SELECT id, kind, header, is_open, settings, played, CASE id WHEN 'house' THEN '' ELSE seq || hash END FROM chain",
}
"""What is looked at without them: where the house's log ends, and how it is bound, depends on them."""


class Books:
    """What the house has written down, read anew each time."""

    def __init__(self, server: Server) -> None:
        self._db = Sqlite(server.data / "house.db", read_only=True)
        named = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        self._names = [
            name for (name,) in named if name not in {"answered", "checkpoint", "session"} and name[:7] != "sqlite_"
        ]

    def all(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row but answers and sessions, and that a sign-in failed."""
        return {name: self._db.execute(KNOWN.get(name, f"SELECT * FROM {name}")) for name in self._names}

    def heads(self) -> list[Any]:
        """What no refused request changes: where the logs end, what accounts hold, who is known.

        But for a note that a sign-in failed, in the house's log.
        """
        tables = ("chain", "account", "meter", "approval", "person")
        return [
            *(self._db.execute(KNOWN.get(name, f"SELECT * FROM {name}")) for name in tables),
            self.count("entry") - len(self._db.execute(f"SELECT 1 FROM entry WHERE {FAILED}")),
            self.count("posting"),
        ]

    def count(self, name: str) -> int:
        return int(self._db.execute(f"SELECT COUNT(*) FROM {name}")[0][0])

    def check(self) -> None:
        """The books balance: to nothing, with their postings, and no patron owes."""
        balances = dict[str, int](self._db.execute("SELECT name, balance FROM account"))
        posted = dict[str, int](self._db.execute("SELECT account, SUM(amount) FROM posting GROUP BY account"))
        assert sum(balances.values()) == 0
        assert {name: amount for name, amount in balances.items() if amount} == {
            name: amount for name, amount in posted.items() if amount
        }
        assert [name for name, amount in balances.items() if name.startswith("patron/") and amount < 0] == []

    def close(self) -> None:
        self._db.close()


class House:
    """A server, its books, and everybody's token."""

    def __init__(self, server: Server) -> None:
        self.server, self.books, self._keys = server, Books(server), count(1)
        self.tokens = {name: server.session(name) for name in DEMO_PEOPLE}

    def headers(self, who: str) -> Headers:
        return {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def failures(self) -> list[str]:
        """What the server has logged as its own fault; text that is none is logged as an error and is the client's."""
        lines = (self.server.data.parent / "server.log").read_text("utf-8").splitlines()
        faults = ('"level":"error"', '"level":"critical"', "Traceback")
        wrong = [line for line in lines if any(fault in line for fault in faults)]
        return [line for line in wrong if "Invalid UTF-8 sequence received from client" not in line]

    def socket(self, who: str) -> ClientConnection:
        url = self.server.url.replace("http", "ws") + "/api/live"
        return connect(url, additional_headers=self.headers(who), max_queue=None)
