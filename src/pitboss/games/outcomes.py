"""Every combination of outcomes that wagers on one deal can have together, each with a deal that shows it.

Exhaustive, not sampled: all deals to the places these wagers look at, up to a renaming of suits that no
ranking among them could notice. Needs numpy and numba.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Suit
from pitboss.errors import Mistake
from pitboss.games.declare import ByTable
from pitboss.games.entry import Hands
from pitboss.games.terms import Terms
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, all_hands, evaluate_many

_CHUNK: Final = 50_000
_MOST_DEALS: Final = 10**9


def joint_outcomes(terms: Terms, wagers: Sequence[str]) -> dict[tuple[str, ...], Hands]:
    """Return a deal for every combination of hands that these wagers, settled by table, can come to."""
    looks = [_look(terms, wager) for wager in wagers]
    sizes = {place.name: place.cards for place in terms.game.places}
    places = [name for name in sizes if any(name in where for where, _ in looks)]
    found: dict[tuple[str, ...], Hands] = {}
    for deals in _deals([sizes[name] for name in places], [ranking for _, ranking in looks]):
        columns = _columns(places, sizes)
        keys = np.zeros(len(deals), np.int64)
        for where, ranking in looks:
            cards = np.ascontiguousarray(deals[:, [column for place in where for column in columns[place]]])
            keys = keys * len(ranking.hands) + evaluate_many(ranking, cards).place
        unique, first = np.unique(keys, return_index=True)
        for key, row in zip(unique.tolist(), first.tolist(), strict=True):
            names = _names(key, [ranking for _, ranking in looks])
            if names not in found:
                found[names] = Hands(
                    {place: tuple(DECK[deals[row, column]] for column in columns[place]) for place in places}
                )
    return found


def _look(terms: Terms, wager: str) -> tuple[tuple[str, ...], Ranking]:
    """Return the places a wager looks at and the ranking it goes by."""
    by = terms.game.wager(wager).by
    if not isinstance(by, ByTable):
        raise Mistake(f"{wager} is not settled by a paytable alone.")
    return by.places, terms.evaluators[terms.rankings[by.paytable]].ranking


def _columns(places: Sequence[str], sizes: Mapping[str, int]) -> dict[str, range]:
    columns, start = {}, 0
    for place in places:
        columns[place] = range(start, start + sizes[place])
        start += sizes[place]
    return columns


def _names(key: int, rankings: Sequence[Ranking]) -> tuple[str, ...]:
    names = []
    for ranking in reversed(rankings):
        key, place = divmod(key, len(ranking.hands))
        names.append(ranking.hands[place].name)
    return tuple(reversed(names))


def _deals(sizes: Sequence[int], rankings: Sequence[Ranking]) -> Iterator[Cards]:
    """Yield every deal of so many cards to each place; the first place's up to renaming suits."""
    first = _up_to_suits(all_hands(sizes[0]), _renamings(rankings))
    rest = [all_hands(size) for size in sizes[1:]]
    if len(first) * np.prod([float(len(hands)) for hands in rest]) > _MOST_DEALS:
        raise Mistake("These wagers look at too many cards together to list every deal.")
    for start in range(0, len(first), _CHUNK):
        yield from _extended(first[start : start + _CHUNK], rest)


def _extended(deals: Cards, rest: Sequence[Cards]) -> Iterator[Cards]:
    """Add the cards of the other places, leaving out deals in which a card is there twice."""
    if not rest:
        yield deals
        return
    for start in range(0, len(deals), max(1, 4_000_000 // len(rest[0]))):
        part = deals[start : start + max(1, 4_000_000 // len(rest[0]))]
        wide = np.hstack([np.repeat(part, len(rest[0]), axis=0), np.tile(rest[0], (len(part), 1))])
        old, new = wide[:, : part.shape[1]], wide[:, part.shape[1] :]
        clash = (old[:, :, None] == new[:, None, :]).any(axis=(1, 2))
        yield from _extended(wide[~clash], rest[1:])


def _renamings(rankings: Sequence[Ranking]) -> list[tuple[Suit, ...]]:
    """Return the permutations of suits that none of these rankings can tell apart."""
    named = {hand.suit for ranking in rankings for hand in ranking.hands}
    fixed = [suit for suit in Suit if suit.letter in named]
    colors = any(hand.same_color for ranking in rankings for hand in ranking.hands)
    return [
        order
        for order in permutations(Suit)
        if all(order[suit] == suit for suit in fixed)
        and not (colors and order[Suit.HEARTS].color is not order[Suit.DIAMONDS].color)
    ]


def _up_to_suits(hands: Cards, renamings: Sequence[Sequence[Suit]]) -> Cards:
    """Return one hand of each class under these renamings."""
    suits, bits = hands % len(Suit), np.int64(1) << (hands // len(Suit)).astype(np.int64)
    masks = [np.where(suits == suit, bits, 0).sum(axis=1) for suit in Suit]
    lowest: NDArray[np.int64] | None = None
    for order in renamings:
        key = sum(
            (masks[suit] << np.int64(13 * place) for place, suit in enumerate(order)), np.zeros(len(hands), np.int64)
        )
        lowest = key if lowest is None else np.minimum(lowest, key)
    assert lowest is not None
    _, first = np.unique(lowest, return_index=True)
    return hands[first]
