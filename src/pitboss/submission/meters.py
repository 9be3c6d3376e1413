"""Check a wager with meters against 639a.12(d) and (e)."""

from collections.abc import Iterator

from pitboss.money import DOLLAR, format_money
from pitboss.rulebook import Meters, rulebook
from pitboss.rulebook.readings import meets_condition
from pitboss.submission.model import Link, Offer, Submission
from pitboss.submission.parser import Problem


def meter_problems(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    """Yield the problems with the amounts, links and meters of one wager."""
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
            problem = f"{amount} is not a whole number of dollars; meters are seeded per dollar of the wager."
            yield Problem(f"{where}.amounts", problem, meters.cite)
        elif unit > 0 and amount % unit:
            yield Problem(f"{where}.amounts", f"{amount} is not a multiple of the unit, {unit}.", meters.cite)
    if len(set(offer.amounts)) < len(offer.amounts):
        yield Problem(f"{where}.amounts", "An amount is listed twice.", meters.cite)


def _envy(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    envy = meters.envy
    if envy is None or offer.paytable not in envy.under(_options(submission)):
        return
    for amount in offer.amounts:
        if format_money(amount).removesuffix(".00") not in envy.pays:
            sums = f"The Envy Bonus of Paytable {offer.paytable} is fixed for wagers of {' and '.join(envy.pays)}"
            yield Problem(f"{where}.amounts", f"{sums}, not {amount}.", envy.cite)


def _links(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    rule = meters.not_linked
    barred = (Link.GAMES, Link.TABLES) if _options(submission)["linked-tables"] == "barred" else (Link.GAMES,)
    if rule and offer.linked in barred and offer.paytable in rule.paytables:
        problem = f"Paytable {offer.paytable} may not share a jackpot on linked {offer.linked}."
        yield Problem(f"{where}.linked", problem, rule.cite)


def _starting(meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    names = meters.paytables.get(offer.paytable or "-", {})
    for name, amount in offer.starting.items():
        key = f"{where}.starting.{name}"
        meter = names.get(name)
        if meter is None or meter.seed is None:
            known = ", ".join(known for known, rule in names.items() if rule.seed is not None)
            yield Problem(key, f"This wager has no meter “{name}”; it has {known or 'none'}.", meters.cite)
        elif amount < meter.seed.cents(DOLLAR):
            seed = format_money(meter.seed.cents(DOLLAR))
            problem = f"The meter starts at {amount} for every dollar of the wager, below its seed of {seed}."
            yield Problem(key, problem, meters.cite)


def _validation(submission: Submission, meters: Meters, offer: Offer, where: str) -> Iterator[Problem]:
    if offer.validated_from is None:
        return
    for rule in meters.validated:
        if meets_condition(rule.when, _options(submission)) and not 1 <= offer.validated_from <= rule.pays:
            least = "every pay is validated; leave this out" if rule.pays == 1 else f"write 1 to {rule.pays}"
            problem = f"A floorperson validates pays of {rule.pays} for 1 and more in any case; {least}."
            yield Problem(f"{where}.validated_from", problem, rule.cite)


def _options(submission: Submission) -> dict[str, str]:
    """Return the option of every reading; invalid choices of the Submission are ignored."""
    book = rulebook()
    known = {
        name: option
        for name, option in submission.readings.items()
        if name in book.readings and option in book.readings[name].options
    }
    return book.options(known)
