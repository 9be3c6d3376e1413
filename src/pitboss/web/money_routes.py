"""HTTP routes about money: a patron's account and rounds, and the ledger for auditors."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from pitboss.house import ledger
from pitboss.house.office.permissions import Permission
from pitboss.house.storage.ledger_rows import balance_of
from pitboss.house.storage.ledger_rows import balances as read_balances
from pitboss.house.storage.rounds import rounds_of_patron
from pitboss.money import CENT
from pitboss.web.runtime import Runtime


class Account(msgspec.Struct):
    """A patron's account, in cents."""

    patron: str
    balance: int
    play_money: bool


class PlayedRound(msgspec.Struct):
    """One round of a patron, in cents."""

    ended: int
    table: str
    round: int
    wagered: int
    net: int


@get("/api/account", tags=["money"])
async def account(request: Request[Any, Any, Any], state: State) -> Account:
    """Show the requester's account."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    balance = await run.pit.read(lambda db: balance_of(db, ledger.patron_account(person.name)))
    return Account(person.name, (balance or 0) // CENT, run.config.play_money)


@get("/api/history", tags=["money"])
async def history(
    request: Request[Any, Any, Any],
    state: State,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
) -> list[PlayedRound]:
    """List the requester's last rounds, in cents."""
    run: Runtime = state["runtime"]
    person = await run.guard.person(request)
    rounds = await run.pit.read(lambda db: rounds_of_patron(db, person.name, limit))
    return [PlayedRound(one.ended, one.chain, one.number + 1, one.wagered, one.net) for one in rounds]


@get("/api/ledger", tags=["money"])
async def balances(request: Request[Any, Any, Any], state: State) -> dict[str, int]:
    """Show every account's balance, in micro-cents, to auditors and operators."""
    run: Runtime = state["runtime"]
    await run.guard.require(request, Permission.SEE_LEDGER)
    return await run.pit.read(read_balances)


MONEY: Final = [account, history, balances]
