"""A round with Bob's hidden cards, and all messages to everybody else during it."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection
from typing import Any, Self

from twin_servers import TABLE, Game, Running
from waiting import TIMEOUT
from websockets.asyncio.client import ClientConnection, connect

from pitboss.house.storage.sqlite import Sqlite
from pitboss.web import runtime
from pitboss.web.advice import situation_of

BOB, ANN = 1, 3
"""The seats of Bob, whose cards are hidden, and of Ann; seats are settled from the last to the first."""
PUBLIC = "the public"
VIEWERS = ("ann", "cy", PUBLIC, "dana", "flo", "sue", "ada", "olga")
"""Another patron at the table, one elsewhere, an anonymous viewer, and every post."""
EVERY_CARD = ("ada", "olga")
"""Viewers who may see every card of a finished round."""

Received = dict[str, list[str]]
"""The messages to each viewer, in order, by viewer and channel."""


class ViewerSocket:
    """One viewer's socket, and every message that came over it."""

    def __init__(self, who: str, socket: ClientConnection) -> None:
        self.who, self.socket = who, socket
        self.frames: list[str] = []
        self.meters: list[str] = []
        self.view: dict[str, Any] = {}

    async def until(self, is_last: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until a message has come."""
        while True:
            text = str(await asyncio.wait_for(self.socket.recv(), TIMEOUT))
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "meters":  # which a clock sends, between any others
                self.meters.append(text)
            else:
                self.frames.append(text)
            if message["type"] == "table":
                self.view = message["view"]
            if is_last(message):
                return message

    async def quiet(self) -> None:
        """Read everything that was sent until now."""
        await self.socket.send('{"type":"ping"}')
        await self.until(lambda message: message["type"] == "pong")


class Round:
    """A round at one of the two servers, with everybody watching."""

    def __init__(self, game: Game, running: Running, tokens: Mapping[str, str], *, automatic: bool) -> None:
        self.game, self.running, self.tokens, self.automatic = game, running, tokens, automatic
        self.lines: dict[str, ViewerSocket] = {}
        self.asked: Received = {}
        self._number = 0

    async def __aenter__(self) -> Self:
        await self.wait_for_meters()
        for who in (*VIEWERS, "bob"):
            self.lines[who] = ViewerSocket(who, await self._connect(who))
            await self.lines[who].socket.send(json.dumps({"type": "watch", "table": TABLE}))
            await self.lines[who].until(lambda message: message["type"] == "meters")
        return self

    async def __aexit__(self, *_: object) -> None:
        for line in self.lines.values():
            await line.socket.close()

    async def _connect(self, who: str) -> ClientConnection:
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        return await connect(f"ws://127.0.0.1:{self.running.port}/api/live", additional_headers=headers)

    # Orders.

    async def order(
        self, who: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any
    ) -> dict[str, Any]:
        """Send an order; return the reply."""
        self._number += 1
        key, line = f"order-{self._number}", self.lines[who]
        order = {
            "type": "order",
            "key": key,
            "table": TABLE,
            "command": {"type": kind, **facts},
            "entered": entered or {},
        }
        await line.socket.send(json.dumps(order))
        return await line.until(lambda message: message.get("key") == key)

    async def order_ok(self, who: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any) -> None:
        """Send an order that must be accepted."""
        reply = await self.order(who, kind, entered, **facts)
        assert reply["accepted"], (who, kind, facts, reply)

    async def sit_and_wager(self) -> None:
        """Both sit down and wager; the cards are dealt."""
        for who, seat in (("bob", BOB), ("ann", ANN)):
            await self.order_ok(who, "Sit", seat=seat)
        if not self.automatic:
            await self.order_ok("dana", "Perform", {"preshuffled": True})
        for who, seat in (("bob", BOB), ("ann", ANN)):
            await self.order_ok(who, "Wager", seat=seat, wagers=self.game.wagers[who])
        await self.deal_until("ask")
        await self.wait_for_meters()

    async def wait_for_meters(self) -> None:
        """Wait until everybody has received the meters, which are sent twice a second."""
        async with asyncio.timeout(TIMEOUT):
            while self.running.runtime.shown != self._meter_cents():  # noqa: ASYNC110 (nobody tells when they are)
                await asyncio.sleep(0.02)
        for line in self.lines.values():
            await line.quiet()

    def _meter_cents(self) -> dict[str, int]:
        reader = Sqlite(self.running.folder / "house.db", read_only=True)
        try:
            return runtime._meter_cents(reader)
        finally:
            reader.close()

    async def due(self) -> str:
        """The dealer's step that is due."""
        await self.lines["dana"].quiet()
        return str(self.lines["dana"].view["due"])

    async def deal_until(self, *dues: str) -> None:
        """Let a person deal until one of these steps is due; an automatic dealer has done so."""
        while (due := await self.due()) not in dues:
            assert not self.automatic, due
            await self.order_ok("dana", "Perform", {"counted": 1} if due == "chips" else {})

    async def decide(self, who: str, multiple: int | None = None) -> None:
        """Raise by the game's multiple or by this one; 0 folds."""
        seat = {"bob": BOB, "ann": ANN}[who]
        await self.order_ok(who, "Decide", seat=seat, multiple=self.game.multiple if multiple is None else multiple)

    # Requests.

    async def request_everything(self, *, asking: bool = False, over: bool = False) -> None:
        """Every viewer requests everything over every channel, and sends forbidden orders."""
        await self.wait_for_meters()
        for who in VIEWERS:
            line = self.lines[who]
            await line.quiet()
            for kind, facts in REFUSED.items():
                if over and kind == "Stand":
                    continue  # which he may
                reply = await self.order(who, kind, {"light": True}, **facts)
                assert not reply["accepted"], (who, kind, reply)
            if asking:
                assert not (await self.order(who, "Perform"))["accepted"]
            again = ViewerSocket(who, await self._connect(who))
            for since in (None, 0, 4):
                await again.socket.send(json.dumps({"type": "watch", "table": TABLE, "since": since}))
                await again.until(lambda message: message["type"] == "meters")
            await again.quiet()
            await again.socket.close()
            self.asked.setdefault(f"{who}, come back", []).extend([*again.frames, *again.meters])
            self.asked.setdefault(f"{who}, over HTTP", []).extend(self._fetch(who, over=over))
        live = self.running.runtime.hub.live_tables[TABLE]
        self.asked.setdefault("what advice to ann is worked out from", []).append(repr(situation_of(live, "ann")))

    def _fetch(self, who: str, *, over: bool) -> Iterator[str]:
        paths = [
            "",
            "api/tables",
            f"api/tables/{TABLE}",
            f"api/tables/{TABLE}/openings",
            f"api/tables/{TABLE}/sign",
            "api/meters",
            "api/account",
            "api/history",
            "api/ledger",
            "api/approvals",
            "api/rounds",
            "api/events",
        ]
        if who != "ann" or self.lines["ann"].view.get("to_act") != ANN:
            paths.append(f"api/tables/{TABLE}/advice")
        if not over or who not in EVERY_CARD:
            paths.append(f"api/rounds/{TABLE}/1")
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        line = HTTPConnection("127.0.0.1", self.running.port, timeout=TIMEOUT)
        for path in paths:
            line.request("GET", f"/{path}", headers=headers)
            answer = line.getresponse()
            named = {name: text for name, text in answer.getheaders() if name != "date"}
            yield f"{path} {answer.status} {named} {answer.read().decode()}"
        body = json.dumps({"command": {"type": "Decide", "seat": BOB, "multiple": 99}})
        headers |= {"idempotency-key": f"http-{self._number}", "content-type": "application/json"}
        line.request("POST", f"/api/tables/{TABLE}/orders", body, headers)
        answer = line.getresponse()
        assert answer.status in {401, 409}
        yield f"order {answer.status} {answer.getheader('content-length')} {answer.read().decode()}"
        line.close()

    async def metrics(self) -> str:
        """The metrics without durations, once all sockets are counted."""
        text = ""
        async with asyncio.timeout(TIMEOUT):
            while f"pitboss_sockets {len(self.lines)}.0" not in text:
                line = HTTPConnection("127.0.0.1", self.running.port, timeout=TIMEOUT)
                line.request("GET", "/metrics")
                text = line.getresponse().read().decode()
                line.close()
                await asyncio.sleep(0.02)
        timed = re.compile(r"^(pitboss_order_seconds_(bucket|sum)|\w+_created).*", re.MULTILINE)
        return timed.sub("", text)

    async def received(self) -> Received:
        """Return all messages to everybody but Bob."""
        for line in self.lines.values():
            await line.quiet()
        seen = {**self.asked, "metrics": [await self.metrics()]}
        for who in VIEWERS:
            seen |= {f"{who}, messages": self.lines[who].frames, f"{who}, meters": self.lines[who].meters}
        return seen


REFUSED: dict[str, dict[str, Any]] = {
    "Decide": {"seat": BOB, "multiple": 99},
    "Wager": {"seat": BOB, "wagers": {"ante": 2000}},
    "Sit": {"seat": BOB},
    "Stand": {"seat": ANN},
    "Document": {"seat": BOB},
    "Correct": {"card": "Ah", "number": 0, "seat": BOB},
    "Report": {"kind": "wrong-number", "seat": BOB, "cards": 99},
    "Reject": {},
    "Withhold": {"reason": "none"},
    "Cover": {"device": "shuffler"},
    "Repair": {"device": "shuffler"},
    "Tick": {},
}
"""Orders of viewers that are refused at every moment of a round."""
