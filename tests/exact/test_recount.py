"""The second method agrees with the kernels: Cajun Stud and side wagers exhaustively, the contests by strata."""

import random
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from pitboss.cards import DECK
from pitboss.exact import duel, recount
from pitboss.exact.advise import _class
from pitboss.exact.analyze import base
from pitboss.exact.payoffs import STAKE, terms_for
from pitboss.exact.tally import tally
from pitboss.rulebook import rulebook


def test_cajun_stud_for_every_two_cards_and_every_board() -> None:
    tables = [terms_for("cajun-stud", {"ante": letter}, {}) for letter in "ABC"]
    for terms, sums in zip(tables, recount.recount_board(tables), strict=True):
        solved = base(terms, STAKE)
        assert sums.deals == solved.deals == 155_937_600
        assert sums.net == solved.net * STAKE
        assert sums.wagered == solved.average_wager * solved.deals * STAKE


@pytest.mark.parametrize(
    ("game", "ranking", "size"),
    [
        ("caribbean-stud", "bonus", 5),
        ("four-card-prime", "prime", 5),
        ("four-card-prime", "aces-bonus", 5),
        ("four-card-prime", "all-six", 6),
        ("cajun-stud", "pocket-bonus", 2),
        ("cajun-stud", "board-bonus", 3),
        ("cajun-stud", "lo-ball", 5),
    ],
)
def test_side_wagers_hand_by_hand(game: str, ranking: str, size: int) -> None:
    rules = rulebook().ranking(game, ranking)
    from pitboss.ranking import evaluator  # noqa: PLC0415 (beside its use)

    counted = recount.names_of(evaluator(rules), size)
    assert counted == {hand.name: hand.deals for hand in tally(rules, size)}
    assert sum(counted.values()) == comb(52, size)


@pytest.fixture(scope="module")
def stud() -> recount.Contest:
    return recount.Contest(terms_for("caribbean-stud", {"ante": "-"}, {}))


def test_caribbean_stud_for_hands_of_every_kind(stud: recount.Contest) -> None:
    """Three classes of each hand, and thirty with ace-king, where the up-card decides; all 1,533,939 dealer's hands each."""
    solved = duel.solve(stud.terms, STAKE)
    back = np.argsort(solved.duel.player.row)
    chance = random.Random("strata")  # noqa: S311 (a test that can be repeated)
    strata: dict[str, list[int]] = {}
    evaluate = stud.terms.evaluators["five-card"]
    for place, _ in recount.classes_of(stud.players):
        cards = [DECK[card] for card in stud.players.cards[place]]
        ranks = {card.rank.letter for card in cards}
        name = evaluate(cards).hand.name
        strata.setdefault(f"{name} {'ace-king' if name == 'High card' and {'A', 'K'} <= ranks else ''}", []).append(
            place
        )
    assert len(strata) == 11
    checked = 0
    for name, places in strata.items():
        for place in chance.sample(places, min(len(places), 30 if "ace-king" in name else 3)):
            cards = [DECK[card] for card in stud.players.cards[place]]
            row, _ = _class(cards)
            found = solved.duel.counts[back[row]].astype(np.int64)
            values = found @ solved.payoffs[:, solved.duel.place[back[row]]].T
            one = stud.best(place)
            assert one.deals == found.sum() == comb(47, 5) * 5
            assert one.net == values.max(axis=1).sum()
            assert sorted(map(tuple, stud.ends(place).tolist())) == sorted(map(tuple, found.tolist()))
            checked += 1
    assert checked > 50


def test_four_card_prime_for_one_hand_against_every_dealer() -> None:
    """All 10,737,573 of the dealer's hands, one at a time."""
    terms = terms_for("four-card-prime", {"ante": "A"}, {})
    evaluate = terms.evaluators["four-card"]
    player = [DECK[index] for index in (0, 1, 9, 22, 47)]
    mine = evaluate(player).order
    below = equal = total = 0
    for dealer in combinations([card for card in DECK if card not in player], 6):
        order = evaluate(dealer).order
        below += order < mine
        equal += order == mine
        total += 1
    solved = duel.solve(terms, STAKE)
    row, _ = _class(player)
    counts = solved.duel.counts[np.argsort(solved.duel.player.row)[row], 0]
    assert counts.tolist() == [0, below, equal, total - below - equal]


def test_a_recount_goes_on_where_it_was_stopped(
    stud: recount.Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = list(recount.classes_of(stud.players))[:60:20]
    monkeypatch.setattr(recount, "classes_of", lambda _: few)
    monkeypatch.setattr(recount, "CHECKPOINT", -1.0)
    whole = recount.recount(stud, tmp_path / "whole.json")
    assert "3 of 3 classes" in capsys.readouterr().out
    monkeypatch.setattr(recount, "classes_of", lambda _: few[:1])
    recount.recount(stud, tmp_path / "part.json")
    monkeypatch.setattr(recount, "classes_of", lambda _: few)
    assert recount.recount(stud, tmp_path / "part.json") == whole
