"""Exact advice for who is to decide, worked out by a process of its own: its kernels must not run in the server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from multiprocessing import get_context
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from pitboss.cards import Card
from pitboss.games import GAMES, Terms
from pitboss.house.live_table import LiveTable
from pitboss.submission.signs import format_amount
from pitboss.table.steps import next_to_decide
from pitboss.web.runtime import Runtime

T = TypeVar("T")
REMEMBERED: Final = 64
"""Results of other work that are kept."""


class Advice(msgspec.Struct):
    """What one decision is worth, in Antes, exactly and rounded; the multiple of a fold is 0."""

    multiple: int
    worth: str
    about: float
    best: bool
    cost: str
    """What is lost against the best, in Antes."""
    loses: float
    """The same in cents, of this box."""
    counts: str
    """What the worth counts and what it does not, in a sentence."""


class AdviceRequest(msgspec.Struct, frozen=True):
    """What a player knows, as it is sent to the other process."""

    game: str
    letter: str | None
    readings: tuple[tuple[str, str], ...]
    player: tuple[str, ...]
    up: tuple[str, ...]
    board: tuple[str, ...]
    raised: tuple[int, ...]
    ante: int
    """In cents."""
    limit: int | None
    """The payout limit on the required wagers, in cents."""
    other_boxes: bool
    """Whether the player has another box."""


class WorkerProcesses:
    """The other processes, started when they are first asked: one for advice, and one for work that takes longer."""

    def __init__(self) -> None:
        """Begin without them."""
        self._pools = {"advice": _process(), "work": _process()}
        self._known: dict[tuple[object, ...], asyncio.Future[Any]] = {}

    async def advise(self, asked: AdviceRequest) -> list[Advice]:
        """Return every decision with what it is worth."""
        found = await self.run_soon(calculate_worths, asked)
        most = max(Fraction(worth) for _, worth in found)
        return [_make_advice(multiple, Fraction(worth), most, asked) for multiple, worth in found]

    async def run_soon(self, function: Callable[..., T], *args: object) -> T:
        """Have a function of a module called in the process for advice, for somebody who waits to decide."""
        return await self._run_in_pool("advice", function, *args)

    async def work(self, function: Callable[..., T], *args: object) -> T:
        """Have a function of a module called in the process for longer work; advice does not wait for it."""
        return await self._run_in_pool("work", function, *args)

    async def _run_in_pool(self, which: str, function: Callable[..., T], *args: object) -> T:
        loop, asked = asyncio.get_running_loop(), self._pools[which]
        try:
            return await loop.run_in_executor(asked, function, *args)
        except BrokenProcessPool:  # somebody ended it: another begins anew
            if self._pools[which] is asked:
                self._pools[which] = _process()
            return await loop.run_in_executor(self._pools[which], function, *args)

    async def run_cached(self, function: Callable[..., T], *args: object) -> T:
        """Do the same once for what comes out alike each time; the last results are remembered."""
        key = (function, *args)
        if key not in self._known:
            if len(self._known) >= REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[key] = asyncio.ensure_future(self.work(function, *args))
            self._known[key].add_done_callback(lambda done: self._failed(key, done))
        future: asyncio.Future[T] = self._known[key]
        return await asyncio.shield(future)  # who goes away leaves it to others

    def _failed(self, key: tuple[object, ...], done: "asyncio.Future[Any]") -> None:
        """Forget what did not come out: the next who asks has it tried again."""
        if done.cancelled() or done.exception():
            self._known.pop(key, None)

    def stop(self) -> None:
        """End them, whatever they are at: nobody waits for it."""
        for pool in self._pools.values():
            workers = list((pool._processes or {}).values())  # noqa: SLF001 (there is no other way to them)
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"))


def _make_advice(multiple: int, worth: Fraction, most: Fraction, asked: AdviceRequest) -> Advice:
    cost = most - worth
    about, loses = round(float(worth), 6), round(float(cost * asked.ante), 2)
    return Advice(multiple, str(worth), about, not cost, str(cost), loses, worth_note(asked.limit, asked.other_boxes))


def worth_note(limit: int | None, other_boxes: bool = False) -> str:  # noqa: FBT001, FBT002 (of what is asked)
    """Say what a worth counts and what it does not."""
    under = f", under the payout limit of {format_amount(limit)} for a player in a round" if limit is not None else ""
    beside = f", nor are the cards of your other boxes{' and what these win of the limit' if under else ''}"
    return (
        f"The worth counts the required wagers only, at perfect play from here on{under}; "
        f"side wagers are not counted{beside if other_boxes else ''}."
    )


def limit_on_required(terms: Terms) -> int | None:
    """Return the payout limit, in cents, where it is on the wagers that decisions are about."""
    limit = GAMES[terms.game.name].limit
    return terms.payout_limit if limit and terms.game.required in limit.wagers else None


def calculate_worths(asked: AdviceRequest) -> list[tuple[int, str]]:
    """Return every decision and its exact worth, as text: in the other process."""
    from pitboss.exact.advice import LimitAtWager, Situation, advise  # noqa: PLC0415 (numba is for that process alone)

    def cards(held: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple(Card(card) for card in held)

    situation = Situation(player=cards(asked.player), up=cards(asked.up), board=cards(asked.board), raised=asked.raised)
    under = None if asked.limit is None else LimitAtWager(asked.limit, asked.ante)
    found = advise(asked.game, asked.letter, dict(asked.readings), situation, under)
    return [(one.multiple, str(one.worth)) for one in found]


def situation_of(standing: LiveTable, patron: str) -> AdviceRequest | None:
    """Return what a patron whose turn it is knows."""
    table = standing.table
    box = next_to_decide(table)
    if box is None or box.patron != patron:
        return None
    shown = {place: tuple(str(slot.card) for slot in held if slot.up) for place, held in table.places.items()}
    terms, offered = table.rules.terms, standing.submission.wagers[table.rules.terms.game.required]
    return AdviceRequest(
        terms.game.name,
        offered.paytable or None,
        tuple(sorted(terms.readings.items())),
        tuple(str(slot.card) for slot in box.cards),
        shown.get("dealer", ()),
        shown.get("board", ()),
        box.decisions,
        box.wagers[terms.game.required],
        limit_on_required(terms),
        any(other.patron == patron and other.seat != box.seat for other in table.boxes.values()),
    )


@get("/api/tables/{table:str}/advice", tags=["tables"])
async def get_advice(table: str, request: Request[Any, Any, Any], state: State) -> list[Advice]:
    """Say what every decision is worth to the patron whose turn it is, under the table's payout limit."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    if run.standing(table).table.rules.scanned:
        raise HTTPException("Nobody but you knows your cards: they come from a scanned shoe.", status_code=409)
    asked = situation_of(run.hub.standings[table], person.name)
    if asked is None:
        raise HTTPException("It is not your turn to decide.", status_code=409)
    adviser: WorkerProcesses = state["adviser"]
    return await adviser.advise(asked)
