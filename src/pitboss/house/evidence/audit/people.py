"""The audit of people: posts and accounts match the house's log."""

from typing import Final

from pitboss.house.evidence.audit.books import Books
from pitboss.house.storage.people import all_people

NOBODY: Final = ("nobody", True)


def check_people(books: Books) -> None:
    """Compare accounts with the hires and dismissals in the house's log."""
    known = {name: (post, is_active) for name, post, is_active in all_people(books.db)}
    for name in sorted(known.keys() | books.house.people.keys()):
        here, should = known.get(name, NOBODY), books.house.people.get(name, NOBODY)
        if here != should:
            books.say(f"Person “{name}”: known as {_words(*here)}; the house's log says {_words(*should)}.")


def _words(post: str, is_active: bool) -> str:  # noqa: FBT001 (a row)
    return str(post) if is_active else f"{post}, dismissed"
