"""What 639a.12(d) and (e) ask of a wager with meters."""

from collections.abc import Iterator
from typing import Final

from pitboss.money import DOLLAR, dollars
from pitboss.rulebook import Amount, Meters, rulebook
from pitboss.submission.model import Link, Offer, Submission
from pitboss.submission.read import Problem

_VALIDATED: Final = 500
"""639a.11(c)(6)(ii): pays of so many for 1 are validated by a floorperson in any case."""


def meter_problems(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    """Yield what is wrong with the amounts, the links and the meters of one wager."""
    yield from _amounts(submission, meters, offer, where)
    yield from _envy(submission, meters, offer, where)
    yield from _links(submission, meters, offer, where)
    yield from _starting(meters, offer, where)
    yield from _validation(submission, meters, offer, where)


def _amounts(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    for key in ("minimum", "maximum"):
        if getattr(offer, key) is not None:
            problem = "A wager with meters takes the amounts listed under “amounts”, not a range."
            yield Problem(f"{where}.{key}", problem, meters.cite)
    if not offer.amounts:
        yield Problem(f"{where}.amounts", "The amounts of the wager are missing; seeds are based on them.", meters.cite)
    unit = submission.table.unit
    for amount in offer.amounts:
        if amount <= 0 or amount % DOLLAR:
            problem = f"A meter is seeded for whole dollars of the wager; {amount} is none."
            yield Problem(f"{where}.amounts", problem, meters.cite)
        elif unit > 0 and amount % unit:
            yield Problem(f"{where}.amounts", f"{amount} is not a multiple of the unit, {unit}.", meters.cite)
    if len(set(offer.amounts)) < len(offer.amounts):
        yield Problem(f"{where}.amounts", "An amount is there twice.", meters.cite)


def _envy(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    envy = meters.envy
    if envy is None or offer.paytable not in envy.under(_options(submission)):
        return
    for amount in offer.amounts:
        if dollars(amount).removesuffix(".00") not in envy.pays:
            sums = f"The Envy Bonus of Paytable {offer.paytable} is fixed for wagers of {' and '.join(envy.pays)}"
            yield Problem(f"{where}.amounts", f"{sums}, not {amount}.", envy.cite)


def _links(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    barred = (Link.GAMES, Link.TABLES) if _options(submission).get("linked-tables") == "barred" else (Link.GAMES,)
    if offer.linked in barred and offer.paytable in meters.not_linked:
        problem = f"Paytable {offer.paytable} may not share a jackpot on linked {offer.linked}."
        yield Problem(f"{where}.linked", problem, "639a.12(d)(3)")


def _starting(meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    names = meters.paytables.get(offer.paytable or "-", {})
    for name, amount in offer.starting.items():
        key = f"{where}.starting.{name}"
        meter = names.get(name)
        if meter is None or meter.seed is None:
            known = ", ".join(known for known, rule in names.items() if rule.seed is not None)
            yield Problem(key, f"This wager has no meter “{name}”; it has {known or 'none'}.", meters.cite)
        elif amount < _for_one(meter.seed):
            problem = f"The meter starts at {amount} for every dollar of the wager, below its seed of {meter.seed}."
            yield Problem(key, problem, meters.cite)


def _validation(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    key = f"{where}.validated_from"
    if offer.validated_from is None:
        return
    every = _options(submission).get("validation-threshold", "every-progressive") == "every-progressive"
    if meters.envy is not None and every:
        problem = "Every Progressive payout is validated, unless the reading validation-threshold is by-submission."
        yield Problem(key, problem, "639a.11(c)(5)(iii)")
    elif not 1 <= offer.validated_from <= _VALIDATED:
        problem = f"Pays of {_VALIDATED} for 1 are validated in any case; write 1 to {_VALIDATED}."
        yield Problem(key, problem, "639a.11(c)(6)(ii)")


def _for_one(seed: Amount) -> int:
    return seed.dollars * DOLLAR


def _options(submission: Submission) -> dict[str, str]:
    """Return the option of every reading, leaving out what the Submission names wrongly."""
    book = rulebook()
    known = {
        name: option
        for name, option in submission.readings.items()
        if name in book.readings and option in book.readings[name].options
    }
    return book.options(known)
