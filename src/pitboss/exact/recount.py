"""A second method, for checking the first: plain enumeration with numpy, every hand evaluated one by one.

It shares no code with the kernels. Hands are ranked by the evaluator the table uses, ends are paid by `settle`,
and nothing is cleverer than looking at all of the dealer's hands for each class of the player's.

`python -m pitboss.exact.recount [GAME]` recounts every side wager, and the required wagers under every paytable and
every reading that changes them: Cajun Stud in minutes, Caribbean Stud and Four Card Prime in hours, on all cores. It
shows how far it is, and goes on where it was stopped.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, combinations
from math import comb
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.payoffs import STAKE, laid, letters_of, terms_for
from pitboss.exact.seen import seen_at_decisions
from pitboss.games import FOLD, GAMES, Terms, settle, stakes
from pitboss.games.declare import ByTable
from pitboss.kept import folder, source_hash
from pitboss.ranking import Evaluator, Ranking
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import Choice

CHUNK: Final = 200_000
CHECKPOINT: Final = 60.0
"""Seconds between two of them."""


class Hands(msgspec.Struct, frozen=True):
    """Every hand of so many cards."""

    cards: NDArray[np.uint8]
    bits: NDArray[np.uint64]
    order: NDArray[np.int64]


class Sums(msgspec.Struct):
    """What was added up so far."""

    deals: int = 0
    net: int = 0
    wagered: int = 0

    def add(self, other: "Sums", times: int = 1) -> None:
        """Add so many times what another has."""
        self.deals += times * other.deals
        self.net += times * other.net
        self.wagered += times * other.wagered


class Progress(msgspec.Struct):
    """Where a long recount stands: how many classes are done, and the sums for each of the terms."""

    done: int
    sums: list[Sums]


def every_hand(evaluate: Evaluator, size: int) -> Hands:
    """Evaluate every hand of so many cards, one at a time."""
    total = comb(len(DECK), size)
    order = np.fromiter((evaluate(held).order for held in combinations(DECK, size)), np.int64, total)
    flat = chain.from_iterable(combinations(range(len(DECK)), size))
    cards = np.fromiter(flat, np.uint8, total * size).reshape(total, size)
    bits = np.zeros(total, np.uint64)
    for column in range(size):
        bits |= np.uint64(1) << cards[:, column].astype(np.uint64)
    return Hands(cards, bits, order)


def classes_of(hands: Hands) -> Iterator[tuple[int, int]]:
    """Yield a hand of each class under renaming suits, by its place, and how many are like it."""
    ranks = np.uint64(1) << (hands.cards // 4).astype(np.uint64)
    suits = [np.where(hands.cards % 4 == suit, ranks, np.uint64(0)).sum(axis=1) for suit in range(4)]
    alike = np.sort(np.stack(suits, axis=1), axis=1)
    key = (alike << (13 * np.arange(4, dtype=np.uint64))).sum(axis=1)
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    yield from zip(first.tolist(), count.tolist(), strict=True)


class Contest:
    """A game of player against dealer, with everything needed to look at one hand after another.

    Several terms are looked at together, where they differ in what is paid and not in which hand is higher.
    """

    def __init__(self, tables: Sequence[Terms]) -> None:
        terms = tables[0]
        contest = terms.game.contest
        assert contest
        self.tables, self.terms, self.contest = tables, terms, contest
        sizes = {place.name: place.cards for place in terms.game.places}
        evaluate = terms.evaluators[contest.ranking]
        self.players = every_hand(evaluate, sizes[contest.player[0]])
        same = sizes[contest.player[0]] == sizes[contest.dealer[0]]
        self.dealers = self.players if same else every_hand(evaluate, sizes[contest.dealer[0]])
        self.low = np.zeros(len(self.dealers.order), bool)
        if contest.qualifying:
            qualify = terms.evaluators[contest.qualifying]
            worst = qualify.ranking.hands[-1]
            hands = ([DECK[card] for card in held] for held in self.dealers.cards.tolist())
            self.low = np.fromiter((qualify(held).hand is worst for held in hands), bool, len(self.low))
        self.up_card = bool(seen_at_decisions(terms.game.name, terms.readings)[0])
        self.examples: dict[tuple[str, int], tuple[Card, ...]] = {}
        self.paid: list[dict[tuple[str, int, int], tuple[int, int]]] = [{} for _ in tables]

    def ends(self, player: int) -> NDArray[np.int64]:
        """Count, for every up-card or in one row, how often the dealer fails to qualify, is below, equal and above."""
        free = np.flatnonzero((self.dealers.bits & self.players.bits[player]) == 0)
        order, mine = self.dealers.order[free], self.players.order[player]
        end = np.where(self.low[free], 0, np.where(order < mine, 1, np.where(order == mine, 2, 3)))
        if not self.up_card:
            return np.bincount(end, minlength=4)[None, :]
        cards = self.dealers.cards[free].astype(np.int64)
        return np.bincount((cards * 4 + end[:, None]).ravel(), minlength=208).reshape(52, 4)

    def pays(self, table: int, player: int, end: int, multiple: int) -> tuple[int, int]:
        """Ask `settle` what an end pays this hand, with one of the dealer's hands for an example."""
        terms, paid = self.tables[table], self.paid[table]
        mine = tuple(DECK[card] for card in self.players.cards[player])
        name = terms.evaluators[self.contest.ranking](mine).hand.name
        if (name, end, multiple) not in paid:
            if (name, end) not in self.examples:
                self.examples[name, end] = (*mine, *self._dealt(player, end))
            hands = laid(terms, (*self.contest.player, *self.contest.dealer), self.examples[name, end])
            wagers = {terms.game.required: STAKE}
            net = sum(line.net for line in settle(terms, hands, wagers, [multiple]))
            paid[name, end, multiple] = net, sum(stakes(terms, wagers, [multiple]).values())
        return paid[name, end, multiple]

    def _dealt(self, player: int, end: int) -> Iterator[Card]:
        """Return one of the dealer's hands that comes to this end against the player's."""
        order, worth = self.dealers.order, self.players.order[player]
        wanted = (self.low, ~self.low & (order < worth), ~self.low & (order == worth), ~self.low & (order > worth))
        free = wanted[end] & ((self.dealers.bits & self.players.bits[player]) == 0)
        return (DECK[card] for card in self.dealers.cards[free.argmax()])

    def best(self, player: int) -> list[Sums]:
        """Return what the best decisions with one hand come to, under each of the terms."""
        ends = [counts for counts in self.ends(player).tolist() if sum(counts)]
        return [self._best(table, player, ends) for table in range(len(self.tables))]

    def _best(self, table: int, player: int, ends: Sequence[Sequence[int]]) -> Sums:
        sums, larger = Sums(), self.tables[table].readings["ev-ties"] == "larger-wager"
        for counts in ends:
            deals = sum(counts)
            options = [(-STAKE * deals, FOLD, STAKE)]
            for multiple in self.terms.game.decisions[0].multiples:
                paid = [self.pays(table, player, end, multiple) for end, count in enumerate(counts) if count]
                net = sum(count * pay for count, (pay, _) in zip(filter(None, counts), paid, strict=True))
                options.append((net, multiple, paid[0][1]))
            net, _, wagered = max(options, key=lambda option: (option[0], option[1] if larger else -option[1]))
            sums.add(Sums(deals, net, wagered * deals))
        return sums


def names_of(evaluate: Evaluator, size: int) -> dict[str, int]:
    """Count every hand of so many cards by its name, one at a time."""
    counts: dict[str, int] = {}
    for held in combinations(DECK, size):
        name = evaluate(held).hand.name
        counts[name] = counts.get(name, 0) + 1
    return counts


def recount_board(tables: Sequence[Terms]) -> list[Sums]:
    """Play three decisions on a board with every two cards of the player's, no symmetry; for several paytables."""
    by = tables[0].game.wager(tables[0].game.required).by
    evaluate = tables[0].evaluators[tables[0].rankings[by.paytable]]
    names = [hand.name for hand in evaluate.ranking.hands]
    place = np.empty(comb(52, 5), np.uint8)
    example: dict[str, tuple[Card, ...]] = {}
    for number, held in enumerate(combinations(DECK, 5)):
        place[number] = names.index(name := evaluate(held).hand.name)
        example.setdefault(name, held)
    pays = [_board_pays(terms, [example[name] for name in names]) for terms in tables]
    sums = [Sums() for _ in tables]
    threes = np.array(list(combinations(range(50), 3)))
    for pair in combinations(range(52), 2):
        rest = np.array([card for card in range(52) if card not in pair])
        hands = np.sort(np.hstack([np.tile(pair, (len(threes), 1)), rest[threes]]), axis=1)
        found = place[_numbers(hands)]
        counts = np.zeros((50, 50, len(names)), np.int64)
        for one, two in ((0, 1), (0, 2), (1, 2)):
            np.add.at(counts, (threes[:, one], threes[:, two], found), 1)
        counts += counts.transpose(1, 0, 2)
        for terms, total, pay in zip(tables, sums, pays, strict=True):
            total.add(
                Sums(50 * 49 * 48, *_board_values(counts, pay, larger=terms.readings["ev-ties"] == "larger-wager"))
            )
    return sums


def _numbers(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where ascending hands stand among all, in the order of `combinations`."""
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(53)])
    after = sum(choose[51 - hands[:, column], 5 - column] for column in range(5))
    return np.asarray(choose[52, 5] - 1 - after)


def _board_pays(terms: Terms, hands: Sequence[Sequence[Card]]) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Ask `settle` what each hand pays after every row of decisions, also of those that end in a fold."""
    wagers, found = {terms.game.required: STAKE}, {}
    multiples = terms.game.decisions[0].multiples
    rows = [(FOLD,), *((a, FOLD) for a in multiples), *((a, b, FOLD) for a in multiples for b in multiples)]
    rows += [(a, b, c) for a in multiples for b in multiples for c in multiples]
    for row in rows:
        dealt = [laid(terms, ("player", "board"), hand) for hand in hands]
        found[row] = np.array([sum(line.net for line in settle(terms, hand, wagers, row)) for hand in dealt])
    return found


def _board_values(
    counts: NDArray[np.int64], pays: Mapping[tuple[int, ...], NDArray[np.int64]], *, larger: bool
) -> tuple[int, int]:
    """Return what the best decisions with two cards come to, and what is wagered; which of equals is taken is said."""
    beats = np.greater_equal if larger else np.greater
    multiples = sorted({row[0] for row in pays} - {FOLD})
    apart = ~np.eye(50, dtype=bool)
    firsts = [(int(pays[FOLD,][0]) * 50 * 49 * 48, STAKE * 50 * 49 * 48)]
    for a in multiples:
        seconds = [(np.full(50, pays[a, FOLD][0] * 49 * 48), np.full(50, STAKE * (1 + a) * 49 * 48))]
        for b in multiples:
            worth = np.full((50, 50), pays[a, b, FOLD][0] * 48)
            wagered = np.full((50, 50), STAKE * (1 + a + b) * 48)
            for c in multiples:
                total = counts @ pays[a, b, c]
                better = beats(total, worth)
                worth, wagered = np.where(better, total, worth), np.where(better, STAKE * (1 + a + b + c) * 48, wagered)
            seconds.append(((worth * apart).sum(axis=1), (wagered * apart).sum(axis=1)))
        net, staked = seconds[0]
        for more, stake in seconds[1:]:
            better = beats(more, net)
            net, staked = np.where(better, more, net), np.where(better, stake, staked)
        firsts.append((int(net.sum()), int(staked.sum())))
    return max(reversed(firsts) if larger else firsts, key=lambda option: option[0])


def recount(contest: Contest, file: Path, cores: int = 1) -> list[Sums]:
    """Go through every class of the player's hands, from where an earlier run stopped; show how far it is."""
    classes = list(classes_of(contest.players))
    begun = Progress(0, [Sums() for _ in contest.tables])
    at = msgspec.json.decode(file.read_bytes(), type=Progress) if file.exists() else begun
    since = saved = time.monotonic()
    first, todo = at.done, classes[at.done :]
    with _over(contest, cores) as best:
        for (_, count), found in zip(todo, best([place for place, _ in todo]), strict=True):
            at.done += 1
            for total, one in zip(at.sums, found, strict=True):
                total.add(one, count)
            if time.monotonic() - saved > CHECKPOINT or at.done == len(classes):
                saved = time.monotonic()
                file.parent.mkdir(parents=True, exist_ok=True)
                file.with_suffix(".part").write_bytes(msgspec.json.encode(at))
                file.with_suffix(".part").replace(file)
                left = (saved - since) / (at.done - first) * (len(classes) - at.done)
                _say(f"{at.done:,} of {len(classes):,} classes, about {left / 60:.0f} minutes left")
    return at.sums


@contextmanager
def _over(contest: Contest, cores: int) -> Iterator[Callable[[Sequence[int]], Iterable[list[Sums]]]]:
    """Look at hands one after another, in this process or in several that have its memory."""
    if cores == 1:
        yield lambda places: map(contest.best, places)
        return
    _shared.append(contest)  # before the fork: hands are not sent
    with get_context("fork").Pool(cores) as pool:
        yield lambda places: pool.imap(_best_shared, places, chunksize=16)
    _shared.clear()


_shared: list[Contest] = []


def _best_shared(place: int) -> list[Sums]:
    return _shared[0].best(place)


READINGS: Final[Mapping[str, Sequence[Choice]]] = {
    "caribbean-stud": ({},),
    "four-card-prime": (
        {},
        {"win-bonus-for-one": "pays-n-less-one"},
        {"win-bonus-on-tie": "definition"},
        {"same-rank-comparison": "tie"},
    ),
    "cajun-stud": ({}, {"ev-ties": "smaller-wager"}),
}
"""The readings that change what the required wagers come to, one at a time."""


def terms_of(game: str) -> list[list[Terms]]:
    """Return the terms of a game's required wagers, those together that order hands alike."""
    groups: list[list[Terms]] = []
    for letter in letters_of(game)[GAMES[game].required]:
        for choice in READINGS[game]:
            terms = terms_for(game, {GAMES[game].required: letter}, choice)
            for group in groups:
                if _orders(group[0]) == _orders(terms):
                    group.append(terms)
                    break
            else:
                groups.append([terms])
    return groups


def _orders(terms: Terms) -> list[Ranking]:
    contest = terms.game.contest
    return [terms.evaluators[name].ranking for name in (contest.ranking, contest.qualifying) if name] if contest else []


def main(names: Sequence[str]) -> int:
    """Recount the games of these names, and compare with the solver."""
    if unknown := [name for name in names if name not in GAMES]:
        print(f"There is no recount of “{unknown[0]}”; there is one of {', '.join(GAMES)}.", file=sys.stderr)  # noqa: T201
        return 2
    results = [same for game in names or GAMES for same in (*_sides(game), *_required(game))]
    _say(f"{sum(results)} of {len(results)} are the same.")
    return 0 if all(results) else 1


def _sides(game: str) -> Iterator[bool]:
    """Recount what every side wager goes by, hand by hand."""
    from pitboss.exact.tally import tally  # noqa: PLC0415 (what is checked; nothing of it takes part)

    for offer, letters in letters_of(game).items():
        terms = terms_for(
            game, {GAMES[game].required: letters_of(game)[GAMES[game].required][0], offer: letters[0]}, {}
        )
        sizes = {place.name: place.cards for place in terms.game.places}
        for wager in terms.game.initial:
            if wager.offer == offer and isinstance(wager.by, ByTable) and offer != GAMES[game].required:
                evaluate = terms.evaluators[terms.rankings[wager.by.paytable]]
                size = sum(sizes[place] for place in wager.by.places)
                counted = names_of(evaluate, size)
                same = counted == {hand.name: hand.deals for hand in tally(evaluate.ranking, size)}
                _say(json.dumps({"game": game, "wager": wager.name, "counts": counted, "same": same}))
                yield same


def _required(game: str) -> Iterator[bool]:
    """Recount the required wagers under every paytable and reading."""
    from pitboss.exact.analyze import base  # noqa: PLC0415 (what is checked; nothing of it takes part)

    code = source_hash("cards.py", "ranking", "games", "rulebook", "exact/recount.py")
    data = source_hash("rulebook/data", pattern="*.toml")
    for number, group in enumerate(terms_of(game)):
        _say(f"{game}: evaluating every hand")
        if not GAMES[game].contest:
            found = recount_board(group)
        else:
            file = folder() / f"recount-{game}-{number}-{code[:12]}-{data[:12]}.json"
            found = recount(Contest(group), file, os.cpu_count() or 1)
        for terms, sums in zip(group, found, strict=True):
            solved = base(terms, STAKE)
            theirs = (solved.deals, int(solved.net * STAKE), int(solved.average_wager * solved.deals * STAKE))
            same = (sums.deals, sums.net, sums.wagered) == theirs
            told = {
                "game": game,
                "paytable": terms.letters,
                "readings": _unusual(terms),
                **msgspec.structs.asdict(sums),
            }
            _say(json.dumps({**told, "same": same}))
            yield same


def _unusual(terms: Terms) -> dict[str, str]:
    return {name: option for name, option in terms.readings.items() if rulebook().reading(name).default != option}


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 (progress, and what was found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
