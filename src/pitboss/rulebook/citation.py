"""Citations such as 639a.11(c)(3)(ii)(B), split into chapter, section and path.

A definition is named by its term: 639a.1:bet-wager.
"""

import re
from typing import Final, Self

from pitboss.errors import Mistake

FORM: Final = re.compile(
    r"(?P<chapter>\d{3}a)\.(?P<section>\d{1,2})(?P<path>(?::[a-z][a-z0-9-]*)?(?:\((?:\d{1,2}|[a-z]{1,4}|[A-Z])\))*)"
)


class CitationMistake(Mistake):
    """A malformed citation, or one of a clause that does not exist."""


class Cite(str):
    """A well-formed citation; `Rulebook.cite` checks that the clause exists."""

    __slots__ = ("chapter", "path", "section")

    chapter: str
    section: str
    path: str

    def __new__(cls, text: str) -> Self:
        """Parse a citation; raise `CitationMistake` if it is malformed."""
        form = FORM.fullmatch(text)
        if form is None:
            raise CitationMistake(f"“{text}” is not a citation; write one like 639a.11(c)(3)(i) or 639a.1:bet-wager.")
        self = super().__new__(cls, text)
        self.chapter = form["chapter"]
        self.section = f"{form['chapter']}.{form['section']}"
        self.path = form["path"]
        return self
