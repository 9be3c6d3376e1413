"""Questions about the decks: at receipt, at inspection, and while one of two is in the shuffler.

The person who performs the step answers. `Given.wrong` lists the questions answered “no”, by name.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.table.commands import Given, Refusal
from pitboss.table.devices import is_shuffled_by_hand
from pitboss.table.state import Table

BACKS: Final = ("red", "blue")
"""Backs of the automatic dealer's decks."""
ANSWERS_RULE: Final = "house rule: the answers to a step are those to its questions"


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to check, and the consequence of a “no”."""

    name: str
    asks: str
    """The required fact, as a sentence to tick."""
    ground: Ground
    otherwise: str = ""
    """Reason to refuse the step after a “no”; if empty, the deck is removed instead."""
    of_two: bool = False
    """Whether it applies only while two decks are in use."""
    second: bool = False
    """Whether it applies only to the second deck."""


_COVER_CARD: Final = Question(
    name="cover-card",
    asks="A cover card is there",
    ground=Ground.DECKS,
    otherwise="The cover card is missing.",
)
_INSPECTED: Final = (
    Question(name="no-defect", asks="No card has a defect", ground=Ground.OPENING),
    Question(name="alike", asks="All cards of the deck look alike", ground=Ground.DECKS),
    Question(name="same-design", asks="The design is that of the other deck", ground=Ground.DECK_BACKS, second=True),
)
_SHUFFLED: Final = (
    Question(
        name="other-deck-in-shuffler",
        asks="The other deck is in the shuffler",
        ground=Ground.OTHER_DECK,
        otherwise="The other deck must be in the shuffler while this one is played.",
        of_two=True,
    ),
    Question(
        name="rack-empty",
        asks="The discard rack is empty",
        ground=Ground.DISCARD_RACK,
        otherwise="The discard rack still has cards of the other deck; empty it first.",
        of_two=True,
    ),
)
_OF_STEP: Final[Mapping[Do, tuple[Question, ...]]] = {
    Do.RECEIVE: (_COVER_CARD,),
    Do.INSPECT: _INSPECTED,
    Do.VERIFY: _INSPECTED,
    Do.SHUFFLE: _SHUFFLED,
}


def uses_two_decks(table: Table) -> bool:
    """Whether two decks are in use, which needs a working shuffler."""
    return table.rules.decks > 1 and not is_shuffled_by_hand(table)


def decks_to_spread(table: Table) -> int:
    """Return how many decks are spread while nobody plays, one that waits for its shuffler included: .5(f)."""
    return table.rules.decks if table.rules.terms.readings["idle-decks"] == "both" else 1


def questions(table: Table) -> tuple[Question, ...]:
    """Return the questions of the due step."""
    return tuple(
        question
        for question in _OF_STEP.get(table.due.do, ())
        if (not question.of_two or uses_two_decks(table)) and (not question.second or table.opened)
    )


def failed_question(table: Table, given: Given) -> Question | None:
    """Return the first question of the due step that was answered “no”."""
    return next((question for question in questions(table) if question.name in given.wrong), None)


def decks_refusal(table: Table, given: Given) -> Refusal | None:
    """Return the reason to refuse the due step because of the decks."""
    if not given.wrong and not given.backs:  # almost every step
        return None
    names = [question.name for question in questions(table)]
    if unknown := [name for name in given.wrong if name not in names]:
        known = f"use one of {', '.join(names)}" if names else "it has none"
        return Refusal(f"This step has no question “{unknown[0]}”; {known}.", ANSWERS_RULE)
    if table.due.do is Do.RECEIVE and given.backs and (refused := _backs_refusal(table, given.backs)):
        return refused
    question = failed_question(table, given)
    if question and question.otherwise:
        return Refusal(question.otherwise, table.rules.grounds[question.ground])
    return None


def _backs_refusal(table: Table, backs: tuple[str, ...]) -> Refusal | None:
    grounds, decks = table.rules.grounds, table.rules.decks
    if len(backs) != decks:
        wanted = "this table has 1 deck" if decks == 1 else f"this table has {decks} decks"
        ground = Ground.DECKS if decks == 1 else Ground.TWO_DECKS
        return Refusal(f"Colours of backs named: {len(backs)}; {wanted}.", grounds[ground])
    if not all(back.strip() and back.isprintable() for back in backs):
        return Refusal("Name the colour of each deck's backs.", grounds[Ground.DECK_BACKS])
    if len({back.strip().casefold() for back in backs}) < decks:
        return Refusal(
            f"Both decks have {backs[0].strip()} backs: each needs a colour of its own.", grounds[Ground.DECK_BACKS]
        )
    return None
