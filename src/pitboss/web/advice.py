"""Exact advice for who is to decide, worked out by a process of its own: its kernels must not run in the server."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException

from pitboss.cards import Card
from pitboss.house.standing import Standing
from pitboss.table.steps import to_act
from pitboss.web.runtime import Runtime


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


class Asked(msgspec.Struct, frozen=True):
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


class Adviser:
    """The other process, started when it is first asked."""

    def __init__(self) -> None:
        """Begin without it."""
        self._pool = ProcessPoolExecutor(1, get_context("spawn"))

    async def advise(self, asked: Asked) -> list[Advice]:
        """Return every decision with what it is worth."""
        found = await asyncio.get_running_loop().run_in_executor(self._pool, worked_out, asked)
        most = max(Fraction(worth) for _, worth in found)
        return [_judged(multiple, Fraction(worth), most, asked.ante) for multiple, worth in found]

    def stop(self) -> None:
        """End it."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _judged(multiple: int, worth: Fraction, most: Fraction, ante: int) -> Advice:
    cost = most - worth
    return Advice(multiple, str(worth), round(float(worth), 6), not cost, str(cost), round(float(cost * ante), 2))


def worked_out(asked: Asked) -> list[tuple[int, str]]:
    """Return every decision and its exact worth, as text: in the other process."""
    from pitboss.exact.advise import Situation, advise  # noqa: PLC0415 (numba is for that process alone)

    def cards(held: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple(Card(card) for card in held)

    situation = Situation(player=cards(asked.player), up=cards(asked.up), board=cards(asked.board), raised=asked.raised)
    return [(one.multiple, str(one.worth)) for one in advise(asked.game, asked.letter, dict(asked.readings), situation)]


def situation_of(standing: Standing, patron: str) -> Asked | None:
    """Return what a patron whose turn it is knows."""
    table = standing.table
    box = to_act(table)
    if box is None or box.patron != patron:
        return None
    shown = {place: tuple(str(slot.card) for slot in held if slot.up) for place, held in table.places.items()}
    terms, offered = table.rules.terms, standing.submission.wagers[table.rules.terms.game.required]
    return Asked(
        terms.game.name,
        offered.paytable or None,
        tuple(sorted(terms.readings.items())),
        tuple(str(slot.card) for slot in box.cards),
        shown.get("dealer", ()),
        shown.get("board", ()),
        box.decisions,
        box.wagers[terms.game.required],
    )


@get("/api/tables/{table:str}/advice", tags=["tables"])
async def advice(table: str, request: Request[Any, Any, Any], state: State) -> list[Advice]:
    """Say what every decision is worth, to the patron whose turn it is; the required wagers alone are counted."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    run.guard.limit(run.guard.orders, person.name)
    if table not in run.hub.standings:
        raise NotFoundException(f"There is no open table “{table}”.")
    if run.hub.standings[table].table.rules.scanned:
        raise HTTPException("Nobody but you knows your cards: they come from a scanned shoe.", status_code=409)
    asked = situation_of(run.hub.standings[table], person.name)
    if asked is None:
        raise HTTPException("It is not your turn to decide.", status_code=409)
    adviser: Adviser = state["adviser"]
    return await adviser.advise(asked)
