"""Meters balance to the micro-cent (guarantee 5), and move as 639a.12(d)(4) and (e)(4) say."""

import random

import pytest

from pitboss.errors import Mistake
from pitboss.money import CENT
from pitboss.progressive.meter import (
    Meter,
    Rule,
    contribute,
    next_round,
    opened,
    pay,
    pay_fixed,
    reseeded,
    take_back,
    void,
    win,
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
    meter = opened(moves)
    assert (meter.current, meter.house) == (seed * wager * DOLLAR, seed * wager * DOLLAR)
    fed = contribute(meter, moves, wager * 100)
    assert fed.current - meter.current == wager * primary * CENT  # so many cents of each dollar
    assert fed.reserve == wager * reserve * CENT
    won, due = win(fed, moves, 100)
    assert due * CENT == fed.current
    # The reserve pays for the reseed and the house adds the rest; a reseed of nothing restarts at the reserve.
    assert won.current == (reseed * wager * DOLLAR if reseed else fed.reserve)
    assert won.house - fed.house == (reseed * wager * DOLLAR - fed.reserve if reseed else 0)
    assert won.reserve == 0


@pytest.mark.proves("639a.12(d)(1)")
def test_a_tenth_of_the_meter_is_paid_down_to_the_cent_and_the_rest_stays() -> None:
    moves = rule("B", "main")
    meter = Meter(current=12_345_67 * CENT + 89, house=12_345_67 * CENT + 89)
    left, due = win(meter, moves, 10)
    assert due == 1_234_56
    assert left.current == meter.current - 1_234_56 * CENT
    assert left.house == meter.house


@pytest.mark.parametrize(("option", "current"), [("only_after_100", 9_000), ("always", 10_000)])
def test_partial_reseed(option: str, current: int) -> None:
    moves = rule("B", "main", partial_reseed=option.replace("_", "-"))
    left, due = win(opened(moves), moves, 10)
    assert due == 1_000_00
    assert left.current == current * DOLLAR


@pytest.mark.parametrize(("option", "due"), [("yes", 10_000_53), ("no", 10_000_00)])
def test_own_contribution(option: str, due: int) -> None:
    moves = rule("A", "main", own_contribution=option)
    fed = contribute(opened(moves), moves, 100)
    won, paid = win(fed, moves, 100)
    assert paid == due
    assert next_round(won).current == 10_000 * DOLLAR + (0 if option == "yes" else 53 * CENT)


@pytest.mark.parametrize(("option", "current"), [("reversed", 10_000_00), ("kept", 10_000_53)])
def test_void_increment(option: str, current: int) -> None:
    moves = rule("A", "main", void_increment=option)
    voided = void(contribute(opened(moves), moves, 100), moves, 100)
    assert voided.current == current * CENT
    assert voided.contributed == 0
    assert voided.balanced


def test_a_void_after_another_tables_win_comes_off_the_reseeded_meter() -> None:
    moves = rule("A", "main")
    won, _ = win(contribute(opened(moves), moves, 100), moves, 100)
    voided = void(won, moves, 100)
    assert voided.current == 10_000 * DOLLAR - 53 * CENT
    assert voided.balanced


def test_the_house_makes_good_what_a_reversal_finds_gone() -> None:
    moves = rule("-", "five-card-hand", table="five-card-hand")
    won, _ = win(contribute(opened(moves), moves, 100), moves, 100)
    assert won.current == 8 * CENT
    voided = void(won, moves, 100)
    assert (voided.current, voided.reserve, voided.house - won.house) == (0, 0, 13 * CENT)


def test_a_win_waits_is_paid_or_goes_back() -> None:
    moves = rule("B", "main")
    won, due = win(opened(moves), moves, 10)
    assert won.pending == due * CENT
    assert pay(won, due).paid == due * CENT
    assert take_back(won, due).current == 10_000 * DOLLAR
    with pytest.raises(Mistake, match=r"The meter has 100000 cents waiting to be paid, not 100001\."):
        pay(won, due + 1)


def test_a_fixed_pay_off_the_meter_may_empty_it_and_the_house_adds_the_rest() -> None:
    moves = rule("-", "five-card-hand", table="five-card-hand")
    left = pay_fixed(Meter(current=300 * DOLLAR, house=300 * DOLLAR), 500_00)
    assert (left.current, left.pending, left.house) == (0, 500 * DOLLAR, 500 * DOLLAR)
    assert reseeded(left, moves).current == 0


def test_a_million_random_movements_balance() -> None:  # noqa: C901 (one case for each movement)
    """Seeds, reseeds and what the house adds + increments = payoffs + pending + current + reserve, always."""
    rules = [
        rule(letter, name, wager, table, partial_reseed=partial, own_contribution=own, void_increment=kept)
        for table, letter, name, *_ in PRINTED
        for wager in (100, 500)
        for partial in ("only-after-100", "always")
        for own in ("yes", "no")
        for kept in ("reversed", "kept")
    ]
    chance = random.Random(639)  # noqa: S311 (a test that can be repeated)
    moved = kinds = 0
    seen: set[str] = set()
    while moved < 1_000_000:
        moves = chance.choice(rules)
        meter, amount = opened(moves), chance.choice((100, 500))
        came_in, fed = meter.current, 0
        for _ in range(2_500):
            kind = chance.choices(
                ("contribute", "win", "split", "pay", "take back", "void", "fixed", "next"), (60, 4, 2, 8, 2, 6, 4, 14)
            )[0]
            before = meter
            match kind:
                case "contribute":
                    meter, fed = contribute(meter, moves, amount), fed + 1
                case "win":
                    meter, _ = win(meter, moves, chance.choice((10, 100)))
                case "split":
                    meter, _ = win(meter, moves, chance.choice((10, 100)), chance.randint(2, 7))
                case "pay":
                    meter = pay(meter, chance.randint(0, meter.pending // CENT))
                case "take back":
                    meter = take_back(meter, chance.randint(0, meter.pending // CENT))
                case "void" if fed:
                    meter, fed = void(meter, moves, amount), fed - 1
                case "fixed":
                    meter = pay_fixed(meter, chance.randint(1, 500) * 100)
                case "next":
                    meter = next_round(meter)
            # Worked out apart from the meter's own books: what its parts gained is what came in.
            house, contributed = meter.house - before.house, meter.contributed - before.contributed
            came_in += house + contributed
            assert came_in == meter.paid + meter.pending + meter.current + meter.reserve + meter.waiting
            assert min(meter.current, meter.reserve, meter.waiting, meter.pending) >= 0
            seen.add(kind)
            moved += 1
        per_wager = amount * CENT // 100 * (moves.primary + moves.reserve)
        assert meter.contributed == fed * per_wager
        kinds += 1
    assert moved >= 1_000_000
    assert len(seen) == 8
    assert kinds >= 400
