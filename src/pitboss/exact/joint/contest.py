"""Joint results in games of player against dealer."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.exact import duel, side_wagers
from pitboss.exact.dealer_counts import Counts, count_by_up_card, sort_ascending
from pitboss.exact.distribution import Distribution
from pitboss.exact.joint.result_tally import ResultTally, joint_net_by_hand, sum_over_threads
from pitboss.exact.payoffs import table_wager
from pitboss.exact.suit_classes import SUITS, Classes, list_suit_classes
from pitboss.games import FOLD, Terms
from pitboss.ranking.batch import Cards, evaluate_many
from pitboss.ranking.symmetry import Renaming, distinct_renamings

PLAYER: Final = ("player",)


def play_contest(terms: Terms, made: Mapping[str, int], done: Callable[[], object]) -> Distribution:
    """Play every class of player hands against every dealer hand."""
    contest, stake = terms.game.contest, made[terms.game.required]
    assert contest
    solved = duel.solve(terms, stake)
    extra = [name for name in made if name != terms.game.required]
    where = {name: table_wager(terms, name)[1].places for name in extra}
    own = [name for name in extra if where[name] == PLAYER]
    dealers = {name: made[name] for name in extra if where[name] == contest.dealer}
    drawn = [name for name in extra if name not in (*own, *dealers)]
    after = {name: made[name] for name in own if any(_share_meter(terms, made, name, other) for other in dealers)}
    capped = {name: made[name] for name in own if drawn and _share_payout_limit(terms, name, drawn[0])}
    apart = [name for name in own if name not in {*after, *capped}]
    if len(drawn) > 1 or (drawn and solved.duel.has_up_card):
        raise Mistake(f"{' and '.join(drawn)} cannot be calculated together with the other wagers.")
    ways = distinct_renamings([table_wager(terms, name)[0] for name in (*own, *drawn)])
    found, initial = ResultTally(), sum(made.values())
    held = _by_dealers_card(terms, solved.duel) if drawn else solved.duel.counts
    for way in ways:
        raised, folded = _own_nets(terms, apart, made, _rename_suits(solved.duel.player.cards, way))
        play = _Play(solved, _choices(terms, solved, raised - folded, stake), raised, folded, initial)
        if drawn:
            found.merge(_tally_extra_card(terms, play, {**capped, drawn[0]: made[drawn[0]]}, way, held, done))
            continue
        found.merge(
            _tally_dealer_wagers(terms, play, dealers, after)
            if dealers
            else _tally_results(play, held.astype(np.int64))
        )
        done()
    return found.distribution(initial, len(ways))


class _Play(NamedTuple):
    """The decisions, and the nets of wagers on the player's own cards if he raises and if he folds."""

    solved: duel.DuelSolution
    choices: NDArray[np.uint8]
    raised: NDArray[np.int64]
    folded: NDArray[np.int64]
    initial: int


def _rename_suits(cards: Cards, way: Renaming) -> Cards:
    return np.ascontiguousarray(cards - cards % SUITS + np.array(way, np.uint8)[cards % SUITS])


def _own_nets(
    terms: Terms, own: list[str], made: Mapping[str, int], cards: Cards
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the net of wagers on the player's own cards for each hand, if he raises and if he folds."""
    raised, folded = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    for name in own:
        ranking, _ = table_wager(terms, name)
        net = joint_net_by_hand(terms, name, made[name], ranking)[evaluate_many(ranking, cards).place]
        raised += net
        folded += net if terms.game.wager(name).survives_fold else -made[name]
    return raised, folded


def _choices(terms: Terms, solved: duel.DuelSolution, more: NDArray[np.int64], stake: int) -> NDArray[np.uint8]:
    """Return the best decisions when a raise also changes the net of other wagers by `more`."""
    of = solved.duel
    dealt = of.counts.sum(axis=2, dtype=np.int64)
    assert (int(np.abs(solved.nets).max()) + int(np.abs(more).max())) * int(dealt.max()) < 2**63, "sums overflow"
    larger = terms.readings["ev-ties"] == "larger-wager"
    best, choices = -stake * dealt, np.zeros(dealt.shape, np.uint8)
    for option in range(1, len(solved.options)):
        pays = solved.nets[option][of.hand_index]
        worth = np.einsum("rue,re->ru", of.counts, pays, dtype=np.int64, casting="safe") + dealt * more[:, None]
        better = worth >= best if larger else worth > best
        best, choices = np.where(better, worth, best), np.where(better, option, choices).astype(np.uint8)
    return choices


def _tally_results(play: _Play, counts: NDArray[np.int64], extra: NDArray[np.int64] | int = 0) -> ResultTally:
    """Tally deals by class, up-card and end: the result of the decisions plus the net of other wagers."""
    of, stake, found = play.solved.duel, play.solved.distribution.stake, ResultTally()
    for option, multiple in enumerate(play.solved.options):
        taken = (play.choices == option).astype(np.int64)
        deals = np.einsum("ru,rue->re", taken, counts) * of.player.weight[:, None]
        besides = (play.raised if multiple != FOLD else play.folded) + extra
        for end in range(deals.shape[1]):
            rows = np.flatnonzero(deals[:, end])
            pays = play.solved.nets[option][of.hand_index[rows], end]
            found.add(pays + besides[rows], play.initial + multiple * stake, deals[rows, end])
    return found


def _share_meter(terms: Terms, made: Mapping[str, int], one: str, other: str) -> bool:
    """Whether two wagers are paid from the same meter, so that the first changes it for the second."""
    tables = {terms.game.wager(name).by.paytable for name in (one, other)}
    return len(tables) == 1 and tables <= terms.meters.keys() and made[one] == made[other]


def _share_payout_limit(terms: Terms, one: str, other: str) -> bool:
    """Whether the payout limit applies to the sum of two wagers."""
    limit = terms.game.limit
    return terms.payout_limit is not None and limit is not None and {one, other} <= set(limit.wagers)


def _tally_dealer_wagers(terms: Terms, play: _Play, made: Mapping[str, int], after: Mapping[str, int]) -> ResultTally:
    """Tally deals by the pay of the dealer's hand: such wagers survive a fold and change no decision.

    The dealer's hand is paid from the meter before the wagers in `after`.
    """
    contest, of = terms.game.contest, play.solved.duel
    assert contest
    ((dealers, amount),) = made.items()
    assert all(terms.game.wager(name).survives_fold for name in (dealers, *after)), "this wager would change decisions"
    hands = list_suit_classes(of.player.cards.shape[1])
    order = evaluate_many(of.ranking, hands.cards).order.astype(np.int64)
    qualifying = terms.evaluators[contest.qualifying].ranking
    low = evaluate_many(qualifying, hands.cards).place == len(qualifying.hands) - 1
    ranking, _ = table_wager(terms, dealers)
    place, nets = evaluate_many(ranking, hands.cards).place, joint_net_by_hand(terms, dealers, amount, ranking)
    found = ResultTally()
    for number in np.unique(place).tolist():
        chosen = place == number
        dealer = sort_ascending(Classes(hands.cards[chosen], hands.weight[chosen]), order[chosen])
        counts = count_by_up_card(of.player, dealer, int(low[chosen].sum()), whole=False)
        net = np.full(len(of.player.cards), nets[number])
        left = (
            side_wagers.meters_after_dealer_win(terms, dealers, amount, ranking.hands[number].name) if after else None
        )
        for name, stake in after.items():
            own, _ = table_wager(terms, name)
            net += joint_net_by_hand(terms, name, stake, own, left)[evaluate_many(own, of.player.cards).place]
        found.merge(_tally_results(play, counts.astype(np.int64), net))
    return found


def _by_dealers_card(terms: Terms, of: duel.DuelCounts) -> Counts:
    """Count the ends of every player hand by a card of the dealer; all dealer hands qualify."""
    sizes = {place.name: place.cards for place in terms.game.places}
    hands = list_suit_classes(sizes[terms.game.contest.dealer[0]])  # type: ignore[union-attr]
    dealer = sort_ascending(hands, evaluate_many(of.ranking, hands.cards).order.astype(np.int64))
    return count_by_up_card(of.player, dealer, 0)


def _tally_extra_card(  # noqa: PLR0913, PLR0917 (one more wager on one more card)
    terms: Terms,
    play: _Play,
    made: Mapping[str, int],
    way: Renaming,
    held: Counts,
    done: Callable[[], object],
) -> ResultTally:
    """Tally deals by the extra card of the last of these wagers, which the dealer's hand cannot contain.

    The others are wagers on the player's cards that share its payout limit.
    """
    of, (*others, wager) = play.solved.duel, made
    ranking, by = table_wager(terms, wager)
    sizes = {place.name: place.cards for place in terms.game.places}
    if by.places[0] != PLAYER[0] or sum(sizes[place] for place in by.places[1:]) != 1:
        raise Mistake(f"{wager} cannot be calculated together with the other wagers.")
    assert all(terms.game.wager(name).survives_fold for name in made), "this wager would change decisions"
    nets, mine = (
        joint_net_by_hand(terms, wager, made[wager], ranking)[None, :],
        np.zeros(len(of.player.cards), np.int64),
    )
    if others:
        nets = side_wagers.nets_of_two(terms, made)
        own, _ = table_wager(terms, others[0])
        mine = evaluate_many(own, _rename_suits(of.player.cards, way)).place.astype(np.int64)

    def with_card(card: int) -> ResultTally:
        free = ~(of.player.cards == card).any(axis=1)
        counts = np.where(free[:, None], of.counts[:, 0].astype(np.int64) - held[:, card], 0)
        cards = np.hstack([of.player.cards, np.full((len(free), 1), card, np.uint8)])
        net = np.zeros(len(free), np.int64)
        net[free] = nets[mine[free], evaluate_many(ranking, _rename_suits(cards[free], way)).place]
        return _tally_results(play, counts[:, None, :], net)

    return sum_over_threads(with_card, len(DECK), done)
