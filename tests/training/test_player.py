"""A player's drills: exact values, cost and severity of mistakes, hard hands, and rules of thumb."""

from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from pitboss.cards import DECK, Card, Suit, hand
from pitboss.errors import Mistake
from pitboss.exact import duel, staged
from pitboss.exact.advice import Situation, advise
from pitboss.exact.payoffs import STAKE
from pitboss.exact.rules_of_thumb import RulesOfThumb, VisibleSituation
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.exact.threshold_strategy import choices_by_rule
from pitboss.games import Terms
from pitboss.submission import load, terms_of
from pitboss.training.close_decisions import CLOSE_MARGINS, DrillRules, any_hand, close_hands, draw_close_hand, worths
from pitboss.training.player import (
    PlayerHand,
    grade_player_choice,
    player_drill,
    player_score,
    rename_suits,
    severity_of,
)

GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")


def rules_of(game: str) -> tuple[DrillRules, Terms]:
    submission = load(f"{game}-standard")
    terms = terms_of(submission)
    return DrillRules(game, submission.wagers["ante"].paytable or None, tuple(sorted(terms.readings.items()))), terms


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> tuple[DrillRules, Terms]:
    return rules_of(request.param)


def margin(found: list[tuple[int, Fraction]]) -> Fraction:
    first, second = sorted((worth for _, worth in found), reverse=True)[:2]
    return first - second


def test_a_hard_hand_is_close_or_the_rule_of_thumb_is_wrong(game: tuple[DrillRules, Terms]) -> None:
    rules, terms = game
    thumb, close = RulesOfThumb(terms), CLOSE_MARGINS[len(terms.game.decisions)]
    why = {"close": 0, "rule": 0}
    for seed in range(300):
        dealt = draw_close_hand(rules, f"{seed}")
        found = worths(rules, dealt)
        most = max(worth for _, worth in found)
        seen = VisibleSituation(dealt.player, dealt.up, dealt.board, dealt.raised)
        errs = dict(found)[thumb.line(thumb.strategies[0], seen).multiple] < most
        assert 0 < margin(found) <= close or errs
        why["rule" if errs else "close"] += 1
    assert why["close"] >= 30
    assert why["rule"] >= (30 if terms.game.contest else 0)


@pytest.mark.parametrize("name", GAMES[:2])
def test_the_pool_has_exactly_the_close_hands_against_a_dealer(name: str) -> None:
    """A sample of all hands, each compared with the advice."""
    rules, _ = rules_of(name)
    known = {tuple(row) for row in close_hands(rules)[0].cards.tolist()}
    solved = duel.solve(rules.terms, STAKE)
    chance, own = Random(1), 5  # noqa: S311 (a test that can be repeated)
    for _ in range(400):
        row = chance.randrange(len(solved.duel.hand_index))
        cards = solved.duel.player.cards[row].tolist()
        up = [chance.choice([card for card in range(52) if card not in cards])] if solved.duel.has_up_card else []
        seen = Situation(player=tuple(DECK[card] for card in cards[:own]), up=tuple(DECK[card] for card in up))
        found = [(one.multiple, one.worth) for one in advise(rules.game, rules.letter, dict(rules.readings), seen)]
        assert ((*cards, *up) in known) == (0 < margin(found) <= CLOSE_MARGINS[1])


def test_hard_hands_on_a_board_come_at_each_decision_after_best_play() -> None:
    rules, _ = rules_of("cajun-stud")
    groups = close_hands(rules)
    assert [group.raised.shape[1] for group in groups] == [0, 1, 2]
    assert [len(group.until) >= 20 for group in groups] == [True] * 3
    solved = staged.solve(rules.terms, STAKE)
    first = {
        tuple(cards): int(option)
        for cards, option in zip(list_suit_classes(2).cards.tolist(), solved.first, strict=True)
    }
    for group in groups[1:]:
        for cards, raised in zip(group.cards[::97].tolist(), group.raised[::97].tolist(), strict=True):
            assert solved.multiples[first[cards[0], cards[1]] - 1] == raised[0]


def test_the_same_seed_gives_the_same_hand(game: tuple[DrillRules, Terms]) -> None:
    rules, _ = game
    for draw in (draw_close_hand, any_hand):
        assert draw(rules, "a") == draw(rules, "a")
        assert len({draw(rules, f"{seed}").player for seed in range(30)}) > 20


def test_a_drill_shows_exactly_the_visible_cards(game: tuple[DrillRules, Terms]) -> None:
    rules, terms = game
    drills = [player_drill(any_hand(rules, f"{seed}"), terms) for seed in range(60)]
    assert {len(one.hand.raised) for one in drills} == set(range(len(terms.game.decisions)))
    for one in drills:
        decision = terms.game.decisions[len(one.hand.raised)]
        assert [option.multiple for option in one.options] == [0, *decision.multiples]
        assert one.clause.cite == decision.cite
        assert len({*one.hand.player, *one.hand.up, *one.hand.board}) == len(
            [*one.hand.player, *one.hand.up, *one.hand.board]
        )


def test_a_choice_is_graded_by_the_exact_value_of_every_option() -> None:
    """Counted by hand: a fold costs the Ante, -1; 163,185 hands of the dealer's make the rest."""
    rules, terms = rules_of("caribbean-stud")
    seen = PlayerHand(game="caribbean-stud", player=hand("Kc Qc 6s Ah 7c"), up=hand("8c"))
    found = worths(rules, seen)
    assert found == [(0, Fraction(-1)), (2, Fraction(-164701, 163185))]
    fold, bet = (grade_player_choice(seen, terms, multiple, found) for multiple in (0, 2))
    assert (fold.right, fold.cost, fold.severity, fold.says) == (
        True,
        "0",
        "none",
        "Right: no other choice has a higher EV.",
    )
    assert (bet.right, bet.cost, bet.severity) == (False, "1516/163185", "slight")
    assert bet.says == "It costs 0.0093 of the Ante, a slight mistake: less than a fiftieth of the Ante."
    assert [(one.multiple, one.worth, one.best) for one in bet.options] == [
        (0, "-1", True),
        (2, "-164701/163185", False),
    ]
    assert (bet.margin, bet.cost_about) == ("1516/163185", 0.00929)
    assert [(one.name, one.multiple, one.right) for one in bet.thumbs] == [
        ("A-K-J-8-3", 2, False),
        ("three rules", 0, True),
    ]
    with pytest.raises(Mistake, match="Choose 2 times the Ante"):
        grade_player_choice(seen, terms, 1, found)


@pytest.mark.parametrize(
    ("cost", "severity"),
    [
        (Fraction(0), "none"),
        (Fraction(1, 10**9), "slight"),
        (Fraction(1, 50) - Fraction(1, 10**9), "slight"),
        (Fraction(1, 50), "mistake"),
        (Fraction(1, 10), "serious"),
        (Fraction(1, 2), "blunder"),
        (Fraction(7), "blunder"),
    ],
)
def test_the_severity_of_a_mistake_follows_its_cost(cost: Fraction, severity: str) -> None:
    assert severity_of(cost)[0] == severity


def test_refuses_an_impossible_hand() -> None:
    stud, cajun = (rules_of(game)[1] for game in ("caribbean-stud", "cajun-stud"))
    cards = hand("Kc Qc 6s Ah 7c")
    for wrong in (
        {"player": cards[:4], "up": hand("8c")},
        {"player": cards},
        {"player": cards, "up": hand("7c")},
        {"player": cards, "up": hand("8c"), "board": hand("9c")},
        {"player": cards, "up": hand("8c"), "raised": (2,)},
    ):
        with pytest.raises(Mistake):
            player_drill(PlayerHand(game="caribbean-stud", **wrong), stud)
    for wrong in (
        {"player": hand("Kc Qc"), "board": hand("6s")},
        {"player": hand("Kc Qc"), "raised": (1,)},
        {"player": hand("Kc Qc"), "board": hand("6s"), "raised": (4,)},
        {"player": hand("Kc Qc"), "board": hand("6s 7s 8s"), "raised": (1, 1, 1)},
    ):
        with pytest.raises(Mistake):
            player_drill(PlayerHand(game="cajun-stud", **wrong), cajun)


def test_a_repeated_hand_has_other_suits_and_the_same_value(
    game: tuple[DrillRules, Terms],
) -> None:
    rules, terms = game
    for seed in range(10):
        dealt = draw_close_hand(rules, f"{seed}")
        again = rename_suits(dealt, Random(seed))  # noqa: S311 (a test that can be repeated)
        assert [worth for _, worth in worths(rules, again)] == [worth for _, worth in worths(rules, dealt)]
        assert sorted(card.rank for card in again.player) == sorted(card.rank for card in dealt.player)
        assert player_drill(again, terms).options == player_drill(dealt, terms).options


def test_a_score_sums_the_cost_of_mistakes() -> None:
    rules, terms = rules_of("caribbean-stud")
    seen = PlayerHand(game="caribbean-stud", player=hand("Kc Qc 6s Ah 7c"), up=hand("8c"))
    other = replace(seen, player=hand("Kc Kd 6s Ah 7c"))
    graded = [
        (grade_player_choice(one, terms, multiple, worths(rules, one)), 5)
        for one, multiple in ((seen, 0), (seen, 2), (other, 0), (other, 2))
    ]
    score = player_score(graded, ante=2500)
    expected = Fraction(1516, 163185) + Fraction(graded[2][0].cost)
    assert (score.asked, score.right, score.percent, score.seconds) == (4, 2, 50.0, 20)
    assert Fraction(score.cost) == expected
    assert score.lost == round(expected * 2500)
    assert [one.hand for one in score.mistakes] == [other, seen]  # the costliest first
    assert {one.severity: one.count for one in score.severities} == {
        "slight": 1,
        "mistake": 0,
        "serious": 0,
        "blunder": 1,
    }
    assert player_score([], ante=100).percent == 0


def test_the_rules_of_caribbean_stud_match_the_solver() -> None:
    """A line found for one hand, and the choices of all hands as arrays: the same decision for hand and up-card."""
    rules, terms = rules_of("caribbean-stud")
    solved, thumb = duel.solve(rules.terms, STAKE), RulesOfThumb(terms)
    judged = {one.name: choices_by_rule(solved, one) for one in thumb.strategies}
    players = solved.duel.player
    chance = Random(2)  # noqa: S311 (a test that can be repeated)
    ace_king = np.flatnonzero((players.cards // 4 >= 11).sum(axis=1) == 2).tolist()
    for row in chance.sample(ace_king, 600) + chance.sample(range(len(players.cards)), 200):
        cards = tuple(DECK[card] for card in players.cards[row].tolist())
        for up in chance.sample([card for card in DECK if card not in cards], 6):
            for strategy in thumb.strategies:
                line = thumb.line(strategy, VisibleSituation(cards, (up,)))
                assert solved.options[judged[strategy.name][row, up.index]] == line.multiple


def test_the_rules_of_four_card_prime_cost_almost_nothing() -> None:
    rules, terms = rules_of("four-card-prime")
    solved, thumb = duel.solve(rules.terms, STAKE), RulesOfThumb(terms)
    for strategy, most in zip(thumb.strategies, (Fraction(1, 2000), Fraction(7, 10**6)), strict=True):
        found = duel.evaluate_choices(solved, rules.terms, choices_by_rule(solved, strategy))
        assert 0 < found.house_edge - solved.distribution.house_edge < most


def test_the_points_of_cajun_stud_cost_almost_nothing() -> None:
    """The strategy published for Mississippi Stud: at every decision of every hand, played out exactly."""
    rules, terms = rules_of("cajun-stud")
    solved, thumb = staged.solve(rules.terms, STAKE), RulesOfThumb(terms)
    (strategy,) = thumb.strategies
    multiples, many = solved.multiples, len(solved.multiples)

    def option(cards: tuple[int, ...], *raised: int) -> int:
        held = tuple(DECK[card] for card in cards)
        line = thumb.line(strategy, VisibleSituation(held[:2], (), held[2:], raised))
        return multiples.index(line.multiple) + 1 if line.multiple else 0

    choices = [np.zeros_like(part) for part in (solved.first, solved.second, solved.third)]
    for row, (a, b) in enumerate(list_suit_classes(2).cards.tolist()):
        choices[0][row] = first = option((a, b))
        if not first:
            continue
        raise_1 = multiples[first - 1]
        for one in range(52):
            if one in (a, b):
                continue
            choices[1][row, one, first - 1] = second = option((a, b, one), raise_1)
            for two in range(52) if second else ():
                if two not in (a, b, one):
                    third = option((a, b, one, two), raise_1, multiples[second - 1])
                    choices[2][row, one, two, first - 1, second - 1] = third
    assert many == 3
    found = staged.evaluate_choices(solved.ranking, multiples, solved.pays, choices, STAKE)
    assert 0 < found.house_edge - solved.distribution.house_edge < Fraction(1, 2000)


def test_a_rule_of_thumb_covers_every_hand_and_ignores_names_of_suits(
    game: tuple[DrillRules, Terms],
) -> None:
    rules, terms = game
    thumb = RulesOfThumb(terms)
    for seed in range(40):
        dealt = any_hand(rules, f"{seed}")
        for strategy in thumb.strategies:
            lines = set()
            for order in list(permutations(Suit))[:6]:
                names = [Card(card.rank.letter + order[card.suit].letter) for card in DECK]
                held = [tuple(names[card.index] for card in part) for part in (dealt.player, dealt.up, dealt.board)]
                lines.add(thumb.line(strategy, VisibleSituation(held[0], held[1], held[2], dealt.raised)))
            assert len(lines) == 1
