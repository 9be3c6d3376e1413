"""The layout printed on a table's felt: seats, an area for every offered wager, odds, limits and notices.

It comes from the game's declaration and the Submission. Screens draw it and know nothing else of the game.
"""

import msgspec

from pitboss.games.declarations import Notice
from pitboss.report.layout.drawing import Drawing, LayoutClauses, drawing_of
from pitboss.report.layout.spots import CommonPlace, Spot, spots_of
from pitboss.rulebook import rulebook
from pitboss.rulebook.grounds import Ground
from pitboss.submission import Submission
from pitboss.submission.approvals import approval_notice
from pitboss.submission.signs import Panel, sign_of
from pitboss.table.state import Table


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


def layout_of(name: str, table: Table, submission: Submission, *, automatic: bool, play_money: bool) -> Layout:
    """Return the layout of a table."""
    rules, sign = table.rules, sign_of(submission)
    terms = rules.terms
    game = terms.game
    places = tuple(
        CommonPlace(place.name, place.holder, place.cards)
        for place in game.places
        if place.name != "player" and (not place.only_for or place.only_for in terms.offered)
    )
    spots, areas = tuple(spots_of(terms)), rulebook().games[game.name].wording.areas
    asked = LayoutClauses(str(rules.grounds[Ground.PROPERTY_NAME]), game.odds_sign, areas)
    return Layout(
        table=name,
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
        not_approved=lacking.says if (lacking := approval_notice(submission)) else "",
        dealing=rules.dealing.label,
        automatic=automatic,
        timeout=rules.timeout,
        scanned=rules.scanned,
        drawing=drawing_of(sign, spots, places, rules.seats, asked),
    )
