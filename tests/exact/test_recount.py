"""The second method agrees with the kernels: Cajun Stud and side wagers exhaustively, the contests by strata."""

import random
from math import comb
from pathlib import Path

import numpy as np
import pytest
from slices import HANDS_OF_A_KIND, NIGHTLY

from pitboss.cards import DECK
from pitboss.exact import duel
from pitboss.exact.advice import _suit_class
from pitboss.exact.analysis import required_distribution
from pitboss.exact.hand_counts import count_hands
from pitboss.exact.payoffs import STAKE, terms_for
from pitboss.exact.recount import resumable
from pitboss.exact.recount.board import recount_board
from pitboss.exact.recount.contest import ContestRecount
from pitboss.exact.recount.hands import classes_of, count_hand_names, every_hand
from pitboss.exact.recount.parallel import map_over_cores
from pitboss.exact.recount.resumable import recount
from pitboss.exact.recount.terms import recount_terms
from pitboss.ranking import evaluator
from pitboss.rulebook import rulebook


def test_cajun_stud_for_every_hand_and_board() -> None:
    """Every paytable, and both ways to break a tie between decisions."""
    (tables,) = recount_terms("cajun-stud")
    assert len(tables) == 6
    for terms, sums in zip(tables, recount_board(tables), strict=True):
        solved = required_distribution(terms, STAKE)
        assert sums.deals == solved.deals == 155_937_600
        assert sums.net == solved.net * STAKE
        assert sums.wagered == solved.average_wager * solved.deals * STAKE


@pytest.mark.parametrize(
    ("game", "ranking", "size", "readings"),
    [
        ("caribbean-stud", "bonus", 5, {}),
        ("four-card-prime", "prime", 5, {}),
        ("four-card-prime", "aces-bonus", 5, {}),
        ("four-card-prime", "aces-bonus", 5, {"aces-bonus-hand-size": "four-card"}),
        *([("four-card-prime", "all-six", 6, {})] if NIGHTLY else []),  # tests/ranking derives its counts by hand
        ("cajun-stud", "pocket-bonus", 2, {}),
        ("cajun-stud", "board-bonus", 3, {}),
        ("cajun-stud", "board-bonus", 3, {"board-bonus-ace-low": "no"}),
        ("cajun-stud", "lo-ball", 5, {}),
    ],
)
def test_side_wagers_hand_by_hand(game: str, ranking: str, size: int, readings: dict[str, str]) -> None:
    rules = rulebook().ranking(game, ranking, readings)
    tells_suits = any(word in rules.name for word in ("prime", "all-six"))  # colours, and royal flushes of diamonds
    counted = count_hand_names(evaluator(rules), size, by_class=not NIGHTLY and not tells_suits)
    assert counted == {hand.name: hand.deals for hand in count_hands(rules, size)}
    assert sum(counted.values()) == comb(52, size)


@pytest.fixture(scope="module")
def stud() -> ContestRecount:
    return ContestRecount([terms_for("caribbean-stud", {"ante": "-"}, {})], by_class=not NIGHTLY)


@pytest.fixture(scope="module")
def prime() -> ContestRecount:
    return ContestRecount(recount_terms("four-card-prime")[0], by_class=not NIGHTLY)


def sample_classes(contest: ContestRecount, each: int) -> list[int]:
    """This many classes of each player hand, and ten times as many with ace-king high."""
    chance = random.Random("strata")  # noqa: S311 (a test that can be repeated)
    strata: dict[str, list[int]] = {}
    evaluate = contest.terms.evaluators[contest.contest.ranking]
    for place, _ in classes_of(contest.players):
        cards = [DECK[card] for card in contest.players.cards[place]]
        ranks = {card.rank.letter for card in cards}
        name = evaluate(cards).hand.name
        turning = "High card" in name and {"A", "K"} <= ranks  # where the decision changes
        strata.setdefault(f"{name} {turning}", []).append(place)
    sizes = {name: each * 10 if name.endswith("True") else each for name in strata}
    return [place for name, places in strata.items() for place in chance.sample(places, min(len(places), sizes[name]))]


def compare_with_kernel(contest: ContestRecount, places: list[int]) -> None:
    """Hands of the player's against every dealer's: the same counts, and under all terms the same best result."""
    solved = [duel.solve(terms, STAKE) for terms in contest.tables]
    back = np.argsort(solved[0].duel.player.row)
    counted = map_over_cores(lambda place: (contest.ends(place), contest.best(place)), places)
    for place, (ends, best) in zip(places, counted, strict=True):
        row = back[_suit_class([DECK[card] for card in contest.players.cards[place]])[0]]
        counts = solved[0].duel.counts[row].astype(np.int64)
        assert sorted(map(tuple, ends.tolist())) == sorted(map(tuple, counts.tolist()))
        for found, one in zip(best, solved, strict=True):
            values = counts @ one.nets[:, one.duel.hand_index[row]].T
            assert found.deals == counts.sum()
            assert found.net == values.max(axis=1).sum()


def test_caribbean_stud_for_hands_of_every_kind(stud: ContestRecount) -> None:
    """Classes of each hand, ten times as many with ace-king, where the up-card decides; all 1,533,939 dealer's hands each."""
    places = sample_classes(stud, HANDS_OF_A_KIND)
    assert len(places) > 9 * HANDS_OF_A_KIND
    compare_with_kernel(stud, places)


def test_four_card_prime_for_hands_of_every_kind(prime: ContestRecount) -> None:
    """Classes of each hand against all 10,737,573 of the dealer's, under every Bad Beat table and Win Bonus."""
    places = sample_classes(prime, HANDS_OF_A_KIND)
    assert len(places) >= HANDS_OF_A_KIND * 7
    assert len(prime.tables) == 4 * 3
    compare_with_kernel(prime, places)


def test_a_stopped_recount_resumes(
    stud: ContestRecount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = list(classes_of(stud.players))[:60:20]
    monkeypatch.setattr(resumable, "classes_of", lambda _: few)
    monkeypatch.setattr(resumable, "CHECKPOINT", -1.0)
    every = recount(stud, tmp_path / "whole.json", cores=1)
    assert recount(stud, tmp_path / "two.json", cores=2) == every
    assert "3 of 3 classes" in capsys.readouterr().out
    monkeypatch.setattr(resumable, "classes_of", lambda _: few[:1])
    recount(stud, tmp_path / "part.json")
    monkeypatch.setattr(resumable, "classes_of", lambda _: few)
    assert recount(stud, tmp_path / "part.json") == every


def test_evaluating_by_class_equals_evaluating_each_hand(stud: ContestRecount) -> None:
    """`make test` evaluates one hand of each class under renaming of suits; `make nightly` evaluates all."""
    evaluate = stud.terms.evaluators[stud.contest.ranking]
    one_by_one, by_class = (every_hand(evaluate, 5, by_class=chosen) for chosen in (False, True))
    assert (one_by_one.order == by_class.order).all()
    board = evaluator(rulebook().ranking("cajun-stud", "board-bonus"))
    assert count_hand_names(board, 3) == count_hand_names(board, 3, by_class=True)
