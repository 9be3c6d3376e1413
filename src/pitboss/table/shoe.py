"""The shuffle: every order of the deck is equally likely if the source's bytes are uniform.

No modulo bias: a number below n is taken from the low bits of the bytes, and drawn again while it is not
below n. The operating system supplies the bytes in play; tests use a fixed stream.

>>> shuffle(DECK[:3], byte_source(bytes([3, 2, 1])))
(Card('2c'), Card('2d'), Card('2h'))
"""

import os
from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import TypeVar

from pitboss.cards import DECK
from pitboss.errors import Mistake

Source = Callable[[int], bytes]
"""Returns the requested number of bytes."""
T = TypeVar("T")

system_source: Source = os.urandom
"""The operating system's random number generator."""

__all__ = ["DECK", "Source", "byte_source", "cut", "random_below", "seeded_source", "shuffle", "system_source"]


def random_below(limit: int, source: Source) -> int:
    """Return a number from 0 to limit - 1, each equally likely."""
    bits = (limit - 1).bit_length()
    mask, size = (1 << bits) - 1, max(1, (bits + 7) // 8)
    while True:
        number = int.from_bytes(source(size)) & mask
        if number < limit:
            return number


def shuffle(cards: Sequence[T], source: Source) -> tuple[T, ...]:
    """Return the cards in a uniformly random order (Fisher and Yates)."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = random_below(last + 1, source)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def cut(cards: Sequence[T], depth: int) -> tuple[T, ...]:
    """Move the cards above the cover card under the rest."""
    if not 0 < depth < len(cards):
        raise Mistake(f"Cut {len(cards)} cards at a depth of 1 to {len(cards) - 1}, not {depth}.")
    return (*cards[depth:], *cards[:depth])


def byte_source(data: bytes) -> Source:
    """Return a source that supplies these bytes once."""
    place = 0

    def give(count: int) -> bytes:
        nonlocal place
        place += count
        if place > len(data):
            raise Mistake(f"The stream of {len(data)} bytes is used up.")
        return data[place - count : place]

    return give


def seeded_source(seed: str) -> Source:
    """Return an endless source that depends only on the seed; for practice and tests only."""
    block, place, number = b"", 0, 0

    def give(count: int) -> bytes:
        nonlocal block, place, number
        parts = [block[place : place + count]]
        place += len(parts[0])
        while (lacking := count - sum(map(len, parts))) > 0:
            block, place, number = (
                shake_256(f"{seed} {number}".encode()).digest(65_536),
                min(lacking, 65_536),
                number + 1,
            )
            parts.append(block[:place])
        return b"".join(parts)

    return give
