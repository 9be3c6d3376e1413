"""A house from both sides: a server, its database, and everybody's token."""

from itertools import count
from typing import Any

from house_server import Server
from websockets.sync.client import ClientConnection, connect

from pitboss.house.startup import DEMO_PEOPLE
from pitboss.house.storage.sqlite import Sqlite

Headers = dict[str, str]
"""Headers of a request, by name."""
TABLE = "caribbean-stud"
"""A table that is open in every demonstration."""

FAILED = "(chain = 'house' AND CAST(body AS TEXT) LIKE '%\"what\":\"failed sign-in%')"
"""Log entries of failed sign-ins."""
KNOWN = {
    "entry": f"SELECT chain, seq, body, CASE chain WHEN 'house' THEN '' ELSE hash END FROM entry WHERE NOT {FAILED}",
    "chain": "SELECT id, kind, header, is_open, settings, played, CASE id WHEN 'house' THEN '' ELSE seq || hash END FROM chain",
}
"""Tables compared without failed sign-ins, which change the end and the hashes of the house's log."""


class Books:
    """The database of the house, read again each time."""

    def __init__(self, server: Server) -> None:
        self._db = Sqlite(server.data / "house.db", read_only=True)
        named = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        self._names = [
            name for (name,) in named if name not in {"answered", "checkpoint", "session"} and name[:7] != "sqlite_"
        ]

    def all(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row except answers, sessions and failed sign-ins."""
        return {name: self._db.execute(KNOWN.get(name, f"SELECT * FROM {name}")) for name in self._names}

    def heads(self) -> list[Any]:
        """The data that no refused request changes: ends of logs, balances, people.

        Failed sign-ins in the house's log are ignored.
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
        """Assert that balances sum to zero and match their postings, and that no patron owes."""
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
        """The server's own errors in its log; undecodable text is the client's error."""
        lines = (self.server.data.parent / "server.log").read_text("utf-8").splitlines()
        faults = ('"level":"error"', '"level":"critical"', "Traceback")
        wrong = [line for line in lines if any(fault in line for fault in faults)]
        return [line for line in wrong if "Invalid UTF-8 sequence received from client" not in line]

    def socket(self, who: str) -> ClientConnection:
        url = self.server.url.replace("http", "ws") + "/api/live"
        return connect(url, additional_headers=self.headers(who), max_queue=None)
