"""What a winning wager is paid: the kinds of pay the chapters know.

>>> parse_pay("1,000 to 1"), parse_pay("100% of mega jackpot"), parse_pay("Push")
(Odds(wins=1000, per=1), Share(percent=100, meter='mega'), Push())
"""

import re
from typing import Final

import msgspec

from pitboss.errors import Mistake


class Odds(msgspec.Struct, frozen=True, tag=True):
    """“3 to 2”: the stake is returned and 3 are won for every 2 wagered."""

    wins: int
    per: int

    def __str__(self) -> str:
        return f"{self.wins} to {self.per}"


class ForOne(msgspec.Struct, frozen=True, tag=True):
    """“25 for 1”: 25 are paid in place of the 1 wagered, which is not returned."""

    pays: int

    def __str__(self) -> str:
        return f"{self.pays} for 1"


class Share(msgspec.Struct, frozen=True, tag=True):
    """“10% of meter”: a share of a progressive meter, by name where the wager has several."""

    percent: int
    meter: str

    def __str__(self) -> str:
        return f"{self.percent}% of {self.meter}"


class Push(msgspec.Struct, frozen=True, tag=True):
    """The stake is returned, nothing is won."""

    def __str__(self) -> str:
        return "push"


class Loss(msgspec.Struct, frozen=True, tag=True):
    """The table says in print that this hand loses."""

    def __str__(self) -> str:
        return "loss"


class NotPaid(msgspec.Struct, frozen=True, tag=True):
    """“N/A” or a blank cell: this table has no pay for the hand."""

    def __str__(self) -> str:
        return "n/a"


Pay = Odds | ForOne | Share | Push | Loss | NotPaid

_FORMS: Final = (
    (r"(\d+) to ([1-9]\d*)", lambda wins, per: Odds(int(wins), int(per))),
    (r"(\d+) for 1", lambda pays: ForOne(int(pays))),
    (
        r"(100|[1-9]\d?)% (?:of )?(meter|mega|major|minor)(?: jackpot)?",
        lambda percent, meter: Share(int(percent), meter),
    ),
    (r"push", Push),
    (r"loss", Loss),
    (r"n/a|", NotPaid),
)


def parse_pay(cell: str) -> Pay:
    """Read a cell as the chapters print it."""
    text = cell.replace(",", "").lower()
    for form, make in _FORMS:
        if found := re.fullmatch(form, text):
            read: Pay = make(*found.groups())
            return read
    raise Mistake(f"“{cell}” is not a pay such as “3 to 2”, “25 for 1”, “10% of meter”, “Push”, “Loss” or “N/A”.")
