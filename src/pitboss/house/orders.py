"""An order for a table, what a dealer enters with it, and what became of it."""

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
    """What a person at the table enters with a command: counts, the cut, the cards of a scanned shoe."""

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
    """One command for one table, by one person, to be carried out once."""

    person: str
    role: Role
    key: str
    chain: str
    command: Command
    entered: DealerInput = DealerInput()


class Deal(msgspec.Struct, frozen=True):
    """Have the automatic dealer of a table do what is due, if anything."""

    chain: str


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of an order."""

    accepted: bool
    table: str
    seq: int = 0
    """Where the table's log ended after it."""
    waiting: str = ""
    """What of it waits for a second person."""
    slip: str = ""
    """The number of the slip about a jackpot that was validated."""
    why: str = ""
    cite: str = ""


def refuse_order(order: Order, why: Refusal) -> Reply:
    """Return the answer to an order that is refused."""
    return Reply(accepted=False, table=order.chain, why=why.why, cite=str(why.cite))
