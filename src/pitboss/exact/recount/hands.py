"""Evaluate every hand one at a time; and store dealer hands by strength as rows of bits."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, pairwise
from math import comb
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.recount.parallel import map_over_cores
from pitboss.ranking import Evaluator

CHUNK: Final = 1_000_000
"""The number of hands per batch, to limit memory."""


class EvaluatedHands(msgspec.Struct, frozen=True):
    """All hands of one size."""

    cards: NDArray[np.uint8]
    bits: NDArray[np.uint64]
    order: NDArray[np.int64]


def every_hand(evaluate: Evaluator, size: int, *, by_class: bool = False) -> EvaluatedHands:
    """Evaluate every hand of `size` cards, one at a time; with `by_class`, one per suit class."""
    cards = _all_cards(size)
    bits = np.zeros(len(cards), np.uint64)
    for column in range(size):
        bits |= np.uint64(1) << cards[:, column].astype(np.uint64)
    if by_class:
        _, first, row = np.unique(_suit_keys(cards), return_index=True, return_inverse=True)
        held = ([DECK[card] for card in one] for one in cards[first].tolist())
        return EvaluatedHands(
            cards, bits, np.fromiter((evaluate(one).order for one in held), np.int64, len(first))[row]
        )

    def orders(first: int) -> NDArray[np.int64]:
        return np.fromiter((evaluate(held).order for held in _beginning_with(first, size)), np.int64)

    return EvaluatedHands(cards, bits, np.concatenate([*map_over_cores(orders, range(len(DECK)))]))


def classes_of(hands: EvaluatedHands) -> Iterator[tuple[int, int]]:
    """Yield the index of a hand of each suit class, and the size of the class."""
    _, first, count = np.unique(_suit_keys(hands.cards), return_index=True, return_counts=True)
    yield from zip(first.tolist(), count.tolist(), strict=True)


def count_hand_names(evaluate: Evaluator, size: int, *, by_class: bool = False) -> Counter[str]:
    """Count every hand of `size` cards by name, one at a time; with `by_class`, one per suit class."""
    if by_class:
        cards, found = _all_cards(size), Counter[str]()
        _, firsts, counts = np.unique(_suit_keys(cards), return_index=True, return_counts=True)
        for one, count in zip(cards[firsts].tolist(), counts.tolist(), strict=True):
            found[evaluate([DECK[card] for card in one]).hand.name] += count
        return found

    def names(first: int) -> Counter[str]:
        return Counter(evaluate(held).hand.name for held in _beginning_with(first, size))

    return sum(map_over_cores(names, range(len(DECK))), Counter())


def _all_cards(size: int) -> NDArray[np.uint8]:
    """Return every hand of `size` cards, in order, as card indices."""
    flat = chain.from_iterable(combinations(range(len(DECK)), size))
    total = comb(len(DECK), size)
    return np.fromiter(flat, np.uint8, total * size).reshape(total, size)


def _suit_keys(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return a key for each hand that is equal for all hands of a suit class."""
    keys = np.empty(len(cards), np.uint64)
    for start in range(0, len(cards), CHUNK):
        chunk = cards[start : start + CHUNK]
        ranks = np.uint64(1) << (chunk // 4).astype(np.uint64)
        suits = [np.where(chunk % 4 == suit, ranks, np.uint64(0)).sum(axis=1) for suit in range(4)]
        alike = np.sort(np.stack(suits, axis=1), axis=1)
        keys[start : start + CHUNK] = (alike << (13 * np.arange(4, dtype=np.uint64))).sum(axis=1)
    return keys


def _beginning_with(first: int, size: int) -> Iterator[tuple[Card, ...]]:
    """Yield the hands whose lowest card in deck order is this one."""
    return ((DECK[first], *rest) for rest in combinations(DECK[first + 1 :], size - 1))


class Strengths(msgspec.Struct, frozen=True):
    """All dealer hands as bits: first those that do not qualify, then from the lowest to the highest.

    Hands of equal strength begin at a new word, so the hands below, equal to and above a strength are slices.
    """

    strengths: NDArray[np.int64]
    """The distinct strengths of the qualifying hands, ascending."""
    begins: NDArray[np.int64]
    """The first word of each strength, and the end."""
    filled: NDArray[np.uint64]
    """The bits that are hands, not padding."""
    holding: NDArray[np.uint64]
    """For each card, the hands that contain it."""

    def free_of(self, cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Return the hands without any of these cards."""
        return np.asarray(self.filled & ~np.bitwise_or.reduce(self.holding[cards], axis=0))

    def ends(self, hands: NDArray[np.uint64], strength: int) -> NDArray[np.int64]:
        """Count, along the last axis, the hands that do not qualify, are below, equal to and above a strength."""
        of = int(np.searchsorted(self.strengths, strength))
        after = of + int(of < len(self.strengths) and self.strengths[of] == strength)
        cuts = (0, *(int(self.begins[place]) for place in (0, of, after)), hands.shape[-1])
        counts = np.bitwise_count(hands)
        sums = [counts[..., begin:end].sum(axis=-1, dtype=np.int64) for begin, end in pairwise(cuts)]
        return np.stack(sums, axis=-1)


def order_by_strength(hands: EvaluatedHands, low: NDArray[np.bool_]) -> Strengths:
    """Order hands by strength, those that do not qualify first, and index them by card."""
    strength = np.where(low, -1, hands.order)
    found, group, counts = np.unique(strength, return_inverse=True, return_counts=True)
    words = -(-counts // 64)
    begins = np.concatenate([[0], np.cumsum(words)])
    bit = np.empty(len(strength), np.int64)
    bit[np.argsort(group, kind="stable")] = np.arange(len(strength)) + np.repeat(
        64 * begins[:-1] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts
    )

    def row(chosen: NDArray[np.int64]) -> NDArray[np.uint64]:
        bits = np.zeros(64 * int(begins[-1]), bool)
        bits[chosen] = True
        return np.packbits(bits).view(np.uint64)

    holding = [row(bit[(hands.bits >> np.uint64(card)) & np.uint64(1) == 1]) for card in range(len(DECK))]
    unqualified = int(found[0] == -1)
    return Strengths(found[unqualified:], begins[unqualified:], row(bit), np.stack(holding))
