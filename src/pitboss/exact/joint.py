"""A patron's whole combination of wagers on one deal: what they come to together, so that correlations count.

Every wager looks at the same cards; a hand that wins one often wins another. Decisions are the best for all
of them together, since a fold may forfeit more than the Ante. Meters are at their seeds.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.exact import duel, sides, staged
from pitboss.exact.analyze import CODE
from pitboss.exact.classes import SUITS, Classes, classes
from pitboss.exact.distribution import Distribution, Outcome
from pitboss.exact.draws import four_apart, one_more
from pitboss.exact.payoffs import table_of
from pitboss.exact.sweep import by_up_card, from_lowest
from pitboss.games import FOLD, Balances, Terms
from pitboss.kept import kept, source_hash
from pitboss.money import DOLLAR, dollars
from pitboss.ranking import Ranking
from pitboss.ranking.batch import KEYS, Cards, compiled, evaluate_many
from pitboss.ranking.symmetry import Renaming, told_apart

MOST: Final = 1_000_000 * DOLLAR
"""Cents of one wager, so that all sums fit."""
PLAYER: Final = ("player",)
Cell = tuple[int, int]
"""Net and all that was wagered, in cents."""


class Tally:
    """Deals by what they come to."""

    def __init__(self) -> None:
        self.cells: dict[Cell, int] = {}

    def add(self, net: NDArray[np.int64], wagered: int, deals: NDArray[np.int64]) -> None:
        """Add deals that come to these results."""
        values, place = np.unique(net, return_inverse=True)
        sums = np.zeros(len(values), np.int64)
        np.add.at(sums, place.ravel(), deals)
        for value, count in zip(values.tolist(), sums.tolist(), strict=True):
            if count:
                self.cells[value, wagered] = self.cells.get((value, wagered), 0) + count

    def distribution(self, stake: int, times: int) -> Distribution:
        """Return what was added, where every deal was counted so many times."""
        assert all(count % times == 0 for count in self.cells.values()), "a class was seen in other ways than there are"
        return Distribution(
            stake=stake,
            outcomes=tuple(
                Outcome(f"{dollars(net)} with {dollars(wagered)} wagered", count // times, net, wagered)
                for (net, wagered), count in sorted(self.cells.items())
            ),
        )


def together(terms: Terms, wagers: Mapping[str, int], done: Callable[[], object] = lambda: None) -> Distribution:
    """Return what these wagers, in cents by name, come to together under the best decisions; worked out once."""
    made = {name: amount for name, amount in sorted(wagers.items()) if amount}
    _insist(terms, made)
    work = _in_contest if terms.game.contest else _on_board
    data = source_hash("rulebook/data", pattern="*.toml")
    agreed = (terms.game.name, sorted(terms.letters.items()), sorted(terms.readings.items()), terms.payout_limit)
    return kept(("joint", agreed, made, data), *CODE, of=Distribution, make=lambda: work(terms, made, done))


def steps_of(terms: Terms, wagers: Mapping[str, int]) -> int:
    """Return how many steps `together` takes, for showing progress."""
    if not terms.game.contest:
        return len(classes(2).weight)
    known = [table_of(terms, name) for name in wagers if name != terms.game.required]
    players = [ranking for ranking, by in known if by.places[0] == PLAYER[0]]
    drawn = any(len(by.places) > 1 for _, by in known)
    return len(told_apart(players)) * (len(DECK) if drawn else 1)


def _insist(terms: Terms, made: Mapping[str, int]) -> None:
    """Refuse wagers that are none, too high, or that no meter is for."""
    game = terms.game
    if game.required not in made:
        raise Mistake(f"There is no {game.required} among these wagers, and without it no other is taken.")
    if max(made.values()) > MOST:
        raise Mistake(f"Wagers of up to {dollars(MOST)} are worked out together.")
    feeding = [name for name in made if game.wager(name).by.paytable in terms.meters]
    if odd := [name for name in feeding if made[name] % DOLLAR]:
        raise Mistake(f"A meter is seeded for whole dollars of the wager; {odd[0]} is none.")


def _nets(terms: Terms, wager: str, stake: int, ranking: Ranking, meters: Balances | None = None) -> NDArray[np.int64]:
    """Return what each hand of a side wager's ranking comes to, in cents."""
    by_name = sides.nets(terms, wager, stake, meters)
    return np.array([by_name.get(hand.name, 0) for hand in ranking.hands])


def _in_contest(terms: Terms, made: Mapping[str, int], done: Callable[[], object]) -> Distribution:
    contest, stake = terms.game.contest, made[terms.game.required]
    assert contest
    solved = duel.solve(terms, stake)
    extra = [name for name in made if name != terms.game.required]
    where = {name: table_of(terms, name)[1].places for name in extra}
    own = [name for name in extra if where[name] == PLAYER]
    dealers = {name: made[name] for name in extra if where[name] == contest.dealer}
    drawn = [name for name in extra if name not in (*own, *dealers)]
    after = {name: made[name] for name in own if any(_on_one_meter(terms, made, name, other) for other in dealers)}
    capped = {name: made[name] for name in own if drawn and _limited_in_sum(terms, name, drawn[0])}
    apart = [name for name in own if name not in {*after, *capped}]
    if len(drawn) > 1 or (drawn and solved.duel.up_card):
        raise Mistake(f"{' and '.join(drawn)} cannot be worked out together with the rest.")
    ways = told_apart([table_of(terms, name)[0] for name in (*own, *drawn)])
    found, initial = Tally(), sum(made.values())
    for way in ways:
        raised, folded = _own_nets(terms, apart, made, _renamed(solved.duel.player.cards, way))
        play = _Play(solved, _choices(terms, solved, raised - folded, stake), raised, folded, initial)
        if drawn:
            _with_one_card(found, terms, play, {**capped, drawn[0]: made[drawn[0]]}, way, done)
        elif dealers:
            _with_dealers(found, terms, play, dealers, after)
        else:
            _accumulate(found, play, solved.duel.counts.astype(np.int64))
        if not drawn:
            done()
    return found.distribution(initial, len(ways))


class _Play(NamedTuple):
    """The decisions, and what the player's own cards bring besides for who raises and for who folds."""

    solved: duel.Solved
    choices: NDArray[np.uint8]
    raised: NDArray[np.int64]
    folded: NDArray[np.int64]
    initial: int


def _renamed(cards: Cards, way: Renaming) -> Cards:
    return np.ascontiguousarray(cards - cards % SUITS + np.array(way, np.uint8)[cards % SUITS])


def _own_nets(
    terms: Terms, own: list[str], made: Mapping[str, int], cards: Cards
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what wagers on the player's cards come to for each hand, if he raises and if he folds."""
    raised, folded = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    for name in own:
        ranking, _ = table_of(terms, name)
        net = _nets(terms, name, made[name], ranking)[evaluate_many(ranking, cards).place]
        raised += net
        folded += net if terms.game.wager(name).survives_fold else -made[name]
    return raised, folded


def _choices(terms: Terms, solved: duel.Solved, more: NDArray[np.int64], stake: int) -> NDArray[np.uint8]:
    """Return the best decisions when raising brings so much more, or less, besides."""
    of = solved.duel
    dealt = of.counts.sum(axis=2, dtype=np.int64)
    assert (int(np.abs(solved.payoffs).max()) + int(np.abs(more).max())) * int(dealt.max()) < 2**63, "it would not fit"
    larger = terms.readings["ev-ties"] == "larger-wager"
    best, choices = -stake * dealt, np.zeros(dealt.shape, np.uint8)
    for option in range(1, len(solved.options)):
        pays = solved.payoffs[option][of.place]
        worth = np.einsum("rue,re->ru", of.counts, pays, dtype=np.int64, casting="safe") + dealt * more[:, None]
        better = worth >= best if larger else worth > best
        best, choices = np.where(better, worth, best), np.where(better, option, choices).astype(np.uint8)
    return choices


def _accumulate(found: Tally, play: _Play, counts: NDArray[np.int64], extra: NDArray[np.int64] | int = 0) -> None:
    """Add deals by class, up-card and end: what decisions lead to, and what other wagers bring besides."""
    of, stake = play.solved.duel, play.solved.distribution.stake
    for option, multiple in enumerate(play.solved.options):
        taken = (play.choices == option).astype(np.int64)
        deals = np.einsum("ru,rue->re", taken, counts) * of.player.weight[:, None]
        besides = (play.raised if multiple != FOLD else play.folded) + extra
        for end in range(deals.shape[1]):
            rows = np.flatnonzero(deals[:, end])
            pays = play.solved.payoffs[option][of.place[rows], end]
            found.add(pays + besides[rows], play.initial + multiple * stake, deals[rows, end])


def _on_one_meter(terms: Terms, made: Mapping[str, int], one: str, other: str) -> bool:
    """Tell whether two wagers win off one meter, so that one finds what the other left; each amount has its own."""
    tables = {terms.game.wager(name).by.paytable for name in (one, other)}
    return len(tables) == 1 and tables <= terms.meters.keys() and made[one] == made[other]


def _limited_in_sum(terms: Terms, one: str, other: str) -> bool:
    """Tell whether the payout limit is on two wagers in sum."""
    limit = terms.game.limit
    return terms.payout_limit is not None and limit is not None and {one, other} <= set(limit.wagers)


def _with_dealers(found: Tally, terms: Terms, play: _Play, made: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Add deals by what the dealer's hand pays: such wagers survive a fold, and change no decision.

    What the dealer's hand wins off a meter is gone when wagers `after` it have their turn.
    """
    contest, of = terms.game.contest, play.solved.duel
    assert contest
    ((dealers, amount),) = made.items()
    assert all(terms.game.wager(name).survives_fold for name in (dealers, *after)), "decisions would change"
    hands = classes(of.player.cards.shape[1])
    order = evaluate_many(of.ranking, hands.cards).order.astype(np.int64)
    qualifying = terms.evaluators[contest.qualifying].ranking
    low = evaluate_many(qualifying, hands.cards).place == len(qualifying.hands) - 1
    ranking, _ = table_of(terms, dealers)
    place, nets = evaluate_many(ranking, hands.cards).place, _nets(terms, dealers, amount, ranking)
    for number in np.unique(place).tolist():
        chosen = place == number
        dealer = from_lowest(Classes(hands.cards[chosen], hands.weight[chosen]), order[chosen])
        counts = by_up_card(of.player, dealer, int(low[chosen].sum()), whole=False)
        net = np.full(len(of.player.cards), nets[number])
        left = sides.left_by(terms, dealers, amount, ranking.hands[number].name) if after else None
        for name, stake in after.items():
            own, _ = table_of(terms, name)
            net += _nets(terms, name, stake, own, left)[evaluate_many(own, of.player.cards).place]
        _accumulate(found, play, counts.astype(np.int64), net)


def _with_one_card(  # noqa: PLR0913, PLR0917 (one wager more, on one card more)
    found: Tally, terms: Terms, play: _Play, made: Mapping[str, int], way: Renaming, done: Callable[[], object]
) -> None:
    """Add deals by the card that the last of these wagers adds to the player's: the dealer has not got that one.

    Others with it, on the player's cards alone, are those whose pay has one limit with its.
    """
    of, (*others, wager) = play.solved.duel, made
    ranking, by = table_of(terms, wager)
    sizes = {place.name: place.cards for place in terms.game.places}
    if by.places[0] != PLAYER[0] or sum(sizes[place] for place in by.places[1:]) != 1:
        raise Mistake(f"{wager} cannot be worked out together with the rest.")
    assert all(terms.game.wager(name).survives_fold for name in made), "decisions would change"
    hands = classes(sizes[terms.game.contest.dealer[0]])  # type: ignore[union-attr]
    dealer = from_lowest(hands, evaluate_many(of.ranking, hands.cards).order.astype(np.int64))
    held = by_up_card(of.player, dealer, 0)
    nets, mine = _nets(terms, wager, made[wager], ranking)[None, :], np.zeros(len(of.player.cards), np.int64)
    if others:
        nets = sides.nets_of_two(terms, made)
        own, _ = table_of(terms, others[0])
        mine = evaluate_many(own, _renamed(of.player.cards, way)).place.astype(np.int64)
    for card in range(len(DECK)):
        free = ~(of.player.cards == card).any(axis=1)
        counts = np.where(free[:, None], of.counts[:, 0].astype(np.int64) - held[:, card], 0)
        cards = np.hstack([of.player.cards, np.full((len(free), 1), card, np.uint8)])
        net = np.zeros(len(free), np.int64)
        net[free] = nets[mine[free], evaluate_many(ranking, _renamed(cards[free], way)).place]
        _accumulate(found, play, counts[:, None, :], net)
        done()


def _on_board(terms: Terms, made: Mapping[str, int], done: Callable[[], object]) -> Distribution:
    """Play every two cards of each class through every board in its order."""
    stake = made[terms.game.required]
    solved, pairs = staged.solve(terms, stake), classes(2)
    extra = {name: amount for name, amount in made.items() if name != terms.game.required}
    known = [(name, *table_of(terms, name)) for name in extra]
    shared = [(name, ranking, by.places) for name, ranking, by in known if set(by.places) <= {"player", "board"}]
    apart = [(name, ranking, by.places) for name, ranking, by in known if not set(by.places) <= {"player", "board"}]
    if len(apart) > 1:
        raise Mistake(f"{' and '.join(name for name, *_ in apart)} cannot be worked out together with the rest.")
    ways = told_apart([ranking for _, ranking, _ in known])
    found, initial, threes = Tally(), sum(made.values()), all_boards()
    for row, (cards, weight) in enumerate(zip(pairs.cards, pairs.weight.tolist(), strict=True)):
        rest = np.array([card for card in range(len(DECK)) if card not in cards], np.uint8)
        board = rest[threes]
        dealt = np.hstack([np.tile(cards, (len(board), 1)), board])
        besides = np.zeros(len(board), np.int64)
        for name, ranking, places in shared:
            columns = [c for place in places for c in ((0, 1) if place == "player" else (2, 3, 4))]
            hands = np.ascontiguousarray(dealt[:, columns])
            besides += _nets(terms, name, extra[name], ranking)[evaluate_many(ranking, hands).place]
        final = evaluate_many(solved.ranking, dealt).place
        drawn = [(0, np.full(len(board), weight * len(ways)))]
        if apart:
            name, ranking, places = apart[0]
            nets = _nets(terms, name, extra[name], ranking)
            drawn = _drawn(ranking, nets, cards, rest, ways, with_board="board" in places)
            drawn = [(net, weight * deals) for net, deals in drawn]
        for order in permutations(range(3)):
            one, two = board[:, order[0]], board[:, order[1]]
            for net, deals in drawn:
                _played(found, solved, row, (one, two, final), besides + net, (initial, deals))
        done()
    return found.distribution(initial, len(ways))


def _drawn(  # noqa: PLR0913 (one wager, and the cards it is dealt)
    ranking: Ranking,
    nets: NDArray[np.int64],
    pair: Cards,
    rest: Cards,
    ways: Sequence[Renaming],
    *,
    with_board: bool,
) -> list[tuple[int, NDArray[np.int64]]]:
    """Return how many deals of a wager's own cards come to each net, for every board; summed over renamings."""
    values, place = np.unique(nets, return_inverse=True)
    counts = np.zeros((len(all_boards()), len(values)), np.int64)
    for way in ways:
        names = np.array(way, np.uint8)
        mine, others = (cards - cards % SUITS + names[cards % SUITS] for cards in (pair, rest))
        count = one_more if with_board else four_apart
        counts += count(mine, others, KEYS, place.ravel(), len(ranking.hands), compiled(ranking, 6), all_boards())
    return [(int(value), counts[:, number]) for number, value in enumerate(values)]


@cache
def all_boards() -> NDArray[np.int64]:
    """Return every three of fifty cards, by their places."""
    return np.array(list(combinations(range(50), 3)))


def _played(  # noqa: PLR0913, PLR0917 (one pair, its boards and what they bring)
    found: Tally,
    solved: staged.Solved,
    row: int,
    board: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]],
    besides: NDArray[np.int64],
    money: tuple[int, NDArray[np.int64]],
) -> None:
    """Add the boards of one class of the player's, revealed in one order, each so many times."""
    one, two, final = board
    initial, deals = money
    stake, multiples = solved.distribution.stake, solved.multiples
    fold, second_fold, third_fold = solved.pays.folds
    first = int(solved.first[row])
    if not first:
        found.add(fold + besides, initial, deals)
        return
    a = first - 1
    second = solved.second[row, one, a].astype(np.int64)
    gone = second == 0
    found.add(second_fold[a] + besides[gone], initial + stake * multiples[a], deals[gone])
    for b in range(len(multiples)):
        third = np.where(second == b + 1, solved.third[row, one, two, a, b].astype(np.int64), -1)
        for choice in range(len(multiples) + 1):
            here = third == choice
            raised = multiples[a] + multiples[b] + (multiples[choice - 1] if choice else 0)
            pays = (
                solved.pays.hands[a, b, choice - 1][final[here]]
                if choice
                else np.full(int(here.sum()), third_fold[a, b])
            )
            found.add(pays + besides[here], initial + stake * raised, deals[here])
