"""Load the rulebook: a folder with `readings.toml` and one folder of data files per game."""

from functools import cache
from pathlib import Path
from typing import Final

from pitboss.rulebook.book import GameRules, Rulebook
from pitboss.rulebook.check import check_rulebook
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.clauses import load_chapter
from pitboss.rulebook.meters import load_meters
from pitboss.rulebook.paytables import load_paytables
from pitboss.rulebook.procedures import load_procedures
from pitboss.rulebook.rankings import load_rankings
from pitboss.rulebook.readings import load_readings
from pitboss.rulebook.sign_wording import load_wording

DATA: Final = Path(__file__).parent / "data"


def load(root: Path) -> Rulebook:
    """Load and check a rulebook; raise `DataMistake` for the first error."""
    readings = load_readings(root / "readings.toml")
    games = [
        GameRules(
            load_chapter(folder),
            load_rankings(folder),
            load_paytables(folder),
            load_meters(folder),
            load_procedures(folder),
            load_wording(folder),
        )
        for folder in root.iterdir()
        if folder.is_dir()
    ]
    games.sort(key=lambda game: game.chapter.id)
    sections = [section for game in games for section in game.chapter.sections]
    book = Rulebook(
        games={game.chapter.game: game for game in games},
        readings=readings,
        sections={section.id: section for section in sections},
        clauses={clause.id: clause for section in sections for clause in section.clauses},
    )
    check_rulebook(book, root)
    return book


@cache
def rulebook() -> Rulebook:
    """Return the rulebook shipped with Pitboss."""
    return load(DATA)


def cite(text: str) -> Cite:
    """Return the citation of an existing clause; modules call this at import, so a wrong citation fails early."""
    return rulebook().cite(text)
