"""Every hand of so many cards, evaluated one at a time; and in order of strength, as rows of bits to be counted."""

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
"""Hands that are looked at together, to save memory."""


class EvaluatedHands(msgspec.Struct, frozen=True):
    """Every hand of so many cards."""

    cards: NDArray[np.uint8]
    bits: NDArray[np.uint64]
    order: NDArray[np.int64]


def every_hand(evaluate: Evaluator, size: int, *, by_class: bool = False) -> EvaluatedHands:
    """Evaluate every hand of so many cards, one at a time; or by class, one of those alike but for their suits."""
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
    """Yield a hand of each class under renaming suits, by its place, and how many are like it."""
    _, first, count = np.unique(_suit_keys(hands.cards), return_index=True, return_counts=True)
    yield from zip(first.tolist(), count.tolist(), strict=True)


def count_hand_names(evaluate: Evaluator, size: int, *, by_class: bool = False) -> Counter[str]:
    """Count every hand of so many cards by its name, one at a time; or by class, one of those alike but for suits."""
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
    """Return every hand of so many cards, in order, as numbers of cards."""
    flat = chain.from_iterable(combinations(range(len(DECK)), size))
    total = comb(len(DECK), size)
    return np.fromiter(flat, np.uint8, total * size).reshape(total, size)


def _suit_keys(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return a number for each hand that is the same for those alike but for the names of their suits."""
    keys = np.empty(len(cards), np.uint64)
    for start in range(0, len(cards), CHUNK):
        chunk = cards[start : start + CHUNK]
        ranks = np.uint64(1) << (chunk // 4).astype(np.uint64)
        suits = [np.where(chunk % 4 == suit, ranks, np.uint64(0)).sum(axis=1) for suit in range(4)]
        alike = np.sort(np.stack(suits, axis=1), axis=1)
        keys[start : start + CHUNK] = (alike << (13 * np.arange(4, dtype=np.uint64))).sum(axis=1)
    return keys


def _beginning_with(first: int, size: int) -> Iterator[tuple[Card, ...]]:
    """Yield the hands whose first card in the order of the deck is this one."""
    return ((DECK[first], *rest) for rest in combinations(DECK[first + 1 :], size - 1))


class Strengths(msgspec.Struct, frozen=True):
    """Every hand of the dealer's as a bit, the lowest first, after those that do not qualify.

    Hands of one strength begin at a new word: those below, equal to and above a hand of the player's are slices.
    """

    strengths: NDArray[np.int64]
    """Each of them once, ascending, among the hands that qualify."""
    begins: NDArray[np.int64]
    """The word at which each begins, and the end."""
    filled: NDArray[np.uint64]
    """The bits that stand for a hand."""
    holding: NDArray[np.uint64]
    """For each card, the hands that hold it."""

    def free_of(self, cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Return the hands with none of these cards."""
        return np.asarray(self.filled & ~np.bitwise_or.reduce(self.holding[cards], axis=0))

    def ends(self, hands: NDArray[np.uint64], strength: int) -> NDArray[np.int64]:
        """Count, along the last axis, the hands that do not qualify, are below a strength, equal and above."""
        of = int(np.searchsorted(self.strengths, strength))
        after = of + int(of < len(self.strengths) and self.strengths[of] == strength)
        cuts = (0, *(int(self.begins[place]) for place in (0, of, after)), hands.shape[-1])
        counts = np.bitwise_count(hands)
        sums = [counts[..., begin:end].sum(axis=-1, dtype=np.int64) for begin, end in pairwise(cuts)]
        return np.stack(sums, axis=-1)


def order_by_strength(hands: EvaluatedHands, low: NDArray[np.bool_]) -> Strengths:
    """Put hands in order of strength, those that do not qualify first, and say for each card which hold it."""
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
