"""Guarantee 6: two servers alike but for hidden cards tell everybody else the same, byte for byte, until the reveal."""

import asyncio
import gc
import json
import logging
import re
import shutil
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest
import uvicorn
from house_server import free_port
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from pitboss.cards import DECK, Card
from pitboss.house.acts import BuyIn, Hire, OpenTable
from pitboss.house.config import Config
from pitboss.house.driver import Sqlite, migrate
from pitboss.house.office import Office, opened
from pitboss.house.opening import DEMO_PEOPLE
from pitboss.house.people import Person, Post, signed_in
from pitboss.house.pit import Pit
from pitboss.house.standing import Settings
from pitboss.submission import text_of
from pitboss.table import Refusal, Table, refuse
from pitboss.table.shoe import Source, cut, fixed
from pitboss.table.view import View, view
from pitboss.web import hub, runtime, server
from pitboss.web.advice import situation_of
from pitboss.web.logs import Structured
from pitboss.web.runtime import Runtime

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")

NOW = 1_900_000_000
TABLE = "table"
BOB, ANN = 1, 3
"""Whose cards are hidden, and a patron beside him; the seats are settled from the last to the first."""
PUBLIC = "the public"
VIEWERS = ("ann", "cy", PUBLIC, "dana", "flo", "sue", "ada", "olga")
"""Another patron at the table, one who is not, who is not signed in, and every post."""
EVERY_CARD = ("ada", "olga")
"""Who may see every card of a round that is over."""


class Game:
    """One game: its Submission, what Ann and Bob wager, how they raise, and where each card of a deck comes to lie."""

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
        places={"board 1": [0], "board 2": [1], "board 3": [2], "all-six": [3], "bob": [4, 6], "ann": [5, 7]},
    ),
}


def decks(game: Game, hidden: Sequence[str]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Two decks as they are dealt that differ in the cards of these places, in every one of them."""
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


def stacked(deck: tuple[Card, ...], *, is_cut: bool) -> Source:
    """A source of bytes by which the first shuffle, and the cut of it, make this deck; everything else is the same."""
    order, draws = list(DECK), []
    wanted = cut(deck, len(deck) - DEPTH) if is_cut else deck
    for last in range(len(order) - 1, 0, -1):  # Fisher and Yates
        other = order.index(wanted[last])
        order[last], order[other] = order[other], order[last]
        draws.append(other)
    rest = fixed("secrecy")

    def give(length: int) -> bytes:
        if length == 1 and draws:
            return bytes([draws.pop(0)])
        if length == 1 and is_cut and DEPTH not in spent:
            spent.add(DEPTH)
            return bytes([0])  # the cover card as high as it may be
        return rest(length)

    spent: set[int] = set()
    return give


# A house, and a server of it in this process.


class Template:
    """The folder of a house with one table, to be copied: everybody is signed in already."""

    def __init__(self, folder: Path, game: Game, *, automatic: bool) -> None:
        self.folder = folder
        db = Sqlite(folder / "house.db")
        migrate(db)
        with db.transaction():
            opened(db)
        office, boss = Office(db, lambda: NOW), Person("house", Post.OPERATOR)
        for name, post in DEMO_PEOPLE.items():
            assert office.do(boss, Hire(name, post, "no password"), f"hire {name}").accepted
            if post is Post.PATRON:
                assert office.do(boss, BuyIn(name, 10_000_00), f"cash of {name}").accepted
        opening = OpenTable(TABLE, text_of(game.preset), Settings(automatic=automatic))
        assert office.do(boss, opening, "open").accepted
        with db.transaction():
            begun = {name: signed_in(db, name, NOW) for name in DEMO_PEOPLE}
        self.tokens = {name: session[0] for name, session in begun.items() if session}
        db.close()


class Running:
    """The application under uvicorn, in a thread, on a port of the loopback."""

    def __init__(self, folder: Path, source: Source) -> None:
        self.port, self.folder = free_port(), folder
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
        while not (self._server.started and self.runtime.hub.standings):
            assert self._thread.is_alive()
            time.sleep(0.005)

    @property
    def runtime(self) -> Runtime:
        found: Runtime = self.app.state["runtime"]
        return found

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture(autouse=True)
def _standing_still(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock of both servers stands still, and they make their rounds more often, so that nobody waits for them.

    What a server does to the collector of garbage is undone.
    """
    monkeypatch.setattr(server, "Pit", partial(Pit, now=lambda: NOW))
    monkeypatch.setattr(runtime, "_again", lambda pause, work, again=runtime._again: again(pause / 10, work))
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


# What somebody sees, and what is compared.

Seen = dict[str, list[str]]


def masked(text: str) -> str:
    """A text with the commitment's hashes, which are salted, replaced by as many letters."""
    text = re.sub(r'"root":"[0-9a-f]{64}"', f'"root":"{"R" * 64}"', text)
    return re.sub(r'"path":\[[^\]]*\]', lambda found: re.sub("[0-9a-f]", "P", found[0][7:]), text)


def differences(one: Seen, other: Seen) -> list[str]:
    """Where two servers told somebody something else: in bytes, in number or in order."""
    found = [f"{name}: only one server" for name in one.keys() ^ other.keys()]
    for name in one.keys() & other.keys():
        if len(one[name]) != len(other[name]):
            found.append(f"{name}: {len(one[name])} and {len(other[name])} messages")
        for number, (left, right) in enumerate(zip(one[name], other[name], strict=False)):
            if len(left) != len(right):
                found.append(f"{name}, {number}: {len(left)} and {len(right)} letters")
            if masked(left) != masked(right):
                place = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
                found.append(
                    f"{name}, {number}: …{left[max(0, place - 60) : place + 40]}… {right[place : place + 40]}…"
                )
    return sorted(found)


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
            text = str(await asyncio.wait_for(self.socket.recv(), 10))
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
        for _ in range(500):
            if self.running.runtime.shown == self._shown():
                break
            await asyncio.sleep(0.02)
        for line in self.lines.values():
            await line.quiet()

    def _shown(self) -> dict[str, int]:
        reader = Sqlite(self.running.folder / "house.db", read_only=True)
        try:
            return runtime._shown(reader)
        finally:
            reader.close()

    async def due(self) -> str:
        await self.lines["dana"].quiet()
        return str(self.lines["dana"].view["due"])

    async def dealt(self, *dues: str) -> None:
        """Have a person deal until one of these is due; an automatic dealer has done so."""
        while (due := await self.due()) not in dues:
            assert not self.automatic, due
            await self.did("dana", "Perform", {"counted": 1} if due == "chips" else {})

    async def decided(self, who: str, multiple: int | None = None) -> None:
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
        line = HTTPConnection("127.0.0.1", self.running.port, timeout=10)
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
        for _ in range(100):
            line = HTTPConnection("127.0.0.1", self.running.port, timeout=10)
            line.request("GET", "/metrics")
            text = line.getresponse().read().decode()
            line.close()
            if f"pitboss_sockets {len(self.lines)}.0" in text:
                break
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


# The stories: how far two servers must not be told apart.

Story = Callable[[Round], Awaitable[None]]


async def until_the_first_reveal(now: Round) -> None:
    """Nobody has seen Bob's hand, the dealer's hole cards, the board or the card for the side wager."""
    await now.seated()
    await now.looked(asking=True)
    await now.decided("bob")
    if not now.automatic:  # an automatic dealer turns cards at once when Ann has decided
        await now.decided("ann")
    await now.looked()


async def until_the_second_card_of_the_board(now: Round) -> None:
    await now.seated()
    for who in ("bob", "ann", "bob"):
        if who == "bob":
            await now.dealt("ask")
        await now.decided(who)
    await now.looked(asking=True)


async def until_the_third_card_of_the_board(now: Round) -> None:
    await now.seated()
    for who in ("bob", "ann", "bob", "ann", "bob"):
        if who == "bob":
            await now.dealt("ask")
        await now.decided(who)
    await now.looked(asking=True)


async def until_bobs_hand_is_turned(now: Round) -> None:
    """The dealer's hand is turned and Ann is settled, before him."""
    await now.seated()
    for _ in range(now.game.decisions):
        await now.dealt("ask")
        await now.decided("bob")
        await now.decided("ann")
    await now.dealt("settle")
    await now.looked()
    await now.did("dana", "Perform")
    await now.looked()
    assert [bool(box["lines"]) for box in now.lines["ann"].view["boxes"]] == [False, True]


async def to_the_end_when_bob_folds(now: Round) -> None:
    """His hand is never turned: not in this round, nor after it."""
    await now.seated()
    await now.decided("bob", 0)
    await now.looked()
    for _ in range(now.game.decisions):
        await now.dealt("ask")
        await now.decided("ann")
    await now.dealt("call", "shuffle")
    await now.due()
    assert now.lines["dana"].view["round"] == 1
    await now.looked(over=True)


async def to_the_end_when_the_round_is_void(now: Round) -> None:
    """All wagers are returned and the cards are taken away as they lie."""
    await now.seated()
    await now.did("flo", "Report", kind="wrong-number")
    await now.looked()
    await now.did("flo", "Acknowledge")
    await now.dealt("call", "shuffle")
    assert now.lines["dana"].view["round"] == 1
    await now.looked(over=True)


HIDDEN = ("bob", "dealer", "board 1", "board 2", "board 3", "all-six", "stub")
STORIES: dict[str, tuple[Story, tuple[str, ...], tuple[str, ...]]] = {
    "first reveal": (until_the_first_reveal, HIDDEN, ("automatic", "by hand")),
    "second card of the board": (
        until_the_second_card_of_the_board,
        ("bob", "board 2", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "third card of the board": (
        until_the_third_card_of_the_board,
        ("bob", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "Bob's hand": (until_bobs_hand_is_turned, ("bob", "stub"), ("by hand",)),
    "the end, Bob folded": (to_the_end_when_bob_folds, ("bob", "stub"), ("automatic", "by hand")),
    "the end, void": (to_the_end_when_the_round_is_void, HIDDEN, ("automatic",)),
}
"""By how far it goes: what is done, which cards differ, and who deals."""


class Logged(logging.Handler):
    """What the house logs, as it writes it, without the time."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(Structured())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("pitboss") or record.levelno >= logging.WARNING:
            self.lines.append(re.sub(r'"time":"[^"]*"', "", self.format(record)))


def told(  # noqa: PLR0913 (what two servers have in common, and what not)
    folder: Path, game: Game, template: Template, deck: tuple[Card, ...], story: Story, *, automatic: bool
) -> tuple[Seen, Seen]:
    """Return what everybody else, and Bob himself, is told at a server with this deck."""
    shutil.copytree(template.folder, folder)
    logged, house = Logged(), logging.getLogger("pitboss")
    logging.getLogger().addHandler(logged)
    house.setLevel(logging.DEBUG)
    running = Running(folder, stacked(deck, is_cut=True))

    async def played() -> tuple[Seen, Seen]:
        async with Round(game, running, template.tokens, automatic=automatic) as now:
            await story(now)
            seen = await now.ended()
            bob = [text for text in now.lines["bob"].frames if '"type":"table"' in text]
            return seen, {"bob": bob}

    try:
        seen, bob = asyncio.run(played())
    finally:
        running.stop()
        logging.getLogger().removeHandler(logged)
        house.setLevel(logging.NOTSET)
    return {**seen, "log": logged.lines}, bob


def compared(folder: Path, game: Game, name: str, way: str) -> tuple[list[str], Seen, Seen]:
    """Play a story at two servers; return in what they differ, and what Bob and everybody was told."""
    story, hidden, _ = STORIES[name]
    automatic = way == "automatic"
    (folder / "template").mkdir()
    template = Template(folder / "template", game, automatic=automatic)
    one, other = (
        told(folder / str(number), game, template, deck, story, automatic=automatic)
        for number, deck in enumerate(decks(game, hidden))
    )
    for (_, bob), deck in zip((one, other), decks(game, hidden), strict=True):  # the decks are what we think they are
        cards = [str(deck[place]) for place in game.places["bob"]]
        assert any(json.dumps(cards, separators=(",", ":")) in text for text in bob["bob"]), cards
    return differences(one[0], other[0]), one[1], one[0]


CASES = [
    pytest.param(game, name, way, id=f"{game}-{name}-{way}")
    for game in GAMES
    for name, (_, _, ways) in STORIES.items()
    for way in ways
    if "board" not in name or "board 1" in GAMES[game].places
]


@pytest.mark.parametrize(("game", "name", "way"), CASES)
def test_nobody_is_told_of_a_hidden_card(
    tmp_path: Path, game: str, name: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Frames, replies, errors, views, openings, history, ledger, metrics, logs: bytes, number and order."""
    different, _, seen = compared(tmp_path, GAMES[game], name, way)
    with capsys.disabled():
        messages = [text for texts in seen.values() for text in texts]
        print(  # noqa: T201
            f"\n{game}, {way}, to {name}: {len(messages)} messages to {len(VIEWERS)} viewers, "
            f"{sum(map(len, messages)):,} letters, {len(different)} different"
        )
    assert different == []


# Planted leaks: what would make the comparison fail does.


_decide = refuse._decide


def _hidden_card(table: Table) -> Card | None:
    box = table.boxes.get(BOB)
    return next((slot.card for slot in box.cards if not slot.up), None) if box else None


def _leaking_view(table: Table, viewer: str = "", role: Any = None) -> View:
    """A view that is longer the higher a hidden card is."""
    card, seen = _hidden_card(table), view(table, viewer, role)
    return replace(seen, cite=seen.cite + " " * card.index) if card else seen


def _leaking_refusal(table: Table, seat: int, multiple: int, given: Any) -> Any:
    refused = _decide(table, seat, multiple, given)
    return Refusal(f"Not with {_hidden_card(table)}.", refused.cite) if refused else None


def _plant(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    heard = Runtime._heard

    def leaking(self: Runtime, changes: Any) -> None:
        card = next((found for change in changes.values() if (found := _hidden_card(change.standing.table))), None)
        if where == "log" and card:
            logging.getLogger("pitboss.web").info("a round with %s", card)
        if where == "metric" and card:
            self.metrics.rounds.inc(card.index)
        heard(self, changes)
        for _ in range(card.index % 3 if where == "number of messages" and card else 0):
            self.hub.to_all('{"type":"nothing"}')

    match where:
        case "view":
            monkeypatch.setattr(
                sys.modules["pitboss.table.view"], "_seen", lambda held, **_: tuple(str(slot.card) for slot in held)
            )
        case "length":
            monkeypatch.setattr(hub, "view", _leaking_view)
        case "refusal":
            monkeypatch.setattr(refuse, "_decide", _leaking_refusal)
        case _:
            monkeypatch.setattr(Runtime, "_heard", leaking)


@pytest.mark.parametrize("where", ["view", "length", "refusal", "log", "metric", "number of messages"])
def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    _plant(monkeypatch, where)
    different, _, _ = compared(tmp_path, GAMES["caribbean stud"], "first reveal", "automatic")
    expected = {
        "view": "the public, messages",
        "length": "cy, messages",
        "refusal": "ann, messages",
        "log": "log",
        "metric": "metrics",
        "number of messages": "sue, messages",
    }
    assert any(line.startswith(expected[where]) for line in different), different[:5]
