"""The kinds of pay that the chapters have, such as odds and shares of a meter.

>>> parse_pay("1,000 to 1"), parse_pay("100% of mega jackpot"), parse_pay("Push")
(Odds(wins=1000, per=1), Share(percent=100, meter='mega'), Push())
"""

import re
from typing import Final

import msgspec

from pitboss.errors import Mistake


class Odds(msgspec.Struct, frozen=True, tag=True):
    """“3 to 2”: the player wins 3 for every 2 wagered and keeps the wager."""

    wins: int
    per: int

    def __str__(self) -> str:
        return f"{self.wins} to {self.per}"


class ForOne(msgspec.Struct, frozen=True, tag=True):
    """“25 for 1”: the player receives 25 for every 1 wagered and the wager is not returned."""

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
    """The wager is returned; nothing is won."""

    def __str__(self) -> str:
        return "push"


class Loss(msgspec.Struct, frozen=True, tag=True):
    """The paytable prints that this hand loses."""

    def __str__(self) -> str:
        return "loss"


class NotPaid(msgspec.Struct, frozen=True, tag=True):
    """“N/A” or a blank cell: the paytable has no pay for this hand."""

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
    """Parse a cell of a printed paytable."""
    text = cell.replace(",", "").lower()
    for form, make in _FORMS:
        if found := re.fullmatch(form, text):
            read: Pay = make(*found.groups())
            return read
    raise Mistake(f"“{cell}” is not a pay such as “3 to 2”, “25 for 1”, “10% of meter”, “Push”, “Loss” or “N/A”.")
