"""Charts of the best decisions, by cards."""

from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS, hand
from pitboss.exact import duel, staged
from pitboss.exact.payoffs import STAKE
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.games import Terms
from pitboss.ranking import evaluator
from pitboss.ranking.match import TIEBREAK_BITS

RANKS_DESCENDING: tuple[str, ...] = tuple(reversed(RANKS))


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A grid of decisions: the average raise as a multiple of the Ante; None for cells without deals."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_name: str
    column_name: str
    cells: tuple[tuple[Fraction | None, ...], ...]


def make_chart(terms: Terms) -> Chart:
    """Return the chart of a game's most instructive decision."""
    if not terms.game.contest:
        return _first_two(terms)
    solved = duel.solve(terms, STAKE)
    return _ace_king(solved) if solved.duel.has_up_card else _pairs(solved)


def _first_two(terms: Terms) -> Chart:
    """Return the first decision for every two cards; suited pairs are above the diagonal."""
    solved = staged.solve(terms, STAKE)
    cells: list[list[Fraction | None]] = [[None] * len(RANKS) for _ in RANKS]
    for cards, option in zip(list_suit_classes(2).cards.tolist(), solved.first.tolist(), strict=True):
        low, high = sorted(card // 4 for card in cards)
        suited = cards[0] % 4 == cards[1] % 4
        row, column = (high, low) if suited else (low, high)
        multiple = solved.multiples[option - 1] if option else 0
        cells[len(RANKS) - 1 - row][len(RANKS) - 1 - column] = Fraction(multiple)
    return Chart(
        title="First decision, by the player's two cards; suited above the diagonal",
        rows=RANKS_DESCENDING,
        columns=RANKS_DESCENDING,
        row_name="",
        column_name="",
        cells=tuple(map(tuple, cells)),
    )


def _ace_king(solved: duel.DuelSolution) -> Chart:
    """Return the decision with ace-king, by the third card and the up-card."""
    found = solved.duel
    least, pair = (evaluator(found.ranking)(hand(cards)).order for cards in ("Ac Kd 4c 3c 2d", "2c 2d 3c 4c 5d"))
    rows = np.flatnonzero((found.player.order >= least) & (found.player.order < pair))
    third = (found.player.order[rows] >> (TIEBREAK_BITS - 12) & 15) - 1
    dealt = found.counts[rows].sum(axis=2, dtype=np.int64) * found.player.weight[rows][:, None]
    raised = dealt * np.array(solved.options)[solved.choices[rows]]
    up = np.tile(np.arange(52) // 4, (len(rows), 1))
    return Chart(
        title="With ace-king high, by the third card and the dealer's up-card",
        rows=RANKS_DESCENDING[2:11],
        columns=tuple(RANKS),
        row_name="third card",
        column_name="up-card",
        cells=_cells(np.repeat(third[:, None], 52, axis=1), up, raised, dealt, range(10, 1, -1), range(13)),
    )


def _pairs(solved: duel.DuelSolution) -> Chart:
    """Return the decision with a pair, by its rank and the highest card beside it."""
    found = solved.duel
    name = next(place for place, one in enumerate(found.ranking.hands) if one.same_rank == (2,))
    rows = np.flatnonzero(found.hand_index == name)
    order, weight = found.player.order[rows], found.player.weight[rows]
    rank, beside = ((order >> (TIEBREAK_BITS - shift) & 15) - 1 for shift in (4, 8))
    raised = weight * np.array(solved.options)[solved.choices[rows, 0]]
    return Chart(
        title="With a pair, by its rank and the highest card beside it",
        rows=RANKS_DESCENDING,
        columns=tuple(RANKS),
        row_name="pair of",
        column_name="highest card beside it",
        cells=_cells(rank, beside, raised, weight, range(12, -1, -1), range(13)),
    )


def _cells(  # noqa: PLR0913, PLR0917 (two axes and the values)
    row: NDArray[np.int64],
    column: NDArray[np.int64],
    raised: NDArray[np.int64],
    dealt: NDArray[np.int64],
    rows: range,
    columns: range,
) -> tuple[tuple[Fraction | None, ...], ...]:
    def cell(r: int, c: int) -> Fraction | None:
        here = (row == r) & (column == c)
        deals = int(dealt[here].sum())
        return Fraction(int(raised[here].sum()), deals) if deals else None

    return tuple(tuple(cell(r, c) for c in columns) for r in rows)
