"""The areas of a felt: one for every offered wager, with its limits in words, and places for common cards."""

from collections.abc import Iterator

import msgspec

from pitboss.games import Bounds, Terms
from pitboss.games.declarations import Wager
from pitboss.submission.signs import format_amount


class Spot(msgspec.Struct, kw_only=True):
    """The marked area of one wager, with its limits in cents and its odds."""

    name: str
    title: str
    cite: str
    shape: str
    """`circle`, `square`, `diamond`, or `small` for a small circle."""
    placed: str
    """`first` (before the deal) or `decision`."""
    required: bool = False
    minimum: int = 0
    maximum: int | None = None
    amounts: tuple[int, ...] = ()
    """The only allowed amounts, if limited to a few."""
    limits: str = ""
    """The limits in words."""
    panel: str = ""
    """Name of its panel of odds."""
    offer: str = ""
    """The offer, which also names its meters."""


class CommonPlace(msgspec.Struct, frozen=True):
    """A place for cards outside the boxes: dealer or board."""

    name: str
    title: str
    cards: int


def spots_of(terms: Terms) -> Iterator[Spot]:
    """Yield the area of every wager that is offered or made by a decision."""
    decided = {step.wager for step in terms.game.decisions}
    for wager in terms.game.wagers:
        if wager.name not in decided and wager.offer not in terms.offered:
            continue
        bounds = terms.offered.get(wager.offer, Bounds())
        required = wager.name == terms.game.required
        meters = terms.meters.get(wager.by.paytable, {})
        shape = "circle" if required else "diamond" if meters else "small"
        yield Spot(
            name=wager.name,
            title=wager.title,
            cite=wager.cite,
            shape="square" if wager.name in decided else shape,
            placed="decision" if wager.name in decided else "first",
            required=required,
            minimum=bounds.minimum,
            maximum=bounds.maximum,
            amounts=bounds.amounts,
            limits=_limits(terms, wager, bounds),
            panel=wager.by.paytable,
            offer=wager.offer,
        )


def _limits(terms: Terms, wager: Wager, bounds: Bounds) -> str:
    """Return a wager's limits in words."""
    decision = next((step for step in terms.game.decisions if step.wager == wager.name), None)
    if decision:
        times = " or ".join(map(str, decision.multiples))
        return f"{times} × the {terms.game.wager(decision.on).title}"
    if bounds.amounts:
        return " or ".join(format_amount(amount) for amount in bounds.amounts)
    return " to ".join(format_amount(amount) for amount in (bounds.minimum, bounds.maximum) if amount)
