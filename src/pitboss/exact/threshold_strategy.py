"""Simple strategies for a duel, each with its exact cost compared with the best decisions."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS, hand
from pitboss.exact import duel
from pitboss.exact.duel import Choices, Duel, DuelSolution
from pitboss.exact.payoffs import STAKE
from pitboss.exact.strategies import StrategyResult, compare_with_best
from pitboss.games import Terms
from pitboss.ranking import Ranking, evaluator
from pitboss.ranking.match import TIEBREAK_BITS

ACE, KING, QUEEN, JACK = (RANKS.index(letter) for letter in "AKQJ")


def judge_threshold_strategies(terms: Terms) -> list[StrategyResult]:
    """Return the results of the best decisions, the best thresholds, and known strategies."""
    solved = duel.solve(terms, STAKE)
    found = [_judge(solved, terms, "best decisions", (), solved.choices)]
    found.append(_thresholds(solved, terms))
    found += [
        _judge(solved, terms, name, (rule,), choose(solved))
        for name, (rule, choose) in PUBLISHED_STRATEGIES.get(terms.game.name, {}).items()
    ]
    return found


def _judge(solved: DuelSolution, terms: Terms, name: str, rules: Sequence[str], choices: Choices) -> StrategyResult:
    return compare_with_best(name, tuple(rules), duel.evaluate_choices(solved, terms, choices), solved.distribution)


def _thresholds(solved: DuelSolution, terms: Terms) -> StrategyResult:
    """Find the best strategy that uses only the player's hand and never raises less with a better one."""
    found = solved.duel
    orders, first = np.unique(found.player.order, return_index=True)
    ends = found.counts.sum(axis=1, dtype=np.int64) * found.player.weight[:, None]
    worth = np.stack([(ends * pay[found.place]).sum(axis=1) for pay in solved.payoffs])
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


def _raise_from(cards: str) -> Callable[[DuelSolution], Choices]:
    """Return a strategy: raise with these cards or better, ignoring the up-card."""

    def choose(solved: DuelSolution) -> Choices:
        least = evaluator(solved.duel.ranking)(hand(cards)).order
        raises = solved.duel.player.order >= least
        return np.repeat(raises[:, None], solved.duel.counts.shape[1], axis=1).astype(np.uint8)

    return choose


def _three_rules(solved: DuelSolution) -> Choices:
    found: Duel = solved.duel
    pair, ace_king = (evaluator(found.ranking)(hand(cards)).order for cards in ("2c 2d 3c 4c 5d", "Ac Kd 4c 3c 2d"))
    ranks = found.player.cards[:, ::-1].astype(np.int64) // 4
    up = np.arange(52)[None, :] // 4
    mine = (ranks[:, :, None] == up[:, None, :]).any(axis=1)
    queen, jack = ((ranks == rank).any(axis=1)[:, None] for rank in (QUEEN, JACK))
    with_ace_king = (
        (mine & (up <= QUEEN)) | ((up >= KING) & (queen | jack)) | (~mine & queen & (up < ranks[:, 3][:, None]))
    )
    order: NDArray[np.int64] = found.player.order[:, None]
    return np.ascontiguousarray(((order >= pair) | ((order >= ace_king) & with_ace_king)).astype(np.uint8))


PUBLISHED_STRATEGIES: Final[dict[str, dict[str, tuple[str, Callable[[DuelSolution], Choices]]]]] = {
    "caribbean-stud": {
        "three rules": (
            (
                "Raise a pair or better, fold below ace-king. With ace-king raise if the up-card is a 2 to a queen and "
                "matches one of yours; or if it is an ace or king and you hold a queen or jack; or if it matches none "
                "of yours, you hold a queen and it is lower than your fourth-highest card."
            ),
            _three_rules,
        ),
        "A-K-J-8-3": ("Raise with A-K-J-8-3 or better.", _raise_from("Ac Kd Jc 8c 3d")),
        "pair": ("Raise with a pair or better.", _raise_from("2c 2d 3c 4c 5d")),
        "ace-king": ("Raise with any ace-king or better.", _raise_from("Ac Kd 4c 3c 2d")),
        "blind": ("Raise always.", _raise_from("7c 5d 4c 3c 2d")),
    }
}
"""Known strategies by game: the rule in words, and as decisions."""
