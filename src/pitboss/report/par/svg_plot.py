"""Draw plots and charts of cells as SVG.

Every function is pure, so the same data gives the same bytes. Lengths are in SVG units.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Final

import msgspec

from pitboss.report.par.scale import Scale, number

WIDTH: Final = 640
HEIGHT: Final = 300
FONT: Final = 12
INK: Final = "#222222"
GRAY: Final = "#6b6459"
_FAMILIES: Final = "Libertinus Serif, Georgia, Times New Roman, serif"
_LINE: Final = 15
_TOP: Final = 28
_BOTTOM: Final = HEIGHT - 42
_CELL: Final = 36
_DARK: Final = 0.18  # below this luminance white text has more contrast than black


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return the positions, in the order given, moved as little as possible so that neighbours are a gap apart.

    >>> spread([100, 104, 50], 10, 0, 200)
    [97.0, 107.0, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    groups: list[list[int]] = []  # touching neighbours, which move together

    def start(group: list[int]) -> float:
        mean = sum(wanted[n] - place * gap for place, n in enumerate(group)) / len(group)
        return max(low, min(mean, high - (len(group) - 1) * gap))

    for n in order:
        groups.append([n])
        while len(groups) > 1 and start(groups[-2]) + len(groups[-2]) * gap > start(groups[-1]):
            last = groups.pop()
            groups[-1] = groups[-1] + last
    places = {n: start(group) + place * gap for group in groups for place, n in enumerate(group)}
    return [places[n] for n in range(len(wanted))]


class Axes(msgspec.Struct, frozen=True, kw_only=True):
    """Two axes; the methods return marks to draw in them."""

    x: Scale
    y: Scale
    x_name: str
    y_name: str
    x_words: Callable[[float], str] = number
    y_words: Callable[[float], str] = number
    ends: tuple[tuple[float, float, str], ...] = ()
    """The end points of lines, and their labels."""

    @property
    def left(self) -> float:
        """The position of the y axis, which leaves room for its labels."""
        return 12 + max(_width(self.y_words(tick)) for tick in self._y_ticks())

    @property
    def right(self) -> float:
        """The end of the x axis, which leaves room for the labels of lines."""
        return WIDTH - 20 - max((_width(words) for _, _, words in self.ends), default=0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a point in the picture."""
        return self.left + self.x.share(x) * (self.right - self.left), _BOTTOM - self.y.share(y) * (_BOTTOM - _TOP)

    def line(self, points: Iterable[tuple[float, float]], color: str, opacity: float = 1) -> str:
        """Return a line through points."""
        path = " ".join(f"{_round(x)},{_round(y)}" for x, y in (self.at(*point) for point in points))
        style = f'fill="none" stroke="{color}" stroke-width="1.8" stroke-linejoin="round" stroke-opacity="{opacity}"'
        return f'<polyline points="{path}" {style}/>'

    def stem(self, x: float, y: float, color: str) -> str:
        """Return a thick line from the x axis up to a point."""
        across, up = self.at(x, y)
        return _path(f"M{_round(across)} {_BOTTOM}V{_round(up)}", color, 2.4)

    def dot(self, x: float, y: float, note: str = "") -> str:
        """Return a dot with a note above it, kept within the axes."""
        across, up = self.at(x, y)
        half = _width(note) / 2
        middle = max(self.left + 4 + half, min(across, self.right - half))
        words = text(middle, up - 8, note, "middle") if note else ""
        return f'<circle cx="{_round(across)}" cy="{_round(up)}" r="2.8" fill="{INK}"/>{words}'

    def level(self, y: float) -> str:
        """Return a thin horizontal line at a value of y."""
        return _path(f"M{_round(self.left)} {_round(self.at(self.x.low, y)[1])}H{_round(self.right)}")

    def upright(self, x: float) -> str:
        """Return a thin vertical line at a value of x."""
        return _path(f"M{_round(self.at(x, self.y.low)[0])} {_BOTTOM}V{_TOP}")

    def picture(self, title: str, marks: Iterable[str]) -> str:
        """Return the picture with axes, marks and labels."""
        return picture(title, HEIGHT, [*self._frame(), *marks, *self._end_words()])

    def _y_ticks(self) -> list[float]:
        return self.y.ticks((_BOTTOM - _TOP) // 22)

    def _x_ticks(self) -> list[float]:
        """Return as many ticks as there is room for their labels."""
        for most in range(16, 1, -1):
            ticks = self.x.ticks(most)
            places = [(self.at(x, self.y.low)[0], _width(self.x_words(x)) / 2) for x in ticks]
            if all(b - a >= half_a + half_b + FONT for (a, half_a), (b, half_b) in pairwise(places)):
                break
        return ticks

    def _frame(self) -> Iterable[str]:
        left, right = _round(self.left), _round(self.right)
        path = [f"M{left} {_TOP}V{_BOTTOM}H{right}"]
        for ticks, long in ((self.x.minor_ticks(), 2.5), (self._x_ticks(), 5)):
            path += [f"M{_round(self.at(x, self.y.low)[0])} {_BOTTOM}v{long}" for x in ticks]
        for ticks, long in ((self.y.minor_ticks(), 2.5), (self._y_ticks(), 5)):
            path += [f"M{left} {_round(self.at(self.x.low, y)[1])}h-{long}" for y in ticks]
        yield _path("".join(path))
        for x in self._x_ticks():
            yield text(self.at(x, self.y.low)[0], _BOTTOM + 17, self.x_words(x), "middle", GRAY)
        for y in self._y_ticks():
            yield text(self.left - 8, self.at(self.x.low, y)[1] + 4, self.y_words(y), "end", GRAY)
        yield text((self.left + self.right) / 2, HEIGHT - 8, self.x_name, "middle")
        yield text(0, 12, self.y_name)

    def _end_words(self) -> Iterable[str]:
        points = [self.at(x, y) for x, y, _ in self.ends]
        for (x, y), place, (_, _, words) in zip(
            points, spread([y for _, y in points], _LINE, _TOP, _BOTTOM - 8), self.ends, strict=True
        ):
            yield _path(f"M{_round(x)} {_round(y)}L{_round(self.right + 14)} {_round(place)}")
            yield text(self.right + 17, place + 4, words)


def cells_picture(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Iterable[tuple[int, int, str, str]],
    names: tuple[str, str],
) -> str:
    """Return a chart of cells, each given as row, column, text and colour, with the names of rows and columns."""
    left = 14 + max(_width(row) for row in rows)
    top, wide = 22 if names[0] else 6, (WIDTH - left) / len(columns)
    parts = [text(0, 12, names[0])] if names[0] else []
    for row, column, words, color in cells:
        x, y = left + column * wide, top + row * _CELL
        parts += [
            f'<rect x="{_round(x)}" y="{y}" width="{_round(wide - 1)}" height="{_CELL - 1}" fill="{color}"/>',
            text(x + wide / 2, y + _CELL / 2 + 4, words, "middle", ink_on(color)),
        ]
    parts += [text(left - 12, top + y * _CELL + _CELL / 2 + 4, name, "end", GRAY) for y, name in enumerate(rows)]
    bottom = top + len(rows) * _CELL
    parts += [text(left + (x + 0.5) * wide, bottom + 15, name, "middle", GRAY) for x, name in enumerate(columns)]
    if names[1]:
        parts.append(text((left + WIDTH) / 2, bottom + 35, names[1], "middle"))
    return picture(title, bottom + (42 if names[1] else 22), parts)


def mix_colors(pale: str, full: str, share: float) -> str:
    """Return a mix of two colours; `share` is the part of the full one."""
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(_bytes(pale), _bytes(full), strict=True))


def ink_on(color: str) -> str:
    """Return black or white, whichever has more contrast on the colour."""
    linear = [((part / 255 + 0.055) / 1.055) ** 2.4 for part in _bytes(color)]
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#ffffff" if light < _DARK else INK


def text(x: float, y: float, words: str, anchor: str = "start", color: str = INK) -> str:
    """Return one line of text."""
    return f'<text x="{_round(x)}" y="{_round(y)}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def picture(title: str, height: int, parts: Iterable[str]) -> str:
    """Return a whole SVG picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="{_FAMILIES}" font-size="{FONT}" role="img" aria-label="{escape(title)}">\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _path(path: str, color: str = GRAY, wide: float = 0.7) -> str:
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{wide}"/>'


def _bytes(color: str) -> bytes:
    return bytes.fromhex(color.removeprefix("#"))


def _round(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _width(words: str) -> float:
    """Return the approximate width of a text in any of the font families."""
    return len(words) * FONT * 0.5
