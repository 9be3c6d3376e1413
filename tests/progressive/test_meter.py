"""Meters balance to the micro-cent (guarantee 5), and move as 639a.12(d)(4) and (e)(4) say."""

import random
from fractions import Fraction

import pytest
from slices import METER_MOVES

from pitboss.errors import Mistake
from pitboss.money import CENT
from pitboss.progressive.meter import (
    Meter,
    Rule,
    Win,
    add_waiting_increments,
    contribute,
    open_meter,
    pay,
    reseed,
    take_back,
    take_fixed_pay,
    take_win,
    undo_contribution,
)
from pitboss.rulebook import rulebook

DOLLAR = 100 * CENT
METERS = rulebook().games["caribbean-stud"].meters
DEFAULTS = rulebook().options({})


def rule(letter: str, name: str, wager: int = 100, table: str = "progressive", **readings: str) -> Rule:
    options = rulebook().options({key.replace("_", "-"): option for key, option in readings.items()})
    return Rule.of(METERS[table].paytables[letter][name], wager, options)


# 639a.12(d)(4) and (e)(4), by hand: seed and reseed in dollars for a $1 wager, primary and reserve in percent.
PRINTED = [
    ("progressive", "A", "main", 10_000, 10_000, 53, 15), ("progressive", "B", "main", 10_000, 10_000, 53, 15),
    ("progressive", "C", "main", 10_000, 10_000, 25, 0), ("progressive", "D", "main", 10_000, 10_000, 21, 0),
    ("progressive", "E", "main", 10_000, 10_000, 65, 5),
    ("progressive", "F", "mega", 10_000, 10_000, 11, 0), ("progressive", "F", "major", 1_000, 1_000, 10, 0),
    ("progressive", "G", "mega", 10_000, 10_000, 9, 0), ("progressive", "G", "major", 1_000, 1_000, 7, 0),
    ("progressive", "G", "minor", 250, 250, 3, 0),
    ("progressive", "H", "mega", 10_000, 10_000, 10, 0), ("progressive", "H", "major", 1_000, 1_000, 8, 0),
    ("progressive", "H", "minor", 250, 250, 3, 0),
    ("five-card-hand", "-", "five-card-hand", 10_000, 0, 13, 8),
]  # fmt: skip


@pytest.mark.proves("639a.12(d)(4)", "639a.12(e)(4)")
@pytest.mark.parametrize(("table", "letter", "name", "seed", "reseed", "primary", "reserve"), PRINTED)
@pytest.mark.parametrize("wager", [1, 5])
def test_seed_reseed_and_rates_follow_the_wager(  # noqa: PLR0913, PLR0917 (a row of the table)
    table: str, letter: str, name: str, seed: int, reseed: int, primary: int, reserve: int, wager: int
) -> None:
    moves = rule(letter, name, wager * 100, table)
    meter = open_meter(moves)
    assert (meter.current, meter.house) == (seed * wager * DOLLAR, seed * wager * DOLLAR)
    fed = contribute(meter, moves, wager * 100)
    assert fed.current - meter.current == wager * primary * CENT  # the primary rate is in cents per dollar
    assert fed.reserve == wager * reserve * CENT
    won, prize = take_win(fed, moves, 100)
    assert prize.each * CENT == fed.current
    # The reserve pays for the reseed and the house adds the rest; a reseed of nothing restarts at the reserve.
    assert won.current == (reseed * wager * DOLLAR if reseed else fed.reserve)
    assert won.house - fed.house == (reseed * wager * DOLLAR - fed.reserve if reseed else 0)
    assert won.reserve == 0


@pytest.mark.proves("639a.12(d)(1)")
def test_a_tenth_of_the_meter_is_rounded_down_to_the_cent() -> None:
    moves = rule("B", "main")
    meter = Meter(current=12_345_67 * CENT + 89, house=12_345_67 * CENT + 89)
    left, prize = take_win(meter, moves, 10)
    assert prize.each == 1_234_56
    assert left.current == meter.current - 1_234_56 * CENT
    assert left.house == meter.house


@pytest.mark.parametrize(("option", "current"), [("only_after_100", 9_000), ("always", 10_000)])
def test_partial_reseed(option: str, current: int) -> None:
    moves = rule("B", "main", partial_reseed=option.replace("_", "-"))
    left, prize = take_win(open_meter(moves), moves, 10)
    assert prize.each == 1_000_00
    assert left.current == current * DOLLAR


@pytest.mark.parametrize(("option", "due"), [("yes", 10_000_53), ("no", 10_000_00)])
def test_own_contribution(option: str, due: int) -> None:
    moves = rule("A", "main", own_contribution=option)
    fed = contribute(open_meter(moves), moves, 100)
    won, prize = take_win(fed, moves, 100)
    assert prize.each == due
    assert add_waiting_increments(won).current == 10_000 * DOLLAR + (0 if option == "yes" else 53 * CENT)


@pytest.mark.parametrize(("option", "current"), [("reversed", 10_000_00), ("kept", 10_000_53)])
def test_void_increment(option: str, current: int) -> None:
    moves = rule("A", "main", void_increment=option)
    voided = undo_contribution(contribute(open_meter(moves), moves, 100), moves, 100)
    assert voided.current == current * CENT
    assert voided.contributed == 0
    assert voided.is_balanced


@pytest.mark.proves("639a.12(d)(4)")
def test_a_void_after_another_tables_win_leaves_at_least_the_reseed() -> None:
    moves = rule("A", "main")
    won, _ = take_win(contribute(open_meter(moves), moves, 100), moves, 100)
    voided = undo_contribution(won, moves, 100)
    assert voided.current == 10_000 * DOLLAR
    assert voided.house == won.house + 53 * CENT + 15 * CENT  # the win and the reseed had used increment and reserve
    fed = contribute(won, moves, 100)
    assert undo_contribution(fed, moves, 100).current == 10_000 * DOLLAR
    assert voided.is_balanced


def test_a_partial_win_of_the_five_card_hand_keeps_the_reserve() -> None:
    for option in ("only-after-100", "always"):
        moves = rule("-", "five-card-hand", table="five-card-hand", partial_reseed=option)
        meter = open_meter(moves)
        for _ in range(1000):
            meter = contribute(meter, moves, 100)
        left, prize = take_win(meter, moves, 10)
        assert (prize.each, left.current, left.reserve) == (1_013_00, 9_117 * DOLLAR, 80 * DOLLAR)


def test_the_house_pays_for_a_reversal_of_money_already_won() -> None:
    moves = rule("-", "five-card-hand", table="five-card-hand")
    won, _ = take_win(contribute(open_meter(moves), moves, 100), moves, 100)
    assert won.current == 8 * CENT
    voided = undo_contribution(won, moves, 100)
    assert (voided.current, voided.reserve, voided.house - won.house) == (0, 0, 13 * CENT)


def test_a_pending_win_is_paid_or_returned() -> None:
    moves = rule("B", "main")
    won, prize = take_win(open_meter(moves), moves, 10)
    assert won.pending == prize.amount == prize.each * CENT
    assert pay(won, prize.each).paid == prize.amount
    assert take_back(won, prize).current == 10_000 * DOLLAR
    with pytest.raises(Mistake, match=r"The meter has 100000 cents unpaid, not 100001\."):
        pay(won, prize.each + 1)
    with pytest.raises(Mistake, match=r"The meter has 0 cents unpaid, not 100000\."):
        take_back(pay(won, prize.each), prize)


@pytest.mark.parametrize("letter", ["A", "D"])
def test_a_withheld_jackpot_reverses_its_reseed(letter: str) -> None:
    moves = rule(letter, "main")
    fed = contribute(open_meter(moves), moves, 100)
    won, prize = take_win(fed, moves, 100)
    assert take_back(won, prize) == fed
    later = contribute(won, moves, 100)
    back = take_back(later, prize)
    assert back.current == fed.current + moves.primary * CENT
    assert back.house == fed.house


def test_the_house_adds_the_rest_if_a_fixed_pay_empties_the_meter() -> None:
    moves = rule("-", "five-card-hand", table="five-card-hand")
    full = Meter(current=300 * DOLLAR, house=300 * DOLLAR)
    left, prize = take_fixed_pay(full, moves, 500_00)
    assert (left.current, left.pending, left.house) == (0, 500 * DOLLAR, 500 * DOLLAR)
    assert reseed(left, moves).current == 0
    assert take_back(left, prize) == full


class Model:
    """The same meter from the law and the readings alone: a dozen lines, no shared code."""

    def __init__(self, moves: Rule, wager: int) -> None:
        self.moves, self.wager = moves, wager
        self.shown, self.reserve, self.waiting = Fraction(moves.seed), Fraction(0), Fraction(0)
        self.house, self.owed, self.paid, self.fed = Fraction(moves.seed), Fraction(0), Fraction(0), 0
        self.reseeds: list[tuple[Fraction, Fraction, Fraction]] = []

    def contribute(self, sign: int = 1) -> None:
        primary, reserve = (
            Fraction(self.wager * CENT * rate, 100) for rate in (self.moves.primary, self.moves.reserve)
        )
        self.fed += sign
        if sign < 0 and self.moves.void_kept:
            self.house += primary + reserve
            return
        if sign < 0:
            waits = min(self.waiting, primary)
            above = self.shown - (self.moves.reseed if self.shown >= self.moves.reseed else 0)
            off, set_aside = min(above, primary - waits), min(self.reserve, reserve)
            self.waiting, self.shown, self.reserve = self.waiting - waits, self.shown - off, self.reserve - set_aside
            self.house += primary + reserve - waits - off - set_aside
            return
        self.reserve += reserve
        if self.moves.own_round_waits:
            self.waiting += primary
        else:
            self.shown += primary

    def win(self, percent: int, sharing: int) -> None:
        each = Fraction((self.shown * percent / 100 / sharing) // CENT * CENT)
        self._take(each * sharing, Fraction(0), whole=percent == 100)

    def fixed(self, cents: int) -> None:
        lacking = max(Fraction(0), cents * CENT - self.shown)
        self.shown, self.house = self.shown + lacking, self.house + lacking
        self._take(Fraction(cents * CENT), lacking, whole=False)

    def _take(self, amount: Fraction, lent: Fraction, *, whole: bool) -> None:
        self.shown, self.owed = self.shown - amount, self.owed + amount
        given = added = Fraction(0)
        if whole or (self.moves.reseeds_after_part and self.shown < self.moves.reseed):
            missing = max(Fraction(0), self.moves.reseed - self.shown)
            given = min(self.reserve, missing) if self.moves.reseed else self.reserve
            added = max(Fraction(0), missing - given)
        self.shown, self.reserve, self.house = self.shown + given + added, self.reserve - given, self.house + added
        self.reseeds.append((amount, given, added + lent))

    def settle(self, place: int, *, validated: bool) -> None:
        amount, given, added = self.reseeds.pop(place)
        self.owed -= amount
        if validated:
            self.paid += amount
            return
        self.shown += amount
        added = min(added, self.shown, self.house)
        given = min(given, self.shown - added)
        self.shown, self.reserve, self.house = self.shown - added - given, self.reserve + given, self.house - added

    def next(self) -> None:
        self.shown, self.waiting = self.shown + self.waiting, Fraction(0)

    def agrees(self, meter: Meter) -> bool:
        fed = Fraction(self.fed * self.wager * CENT * (self.moves.primary + self.moves.reserve), 100)
        mine = (self.shown, self.reserve, self.waiting, self.owed, self.paid, self.house, fed)
        theirs = (
            meter.current,
            meter.reserve,
            meter.waiting,
            meter.pending,
            meter.paid,
            meter.house,
            meter.contributed,
        )
        return list(mine) == list(map(Fraction, theirs))


def test_random_movements_balance() -> None:
    """Seeds + reseeds + house money + increments = payouts + pending + current + reserve, always."""
    rules = [
        rule(letter, name, wager, table, partial_reseed=partial, own_contribution=own, void_increment=kept)
        for table, letter, name, *_ in PRINTED
        for wager in (100, 500)
        for partial in ("only-after-100", "always")
        for own in ("yes", "no")
        for kept in ("reversed", "kept")
    ]
    chance = random.Random(639)  # noqa: S311 (a test that can be repeated)
    moved, seen = 0, set()
    while moved < METER_MOVES:
        moves, amount = chance.choice(rules), chance.choice((100, 500))
        meter, model, wins = open_meter(moves), Model(moves, amount), list[Win]()
        for step in range(2_500):
            kind = chance.choices(MOVEMENTS, (60, 6, 8, 2, 6, 4, 14))[0]
            seen.add(kind)
            meter = _move(kind, meter, model, wins, chance)
            there = meter.paid + meter.pending + meter.current + meter.reserve + meter.waiting
            assert meter.house + meter.contributed == there
            assert min(meter.current, meter.reserve, meter.waiting, meter.pending) >= 0
            assert step % 25 or model.agrees(meter)  # Fractions are slow: every so often
        moved += 2_500
    assert seen == set(MOVEMENTS)


MOVEMENTS = ("contribute", "win", "pay", "take back", "void", "fixed", "next")


def _move(kind: str, meter: Meter, model: Model, wins: list[Win], chance: random.Random) -> Meter:
    moves, amount = model.moves, model.wager
    place = chance.randrange(len(wins)) if wins else 0
    match kind:
        case "contribute":
            model.contribute()
            return contribute(meter, moves, amount)
        case "win":
            percent, sharing = chance.choice((10, 100)), chance.choice((1, 1, 2, 3, 7))
            model.win(percent, sharing)
            meter, won = take_win(meter, moves, percent, sharing)
            wins.append(won)
        case "fixed":
            cents = chance.randint(1, 500) * 100
            model.fixed(cents)
            meter, won = take_fixed_pay(meter, moves, cents)
            wins.append(won)
        case "pay" if wins:
            model.settle(place, validated=True)
            return pay(meter, wins.pop(place).amount // CENT)
        case "take back" if wins:
            model.settle(place, validated=False)
            return take_back(meter, wins.pop(place))
        case "void" if model.fed:
            model.contribute(-1)
            return undo_contribution(meter, moves, amount)
        case "next":
            model.next()
            return add_waiting_increments(meter)
    return meter
