"""One meter, exact to the micro-cent: contributions, wins, payments, reseeds and reversals.

Every function takes a meter and returns a changed copy. Money in always equals money held plus money out
(guarantee 5 of docs/house.md): `house + contributed == paid + pending + current + reserve + waiting`.
"""

from collections.abc import Mapping
from typing import Self

import msgspec

from pitboss.errors import Mistake
from pitboss.money import CENT, meter_share
from pitboss.rulebook import Meter as PrintedMeter


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of one meter for one amount of its wager; money in micro-cents, rates in percent."""

    seed: int
    reseed: int
    primary: int
    reserve: int
    reseeds_after_part: bool = False
    """Reading partial-reseed: a partial win is followed by a reseed if the balance falls below the reseed amount."""
    own_round_waits: bool = False
    """Reading own-contribution: a round's increments count only from the next round."""
    void_kept: bool = False
    """Reading void-increment: increments of a void round stay on the meter; the house pays them."""

    @classmethod
    def of(cls, printed: PrintedMeter, wager: int, readings: Mapping[str, str]) -> Self:
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
    """Contributed in this round; added to `current` when the round ends (reading own-contribution)."""
    pending: int = 0
    """Won, and no longer in `current`; moves to `paid` after validation."""
    paid: int = 0
    house: int = 0
    """Paid in by the house: seeds, reseeds, and amounts that it makes good."""
    contributed: int = 0
    """Paid in by wagers."""

    @property
    def is_balanced(self) -> bool:
        """Whether all money is accounted for and no amount is negative."""
        accounted = self.paid + self.pending + self.current + self.reserve + self.waiting
        amounts = (self.current, self.reserve, self.waiting, self.pending, self.paid, self.house, self.contributed)
        return self.house + self.contributed == accounted and min(amounts) >= 0


def open_meter(rule: Rule, start: int | None = None) -> Meter:
    """Return a meter at its seed, or at `start` micro-cents if that is more."""
    amount = max(rule.seed, start or 0)
    return Meter(current=amount, house=amount)


def contribute(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Add the increments of one accepted wager; `wager` is in cents."""
    primary, reserve = increments(rule, wager)
    change = {"waiting": meter.waiting + primary} if rule.own_round_waits else {"current": meter.current + primary}
    return _with_amounts(
        meter, **change, reserve=meter.reserve + reserve, contributed=meter.contributed + primary + reserve
    )


def increments(rule: Rule, wager: int) -> tuple[int, int]:
    """Return the increments of the meter and of its reserve, in micro-cents.

    The division is exact for whole percentages.
    """
    return wager * CENT // 100 * rule.primary, wager * CENT // 100 * rule.reserve


def add_waiting_increments(meter: Meter) -> Meter:
    """Add the increments that waited for the end of the round to the displayed balance."""
    return _with_amounts(meter, current=meter.current + meter.waiting, waiting=0) if meter.waiting else meter


class Win(msgspec.Struct, frozen=True):
    """A win from a meter and the reseed after it; in micro-cents except for `each`."""

    each: int
    """Amount for each winner, in cents."""
    amount: int
    from_reserve: int = 0
    from_house: int = 0
    """Paid in by the house: its part of the reseed, and any shortfall of a fixed pay."""
    paid: int = 0
    """The part of `amount` already paid in this round."""


def take_win(meter: Meter, rule: Rule, percent: int, winners: int = 1) -> tuple[Meter, Win]:
    """Take a percentage, divided equally among the winners; each part is rounded down to the cent.

    The money is pending until it is paid. A meter won in full is reseeded at once, so that play continues.
    """
    each = meter_share(meter.current, percent, winners)
    amount = each * winners * CENT
    after_win = _with_amounts(meter, current=meter.current - amount, pending=meter.pending + amount)
    whole = percent == 100  # noqa: PLR2004 (per cent)
    if not whole and not (rule.reseeds_after_part and after_win.current < rule.reseed):
        return after_win, Win(each, amount)
    reseeded = reseed(after_win, rule)
    return reseeded, Win(each, amount, after_win.reserve - reseeded.reserve, reseeded.house - after_win.house)


def reseed(meter: Meter, rule: Rule) -> Meter:
    """Bring the meter up to its reseed amount: from the reserve first, then from the house.

    A meter with a reseed of zero restarts at its reserve.
    """
    missing = max(0, rule.reseed - meter.current)
    from_reserve = min(meter.reserve, missing) if rule.reseed else meter.reserve
    from_house = missing - from_reserve if rule.reseed else 0
    return _with_amounts(
        meter,
        current=meter.current + from_reserve + from_house,
        reserve=meter.reserve - from_reserve,
        house=meter.house + from_house,
    )


def pay(meter: Meter, amount: int) -> Meter:
    """Pay a pending amount, in cents."""
    if not 0 <= amount * CENT <= meter.pending:
        raise Mistake(f"The meter has {meter.pending // CENT} cents unpaid, not {amount}.")
    return _with_amounts(meter, pending=meter.pending - amount * CENT, paid=meter.paid + amount * CENT)


def take_back(meter: Meter, won: Win) -> Meter:
    """Reverse a win, paid or not, and its reseed."""
    meter = _with_amounts(meter, paid=meter.paid - won.paid, pending=meter.pending + won.paid) if won.paid else meter
    if won.amount > meter.pending:
        raise Mistake(f"The meter has {meter.pending // CENT} cents unpaid, not {won.amount // CENT}.")
    current = meter.current + won.amount
    to_house = min(won.from_house, current, meter.house)
    to_reserve = min(won.from_reserve, current - to_house)
    return _with_amounts(
        meter,
        current=current - to_house - to_reserve,
        pending=meter.pending - won.amount,
        reserve=meter.reserve + to_reserve,
        house=meter.house - to_house,
    )


def take_fixed_pay(meter: Meter, rule: Rule, amount: int) -> tuple[Meter, Win]:
    """Take a fixed pay, in cents, from the meter; the house adds any shortfall (reading progressive-fixed-pays)."""
    due = amount * CENT
    lacking = max(0, due - meter.current)
    after_win = _with_amounts(
        meter, current=meter.current + lacking - due, pending=meter.pending + due, house=meter.house + lacking
    )
    reseeded = reseed(after_win, rule) if rule.reseeds_after_part and after_win.current < rule.reseed else after_win
    return reseeded, Win(amount, due, after_win.reserve - reseeded.reserve, reseeded.house - meter.house)


def undo_contribution(meter: Meter, rule: Rule, wager: int) -> Meter:
    """Undo the increments of a wager whose round is void.

    They are taken from `waiting` first, then from `current`, but not below the reseed; the reserve's part from the
    reserve. The house pays the rest. A meter already below its reseed is reduced, down to zero. If the reading
    void-increment keeps them, they stay and count as the house's money.
    """
    primary, reserve = increments(rule, wager)
    total = primary + reserve
    if total > meter.contributed:
        raise Mistake("A wager that was never accepted cannot be voided.")
    if rule.void_kept:
        return _with_amounts(meter, contributed=meter.contributed - total, house=meter.house + total)
    waiting = min(meter.waiting, primary)
    floor = rule.reseed if meter.current >= rule.reseed else 0
    from_current, from_reserve = min(meter.current - floor, primary - waiting), min(meter.reserve, reserve)
    return _with_amounts(
        meter,
        waiting=meter.waiting - waiting,
        current=meter.current - from_current,
        reserve=meter.reserve - from_reserve,
        contributed=meter.contributed - total,
        house=meter.house + total - waiting - from_current - from_reserve,
    )


def _with_amounts(meter: Meter, **amounts: int) -> Meter:
    moved: Meter = msgspec.structs.replace(meter, **amounts)
    assert moved.is_balanced, f"meter out of balance: {moved}"
    return moved
