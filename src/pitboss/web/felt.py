"""What is printed on a table's felt: its seats, an area for every wager on offer, odds, limits and notices.

Taken from the game's declaration and the Submission; a screen draws it and knows nothing else of the game.
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
    """A marked area: one wager, its limits in cents, what it pays."""

    name: str
    title: str
    cite: str
    shape: str
    """circle, square, diamond, or small: a small circle."""
    placed: str
    """`first`, before the cards are dealt, or `decision`."""
    required: bool = False
    minimum: int = 0
    maximum: int | None = None
    amounts: tuple[int, ...] = ()
    """Where only a few amounts are taken: these."""
    limits: str = ""
    """The same in words."""
    panel: str = ""
    """Its odds: which of the layout's."""
    offer: str = ""
    """What its meters are named by."""


class CommonPlace(msgspec.Struct, frozen=True):
    """A place for cards that are nobody's box."""

    name: str
    title: str
    cards: int


class Layout(msgspec.Struct, kw_only=True):
    """One felt."""

    table: str
    game: str
    title: str
    edition: str
    accent: str
    property: str
    version: str
    seats: int
    boxes: int
    """Adjacent boxes a player may wager on."""
    cards: int
    """Of a player."""
    places: tuple[CommonPlace, ...]
    unit: int
    """Every wager is a multiple of it, in cents."""
    spots: tuple[Spot, ...]
    panels: tuple[Panel, ...]
    """All odds, also of what is paid on top and has no area of its own."""
    notices: tuple[Notice, ...]
    play: tuple[str, ...]
    help_line: str
    play_money: bool
    not_approved: str
    """What a table for real money would need to be approved, in a sentence; empty where everything is."""
    dealing: str
    automatic: bool
    timeout: int | None
    """Seconds to decide."""
    scanned: bool
    drawing: Drawing
    """Where all of it stands on the cloth."""


def layout_of(standing: LiveTable, *, play_money: bool) -> Layout:
    """Return the felt of a table."""
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
    """Say what a wager may be."""
    decision = next((step for step in terms.game.decisions if step.wager == wager.name), None)
    if decision:
        times = " or ".join(map(str, decision.multiples))
        return f"{times} × the {terms.game.wager(decision.on).title}"
    if bounds.amounts:
        return " or ".join(format_amount(amount) for amount in bounds.amounts)
    return " to ".join(format_amount(amount) for amount in (bounds.minimum, bounds.maximum) if amount)


@get("/api/tables/{table:str}/layout", tags=["tables"])
async def layout(table: str, state: State) -> Layout:
    """Say what is printed on a table's felt."""
    run: Runtime = state["runtime"]
    return layout_of(run.standing(table), play_money=run.config.play_money)
