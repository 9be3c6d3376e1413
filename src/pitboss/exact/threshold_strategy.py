"""Simple strategies for a duel, each with its exact cost compared with the best decisions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS, hand
from pitboss.exact import duel
from pitboss.exact.duel import Choices, DuelCounts, DuelSolution
from pitboss.exact.payoffs import STAKE
from pitboss.exact.rules_of_thumb import RuleOfThumbLine, Strategy, strategies
from pitboss.exact.strategies import StrategyResult, compare_with_best
from pitboss.games import Terms
from pitboss.ranking import Ranking, evaluator
from pitboss.ranking.match import TIEBREAK_BITS


def judge_threshold_strategies(terms: Terms) -> list[StrategyResult]:
    """Return the results of the best decisions, the best thresholds, and known strategies."""
    solved = duel.solve(terms, STAKE)
    found = [_judge(solved, terms, "best decisions", (), solved.choices)]
    found.append(_thresholds(solved, terms))
    known = [one for one in reversed(strategies().get(terms.game.name, ())) if one.rule]
    found += [_judge(solved, terms, one.name, (one.rule,), choices_by_rule(solved, one)) for one in known]
    return found


def _judge(solved: DuelSolution, terms: Terms, name: str, rules: Sequence[str], choices: Choices) -> StrategyResult:
    return compare_with_best(name, tuple(rules), duel.evaluate_choices(solved, terms, choices), solved.distribution)


def _thresholds(solved: DuelSolution, terms: Terms) -> StrategyResult:
    """Find the best strategy that uses only the player's hand and never raises less with a better one."""
    found = solved.duel
    orders, first = np.unique(found.player.order, return_index=True)
    ends = found.counts.sum(axis=1, dtype=np.int64) * found.player.weight[:, None]
    worth = np.stack([(ends * pay[found.hand_index]).sum(axis=1) for pay in solved.nets])
    by_order = np.add.reduceat(worth, first, axis=1).T.tolist()
    most = [0] * len(solved.options)
    came: list[list[int]] = []
    for values in by_order:
        step = []
        for option, value in enumerate(values):
            before = max(range(option + 1), key=lambda place: (most[place], place))
            step.append((most[before] + int(value), before))
        most = [total for total, _ in step]
        came.append([before for _, before in step])
    option = max(range(len(most)), key=lambda place: (most[place], place))
    choice: list[int] = []
    for step_before in reversed(came):
        choice.append(option)
        option = step_before[option]
    choice.reverse()
    picked = np.array(choice, np.uint8)[np.searchsorted(orders, found.player.order)]
    rules = []
    for place in range(1, len(solved.options)):
        if place in choice:
            least = int(orders[choice.index(place)])
            rules.append(f"Raise {solved.options[place]} × with {name_in_ranks(found.ranking, least)} or better.")
    choices = np.repeat(picked[:, None], found.counts.shape[1], axis=1)
    return _judge(solved, terms, "by the hand alone", rules, np.ascontiguousarray(choices))


def name_in_ranks(ranking: Ranking, order: int) -> str:
    """Return the name of a hand with the ranks that break ties."""
    name = ranking.hands[len(ranking.hands) - (order >> TIEBREAK_BITS)].name
    digits = [order >> shift & 15 for shift in range(TIEBREAK_BITS - 4, -1, -4)]
    ranks = "-".join(RANKS[digit - 1] for digit in digits if digit)
    return f"{name[0].lower()}{name[1:]} {ranks}".strip()


def choices_by_rule(solved: DuelSolution, strategy: Strategy) -> Choices:
    """Return the decisions of a rule of thumb for every hand and up-card."""
    choices = np.zeros(solved.duel.counts.shape[:2], np.uint8)
    for line in reversed(strategy.lines):
        choices[_fitting(line, solved.duel)] = solved.options.index(line.multiple)
    return choices


def _fitting(line: RuleOfThumbLine, found: DuelCounts) -> NDArray[np.bool_]:
    """Return the hands and up-cards that fit a line."""
    evaluate, order = evaluator(found.ranking), found.player.order[:, None]
    ranks = found.player.cards[:, ::-1].astype(np.int64) // 4  # from the highest
    up = np.arange(found.counts.shape[1])[None, :] // 4
    fits = np.ones(found.counts.shape[:2], bool)
    if line.least:
        fits &= order >= evaluate(hand(line.least)).order
    if line.below:
        fits &= order < evaluate(hand(line.below)).order
    if line.up:
        fits &= np.isin(up, _ranks(line.up))
    if line.matches is not None:
        fits &= (ranks[:, :, None] == up[:, None, :]).any(axis=1) == line.matches
    if line.holds:
        fits &= np.isin(ranks, _ranks(line.holds)).any(axis=1, keepdims=True)
    if line.up_below:
        fits &= up < ranks[:, line.up_below - 1][:, None]
    return fits


def _ranks(letters: str) -> list[int]:
    return [RANKS.index(letter) for letter in letters]
