"""Questions about the procedure: the next step, orders and directions. They are built from the procedure data."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Final

import msgspec

from pitboss.games import Terms
from pitboss.rulebook import Cite, rulebook
from pitboss.rulebook.procedures import Do, Step
from pitboss.rulebook.toml import DataMistake, convert, read_toml
from pitboss.submission import Dealing
from pitboss.training.choice import ChoiceQuestion, ChoiceStep
from pitboss.training.common import DATA, DrillId, DrillOption, check_cites, clause_in_chapter, clause_of

FILE: Final = DATA / "procedure.toml"
OTHERS: Final = 3
"""The number of wrong answers."""
NUMBERS: Final = ("no cards", "a card", "two cards", "three cards", "four cards", "five cards")


class OrderQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about a direction, an order or a number."""

    id: str
    says: str
    options: Mapping[str, str]
    right: str
    why: str
    cites: tuple[Cite, ...]
    """The clause of the answer in each chapter."""

    def clause(self, chapter: str) -> Cite:
        """Return the clause of the answer in a chapter."""
        return clause_in_chapter(chapter, self.cites)


class ProcedureWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a round in words, and the questions about orders."""

    steps: Mapping[str, str]
    deals: Mapping[str, str]
    turns: Mapping[str, str]
    order: tuple[OrderQuestion, ...]


class Way(msgspec.Struct, frozen=True):
    """The way a round is dealt."""

    dealing: Dealing
    by_hand: bool
    """Whether the cards are shuffled by hand, and so cut."""
    counted: bool
    """Whether the stub is counted in this round."""


@cache
def load_words() -> ProcedureWords:
    """Load the words; raise `DataMistake` for unknown answers or clauses."""
    data = convert(read_toml(FILE), ProcedureWords, FILE, "")
    for one in data.order:
        if one.right not in one.options:
            raise DataMistake(FILE, one.id, "the right answer is not among its options")
        check_cites(FILE, one.id, one.cites)
        if missing := {game.chapter.id for game in rulebook().games.values()} - {cite.chapter for cite in one.cites}:
            raise DataMistake(FILE, one.id, f"it names no clause of chapter {min(missing)}")
    return data


def describe_step(terms: Terms, step: Step) -> str:
    """Return a step in words."""
    known, game = load_words(), terms.game
    if step.do is Do.DEAL:
        to = f"{step.source}-{step.to}" if step.source else f"{step.to}{'-up' if step.up else ''}"
        return known.deals[to].format(cards=NUMBERS[step.cards])
    if step.do is Do.TURN:
        which = "" if not step.cards else "-last" if step.first < 0 else f"-{step.first}"
        return known.turns[f"{step.place}{which}"]
    needs = next((wager.title.partition(",")[0] for wager in game.wagers if wager.offer == step.needs), "")
    decision = next((wager.title for wager in game.wagers if wager.name == step.decision), "")
    return known.steps[step.do].format(needs=needs, decision=decision)


def steps_of(terms: Terms, way: Way) -> list[Step]:
    """Return every step of a round with all offered wagers placed and a fold at each decision."""
    steps = rulebook().game(terms.game.name).procedures.round(way.dealing, terms.readings)
    left_out = {Do.CUT: not way.by_hand, Do.COUNT: not way.counted}
    offered = (step for step in steps if not step.needs or step.needs in terms.offered)
    return [step for step in offered if not step.within and not left_out.get(step.do, False)]


def procedure_question(drill: DrillId, terms: Terms) -> ChoiceQuestion:
    """Return the question of a drill: the next step, or one about an order."""
    chance = Random(drill.seed)  # noqa: S311 (a drill must be reproducible)
    orders = load_words().order
    asked = _order(chance.choice(orders), terms) if chance.random() < 1 / 3 else _next(chance, terms)
    return asked.shuffled(chance)


def _order(order: OrderQuestion, terms: Terms) -> ChoiceQuestion:
    chapter = rulebook().game(terms.game.name).chapter.id
    return ChoiceQuestion(
        id=order.id,
        says=order.says,
        options=tuple(DrillOption(name, says) for name, says in order.options.items()),
        right=order.right,
        why=order.why,
        clause=clause_of(order.clause(chapter)),
    )


def _next(chance: Random, terms: Terms) -> ChoiceQuestion:
    """Ask for the step that follows a random number of steps."""
    dealing = chance.choice(list(Dealing))
    by_hand = dealing is not Dealing.HAND and chance.random() < 1 / 2  # dealing from the hand needs a shuffler
    way = Way(dealing, by_hand, chance.random() < 1 / 2)
    steps = steps_of(terms, way)
    place = chance.randrange(1, len(steps))
    right, before = describe_step(terms, steps[place]), {describe_step(terms, step) for step in steps[:place]}
    others = sorted({describe_step(terms, step) for step in steps} - {right})
    said = [
        f"You deal {dealing.words}",
        f"the cards are shuffled {'by hand' if by_hand else 'by an automated shuffler'}",
        f"the stub is {'' if way.counted else 'not '}counted in this round",
        "every offered wager is placed, and a player folds at each decision",
    ]
    return ChoiceQuestion(
        id=f"next-{dealing}-{by_hand}-{way.counted}-{place}",
        says=f"{'; '.join(said)}. What comes next?",
        done=tuple(ChoiceStep(describe_step(terms, step), step.cite) for step in steps[:place]),
        options=tuple(DrillOption(text, text) for text in (right, *_wrong(chance, others, before))),
        right=right,
        why="This is the next step of the procedure.",
        clause=clause_of(steps[place].cite),
    )


def _wrong(chance: Random, others: list[str], before: set[str]) -> list[str]:
    """Return wrong answers, preferring later steps, which are more plausible."""
    to_come = [text for text in others if text not in before]
    done = [text for text in others if text in before]
    return [*chance.sample(to_come, len(to_come)), *chance.sample(done, len(done))][:OTHERS]
