"""Recount a game of player against dealer: each player hand against every dealer hand."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact.payoffs import STAKE, lay_out_cards
from pitboss.exact.recount.hands import every_hand, order_by_strength
from pitboss.exact.recount.sums import Sums
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, Terms, settle, stakes


class ContestRecount:
    """A recount of a game of player against dealer, hand by hand.

    It handles several terms at once if they differ only in pays, not in the order of hands.
    """

    def __init__(self, tables: Sequence[Terms], *, by_class: bool = False) -> None:
        """Evaluate all player and dealer hands; with `by_class`, one per suit class."""
        terms = tables[0]
        contest = terms.game.contest
        assert contest
        self.tables, self.terms, self.contest = tables, terms, contest
        sizes = {place.name: place.cards for place in terms.game.places}
        evaluate = terms.evaluators[contest.ranking]
        self.players = every_hand(evaluate, sizes[contest.player[0]], by_class=by_class)
        same = sizes[contest.player[0]] == sizes[contest.dealer[0]]
        self.dealers = self.players if same else every_hand(evaluate, sizes[contest.dealer[0]], by_class=by_class)
        self.low = np.zeros(len(self.dealers.order), bool)
        if contest.qualifying:
            qualify = terms.evaluators[contest.qualifying]
            worst = qualify.ranking.hands[-1]
            hands = ([DECK[card] for card in held] for held in self.dealers.cards.tolist())
            self.low = np.fromiter((qualify(held).hand is worst for held in hands), bool, len(self.low))
        self.strengths = order_by_strength(self.dealers, self.low)
        self.up_card = bool(visible_cards_at_decisions(terms.game.name, terms.readings)[0])
        self.examples: dict[tuple[str, int], tuple[Card, ...]] = {}
        self.paid: list[dict[tuple[str, int, int], tuple[int, int]]] = [{} for _ in tables]

    def ends(self, player: int) -> NDArray[np.int64]:
        """Count, by up-card or in one row, how often the dealer does not qualify, is lower, equal or higher."""
        free = self.strengths.free_of(self.players.cards[player])
        hands = free & self.strengths.holding if self.up_card else free[None, :]
        return self.strengths.ends(hands, int(self.players.order[player]))

    def pays(self, table: int, player: int, end: int, multiple: int) -> tuple[int, int]:
        """Return, from `settle`, the pay of an end for this hand, using an example dealer hand."""
        terms, paid = self.tables[table], self.paid[table]
        mine = tuple(DECK[card] for card in self.players.cards[player])
        name = terms.evaluators[self.contest.ranking](mine).hand.name
        if (name, end, multiple) not in paid:
            if (name, end) not in self.examples:
                self.examples[name, end] = (*mine, *self._dealt(player, end))
            hands = lay_out_cards(terms, (*self.contest.player, *self.contest.dealer), self.examples[name, end])
            wagers = {terms.game.required: STAKE}
            net = sum(line.net for line in settle(terms, hands, wagers, [multiple]))
            paid[name, end, multiple] = net, sum(stakes(terms, wagers, [multiple]).values())
        return paid[name, end, multiple]

    def _dealt(self, player: int, end: int) -> Iterator[Card]:
        """Return a dealer hand that leads to this end against the player's."""
        order, worth = self.dealers.order, self.players.order[player]
        wanted = (self.low, ~self.low & (order < worth), ~self.low & (order == worth), ~self.low & (order > worth))
        free = wanted[end] & ((self.dealers.bits & self.players.bits[player]) == 0)
        return (DECK[card] for card in self.dealers.cards[free.argmax()])

    def best(self, player: int) -> list[Sums]:
        """Return the sums of the best decisions with one hand, for each of the terms."""
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
