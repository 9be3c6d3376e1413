"""The shipped server under load, through its public API, durable; and the machine's own rate of flushing to the disk.

A round is two orders, Wager and Decide, each answered after its commit; the automatic dealer does the rest. The clients
run on the same cores as the server.
"""

import asyncio
import json
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from house_server import Server
from postgres_cluster import running_cluster
from rich.console import Console
from rich.table import Table as Page
from websockets.asyncio.client import ClientConnection, connect

from pitboss.house.config import Config
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import BuyIn, Hire, OpenTable
from pitboss.house.office.office import Office
from pitboss.house.office.people import Person, Post, begin_session
from pitboss.house.startup import connect as connect_house
from pitboss.house.startup import open_house
from pitboss.submission import text_of

AIMS = {"SQLite": 1_000, "PostgreSQL": 500}
AIM_P99 = 150.0
SECONDS = 8.0
PLAYERS = 64
CLIENTS, TABLES, ACTIONS, WATCHERS = 5_000, 700, 50, 500
_WAGER: dict[str, Any] = {"type": "Wager", "seat": 1, "wagers": {"ante": 1000}}
_DECIDE: dict[str, Any] = {"type": "Decide", "seat": 1, "multiple": 2}
_BOSS = Person("bench", Post.OPERATOR)


def run() -> bool:
    """Measure everything, print it, and say whether the aims are met."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 65_536), limit))
    page = Page(box=None, header_style="dim", pad_edge=False)
    for column in ("the house", "figure", "aim"):
        page.add_column(column)
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        page.add_row("this machine flushes to the disk", f"{_flushes(Path(folder)):,.0f} times a second", "")
        fine &= _throughput(page, "SQLite", Path(folder) / "sqlite")
        with running_cluster() as cluster, cluster.database() as url:
            fine &= _throughput(page, "PostgreSQL", Path(folder) / "postgres", url)
        fine &= _latency(page, Path(folder) / "many", TABLES, CLIENTS)
        fine &= _latency(page, Path(folder) / "one", 1, WATCHERS)
    Console().print(page)
    return fine


def _flushes(folder: Path) -> float:
    """Return how often a second 4 KiB are written and flushed."""
    count, begun = 0, time.perf_counter()
    with (folder / "flush").open("wb") as file:
        while time.perf_counter() - begun < 1:
            file.write(b"\0" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            count += 1
    return count / (time.perf_counter() - begun)


def _opened(folder: Path, players: int, database: str = "") -> tuple[Server, list[str]]:
    """Open a house with a table and a patron for each, and return it with their sessions."""
    folder.mkdir()
    config = Config(data=str(folder / "data"), database=database, demo=False)
    db = connect_house(config)
    office = Office(db, time.time)
    open_house(db, config, office)
    text, tokens = text_of("caribbean-stud-standard"), []
    for number in range(players):
        office.do(_BOSS, OpenTable(f"t{number}", text, Settings(betting=0)), f"t{number}")
        office.do(_BOSS, Hire(f"p{number}", Post.PATRON, "none"), f"h{number}")
        office.do(_BOSS, BuyIn(f"p{number}", 1_000_000_00), f"b{number}")
        with db.transaction():
            begun = begin_session(db, f"p{number}", int(time.time()))
        assert begun
        tokens.append(begun[0])
    db.close()
    more = ["--database", database] if database else []
    return Server(folder / "data", *more, PITBOSS_DEMO="false").start(), tokens


def _socket(server: Server, token: str = "") -> connect:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    url = server.url.replace("http", "ws") + "/api/live"
    return connect(url, additional_headers=headers, ping_interval=None, compression=None, max_queue=None)


class _Player:
    """Plays one box, one order after another."""

    def __init__(self, line: ClientConnection, number: int) -> None:
        self.line, self.number, self.rounds, self.orders, self._keys = line, number, 0, 0, 0

    async def order(self, **command: Any) -> dict[str, Any]:  # noqa: ANN401 (JSON)
        """Have an order carried out, and return its answer."""
        self._keys += 1
        key = f"k{self._keys}"
        text = {"type": "order", "key": key, "table": f"t{self.number}", "command": command}
        await self.line.send(json.dumps(text))
        while True:
            message: dict[str, Any] = json.loads(await self.line.recv())
            if message["type"] == "reply" and message["key"] == key:
                self.orders += 1
                return message

    async def round(self) -> None:
        """Play one round: two orders."""
        await self.order(**_WAGER)
        await self.order(**_DECIDE)
        self.rounds += 1


def _throughput(page: Page, name: str, folder: Path, database: str = "") -> bool:
    server, tokens = _opened(folder, PLAYERS, database)
    try:
        rounds, orders = asyncio.run(_played(server, tokens))
    finally:
        server.stop()
    page.add_row(f"rounds settled on {name}", f"{rounds:,.0f} a second, {orders:,.0f} orders", f"{AIMS[name]:,}")
    return rounds >= AIMS[name]


async def _played(server: Server, tokens: list[str]) -> tuple[float, float]:
    lines = await _connected(server, tokens)
    players = [_Player(line, number) for number, line in enumerate(lines)]
    for player in players:
        await player.order(type="Sit", seat=1)
    begun = time.perf_counter()

    async def along(player: _Player) -> None:
        while time.perf_counter() - begun < SECONDS:
            await player.round()

    await asyncio.gather(*(along(player) for player in players))
    took = time.perf_counter() - begun
    await asyncio.gather(*(line.close() for line in lines))
    return sum(player.rounds for player in players) / took, sum(player.orders for player in players) / took


def _latency(page: Page, folder: Path, tables: int, clients: int) -> bool:
    server, tokens = _opened(folder, tables)
    try:
        times = asyncio.run(_watched(server, tokens, clients))
    finally:
        server.stop()
    p99 = statistics.quantiles(times, n=100)[98] * 1000
    told = f"p50 {statistics.median(times) * 1000:.0f} ms, p99 {p99:.0f} ms from action to broadcast"
    rate = f"{ACTIONS} actions a second" if tables > 1 else "one action at a time"
    page.add_row(
        f"{clients:,} sockets over {tables:,} tables, {rate}", f"{told} ({len(times):,} frames)", f"{AIM_P99:.0f} ms"
    )
    return p99 <= AIM_P99


async def _connected(server: Server, tokens: list[str]) -> list[ClientConnection]:
    """Open a socket for each, a hundred at a time; an empty token is the public."""
    lines: list[ClientConnection] = []
    for start in range(0, len(tokens), 100):
        lines += await asyncio.gather(*(_socket(server, token) for token in tokens[start : start + 100]))
    return lines


class _Watch:
    """How long it takes from an action at a table to those who watch it."""

    def __init__(self, tables: int) -> None:
        self.sent = dict.fromkeys(range(tables), 0.0)
        self.times: list[float] = []
        self.pause = tables / ACTIONS if tables > 1 else 0.1

    async def watch(self, line: ClientConnection, table: int) -> None:
        """Note when something is told of a table."""
        await line.send(json.dumps({"type": "watch", "table": f"t{table}"}))
        async for text in line:
            if '"type":"table"' in str(text)[:40] and self.sent[table]:
                self.times.append(time.perf_counter() - self.sent[table])

    async def act(self, player: _Player) -> None:
        """Play, one order after a pause."""
        await asyncio.sleep(self.pause * player.number / len(self.sent))
        begun = time.perf_counter()
        while time.perf_counter() - begun < SECONDS + self.pause:
            for command in (_WAGER, _DECIDE):
                self.sent[player.number] = time.perf_counter()
                await player.order(**command)
                await asyncio.sleep(self.pause)


async def _watched(server: Server, tokens: list[str], clients: int) -> list[float]:
    tables = len(tokens)
    lines = await _connected(server, tokens)
    watching = await _connected(server, [""] * (clients - tables))
    players, watch = [_Player(line, number) for number, line in enumerate(lines)], _Watch(tables)
    tasks = [asyncio.create_task(watch.watch(line, number % tables)) for number, line in enumerate(watching)]
    for player in players:
        await player.order(type="Sit", seat=1)
    await asyncio.sleep(1)
    watch.times.clear()
    await asyncio.gather(*(watch.act(player) for player in players))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for line in (*lines, *watching):
        line.transport.abort()
    return watch.times
