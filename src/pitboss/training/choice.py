"""Questions with answers to choose from."""

from random import Random

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.training.common import DrillClause, DrillId, DrillOption


class ChoiceStep(msgspec.Struct, frozen=True):
    """Something that was done before the question, with its clause."""

    says: str
    cite: str


class ChoiceDrill(msgspec.Struct, frozen=True, tag="choice", kw_only=True):
    """A question, what was done before it, and the answers to choose from."""

    drill: DrillId
    says: str
    done: tuple[ChoiceStep, ...]
    options: tuple[DrillOption, ...]


class ChoiceQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its right answer."""

    id: str
    """The same for the same question, whatever the order of its options."""
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
        """Whether a choice is the right one; no answer is not, and one that is none of the options is refused."""
        if choice and choice not in (option.answer for option in self.options):
            raise Mistake(f"“{choice}” is none of the answers to choose from.")
        return choice == self.right
