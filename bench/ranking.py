"""Evaluating five-card hands: the same hands, one core, one run, against three public evaluators.

eval7 and phevaluator are compiled and check nothing; pokerkit is pure Python and checks its cards, as
our scalar evaluator does. Each is called the fastest way it offers, its cards made ready beforehand.
"""

import os
import random
import time
from collections.abc import Callable, Iterable
from itertools import starmap
from typing import NamedTuple

import eval7
import numpy as np
import phevaluator
import pokerkit
from phevaluator import _pheval
from rich.console import Console
from rich.table import Table

from pitboss.cards import DECK
from pitboss.ranking import evaluator
from pitboss.ranking.batch import evaluate_many
from pitboss.rulebook import rulebook

HANDS = 200_000
BATCH_REPEATS = 10
ROUNDS = 5


class Contender(NamedTuple):
    """One way to evaluate hands."""

    name: str
    hands: int
    run: Callable[[], object]


def run() -> bool:
    """Time every contender in turn, print rates and ratios, and say whether the aims were met."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    indices = _sample()
    ranking = rulebook().ranking("caribbean-stud", "five-card")
    one = evaluator(ranking)
    many = np.array(indices * BATCH_REPEATS, np.uint8)
    ours = [tuple(DECK[index] for index in row) for row in indices]
    texts = [[str(card) for card in cards] for cards in ours]
    for_eval7 = [[eval7.Card(text) for text in row] for row in texts]
    for_pokerkit = [tuple(pokerkit.Card.parse("".join(row))) for row in texts[: HANDS // 10]]
    native = [tuple(phevaluator.Card(text).id_ for text in row) for row in texts]
    lookup = pokerkit.StandardLookup()
    rates = _race(
        Contender("batch", len(many), lambda: evaluate_many(ranking, many)),
        Contender("scalar", HANDS, lambda: _drain(map(one, ours))),
        Contender("eval7", HANDS, lambda: _drain(map(eval7.evaluate, for_eval7))),
        Contender("phevaluator evaluate_cards", HANDS, lambda: _drain(starmap(phevaluator.evaluate_cards, native))),
        Contender("phevaluator evaluate_5cards", HANDS, lambda: _drain(starmap(phevaluator.evaluate_5cards, native))),
        Contender("phevaluator native call", HANDS, lambda: _drain(starmap(_pheval.evaluate_5cards, native))),
        Contender(
            "pokerkit StandardHighHand", HANDS // 10, lambda: _drain(map(pokerkit.StandardHighHand, for_pokerkit))
        ),
        Contender("pokerkit get_entry", HANDS // 10, lambda: _drain(map(lookup.get_entry, for_pokerkit))),
    )
    _agree(evaluate_many(ranking, many[:HANDS]).order, [eval7.evaluate(cards) for cards in for_eval7])
    fastest_ph = max(rate for name, rate in rates.items() if name.startswith("phevaluator"))
    fastest_kit = max(rate for name, rate in rates.items() if name.startswith("pokerkit"))
    return _report(
        rates,
        [
            ("batch against eval7", rates["batch"] / rates["eval7"], 25),
            ("batch against phevaluator's fastest call", rates["batch"] / fastest_ph, 10),
            ("scalar, every card checked, against pokerkit's fastest call", rates["scalar"] / fastest_kit, 1),
        ],
    )


def _sample() -> list[list[int]]:
    chance = random.Random(639)  # noqa: S311 (a fixed sample)
    return [chance.sample(range(len(DECK)), 5) for _ in range(HANDS)]


def _drain(results: Iterable[object]) -> None:
    for _ in results:
        pass


def _race(*contenders: Contender) -> dict[str, float]:
    """Let each run in turn, several rounds over, and keep its best rate in hands a second."""
    rates = dict.fromkeys((contender.name for contender in contenders), 0.0)
    for _ in range(ROUNDS):
        for contender in contenders:
            start = time.perf_counter()
            contender.run()
            rates[contender.name] = max(rates[contender.name], contender.hands / (time.perf_counter() - start))
    return rates


def _agree(ours: Iterable[int], theirs: Iterable[int]) -> None:
    """Make sure that the two evaluators put the hands in one order."""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    if [theirs for _, theirs in pairs] != sorted({theirs for _, theirs in pairs}):
        raise AssertionError("the evaluators disagree about some hands")


def _report(rates: dict[str, float], aims: list[tuple[str, float, int]]) -> bool:
    console = Console()
    table = Table("five-card hands, one core", "hands/s", "ns each", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, rate in sorted(rates.items(), key=lambda entry: -entry[1]):
        table.add_row(
            f"pitboss {name}" if " " not in name and name != "eval7" else name, f"{rate:,.0f}", f"{1e9 / rate:,.1f}"
        )
    console.print(table)
    console.print()
    for what, ratio, aim in aims:
        console.print(
            f"{ratio:8.1f} ×  {what} (aim: {aim} ×) {'' if ratio >= aim else '[red]missed[/]'}", soft_wrap=True
        )
    return all(ratio >= aim for _, ratio, aim in aims)
