"""A seed “for 1” is per dollar of the wager wherever it is used (639a.12(d)(4)); a plain amount is fixed."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.exact.jackpots import make_jackpot
from pitboss.exact.liability import highest_round_loss
from pitboss.exact.side_wagers import distribution_of, meter_seeds
from pitboss.games import Terms
from pitboss.games.settlement_inputs import meter_key
from pitboss.money import CENT
from pitboss.progressive import Rule, open_bank
from pitboss.rulebook import Amount
from pitboss.submission import load, problems, terms_of
from pitboss.submission.form import form_of
from pitboss.submission.model import Cents
from pitboss.training.situations import draw_round

STANDARD = load("caribbean-stud-standard")
FOR_ONE = Amount(10_000, for_one=True)
FIXED = Amount(30_000, for_one=False)
"""More than the best fixed pay of $5, which is $25,000."""


def table_with(seed: Amount, wager: int) -> Terms:
    """The standard table with this seed, and only this amount of the Progressive Payout Wager."""
    terms = terms_of(STANDARD)
    meters = {name: replace(meter, seed=seed) for name, meter in terms.meters["progressive"].items()}
    only = replace(terms.offered["progressive"], amounts=(wager,))
    return replace(
        terms,
        meters={**terms.meters, "progressive": meters},
        offered={**terms.offered, "progressive": only},
    )


def opened(terms: Terms, wager: int) -> int:
    return open_bank(terms, {"progressive": wager}).shows["main"] // CENT


def rule(terms: Terms, wager: int) -> int:
    return Rule.of(terms.meters["progressive"]["main"], wager, terms.readings).seed // CENT


def exact(terms: Terms, wager: int) -> int:
    return meter_seeds(terms, "progressive", wager)["main"] // CENT


def liability(terms: Terms, wager: int) -> int:
    """A royal flush of Paytable A wins the meter; the wager is lost (reading meter-pay-stake)."""
    return highest_round_loss(terms, 1, {}).offers["progressive"] + wager


@pytest.mark.proves("639a.12(d)(4)")
@pytest.mark.parametrize("seed_in", [opened, rule, exact, liability])
def test_639a_12_d_4_only_a_seed_for_1_grows_with_the_wager(
    seed_in: Callable[[Terms, int], int],
) -> None:
    assert seed_in(table_with(FOR_ONE, 1_00), 1_00) == 10_000_00
    assert seed_in(table_with(FOR_ONE, 5_00), 5_00) == 50_000_00
    assert seed_in(table_with(FIXED, 5_00), 5_00) == 30_000_00


@pytest.mark.proves("639a.12(d)(4)")
@pytest.mark.parametrize(("seed", "least"), [(FOR_ONE, 50_000_00), (FIXED, 30_000_00)])
def test_639a_12_d_4_a_meter_of_a_drill_shows_one_to_four_seeds(seed: Amount, least: int) -> None:
    terms = table_with(seed, 5_00)
    rounds = [draw_round(terms, 2, str(number)) for number in range(20)]
    shown = [played.meters[key] // CENT for played in rounds if (key := meter_key("main", 5_00)) in played.meters]
    assert shown
    assert all(least <= balance < 4 * least + 100_00 for balance in shown)


@pytest.mark.proves("639a.12(d)(4)")
def test_639a_12_d_4_figures_and_the_form_have_the_seed_of_a_dollar() -> None:
    terms = terms_of(STANDARD)
    assert make_jackpot(terms, "progressive", distribution_of(terms, "progressive", 1_00)).seeds == {"main": 10_000}
    tables = {table.name: table for wager in form_of("caribbean-stud").wagers for table in wager.tables}
    assert [meter.seed_cents for meter in tables["progressive"].paytables[0].meters] == [10_000_00]


@pytest.mark.proves("639a.12(d)(4)")
@pytest.mark.parametrize(("start", "count"), [(9_999_99, 1), (10_000_00, 0)])
def test_639a_12_d_4_a_starting_amount_per_dollar_is_at_least_the_seed(start: int, count: int) -> None:
    offer = replace(STANDARD.wagers["progressive"], starting={"main": Cents(start)})
    changed = replace(STANDARD, wagers={**STANDARD.wagers, "progressive": offer})
    assert len(problems(changed)) == count


@pytest.mark.proves("639a.12(e)(4)")
def test_639a_12_e_4_a_reseed_of_0_is_0_at_every_wager() -> None:
    meter = terms_of(STANDARD).meters["five-card-hand"]["five-card-hand"]
    rules = [Rule.of(meter, wager, terms_of(STANDARD).readings) for wager in (1_00, 5_00)]
    assert [(rule.seed // CENT, rule.reseed) for rule in rules] == [(10_000_00, 0), (50_000_00, 0)]
