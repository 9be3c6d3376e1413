"""Questions about irregularities. Each says how to play it at a table, so that tests can prove the answer."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Final

import msgspec

from pitboss.games import Terms
from pitboss.rulebook import Cite, rulebook
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import DataMistake, convert, read_toml
from pitboss.submission import Dealing, Shuffler
from pitboss.training.choice import ChoiceQuestion
from pitboss.training.common import DATA, DrillId, DrillOption, check_cites, clause_in_chapter, clause_of

FILE: Final = DATA / "irregular.toml"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The irregularity reported at the table; for a wrong number of cards, also the place and the difference."""

    kind: str
    device: str = ""
    seat: int = 0
    place: str = ""
    more: int = 0


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a test plays a scenario at a table."""

    at: str
    """The moment: shuffling, dealing, counting, chips, deciding, deciding-last, one-folded, decided, one-settled."""
    dealing: Dealing = Dealing.MANUAL_SHOE
    shuffler: Shuffler = Shuffler.AUTOMATED
    reports: tuple[Fault, ...] = ()
    counted: int = 0
    """The count of a shuffler; for a stub or chips, the excess over the right number."""
    misdealt: bool = False


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about one irregularity."""

    id: str
    says: str
    right: str
    options: tuple[str, ...]
    why: str
    play: Play
    cites: tuple[Cite, ...]
    """The clause of the answer in each chapter that has this irregularity."""
    when: Choice = {}

    @property
    def chapters(self) -> tuple[str, ...]:
        """The chapters that have this irregularity."""
        return tuple(cite.chapter for cite in self.cites)

    def clause(self, chapter: str) -> Cite:
        """Return the clause of the answer in a chapter."""
        return clause_in_chapter(chapter, self.cites)


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scenarios, and all answers in words."""

    answers: Mapping[str, str]
    scenario: tuple[Scenario, ...]


@cache
def load_scenarios() -> ScenarioFile:
    """Load the scenarios; raise `DataMistake` for unknown answers or clauses."""
    data = convert(read_toml(FILE), ScenarioFile, FILE, "")
    for one in data.scenario:
        if stray := {one.right, *one.options} - data.answers.keys():
            raise DataMistake(FILE, one.id, f"there is no answer “{min(stray)}”")
        if one.right not in one.options:
            raise DataMistake(FILE, one.id, "the right answer is not among its options")
        check_cites(FILE, one.id, one.cites)
    return data


def scenarios(terms: Terms) -> list[Scenario]:
    """Return the scenarios of a table's chapter under its readings."""
    chapter = rulebook().game(terms.game.name).chapter.id
    return [
        one
        for one in load_scenarios().scenario
        if chapter in one.chapters and meets_condition(one.when, terms.readings)
    ]


def irregularity(drill: DrillId, terms: Terms) -> ChoiceQuestion:
    """Return the question of a drill."""
    chance = Random(drill.seed)  # noqa: S311 (a drill must be reproducible)
    scenario, answers = chance.choice(scenarios(terms)), load_scenarios().answers
    chapter = rulebook().game(terms.game.name).chapter.id
    return ChoiceQuestion(
        id=scenario.id,
        says=scenario.says,
        options=tuple(DrillOption(name, answers[name]) for name in scenario.options),
        right=scenario.right,
        why=scenario.why,
        clause=clause_of(scenario.clause(chapter)),
    ).shuffled(chance)
