"""Rules of thumb from `data/rules_of_thumb.toml`: find the line that fits the visible cards, and its decision."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import msgspec

from pitboss.cards import RANKS, Card, hand
from pitboss.games import Terms
from pitboss.games.declarations import ByTable
from pitboss.games.paytable_pays import paytable_row
from pitboss.ranking import Evaluator
from pitboss.rulebook import Odds, Push
from pitboss.rulebook.toml import convert, read_toml

FILE: Final = Path(__file__).parent / "data" / "rules_of_thumb.toml"
WINS, PUSHES, LOSES = "win", "push", "lose"
STRAIGHT: Final = 5
FAR: Final = 99
"""The gaps of cards that cannot make a straight."""
ACE: Final = len(RANKS) - 1


class RuleOfThumbLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of a strategy: its conditions, its multiple (0 for a fold), and its text."""

    multiple: int
    says: str
    least: str = ""
    """Against a dealer: the hand is at least as good as these cards."""
    below: str = ""
    up: str = ""
    """The up-card is of one of these ranks."""
    matches: bool | None = None
    """The up-card has the rank of one of the player's cards."""
    holds: str = ""
    """The player has a card of one of these ranks."""
    up_below: int = 0
    """The up-card is lower than the player's card at this place; 1 is the highest."""
    stage: int | None = None
    """On a board: the number of its visible cards."""
    made: tuple[str, ...] = ()
    """The cards make a hand with one of these results."""
    suited: bool | None = None
    gaps: int | None = None
    """The most gaps to a straight."""
    outside: bool | None = None
    """The straight can grow at both ends."""
    lowest: str = ""
    highest: str = ""
    """The lowest or highest card is at least this."""
    ranks: str = ""
    """The cards have exactly these ranks."""
    among: str = ""
    """Every card has one of these ranks."""
    points: int = 0
    highs: int = 0
    mids: int = 0
    raised: int = 0
    """Minimums of: points, cards whose pair wins, cards whose pair pushes, Antes raised before."""


class Strategy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of thumb: the first line that fits decides."""

    name: str
    lines: tuple[RuleOfThumbLine, ...]
    source: str = ""
    """Where it was published, for drills."""
    rule: str = ""
    """All of it in words, for reports; they judge the strategies that have this."""
    in_drills: bool = True


class VisibleSituation(msgspec.Struct, frozen=True):
    """The cards that a player sees, and earlier raises."""

    player: tuple[Card, ...]
    up: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()
    raised: tuple[int, ...] = ()


@cache
def strategies() -> Mapping[str, tuple[Strategy, ...]]:
    """Load every game's rules of thumb."""
    return convert(read_toml(FILE), dict[str, tuple[Strategy, ...]], FILE, "")


class RulesOfThumb:
    """The rules of thumb of a table's game, from the best-known to the one nearest to best play."""

    def __init__(self, terms: Terms) -> None:
        """Prepare the evaluators of these terms."""
        self._terms = terms
        self.strategies: Final = tuple(one for one in strategies().get(terms.game.name, ()) if one.in_drills)

    def line(self, strategy: Strategy, seen: VisibleSituation) -> RuleOfThumbLine:
        """Return the line that fits the situation."""
        if self._terms.game.contest:
            return next(line for line in strategy.lines if self._against_dealer(line, seen))
        board = _Board(self._pair_results, seen)
        return next(line for line in strategy.lines if _on_board(line, board))

    @property
    def _evaluate(self) -> Evaluator:
        contest = self._terms.game.contest
        assert contest
        return self._terms.evaluators[contest.ranking]

    def _against_dealer(self, line: RuleOfThumbLine, seen: VisibleSituation) -> bool:
        order = self._evaluate(seen.player).order
        own = sorted((card.rank for card in seen.player), reverse=True)
        up = seen.up[0].rank if seen.up else None
        return (
            (not line.least or order >= self._evaluate(hand(line.least)).order)
            and (not line.below or order < self._evaluate(hand(line.below)).order)
            and (not line.up or (up is not None and up.letter in line.up))
            and (line.matches is None or line.matches == (up in own))
            and (not line.holds or any(rank.letter in line.holds for rank in own))
            and (not line.up_below or (up is not None and up < own[line.up_below - 1]))
        )

    @cached_property
    def _pair_results(self) -> Mapping[str, str]:
        return pair_results(self._terms)


def pair_results(terms: Terms) -> dict[str, str]:
    """Return the result of a pair of each rank, by the paytable of the required wager."""
    by, found = terms.game.wager(terms.game.required).by, {}
    assert isinstance(by, ByTable)
    for place, rank in enumerate(RANKS):
        others = [RANKS[(place + step) % len(RANKS)] for step in (2, 5, 7)]
        cards = hand(f"{rank}c {rank}d {others[0]}h {others[1]}s {others[2]}h")
        _, pay = paytable_row(terms, by.paytable, cards)
        found[rank] = WINS if isinstance(pay, Odds) else PUSHES if isinstance(pay, Push) else LOSES
    return found


class _Board:
    """The features of cards on a board that a person recognizes."""

    def __init__(self, pair_results: Mapping[str, str], seen: VisibleSituation) -> None:
        cards = [*seen.player, *seen.board]
        self.stage, self.raised = len(seen.board), sum(seen.raised)
        self.letters = sorted((card.rank.letter for card in cards), key=RANKS.index)
        self.highs = sum(pair_results[letter] == WINS for letter in self.letters)
        self.mids = sum(pair_results[letter] == PUSHES for letter in self.letters)
        self.suited = len({card.suit for card in cards}) == 1
        counts = Counter(self.letters)
        pairs = [letter for letter, many in counts.items() if many > 1]
        best = {pair_results[letter] for letter in pairs}
        strong = len(pairs) > 1 or max(counts.values()) > 2  # noqa: PLR2004 (more than a pair)
        self.made = WINS if strong or WINS in best else PUSHES if PUSHES in best else LOSES if pairs else ""
        self.gaps, self.outside = _straight_gaps(self.letters) if not pairs else (FAR, False)


def _on_board(line: RuleOfThumbLine, seen: _Board) -> bool:
    return (
        line.stage in (None, seen.stage)
        and (not line.made or seen.made in line.made)
        and line.suited in (None, seen.suited)
        and (line.gaps is None or seen.gaps <= line.gaps)
        and line.outside in (None, seen.outside)
        and (not line.lowest or RANKS.index(seen.letters[0]) >= RANKS.index(line.lowest))
        and (not line.highest or RANKS.index(seen.letters[-1]) >= RANKS.index(line.highest))
        and (not line.ranks or set(line.ranks) == set(seen.letters))
        and (not line.among or set(seen.letters) <= set(line.among))
        and 2 * seen.highs + seen.mids >= line.points
        and seen.highs >= line.highs
        and seen.mids >= line.mids
        and seen.raised >= line.raised
    )


def _straight_gaps(letters: Sequence[str]) -> tuple[int, bool]:
    """Return the gaps to a straight of these different ranks, and whether it can grow at both ends."""
    high = [RANKS.index(letter) for letter in letters]
    low = sorted(-1 if rank == ACE else rank for rank in high)
    held = min(high, low, key=lambda held: held[-1] - held[0])
    span = held[-1] - held[0] + 1
    if span > STRAIGHT:
        return FAR, False
    return span - len(letters), held[0] > -1 and held[-1] < ACE
