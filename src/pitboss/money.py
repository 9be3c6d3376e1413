"""Money as integers: whole cents for patrons, micro-cents on meters. Never a float.

>>> parse_money("$1,250.50"), format_money(125050), format_money(-75)
(125050, '$1,250.50', '-$0.75')
"""

import re
from typing import Final

from pitboss.errors import Mistake

CENT: Final = 1_000_000
"""One cent in micro-cents."""
DOLLAR: Final = 100
"""One dollar in cents."""

_FORM: Final = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.([0-9]{1,2}))?")


def parse_money(text: str) -> int:
    """Parse an amount in dollars; return whole cents."""
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise Mistake(f"“{text}” is not an amount in dollars and whole cents, such as 25 or 7.50.")
    whole, part = form[1].replace(",", ""), (form[2] or "").ljust(2, "0")
    return int(whole) * DOLLAR + int(part)


def format_money(amount: int) -> str:
    """Format whole cents with the dollar sign and two decimals."""
    whole, part = divmod(abs(amount), DOLLAR)
    return f"{'-' if amount < 0 else ''}${whole:,}.{part:02}"


def meter_share(meter: int, percent: int, sharing: int = 1) -> int:
    """Return the cents that each of `sharing` winners receives from a meter, which is in micro-cents.

    The amount is rounded down to the cent; the rest stays on the meter (reading meter-rounding).
    """
    return meter * percent // 100 // sharing // CENT
