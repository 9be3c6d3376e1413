"""Warnings for holds outside the range that rulemaking 125-204 published, and the readings that would change them.

>>> from pitboss.submission import load, terms_of
>>> [one.wager for one in edge_warnings(terms_of(load("cajun-stud-standard")))]
[]
>>> print(edge_warnings(terms_of(load("four-card-prime-standard")))[-1].warning)
Aces Bonus, Paytable A, holds 46.32 % of the wager; the Board published 1.11 % to 6.6 %. The reading \
aces-bonus-hand-size = four-card makes it 1.106 %.
"""

from collections.abc import Collection, Mapping
from decimal import Context, Decimal
from typing import Final

import msgspec

from pitboss.games import Terms
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.rulebook.published_hold import PublishedHold, published_holds
from pitboss.submission.titles import analysis_title

_FOUR: Final = Context(prec=4)
_SHARE_OF: Final = {
    "total-wager": "everything wagered",
    "initial-wager": "the initial wager",
    "": "the wager",
}


class EdgeWarning(msgspec.Struct, frozen=True, kw_only=True):
    """A wager whose hold is outside the published range; the Submission stays valid."""

    wager: str
    offer: str
    """The name that the Submission offers it under."""
    paytable: str
    percent: str
    """Our hold in per cent, without a payout limit."""
    of: str
    """The amount that the hold is a share of."""
    low: str
    high: str
    """The published range, in per cent."""
    readings: Mapping[str, str]
    """Options that would bring the hold into the range; empty if no reading does."""
    warning: str


def edge_warnings(terms: Terms, offers: Collection[str] | None = None) -> list[EdgeWarning]:
    """Return a warning for each offered wager, or each of `offers`, whose hold is outside the published range."""
    chosen = terms.offered if offers is None else offers
    own = (one for one in published_holds() if one.game == terms.game.name and one.offer in chosen)
    return [warning for one in own if (warning := _warning(terms, one))]


def _warning(terms: Terms, published: PublishedHold) -> EdgeWarning | None:
    offer = published.offer
    letter = next(
        terms.letters[table] for table in terms.game.tables_of(offer) if terms.letters[table] != SINGLE_PAYTABLE
    )
    now = published.under(terms.readings)
    percent = now.percent[letter]
    if published.includes(percent):
        return None
    moved = _readings_in_range(terms, published, letter)
    title, holds = analysis_title(published.game, offer), "hold" if offer == terms.game.required else "holds"
    words = (
        f"{title}, Paytable {letter}, {holds} {_four(percent)} % of {_SHARE_OF[now.of]}; "
        f"the Board published {published.low} % to {published.high} %. "
    )
    if moved:
        readings, there = moved
        named = " and ".join(f"{name} = {option}" for name, option in readings.items())
        words += f"The reading{'s' if len(readings) > 1 else ''} {named} make{'' if len(readings) > 1 else 's'} it "
        words += f"{_four(there)} %."
    else:
        words += "No reading brings it into that range."
    if not published.follows:
        words += " No reading gives both published ends."
    return EdgeWarning(
        wager=published.wager,
        offer=offer,
        paytable=letter,
        percent=str(percent),
        of=_SHARE_OF[now.of],
        low=str(published.low),
        high=str(published.high),
        readings=moved[0] if moved else {},
        warning=words,
    )


def _readings_in_range(terms: Terms, published: PublishedHold, letter: str) -> tuple[dict[str, str], Decimal] | None:
    """Return the smallest change of readings that brings the hold into the range, and that hold."""
    within = [one for one in published.found if published.includes(one.percent[letter])]
    changes = [
        ({name: option for name, option in one.choice.items() if terms.readings[name] != option}, one.percent[letter])
        for one in within
    ]
    return min(changes, key=lambda change: len(change[0]), default=None)


def _four(percent: Decimal) -> str:
    return f"{_FOUR.plus(percent):f}"
