"""A point strategy for three decisions on a board.

A card has two points if a pair of it wins and one if it pushes. Situations that look alike to a person (pair,
one suit, gaps to a straight, points) form a group. The strategy takes the best decision for each group as a whole.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS
from pitboss.exact import rules_of_thumb, staged
from pitboss.exact.payoffs import STAKE
from pitboss.exact.staged import StagedSolution
from pitboss.exact.strategies import StrategyResult, compare_with_best
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.games import Terms

NOTHING, LOW_PAIR, PUSH_PAIR, WINS = range(4)
HAND_FEATURES: Final = ("no pair", "a pair that loses", "a pair that pushes", "a hand that wins")
STRAIGHTS: Final = ("a straight without a gap", "a straight with one gap", "a straight with two gaps")
FAR: Final = 3
"""The value for "no straight possible"; others are the gaps: 0, 1 or 2."""
Key = tuple[int, ...]


def judge_point_strategy(terms: Terms) -> list[StrategyResult]:
    """Return the results of the best decisions and of the point strategy."""
    solved = staged.solve(terms, STAKE)
    values = _points(terms)
    second, second_rules = _second(solved, values)
    third, third_rules = _third(solved, values)
    found = staged.evaluate_choices(solved.ranking, solved.multiples, solved.pays, (solved.first, second, third), STAKE)
    rules = (
        f"Points: {_ranks(values, 2)} two each, {_ranks(values, 1)} one each.",
        *_first(solved, values),
        "First decision: fold everything else.",
        "Second decision, the first line that fits:",
        *second_rules,
        "Third decision, the first line that fits:",
        *third_rules,
    )
    best = solved.distribution
    return [compare_with_best("best decisions", (), best, best), compare_with_best("in points", rules, found, best)]


def _points(terms: Terms) -> NDArray[np.int64]:
    """Return the points of each rank, from the paytable's result for a pair of it."""
    results, points = rules_of_thumb.pair_results(terms), {rules_of_thumb.WINS: 2, rules_of_thumb.PUSHES: 1}
    return np.array([points.get(results[rank], 0) for rank in RANKS])


def _ranks(values: NDArray[np.int64], points: int) -> str:
    return ", ".join(RANKS[rank] for rank in range(len(RANKS)) if values[rank] == points)


def _features(cards: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for hands in rows: the made hand, whether all cards are of one suit, gaps to a straight, points."""
    rows, size = cards.shape
    ranks = cards // 4
    counts = np.zeros((rows, len(RANKS)), np.int64)
    for column in range(size):
        counts[np.arange(rows), ranks[:, column]] += 1
    pairs = (counts >= 2).sum(axis=1)  # noqa: PLR2004 (a pair)
    best = np.where(counts >= 2, values[None, :] + 1, 0).max(axis=1)  # noqa: PLR2004 (the same)
    made = np.where((counts >= 3).any(axis=1) | (pairs > 1), WINS, best)  # noqa: PLR2004 (three of a kind)
    low = np.where(ranks == len(RANKS) - 1, -1, ranks)
    span = np.minimum(np.ptp(ranks, axis=1), np.ptp(low, axis=1)) + 1
    gaps = np.where((pairs == 0) & (span <= 5), span - size, FAR)  # noqa: PLR2004 (a straight)
    suited = (cards % 4 == cards[:, :1] % 4).all(axis=1)
    return np.stack([made, suited, gaps, values[ranks].sum(axis=1)], axis=1)


class _SituationGroups:
    """Groups of situations that look alike, with the total value of each decision per group."""

    def __init__(self, options: int) -> None:
        self.totals = np.zeros((4, 2, 4, 16, 8, options), np.int64)
        self.there = np.zeros(self.totals.shape[:-1], bool)

    def add(self, seen: NDArray[np.int64], raised: int, worth: NDArray[np.int64]) -> None:
        """Add situations after this total raise, with the value of each decision."""
        np.add.at(self.totals, (*seen.T, raised), worth)
        self.there[(*seen.T, raised)] = True

    def decided(self, seen: NDArray[np.int64], raised: int) -> NDArray[np.uint8]:
        """Return the best decision for the group of each situation; the larger of equal ones."""
        best = self.totals.shape[-1] - 1 - self.totals[..., ::-1].argmax(axis=-1)
        found: NDArray[np.uint8] = best[(*seen.T, raised)].astype(np.uint8)
        return found

    def best_by_group(self) -> dict[Key, int]:
        """Return the best decision of each group."""
        keys = np.argwhere(self.there)
        best = [int(self.decided(key[None, :4], int(key[4]))[0]) for key in keys]
        return {tuple(key): option for key, option in zip(keys.tolist(), best, strict=True)}


def _second(solved: StagedSolution, values: NDArray[np.int64]) -> tuple[NDArray[np.uint8], Sequence[str]]:
    pairs, groups = list_suit_classes(2), _SituationGroups(1 + len(solved.multiples))
    rows, cards = _deal_boards(pairs.cards, 1)
    seen = _features(np.hstack([pairs.cards[rows], cards]).astype(np.int64), values)
    for a, multiple in enumerate(solved.multiples):
        worth = _with_fold(49 * 48 * solved.pays.folds[1][a], solved.worth[1][rows, cards[:, 0], a])
        groups.add(seen, multiple, worth * pairs.weight[rows][:, None])
    choices = np.zeros_like(solved.second)
    for a, multiple in enumerate(solved.multiples):
        choices[rows, cards[:, 0], a] = groups.decided(seen, multiple)
    return choices, list(_describe_decisions(groups.best_by_group(), solved.multiples))


def _third(solved: StagedSolution, values: NDArray[np.int64]) -> tuple[NDArray[np.uint8], Sequence[str]]:
    pairs, groups = list_suit_classes(2), _SituationGroups(1 + len(solved.multiples))
    rows, cards = _deal_boards(pairs.cards, 2)
    finals = staged.final_hand_counts(solved.ranking)[rows, cards[:, 0], cards[:, 1]].astype(np.int64)
    seen = _features(np.hstack([pairs.cards[rows], cards]).astype(np.int64), values)
    raises = list(product(enumerate(solved.multiples), repeat=2))
    for (a, one), (b, two) in raises:
        worth = _with_fold(48 * solved.pays.folds[2][a, b], finals @ solved.pays.hands[a, b].T)
        groups.add(seen, one + two, worth * pairs.weight[rows][:, None])
    choices = np.zeros_like(solved.third)
    for (a, one), (b, two) in raises:
        choices[rows, cards[:, 0], cards[:, 1], a, b] = groups.decided(seen, one + two)
    return choices, list(_describe_decisions(groups.best_by_group(), solved.multiples))


def _with_fold(fold: int, raises: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.hstack([np.full((len(raises), 1), fold), raises])


def _deal_boards(pairs: NDArray[np.uint8], size: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return every class of player cards with every ordered set of `size` board cards."""
    boards = np.array(np.meshgrid(*[np.arange(52)] * size, indexing="ij")).reshape(size, -1).T.astype(np.uint8)
    if size > 1:
        boards = boards[boards[:, 0] != boards[:, 1]]
    rows, place = np.repeat(np.arange(len(pairs)), len(boards)), np.tile(np.arange(len(boards)), len(pairs))
    cards = boards[place]
    free = ~(cards[:, :, None] == pairs[rows][:, None, :]).any(axis=(1, 2))
    return rows[free], cards[free]


def _first(solved: StagedSolution, values: NDArray[np.int64]) -> Iterator[str]:
    """Yield sentences for the first decision: the minimum of points for each raise, and exceptions."""
    pairs = list_suit_classes(2).cards
    points = values[pairs // 4].sum(axis=1)
    above = np.zeros(len(pairs), bool)
    for option, multiple in reversed(list(enumerate(solved.multiples, 1))):
        raised = solved.first >= option
        if (raised & ~above).any():
            least = min(range(1, 6), key=lambda least: ((points >= least) != raised)[~above].sum())
            enough = points >= least
            by_points = f"{_count(least)} or more" if (raised & ~above & enough).any() else ""
            but = _names(pairs[~raised & enough]) if by_points else ""
            besides = ", and ".join(filter(None, [by_points, _names(pairs[raised & ~above & ~enough])]))
            yield f"First decision: raise {multiple} × with {besides}{f', but not {but}' if but else ''}."
        above |= raised


def _names(pairs: NDArray[np.uint8]) -> str:
    return " ".join(sorted((_name(cards) for cards in pairs.tolist()), key=_strength, reverse=True))


def _name(cards: Sequence[int]) -> str:
    low, high = sorted(cards)
    suffix = "" if low // 4 == high // 4 else "s" if low % 4 == high % 4 else "o"
    return f"{RANKS[high // 4]}{RANKS[low // 4]}{suffix}"


def _strength(name: str) -> tuple[int, int, str]:
    return RANKS.index(name[0]), RANKS.index(name[1]), name[2:]


def _describe_decisions(groups: dict[Key, int], multiples: tuple[int, ...]) -> Iterator[str]:
    """Yield sentences for each family of situations by points, merged if earlier raises do not matter."""
    families = sorted({key[:3] for key in groups}, key=lambda family: (-family[0], -family[1], family[2]))
    for family in families:
        said: dict[str, list[int]] = {}
        for before in sorted({key[4] for key in groups}):
            points = {key[3]: option for key, option in groups.items() if key[:3] == family and key[4] == before}
            if points:
                said.setdefault(_by_points(points, multiples), []).append(before)
        for words, raised in said.items():
            after = "" if len(said) == 1 else f", {' or '.join(map(str, raised))} × raised before"
            yield f"  {_family(family)}{after}: {words}"


def _by_points(points: dict[int, int], multiples: tuple[int, ...]) -> str:
    runs = [(option, [key for key, _ in run]) for option, run in groupby(sorted(points.items()), lambda item: item[1])]
    if len(runs) == 1:
        return f"{_decision(runs[0][0], multiples)}."
    parts = [f"{_decision(option, multiples)} from {_count(keys[0])} on" for option, keys in reversed(runs[1:])]
    return f"{', '.join(parts)}, else {_decision(runs[0][0], multiples)}."


def _count(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _family(family: Key) -> str:
    made, suited, gaps = family
    words = [HAND_FEATURES[made]] if made else []
    words += ["all of one suit"] if suited else []
    words += [STRAIGHTS[gaps]] if gaps < FAR else []
    return ", ".join(words) or "anything else"


def _decision(option: int, multiples: tuple[int, ...]) -> str:
    return f"raise {multiples[option - 1]} ×" if option else "fold"
