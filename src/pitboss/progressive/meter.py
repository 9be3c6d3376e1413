"""One meter: how money comes onto it, waits, is won and comes back, to the micro-cent.

Every function takes a meter and returns it changed. At any time what came in is what is there or went out
(guarantee 5): `house + contributed == paid + pending + current + reserve + waiting`.
"""

from collections.abc import Mapping
from typing import Self

import msgspec

from pitboss.errors import Mistake
from pitboss.money import CENT, DOLLAR, meter_share
from pitboss.rulebook import Amount
from pitboss.rulebook import Meter as Printed


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """How one meter moves, for the amount of its wager; money in micro-cents, rates in percent."""

    seed: int
    reseed: int
    primary: int
    reserve: int
    reseeds_after_part: bool = False
    """Reading partial-reseed: a pay of part of the meter is followed by a reseed where it leaves too little."""
    own_round_waits: bool = False
    """Reading own-contribution: what a round puts on the meter counts from the next."""
    void_kept: bool = False
    """Reading void-increment: what a voided round put on the meter stays, at the house's cost."""

    @classmethod
    def of(cls, printed: Printed, wager: int, readings: Mapping[str, str]) -> Self:
        """Return the rule of a printed meter for a wager of so many cents."""
        assert printed.seed is not None
        assert printed.reseed is not None
        assert printed.primary is not None
        return cls(
            seed=seed_amount(printed.seed, wager),
            reseed=seed_amount(printed.reseed, wager),
            primary=printed.primary.of_wager,
            reserve=printed.reserve.of_wager if printed.reserve else 0,
            reseeds_after_part=readings["partial-reseed"] == "always",
            own_round_waits=readings["own-contribution"] == "no",
            void_kept=readings["void-increment"] == "kept",
        )


def seed_amount(printed: Amount, wager: int) -> int:
    """Return a seed in micro-cents: so many dollars for each of the wager's, or plainly so many."""
    return printed.dollars * DOLLAR * CENT * (wager // DOLLAR if printed.for_one else 1)


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """Where the money of one meter is, and where it came from; all in micro-cents."""

    current: int = 0
    """What it shows."""
    reserve: int = 0
    waiting: int = 0
    """Contributed in this round, on the meter from the next."""
    pending: int = 0
    """Won, and not yet validated and paid."""
    paid: int = 0
    house: int = 0
    """Put in by the house: seeds, reseeds, and what it makes good."""
    contributed: int = 0
    """Put in by wagers."""

    @property
    def is_balanced(self) -> bool:
        """Whether all money is accounted for and none of it is less than nothing."""
        there = self.paid + self.pending + self.current + self.reserve + self.waiting
        amounts = (self.current, self.reserve, self.waiting, self.pending, self.paid, self.house, self.contributed)
        return self.house + self.contributed == there and min(amounts) >= 0


def open_meter(rule: Rule, start: int | None = None) -> Meter:
    """Return a meter at its seed, or at what it starts with where that is more."""
    amount = max(rule.seed, start or 0)
    return Meter(current=amount, house=amount)


def contribute(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Add the increments of one accepted wager of so many cents."""
    primary, reserve = increments(rule, wager)
    change = {"waiting": meter.waiting + primary} if rule.own_round_waits else {"current": meter.current + primary}
    return _change(meter, **change, reserve=meter.reserve + reserve, contributed=meter.contributed + primary + reserve)


def increments(rule: Rule, wager: int) -> tuple[int, int]:
    """Return what a wager puts on the meter and what into its reserve; whole micro-cents at any whole percent."""
    return wager * CENT // 100 * rule.primary, wager * CENT // 100 * rule.reserve


def next_round(meter: Meter) -> Meter:
    """Put on the meter what waited for the round to end."""
    return _change(meter, current=meter.current + meter.waiting, waiting=0) if meter.waiting else meter


class Win(msgspec.Struct, frozen=True):
    """What was won off a meter, and what the reseed that followed put on it; in micro-cents but for `each`."""

    each: int
    """What each winner is due, in cents."""
    amount: int
    from_reserve: int = 0
    from_house: int = 0
    paid: int = 0
    """What of it has left the meter for a payable, before the round is over."""


def win(meter: Meter, rule: Rule, percent: int, sharing: int = 1) -> tuple[Meter, Win]:
    """Take a share off the meter for so many winners alike, each rounded down to the cent.

    The money is pending until it is paid; a meter won whole is reseeded at once, so that others play on.
    """
    each = meter_share(meter.current, percent, sharing)
    amount = each * sharing * CENT
    left = _change(meter, current=meter.current - amount, pending=meter.pending + amount)
    whole = percent == 100  # noqa: PLR2004 (per cent)
    if not whole and not (rule.reseeds_after_part and left.current < rule.reseed):
        return left, Win(each, amount)
    again = reseed(left, rule)
    return again, Win(each, amount, left.reserve - again.reserve, again.house - left.house)


def reseed(meter: Meter, rule: Rule) -> Meter:
    """Bring the meter up to its reseed amount: from the reserve first, the house adds what is missing.

    A meter whose reseed is nothing restarts at its reserve.
    """
    missing = max(0, rule.reseed - meter.current)
    given = min(meter.reserve, missing) if rule.reseed else meter.reserve
    added = missing - given if rule.reseed else 0
    return _change(
        meter, current=meter.current + given + added, reserve=meter.reserve - given, house=meter.house + added
    )


def pay(meter: Meter, amount: int) -> Meter:
    """Pay out what was pending, in cents."""
    if not 0 <= amount * CENT <= meter.pending:
        raise Mistake(f"The meter has {meter.pending // CENT} cents waiting to be paid, not {amount}.")
    return _change(meter, pending=meter.pending - amount * CENT, paid=meter.paid + amount * CENT)


def take_back(meter: Meter, won: Win) -> Meter:
    """Put a win that was not validated back on the meter, and its reseed back where that came from."""
    meter = _change(meter, paid=meter.paid - won.paid, pending=meter.pending + won.paid) if won.paid else meter
    if won.amount > meter.pending:
        raise Mistake(f"The meter has {meter.pending // CENT} cents waiting to be paid, not {won.amount // CENT}.")
    current = meter.current + won.amount
    to_house = min(won.from_house, current, meter.house)
    to_reserve = min(won.from_reserve, current - to_house)
    return _change(
        meter,
        current=current - to_house - to_reserve,
        pending=meter.pending - won.amount,
        reserve=meter.reserve + to_reserve,
        house=meter.house - to_house,
    )


def pay_fixed(meter: Meter, rule: Rule, amount: int) -> tuple[Meter, Win]:
    """Take a fixed pay, in cents, off the meter (reading progressive-fixed-pays); the house adds what it lacks."""
    due = amount * CENT
    lacking = max(0, due - meter.current)
    left = _change(
        meter, current=meter.current + lacking - due, pending=meter.pending + due, house=meter.house + lacking
    )
    again = reseed(left, rule) if rule.reseeds_after_part and left.current < rule.reseed else left
    return again, Win(amount, due, left.reserve - again.reserve, again.house - meter.house)


def void(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Undo the increments of a wager whose round is void.

    They come off the meter as it is now, even if it was won and reseeded in between; the house makes good
    what it lacks, and what would bring it below its reseed. Where they are kept, they are the house's and
    no longer the wager's.
    """
    primary, reserve = increments(rule, wager)
    total = primary + reserve
    if total > meter.contributed:
        raise Mistake("A wager that was never accepted cannot be voided.")
    if rule.void_kept:
        return _change(meter, contributed=meter.contributed - total, house=meter.house + total)
    waiting = min(meter.waiting, primary)
    floor = rule.reseed if meter.current >= rule.reseed else 0
    from_current, from_reserve = min(meter.current - floor, primary - waiting), min(meter.reserve, reserve)
    return _change(
        meter,
        waiting=meter.waiting - waiting,
        current=meter.current - from_current,
        reserve=meter.reserve - from_reserve,
        contributed=meter.contributed - total,
        house=meter.house + total - waiting - from_current - from_reserve,
    )


def _change(meter: Meter, **amounts: int) -> Meter:
    moved: Meter = msgspec.structs.replace(meter, **amounts)
    assert moved.is_balanced, f"a meter out of balance: {moved}"
    return moved
