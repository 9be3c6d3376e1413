"""`Mistake`, the base of all errors in a user's input, and hints for their messages."""

from collections.abc import Iterable
from difflib import get_close_matches


class Mistake(ValueError):
    """Invalid input of a user; the message is one plain sentence.

    The command line prints the sentence and exits with status 2.
    """


def hint(name: str, known: Iterable[str]) -> str:
    """Return the end of an error sentence: the closest known name, or all of them.

    >>> hint("bonsu", ["ante", "bonus"]), hint("x", ["ante", "bonus"]), hint("x", [])
    ('did you mean “bonus”?', 'there are ante, bonus.', 'there are none.')
    """
    names = list(known)
    near = get_close_matches(name, names, 1)
    if near:
        return f"did you mean “{near[0]}”?"
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names) or 'none'}."
