"""The settlement matrix: every combination of results, folds, side outcomes and limit that a deal can produce.

What each part of a cell must print is written by hand, from the law, in `matrix/*.csv`: `factor` is the contest
or a side wager, `case` its outcome, then the lines with their money as multiples of the stake. A cell is one
case of every factor. The tests find the cells that deals reach, and fail where the file says nothing of one,
where a cell of the product is neither reached nor called unreachable with a reason, or where `settle` differs.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import msgspec
import numpy as np
import pytest
from settlement_matrix import (
    LIMIT,
    METERS,
    RNG,
    Expected,
    Matrix,
    apart,
    as_expected,
    deal,
    joint,
    renamed,
    samples,
    terms_for,
)

from pitboss.cards import DECK, Card, hand
from pitboss.games import FOLD, GAMES, Balances, Hands, Other, Terms, settle
from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.rulebook import rulebook


def test_every_kind_of_hand_has_a_case() -> None:
    for game, factors in {
        "caribbean-stud": {"bonus": "bonus", "progressive": "five-card", "five-card-hand-dealer": "five-card"},
        "four-card-prime": {"prime": "prime", "aces-bonus": "aces-bonus", "all-six": "all-six"},
        "cajun-stud": {
            "contest": "ante-raise", "pocket-bonus": "pocket-bonus", "board-bonus": "board-bonus", "lo-ball": "lo-ball",
            "all-six": "all-six",
        },
    }.items():  # fmt: skip
        for factor, ranking in factors.items():
            kinds = {kind.name for kind in rulebook().ranking(game, ranking).hands}
            assert {case for case in Matrix(game).cases[factor] if not case.startswith("fold")} == kinds


CARIBBEAN_CLAUSES = (
    "639a.7(d)(1)", "639a.7(d)(2)", "639a.7(d)(3)", "639a.7(d)(4)", "639a.11(c)(3)", "639a.11(c)(3)(i)", "639a.11(c)(3)(ii)",
    "639a.11(c)(3)(ii)(A)", "639a.11(c)(3)(ii)(B)", "639a.11(c)(3)(ii)(C)", "639a.11(c)(4)", "639a.11(c)(5)",
    "639a.11(c)(5)(iv)", "639a.11(c)(5)(v)", "639a.11(c)(6)", "639a.11(c)(6)(iii)", "639a.11(b)", "639a.12(a)", "639a.12(b)",
    "639a.12(d)(2)", "639a.12(d)(6)", "639a.12(e)(2)", "639a.12(e)(3)",
    "639a.1:envy-bonus", "639a.1:envy-bonus-qualifying-hand", "639a.1:fold",
    "639a.1:magic-card-bonus", "639a.1:magic-card-bonus(i)", "639a.1:magic-card-bonus(ii)",
    "639a.1:lucky-bonus", "639a.1:lucky-bonus(i)", "639a.1:lucky-bonus(ii)",
    "639a.1:progressive-payout-hand", "639a.1:progressive-payout-hand(i)",
)  # fmt: skip


@pytest.mark.proves(*CARIBBEAN_CLAUSES)
def test_caribbean_stud(tell: Callable[[str], None]) -> None:
    matrix, terms = Matrix("caribbean-stud"), terms_for("caribbean-stud", {"bonus": "A", "progressive": "D"})
    stakes = {
        "ante": 1000, "bet": 2000, "bonus": 500, "progressive": 100, "five-card-hand-player": 300, "five-card-hand-dealer": 700,
    }  # fmt: skip
    based_on = {
        **{f"{bonus}-{place}": f"five-card-hand-{place}" for bonus in ("magic-card", "lucky-bonus") for place in ("player", "dealer")},
        "envy-bonus": "progressive",
    }  # fmt: skip
    wagers = {name: stake for name, stake in stakes.items() if name != "bet"}
    covered = set()
    for key, (player, dealer) in _caribbean_deals(matrix):
        result, kind, bonus, theirs = key
        for fold, magic, lucky, envy in product(
            (False, True), ("", "player", "dealer"), ("", "player", "dealer"), ENVY
        ):
            others = _others(envy, player, dealer)
            if others is None:
                continue
            contest = "fold" if fold else f"win: {_bet_row(kind)}" if result == "win" else result
            cell = {
                "contest": contest,
                "bonus": "fold" if fold else bonus,
                "progressive": "fold" if fold else kind,
                "five-card-hand-player": kind,
                "five-card-hand-dealer": theirs,
                **{f"magic-card-{place}": "yes" if magic == place else "no" for place in ("player", "dealer")},
                **{f"lucky-bonus-{place}": "yes" if lucky == place else "no" for place in ("player", "dealer")},
                "envy-bonus": envy,
            }
            drawn = {"": None, "player": player[0], "dealer": dealer[0]}[magic]
            hands = Hands({"player": player, "dealer": dealer}, others, drawn, (lucky,) if lucky else ())
            # If both hands win from one meter, its balances are given; for other cases see test_settle_readings.
            if kind == theirs == "Royal flush" or {kind, theirs} <= {"Royal flush", "Straight flush"}:
                balances = Balances(METERS, at_reveal=METERS)
            else:
                balances = Balances(METERS)
            lines = settle(terms, hands, wagers, [FOLD if fold else 2], balances)
            assert as_expected(lines) == matrix.lines(cell, stakes, based_on), (cell, hands)
            covered.add(tuple(cell.values()))
    _report(tell, "Caribbean Stud", covered, matrix)


ENVY = ("none", "Royal flush", "Straight flush", "Four-of-a-kind", "Royal flush + Straight flush")
_ROYALS = [hand(" ".join(f"{rank}{suit}" for rank in "AKQJT")) for suit in "cdhs"]
_STRAIGHT_FLUSHES = [
    hand(" ".join(f"{rank}{suit}" for rank in run)) for suit in "cdhs" for run in ("98765", "5432A", "KQJT9")
]
_FOURS = [
    hand(f"{rank}c {rank}d {rank}h {rank}s {kicker}")
    for rank in "23456789TJQKA"
    for kicker in ("2c", "Ks", "9h")
    if kicker[0] != rank
]


def _others(envy: str, player: tuple[Card, ...], dealer: tuple[Card, ...]) -> tuple[Other, ...] | None:
    kinds = {"none": [], "Royal flush": [_ROYALS], "Straight flush": [_STRAIGHT_FLUSHES], "Four-of-a-kind": [_FOURS]}
    for held in product(*kinds.get(envy, [_ROYALS, _STRAIGHT_FLUSHES])):
        if apart(player, dealer, *held):
            return tuple(Other(cards) for cards in held)
    return None


def _bet_row(kind: str) -> str:
    return "A pair or less" if kind in ("Pair", "High card") else kind


def _caribbean_deals(
    matrix: Matrix,
) -> Iterator[tuple[tuple[str, str, str, str], tuple[tuple[Card, ...], tuple[Card, ...]]]]:
    """A deal for each result, kind of player's hand (as ranked and as the Bonus has it) and kind of dealer's."""
    book = rulebook()
    five = samples(book.ranking("caribbean-stud", "five-card"), 5, 60)
    bonus = terms_for("caribbean-stud", {"bonus": "A", "progressive": "A"}).evaluators["bonus"]
    order = terms_for("caribbean-stud", {"bonus": "A", "progressive": "A"}).evaluators["five-card"]
    high = {kind: place for place, kind in enumerate(reversed(list(five)))}
    found: dict[tuple[str, str, str, str], tuple[tuple[Card, ...], tuple[Card, ...]]] = {}
    for (kind, mine), (theirs, dealers) in product(five.items(), five.items()):
        for player in mine:
            for dealer in (*dealers, *(renamed(player) if kind == theirs else ())):
                if apart(player, dealer):
                    qualifies = theirs != "High card" or {"A", "K"} <= {card.rank.letter for card in dealer}
                    compared = (order(player).order > order(dealer).order) - (order(player).order < order(dealer).order)
                    result = ("tie", "win", "lose")[compared] if qualifies else "not-qualified"
                    found.setdefault((result, kind, bonus(player).hand.name, theirs), (player, dealer))
    reached = {(result, kind, theirs) for result, kind, _, theirs in found}
    for kind, theirs in product(five, five):
        for result in ("win", "tie", "lose"):
            possible = (
                result == ("tie" if kind == theirs else "win" if high[kind] > high[theirs] else "lose")
                or kind == theirs
            )
            said = f"{result}: player {kind} against {theirs}" in matrix.unreachable
            assert ((result, kind, theirs) in reached) == (possible and not said), (result, kind, theirs)
    assert {(kind, "not-qualified") for kind in five} == {
        (kind, result) for result, kind, _ in reached if result == "not-qualified"
    }
    yield from found.items()


def _report(tell: Callable[[str], None], game: str, covered: set[Any], matrix: Matrix) -> None:
    """Print how many cells were settled, and assert that every case of the file occurred."""
    met = {(factor, case) for cell in covered for factor, case in zip(matrix.cases, cell, strict=False)}
    unmet = {(factor, case) for factor, cases in matrix.cases.items() for case in cases} - met
    assert not unmet
    tell(f"settlement matrix, {game}: {len(covered)} cells, each as written by hand")


PRIME_CLAUSES = (
    "682a.7(d)(1)", "682a.7(d)(2)", "682a.7(d)(3)", "682a.7(d)(4)", "682a.11(b)", "682a.11(d)(2)", "682a.11(d)(2)(i)", "682a.11(d)(2)(ii)",
    "682a.11(d)(2)(ii)(A)", "682a.11(d)(2)(ii)(B)", "682a.11(e)", "682a.11(e)(1)", "682a.11(e)(1)(i)", "682a.11(e)(1)(ii)",
    "682a.11(e)(2)", "682a.11(e)(2)(i)", "682a.11(e)(2)(ii)", "682a.11(e)(3)(i)", "682a.11(e)(3)(ii)", "682a.12(a)", "682a.12(b)",
    "682a.12(g)", "682a.1:bad-beat-bonus", "682a.1:win-bonus",
)  # fmt: skip


@pytest.mark.proves(*PRIME_CLAUSES)
def test_four_card_prime(tell: Callable[[str], None]) -> None:
    matrix = Matrix("four-card-prime")
    letters = {"ante": "A", "prime": "A", "aces-bonus": "A", "all-six": "E"}
    terms = {limit: terms_for("four-card-prime", letters, limit=limit) for limit in (None, LIMIT)}
    covered, limited = set(), 0
    for (kind, prime, aces, six), result, hands in _prime_deals(terms[None], matrix):
        for fold, (limit, under), scale in product((False, True), terms.items(), (1, 1000)):
            stakes = {
                "ante": 1000,
                "raise": 1000,
                "prime": 200 * scale,
                "aces-bonus": 100 * scale,
                "all-six": 100 * scale,
            }
            cell = {
                "contest": "fold" if fold else f"{result}: {kind}", "prime": prime, "aces-bonus": aces, "all-six": six,
            }  # fmt: skip
            expected = matrix.lines(cell, stakes, {"win-bonus": "ante", "bad-beat-bonus": "ante"})
            if limit and (excess := matrix.excess(cell, expected, limit)):
                expected["payout-limit"] = Expected("limited", 0, 0, -excess, matrix.limit_cite)
                limited += 1
            wagers = {name: stake for name, stake in stakes.items() if name != "raise"}
            lines = settle(under, hands, wagers, [FOLD if fold else 1])
            assert as_expected(lines) == expected, (cell, hands)
            covered.add((*cell.values(), "limited" if "payout-limit" in expected else "paid in full"))
    assert limited
    _report(tell, "Four Card Prime", covered, matrix)


def _prime_deals(terms: Terms, matrix: Matrix) -> Iterator[tuple[tuple[str, ...], str, Hands]]:
    """A deal for each joint outcome of hand, Prime, Aces Bonus and All-Six, and each result against the dealer."""
    looks = [(slice(0, 5), terms.evaluators[name].ranking) for name in ("four-card", "prime", "aces-bonus")]
    looks.append((slice(0, 6), terms.evaluators["all-six"].ranking))
    order = terms.evaluators["four-card"]
    witnesses = joint([5, 1], looks, keep=12)
    for names, deals in witnesses.items():
        kind, _, aces, six = names
        found: dict[str, Hands] = {}
        for row in deals:
            player, card = deal(row[:5]), deal(row[5:])
            for dealer in _dealers(player, card):
                compared = (order(player).order > order(dealer).order) - (order(player).order < order(dealer).order)
                result = ("tie", "win", "lose")[compared]
                found.setdefault(result, Hands({"player": player, "dealer": dealer, "all-six": card}))
            if len(found) == 3:
                break
        for result in ("win", "tie", "lose"):
            said = {
                f"{result}: {kind}", f"{result}: aces-bonus {aces}", f"{result}: {kind} + all-six {six}",
            } & matrix.unreachable  # fmt: skip
            assert (result in found) != bool(said), (names, result, deals)
        yield from ((names, result, hands) for result, hands in found.items())


def _dealers(player: tuple[Card, ...], six: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Six-card hands for the dealer: the player's ranks in other suits with low cards, fours, and others."""
    rest = [card for card in DECK if card not in player and card not in six]
    for cards in renamed(player):
        for size in (4, 5):
            for start in range(6 - size):
                core = cards[start : start + size] if start + size <= 5 else cards[:size]
                if apart(core, player, six):
                    fill = [card for card in rest if card not in core]
                    for begin in range(0, len(fill) - 6, 5):
                        yield (*core, *fill[begin : begin + 6 - size])
    for rank in range(12, -1, -1):
        four = [DECK[rank * 4 + suit] for suit in range(4)]
        if apart(four, player, six):
            yield (*four, *[card for card in rest if card not in four][:2])
    for _ in range(400):
        yield tuple(rest[place] for place in RNG.choice(len(rest), 6, replace=False))


CAJUN_CLAUSES = (
    "683a.7(d)(1)", "683a.7(d)(2)", "683a.7(d)(3)", "683a.7(d)(4)", "683a.7(d)(5)", "683a.11(b)", "683a.11(d)", "683a.11(f)",
    "683a.11(h)(1)", "683a.11(h)(2)", "683a.11(i)", "683a.11(i)(1)", "683a.11(i)(1)(i)", "683a.11(i)(1)(ii)", "683a.11(i)(2)",
    "683a.11(i)(2)(i)", "683a.11(i)(2)(ii)", "683a.11(i)(3)", "683a.11(i)(3)(i)", "683a.11(i)(3)(ii)", "683a.11(i)(4)(i)",
    "683a.11(i)(4)(ii)", "683a.12(f)", "683a.1:fold",
)  # fmt: skip


@pytest.mark.proves(*CAJUN_CLAUSES)
@pytest.mark.parametrize("arrangement", ["four-separate", "community-plus-one"])
def test_cajun_stud(arrangement: str, tell: Callable[[str], None]) -> None:
    matrix = Matrix("cajun-stud")
    letters = {"ante": "B", "pocket-bonus": "A", "board-bonus": "A", "lo-ball": "B", "all-six": "A"}
    terms = {
        limit: terms_for("cajun-stud", letters, limit=limit, cajun_all_six_cards=arrangement) for limit in (None, LIMIT)
    }
    raises = (1, 2, 3)
    covered, limited = set(), 0
    for (base, pocket, board, lo_ball), six, hands in _cajun_deals(terms[None], arrangement):
        for fold, (limit, under), scale in product((0, 1, 2, 3), terms.items(), (1, 100)):
            ante = 1000 * scale
            stakes = {
                "ante": ante, **{f"raise-{number}": ante * number for number in raises},
                "pocket-bonus": 100, "board-bonus": 200, "lo-ball": 300, "all-six": 400,
            }  # fmt: skip
            cell = {
                "contest": f"fold-{fold}" if fold else base,
                "pocket-bonus": pocket, "board-bonus": board, "lo-ball": lo_ball, "all-six": six,
            }  # fmt: skip
            expected = matrix.lines(cell, stakes, {})
            if limit and (excess := matrix.excess(cell, expected, limit)):
                expected["payout-limit"] = Expected("limited", 0, 0, -excess, matrix.limit_cite)
                limited += 1
            wagers = {name: stake for name, stake in stakes.items() if not name.startswith("raise")}
            decisions = (*raises[: fold - 1], FOLD) if fold else raises
            lines = settle(under, hands, wagers, decisions)
            assert as_expected(lines) == expected, (cell, hands)
            covered.add((*cell.values(), "limited" if "payout-limit" in expected else "paid in full"))
    assert limited
    _report(tell, f"Cajun Stud, All-Six {arrangement}", covered, matrix)


def _cajun_deals(terms: Terms, arrangement: str) -> Iterator[tuple[tuple[str, ...], str, Hands]]:
    """A deal for each joint outcome of base hand, Pocket, Board and Lo Ball, and each All-Six hand with it."""
    every = slice(0, 5)
    places = (("ante-raise", every), ("pocket-bonus", slice(0, 2)), ("board-bonus", slice(2, 5)), ("lo-ball", every))
    looks = [(where, terms.evaluators[name].ranking) for name, where in places]
    all_six = terms.evaluators["all-six"].ranking
    separate = arrangement == "four-separate"
    fours = all_hands(4)[RNG.permutation(270_725)[:60_000]]
    royal = [[Card(f"{rank}{suit}").index for rank in ranks] for suit in "cdhs" for ranks in combinations("AKQJT9", 4)]
    fours = np.vstack([fours, np.array(royal, np.uint8)])
    for names, deals in joint([2, 3], looks, keep=24, also=(all_six,)).items():
        found: dict[str, Hands] = {}
        for row in deals:
            extra = fours if separate else np.arange(52, dtype=np.uint8)[:, None]
            extra = extra[~np.isin(extra, row).any(axis=1)]
            mine = row[:2] if separate else row
            rows = np.hstack([np.tile(mine, (len(extra), 1)), extra])
            unique, first = np.unique(evaluate_many(all_six, rows).place, return_index=True)
            for place, index in zip(unique.tolist(), first.tolist(), strict=True):
                cards = {"player": deal(row[:2]), "board": deal(row[2:]), "all-six": deal(extra[index])}
                found.setdefault(all_six.hands[place].name, Hands(cards))
        yield from ((names, six, hands) for six, hands in found.items())


@pytest.mark.proves("639a.11(c)(4)", "639a.11(c)(5)", "639a.11(c)(6)", "682a.11(e)", "683a.11(i)")
@pytest.mark.parametrize(
    ("game", "cards", "decisions", "order"),
    [
        # 639a.11(c)(3) to (6): Ante and Bet, Bonus, Progressive with Envy, then the Five Card Hand.
        ("caribbean-stud", {"player": "Ah Kh 9c 8c 2d", "dealer": "As Kd 9d 7d 3s"}, [2],
         ["ante", "bet", "bonus", "progressive", "envy-bonus", "five-card-hand-dealer", "lucky-bonus-dealer", "five-card-hand-player"]),
        # 682a.11(d)(2)(i) and (e)(1) to (3): Ante and Raise, Win Bonus, Prime, Aces Bonus, All-Six.
        ("four-card-prime", {"player": "9c 9d 9h 8c 2d", "dealer": "As Kd Td 7d 3s 4c", "all-six": "5h"}, [1],
         ["ante", "raise", "win-bonus", "prime", "aces-bonus", "all-six"]),
        # 683a.11(h) and (i)(1) to (4): Ante and Raises, Pocket, Board, Lo Ball, All-Six.
        ("cajun-stud", {"player": "9c 9d", "board": "9h 8c 2d", "all-six": "5h 6h 7h 8h"}, [1, 1, 1],
         ["ante", "raise-1", "raise-2", "raise-3", "pocket-bonus", "board-bonus", "lo-ball", "all-six"]),
    ],
)  # fmt: skip
def test_lines_are_in_the_order_of_settlement(
    game: str, cards: dict[str, str], decisions: list[int], order: list[str]
) -> None:
    offers = {wager.offer for wager in GAMES[game].initial} - (
        {"ante", "five-card-hand"} if game == "caribbean-stud" else set()
    )
    terms = terms_for(game, {**dict.fromkeys(offers, "A"), **({"progressive": "D"} if "progressive" in offers else {})})
    hands = Hands({place: hand(text) for place, text in cards.items()})
    if game == "caribbean-stud":
        hands = msgspec.structs.replace(hands, others=(Other(_ROYALS[0]),), lucky=("dealer",))
    wagers = dict.fromkeys([wager.name for wager in reversed(terms.game.initial)], 100)
    assert [line.wager for line in settle(terms, hands, wagers, decisions, Balances(METERS))] == order
