"""The layout printed on a table's felt: seats, an area for every offered wager, odds, limits and notices.

It comes from the game's declaration and the Submission. Screens draw it and know nothing else of the game.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from litestar import get
from litestar.datastructures import State

from pitboss.games import Bounds, Terms
from pitboss.games.declarations import Notice, Wager
from pitboss.house.live_table import LiveTable
from pitboss.rulebook import rulebook
from pitboss.rulebook.grounds import Ground
from pitboss.submission.approvals import approval_notice
from pitboss.submission.signs import Panel, format_amount, sign_of
from pitboss.web.drawing import Drawing, LayoutClauses, drawing_of
from pitboss.web.runtime import Runtime

DEALING: Final = {"manual-shoe": "manual shoe", "hand": "from the hand", "automated-shoe": "automated shoe"}


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


class Layout(msgspec.Struct, kw_only=True):
    """The layout of one table."""

    table: str
    game: str
    title: str
    edition: str
    accent: str
    property: str
    version: str
    seats: int
    boxes: int
    """Number of adjacent boxes a player may play."""
    cards: int
    """Number of a player's cards."""
    places: tuple[CommonPlace, ...]
    unit: int
    """Every wager is a multiple of this, in cents."""
    spots: tuple[Spot, ...]
    panels: tuple[Panel, ...]
    """All odds, including bonuses without an area."""
    notices: tuple[Notice, ...]
    play: tuple[str, ...]
    help_line: str
    play_money: bool
    not_approved: str
    """The approvals a table for real money still needs, in a sentence; empty if none."""
    dealing: str
    automatic: bool
    timeout: int | None
    """Seconds to decide."""
    scanned: bool
    drawing: Drawing
    """Positions of everything on the felt."""


def layout_of(standing: LiveTable, *, play_money: bool) -> Layout:
    """Return the layout of a table."""
    rules, sign = standing.table.rules, sign_of(standing.submission)
    terms = rules.terms
    game = terms.game
    places = tuple(
        CommonPlace(place.name, place.holder, place.cards)
        for place in game.places
        if place.name != "player" and (not place.only_for or place.only_for in terms.offered)
    )
    spots, areas = tuple(_spots(terms)), rulebook().games[game.name].wording.areas
    asked = LayoutClauses(str(rules.grounds[Ground.PROPERTY_NAME]), game.odds_sign, areas)
    return Layout(
        table=standing.chain,
        game=game.name,
        title=sign.title,
        edition=sign.edition,
        accent=sign.accent,
        property=sign.property,
        version=sign.version,
        seats=rules.seats,
        boxes=rules.boxes,
        cards=next(place.cards for place in game.places if place.name == "player"),
        places=places,
        unit=terms.unit,
        spots=spots,
        panels=sign.panels,
        notices=sign.notices,
        play=sign.play,
        help_line=sign.help_line,
        play_money=play_money,
        not_approved=lacking.says if (lacking := approval_notice(standing.submission)) else "",
        dealing=DEALING[rules.dealing],
        automatic=standing.settings.automatic,
        timeout=rules.timeout,
        scanned=rules.scanned,
        drawing=drawing_of(sign, spots, places, rules.seats, asked),
    )


def _spots(terms: Terms) -> Iterator[Spot]:
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


@get("/api/tables/{table:str}/layout", tags=["tables"])
async def layout(table: str, state: State) -> Layout:
    """Return the layout printed on a table's felt."""
    run: Runtime = state["runtime"]
    return layout_of(run.standing(table), play_money=run.config.play_money)
