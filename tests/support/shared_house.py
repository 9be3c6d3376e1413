"""A house that the tests of a file share: every test has its own tables and patrons."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from house_server import PASSWORD, Server

from pitboss.house.office.people import Post
from pitboss.house.startup import DEMO_MONEY, DEMO_PEOPLE
from pitboss.submission import DEMONSTRATION, text_of


class Guest(NamedTuple):
    """A person who is signed in."""

    name: str
    token: str


class SharedHouse(Server):
    """The shipped server, with new tables and patrons on request."""

    def __init__(self, data: Path, **environment: str) -> None:
        """Begin with the demonstration, and nobody signed in."""
        super().__init__(data, **environment)
        self._numbers = count(2)  # the demonstration's own tables and patrons are the first
        self._tokens: dict[str, str] = {}

    def token(self, name: str) -> str:
        """Return the session of one of the staff, the same for every test."""
        if name not in self._tokens:
            self._tokens[name] = self.session(name)
        return self._tokens[name]

    def guest(self, name: str) -> Guest:
        """Return one of the staff, or a new patron named like a demo patron, with as much money."""
        if DEMO_PEOPLE[name] is not Post.PATRON:
            return Guest(name, self.token(name))
        number = next(self._numbers)
        patron = f"{name}-{number}"
        self.do("olga", type="Hire", name=patron, post=Post.PATRON, password=PASSWORD)
        self.do("olga", type="BuyIn", patron=patron, amount=DEMO_MONEY)
        return Guest(patron, self.session(patron))

    def do(self, who: str, **act: object) -> Any:
        """Send an act of one of the staff; it must be accepted."""
        status, done = self.act(self.token(who), f"shared-{next(self._numbers)}", **act)
        assert status == 200, done
        return done

    def order(self, token: str, table: str, **command: object) -> Any:
        """Send an order that must be accepted."""
        key = f"shared-{next(self._numbers)}"
        status, done = self.request(
            "POST", f"/api/tables/{table}/orders", {"command": command}, token, Idempotency_Key=key
        )
        assert status == 200, done
        return done

    def table(
        self, game: str, *, scanned: bool = False, changes: Mapping[str, str] | None = None, **settings: object
    ) -> str:
        """Open a table by a preset, or as in the demonstration, with a clock that causes nothing by itself.

        Bets close when all seated players have wagered, and a settled round stays; with `rest=0` the next round begins at once.
        """
        text = text_of(DEMONSTRATION.get(game, game))
        for old, new in (changes or {}).items():
            assert old in text, old
            text = text.replace(old, new)
        name = f"{game}-{next(self._numbers)}"
        run = {"betting": 3600, "rest": 3600, **settings}
        self.do("olga", type="OpenTable", table=name, submission=text, scanned=scanned, settings=run)
        return name
