"""All combinations of outcomes that wagers on one deal can have together, each with an example deal.

Exhaustive, not sampled: it lists all deals to the places that these wagers use, once for each class of suits
that the rankings cannot tell apart. Needs numpy and numba.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Suit
from pitboss.errors import Mistake
from pitboss.games.declarations import ByTable
from pitboss.games.settlement_inputs import Hands
from pitboss.games.terms import Terms
from pitboss.ranking import Ranking
from pitboss.ranking.batch import Cards, all_hands, evaluate_many
from pitboss.ranking.symmetry import equivalent_renamings

Outcome = tuple[str, ...]
"""The hand of each of several wagers."""
RankedPlaces = tuple[tuple[str, ...], Ranking]
"""The places that a wager uses, and its ranking."""

_CHUNK: Final = 50_000
_MOST_DEALS: Final = 10**9


def joint_outcomes(terms: Terms, wagers: Sequence[str]) -> Mapping[Outcome, Hands]:
    """Return an example deal for every possible combination of these wagers' hands."""
    looks = tuple(_ranked_places(terms, wager) for wager in wagers)
    return _joint_outcomes(looks, tuple(_columns(terms, looks).items()))


@lru_cache(maxsize=16)  # independent of the paytables
def _joint_outcomes(looks: tuple[RankedPlaces, ...], places: tuple[tuple[str, range], ...]) -> Mapping[Outcome, Hands]:
    columns = dict(places)
    examples: dict[Outcome, Hands] = {}
    for deals in _deals([len(held) for held in columns.values()], [ranking for _, ranking in looks]):
        unique, first = np.unique(_keys(deals, looks, columns), return_index=True)
        for key, row in zip(unique.tolist(), first.tolist(), strict=True):
            names = _names(key, looks)
            if names not in examples:
                cards = {place: tuple(DECK[deals[row, column]] for column in held) for place, held in columns.items()}
                examples[names] = Hands(cards)
    return MappingProxyType(examples)


def highest_total(terms: Terms, wagers: Sequence[str], worth: Mapping[Outcome, int], boxes: int) -> int:
    """Return the maximum total worth of several boxes dealt from one deck.

    For every deal to the shared places, a depth-first search finds the best disjoint hands. It stops a branch
    where even the best remaining hand in every open box would not beat the best total.
    """
    looks = [_ranked_places(terms, wager) for wager in wagers]
    columns = _columns(terms, looks)
    player, *shared = columns.values()
    if next(iter(columns)) != "player" or len(shared) > 1:
        raise Mistake("Boxes can be compared only if each has its own hand and shares at most one place.")
    rankings = [ranking for _, ranking in looks]
    lookup = np.zeros(prod(len(ranking.hands) for ranking in rankings), np.int64)
    for names, value in worth.items():
        lookup[_key(names, looks)] = value
    hands, best = all_hands(len(player)), 0
    nothing = np.empty((1, 0), np.uint8)
    for common in _one_per_suit_class(all_hands(len(shared[0])), equivalent_renamings(rankings)) if shared else nothing:
        free = hands[~np.isin(hands, common).any(axis=1)]
        deals = np.hstack([free, np.tile(common, (len(free), 1))])
        best = _search(free, lookup[_keys(deals, looks, columns)], boxes, best)
    return best


def _search(hands: Cards, values: NDArray[np.int64], boxes: int, best: int) -> int:
    """Return the best total of disjoint hands for the boxes, or `best` if nothing beats it."""
    order = np.argsort(-values, kind="stable")
    order = order[values[order] > 0]
    masks = (np.int64(1) << hands[order].astype(np.int64)).sum(axis=1).tolist()
    totals = values[order].tolist()

    def deeper(start: int, used: int, left: int, total: int) -> None:
        nonlocal best
        best = max(best, total)
        for place in range(start, len(totals)) if left else ():
            if total + left * totals[place] <= best:
                return
            if not used & masks[place]:
                deeper(place + 1, used | masks[place], left - 1, total + totals[place])

    deeper(0, 0, boxes, 0)
    return best


def _keys(deals: Cards, looks: Sequence[RankedPlaces], columns: Mapping[str, range]) -> NDArray[np.int64]:
    """Return one number per deal that encodes the hands of all these wagers."""
    keys = np.zeros(len(deals), np.int64)
    for where, ranking in looks:
        cards = np.ascontiguousarray(deals[:, [column for place in where for column in columns[place]]])
        keys = keys * len(ranking.hands) + evaluate_many(ranking, cards).place
    return keys


def _key(names: Outcome, looks: Sequence[RankedPlaces]) -> int:
    key = 0
    for name, (_, ranking) in zip(names, looks, strict=True):
        key = key * len(ranking.hands) + [hand.name for hand in ranking.hands].index(name)
    return key


def _ranked_places(terms: Terms, wager: str) -> RankedPlaces:
    """Return the places that a wager uses, and its ranking."""
    by = terms.game.wager(wager).by
    if not isinstance(by, ByTable):
        raise Mistake(f"The wager {wager} is not settled by a paytable alone.")
    return by.places, terms.evaluators[terms.rankings[by.paytable]].ranking


def _columns(terms: Terms, looks: Sequence[RankedPlaces]) -> dict[str, range]:
    """Return the columns of each place in a row of cards."""
    columns, start = {}, 0
    for place in terms.game.places:
        if any(place.name in where for where, _ in looks):
            columns[place.name] = range(start, start + place.cards)
            start += place.cards
    return columns


def _names(key: int, looks: Sequence[RankedPlaces]) -> Outcome:
    names = []
    for _, ranking in reversed(looks):
        key, place = divmod(key, len(ranking.hands))
        names.append(ranking.hands[place].name)
    return tuple(reversed(names))


def _deals(sizes: Sequence[int], rankings: Sequence[Ranking]) -> Iterator[Cards]:
    """Yield every deal to places of these sizes; in the first place, one hand per suit class."""
    first = _one_per_suit_class(all_hands(sizes[0]), equivalent_renamings(rankings))
    rest = [all_hands(size) for size in sizes[1:]]
    if len(first) * prod(len(hands) for hands in rest) > _MOST_DEALS:
        raise Mistake("These wagers use too many cards together to list every deal.")
    for start in range(0, len(first), _CHUNK):
        yield from _add_places(first[start : start + _CHUNK], rest)


def _add_places(deals: Cards, rest: Sequence[Cards]) -> Iterator[Cards]:
    """Add the cards of the other places, without deals that repeat a card."""
    if not rest:
        yield deals
        return
    for start in range(0, len(deals), max(1, 4_000_000 // len(rest[0]))):
        part = deals[start : start + max(1, 4_000_000 // len(rest[0]))]
        wide = np.hstack([np.repeat(part, len(rest[0]), axis=0), np.tile(rest[0], (len(part), 1))])
        old, new = wide[:, : part.shape[1]], wide[:, part.shape[1] :]
        clash = (old[:, :, None] == new[:, None, :]).any(axis=(1, 2))
        yield from _add_places(wide[~clash], rest[1:])


def _one_per_suit_class(hands: Cards, orders: Sequence[Sequence[Suit]]) -> Cards:
    """Return one hand per class under these suit renamings."""
    suits, bits = hands % len(Suit), np.int64(1) << (hands // len(Suit)).astype(np.int64)
    masks = [np.where(suits == suit, bits, 0).sum(axis=1) for suit in Suit]
    lowest: NDArray[np.int64] | None = None
    for order in orders:
        key = sum(
            (masks[suit] << np.int64(13 * place) for place, suit in enumerate(order)), np.zeros(len(hands), np.int64)
        )
        lowest = key if lowest is None else np.minimum(lowest, key)
    assert lowest is not None
    _, first = np.unique(lowest, return_index=True)
    return hands[first]
