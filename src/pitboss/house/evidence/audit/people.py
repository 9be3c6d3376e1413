"""People: everybody has the post that the house's log gave them, and nobody else is known."""

from typing import Final

from pitboss.house.evidence.audit.books import Books

NOBODY: Final = ("nobody", True)


def check_people(books: Books) -> None:
    """Compare who is known, and as what, with whom the house's log made known or dismissed."""
    rows = books.db.execute("SELECT name, post, is_active FROM person")
    known = {name: (post, bool(is_active)) for name, post, is_active in rows}
    for name in sorted(known.keys() | books.house.people.keys()):
        here, should = known.get(name, NOBODY), books.house.people.get(name, NOBODY)
        if here != should:
            books.say(f"Person “{name}”: known as {_words(*here)}; the house's log says {_words(*should)}.")


def _words(post: str, is_active: bool) -> str:  # noqa: FBT001 (a row)
    return str(post) if is_active else f"{post}, dismissed"
