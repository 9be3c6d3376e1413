"""Sentences as parts: text, clauses, cards, money, people, wagers and hashes. Screens draw them."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.money import format_money
from pitboss.rulebook.citation import FORM


class PartKind(StrEnum):
    """What a part of a sentence is."""

    TEXT = "text"
    CLAUSE = "clause"
    CARD = "card"
    MONEY = "money"
    PERSON = "person"
    WAGER = "wager"
    HASH = "hash"


class Part(msgspec.Struct, frozen=True):
    """A part of a sentence; a clause is without its “§”, a hidden card is “▒▒”."""

    kind: PartKind
    text: str


Words = tuple[str | Part, ...]
"""Parts of a sentence under construction."""


class Sentence(msgspec.Struct, frozen=True):
    """A sentence with its clauses: the step's first, then those in the text."""

    text: str
    clauses: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


def sentence(*words: str | Part, under: str = "") -> Sentence:
    """Return a sentence of these parts; `under` is the clause of its step.

    >>> sentence("The round is void (", clause("639a.13(c)"), ").", under="639a.8(b)").text
    'The round is void (§ 639a.13(c)).'
    """
    parts = tuple(_parts(words))
    named = (part.text for part in parts if part.kind is PartKind.CLAUSE)
    return Sentence(plain_text(parts), tuple(dict.fromkeys((*filter(None, (under,)), *named))), parts)


def plain_text(parts: Iterable[Part]) -> str:
    """Return parts as text."""
    return "".join(f"§ {part.text}" if part.kind is PartKind.CLAUSE else part.text for part in parts)


def clause(cite: object) -> Part:
    """Return a citation."""
    return Part(PartKind.CLAUSE, str(cite))


def card(shown: Card | str | None) -> Part:
    """Return a card; None is a hidden one."""
    return Part(PartKind.CARD, str(shown) if shown else "▒▒")


def cards(shown: Iterable[Card | str | None]) -> Words:
    """Return cards with a space between them."""
    return join(" ", ((card(one),) for one in shown))


def money(cents: int) -> Part:
    """Return an amount."""
    return Part(PartKind.MONEY, format_money(cents))


def person(name: str) -> Part:
    """Return a person's name."""
    return Part(PartKind.PERSON, name)


def wager(name: str) -> Part:
    """Return a wager's name."""
    return Part(PartKind.WAGER, name)


def join(between: str, items: Iterable[Words]) -> Words:
    """Return items in a row with a text between them."""
    words: list[str | Part] = []
    for item in items:
        words += [between, *item] if words else item
    return tuple(words)


_NAMED: Final = re.compile(rf"§ (?P<clause>{FORM.pattern})|\b(?P<hash>[0-9a-f]{{64}})\b")


def parse_text(text: str) -> tuple[Part, ...]:
    """Return the parts of a text that was recorded as text: its clauses, its hashes, and the rest.

    >>> [part.kind.value for part in parse_text("void under § 639a.13(c)")]
    ['text', 'clause']
    """
    words: list[str | Part] = []
    end = 0
    for found in _NAMED.finditer(text):
        kind = PartKind.CLAUSE if found["clause"] else PartKind.HASH
        words += [text[end : found.start()], Part(kind, found["clause"] or found["hash"])]
        end = found.end()
    return tuple(_parts((*words, text[end:])))


def recorded_sentence(text: str) -> Sentence:
    """Return a sentence that was recorded as text."""
    return Sentence(text, tuple(dict.fromkeys(found[0] for found in FORM.finditer(text))), parse_text(text))


def _parts(words: Iterable[str | Part]) -> Iterator[Part]:
    """Yield parts; texts next to each other are one part."""
    text = ""
    for word in words:
        if isinstance(word, str) or word.kind is PartKind.TEXT:
            text += word if isinstance(word, str) else word.text
            continue
        if text:
            yield Part(PartKind.TEXT, text)
        text = ""
        yield word
    if text:
        yield Part(PartKind.TEXT, text)
