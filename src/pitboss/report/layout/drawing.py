"""The drawing of a felt: positions of inscriptions and marked areas, for screens and the layout sheet.

Units are millimetres on a cloth of 1600 × 960. A poker card is 63 × 88, a chip 40 across.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import cos, hypot, radians, sin
from typing import Final, Literal, NamedTuple

import msgspec

from pitboss.report.layout.spots import CommonPlace, Spot
from pitboss.submission.signs import Panel, Sign

WIDTH: Final = 1600
HEIGHT: Final = 960
OUTLINE: Final = (
    "M 92 52 L 1508 52 Q 1572 52 1572 128 C 1572 560 1210 926 800 926 C 390 926 28 560 28 128 Q 28 52 92 52 Z"
)
BEND: Final = 20
"""Sag of a lettering arc at its middle."""
MIDDLE: Final = 800
LEAD: Final = 1.24
LETTER: Final = 0.57
GAP: Final = 1.8
"""In font sizes: line height, average letter width, and the gap between columns."""
HEAD: Final = 1.4
"""Height of a panel's head, in lines."""
LARGEST, SMALLEST, FINER = 14.0, 7.0, 0.25
"""Font sizes tried for odds: largest, smallest and step."""
CORNERS: Final = {"square": 1.41, "diamond": 1.14}
"""Ratio of an area's corner distance to its half width."""
CLEAR: Final = 12
"""Clearance between odds and a marked area, for chips."""
CARD: Final = (74, 74 * 88 / 63)


class Lettering(msgspec.Struct, frozen=True, kw_only=True):
    """A line of text along an arc."""

    text: str
    kind: Literal["owner", "title", "notice", "limits"]
    size: float
    y: float
    path: str
    cite: str = ""


class PrintedText(msgspec.Struct, frozen=True):
    """Text anchored at a point by its start, end or middle."""

    text: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]


class PrintedPanel(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a wager: a head and lines."""

    head: PrintedText
    lines: tuple[PrintedText, ...]
    cite: str
    """The layout's clause; the odds have their own."""
    paid_under: str


class SeatPlace(msgspec.Struct, frozen=True):
    """A betting position: its center, and its rotation in degrees."""

    seat: int
    x: float
    y: float
    turn: float


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """A marked area, relative to its betting position."""

    spot: str
    title: str
    shape: str
    x: float
    y: float
    r: float
    words: tuple[str, ...]
    cite: str


class CardPlace(msgspec.Struct, frozen=True, kw_only=True):
    """The place of the dealer's or community cards: one outline per card."""

    name: str
    title: str
    x: float
    """Center of the outlines."""
    cards: tuple[float, ...]
    """Left edge of each outline."""
    y: float
    width: float
    height: float


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything printed on a felt."""

    width: int = WIDTH
    height: int = HEIGHT
    outline: str = OUTLINE
    letterings: tuple[Lettering, ...]
    odds_size: float
    panels: tuple[PrintedPanel, ...]
    seats: tuple[SeatPlace, ...]
    areas: tuple[Area, ...]
    places: tuple[CardPlace, ...]


class LayoutClauses(NamedTuple):
    """The clauses that require parts of a layout."""

    owner: str
    odds: str
    areas: Mapping[str, str]
    """Clauses of the areas by offer; `required` covers the Ante and its raises."""


def drawing_of(
    sign: Sign, spots: "Sequence[Spot]", places: "Sequence[CommonPlace]", seats: int, asked: LayoutClauses
) -> Drawing:
    """Return the drawing of a felt with a sign's odds and notices and these betting positions."""
    letterings = tuple(_letterings(sign, spots, asked.owner))
    around = tuple(_seat(number, seats) for number in range(1, seats + 1))
    areas = tuple(_areas(spots, asked.areas))
    size, laid = _odds(sign.panels, letterings[-1].y + 4, _circles(around, areas))
    return Drawing(
        letterings=letterings,
        odds_size=size,
        panels=tuple(_place_panels(laid, letterings[-1].y + 4, size, asked.odds)),
        seats=around,
        areas=areas,
        places=tuple(_places(places)),
    )


def _seat(seat: int, seats: int) -> SeatPlace:
    """Return a seat's position; seats are numbered clockwise from the dealer's left."""
    first = 14
    angle = first + (180 - 2 * first) * (seat - 1) / max(1, seats - 1)
    place = MIDDLE + 646 * cos(radians(angle)), 96 + 652 * sin(radians(angle))
    return SeatPlace(seat, round(place[0], 3), round(place[1], 3), round((angle - 90) * 0.42, 4))


def _areas(spots: "Sequence[Spot]", asked: Mapping[str, str]) -> Iterator[Area]:
    """Yield the areas of a seat: the required wagers in one row, side wagers in a row behind."""
    main = [spot for spot in spots if spot.required or spot.placed == "decision"]
    side = [spot for spot in spots if spot not in main]
    for row, y, gap, r in ((side, -80, 64, 26), (main, -12, 68, 30)):
        for at, spot in enumerate(row):
            yield Area(
                spot=spot.name,
                title=spot.title,
                shape=spot.shape,
                x=(at - (len(row) - 1) / 2) * gap,
                y=y,
                r=r,
                words=_label(spot.title),
                cite=str(asked.get("required" if spot in main else spot.offer, spot.cite)),
            )


def _label(title: str) -> tuple[str, ...]:
    """Return a title split into words that fit its area."""
    short = re.sub(r"^Caribbean Stud ", "", title)
    short = re.sub(r"^Five Card Hand Bonus, (\w+)'s hand$", r"5-Card \1", short)
    short = re.sub(r"^Progressive Payout$", "Progressive", short)
    return tuple(re.split(r"[ -](?=[A-Za-z])", short)[:3])


class Circle(NamedTuple):
    """The circle around a marked area, on the felt."""

    x: float
    y: float
    r: float


def _circles(seats: Sequence[SeatPlace], areas: Sequence[Area]) -> list[Circle]:
    found = []
    for seat in seats:
        across, down = cos(radians(seat.turn)), sin(radians(seat.turn))
        for area in areas:
            x, y = seat.x + area.x * across - area.y * down, seat.y + area.x * down + area.y * across
            found.append(Circle(x, y, area.r * CORNERS.get(area.shape, 1)))
    return found


def _places(places: "Sequence[CommonPlace]") -> Iterator[CardPlace]:
    """Yield the places of the dealer's and community cards, in one row before the dealer."""
    (width, height), step, gap = CARD, 80, 56
    total = sum(place.cards * step for place in places) + gap * max(0, len(places) - 1)
    x = MIDDLE - total / 2
    for place in places:
        cards = tuple(x + number * step for number in range(place.cards))
        middle = x + (place.cards * step - 6) / 2
        yield CardPlace(
            name=place.name, title=place.title, x=middle, cards=cards, y=92, width=width, height=round(height, 3)
        )
        x += place.cards * step + gap


def _fill_lines(parts: Sequence[str], joint: str, most: int) -> list[str]:
    """Join parts into lines of limited length."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{joint}{part}" if lines else part
        if lines and len(longer.rstrip()) <= most:
            lines[-1] = longer
        else:
            lines.append(part)
    return [line.strip() for line in lines]


def _break_text(text: str, most: int) -> list[str]:
    """Break text into lines after words or dashes."""
    return _fill_lines(re.split(r"(?<=[ —])", text), "", most)


def _balance_lines(fill: Callable[[int], list[str]], most: int) -> list[str]:
    """Return the fewest lines, of similar length."""
    lines = len(fill(most))
    while most > 1 and len(fill(most - 1)) == lines:
        most -= 1
    return fill(most)


def _letterings(sign: Sign, spots: "Sequence[Spot]", owner_cite: str) -> Iterator[Lettering]:
    """Yield the arcs under the dealer's cards: operator, game, notices, and limits of every wager."""
    notices = [
        (line, notice.cite) for notice in sign.notices for line in _balance_lines(partial(_break_text, notice.text), 96)
    ]
    limits = _balance_lines(partial(_fill_lines, list(_limits(spots)), " · "), 106)
    lines: list[tuple[str, Literal["owner", "title", "notice", "limits"], int, str]] = [
        *((text, "owner", 15, owner_cite) for text in _break_text(sign.property, 90)),
        (sign.title, "title", 38, ""),
        *((text, "notice", 16 if len(notices) > 1 else 18, cite) for text, cite in notices),
        *((text, "limits", 13, "") for text in limits),
    ]
    y = 206.0
    for text, kind, size, cite in lines:
        y = round(y + size * (1 if kind == "title" else 1.3), 3)
        path = f"M 300 {y - BEND:g} Q {MIDDLE} {y + BEND:g} 1300 {y - BEND:g}"
        yield Lettering(text=text, kind=kind, size=size, y=y, path=path, cite=cite)


def _limits(spots: "Sequence[Spot]") -> Iterator[str]:
    """Yield the limits of every wager; raises with equal limits share a line."""
    found: dict[str, tuple[dict[str, None], str]] = {}
    for spot in spots:
        titles, _ = found.setdefault(spot.limits if spot.placed == "decision" else spot.offer, ({}, spot.limits))
        titles[re.sub(r",.*$", "", spot.title)] = None
    for titles, limits in found.values():
        yield f"{', '.join(titles)} {limits}"


class _Column(NamedTuple):
    panels: tuple[tuple[Panel, tuple[tuple[tuple[str, ...], str], ...]], ...]
    lines: float
    letters: int


class _PlacedColumn(NamedTuple):
    column: _Column
    x: float
    width: float


def _columns(panels: Sequence[Panel], most: int) -> list[_Column]:
    """Return the panels in order, filling columns of limited length without splitting a panel."""
    found: list[_Column] = []
    for panel in panels:
        rows = tuple((tuple(_break_text(row.hand, 24)), row.pays) for row in panel.rows)
        lines = HEAD + sum(len(hand) for hand, _ in rows)
        wide = (max(map(len, hand)) + len(pays) + 2 for hand, pays in rows)
        letters = max(len(panel.title), *wide)
        if found and found[-1].lines + lines <= most:
            last = found[-1]
            both = (*last.panels, (panel, rows))
            found[-1] = _Column(both, last.lines + lines, max(last.letters, letters))
        else:
            found.append(_Column(((panel, rows),), lines, letters))
    return found


def _place_columns(columns: Sequence[_Column], size: float) -> list[_PlacedColumn]:
    """Place columns side by side, centered on the felt."""
    widths = [column.letters * LETTER * size for column in columns]
    x = MIDDLE - (sum(widths) + GAP * size * (len(widths) - 1)) / 2
    found = []
    for column, width in zip(columns, widths, strict=True):
        found.append(_PlacedColumn(column, x + width / 2, width))
        x += width + GAP * size
    return found


def _is_clear(laid: _PlacedColumn, top: float, size: float, circles: Sequence[Circle]) -> bool:
    """Whether a column keeps clear of every marked area and its chips."""
    bottom, left, right = top + laid.column.lines * LEAD * size, laid.x - laid.width / 2, laid.x + laid.width / 2
    return all(
        hypot(max(left - one.x, 0, one.x - right), max(top - one.y, 0, one.y - bottom)) >= one.r + CLEAR
        for one in circles
    )


def _odds(panels: Sequence[Panel], top: float, circles: Sequence[Circle]) -> tuple[float, list[_PlacedColumn]]:
    """Return the columns that fit in the largest font without touching a marked area."""
    ways = [_columns(panels, most) for most in range(10, 26)]
    size = LARGEST
    while True:
        for way in ways:
            found = _place_columns(way, size)
            if size <= SMALLEST or all(_is_clear(one, top, size, circles) for one in found):
                return size, found
        size -= FINER


def _place_panels(columns: Sequence[_PlacedColumn], top: float, size: float, cite: str) -> Iterator[PrintedPanel]:
    """Yield the panels of each column, one below another."""
    lead = LEAD * size
    for laid in columns:
        line, left, right = 0.0, laid.x - laid.width / 2, laid.x + laid.width / 2
        for panel, rows in laid.column.panels:
            line += HEAD
            head, lines = PrintedText(panel.title, laid.x, round(top + line * lead, 3), "middle"), []
            for hand, pays in rows:
                for part in hand:
                    line += 1
                    lines.append(PrintedText(part, left, round(top + line * lead, 3), "start"))
                lines.append(PrintedText(pays, right, round(top + line * lead, 3), "end"))
            yield PrintedPanel(head=head, lines=tuple(lines), cite=cite, paid_under=str(panel.cite))
