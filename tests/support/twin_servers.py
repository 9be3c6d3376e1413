"""Servers in this process that differ only in the cards of chosen places: decks, a house to copy, and its server."""

import gc
import logging
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
import uvicorn
from house_server import free_port
from waiting import TIMEOUT

from pitboss.cards import DECK, Card
from pitboss.house.config import Config
from pitboss.house.evidence import signing_key
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import BuyIn, Hire, OpenTable
from pitboss.house.office.office import Office, begin_house_log
from pitboss.house.office.people import Person, Post, begin_session
from pitboss.house.startup import DEMO_PEOPLE
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.sqlite import Sqlite
from pitboss.house.writers import WriterPool
from pitboss.submission import text_of
from pitboss.table.shoe import Source, cut, seeded_source
from pitboss.web import runtime, server
from pitboss.web.json_logging import json_formatter
from pitboss.web.runtime import Runtime

NOW = 1_900_000_000
"""The time at every server."""
TABLE = "table"
"""The only table of the house."""


class Game:
    """One game: its Submission, the wagers and raises of Ann and Bob, and the place of each card of a deck."""

    def __init__(
        self, preset: str, side: str, multiple: int, decisions: int, places: Mapping[str, Sequence[int]]
    ) -> None:
        self.preset, self.multiple, self.decisions = preset, multiple, decisions
        self.wagers = {"bob": {"ante": 1000}, "ann": {"ante": 1000, side: 100}}
        dealt = {place for held in places.values() for place in held}
        self.places = {**places, "stub": [place for place in range(len(DECK)) if place not in dealt]}


GAMES = {
    "caribbean stud": Game(
        "caribbean-stud-standard",
        "progressive",
        multiple=2,
        decisions=1,
        places={"bob": range(0, 15, 3), "ann": range(1, 15, 3), "up": [2], "dealer": range(5, 15, 3)},
    ),
    "four card prime": Game(
        "four-card-prime-standard",
        "all-six",
        multiple=1,
        decisions=1,
        places={"all-six": [0], "bob": range(1, 16, 3), "ann": range(2, 16, 3), "dealer": [*range(3, 16, 3), 16]},
    ),
    "cajun stud": Game(
        "cajun-stud-rack-card",
        "all-six",
        multiple=1,
        decisions=3,
        places={"all-six": [0], "board 3": [1], "board 2": [2], "board 1": [3], "bob": [4, 6], "ann": [5, 7]},
    ),
}


def decks(game: Game, hidden: Sequence[str]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Two decks, in the order of the deal, that differ exactly in the cards of these places."""
    chance = Random(f"decks of {game.preset}")  # noqa: S311 (a test that can be repeated)
    one = list(DECK)
    chance.shuffle(one)
    places = [place for name in hidden for place in game.places.get(name, ())]
    other = one.copy()
    for place, beside in zip(places, [*places[7:], *places[:7]], strict=True):
        other[place] = one[beside]
    assert all((one[place] == other[place]) == (place not in places) for place in range(len(DECK)))
    return tuple(one), tuple(other)


DEPTH = 10
"""The depth of the cut: the number of cards above the cover card."""


def stacked_source(deck: tuple[Card, ...]) -> Source:
    """A source of bytes that makes the first shuffle and cut give this deck; other bytes are seeded."""
    order, draws, wanted = list(DECK), [], cut(deck, len(deck) - DEPTH)
    for last in range(len(order) - 1, 0, -1):  # Fisher and Yates
        other = order.index(wanted[last])
        order[last], order[other] = order[other], order[last]
        draws.append(other)
    draws.append(0)  # the cover card as high as it may be
    rest = seeded_source("secrecy")
    return lambda length: bytes([draws.pop(0)]) if length == 1 and draws else rest(length)


class Template:
    """The folder of a house with one table, to be copied: everybody is signed in, and the signing key exists."""

    def __init__(self, folder: Path, game: Game, *, automatic: bool) -> None:
        self.folder, self.game, self.automatic = folder, game, automatic
        signing_key(folder)
        db = Sqlite(folder / "house.db")
        migrate(db)
        with db.transaction():
            begin_house_log(db)
        office, boss = Office(db, lambda: NOW), Person("house", Post.OPERATOR)
        for name, post in DEMO_PEOPLE.items():
            assert office.do(boss, Hire(name, post, "no password"), f"hire {name}").accepted
            if post is Post.PATRON:
                assert office.do(boss, BuyIn(name, 10_000_00), f"cash of {name}").accepted
        opening = OpenTable(TABLE, text_of(game.preset), Settings(automatic=automatic))
        assert office.do(boss, opening, "open").accepted
        with db.transaction():
            begun = {name: begin_session(db, name, NOW) for name in DEMO_PEOPLE}
        self.tokens = {name: session[0] for name, session in begun.items() if session}
        db.close()


class LogLines(logging.Handler):
    """Collects the house's log lines, without the time."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(json_formatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep lines of the house, and all warnings."""
        if record.name.startswith("pitboss") or record.levelno >= logging.WARNING:
            self.lines.append(re.sub(r'"time":"[^"]*"', "", self.format(record)))


class Running:
    """The application under uvicorn, in a thread, on a loopback port; its log lines are kept."""

    def __init__(self, folder: Path, source: Source) -> None:
        self.port, self.folder, self._logged = free_port(), folder, LogLines()
        logging.getLogger().addHandler(self._logged)
        logging.getLogger("pitboss").setLevel(logging.DEBUG)
        config = Config(data=str(folder), orders_per_second=100_000, port=self.port)
        self.app = server.application(config, source)
        settings = uvicorn.Config(
            self.app,
            port=self.port,
            log_config=None,
            access_log=False,
            ws_ping_interval=None,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(settings)
        self._thread = threading.Thread(target=self._server.run, name="house")
        self._thread.start()
        while not (self._server.started and self.runtime.hub.live_tables):
            assert self._thread.is_alive()
            time.sleep(0.005)

    @property
    def log(self) -> list[str]:
        """The log lines until now."""
        return self._logged.lines

    @property
    def runtime(self) -> Runtime:
        """The application's runtime state."""
        found: Runtime = self.app.state["runtime"]
        return found

    def stop(self) -> None:
        """Stop the server normally."""
        self._server.should_exit = True
        self._thread.join(TIMEOUT)
        logging.getLogger().removeHandler(self._logged)
        logging.getLogger("pitboss").setLevel(logging.NOTSET)
        assert not self._thread.is_alive()


def stop_clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For a fixture: stop the servers' clocks, and run their periodic tasks more often, so that tests wait less.

    Restores the garbage collector, which a server changes.
    """
    monkeypatch.setattr(server, "WriterPool", partial(WriterPool, now=lambda: NOW))
    monkeypatch.setattr(runtime, "_repeat", lambda pause, work, again=runtime._repeat: again(pause / 10, work))
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)
