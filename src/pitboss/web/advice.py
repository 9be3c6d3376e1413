"""Exact advice for the player to act, and the worker processes that calculate it outside the server."""

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
"""Size of the cache of results."""


class Advice(msgspec.Struct):
    """The EV of one decision in Antes, exact and rounded; a fold has multiple 0."""

    multiple: int
    worth: str
    about: float
    best: bool
    cost: str
    """Expected loss against the best decision, in Antes."""
    loses: float
    """Expected loss against the best decision, in cents for this box."""
    counts: str
    """What the EV includes and excludes, in a sentence."""


class AdviceRequest(msgspec.Struct, frozen=True):
    """A player's knowledge, as sent to the worker process."""

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
    """Two worker processes, started on first use: one for advice, one for longer work."""

    def __init__(self) -> None:
        """Create the pools and an empty cache."""
        self._pools = {"advice": _process(), "work": _process()}
        self._cached: dict[tuple[object, ...], asyncio.Future[Any]] = {}

    async def advise(self, asked: AdviceRequest) -> list[Advice]:
        """Return every decision with its EV."""
        found = await self.run_soon(calculate_worths, asked)
        most = max(Fraction(worth) for _, worth in found)
        return [_make_advice(multiple, Fraction(worth), most, asked) for multiple, worth in found]

    async def run_soon(self, function: Callable[..., T], *args: object) -> T:
        """Call a function in the advice process, for a player who waits."""
        return await self._run_in_pool("advice", function, *args)

    async def work(self, function: Callable[..., T], *args: object) -> T:
        """Call a function in the process for longer work; advice does not wait for it."""
        return await self._run_in_pool("work", function, *args)

    async def _run_in_pool(self, which: str, function: Callable[..., T], *args: object) -> T:
        loop, pool = asyncio.get_running_loop(), self._pools[which]
        try:
            return await loop.run_in_executor(pool, function, *args)
        except BrokenProcessPool:  # the worker was killed: start another
            if self._pools[which] is pool:
                self._pools[which] = _process()
            return await loop.run_in_executor(self._pools[which], function, *args)

    async def run_cached(self, function: Callable[..., T], *args: object) -> T:
        """Call a deterministic function in the process for longer work, caching its latest results."""
        key = (function, *args)
        if key not in self._cached:
            if len(self._cached) >= REMEMBERED:
                del self._cached[next(iter(self._cached))]
            self._cached[key] = asyncio.ensure_future(self.work(function, *args))
            self._cached[key].add_done_callback(lambda done: self._failed(key, done))
        future: asyncio.Future[T] = self._cached[key]
        return await asyncio.shield(future)  # other waiting requests survive a disconnect

    def _failed(self, key: tuple[object, ...], done: "asyncio.Future[Any]") -> None:
        """Remove a failed call from the cache, so that the next request retries it."""
        if done.cancelled() or done.exception():
            self._cached.pop(key, None)

    def stop(self) -> None:
        """Terminate the workers without waiting."""
        for pool in self._pools.values():
            workers = list((pool._processes or {}).values())  # noqa: SLF001 (no public access)
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"))


def _make_advice(multiple: int, worth: Fraction, most: Fraction, asked: AdviceRequest) -> Advice:
    cost = most - worth
    about, loses = round(float(worth), 6), round(float(cost * asked.ante), 2)
    return Advice(multiple, str(worth), about, not cost, str(cost), loses, worth_note(asked.limit, asked.other_boxes))


def worth_note(limit: int | None, other_boxes: bool = False) -> str:  # noqa: FBT001, FBT002 (a fact of the request)
    """Return what an EV includes and excludes, in a sentence."""
    under = f" under the payout limit of {format_amount(limit)} per player and round" if limit is not None else ""
    limit_share = " and their share of the limit" if under else ""
    beside = f", cards of your other boxes{limit_share}" if other_boxes else ""
    return f"EV of the required wagers with best play{under}; side bets{beside} excluded."


def limit_on_required(terms: Terms) -> int | None:
    """Return the payout limit in cents, if it applies to the required wagers."""
    limit = GAMES[terms.game.name].limit
    return terms.payout_limit if limit and terms.game.required in limit.wagers else None


def calculate_worths(asked: AdviceRequest) -> list[tuple[int, str]]:
    """Return every decision with its exact EV as text; runs in the worker process."""
    from pitboss.exact.advice import LimitAtWager, Situation, advise  # noqa: PLC0415 (numba is loaded in the worker only)

    def cards(held: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple(Card(card) for card in held)

    situation = Situation(player=cards(asked.player), up=cards(asked.up), board=cards(asked.board), raised=asked.raised)
    under = None if asked.limit is None else LimitAtWager(asked.limit, asked.ante)
    found = advise(asked.game, asked.letter, dict(asked.readings), situation, under)
    return [(one.multiple, str(one.worth)) for one in found]


def situation_of(live: LiveTable, patron: str) -> AdviceRequest | None:
    """Return the knowledge of a patron whose turn it is, or None."""
    table = live.table
    box = next_to_decide(table)
    if box is None or box.patron != patron:
        return None
    shown = {place: tuple(str(slot.card) for slot in held if slot.up) for place, held in table.places.items()}
    terms, offered = table.rules.terms, live.submission.wagers[table.rules.terms.game.required]
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
    """Return the EV of every decision for the patron whose turn it is, under the table's payout limit."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    if run.live(table).table.rules.scanned:
        raise HTTPException("No advice here: the house does not know cards from a scanned shoe.", status_code=409)
    asked = situation_of(run.hub.live_tables[table], person.name)
    if asked is None:
        raise HTTPException("It is not your turn to decide.", status_code=409)
    adviser: WorkerProcesses = state["adviser"]
    return await adviser.advise(asked)
