"""Orders for a table, the inputs that come with them, and their replies."""

from typing import Annotated

import msgspec

from pitboss.table import (
    Command,
    Refusal,
    Role,
)

Word = Annotated[str, msgspec.Meta(max_length=40)]
CardText = Annotated[str, msgspec.Meta(max_length=4)]


class DealerInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Inputs with a command: counts, the cut, the cards of a scanned shoe."""

    preshuffled: bool = False
    backs: Annotated[tuple[Word, ...], msgspec.Meta(max_length=2)] = ()
    wrong: Annotated[tuple[Word, ...], msgspec.Meta(max_length=8)] = ()
    depth: int = 0
    counted: int | None = None
    without_chip: Annotated[tuple[int, ...], msgspec.Meta(max_length=8)] = ()
    misdealt: bool = False
    light: bool = False
    whole: bool = True
    cards: Annotated[tuple[CardText, ...], msgspec.Meta(max_length=52)] = ()


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """One person's command for one table, to be carried out once."""

    person: str
    role: Role
    key: str
    chain: str
    command: Command
    entered: DealerInput = DealerInput()


class Deal(msgspec.Struct, frozen=True):
    """An order to the automatic dealer to do what is due, if anything."""

    chain: str


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reply to an order: accepted, waiting or refused."""

    accepted: bool
    table: str
    seq: int = 0
    """The last entry of the table's log after it."""
    waiting: str = ""
    """The id of the request, if it waits for a second person."""
    slip: str = ""
    """The slip number of a validated jackpot."""
    why: str = ""
    cite: str = ""


def refuse_order(order: Order, why: Refusal) -> Reply:
    """Return the reply to a refused order."""
    return Reply(accepted=False, table=order.chain, why=why.why, cite=str(why.cite))
