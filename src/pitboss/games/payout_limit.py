"""The payout limit of a patron in a round: the lines that count towards it, and the excess that is not paid."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from pitboss.games.declarations import LIMIT_DIVISION, LIMIT_MEANING, Limit, Outcome
from pitboss.games.settlement_line import Line
from pitboss.games.terms import Terms
from pitboss.money import format_money

FROM_THE_TOTAL: Final = "from-the-total"


def limit_counts(terms: Terms, lines: Sequence[Line]) -> int:
    """Return the amount of these lines that counts towards the payout limit."""
    limit = terms.game.limit
    if limit is None:
        return 0
    with_stake = terms.readings.get(LIMIT_MEANING) == "stake-included"
    capped = (line for line in lines if _limit_applies(limit, line))
    paid = sum(line.pays + (line.returned if with_stake and line.outcome is Outcome.WIN else 0) for line in capped)
    return paid + sum(line.pays for line in lines if line.outcome is Outcome.LIMITED)


def apply_payout_limit(terms: Terms, lines: tuple[Line, ...], won_before: int) -> tuple[Line, ...]:
    """Subtract the excess over the payout limit, in a line of its own or from the limited wagers."""
    limit, most = terms.game.limit, terms.payout_limit
    if limit is None or most is None:
        return lines
    counted = limit_counts(terms, lines)
    pays = sum(line.pays for line in lines if _limit_applies(limit, line))
    excess = min(pays, won_before + counted - most)  # the limit covers payouts, never stakes
    if excess <= 0:
        return lines
    whose = "box" if terms.readings.get(LIMIT_MEANING) == "per-box" else "player"
    why = f"The payout limit is {format_money(most)} per {whose} in a round."
    division = terms.readings.get(LIMIT_DIVISION, FROM_THE_TOTAL)
    if division != FROM_THE_TOTAL:
        return tuple(_reduce_lines(terms, lines, excess, why, in_order=division == "in-order"))
    line = Line(wager="payout-limit", outcome=Outcome.LIMITED, stake=0, pays=-excess, cite=limit.cite, why=why)
    last = max(place for place, line in enumerate(lines) if line.wager in limit.wagers)
    return (*lines[: last + 1], line, *lines[last + 1 :])


def _reduce_lines(terms: Terms, lines: Sequence[Line], excess: int, why: str, *, in_order: bool) -> Iterator[Line]:
    """Yield the lines with the excess taken from the limited ones: the last first, or in proportion."""
    limit = terms.game.limit
    assert limit
    capped = {place: line.pays for place, line in enumerate(lines) if _limit_applies(limit, line) and line.pays}
    left, total = excess, sum(capped.values())
    taken = {place: 0 if in_order else excess * pays // total for place, pays in capped.items()}
    left -= sum(taken.values())
    for place in reversed(capped):  # in order: all of the excess; otherwise the undivided cents
        more = min(left, capped[place] - taken[place])
        taken[place] += more
        left -= more
    for place, line in enumerate(lines):
        less = taken.get(place, 0)
        words = f"{line.why} {why} {format_money(less)} less is paid." if less else line.why
        yield msgspec.structs.replace(line, pays=line.pays - less, why=words)


def _limit_applies(limit: Limit, line: Line) -> bool:
    """Whether the payout limit applies to a line."""
    return line.wager in limit.wagers and line.hand not in limit.exempt
