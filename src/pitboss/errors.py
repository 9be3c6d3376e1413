"""The one kind of error that is a user's mistake rather than ours, and how it helps."""

from collections.abc import Iterable
from difflib import get_close_matches


class Mistake(ValueError):
    """Something given to Pitboss was wrong; the message is one plain sentence.

    The command line prints the sentence and exits with status 2.
    """


def hint(name: str, known: Iterable[str]) -> str:
    """Say what was probably meant, or what there is: the end of a sentence.

    >>> hint("bonsu", ["ante", "bonus"]), hint("x", ["ante", "bonus"]), hint("x", [])
    ('did you mean “bonus”?', 'there is ante, bonus.', 'there is none.')
    """
    names = list(known)
    near = get_close_matches(name, names, 1)
    return f"did you mean “{near[0]}”?" if near else f"there is {', '.join(names) or 'none'}."
