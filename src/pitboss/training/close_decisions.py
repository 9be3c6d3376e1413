"""Hands with close decisions: the best is hardly better than the next, or the known rule of thumb is wrong.

The first use looks at every hand of a game, and caches the hands with close decisions and how often each is dealt.
Hands are chosen without a payout limit and graded with it. Needs numpy and numba.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK, Card
from pitboss.exact import duel, staged
from pitboss.exact.advice import LimitAtWager, Situation, advise, best_option
from pitboss.exact.payoffs import STAKE, letters_of, terms_for
from pitboss.exact.rules_of_thumb import RulesOfThumb, VisibleSituation
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.exact.threshold_strategy import choices_by_rule
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, GAMES, Terms
from pitboss.training.player import PlayerHand, rename_suits

CLOSE_MARGINS: Final = {1: Fraction(1, 20), 3: Fraction(1, 10)}
"""By the number of decisions: the most that the second-best choice costs in a close decision, in Antes."""
SAMPLE: Final = 20_000
"""The number of hands per board decision that are compared with the rule of thumb."""
FEW: Final = 100
"""Fewer hands than this that the rule of thumb gets wrong are drawn together with the close ones."""
CHUNK: Final = 8_192
Numbers = NDArray[np.int64]


class DrillRules(NamedTuple):
    """The rules that determine the EV of a hand: the game, the paytable of its required wager, the readings."""

    game: str
    letter: str | None
    readings: tuple[tuple[str, str], ...]

    @property
    def terms(self) -> Terms:
        """The terms of the required wager alone."""
        required = GAMES[self.game].required
        letter = self.letter or letters_of(self.game)[required][0]
        return terms_for(self.game, {required: letter}, dict(self.readings))


class HandGroup(NamedTuple):
    """Hands that are close for one reason at one decision."""

    cards: NDArray[np.uint8]
    """One hand per row: the player's cards, then the other visible cards."""
    raised: NDArray[np.uint8]
    """The multiples of earlier raises."""
    until: Numbers
    """Cumulative frequency of the hands up to each row."""


def worths(rules: DrillRules, hand: PlayerHand, under: LimitAtWager | None = None) -> list[tuple[int, Fraction]]:
    """Return every possible decision with a hand, and its EV in Antes."""
    seen = Situation(player=hand.player, up=hand.up, board=hand.board, raised=hand.raised)
    found = advise(rules.game, rules.letter, dict(rules.readings), seen, under)
    return [(one.multiple, one.worth) for one in found]


def draw_close_hand(rules: DrillRules, seed: str) -> PlayerHand:
    """Draw a close hand: all reasons and decisions equally likely, then hands by how often they are dealt."""
    chance = Random(seed)  # noqa: S311 (a drill must be reproducible)
    group = chance.choice(close_hands(rules))
    row = int(np.searchsorted(group.until, chance.randrange(int(group.until[-1])), side="right"))
    cards = [DECK[card] for card in group.cards[row].tolist()]
    return rename_suits(_player_hand(rules, cards, group.raised[row].tolist()), chance)


def any_hand(rules: DrillRules, seed: str) -> PlayerHand:
    """Draw any hand, at a decision that best play reaches."""
    chance = Random(seed)  # noqa: S311 (as above)
    sees = [sum(seen.values()) for seen in visible_cards_at_decisions(rules.game, dict(rules.readings))]
    own = _own(rules.game)
    cards, raised = chance.sample(DECK, own + max(sees)), list[int]()
    for many in sees[: chance.randrange(len(sees))]:
        hand = _player_hand(rules, cards[: own + many], raised)
        seen = Situation(player=hand.player, up=hand.up, board=hand.board, raised=hand.raised)
        decision = best_option(advise(rules.game, rules.letter, dict(rules.readings), seen), larger=True)
        if decision.multiple == FOLD:
            return hand
        raised.append(decision.multiple)
    return _player_hand(rules, cards[: own + sees[len(raised)]], raised)


def _player_hand(rules: DrillRules, cards: Sequence[Card], raised: Sequence[int]) -> PlayerHand:
    own, against = _own(rules.game), bool(GAMES[rules.game].contest)
    player, besides = tuple(cards[:own]), tuple(cards[own:])
    up, board = (besides, ()) if against else ((), besides)
    return PlayerHand(game=rules.game, player=player, up=up, board=board, raised=tuple(raised))


def _own(game: str) -> int:
    return next(place.cards for place in GAMES[game].places if place.name == "player")


@cache
def close_hands(rules: DrillRules) -> tuple[HandGroup, ...]:
    """Return the close hands, calculated once per process."""
    terms = rules.terms
    groups = _in_duel(terms) if terms.game.contest else _in_stages(terms)
    return tuple(group for group in groups if len(group.until))


def _group(cards: NDArray[np.integer], raised: NDArray[np.integer], weight: NDArray[np.integer]) -> HandGroup:
    return HandGroup(cards.astype(np.uint8), raised.astype(np.uint8), np.cumsum(weight.astype(np.int64)))


def _margin(values: Numbers) -> Numbers:
    """Return, for each column, the difference between the best and the second-best value."""
    ordered = np.sort(values, axis=0)
    return np.asarray(ordered[-1] - ordered[-2])


def _in_duel(terms: Terms) -> Iterator[HandGroup]:
    """Yield the close hands against a dealer, and those that the rule of thumb gets wrong."""
    solved, thumb = duel.solve(terms, STAKE), RulesOfThumb(terms)
    found = solved.duel
    said = _by_own_hand(thumb, solved)
    close: list[NDArray[np.int64]] = []
    wrong: list[NDArray[np.int64]] = []
    for first in range(0, len(found.hand_index), CHUNK):
        rows = np.arange(first, min(first + CHUNK, len(found.hand_index)))
        counts, place = found.counts[rows].astype(np.int64), found.hand_index[rows]
        values = np.stack([(counts * pay[place][:, None, :]).sum(axis=2) for pay in solved.nets])
        deals = counts.sum(axis=2)
        margin, limit = _margin(values), CLOSE_MARGINS[1]
        hard = (deals > 0) & (margin > 0) & (margin * limit.denominator <= deals * (STAKE * limit.numerator))
        chosen = np.take_along_axis(values, said[rows][None, :, None], axis=0)[0]
        offset = np.array([first, 0], np.int64)
        close.append(np.argwhere(hard) + offset)
        wrong.append(np.argwhere((deals > 0) & (chosen < values.max(axis=0))) + offset)
    for pairs in map(np.concatenate, (close, wrong)):
        row, up = pairs.T
        cards = found.player.cards[row]
        seen = np.hstack([cards, up[:, None]]) if found.has_up_card else cards
        yield _group(seen, np.zeros((len(row), 0), np.uint8), found.player.weight[row])


def _by_own_hand(thumb: RulesOfThumb, solved: duel.DuelSolution) -> Numbers:
    """Return, for each class of hands, the index of the decision by the best-known rule, which ignores the up-card."""
    return choices_by_rule(solved, thumb.strategies[0])[:, 0].astype(np.int64)


def _in_stages(terms: Terms) -> Iterator[HandGroup]:
    """Yield the close hands on a board at each decision, and those that the rule of thumb gets wrong."""
    solved, thumb = staged.solve(terms, STAKE), RulesOfThumb(terms)
    for cards, raised, weight, values in (_first(solved), _second(solved), _third(solved)):
        deals = int(np.prod(staged.UNSEEN_CARDS_BY_STAGE[raised.shape[1] :]))
        margin, limit = _margin(values), CLOSE_MARGINS[3]
        hard = (margin > 0) & (margin * limit.denominator <= deals * STAKE * limit.numerator)
        sample = np.random.default_rng(0).permutation(len(cards))[:SAMPLE]
        wrong = sample[[_rule_errs(thumb, solved, cards[row], raised[row], values[:, row]) for row in sample]]
        if len(wrong) < FEW:
            hard[wrong] = True
            wrong = wrong[:0]
        yield _group(cards[hard], raised[hard], weight[hard])
        yield _group(cards[wrong], raised[wrong], weight[wrong])


def _rule_errs(
    thumb: RulesOfThumb,
    solved: staged.StagedSolution,
    cards: NDArray[np.integer],
    raised: NDArray[np.integer],
    values: Numbers,
) -> bool:
    held = tuple(DECK[card] for card in cards.tolist())
    line = thumb.line(thumb.strategies[0], VisibleSituation(held[:2], (), held[2:], tuple(raised.tolist())))
    option = solved.multiples.index(line.multiple) + 1 if line.multiple else 0
    return bool(values[option] < values.max())


_Stage = tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.integer], Numbers]
"""Hands that best play reaches: cards, raises, frequency, and the EV by decision and hand."""


def _first(solved: staged.StagedSolution) -> _Stage:
    pairs = list_suit_classes(2)
    fold = np.full(len(pairs.cards), int(np.prod(staged.UNSEEN_CARDS_BY_STAGE)) * solved.pays.folds[0])
    return pairs.cards, np.zeros((len(fold), 0), np.uint8), pairs.weight, np.vstack([fold, solved.worth[0].T])


def _second(solved: staged.StagedSolution) -> _Stage:
    pairs, multiples = list_suit_classes(2), np.array(solved.multiples)
    row, one = np.nonzero((solved.first[:, None] > 0) & _free(pairs.cards))
    raise_1 = solved.first[row] - 1
    fold = int(np.prod(staged.UNSEEN_CARDS_BY_STAGE[1:])) * solved.pays.folds[1][raise_1]
    values = np.vstack([fold, solved.worth[1][row, one, raise_1].T])
    return np.column_stack([pairs.cards[row], one]), multiples[raise_1][:, None], pairs.weight[row], values


def _third(solved: staged.StagedSolution) -> _Stage:
    pairs, multiples = list_suit_classes(2), np.array(solved.multiples)
    free = _free(pairs.cards)
    row, one, two = np.nonzero((solved.first[:, None, None] > 0) & free[:, :, None] & free[:, None, :])
    raise_1 = solved.first[row] - 1
    goes_on = (one != two) & (solved.second[row, one, raise_1] > 0)
    row, one, two, raise_1 = (part[goes_on] for part in (row, one, two, raise_1))
    raise_2 = solved.second[row, one, raise_1] - 1
    finals = staged.final_hand_counts(solved.ranking)[row, one, two].astype(np.int64)
    fold = staged.UNSEEN_CARDS_BY_STAGE[2] * solved.pays.folds[2][raise_1, raise_2]
    values = np.vstack([fold, np.einsum("nh,nch->cn", finals, solved.pays.hands[raise_1, raise_2])])
    raised = np.column_stack([multiples[raise_1], multiples[raise_2]])
    return np.column_stack([pairs.cards[row], one, two]), raised, pairs.weight[row], values


def _free(pairs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return, for each pair, which cards are not in it."""
    held: NDArray[np.bool_] = (np.arange(len(DECK))[None, :, None] == pairs[:, None, :]).any(axis=2)
    return ~held
