"""The layout as a sheet to file: the felt's drawing, with every inscription numbered and its clause."""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import msgspec

from pitboss.report.layout.drawing import BEND, MIDDLE, Area, Drawing, PrintedText
from pitboss.report.layout.layout import layout_of
from pitboss.rulebook import rulebook
from pitboss.rulebook.grounds import Ground
from pitboss.submission import read_draft, submission_hash
from pitboss.table import open_table

SCALE: Final = 5
"""Scale of the numbered sheet; the last page has full size."""
WHERE: Final = {
    "owner": "Arc, first line",
    "title": "Arc, name of the game",
    "notice": "Arc, notice",
    "limits": "Arc, limits of wagers",
}
SPACED: Final = {"title": 0.16}
LONG: Final = 8
"""Words longer than this are set smaller in their area."""


class Inscription(msgspec.Struct, frozen=True, kw_only=True):
    """An inscription on the layout: its place, its text, and the clause that requires it."""

    number: int
    where: str
    says: tuple[str, ...]
    cite: str
    paid_under: str = ""
    """The clause of the odds."""


class LayoutPaper(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a layout sheet."""

    title: str
    accent: str
    edition: str
    property: str
    version: str
    sha256: str
    seats: int
    seats_cite: str
    approval_cite: str
    width: int
    height: int
    scale: int
    numbered: str
    """The drawing with numbered inscriptions, as SVG."""
    plain: str
    """The drawing without numbers, as SVG."""
    inscriptions: tuple[Inscription, ...]


def layout_paper(text: str) -> LayoutPaper:
    """Return the layout sheet of a valid Submission."""
    submission = read_draft(text)
    table = open_table(submission)
    layout, grounds = layout_of("layout", table, submission, automatic=True, play_money=True), table.rules.grounds
    return LayoutPaper(
        title=layout.title,
        accent=layout.accent,
        edition=layout.edition,
        property=layout.property,
        version=layout.version,
        sha256=submission_hash(text),
        seats=layout.seats,
        seats_cite=str(grounds[Ground.SEATS]),
        approval_cite=str(rulebook().games[layout.game].wording.areas.get("layout", "")),
        width=layout.drawing.width,
        height=layout.drawing.height,
        scale=SCALE,
        numbered=svg_of(layout.drawing, numbered=True),
        plain=svg_of(layout.drawing),
        inscriptions=tuple(inscriptions_of(layout.drawing)),
    )


def inscriptions_of(drawing: Drawing) -> Iterator[Inscription]:
    """Yield the inscriptions, numbered from the dealer's side to the players'."""
    number = 0
    for line in drawing.letterings:
        number += 1
        yield Inscription(number=number, where=WHERE[line.kind], says=(line.text,), cite=line.cite)
    for panel in drawing.panels:
        number += 1
        yield Inscription(
            number=number,
            where="Odds, middle of the cloth",
            says=(panel.head.text, *_rows(panel.lines)),
            cite=panel.cite,
            paid_under=panel.paid_under,
        )
    for area in drawing.areas:
        number += 1
        where = f"{area.shape.capitalize().replace('Small', 'Small circle')}, at each betting position"
        says = tuple(dict.fromkeys((" ".join(area.words), area.title)))
        yield Inscription(number=number, where=where, says=says, cite=area.cite)


def _rows(lines: Iterable[PrintedText]) -> Iterator[str]:
    """Yield each hand with its odds; a hand's name may take several lines."""
    hand: list[str] = []
    for line in lines:
        hand.append(line.text)
        if line.anchor == "end":
            yield " ".join(hand)
            hand = []


def svg_of(drawing: Drawing, *, numbered: bool = False) -> str:
    """Return a drawing as SVG in black, one unit per millimetre."""
    box = f"0 0 {drawing.width} {drawing.height}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="Libertinus Serif" fill="#000">',
        f'<path d="{drawing.outline}" fill="none" stroke="#000" stroke-width="2"/>',
        *_places(drawing),
        *_letterings(drawing, numbered=numbered),
        *_odds(drawing, numbered=numbered),
        *_seats(drawing, numbered=numbered),
        "</svg>",
    ]
    return "\n".join(parts)


def _text(text: str, x: float, y: float, size: float, anchor: str = "middle", **more: object) -> str:
    marks = "".join(f" {name.replace('_', '-')}={quoteattr(str(value))}" for name, value in more.items())
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"{marks}>{escape(text)}</text>'


def _number(number: int, x: float, y: float) -> str:
    """Draw the number of an inscription."""
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="9.5" fill="#fff" stroke="#b00020" stroke-width="1.5"/>'
    return ring + _text(str(number), x, y + 4, 12, fill="#b00020")


def _places(drawing: Drawing) -> Iterator[str]:
    for place in drawing.places:
        yield _text(place.title, place.x, 84, 16, font_variant="small-caps", letter_spacing="2")
        for x in place.cards:
            box = f'x="{x:g}" y="{place.y:g}" width="{place.width:g}" height="{place.height:g}"'
            yield f'<rect {box} rx="6" fill="none" stroke="#000" stroke-width="1.2"/>'


def _letterings(drawing: Drawing, *, numbered: bool) -> Iterator[str]:
    for at, line in enumerate(drawing.letterings):
        spacing = line.size * SPACED.get(line.kind, 0.1)
        yield f'<path id="arc-{at}" d="{line.path}" fill="none"/>'
        type_ = f'font-size="{line.size:g}" letter-spacing="{spacing:g}" text-anchor="middle" font-variant="small-caps"'
        along = f'<textPath href="#arc-{at}" startOffset="50%">{escape(line.text)}</textPath>'
        yield f"<text {type_}>{along}</text>"
        if numbered:
            x = MIDDLE - len(line.text) * line.size * (0.22 + SPACED.get(line.kind, 0.1) / 2) - 26
            part = (x - 300) / 1000
            yield _number(at + 1, x, line.y - BEND + 4 * BEND * part * (1 - part) - line.size / 3)


def _odds(drawing: Drawing, *, numbered: bool) -> Iterator[str]:
    size, first = drawing.odds_size, len(drawing.letterings) + 1
    for at, panel in enumerate(drawing.panels):
        head = panel.head
        yield _text(head.text, head.x, head.y, size * 1.12, font_variant="small-caps", letter_spacing="0.4")
        for line in panel.lines:
            yield _text(line.text, line.x, line.y, size, line.anchor)
        if numbered:
            left = min(line.x for line in panel.lines)
            yield _number(first + at, left - 12, head.y - 4)


def _seats(drawing: Drawing, *, numbered: bool) -> Iterator[str]:
    first = len(drawing.letterings) + len(drawing.panels) + 1
    for seat in drawing.seats:
        yield f'<g transform="translate({seat.x:g} {seat.y:g}) rotate({seat.turn:g})">'
        for at, area in enumerate(drawing.areas):
            yield f'<g transform="translate({area.x:g} {area.y:g})">{_shape(area)}{_words(area)}'
            if numbered and seat is drawing.seats[len(drawing.seats) // 2]:
                yield _number(first + at, area.r * 0.8, -area.r * 0.8)
            yield "</g>"
        yield _text(str(seat.seat), 0, 74, 15, **{"class": "seat"})
        yield "</g>"


def _shape(area: Area) -> str:
    ink, r = 'fill="none" stroke="#000" stroke-width="1.3"', area.r
    if area.shape == "square":
        return f'<rect x="{-r:g}" y="{-r:g}" width="{2 * r:g}" height="{2 * r:g}" rx="4" {ink}/>'
    if area.shape == "diamond":
        side = f'x="{-0.8 * r:g}" y="{-0.8 * r:g}" width="{1.6 * r:g}" height="{1.6 * r:g}"'
        return f'<rect {side} rx="3" transform="rotate(45)" {ink}/>'
    return f'<circle r="{r:g}" {ink}/>'


def _words(area: Area) -> str:
    middle = (len(area.words) - 1) / 2
    return "".join(
        _text(word, 0, (line - middle) * 10 + 3, 7.5 if len(word) > LONG else 9.5)
        for line, word in enumerate(area.words)
    )
