"""Reading the hand-written settlement matrix, and finding deals for its cells."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK, Card, Suit
from pitboss.games import GAMES, Bounds, Line, Terms, agree
from pitboss.games.outcomes import _deals
from pitboss.money import CENT
from pitboss.ranking import Ranking
from pitboss.ranking.batch import all_hands, evaluate_many
from pitboss.rulebook import rulebook

Cell = Mapping[str, str]
"""The case of every factor."""
METERS = {"main": 23_456_78 * CENT + 999_999, "five-card-hand": 11_111_11 * CENT + 1}
LIMIT = 50_000_00
RNG = np.random.default_rng(639)


class Expected(NamedTuple):
    outcome: str
    stake: int
    returned: int
    pays: int
    cite: str


class Matrix:
    """One hand-written file."""

    def __init__(self, game: str) -> None:
        self.cases: dict[str, dict[str, list[dict[str, str]]]] = defaultdict(dict)
        with (Path(__file__).parents[1] / "games" / "matrix" / f"{game}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                self.cases[row["factor"]].setdefault(row["case"], []).append(row)
        self.unreachable = set(self.cases.pop("unreachable", {}))
        limit = self.cases.pop("limit", {})
        self.limited = {row["line"] for row in limit.get("counts", ())}
        self.excepted = {row["line"] for row in limit.get("except", ())}
        self.limit_cite = next((row["clause"] for row in limit.get("counts", ())), "")

    def lines(self, cell: Cell, stakes: Mapping[str, int], based_on: Mapping[str, str]) -> dict[str, Expected]:
        found: dict[str, Expected] = {}
        for factor, case in cell.items():
            for row in self.cases[factor][case]:
                if row["line"] == "-":
                    continue
                name = row["line"]
                stake = stakes.get(name, 0)
                pays = _pays(row["pays"], stakes[based_on.get(name, name)])
                before = found.get(name, Expected("", 0, 0, 0, ""))
                found[name] = Expected(
                    row["outcome"], stake, int(row["returned"]) * stake, before.pays + pays, row["clause"]
                )
        return found

    def excess(self, cell: Cell, expected: Mapping[str, Expected], limit: int) -> int:
        counted = sum(
            line.pays for name, line in expected.items() if name in self.limited and cell.get(name) not in self.excepted
        )
        return max(0, counted - limit)


def _pays(text: str, base: int) -> int:
    if text.startswith("$"):
        return int(text[1:]) * 100
    if "%" in text:
        percent, meter = text.split("% ")
        return METERS[meter] * int(percent) // 100 // CENT
    paid = Fraction(text) * base
    assert paid.denominator == 1
    return int(paid)


def as_expected(lines: Iterable[Line]) -> dict[str, Expected]:
    found = {line.wager: Expected(line.outcome, line.stake, line.returned, line.pays, line.cite) for line in lines}
    assert len(found) == len(tuple(lines))
    return found


def terms_for(game: str, letters: Mapping[str, str], *, limit: int | None = None, **readings: str) -> Terms:
    offers = {wager.offer for wager in GAMES[game].initial}
    return agree(
        GAMES[game],
        rulebook(),
        offered=dict.fromkeys(sorted(offers), Bounds()),
        letters=letters,
        readings={name.replace("_", "-"): option for name, option in readings.items()},
        unit=100,
        payout_limit=limit,
        bonuses=("magic-card", "lucky-bonus"),
    )


def deal(row: Iterable[int]) -> tuple[Card, ...]:
    return tuple(DECK[int(index)] for index in row)


def samples(ranking: Ranking, size: int, most: int) -> dict[str, list[tuple[Card, ...]]]:
    """Some hands of every kind of a ranking, and one at either end of it."""
    hands = all_hands(size)
    live_tables = evaluate_many(ranking, hands)
    found = {}
    for place, kind in enumerate(ranking.hands):
        rows = np.flatnonzero(live_tables.place == place)
        best = rows[np.argsort(live_tables.order[rows], kind="stable")[[0, -1]]]
        found[kind.name] = [deal(hands[row]) for row in {*RNG.choice(rows, min(most, len(rows)), replace=False), *best}]
    return found


def renamed(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """The same ranks in other suits."""
    for order in permutations(Suit):
        yield tuple(Card(card.rank.letter + order[card.suit].letter) for card in cards)


def apart(*hands: Iterable[Card]) -> bool:
    cards = [card for cards in hands for card in cards]
    return len(set(cards)) == len(cards)


def joint(
    sizes: list[int], looks: list[tuple[slice, Ranking]], keep: int, also: tuple[Ranking, ...] = ()
) -> dict[tuple[str, ...], list[Any]]:
    """Every joint outcome of these rankings over all deals, each with some of the deals that have it."""
    found: dict[tuple[str, ...], list[Any]] = defaultdict(list)
    for deals in _deals(sizes, [*(ranking for _, ranking in looks), *also]):
        keys = np.zeros(len(deals), np.int64)
        for where, ranking in looks:
            keys = keys * len(ranking.hands) + evaluate_many(ranking, np.ascontiguousarray(deals[:, where])).place
        order = np.argsort(keys, kind="stable")
        unique, first, count = np.unique(keys[order], return_index=True, return_counts=True)
        for key, start, many in zip(unique.tolist(), first.tolist(), count.tolist(), strict=True):
            names = []
            for _, ranking in reversed(looks):
                key, place = divmod(key, len(ranking.hands))  # noqa: PLW2901 (taken apart)
                names.append(ranking.hands[place].name)
            known = found[tuple(reversed(names))]
            picks = np.linspace(start, start + many - 1, min(many, max(1, keep // 4)), dtype=np.int64)
            known.extend(deals[order[picks]][: max(0, keep - len(known))])
    return found
