"""Multiple-choice questions."""

from random import Random

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.training.common import DrillClause, DrillId, DrillOption


class ChoiceStep(msgspec.Struct, frozen=True):
    """A step before the question, with its clause."""

    says: str
    cite: str


class ChoiceDrill(msgspec.Struct, frozen=True, tag="choice", kw_only=True):
    """A question, the steps before it, and the answers to choose from."""

    drill: DrillId
    says: str
    done: tuple[ChoiceStep, ...]
    options: tuple[DrillOption, ...]


class ChoiceQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its right answer."""

    id: str
    """The question's identity, independent of the order of its options."""
    says: str
    done: tuple[ChoiceStep, ...] = ()
    options: tuple[DrillOption, ...]
    right: str
    why: str
    clause: DrillClause

    def shown(self, drill: DrillId) -> ChoiceDrill:
        """Return the question without its answer."""
        return ChoiceDrill(drill=drill, says=self.says, done=self.done, options=self.options)

    def shuffled(self, chance: Random) -> "ChoiceQuestion":
        """Return the question with its options in another order."""
        return replace(self, options=tuple(chance.sample(self.options, len(self.options))))

    def is_right(self, choice: str) -> bool:
        """Whether a choice is right; an empty one is wrong, and `Mistake` is raised for one that is not an option."""
        if choice and choice not in (option.answer for option in self.options):
            raise Mistake(f"“{choice}” is not one of the answers.")
        return choice == self.right
