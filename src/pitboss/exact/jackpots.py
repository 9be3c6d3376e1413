"""The return of a wager with meters, per dollar: as a function of the meters, and in the long run."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from pitboss.exact.distribution import Distribution
from pitboss.games import Terms
from pitboss.games.declarations import METER_PAY_STAKE, ByTable
from pitboss.money import DOLLAR
from pitboss.rulebook import Amount, Percent


class Jackpot(msgspec.Struct, frozen=True, kw_only=True):
    """The return of a dollar as a function of the meters."""

    fixed_return: Fraction
    """The return from fixed pays."""
    slopes: Mapping[str, Fraction]
    """By meter: the return per dollar on it."""
    whole: Mapping[str, Fraction]
    """By meter: the chance to win all of it."""
    seeds: Mapping[str, int]
    """The seed by meter, in dollars."""

    def at(self, meters: Mapping[str, int | Fraction]) -> Fraction:
        """Return the expected return of a dollar with these meters, in dollars."""
        return self.fixed_return + sum((slope * meters[name] for name, slope in self.slopes.items()), Fraction())

    @property
    def at_seed(self) -> Fraction:
        """The return of a dollar with all meters at their seeds."""
        return self.at(self.seeds)

    @property
    def break_even(self) -> Fraction | None:
        """The break-even value of the meter, if there is only one."""
        return self.even_at(next(iter(self.slopes))) if len(self.slopes) == 1 else None

    def even_at(self, name: str) -> Fraction:
        """Return the break-even value of one meter with the others at their seeds."""
        return (1 - self.at({**self.seeds, name: 0})) / self.slopes[name]


class LongRun(msgspec.Struct, frozen=True, kw_only=True):
    """The long-run return of a dollar; it depends on whether fixed pays come from the table or the meters."""

    from_table: Fraction
    """The return if the table pays fixed pays: all money on the meters is won eventually, plus the fixed pays."""
    onto_meters: Fraction
    """The money that goes to the meters: increments and reseeds."""
    may_come_off: bool
    """Whether a reading takes fixed pays from the meters."""
    sinks: bool
    """Whether fixed pays then exceed the money that goes to the meters."""

    @property
    def from_meter(self) -> Fraction | None:
        """The return if the meters pay fixed pays: the money that goes to them; None if the meters sink."""
        return self.onto_meters if self.may_come_off and not self.sinks else None


def make_jackpot(terms: Terms, wager: str, found: Distribution) -> Jackpot:
    """Return how a wager's return depends on its meters."""
    by = terms.game.wager(wager).by
    assert isinstance(by, ByTable)
    names = [name for name, meter in terms.meters[by.paytable].items() if meter.seed is not None]
    fixed = sum(outcome.count * (outcome.net + found.stake) for outcome in found.outcomes if not outcome.meter)
    if terms.readings[METER_PAY_STAKE] == "returned":
        fixed += sum(outcome.count * found.stake for outcome in found.outcomes if outcome.meter)

    def chance(name: str, percent: int | None = None) -> Fraction:
        of = [outcome for outcome in found.outcomes if outcome.meter == name and percent in (None, outcome.percent)]
        return Fraction(sum(outcome.count * outcome.percent for outcome in of), 100 * found.deals)

    return Jackpot(
        fixed_return=Fraction(fixed, found.stake * found.deals),
        slopes={name: chance(name) for name in names},
        whole={name: chance(name, 100) for name in names},
        seeds={name: _dollars(terms.meters[by.paytable][name].seed) for name in names},
    )


def long_run(terms: Terms, wager: str, of: Jackpot) -> LongRun | None:
    """Return the long-run return: a meter eventually pays out all money that goes to it.

    A reseed adds the reseed amount when all of a meter is won; if that amount is zero, it adds the reserve. If
    winning a part of a meter also reseeds it (reading partial-reseed), the result is None.
    """
    by = terms.game.wager(wager).by
    assert isinstance(by, ByTable)
    if terms.readings["partial-reseed"] != "only-after-100" and of.slopes != of.whole:
        return None
    onto = Fraction()
    for name in of.slopes:
        meter = terms.meters[by.paytable][name]
        reseed = _dollars(meter.reseed)
        onto += _rate(meter.primary) + (of.whole[name] * reseed if reseed else _rate(meter.reserve))
    return LongRun(
        from_table=of.fixed_return + onto,
        onto_meters=onto,
        may_come_off=by.fixed_off_meter is not None,
        sinks=of.fixed_return > onto,
    )


def envy_return(terms: Terms, found: Distribution) -> Fraction:
    """Return the Envy Bonus return of a dollar per other player's hand, which is a random hand."""
    sums = terms.envy.get(DOLLAR, {})
    paid = sum(outcome.count * sums.get(outcome.name, 0) for outcome in found.outcomes)
    return Fraction(paid, DOLLAR * found.deals)


def _dollars(amount: Amount | None) -> int:
    """Return an amount for a wager of one dollar, in dollars."""
    return amount.cents(DOLLAR) // DOLLAR if amount else 0


def _rate(rate: Percent | None) -> Fraction:
    return Fraction(rate.of_wager if rate else 0, 100)
