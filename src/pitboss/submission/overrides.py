"""For calculators: a Submission with other paytables and readings, and the meters of its wagers."""

from collections.abc import Mapping

import msgspec

from pitboss.errors import Mistake, hint
from pitboss.games import GAMES, Terms
from pitboss.submission.model import Submission
from pitboss.submission.terms import ABANDONED


def apply_overrides(submission: Submission, paytables: Mapping[str, str], readings: Mapping[str, str]) -> Submission:
    """Return the Submission with these paytables (by wager or paytable) and readings; the result is not checked."""
    wagers = dict(submission.wagers)
    given: dict[str, str] = {}
    for table, letter in paytables.items():
        offer = _offer(submission, table)
        if given.setdefault(offer, table) != table:
            raise Mistake(f"“{given[offer]}” and “{table}” name the same paytable; give one of them.")
        wagers[offer] = msgspec.structs.replace(wagers[offer], paytable=letter)
    chosen = dict(readings)
    policy = chosen.pop(ABANDONED, submission.table.abandoned_wagers)
    rules = msgspec.structs.replace(submission.table, abandoned_wagers=policy)
    return msgspec.structs.replace(submission, wagers=wagers, readings={**submission.readings, **chosen}, table=rules)


def _offer(submission: Submission, table: str) -> str:
    """Return the offer that a wager or paytable belongs to."""
    game = GAMES[submission.game]
    names = {offer: {offer, *game.tables_of(offer)} for offer in submission.wagers}
    for wager in game.wagers:
        for known in names.values():
            if wager.by.paytable in known:
                known.add(wager.name)
    for offer, known in names.items():
        if table in known:
            return offer
    every = sorted({name for known in names.values() for name in known})
    raise Mistake(f"Unknown wager or paytable “{table}”; {hint(table, every)}")


def meters_of(terms: Terms) -> dict[str, str]:
    """Return the meters of a table's wagers, each with its paytable."""
    return {
        name: paytable
        for paytable, meters in terms.meters.items()
        for name, meter in meters.items()
        if meter.seed is not None
    }


def require_known_meters(terms: Terms, amounts: Mapping[str, int]) -> Mapping[str, int]:
    """Return the amounts; raise `Mistake` for an unknown meter."""
    known = meters_of(terms)
    for name in amounts:
        if name not in known:
            raise Mistake(f"There is no meter “{name}” at this table; there are {', '.join(sorted(known)) or 'none'}.")
    return amounts
