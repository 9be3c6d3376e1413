"""An invented game is one folder of data: no code of the package names the three games."""

from pathlib import Path

from pitboss.cards import hand
from pitboss.ranking import evaluator
from pitboss.rulebook import load

BOOK = load(Path(__file__).parent / "invented")


def test_an_invented_chapter_works() -> None:
    assert list(BOOK.games) == ["penny-draw"]
    assert BOOK.cite("999a.12(a)").section == "999a.12"
    for choice, made, pays in (("yes", "Run", "5 to 1"), ("no", "Nothing", None)):
        ranking = BOOK.ranking("penny-draw", "three", {"low-joker": choice})
        found = evaluator(ranking)(hand("Ac 2d 3h")).hand.name
        assert found == made
        pay = BOOK.paytable("penny-draw", "penny", "A").get(found)
        assert pays == (str(pay) if pay else None)
