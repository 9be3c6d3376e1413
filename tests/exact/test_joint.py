"""Several wagers on one deal: means add up, deviations do not."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.cards import DECK, Rank, Suit
from pitboss.errors import Mistake
from pitboss.exact import duel, side_wagers
from pitboss.exact.analysis import required_distribution
from pitboss.exact.joint import joint_distribution
from pitboss.exact.joint.board import _extra_card_nets, all_boards
from pitboss.exact.payoffs import table_wager, terms_for
from pitboss.ranking.batch import evaluate_many
from pitboss.ranking.symmetry import distinct_renamings


@pytest.mark.parametrize(
    ("game", "letters", "wagers"),
    [
        ("caribbean-stud", {"ante": "-", "five-card-hand": "-"}, {"ante": 500, "five-card-hand-dealer": 100}),
        ("four-card-prime", {"ante": "A", "prime": "B", "aces-bonus": "C"}, {"ante": 500, "prime": 100, "aces-bonus": 200}),
        ("cajun-stud", {"ante": "A", "pocket-bonus": "B", "board-bonus": "C", "lo-ball": "A"}, {"ante": 500, "pocket-bonus": 100, "board-bonus": 200, "lo-ball": 300}),
    ],
)  # fmt: skip
def test_the_joint_loss_is_the_sum_of_the_losses(game: str, letters: dict[str, str], wagers: dict[str, int]) -> None:
    """These wagers survive a fold, so that decisions do not change."""
    terms = terms_for(game, letters, {})
    found = joint_distribution(terms, wagers)
    alone = required_distribution(terms, wagers["ante"]).house_edge * wagers["ante"]
    alone += sum(
        side_wagers.distribution_of(terms, name, amount).house_edge * amount
        for name, amount in wagers.items()
        if name != "ante"
    )
    assert found.house_edge * sum(wagers.values()) == alone
    assert found.stake == sum(wagers.values())


def test_a_joint_analysis_of_one_wager_equals_the_wager_alone() -> None:
    for game, letter in (("caribbean-stud", "-"), ("four-card-prime", "A"), ("cajun-stud", "B")):
        terms = terms_for(game, {"ante": letter}, {})
        found, alone = joint_distribution(terms, {"ante": 100}), required_distribution(terms, 100)
        assert found.by_net() == alone.by_net()
        assert found.average_wager == alone.average_wager


def test_the_joint_variance_includes_the_covariance() -> None:
    """Caribbean Stud with a wager on the player's hand, the covariance summed up class by class."""
    terms = terms_for("caribbean-stud", {"ante": "-", "five-card-hand": "-"}, {})
    found = joint_distribution(terms, {"ante": 100, "five-card-hand-player": 100})
    solved = duel.solve(terms, 100)
    of, alone, side = solved.duel, solved.distribution, side_wagers.distribution_of(terms, "five-card-hand-player", 100)
    ranking, _ = table_wager(terms, "five-card-hand-player")
    by_name = side_wagers.net_by_hand(terms, "five-card-hand-player", 100)
    nets = [by_name[ranking.hands[place].name] for place in evaluate_many(ranking, of.player.cards).place]
    pays = solved.nets[:, of.hand_index].transpose(1, 0, 2)
    chosen = np.take_along_axis(pays, solved.choices.astype(np.int64)[:, :, None], axis=1)
    by_class = (of.counts * chosen).sum(axis=(1, 2), dtype=np.int64) * of.player.weight
    product = sum(int(value) * net for value, net in zip(by_class, nets, strict=True))
    covariance = Fraction(product, alone.deals * 100**2) - alone.house_edge * side.house_edge
    assert covariance > 0
    assert found.variance * 4 == alone.variance + side.variance + 2 * covariance


def test_639a_11_b_a_bonus_never_changes_the_decision() -> None:
    """A fold loses the Bonus, but the hands that it pays are raised anyway: the decisions do not change."""
    terms = terms_for("caribbean-stud", {"ante": "-", "bonus": "A"}, {})
    found, alone = joint_distribution(terms, {"ante": 100, "bonus": 1000}), required_distribution(terms, 100)
    assert found.average_wager * 1100 - 1100 == alone.average_wager * 100 - 100
    apart = alone.house_edge * 100 + side_wagers.distribution_of(terms, "bonus", 1000).house_edge * 1000
    assert found.house_edge * 1100 == apart


def test_the_all_six_card_is_missing_from_the_dealers_deck() -> None:
    terms = terms_for("four-card-prime", {"ante": "A", "all-six": "E"}, {})
    found = joint_distribution(terms, {"ante": 100, "all-six": 100})
    assert found.deals == 2_598_960 * 47 * 9_366_819  # hands, All-Six cards, dealer's hands without these six
    alone = required_distribution(terms, 100).house_edge + side_wagers.distribution_of(terms, "all-six", 100).house_edge
    assert found.house_edge * 2 == alone


@pytest.mark.parametrize(
    ("game", "letters", "wagers", "said"),
    [
        ("caribbean-stud", {"ante": "-", "bonus": "A"}, {"bonus": 100}, "The ante wager is missing"),
        (
            "caribbean-stud",
            {"ante": "-", "progressive": "A"},
            {"ante": 100, "progressive": 250},
            "whole number of dollars",
        ),
        (
            "caribbean-stud",
            {"ante": "-", "bonus": "A"},
            {"ante": 100, "bonus": 10**12},
            "A wager in a combination is at most",
        ),
        ("cajun-stud", {"ante": "A", "lo-ball": "A"}, {"lo-ball": 100}, "The ante wager is missing"),
    ],
)
def test_refuses_wagers_that_cannot_be_analyzed_jointly(
    game: str, letters: dict[str, str], wagers: dict[str, int], said: str
) -> None:
    with pytest.raises(Mistake, match=said):
        joint_distribution(terms_for(game, letters, {}), wagers)


@pytest.mark.parametrize(("cards", "option"), [(178_365, "four-separate"), (47, "community-plus-one")])
def test_reading_cajun_all_six_cards_keeps_the_edge_and_changes_the_variance(cards: int, option: str) -> None:
    """The All-Six cards are dealt separately or share the board: the edge is the same, the joint variance is not."""
    terms = terms_for("cajun-stud", {"ante": "A", "all-six": "A", "pocket-bonus": "A"}, {"cajun-all-six-cards": option})
    wagers = {"ante": 100, "all-six": 100, "pocket-bonus": 100}
    found = joint_distribution(terms, wagers)
    assert found.deals == 155_937_600 * cards  # C(47,4) sets of four, or 47 cards
    alone = required_distribution(terms, 100).house_edge
    alone += sum(side_wagers.distribution_of(terms, name, 100).house_edge for name in ("all-six", "pocket-bonus"))
    assert found.house_edge * 3 == alone
    apart = sum(side_wagers.distribution_of(terms, name, 100).variance for name in ("all-six", "pocket-bonus"))
    assert (
        found.variance * 9 > required_distribution(terms, 100).variance + apart
    )  # a pair in the hand is good for all of them


@pytest.mark.parametrize("with_board", [False, True], ids=["four apart", "the board and one"])
def test_all_six_cards_match_a_plain_count(*, with_board: bool) -> None:
    """One pair and one board: every four of the other 47 cards, or the board and every one of them, one at a time."""
    terms = terms_for("cajun-stud", {"ante": "A", "all-six": "A"}, {})
    ranking, _ = table_wager(terms, "all-six")
    pair, rest = np.array([48, 44], np.uint8), np.array([card for card in range(52) if card not in (48, 44)], np.uint8)
    nets = np.array([side_wagers.net_by_hand(terms, "all-six", 100).get(one.name, 0) for one in ranking.hands])
    number = 12_345
    values, deals = _extra_card_nets(
        ranking, nets, pair, rest, distinct_renamings([ranking])[:1], with_board=with_board
    )
    counted = dict(zip(values, deals[number].tolist(), strict=True))
    board = [DECK[rest[place]] for place in all_boards()[number]]
    left = [DECK[card] for card in rest if DECK[card] not in board]
    drawn = [(*board, one) for one in left] if with_board else combinations(left, 4)
    expected = dict.fromkeys(counted, 0)
    for four in drawn:
        name = terms.evaluators["all-six"]([DECK[48], DECK[44], *four]).hand.name
        expected[int(nets[[one.name for one in ranking.hands].index(name)])] += 1
    assert counted == expected


def test_683a_12_f_the_payout_limit_applies_jointly() -> None:
    terms = terms_for("cajun-stud", {"ante": "B", "pocket-bonus": "A"}, {}, payout_limit=50_000_00)
    found = joint_distribution(terms, {"ante": 500_00, "pocket-bonus": 100})
    alone = (
        required_distribution(terms, 500_00).house_edge * 500_00
        + side_wagers.distribution_of(terms, "pocket-bonus", 100).house_edge * 100
    )
    assert found.house_edge * found.stake == alone
    assert max(outcome.net for outcome in found.outcomes) <= 50_000_00 + 100 * 100
    free = terms_for("cajun-stud", {"ante": "B", "pocket-bonus": "A"}, {})
    assert side_wagers.distribution_of(free, "pocket-bonus", 100) == side_wagers.distribution_of(
        terms, "pocket-bonus", 100
    )


@pytest.mark.proves("682a.12(g)")
def test_682a_12_g_the_limit_applies_to_the_sum_of_two_wagers() -> None:
    """Above $50,000 are only hands with a royal flush or four aces in them, and these are counted one by one.

    The six-card royal flushes of paytable E are outside of the limit: what the Aces Bonus pays with them is not.
    """
    limit, letters = 50_000_00, {"ante": "A", "aces-bonus": "A", "all-six": "E"}
    wagers = {"ante": 100, "aces-bonus": 200_00, "all-six": 50_00}
    free, terms = terms_for("four-card-prime", letters, {}), terms_for("four-card-prime", letters, {}, limit)
    aces, six = (free.evaluators[free.rankings[name]] for name in ("aces-bonus", "all-six"))
    royals = [[card for card in DECK if card.suit is suit and card.rank >= Rank.TEN] for suit in Suit]
    quads = [card for card in DECK if card.rank is Rank.ACE]
    held = [frozenset((*royal, card)) for royal in royals for card in DECK if card not in royal]
    held += [frozenset((*quads, *two)) for two in combinations([card for card in DECK if card not in quads], 2)]
    excess = 0
    for cards in set(held):
        for last in cards:
            counted = {"Four aces": 500, "Four-of-a-kind": 100, "Royal flush": 50, "Straight flush": 30, "Flush": 5, "Straight": 4, "Three aces": 20, "Two pair": 2, "Two aces": 1}.get(aces([*cards - {last}]).hand.name, 0) * 200_00  # fmt: skip
            counted += {"Royal flush": 1000, "Four-of-a-kind": 50}.get(six([*cards]).hand.name, 0) * 50_00
            excess += max(0, counted - limit)
    alone = required_distribution(free, 100).house_edge * 100
    alone += sum(
        side_wagers.distribution_of(free, name, wagers[name]).house_edge * wagers[name]
        for name in wagers
        if name != "ante"
    )
    found = joint_distribution(terms, wagers)
    assert excess > 0
    assert found.house_edge * found.stake == alone + Fraction(excess, comb(52, 6) * 6)


@pytest.mark.proves("639a.12(e)")
def test_639a_12_e_the_players_hand_wins_from_the_rest_after_the_dealers() -> None:
    """Royal flush 100 %, straight flush 10 % of a meter of $10,000: the dealer's share is gone when a player wins.

    The meter restarts with its reserve, of which there is none. Every pair of straight flushes is looked at.
    """
    terms = terms_for("caribbean-stud", {"ante": "-", "five-card-hand": "-"}, {})
    ranks = [Rank.ACE, *Rank]
    spans = [set(ranks[start : start + 5]) for start in range(10)]
    runs = [
        frozenset(card for card in DECK if card.suit is suit and card.rank in span) for span in spans for suit in Suit
    ]
    royal = {Rank.ACE, Rank.KING}
    percent = {run: 100 if royal <= {card.rank for card in run} else 10 for run in runs}
    missed = sum(
        percent[mine] * percent[dealers] * 100 for mine in runs for dealers in runs if not mine & dealers
    )  # in cents: a per cent of a per cent of a million cents is a hundred
    wagers = {"ante": 500, "five-card-hand-player": 100, "five-card-hand-dealer": 100}
    found = joint_distribution(terms, wagers)
    alone = required_distribution(terms, 500).house_edge * 500
    alone += sum(side_wagers.distribution_of(terms, name, 100).house_edge * 100 for name in wagers if name != "ante")
    assert len(set(runs)) == 40
    assert found.house_edge * found.stake == alone + Fraction(missed, comb(52, 5) * comb(47, 5))


def test_nothing_overflows_at_the_highest_wagers() -> None:
    terms = terms_for("caribbean-stud", {"ante": "-", "bonus": "A"}, {})
    most = 1_000_000_00
    found = joint_distribution(terms, {"ante": most, "bonus": most})
    alone = required_distribution(terms, 100).house_edge + side_wagers.distribution_of(terms, "bonus", 100).house_edge
    assert found.house_edge * 2 == alone
