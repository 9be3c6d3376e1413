"""Required wagers under the best decisions, as integers.

Caribbean Stud's total is published. The others were found before by a program written from the chapters alone,
in another language, by somebody who had not seen this one; its figures are stated here.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pitboss.exact import analysis, duel, staged
from pitboss.exact.analysis import required_distribution
from pitboss.exact.payoffs import STAKE, terms_for
from pitboss.rulebook import rulebook


@pytest.mark.proves("639a.11(c)(3)(i)", "639a.11(c)(3)(ii)", "639a.12(a)", "639a.12(b)")
def test_caribbean_stud_loses_the_published_total() -> None:
    found = required_distribution(terms_for("caribbean-stud", {"ante": "-"}, {}), STAKE)
    assert found.deals == 19_933_230_517_200
    assert found.net == -1_041_372_912_372
    assert found.average_wager * found.deals == 40_753_679_602_680
    assert round(found.standard_deviation, 6) == 2.242950


PRIME = 27_906_522_724_080
NETS = {  # Bad Beat Paytables A to D, ties won as the procedure has it
    ("by-6c", "pays-n"): (-919_088_332_404, -866_347_361_940, -865_750_445_340, -779_451_162_900),
    ("by-6c", "pays-n-less-one"): (-1_560_552_759_336, -1_507_811_788_872, -1_507_214_872_272, -1_420_915_589_832),
}
DEFINITION = {"pays-n": 98_491_680, "pays-n-less-one": 93_567_096}
TIES = 585_939_372_128


@pytest.mark.proves("682a.11(d)(2)(i)", "682a.11(d)(2)(ii)", "682a.12(a)", "682a.12(b)", "682a.12(c)")
@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("on_tie", ["procedure", "definition"])
@pytest.mark.parametrize("for_one", ["pays-n", "pays-n-less-one"])
@pytest.mark.parametrize("same_rank", ["by-6c", "tie"])
def test_four_card_prime(place: int, on_tie: str, for_one: str, same_rank: str) -> None:
    readings = {"win-bonus-on-tie": on_tie, "win-bonus-for-one": for_one, "same-rank-comparison": same_rank}
    found = required_distribution(terms_for("four-card-prime", {"ante": "ABCD"[place]}, readings), STAKE)
    expected = NETS["by-6c", for_one][place] + (TIES if same_rank == "tie" else 0)
    expected -= DEFINITION[for_one] if on_tie == "definition" else 0
    assert found.deals == PRIME
    assert found.net == expected
    assert found.average_wager * PRIME == 59_447_413_256_616
    by_raise = {
        name: sum(o.count for o in found.outcomes if o.name.startswith(name))
        for name in ("fold", "raise 1", "raise 2", "raise 3")
    }
    assert [count // 10_737_573 for count in by_raise.values()] == [1_231_176, 582_960, 0, 784_824]


CAJUN = {  # net; all that is wagered, ties of expectation to the larger and to the smaller wager
    "A": (-7_664_112, 559_780_416, 543_219_264),
    "B": (-23_753_760, 554_479_488, 538_137_216),
    "C": (-21_996_024, 560_726_208, 543_916_224),
}
FOLDS = {
    "A": (48_451_200, 11_966_976, 7_570_368),
    "B": (50_332_800, 11_402_496, 7_355_520),
    "C": (48_451_200, 11_966_976, 7_546_176),
}


@pytest.mark.proves("683a.11(h)(1)", "683a.11(h)(2)", "683a.12(a)")
@pytest.mark.parametrize("ties", ["larger-wager", "smaller-wager"])
@pytest.mark.parametrize("letter", CAJUN)
def test_cajun_stud(letter: str, ties: str) -> None:
    found = required_distribution(terms_for("cajun-stud", {"ante": letter}, {"ev-ties": ties}), STAKE)
    net, larger, smaller = CAJUN[letter]
    assert found.deals == 155_937_600
    assert found.net == net
    assert found.average_wager * found.deals == (larger if ties == "larger-wager" else smaller)
    if ties == "larger-wager":
        stages = ("first", "second", "third")
        folds = [
            sum(o.count for o in found.outcomes if o.name.endswith(f"fold at the {stage} decision")) for stage in stages
        ]
        assert tuple(folds) == FOLDS[letter]


def test_figures_follow_from_their_definitions() -> None:
    found = required_distribution(terms_for("cajun-stud", {"ante": "A"}, {}), STAKE)
    assert found.house_edge == Fraction(7_664_112, 155_937_600)
    assert found.element_of_risk == Fraction(7_664_112, 559_780_416)
    assert found.variance == Fraction(113_467_204_301_671, 1_172_672_410_000)
    assert sum(found.by_net().values()) == found.deals
    assert found.hit_frequency == Fraction(sum(n for net, n in found.by_net().items() if net > 0), found.deals)


def test_results_do_not_depend_on_the_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kernel runs in one thread; parallel results equal sequential ones."""
    tasks = analysis.list_tasks("cajun-stud")
    found = []
    for workers in (1, 4):
        monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / str(workers)))  # an empty cache
        monkeypatch.setattr(analysis, "WORKERS", workers)
        found.append(analysis.analyze("cajun-stud", tasks, {}))
    assert found[0] == found[1]


def test_nothing_overflows_at_the_extremes() -> None:
    """The sums of 24-fold counts fit into 32 bits, and counts times the largest pays into 64."""
    solved = duel.solve(terms_for("caribbean-stud", {"ante": "-"}, {}), STAKE)
    counts = solved.duel.counts
    assert counts.min() >= 0
    assert set(np.unique(counts.sum(axis=2)).tolist()) == {0, 163_185}  # C(46,4), and no up-card of the player's own
    assert counts.sum(dtype=np.int64) == sum(counts.astype(object).sum(axis=(1, 2)))  # no count wrapped round
    dear = 10_000_000_00  # an Ante of ten million dollars
    rich = duel.solve(terms_for("four-card-prime", {"ante": "A"}, {}), dear)
    assert rich.distribution.net == NETS["by-6c", "pays-n"][0]
    assert staged.solve(terms_for("cajun-stud", {"ante": "A"}, {}), dear).distribution.net == CAJUN["A"][0]


def test_refuses_a_game_of_another_kind() -> None:
    for game, letter, solve in (("cajun-stud", "A", duel.solve), ("caribbean-stud", "-", staged.solve)):
        with pytest.raises((ValueError, AssertionError)):
            solve(terms_for(game, {"ante": letter}, {}), STAKE)
    assert set(rulebook().games) == {"caribbean-stud", "four-card-prime", "cajun-stud"}
