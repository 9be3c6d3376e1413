"""Commitment to the order of a deck: published before the deal, opened card by card.

A Merkle tree over the positions of the deck, each with its card and a secret salt. The root reveals no card.
An opening reveals one card and proves that it was at its position from the beginning.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.errors import Mistake

SALT: Final = 32
"""Bytes of salt for each position."""


class Opening(msgspec.Struct, frozen=True):
    """One card of a committed deck with its proof; bytes in hexadecimal."""

    position: int
    card: str
    salt: str
    path: tuple[str, ...]
    """Sibling hashes from the leaf to the root."""


class Commitment(msgspec.Struct, frozen=True):
    """The whole tree; secret until the round is over."""

    cards: tuple[Card, ...]
    salts: tuple[bytes, ...]
    levels: tuple[tuple[bytes, ...], ...]
    """From the leaves to the root."""

    @property
    def root(self) -> str:
        """The published hash."""
        return self.levels[-1][0].hex()


def commit(cards: Sequence[Card], salts: Sequence[bytes]) -> Commitment:
    """Commit to an order of cards, with a salt for each position."""
    if len(salts) != len(cards) or any(len(salt) != SALT for salt in salts):
        raise Mistake(f"A commitment to {len(cards)} cards needs {len(cards)} salts of {SALT} bytes.")
    level = tuple([_leaf(*place) for place in zip(count(), cards, salts)])
    levels = [level]
    while len(level) > 1:
        padded = level if len(level) % 2 == 0 else (*level, level[-1])
        level = tuple([_node(*fork) for fork in zip(padded[::2], padded[1::2], strict=True)])
        levels.append(level)
    return Commitment(tuple(cards), tuple(salts), tuple(levels))


def opening(commitment: Commitment, position: int) -> Opening:
    """Return the card at a position with its proof."""
    path, place = [], position
    for level in commitment.levels[:-1]:
        beside = place ^ 1
        path.append(level[beside if beside < len(level) else place].hex())
        place >>= 1
    return Opening(position, str(commitment.cards[position]), commitment.salts[position].hex(), tuple(path))


def is_valid_opening(root: str, shown: Opening) -> bool:
    """Whether an opening proves its card under this root."""
    try:
        branch, place = _leaf(shown.position, Card(shown.card), bytes.fromhex(shown.salt)), shown.position
        for step in shown.path:
            beside = bytes.fromhex(step)
            branch = _node(beside, branch) if place & 1 else _node(branch, beside)
            place >>= 1
    except (ValueError, OverflowError):
        return False
    return place == 0 and branch.hex() == root.lower()


def _leaf(position: int, card: Card, salt: bytes) -> bytes:
    return sha256(b"\0%c%b%b" % (position, card.text.encode(), salt)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()
