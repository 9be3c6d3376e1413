"""The exact EV of every decision in one situation."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache

import msgspec
import numpy as np

from pitboss.cards import Card, distinct
from pitboss.errors import Mistake
from pitboss.exact import duel, staged
from pitboss.exact.payoffs import STAKE, letters_of, terms_for
from pitboss.exact.suit_classes import BINOMIALS, RENAMINGS, number_hands
from pitboss.games import FOLD, GAMES
from pitboss.rulebook.readings import Choice


class Option(msgspec.Struct, frozen=True):
    """One decision and its EV: the player's expected result of the round, in initial wagers."""

    multiple: int
    worth: Fraction


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that a player sees, and earlier raises."""

    player: tuple[Card, ...]
    up: tuple[Card, ...] = ()
    """The dealer's up-card, if the game has one."""
    board: tuple[Card, ...] = ()
    raised: tuple[int, ...] = ()
    """The multiples of earlier raises."""


class LimitAtWager(msgspec.Struct, frozen=True):
    """A payout limit and an initial wager, in cents."""

    limit: int
    wager: int


def advise(
    game: str, letter: str | None, readings: Choice, situation: Situation, under: LimitAtWager | None = None
) -> tuple[Option, ...]:
    """Return every decision, from the fold to the largest raise, with its EV.

    A payout limit matters only if it applies to the required wagers, and counts only those of this box.
    """
    distinct([*situation.player, *situation.up, *situation.board])
    declared = GAMES[game]
    sizes = {place.name: place.cards for place in declared.places if not place.when}
    if len(situation.player) != sizes["player"]:
        raise Mistake(f"A player has {sizes['player']} cards, not {len(situation.player)}.")
    letter = letter or letters_of(game)[declared.required][0]
    key = (game, letter, tuple(sorted(readings.items())))
    if declared.limit is None or declared.required not in declared.limit.wagers:
        under = None
    if declared.contest:
        assert under is None, "a duel has no limit on its required wagers"
        return _duel_options(key, situation)
    return _staged_options(key, situation, under)


def _duel_options(key: tuple[str, str, tuple[tuple[str, str], ...]], situation: Situation) -> tuple[Option, ...]:
    if situation.board or situation.raised:
        raise Mistake("This game has no board and only one decision.")
    solved = _duel_solution(*key)
    seen = int(solved.duel.has_up_card)
    if len(situation.up) != seen:
        raise Mistake(f"Give {'one up-card' if seen else 'no up-card'} of the dealer, not {len(situation.up)}.")
    row, names = _suit_class(situation.player)
    row = int(_rows(*key)[row])
    up = _rename_suit(situation.up[0], names) if seen else 0
    counts = solved.duel.counts[row, up].astype(object)
    pays = solved.nets[:, solved.duel.hand_index[row]].astype(object)
    worth = [Fraction(int((counts * pay).sum()), int(counts.sum()) * STAKE) for pay in pays]
    return tuple(map(Option, solved.options, worth))


def _staged_options(
    key: tuple[str, str, tuple[tuple[str, str], ...]], situation: Situation, under: LimitAtWager | None
) -> tuple[Option, ...]:
    if situation.up:
        raise Mistake("This game has no dealer cards.")
    solved = _staged_solution(*key)
    stage = len(situation.board)
    if stage > len(staged.UNSEEN_CARDS_BY_STAGE) - 1:
        raise Mistake("There is no decision after the third community card.")
    row, names = _suit_class(situation.player)
    board = [_rename_suit(card, names) for card in situation.board]
    raised = situation.raised or _best_raises(solved, row, board)
    if len(raised) != stage or any(multiple not in solved.multiples for multiple in raised):
        allowed = ", ".join(map(str, solved.multiples))
        raise Mistake(f"At this decision give {stage} earlier raises, each {allowed} times the Ante.")
    places = [solved.multiples.index(multiple) for multiple in raised]
    finals, stake = staged.final_hand_counts(solved.ranking)[row], STAKE
    if under and int(solved.pays.hands.max()) * under.wager > under.limit * STAKE:  # otherwise no pay can exceed it
        solved, stake, row = _solution_under_limit(*key, under, row), under.wager, 0
    deals = int(np.prod(staged.UNSEEN_CARDS_BY_STAGE[stage:]))
    if stage == 2:  # noqa: PLR2004 (the last)
        counts = finals[board[0], board[1]].astype(np.int64)
        worth = [int((pay * counts).sum()) for pay in solved.pays.hands[places[0], places[1]]]
    else:
        worth = [int(value) for value in (solved.worth[1][row, board[0], places[0]] if stage else solved.worth[0][row])]
    first, second, third = solved.pays.folds
    fold = int(third[places[0], places[1]] if stage == 2 else second[places[0]] if stage else first)  # noqa: PLR2004
    options = [Option(FOLD, Fraction(fold, stake))]
    return (*options, *(Option(m, Fraction(w, deals * stake)) for m, w in zip(solved.multiples, worth, strict=True)))


def previous_raises(game: str, letter: str | None, readings: Choice, situation: Situation) -> tuple[int, ...]:
    """Return the raises before the decision: those given, or those of the best decisions."""
    if situation.raised or not situation.board:
        return situation.raised
    letter = letter or letters_of(game)[GAMES[game].required][0]
    solved = _staged_solution(game, letter, tuple(sorted(readings.items())))
    row, names = _suit_class(situation.player)
    return _best_raises(solved, row, [_rename_suit(card, names) for card in situation.board])


def best_option(options: Sequence[Option], *, larger: bool) -> Option:
    """Return the best of these decisions; of equal ones the larger or smaller wager."""
    return max(options, key=lambda option: (option.worth, option.multiple if larger else -option.multiple))


def _best_raises(solved: staged.StagedSolution, row: int, board: Sequence[int]) -> tuple[int, ...]:
    """Return the raises of the best decisions so far; the lowest raise where they would fold."""
    places: list[int] = []
    for stage in range(len(board)):
        choice = int(solved.second[row, board[0], places[0]] if stage else solved.first[row])
        places.append(max(choice - 1, 0))
    return tuple(solved.multiples[place] for place in places)


def _suit_class(cards: Sequence[Card]) -> tuple[int, np.typing.NDArray[np.uint8]]:
    """Return the index of a hand's class among those of its size, and the renaming that leads to it."""
    indices = sorted(card.index for card in cards)
    names = number_hands(len(cards))
    place = int(names.start[len(cards)] + sum(BINOMIALS[index, held] for held, index in enumerate(indices, 1)))
    first = int(names.number[names.start[len(cards)] : names.start[len(cards) + 1]].min())
    return int(names.number[place]) - first, RENAMINGS[names.renaming[place]]


def _rename_suit(card: Card, names: np.typing.NDArray[np.uint8]) -> int:
    return card.index - card.index % 4 + int(names[card.index % 4])


@cache
def _duel_solution(game: str, letter: str, readings: tuple[tuple[str, str], ...]) -> duel.DuelSolution:
    return duel.solve(terms_for(game, {GAMES[game].required: letter}, dict(readings)), STAKE)


@cache
def _rows(game: str, letter: str, readings: tuple[tuple[str, str], ...]) -> np.typing.NDArray[np.int64]:
    """Return the index of each class among the sorted ones."""
    row = _duel_solution(game, letter, readings).duel.player.row
    back = np.empty_like(row)
    back[row] = np.arange(len(row))
    return back


@cache
def _staged_solution(game: str, letter: str, readings: tuple[tuple[str, str], ...]) -> staged.StagedSolution:
    return staged.solve(terms_for(game, {GAMES[game].required: letter}, dict(readings)), STAKE)


@lru_cache(256)
def _solution_under_limit(
    game: str, letter: str, readings: tuple[tuple[str, str], ...], under: LimitAtWager, row: int
) -> staged.StagedSolution:
    """Solve one class of hands under a payout limit; solving all would be too slow when the wager changes."""
    terms = terms_for(game, {GAMES[game].required: letter}, dict(readings), under.limit)
    return staged.solve(terms, under.wager, row)
