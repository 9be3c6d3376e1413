"""One meter, exact to the micro-cent: contributions, wins, payments, reseeds and reversals.

Every function takes a meter and returns a changed copy. Money in always equals money held plus money out
(guarantee 5): `house + contributed == paid + pending + current + reserve + waiting`.
"""

from collections.abc import Mapping
from typing import Self

import msgspec

from pitboss.errors import Mistake
from pitboss.money import CENT, meter_share
from pitboss.rulebook import Meter as Printed


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of one meter for one amount of its wager; money in micro-cents, rates in percent."""

    seed: int
    reseed: int
    primary: int
    reserve: int
    reseeds_after_part: bool = False
    """Reading partial-reseed: a partial win is followed by a reseed if the meter falls below it."""
    own_round_waits: bool = False
    """Reading own-contribution: a round's increments count only from the next round."""
    void_kept: bool = False
    """Reading void-increment: increments of a void round stay, at the house's cost."""

    @classmethod
    def of(cls, printed: Printed, wager: int, readings: Mapping[str, str]) -> Self:
        """Return the rule of a printed meter for a wager in cents."""
        assert printed.seed is not None
        assert printed.reseed is not None
        assert printed.primary is not None
        return cls(
            seed=printed.seed.cents(wager) * CENT,
            reseed=printed.reseed.cents(wager) * CENT,
            primary=printed.primary.of_wager,
            reserve=printed.reserve.of_wager if printed.reserve else 0,
            reseeds_after_part=readings["partial-reseed"] == "always",
            own_round_waits=readings["own-contribution"] == "no",
            void_kept=readings["void-increment"] == "kept",
        )


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """Balances of one meter: where its money is and where it came from, in micro-cents."""

    current: int = 0
    """The displayed balance."""
    reserve: int = 0
    waiting: int = 0
    """Contributed in this round, added from the next round."""
    pending: int = 0
    """Won, but not yet validated and paid."""
    paid: int = 0
    house: int = 0
    """Paid in by the house: seeds, reseeds, and amounts that it makes good."""
    contributed: int = 0
    """Paid in by wagers."""

    @property
    def is_balanced(self) -> bool:
        """Whether all money is accounted for and no amount is negative."""
        there = self.paid + self.pending + self.current + self.reserve + self.waiting
        amounts = (self.current, self.reserve, self.waiting, self.pending, self.paid, self.house, self.contributed)
        return self.house + self.contributed == there and min(amounts) >= 0


def open_meter(rule: Rule, start: int | None = None) -> Meter:
    """Return a meter at its seed, or at a higher starting balance."""
    amount = max(rule.seed, start or 0)
    return Meter(current=amount, house=amount)


def contribute(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Add the increments of one accepted wager, in cents."""
    primary, reserve = increments(rule, wager)
    change = {"waiting": meter.waiting + primary} if rule.own_round_waits else {"current": meter.current + primary}
    return _change(meter, **change, reserve=meter.reserve + reserve, contributed=meter.contributed + primary + reserve)


def increments(rule: Rule, wager: int) -> tuple[int, int]:
    """Return the increments of the meter and of its reserve; whole micro-cents at any whole percent."""
    return wager * CENT // 100 * rule.primary, wager * CENT // 100 * rule.reserve


def next_round(meter: Meter) -> Meter:
    """Add the increments that waited for the end of the round."""
    return _change(meter, current=meter.current + meter.waiting, waiting=0) if meter.waiting else meter


class Win(msgspec.Struct, frozen=True):
    """A win from a meter and the reseed after it; in micro-cents except for `each`."""

    each: int
    """Amount for each winner, in cents."""
    amount: int
    from_reserve: int = 0
    from_house: int = 0
    paid: int = 0
    """The part already paid before the end of the round."""


def win(meter: Meter, rule: Rule, percent: int, sharing: int = 1) -> tuple[Meter, Win]:
    """Take a share from the meter for equal winners, each rounded down to the cent.

    The money is pending until it is paid. A meter won whole is reseeded at once, so that play continues.
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
    """Bring the meter up to its reseed amount: from the reserve first, then from the house.

    A meter with a reseed of zero restarts at its reserve.
    """
    missing = max(0, rule.reseed - meter.current)
    given = min(meter.reserve, missing) if rule.reseed else meter.reserve
    added = missing - given if rule.reseed else 0
    return _change(
        meter, current=meter.current + given + added, reserve=meter.reserve - given, house=meter.house + added
    )


def pay(meter: Meter, amount: int) -> Meter:
    """Pay a pending amount, in cents."""
    if not 0 <= amount * CENT <= meter.pending:
        raise Mistake(f"The meter has {meter.pending // CENT} cents waiting to be paid, not {amount}.")
    return _change(meter, pending=meter.pending - amount * CENT, paid=meter.paid + amount * CENT)


def take_back(meter: Meter, won: Win) -> Meter:
    """Put an unvalidated win back on the meter, and its reseed back to reserve and house."""
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
    """Take a fixed pay, in cents, from the meter; the house adds any shortfall (progressive-fixed-pays)."""
    due = amount * CENT
    lacking = max(0, due - meter.current)
    left = _change(
        meter, current=meter.current + lacking - due, pending=meter.pending + due, house=meter.house + lacking
    )
    again = reseed(left, rule) if rule.reseeds_after_part and left.current < rule.reseed else left
    return again, Win(amount, due, left.reserve - again.reserve, again.house - meter.house)


def void(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Undo the increments of a wager whose round is void.

    They come off the current balance, even if the meter was won and reseeded in between. The house makes good
    any shortfall, also below the reseed. Where a reading keeps them, they count as the house's money.
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
    assert moved.is_balanced, f"meter out of balance: {moved}"
    return moved
