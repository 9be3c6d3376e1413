"""Recount a game on a board: three decisions with every two player cards."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.payoffs import STAKE, lay_out_cards
from pitboss.exact.recount.sums import Sums
from pitboss.games import FOLD, Terms, settle


def recount_board(tables: Sequence[Terms]) -> list[Sums]:
    """Play three decisions with every two player cards, without using symmetry; for several paytables."""
    by = tables[0].game.wager(tables[0].game.required).by
    evaluate = tables[0].evaluators[tables[0].rankings[by.paytable]]
    names = [hand.name for hand in evaluate.ranking.hands]
    place = np.empty(comb(52, 5), np.uint8)
    example: dict[str, tuple[Card, ...]] = {}
    for number, held in enumerate(combinations(DECK, 5)):
        place[number] = names.index(name := evaluate(held).hand.name)
        example.setdefault(name, held)
    pays = [_board_pays(terms, [example[name] for name in names]) for terms in tables]
    sums = [Sums() for _ in tables]
    threes = np.array(list(combinations(range(50), 3)))
    for pair in combinations(range(52), 2):
        rest = np.array([card for card in range(52) if card not in pair])
        hands = np.sort(np.hstack([np.tile(pair, (len(threes), 1)), rest[threes]]), axis=1)
        found = place[_numbers(hands)]
        counts = np.zeros((50, 50, len(names)), np.int64)
        for one, two in ((0, 1), (0, 2), (1, 2)):
            np.add.at(counts, (threes[:, one], threes[:, two], found), 1)
        counts += counts.transpose(1, 0, 2)
        for terms, total, pay in zip(tables, sums, pays, strict=True):
            total.add(
                Sums(50 * 49 * 48, *_board_values(counts, pay, larger=terms.readings["ev-ties"] == "larger-wager"))
            )
    return sums


def _numbers(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of ascending hands among all, in the order of `combinations`."""
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(53)])
    after = sum(choose[51 - hands[:, column], 5 - column] for column in range(5))
    return np.asarray(choose[52, 5] - 1 - after)


def _board_pays(terms: Terms, hands: Sequence[Sequence[Card]]) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Return, from `settle`, the pay of each hand after every sequence of decisions, including folds."""
    wagers, found = {terms.game.required: STAKE}, {}
    multiples = terms.game.decisions[0].multiples
    rows = [(FOLD,), *((a, FOLD) for a in multiples), *((a, b, FOLD) for a in multiples for b in multiples)]
    rows += [(a, b, c) for a in multiples for b in multiples for c in multiples]
    for row in rows:
        dealt = [lay_out_cards(terms, ("player", "board"), hand) for hand in hands]
        found[row] = np.array([sum(line.net for line in settle(terms, hand, wagers, row)) for hand in dealt])
    return found


def _board_values(
    counts: NDArray[np.int64], pays: Mapping[tuple[int, ...], NDArray[np.int64]], *, larger: bool
) -> tuple[int, int]:
    """Return the sums of the best decisions with two cards and of their wagers; `larger` decides between equal ones."""
    beats = np.greater_equal if larger else np.greater
    multiples = sorted({row[0] for row in pays} - {FOLD})
    apart = ~np.eye(50, dtype=bool)
    firsts = [(int(pays[FOLD,][0]) * 50 * 49 * 48, STAKE * 50 * 49 * 48)]
    for a in multiples:
        seconds = [(np.full(50, pays[a, FOLD][0] * 49 * 48), np.full(50, STAKE * (1 + a) * 49 * 48))]
        for b in multiples:
            worth = np.full((50, 50), pays[a, b, FOLD][0] * 48)
            wagered = np.full((50, 50), STAKE * (1 + a + b) * 48)
            for c in multiples:
                total = counts @ pays[a, b, c]
                better = beats(total, worth)
                worth, wagered = np.where(better, total, worth), np.where(better, STAKE * (1 + a + b + c) * 48, wagered)
            seconds.append(((worth * apart).sum(axis=1), (wagered * apart).sum(axis=1)))
        net, staked = seconds[0]
        for more, stake in seconds[1:]:
            better = beats(more, net)
            net, staked = np.where(better, more, net), np.where(better, stake, staked)
        firsts.append((int(net.sum()), int(staked.sum())))
    return max(reversed(firsts) if larger else firsts, key=lambda option: option[0])
