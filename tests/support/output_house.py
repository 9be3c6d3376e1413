"""A demonstration house played by a script with a stopped clock: its replies over HTTP, and its messages."""

import asyncio
import gc
import json
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from evidence_house import StackedSource
from json_differences import masked
from keep_version import STAFF, Demonstration
from output_commands import read_toml
from twin_servers import GAMES, TABLE, Running
from waiting import TIMEOUT, until
from watched_round import ANN, BOB, PUBLIC, Round

from pitboss.house.live_table import Settings
from pitboss.house.office.acts import Amend, Approve, BuyIn, Credit, Fill, Note, OpenTable, RecordApproval, Suspend
from pitboss.house.office.people import Person, Post, begin_session
from pitboss.house.startup import DEMO_PASSWORD, DEMO_PEOPLE
from pitboss.house.storage.sqlite import Sqlite
from pitboss.house.writers import WriterPool
from pitboss.submission import load, text_of
from pitboss.submission.choices import choices_of
from pitboss.web import advice, runtime, server

GAME = GAMES["caribbean stud"]
FLO = Person("flo", Post.FLOORPERSON)
HEARD = ("bob", "dana", "flo", PUBLIC)
"""Messages are recorded for a patron, a dealer, a floorperson, and a viewer who is not signed in."""
PAIR = {"player": ["Kc", "Kd", "8s", "5h", "2c"], "dealer": ["Ac", "Kh", "9d", "7d", "3s"]}
HAND = {"game": "cajun-stud", "player": ["Ah", "Kh"], "board": ["9h", "4h"], "raised": [3, 3]}
DRILL = {"game": "caribbean-stud", "kind": "read", "seed": "s"}
STUD, CAJUN = text_of("caribbean-stud-standard"), text_of("cajun-stud-standard")

BY_EVERYBODY = (PUBLIC, "ann", "dana", "flo", "sue", "ada", "olga")
FREE = """
/health
/ready
/api/house
/api/tables
/api/tables/table
/api/tables/nowhere
/api/tables/table/sign
/api/tables/caribbean-stud/layout
/api/meters
/api/presets
/api/games/cajun-stud/form
/api/games/teapot/form
/api/clauses?under=639a.6(b)
/api/clauses?chapter=teapot
/api/clauses/639a.6(b)
/api/clauses/999a.1
/api/settle/caribbean-stud
/api/settle/683a?preset=cajun-stud-rack-card
/api/settle/teapot
/api/math/holds
/api/training/player/cajun-stud?seed=7
/api/training/dealer/caribbean-stud?kind=pay&seed=s
/api/training/dealer/caribbean-stud?kind=read&seed=s
/api/training/dealer/683a?kind=read&seed=s
/api/training/dealer/cajun-stud?kind=irregular&seed=s
/api/training/dealer/four-card-prime?kind=procedure&seed=s
"""
"""Paths for everybody."""
GUARDED = """
ann /api/session
ann /api/account
ann /api/history
ann /api/history?limit=0
ann /api/rounds
ann /api/ledger
ann /api/rounds/caribbean-stud/1
ann /api/rounds/caribbean-stud/1/frames
ann /api/rounds/cajun-stud/1
ann /api/tables/table
ann /api/tables/table/openings
dana /api/tables/caribbean-stud
ada /api/tables/table
olga /api/ledger
olga /api/approvals
olga /api/holds
olga /api/submissions
olga /api/rounds?least=100000&limit=2
ada /api/rounds/caribbean-stud/3
ada /api/rounds/caribbean-stud/99
ada /api/events?limit=60
ada /api/chains
ada /api/chains/caribbean-stud/verify
ada /api/chains/nowhere/verify
ada /api/log?chain=house&limit=30
ada /api/log?chain=cajun-stud&limit=10
flo /api/pit
flo /api/pit/table
flo /api/pit/nowhere
flo /api/disputes
flo /api/slips
flo /api/slips?kind=fill
flo /api/slips?kind=teapot
flo /api/training/records
dana /api/training/records/dana
dana /api/training/records/flo
dana /api/events
"""
"""Paths for people who are signed in; an anonymous viewer requests them too."""
CHOSEN = msgspec.to_builtins(choices_of(load("cajun-stud-rack-card")), enc_hook=str)
DRAFT = CAJUN.replace("seats = 6 ", "seats = 7 ")
POSTED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (PUBLIC, "/api/session", {"name": "ann", "password": DEMO_PASSWORD}),
    (PUBLIC, "/api/session", {"name": "ann", "password": "not the password"}),
    (PUBLIC, "/api/session", {"name": "ann"}),
    (PUBLIC, "/api/acts", {"act": {"type": "BuyIn", "patron": "ann", "amount": 100_00}}),
    ("ann", "/api/acts", {"act": {"type": "BuyIn", "patron": "ann", "amount": 100_00}}),
    ("ann", "/api/acts", {"act": {"type": "Fill", "table": TABLE, "amount": 100_00}}),
    ("ann", "/api/acts", {"act": {"type": "Teapot"}}),
    ("flo", "/api/acts", {"act": {"type": "Fill", "table": TABLE, "amount": 200_00}}),
    ("ann", f"/api/tables/{TABLE}/orders", {"command": {"type": "Sit", "seat": BOB}}),
    ("ann", f"/api/tables/{TABLE}/orders", {"command": {"type": "Wager", "seat": ANN, "wagers": {"ante": 1}}}),
    ("ann", "/api/tables/nowhere/orders", {"command": {"type": "Sit", "seat": 1}}),
    (PUBLIC, "/api/settle", {"game": "639a", "cards": PAIR, "wagers": {"ante": 1000}, "raises": [2]}),
    (PUBLIC, "/api/settle", {"game": "639a", "cards": PAIR, "wagers": {"teapot": 1000}, "raises": [2]}),
    (PUBLIC, "/api/training/player/again", {"hands": [HAND], "seed": "x"}),
    (PUBLIC, "/api/training/player/answer", {"hand": HAND, "multiple": 3}),
    (PUBLIC, "/api/training/player/score", {"answers": [{"hand": HAND, "multiple": 3, "seconds": 4}]}),
    (PUBLIC, "/api/training/dealer/answer", {"drill": DRILL, "choice": "Flush"}),
    (PUBLIC, "/api/training/dealer/answer", {"drill": {**DRILL, "kind": "pay"}}),
    (PUBLIC, "/api/training/dealer/score", {"answers": [{"drill": DRILL, "choice": "Flush", "seconds": 4}]}),
    ("dana", "/api/training/records", {"person": "dana", "answers": [{"drill": DRILL, "choice": "", "seconds": 4}]}),
    ("flo", "/api/training/records", {"person": "dana", "answers": [{"drill": {**DRILL, "seed": "t"}}]}),
    ("dana", "/api/submissions/compose", CHOSEN),
    ("dana", "/api/submissions/diff", {"before": CAJUN, "after": DRAFT}),
    ("dana", "/api/submissions/examine", {"submission": DRAFT}),
    ("dana", "/api/submissions/examine", {"submission": "teapot"}),
)
VARIES = {
    "/api/chains/caribbean-stud/verify": frozenset({"milliseconds"}),
    "/api/house": frozenset({"time"}),
    "/api/session": frozenset({"csrf", "token"}),
    "/ready": frozenset({"since"}),
}
"""By path: the keys whose values come from the clock of the machine, or are secrets."""


class _Threads(ThreadPoolExecutor):
    """Replaces the worker processes of a server: their modules are loaded here already."""

    _processes = None


def prepared(folder: Path) -> tuple[int, dict[str, str]]:
    """Prepare a house after some play, with everybody signed in; return its time and the tokens."""
    folder.mkdir(mode=0o700)
    house = Demonstration(folder, "outputs")
    house.live(folder)
    house.act(OpenTable(TABLE, STUD, Settings(automatic=False)), STAFF)
    for act, first, second in (
        (Fill("caribbean-stud", 5_000_00), FLO, STAFF),
        (Credit("caribbean-stud", 500_00), FLO, STAFF),
    ):
        house.act(Approve(house.act(act, first)), second)
    house.act(Note("caribbean-stud", 1, "Ann says that she raised.", "The round stands."), FLO)
    house.act(RecordApproval(CAJUN, "2023-02-02", "Letter 7"), STAFF)
    house.act(Suspend("cajun-stud", "board-bonus", "the sign is being printed"), STAFF)
    house.act(Amend("patron/ann", "cage", 100, "waits for somebody"), STAFF)
    house.act(BuyIn("cy", 250_00), STAFF)
    house.now += 1  # what is asked for later is told apart
    with house.db.transaction():
        begun = {name: begin_session(house.db, name, house.now) for name in DEMO_PEOPLE}
    house.db.close()
    return house.now, {name: session[0] for name, session in begun.items() if session}


@contextmanager
def running(folder: Path, now: int) -> Iterator[Running]:
    """Serve a house in this process with a stopped clock."""
    threshold, again = gc.get_threshold(), runtime._repeat
    with (
        patch.object(server, "WriterPool", partial(WriterPool, now=lambda: now)),
        patch.object(runtime, "_repeat", lambda pause, work: again(pause / 10 if pause < 10 else pause * 100, work)),
        patch.object(advice, "_process", lambda: _Threads(1)),
    ):
        started = Running(folder, StackedSource("more"))
        try:
            yield started
        finally:
            started.stop()
            gc.unfreeze()
            gc.set_threshold(*threshold)


class Script:
    """A round at a table with a human dealer, and everybody's requests during it."""

    def __init__(self, running: Running, tokens: Mapping[str, str]) -> None:
        self.running, self.tokens = running, tokens
        self.replies: dict[str, Any] = {}
        self._keys = 0

    def ask(self, who: str, method: str, path: str, body: object = None, moment: str = "") -> None:
        """Send a request; record status and reply."""
        self._keys += 1
        headers = {"idempotency-key": f"key-{self._keys}", "content-type": "application/json"}
        if who in self.tokens:
            headers["authorization"] = f"Bearer {self.tokens[who]}"
        line = HTTPConnection("127.0.0.1", self.running.port, timeout=TIMEOUT)
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        text = answer.read()
        line.close()
        asked = " ".join(filter(None, (who, method, path, _said(body), moment)))
        reply: Any = json.loads(text) if text else None
        self.replies[asked] = {
            "status": answer.status,
            "reply": masked(reply, varies=VARIES.get(path, frozenset())),
            **({"toml": masked(read_toml(reply["submission"]))} if path.endswith("/compose") else {}),
        }

    async def play(self) -> dict[str, Any]:
        """Play; return every message to the recorded viewers."""
        async with Round(GAME, self.running, self.tokens, automatic=False) as now:
            await now.sit_and_wager()
            for who in ("bob", "ann"):
                self.ask(who, "GET", f"/api/tables/{TABLE}/advice", moment=", bob to decide")
            for who in BY_EVERYBODY:
                self.ask(who, "GET", f"/api/tables/{TABLE}", moment=", bob to decide")
            await self._spoken(now)
            await now.decide("bob")
            await now.decide("ann", 0)
            await now.deal_until("settle")
            await now.deal_until("call", "shuffle")
            await now.wait_for_meters()
            return {who: _chosen([*now.lines[who].frames, *now.lines[who].meters[:1]]) for who in HEARD}

    @staticmethod
    async def _spoken(now: Round) -> None:
        """Send the remaining messages: trial orders, refused orders, and invalid ones."""
        decide = {"type": "Decide", "seat": BOB, "multiple": 2}
        for who in HEARD:
            line = now.lines[who]
            await line.socket.send(json.dumps({"type": "may", "key": "m", "table": TABLE, "commands": [decide]}))
            await line.until(lambda message: message["type"] == "may")
            await now.order(who, "Sit", seat=BOB)
            for wrong in ({"type": "teapot"}, {"type": "watch", "table": "nowhere"}):
                await line.socket.send(json.dumps(wrong))
                await line.until(lambda message: message["type"] == "error")
            await line.socket.send(json.dumps({"type": "unwatch", "table": "cajun-stud"}))

    def look(self) -> None:
        """Request every path after the round."""
        for who, path, body in POSTED:
            self.ask(who, "POST", path, body)
        for path in FREE.split():
            self.ask(PUBLIC, "GET", path)
        for one in GUARDED.strip().split("\n"):
            who, path = one.split()
            self.ask(who, "GET", path)
            self.ask(PUBLIC, "GET", path)

    def metrics(self) -> list[str]:
        """Return the names of the figures for Prometheus, with their labels."""
        line = HTTPConnection("127.0.0.1", self.running.port, timeout=TIMEOUT)
        line.request("GET", "/metrics")
        text = line.getresponse().read().decode()
        line.close()
        return sorted(set(re.findall(r"^[a-z_]+(?:\{[a-z_]+)?", text, re.MULTILINE)))


def _said(body: Any) -> str:
    """Name a request by its body, without the text of a Submission."""
    short = {
        name: f"{value[:20]}…" if isinstance(value, str) and len(value) > 200 else value
        for name, value in (body or {}).items()
    }
    return json.dumps(short, ensure_ascii=False) if short else ""


def _chosen(frames: list[str]) -> dict[str, Any]:
    """Return the first message of every kind; of a table, the first for each step that is due."""
    found: dict[str, Any] = {}
    for text in frames:
        message = json.loads(text)
        name = str(message["type"])
        if name == "table":
            name += f", {message['view']['due']} due"
        elif "accepted" in message:
            name += ", accepted" if message["accepted"] else ", refused"
        found.setdefault(name, message)
    return found


def house_outputs(folder: Path) -> dict[str, Any]:
    """Return HTTP replies, socket messages and metric names; values that are not compared are masked."""
    now, tokens = prepared(folder)
    with running(folder, now) as started:
        db = Sqlite(folder / "house.db", read_only=True)
        signed = "SELECT COUNT(*) FROM checkpoint WHERE time = ?"
        until(lambda: db.execute(signed, (now,))[0][0], "the start signs a checkpoint")
        script = Script(started, tokens)
        messages = asyncio.run(script.play())
        script.look()
        metrics = script.metrics()
        db.close()
    return {"http": script.replies, "messages": masked(messages), "metrics": dict.fromkeys(metrics, True)}
