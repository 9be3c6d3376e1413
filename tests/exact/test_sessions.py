"""Many rounds, and payout limits."""

from fractions import Fraction

import pytest

from pitboss.errors import Mistake
from pitboss.exact.analysis import cached_row, list_tasks, required_distribution
from pitboss.exact.distribution import Distribution, WeightedOutcome
from pitboss.exact.payoffs import STAKE, terms_for
from pitboss.exact.payout_limits import edges_under_limit, lowest_limited_wager, round_amounts
from pitboss.exact.session_results import session_result

COIN = Distribution(stake=100, outcomes=(WeightedOutcome("heads", 1, 100, 100), WeightedOutcome("tails", 1, -100, 100)))


def test_a_fair_coin_has_the_known_results() -> None:
    once, twice = session_result(COIN, 1), session_result(COIN, 2)
    assert (round(once.ahead, 12), round(once.even, 12)) == (0.5, 0)
    assert (round(twice.ahead, 12), round(twice.even, 12)) == (0.25, 0.5)
    assert session_result(COIN, 100).percentiles[50] == 0
    assert session_result(COIN, 100).percentiles[1] == -24  # at most 38 heads of 100: 1.05 %; at most 37: 0.60 %


def test_one_round_equals_the_distribution() -> None:
    found = required_distribution(terms_for("caribbean-stud", {"ante": "-"}, {}), STAKE)
    once = session_result(found, 1)
    assert once.ahead == pytest.approx(float(found.hit_frequency), abs=1e-12)
    assert once.even == pytest.approx(float(Fraction(found.by_net()[Fraction(0)], found.deals)), abs=1e-12)


def test_a_rare_win_above_all_losses_counts_as_ahead() -> None:
    lottery = Distribution(
        stake=100, outcomes=(WeightedOutcome("win", 1, 10**9 * 100, 100), WeightedOutcome("lose", 999, -100, 100))
    )
    assert session_result(lottery, 500).ahead == pytest.approx(1 - 0.999**500, abs=1e-9)


@pytest.mark.parametrize("rounds", [0, -1])
def test_refuses_less_than_one_round(rounds: int) -> None:
    with pytest.raises(Mistake, match="number of rounds is at least 1"):
        session_result(COIN, rounds)


@pytest.mark.proves("683a.12(f)")
def test_683a_12_f_a_limit_matters_from_the_wager_whose_highest_pay_exceeds_it() -> None:
    limit = 50_000_00
    first = lowest_limited_wager("cajun-stud", "ante", "A", {}, limit)
    below, at = edges_under_limit("cajun-stud", "ante", "A", {}, limit, [first - 100, first])
    assert below.house_edge == below.free == Fraction(7_664_112, 155_937_600)
    assert at.house_edge > at.free
    edges = [
        one.house_edge for one in edges_under_limit("cajun-stud", "ante", "A", {}, limit, round_amounts(100, 10_000_00))
    ]
    assert edges == sorted(edges)


def test_the_limit_changes_decisions() -> None:
    """With a limit of a cent a raise can win almost nothing: most hands fold at once."""
    found = required_distribution(terms_for("cajun-stud", {"ante": "A"}, {}, payout_limit=1), 10_000_00)
    assert found.house_edge <= 1
    raised = sum(outcome.count for outcome in found.outcomes if outcome.name != "fold at the first decision")
    free = required_distribution(terms_for("cajun-stud", {"ante": "A"}, {}), STAKE)
    assert 0 < raised < sum(o.count for o in free.outcomes if o.name != "fold at the first decision")


def test_the_limit_applies_only_to_wagers_named_by_the_chapter() -> None:
    with pytest.raises(Mistake, match="has no payout limit on pocket-bonus"):
        edges_under_limit("cajun-stud", "pocket-bonus", "A", {}, 100, [100])


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize(
    ("game", "wager", "letter"),
    [("cajun-stud", "lo-ball", "A"), ("caribbean-stud", "bonus", "A"), ("cajun-stud", "ante-raise", "A")],
)
def test_percentiles_equal_the_exact_convolution(game: str, wager: str, letter: str, rounds: int) -> None:
    (task,) = list_tasks(game, wager)
    found = cached_row(game, task.offer, letter, {}).distribution
    nets = {net: Fraction(count, found.deals) for net, count in found.by_net().items()}
    sums = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        more: dict[Fraction, Fraction] = {}
        for total, chance in sums.items():
            for net, share in nets.items():
                more[total + net] = more.get(total + net, Fraction(0)) + chance * share
        sums = more
    live, below = session_result(found, rounds), Fraction(0)
    exact: dict[int, Fraction] = {}
    for total, chance in sorted(sums.items()):
        below += chance
        for percent in live.percentiles:
            if below >= Fraction(percent, 100):
                exact.setdefault(percent, total)
    assert live.percentiles == {percent: float(at) for percent, at in exact.items()}


def test_682a_12_g_the_limit_excludes_six_card_royals() -> None:
    """All-Six E pays far more for them, but the limit excludes that: it matters from the next best hand on."""
    first = lowest_limited_wager("four-card-prime", "all-six", "E", {}, 50_000_00)
    below, at = edges_under_limit("four-card-prime", "all-six", "E", {}, 50_000_00, [first - 100, first])
    assert below.house_edge == below.free < at.house_edge
