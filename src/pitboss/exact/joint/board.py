"""Joint results in games with two player cards and a board that is revealed in stages."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.exact import staged
from pitboss.exact.distribution import Distribution
from pitboss.exact.extra_card_counts import count_six_card_hands
from pitboss.exact.joint.result_tally import ResultTally, joint_net_by_hand, sum_over_threads
from pitboss.exact.payoffs import table_wager
from pitboss.exact.suit_classes import SUITS, list_suit_classes
from pitboss.games import Terms
from pitboss.ranking import Ranking
from pitboss.ranking.batch import KEYS, Cards, compile_ranking, evaluate_many
from pitboss.ranking.symmetry import Renaming, distinct_renamings


def play_boards(terms: Terms, made: Mapping[str, int], done: Callable[[], object]) -> Distribution:
    """Play one pair of each class on every ordered board."""
    stake = made[terms.game.required]
    solved, pairs = staged.solve(terms, stake), list_suit_classes(2)
    extra = {name: amount for name, amount in made.items() if name != terms.game.required}
    known = [(name, *table_wager(terms, name)) for name in extra]
    shared = [(name, ranking, by.places) for name, ranking, by in known if set(by.places) <= {"player", "board"}]
    apart = [(name, ranking, by.places) for name, ranking, by in known if not set(by.places) <= {"player", "board"}]
    if len(apart) > 1:
        raise Mistake(
            f"{' and '.join(name for name, *_ in apart)} cannot be calculated together with the other wagers."
        )
    ways = distinct_renamings([ranking for _, ranking, _ in known])
    initial, threes = sum(made.values()), all_boards()

    def with_pair(row: int) -> ResultTally:
        cards, weight, found = pairs.cards[row], int(pairs.weight[row]), ResultTally()
        rest = np.array([card for card in range(len(DECK)) if card not in cards], np.uint8)
        board = rest[threes]
        dealt = np.hstack([np.tile(cards, (len(board), 1)), board])
        besides = np.zeros(len(board), np.int64)
        for name, ranking, places in shared:
            columns = [c for place in places for c in ((0, 1) if place == "player" else (2, 3, 4))]
            hands = np.ascontiguousarray(dealt[:, columns])
            besides += joint_net_by_hand(terms, name, extra[name], ranking)[evaluate_many(ranking, hands).place]
        final = evaluate_many(solved.ranking, dealt).place
        more, deals = [0], np.full((len(board), 1), len(ways))
        if apart:
            name, ranking, places = apart[0]
            nets = joint_net_by_hand(terms, name, extra[name], ranking)
            more, deals = _extra_card_nets(ranking, nets, cards, rest, ways, with_board="board" in places)
        for order in permutations(range(3)):
            one, two = board[:, order[0]], board[:, order[1]]
            _play_class(found, solved, row, (one, two, final), besides, _ExtraCards(initial, more, weight * deals))
        return found

    return sum_over_threads(with_pair, len(pairs.weight), done).distribution(initial, len(ways))


def _extra_card_nets(  # noqa: PLR0913 (one wager and its extra cards)
    ranking: Ranking,
    nets: NDArray[np.int64],
    pair: Cards,
    rest: Cards,
    ways: Sequence[Renaming],
    *,
    with_board: bool,
) -> tuple[list[int], NDArray[np.int64]]:
    """Return the nets of a wager, and by board the deals of its extra cards for each; summed over renamings."""
    values, place = np.unique(nets, return_inverse=True)
    counts = np.zeros((len(all_boards()), len(values)), np.int64)
    for way in ways:
        names = np.array(way, np.uint8)
        mine, others = (cards - cards % SUITS + names[cards % SUITS] for cards in (pair, rest))
        tables = place.ravel(), len(ranking.hands), compile_ranking(ranking, 6)
        counts += count_six_card_hands(mine, others, KEYS, *tables, all_boards(), with_board)
    return values.tolist(), counts


@cache
def all_boards() -> NDArray[np.int64]:
    """Return every set of three of the fifty unseen cards, as indices."""
    return np.array(list(combinations(range(50), 3)))


class _ExtraCards(NamedTuple):
    """The initial wagers; and for one wager's extra cards its nets and how often each occurs."""

    initial: int
    nets: list[int]
    deals: NDArray[np.int64]


def _play_class(  # noqa: PLR0913, PLR0917 (one pair, its boards and their nets)
    found: ResultTally,
    solved: staged.StagedSolution,
    row: int,
    board: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]],
    besides: NDArray[np.int64],
    drawn: _ExtraCards,
) -> None:
    """Add all boards of one class of player cards, revealed in one order, each with its weight."""
    (one, two, final), (initial, nets, deals) = board, drawn
    stake, multiples = solved.distribution.stake, solved.multiples
    fold, second_fold, third_fold = solved.pays.folds
    first = int(solved.first[row])
    if not first:
        found.add(fold + besides, initial, deals, nets)
        return
    a = first - 1
    second = solved.second[row, one, a].astype(np.int64)
    gone = second == 0
    found.add(second_fold[a] + besides[gone], initial + stake * multiples[a], deals[gone], nets)
    for b in range(len(multiples)):
        third = np.where(second == b + 1, solved.third[row, one, two, a, b].astype(np.int64), -1)
        for choice in range(len(multiples) + 1):
            here = third == choice
            raised = multiples[a] + multiples[b] + (multiples[choice - 1] if choice else 0)
            pays = (
                solved.pays.hands[a, b, choice - 1][final[here]]
                if choice
                else np.full(int(here.sum()), third_fold[a, b])
            )
            found.add(pays + besides[here], initial + stake * raised, deals[here], nets)
