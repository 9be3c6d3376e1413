"""A player's drills: a hand with a decision to make, and the exact EV and cost of each choice, in Antes."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card, Suit, distinct
from pitboss.errors import Mistake
from pitboss.exact.rules_of_thumb import RulesOfThumb, VisibleSituation
from pitboss.exact.visible_cards import visible_cards_at_decisions
from pitboss.games import FOLD, Terms
from pitboss.training.common import DrillClause, GameName, Name, clause_of

ROUNDED: Final = 6
SEVERITIES: Final = (
    (Fraction(1, 50), "slight", "a slight mistake: less than a fiftieth of the Ante"),
    (Fraction(1, 10), "mistake", "a mistake: from a fiftieth to a tenth of the Ante"),
    (Fraction(1, 2), "serious", "a serious mistake: from a tenth to half of the Ante"),
    (None, "blunder", "a blunder: half of the Ante or more"),
)
"""The name of a mistake by its cost: each applies below its bound, in Antes; the last has no bound."""
RIGHT: Final = "none"


class PlayerHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cards that a player sees at a decision; an answer sends them back."""

    game: GameName
    table: Name = ""
    preset: Name = ""
    """The source of its Submission: an open table or a preset; the game's standard preset by default."""
    player: tuple[Card, ...]
    up: tuple[Card, ...] = ()
    """The dealer's up-card, if the game has one."""
    board: tuple[Card, ...] = ()
    raised: tuple[int, ...] = ()
    """The multiples of the Ante of earlier raises."""


class PlayerOption(msgspec.Struct, frozen=True):
    """One decision: a multiple of the Ante, or 0 for a fold; and its text."""

    multiple: int
    says: str


class PlayerDrill(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, and the possible decisions."""

    hand: PlayerHand
    says: str
    options: tuple[PlayerOption, ...]
    clause: DrillClause


class PlayerWorth(msgspec.Struct, frozen=True, kw_only=True):
    """One decision and its EV in Antes: as a fraction, and rounded."""

    multiple: int
    says: str
    worth: str
    about: float
    best: bool


class RuleOfThumbAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """The advice of a published rule of thumb, and whether it is right here."""

    name: str
    source: str
    says: str
    multiple: int
    right: bool


class PlayerGrade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of a choice; costs in Antes, as fractions and rounded."""

    hand: PlayerHand
    multiple: int
    right: bool
    options: tuple[PlayerWorth, ...]
    cost: str
    cost_about: float
    severity: str
    says: str
    margin: str
    """The EV of the best decision minus that of the second best."""
    margin_about: float
    thumbs: tuple[RuleOfThumbAdvice, ...]
    clause: DrillClause
    counts: str
    """What the EV includes and excludes, in a sentence."""


class SeverityCount(msgspec.Struct, frozen=True):
    """The number of mistakes of one severity."""

    severity: str
    count: int


class PlayerScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a list of answers; costs in Antes, and in cents for the Ante played."""

    asked: int
    right: int
    percent: float
    cost: str
    cost_about: float
    lost: int
    seconds: int
    severities: tuple[SeverityCount, ...]
    mistakes: tuple[PlayerGrade, ...]
    """The most expensive first."""


def player_drill(hand: PlayerHand, terms: Terms) -> PlayerDrill:
    """Return the question for a hand."""
    place = _decision(hand, terms)
    decision = terms.game.decisions[place]
    options = tuple(
        PlayerOption(multiple, _in_words(terms, place, multiple)) for multiple in (FOLD, *decision.multiples)
    )
    return PlayerDrill(hand=hand, says=_says(hand, terms), options=options, clause=clause_of(decision.cite))


def grade_player_choice(
    hand: PlayerHand, terms: Terms, multiple: int, worths: Sequence[tuple[int, Fraction]], counts: str = ""
) -> PlayerGrade:
    """Grade a choice, given the EV of every decision and a note on what the EV includes."""
    place = _decision(hand, terms)
    worth = dict(worths)
    if multiple not in worth:
        allowed = ", ".join(str(one) for one in worth if one != FOLD)
        raise Mistake(f"Choose {allowed} times the Ante, or {FOLD} for a fold, not {multiple}.")
    most = max(worth.values())
    less = [value for value in worth.values() if value < most]
    margin, cost = most - max(less, default=most), most - worth[multiple]
    severity, says = severity_of(cost)
    thumb = RulesOfThumb(terms)
    seen = VisibleSituation(hand.player, hand.up, hand.board, hand.raised)
    fitting = [(strategy, thumb.line(strategy, seen)) for strategy in thumb.strategies]
    return PlayerGrade(
        hand=hand,
        multiple=multiple,
        right=not cost,
        options=tuple(
            PlayerWorth(
                multiple=one,
                says=_in_words(terms, place, one),
                worth=str(value),
                about=_about(value),
                best=value == most,
            )
            for one, value in worth.items()
        ),
        cost=str(cost),
        cost_about=_about(cost),
        severity=severity,
        says=says,
        margin=str(margin),
        margin_about=_about(margin),
        thumbs=tuple(
            RuleOfThumbAdvice(
                name=strategy.name,
                source=strategy.source,
                says=line.says,
                multiple=line.multiple,
                right=worth.get(line.multiple) == most,
            )
            for strategy, line in fitting
        ),
        clause=clause_of(terms.game.decisions[place].cite),
        counts=counts,
    )


def severity_of(cost: Fraction) -> tuple[str, str]:
    """Return the severity of a mistake by its cost, and a sentence."""
    if not cost:
        return RIGHT, "Right: no other choice has a higher EV."
    for below, name, words in SEVERITIES:
        if below is None or cost < below:
            return name, f"It costs {float(cost):.4f} of the Ante, {words}."
    raise AssertionError(cost)


def player_score(graded: Sequence[tuple[PlayerGrade, int]], ante: int) -> PlayerScore:
    """Sum up graded answers, each with its seconds; the Ante is in cents."""
    cost = sum((Fraction(one.cost) for one, _ in graded), Fraction())
    wrong = sorted((one for one, _ in graded if not one.right), key=lambda one: Fraction(one.cost), reverse=True)
    counts = Counter(one.severity for one in wrong)
    return PlayerScore(
        asked=len(graded),
        right=len(graded) - len(wrong),
        percent=round(100 * (len(graded) - len(wrong)) / len(graded), 1) if graded else 0.0,
        cost=str(cost),
        cost_about=_about(cost),
        lost=round(cost * ante),
        seconds=sum(seconds for _, seconds in graded),
        severities=tuple(SeverityCount(name, counts[name]) for _, name, _ in SEVERITIES),
        mistakes=tuple(wrong),
    )


def rename_suits(hand: PlayerHand, chance: Random) -> PlayerHand:
    """Return an equivalent hand with renamed suits and the player's cards in another order."""
    order = chance.sample(list(Suit), len(Suit))

    def renamed(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(Card(card.rank.letter + order[card.suit].letter) for card in cards)

    player = renamed(hand.player)
    shuffled = tuple(chance.sample(player, len(player)))
    return replace(hand, player=shuffled, up=renamed(hand.up), board=renamed(hand.board))


def _decision(hand: PlayerHand, terms: Terms) -> int:
    """Return the index of the decision, which is the number of raises; raise `Mistake` for wrong cards."""
    distinct([*hand.player, *hand.up, *hand.board])
    place, game = len(hand.raised), terms.game
    if place >= len(game.decisions):
        raise Mistake(f"{game.name} has no decision after {place} raise{'s' if place > 1 else ''}.")
    for raised, decision in zip(hand.raised, game.decisions, strict=False):
        if raised not in decision.multiples:
            raise Mistake(f"A raise is {' or '.join(map(str, decision.multiples))} times the Ante, not {raised}.")
    cards = {one.name: one.cards for one in game.places}
    seen = visible_cards_at_decisions(game.name, terms.readings)[place]
    wanted = {"player": cards["player"], "up": seen.get("dealer", 0), "board": seen.get("board", 0)}
    for name, many in wanted.items():
        if len(getattr(hand, name)) != many:
            sees = f"{many} card{'' if many == 1 else 's'} as “{name}”"
            raise Mistake(f"At this decision a player sees {sees}, not {len(getattr(hand, name))}.")
    return place


def _in_words(terms: Terms, place: int, multiple: int) -> str:
    decision = terms.game.decisions[place]
    title, on = (terms.game.wager(name).title for name in (decision.wager, decision.on))
    return f"{title}: {multiple} × the {on}" if multiple else "Fold"


def _says(hand: PlayerHand, terms: Terms) -> str:
    def pretty(cards: Sequence[Card]) -> str:
        return " ".join(card.pretty for card in cards)

    said = [f"You hold {pretty(hand.player)}"]
    said += [f"the dealer shows {pretty(hand.up)}"] if hand.up else []
    said += [f"the board shows {pretty(hand.board)}"] if hand.board else []
    said += [f"you raised {', '.join(f'{raised} ×' for raised in hand.raised)}"] if hand.raised else []
    return f"{'; '.join(said)}. {terms.game.wager(terms.game.decisions[len(hand.raised)].wager).title}, or fold?"


def _about(value: Fraction) -> float:
    return round(float(value), ROUNDED)
