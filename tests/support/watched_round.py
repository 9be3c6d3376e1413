"""A round of Bob's hidden cards, and all that everybody else is told while it is played."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection
from typing import Any, Self

from twin_servers import TABLE, Game, Running
from waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect

from pitboss.house.storage.sqlite import Sqlite
from pitboss.web import runtime
from pitboss.web.advice import situation_of

BOB, ANN = 1, 3
"""Whose cards are hidden, and a patron beside him; the seats are settled from the last to the first."""
PUBLIC = "the public"
VIEWERS = ("ann", "cy", PUBLIC, "dana", "flo", "sue", "ada", "olga")
"""Another patron at the table, one who is not, who is not signed in, and every post."""
EVERY_CARD = ("ada", "olga")
"""Who may see every card of a round that is over."""

Seen = dict[str, list[str]]
"""What somebody was told, in order, by who it was and by which way."""


class Line:
    """One viewer's socket, and every message that came over it."""

    def __init__(self, who: str, socket: ClientConnection) -> None:
        self.who, self.socket = who, socket
        self.frames: list[str] = []
        self.meters: list[str] = []
        self.view: dict[str, Any] = {}

    async def until(self, is_last: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until a message has come."""
        while True:
            text = str(await asyncio.wait_for(self.socket.recv(), PATIENCE))
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
        self.lines: dict[str, Line] = {}
        self.asked: Seen = {}
        self._number = 0

    async def __aenter__(self) -> Self:
        await self.metered()
        for who in (*VIEWERS, "bob"):
            self.lines[who] = Line(who, await self._connected(who))
            await self.lines[who].socket.send(json.dumps({"type": "watch", "table": TABLE}))
            await self.lines[who].until(lambda message: message["type"] == "meters")
        return self

    async def __aexit__(self, *_: object) -> None:
        for line in self.lines.values():
            await line.socket.close()

    async def _connected(self, who: str) -> ClientConnection:
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        return await connect(f"ws://127.0.0.1:{self.running.port}/api/live", additional_headers=headers)

    # What is done.

    async def tried(
        self, who: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any
    ) -> dict[str, Any]:
        """Order something; return what is answered."""
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

    async def did(self, who: str, kind: str, /, entered: Mapping[str, Any] | None = None, **facts: Any) -> None:
        """Order something that is carried out."""
        reply = await self.tried(who, kind, entered, **facts)
        assert reply["accepted"], (who, kind, facts, reply)

    async def seated(self) -> None:
        """Have both sit down and wager; the cards are dealt."""
        for who, seat in (("bob", BOB), ("ann", ANN)):
            await self.did(who, "Sit", seat=seat)
        if not self.automatic:
            await self.did("dana", "Perform", {"preshuffled": True})
        for who, seat in (("bob", BOB), ("ann", ANN)):
            await self.did(who, "Wager", seat=seat, wagers=self.game.wagers[who])
        await self.dealt("ask")
        await self.metered()

    async def metered(self) -> None:
        """Wait until everybody was told what the meters show: a clock looks at them, twice a second."""
        async with asyncio.timeout(PATIENCE):
            while self.running.runtime.shown != self._shown():  # noqa: ASYNC110 (nobody tells when they are)
                await asyncio.sleep(0.02)
        for line in self.lines.values():
            await line.quiet()

    def _shown(self) -> dict[str, int]:
        reader = Sqlite(self.running.folder / "house.db", read_only=True)
        try:
            return runtime._meter_cents(reader)
        finally:
            reader.close()

    async def due(self) -> str:
        """What the dealer is to do now."""
        await self.lines["dana"].quiet()
        return str(self.lines["dana"].view["due"])

    async def dealt(self, *dues: str) -> None:
        """Have a person deal until one of these is due; an automatic dealer has done so."""
        while (due := await self.due()) not in dues:
            assert not self.automatic, due
            await self.did("dana", "Perform", {"counted": 1} if due == "chips" else {})

    async def decided(self, who: str, multiple: int | None = None) -> None:
        """Have somebody raise as the game has it, or as told; 0 folds."""
        seat = {"bob": BOB, "ann": ANN}[who]
        await self.did(who, "Decide", seat=seat, multiple=self.game.multiple if multiple is None else multiple)

    # What is looked at.

    async def looked(self, *, asking: bool = False, over: bool = False) -> None:
        """Have everybody ask for everything, by every way, and order what he may not."""
        await self.metered()
        for who in VIEWERS:
            line = self.lines[who]
            await line.quiet()
            for kind, facts in REFUSED.items():
                if over and kind == "Stand":
                    continue  # which he may
                reply = await self.tried(who, kind, {"light": True}, **facts)
                assert not reply["accepted"], (who, kind, reply)
            if asking:
                assert not (await self.tried(who, "Perform"))["accepted"]
            again = Line(who, await self._connected(who))
            for since in (None, 0, 4):
                await again.socket.send(json.dumps({"type": "watch", "table": TABLE, "since": since}))
                await again.until(lambda message: message["type"] == "meters")
            await again.quiet()
            await again.socket.close()
            self.asked.setdefault(f"{who}, come back", []).extend([*again.frames, *again.meters])
            self.asked.setdefault(f"{who}, over HTTP", []).extend(self._fetched(who, over=over))
        standing = self.running.runtime.hub.standings[TABLE]
        self.asked.setdefault("what advice to ann is worked out from", []).append(repr(situation_of(standing, "ann")))

    def _fetched(self, who: str, *, over: bool) -> Iterator[str]:
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
        line = HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)
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
        """The figures, without how long things took; once the sockets are counted."""
        text = ""
        async with asyncio.timeout(PATIENCE):
            while f"pitboss_sockets {len(self.lines)}.0" not in text:
                line = HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)
                line.request("GET", "/metrics")
                text = line.getresponse().read().decode()
                line.close()
                await asyncio.sleep(0.02)
        timed = re.compile(r"^(pitboss_order_seconds_(bucket|sum)|\w+_created).*", re.MULTILINE)
        return timed.sub("", text)

    async def ended(self) -> Seen:
        """Return everything that everybody but Bob was told."""
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
"""What everybody who looks orders, and is refused at every moment of a round."""
