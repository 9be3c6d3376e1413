"""A wager with meters, per dollar of it: what it returns at any state of the meters, and in the long run."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from pitboss.exact.distribution import Distribution
from pitboss.games import Terms
from pitboss.games.declarations import METER_PAY_STAKE, ByTable
from pitboss.money import DOLLAR
from pitboss.rulebook import Amount, Percent


class Jackpot(msgspec.Struct, frozen=True, kw_only=True):
    """What a dollar comes back as, as a function of the meters."""

    fixed_return: Fraction
    """From pays that are no share of a meter."""
    slopes: Mapping[str, Fraction]
    """By meter: for each dollar it shows."""
    whole: Mapping[str, Fraction]
    """By meter: the chance that all of it is won."""
    seeds: Mapping[str, int]
    """By meter, in dollars."""

    def at(self, meters: Mapping[str, int | Fraction]) -> Fraction:
        """Return what a dollar comes back as while the meters show so many dollars."""
        return self.fixed_return + sum((slope * meters[name] for name, slope in self.slopes.items()), Fraction())

    @property
    def at_seed(self) -> Fraction:
        """What a dollar comes back as when the meters start."""
        return self.at(self.seeds)

    @property
    def break_even(self) -> Fraction | None:
        """What the meter shows when a dollar comes back as a dollar, where there is one meter."""
        return self.even_at(next(iter(self.slopes))) if len(self.slopes) == 1 else None

    def even_at(self, name: str) -> Fraction:
        """Return what one meter shows when a dollar comes back as a dollar; the others are at their seeds."""
        return (1 - self.at({**self.seeds, name: 0})) / self.slopes[name]


class LongRun(msgspec.Struct, frozen=True, kw_only=True):
    """What comes back of a dollar over all time, by who pays what is no share of a meter."""

    from_table: Fraction
    """The house pays it: everything that comes onto the meters is won in the end, and this besides."""
    onto_meters: Fraction
    """What comes onto the meters: increments, and what each reseed puts there."""
    may_come_off: bool
    """Whether a reading has the fixed pays come off the meters."""
    sinks: bool
    """Whether they are then more than comes onto them."""

    @property
    def from_meter(self) -> Fraction | None:
        """The meters pay it: what comes onto them is all there is; nothing can be said if they sink."""
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
    """Return what comes back in the long run: a meter pays out, in the end, all that ever comes onto it.

    A reseed puts the reseed amount there whenever all of a meter is won, or, where that is nothing, the
    reserve. Where parts of a meter are won and followed by a reseed too (reading partial-reseed), it is not worked out.
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
    """Return what a dollar receives in Envy Bonuses for each other player's hand, which is like any hand."""
    sums = terms.envy.get(DOLLAR, {})
    paid = sum(outcome.count * sums.get(outcome.name, 0) for outcome in found.outcomes)
    return Fraction(paid, DOLLAR * found.deals)


def _dollars(amount: Amount | None) -> int:
    return amount.dollars if amount else 0


def _rate(rate: Percent | None) -> Fraction:
    return Fraction(rate.of_wager if rate else 0, 100)
