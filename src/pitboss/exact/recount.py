"""A second method, for checking the first: plain enumeration with numpy, every hand evaluated one by one.

It shares no code with the kernels. Hands are ranked by the evaluator the table uses, ends are paid by `settle`,
and nothing is cleverer than looking at all of the dealer's hands for each class of the player's.

`python -m pitboss.exact.recount [GAME]` recounts the required wagers under their first paytable: Cajun Stud in seconds,
Caribbean Stud and Four Card Prime in hours. It shows how far it is, and goes on where it was stopped.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.payoffs import STAKE, laid, terms_for
from pitboss.exact.seen import seen_at_decisions
from pitboss.games import FOLD, Terms, settle, stakes
from pitboss.kept import folder, source_hash
from pitboss.ranking import Evaluator

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

    done: int = 0
    deals: int = 0
    net: int = 0
    wagered: int = 0


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
    """A game of player against dealer, with everything needed to look at one hand after another."""

    def __init__(self, terms: Terms, *, dealers: Hands | None = None) -> None:
        contest = terms.game.contest
        assert contest
        self.terms, self.contest = terms, contest
        sizes = {place.name: place.cards for place in terms.game.places}
        evaluate = terms.evaluators[contest.ranking]
        self.players = every_hand(evaluate, sizes[contest.player[0]])
        same = sizes[contest.player[0]] == sizes[contest.dealer[0]]
        self.dealers = dealers or (self.players if same else every_hand(evaluate, sizes[contest.dealer[0]]))
        self.low = np.zeros(len(self.dealers.order), bool)
        if contest.qualifying:
            qualify = terms.evaluators[contest.qualifying]
            worst = qualify.ranking.hands[-1]
            hands = ([DECK[card] for card in held] for held in self.dealers.cards.tolist())
            self.low = np.fromiter((qualify(held).hand is worst for held in hands), bool, len(self.low))
        self.up_card = bool(seen_at_decisions(terms.game.name, terms.readings)[0])
        self.paid: dict[tuple[str, int, int], tuple[int, int]] = {}

    def ends(self, player: int) -> NDArray[np.int64]:
        """Count, for every up-card or in one row, how often the dealer fails to qualify, is below, equal and above."""
        free = np.flatnonzero((self.dealers.bits & self.players.bits[player]) == 0)
        order, mine = self.dealers.order[free], self.players.order[player]
        end = np.where(self.low[free], 0, np.where(order < mine, 1, np.where(order == mine, 2, 3)))
        if not self.up_card:
            return np.bincount(end, minlength=4)[None, :]
        cards = self.dealers.cards[free].astype(np.int64)
        return np.bincount((cards * 4 + end[:, None]).ravel(), minlength=208).reshape(52, 4)

    def pays(self, player: int, end: int, multiple: int) -> tuple[int, int]:
        """Ask `settle` what an end pays this hand, with one of the dealer's hands for an example."""
        mine = tuple(DECK[card] for card in self.players.cards[player])
        name = self.terms.evaluators[self.contest.ranking](mine).hand.name
        if (name, end, multiple) not in self.paid:
            order, worth = self.dealers.order, self.players.order[player]
            wanted = (self.low, ~self.low & (order < worth), ~self.low & (order == worth), ~self.low & (order > worth))
            free = np.flatnonzero(wanted[end] & ((self.dealers.bits & self.players.bits[player]) == 0))
            dealer = tuple(DECK[card] for card in self.dealers.cards[free[0]])
            hands = laid(self.terms, (*self.contest.player, *self.contest.dealer), (*mine, *dealer))
            wagers = {self.terms.game.required: STAKE}
            net = sum(line.net for line in settle(self.terms, hands, wagers, [multiple]))
            self.paid[name, end, multiple] = net, sum(stakes(self.terms, wagers, [multiple]).values())
        return self.paid[name, end, multiple]

    def best(self, player: int) -> Sums:
        """Return what the best decisions with one hand come to."""
        sums, larger = Sums(), self.terms.readings["ev-ties"] == "larger-wager"
        for counts in self.ends(player).tolist():
            deals = sum(counts)
            options = [(-STAKE * deals, FOLD, STAKE)]
            for multiple in self.terms.game.decisions[0].multiples if deals else ():
                paid = [self.pays(player, end, multiple) for end, count in enumerate(counts) if count]
                net = sum(count * pay for count, (pay, _) in zip(filter(None, counts), paid, strict=True))
                options.append((net, multiple, paid[0][1]))
            net, _, wagered = max(options, key=lambda option: (option[0], option[1] if larger else -option[1]))
            sums.deals += deals
            sums.net += net
            sums.wagered += wagered * deals
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
        for total, pay in zip(sums, pays, strict=True):
            net, wagered = _board_values(counts, pay)
            total.deals += 50 * 49 * 48
            total.net += net
            total.wagered += wagered
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


def _board_values(counts: NDArray[np.int64], pays: Mapping[tuple[int, ...], NDArray[np.int64]]) -> tuple[int, int]:
    """Return what the best decisions with two cards come to, and what is wagered; equals go to the larger wager."""
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
                better = total >= worth
                worth, wagered = np.where(better, total, worth), np.where(better, STAKE * (1 + a + b + c) * 48, wagered)
            seconds.append(((worth * apart).sum(axis=1), (wagered * apart).sum(axis=1)))
        net, staked = seconds[0]
        for more, stake in seconds[1:]:
            better = more >= net
            net, staked = np.where(better, more, net), np.where(better, stake, staked)
        firsts.append((int(net.sum()), int(staked.sum())))
    return max(reversed(firsts), key=lambda option: option[0])


def recount(contest: Contest, file: Path) -> Sums:
    """Go through every class of the player's hands, from where an earlier run stopped; show how far it is."""
    classes = list(classes_of(contest.players))
    sums = msgspec.json.decode(file.read_bytes(), type=Sums) if file.exists() else Sums()
    begun = saved = time.monotonic()
    first = sums.done
    for place, count in classes[first:]:
        one = contest.best(place)
        sums.done += 1
        sums.deals += count * one.deals
        sums.net += count * one.net
        sums.wagered += count * one.wagered
        if time.monotonic() - saved > CHECKPOINT or sums.done == len(classes):
            saved = time.monotonic()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.with_suffix(".part").write_bytes(msgspec.json.encode(sums))
            file.with_suffix(".part").replace(file)
            left = (saved - begun) / max(1, sums.done - first) * (len(classes) - sums.done)
            print(f"{sums.done:,} of {len(classes):,} classes, about {left / 60:.0f} minutes left", flush=True)  # noqa: T201
    return sums


def main(names: Sequence[str]) -> int:
    """Recount the games of these names, and compare with the solver."""
    letters: Mapping[str, str] = {"cajun-stud": "A", "caribbean-stud": "-", "four-card-prime": "A"}
    status = 0
    for game in names or letters:
        if game not in letters:
            print(f"There is no recount of “{game}”; there is one of {', '.join(letters)}.", file=sys.stderr)  # noqa: T201
            return 2
        print(f"{game}: evaluating every hand", flush=True)  # noqa: T201 (progress)
        terms = terms_for(game, {"ante": letters[game]}, {})
        if not terms.game.contest:
            (sums,) = recount_board([terms])
        else:
            code = source_hash("cards.py", "ranking", "games", "rulebook", "exact/recount.py")
            data = source_hash("rulebook/data", pattern="*.toml")
            file = folder() / f"recount-{game}-{code[:12]}-{data[:12]}.json"
            sums = recount(Contest(terms), file)
            file.unlink(missing_ok=True)
        from pitboss.exact.analyze import base  # noqa: PLC0415 (what is checked; nothing of it takes part)

        solved = base(terms, STAKE)
        theirs = (solved.deals, int(solved.net * STAKE), int(solved.average_wager * solved.deals * STAKE))
        same = (sums.deals, sums.net, sums.wagered) == theirs
        print(json.dumps({"game": game, "deals": sums.deals, "net": sums.net, "wagered": sums.wagered, "same": same}))  # noqa: T201
        status |= not same
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
