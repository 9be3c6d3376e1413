"""Figures for display: the exact value, text with four digits, and a number to plot.

>>> make_figure(Fraction(1, 3), percent=True)
Figure(exact='1/3', text='33.33 %', number=0.3333333333333333)
>>> make_figure(Fraction(1234567, 10)).text, make_figure(Fraction()).text, make_figure(Fraction(1, 64974)).text
('123,500', '0', '0.00001539')
>>> deviation_figure(Fraction(2))
Figure(exact='√(2/1)', text='1.414', number=1.4142135623730951)
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Final

import msgspec

from pitboss.exact.distribution import Distribution, square_root
from pitboss.money import DOLLAR, format_money

_FOUR: Final = Context(prec=4, rounding=ROUND_HALF_UP)
_MANY: Final = Context(prec=60)


class Figure(msgspec.Struct, frozen=True):
    """One figure: `exact` as p/q in lowest terms or its root, `text` to read, `number` to plot."""

    exact: str
    text: str
    number: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one wager."""

    house_edge: Figure
    """The player's expected loss over the initial wager."""
    average_wager: Figure
    """The average total wager of a round, in initial wagers."""
    element_of_risk: Figure
    """The expected loss over the total wager."""
    hit_frequency: Figure
    """The chance of a net win."""
    standard_deviation: Figure
    """The standard deviation of one round, in initial wagers."""


def make_figures(found: Distribution) -> Figures:
    """Return the figures of a distribution."""
    return Figures(
        house_edge=make_figure(found.house_edge, percent=True),
        average_wager=make_figure(found.average_wager),
        element_of_risk=make_figure(found.element_of_risk, percent=True),
        hit_frequency=make_figure(found.hit_frequency, percent=True),
        standard_deviation=deviation_figure(found.variance),
    )


def make_figure(number: Fraction, *, percent: bool = False) -> Figure:
    """Return a fraction as a figure; `percent` changes only the text."""
    exact = f"{number.numerator}/{number.denominator}"
    return Figure(exact, f"{four_digits(100 * number)} %" if percent else four_digits(number), float(number))


def money_figure(amount: Fraction) -> Figure:
    """Return an amount in dollars as a figure, with text to the cent."""
    return Figure(f"{amount.numerator}/{amount.denominator}", format_money(round(DOLLAR * amount)), float(amount))


def deviation_figure(variance: Fraction) -> Figure:
    """Return the standard deviation of a variance as a figure."""
    found = square_root(variance)
    return Figure(f"√({variance.numerator}/{variance.denominator})", four_digits(Fraction(found)), found)


def four_digits(number: Fraction) -> str:
    """Format a number with up to four significant digits and no exponent."""
    exact = _MANY.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{_FOUR.plus(exact):,f}"
