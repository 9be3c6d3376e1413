"""Guarantee 3: orders delivered one to five times, out of order, over sockets that break, have one effect for each key."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

import pytest
from house_server import TABLES, Server
from slices import ORDERS_OVER_SOCKETS as ORDERS
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pitboss.house.storage.sqlite import Sqlite
from pitboss.money import CENT
from pitboss.record.chain import decode_entry
from pitboss.table import Role, Wager

KEYS = "house rule: one effect for each idempotency key"
Tell = Callable[[str], None]
WINDOW = 60
"""How many orders may overtake an order."""
SOCKETS = 4
"""Of each patron at once."""
DROPPED = 0.01
"""How often a socket breaks, for each delivery."""
PAUSE = 50
"""Deliveries between two pauses: the server drops a connection with too many unread replies."""
READ = 0.7
"""The number of sockets that are read; replies on the others are never seen."""


class Patron:
    """Wagers at one table over several sockets at once, and remembers every reply."""

    def __init__(self, server: Server, name: str, table: str) -> None:
        self.name, self.table, self.chance = name, table, Random(f"exactly once, {name}")  # noqa: S311 (a test that can be repeated)
        self.url, self.token = server.url.replace("http", "ws") + "/api/live", server.sign_in(name)
        self.asked = {f"{name}-{number}": self._order(f"{name}-{number}") for number in range(ORDERS)}
        self.replies: dict[str, Counter[str]] = {}
        self.delivered = self.dropped = 0
        self._sockets: list[tuple[ClientConnection, asyncio.Task[None] | None]] = []

    def _order(self, key: str) -> dict[str, Any]:
        """A wager that replaces the one before; sometimes one that the table refuses."""
        pick = self.chance
        command: dict[str, Any] = {"type": "Wager", "seat": 1, "wagers": {"ante": 50 * pick.randint(10, 1000)}}
        if pick.random() < 0.1:
            command = pick.choice(
                (
                    {"type": "Wager", "seat": 1, "wagers": {"ante": 1}},
                    {"type": "Wager", "seat": 4, "wagers": {"ante": 1000}},
                    {"type": "Decide", "seat": 1, "multiple": 1},
                    {"type": "Perform"},
                )
            )
        return {"type": "order", "key": key, "table": self.table, "command": command}

    def deliveries(self) -> list[str]:
        """Every key one to five times, roughly in order."""
        placed = [
            (number + self.chance.uniform(0, WINDOW), key)
            for number, key in enumerate(self.asked)
            for _ in range(self.chance.randint(1, 5))
        ]
        return [key for _, key in sorted(placed)]

    async def play(self) -> None:
        """Deliver everything, then repeat orders without an answer."""
        self._sockets = [await self._opened() for _ in range(SOCKETS)]
        for key in self.deliveries():
            number = self.chance.randrange(SOCKETS)
            if self.chance.random() < DROPPED:
                await self._drop(number)
            try:
                await self._sockets[number][0].send(json.dumps(self.asked[key]))
            except ConnectionClosed:  # the server dropped a client that does not read
                await self._drop(number)
                await self._sockets[number][0].send(json.dumps(self.asked[key]))
            self.delivered += 1
            if self.delivered % PAUSE == 0:
                await asyncio.sleep(0.01)
        for line, reading in self._sockets:
            await line.close()
            if reading:
                await reading
        left = [key for key in self.asked if key not in self.replies]
        async with self._connected() as line:
            reading = asyncio.create_task(self._read(line))
            for key in left:
                await line.send(json.dumps(self.asked[key]))
                self.delivered += 1
                while key not in self.replies:
                    assert not reading.done()
                    await asyncio.sleep(0.001)
        await reading

    def _connected(self) -> connect:
        return connect(self.url, additional_headers={"authorization": f"Bearer {self.token}"})

    async def _opened(self) -> tuple[ClientConnection, asyncio.Task[None] | None]:
        line = await self._connected()
        return line, asyncio.create_task(self._read(line)) if self.chance.random() < READ else None

    async def _drop(self, number: int) -> None:
        """Break a connection abruptly; orders in flight may have arrived or not."""
        line, reading = self._sockets[number]
        line.transport.abort()
        if reading:
            await reading
        self._sockets[number] = await self._opened()
        self.dropped += 1

    async def _read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                reply = json.loads(text)
                assert reply["type"] == "reply", reply
                self.replies.setdefault(reply["key"], Counter())[str(text)] += 1
        except ConnectionClosed:
            pass

    def answer(self, key: str) -> dict[str, Any]:
        (text,) = self.replies[key]
        answer: dict[str, Any] = json.loads(text)
        return answer

    async def other_payloads(self, keys: list[str]) -> list[dict[str, Any]]:
        """The answers to used keys with another order."""
        async with self._connected() as line:
            for key in keys:
                command = {"type": "Wager", "seat": 1, "wagers": {"ante": 77_700}}
                await line.send(json.dumps({**self.asked[key], "command": command}))
            return [json.loads(await asyncio.wait_for(line.recv(), 120)) for _ in keys]


@pytest.fixture
def server(tmp_path: Path) -> Any:
    """A server that keeps bets open while a seated player has not wagered."""
    made = Server(tmp_path / "data", PITBOSS_BETTING="3600")
    try:
        yield made.start()
    finally:
        made.stop()


def test_a_repeated_order_has_one_effect(server: Server, tell: Tell) -> None:
    begun = time.monotonic()
    names = ("ann", "bob", "cy")
    patrons = [Patron(server, name, table) for name, table in zip(names, TABLES, strict=True)]
    for number, patron in enumerate(patrons):  # at each table sits another patron who does not wager
        beside = patrons[(number + 1) % len(patrons)]
        for who, seat in ((patron, 1), (beside, 4)):
            body = {"command": {"type": "Sit", "seat": seat}}
            path = f"/api/tables/{patron.table}/orders"
            assert server.request("POST", path, body, who.token, Idempotency_Key=f"sit-{patron.table}")[0] == 200

    async def campaign() -> None:
        await asyncio.gather(*(patron.play() for patron in patrons))

    asyncio.run(campaign())
    db = Sqlite(server.data / "house.db", read_only=True)
    accepted = effects = unread = 0
    for patron in patrons:
        assert set(patron.replies) == set(patron.asked)
        several = [key for key, texts in patron.replies.items() if len(texts) > 1]
        assert several == [], "every duplicate is answered as the first was"
        answers = {key: patron.answer(key) for key in patron.asked}
        taken = {key: answer for key, answer in answers.items() if answer["accepted"]}
        entries = {
            seq: decode_entry(bytes(body))
            for seq, body in db.execute("SELECT seq, body FROM entry WHERE chain = ?", (patron.table,))
        }
        own = {
            seq: entry
            for seq, entry in entries.items()
            if (entry.given.actor, entry.given.role) == (patron.name, Role.PLAYER) and isinstance(entry.command, Wager)
        }
        assert len(own) == len(taken) == len({answer["seq"] for answer in taken.values()})
        assert {answer["seq"] for answer in taken.values()} == set(own)
        for key, answer in taken.items():
            command = own[answer["seq"]].command
            assert isinstance(command, Wager)
            assert dict(command.wagers) == patron.asked[key]["command"]["wagers"]
        kept: dict[str, bytes] = dict(db.execute("SELECT key, reply FROM answered WHERE person = ?", (patron.name,)))
        assert {key for key in kept if not key.startswith("sit-")} == set(patron.asked)
        last = max(own)
        command = own[last].command
        assert isinstance(command, Wager)
        wagers = db.execute("SELECT balance FROM account WHERE name = ?", (f"table/{patron.table}/wagers",))
        assert wagers == [(sum(command.wagers.values()) * CENT,)]
        accepted, effects = accepted + len(taken), effects + len(own)
        unread += patron.delivered - sum(sum(texts.values()) for texts in patron.replies.values())
    delivered, dropped = (sum(getattr(patron, what) for patron in patrons) for what in ("delivered", "dropped"))
    tell(
        f"delivered {delivered} times: {len(patrons) * ORDERS} orders over {dropped} broken sockets, "
        f"{unread} replies lost, {accepted} accepted, {effects} effects, "
        f"{time.monotonic() - begun:.0f} s"
    )
    assert delivered > 2 * len(patrons) * ORDERS
    assert dropped > ORDERS / 24
    assert unread > ORDERS / 3
    before = _books(db)
    for patron in patrons:
        keys = patron.chance.sample(sorted(patron.asked), 100)
        for reply in asyncio.run(patron.other_payloads(keys)):
            assert (reply["accepted"], reply["cite"]) == (False, KEYS), reply
        assert asyncio.run(patron.other_payloads(keys[:10]))[0]["why"] == "That key was used for another order."
    assert _books(db) == before
    assert db.execute("SELECT SUM(balance) FROM account") == [(0,)]
    db.close()


def _books(db: Sqlite) -> list[Any]:
    names = ("entry", "posting", "account", "answered")
    return [db.execute(f"SELECT * FROM {name} ORDER BY 1, 2") for name in names]


def test_concurrent_cash_requests_move_money_once_per_key(server: Server) -> None:
    tokens = {name: server.sign_in(name) for name in ("ann", "bob")}
    chance = Random("cash")  # noqa: S311 (a test that can be repeated)
    asked = [(name, f"cash-{number}", chance.randint(1, 1000)) for number in range(60) for name in tokens]
    often = [one for one in asked for _ in range(chance.randint(1, 5))]
    chance.shuffle(often)

    def ask(one: tuple[str, str, int]) -> tuple[int, Any]:
        name, key, amount = one
        headers = {
            "authorization": f"Bearer {tokens[name]}",
            "idempotency-key": key,
            "content-type": "application/json",
        }
        body = json.dumps({"act": {"type": "BuyIn", "patron": name, "amount": amount}})
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as line:
            line.request("POST", "/api/acts", body, headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())

    with ThreadPoolExecutor(8) as several:
        answers = list(several.map(ask, often))
    first: dict[tuple[str, str, int], tuple[int, Any]] = {}
    for one, answer in zip(often, answers, strict=True):
        assert first.setdefault(one, answer) == answer
        assert answer[0] == 200
    assert len({(answer["seq"]) for _, answer in first.values()}) == len(asked)
    for name, token in tokens.items():
        bought = sum(amount for who, _, amount in asked if who == name)
        assert server.request("GET", "/api/account", None, token)[1]["balance"] == 10_000_00 + bought
