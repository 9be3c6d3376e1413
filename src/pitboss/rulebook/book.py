"""The rulebook: every game's clauses, rankings, paytables and meters, and the readings of them."""

from collections.abc import Mapping
from difflib import get_close_matches

import msgspec

from pitboss.errors import Mistake
from pitboss.ranking import Ranking
from pitboss.rulebook.citation import CitationMistake, Cite
from pitboss.rulebook.clauses import Chapter, Clause, Section
from pitboss.rulebook.meters import Meters
from pitboss.rulebook.paytables import Paytables
from pitboss.rulebook.rankings import PrintedRanking
from pitboss.rulebook.readings import Choice, Reading, find, settled


class GameRules(msgspec.Struct, frozen=True):
    """What one chapter says, as data."""

    chapter: Chapter
    rankings: Mapping[str, PrintedRanking]
    paytables: Mapping[str, Paytables]
    meters: Mapping[str, Meters]


class Rulebook(msgspec.Struct, frozen=True):
    """Every game's rules, the readings, and each clause by its citation."""

    games: Mapping[str, GameRules]
    readings: Mapping[str, Reading]
    sections: Mapping[str, Section]
    clauses: Mapping[str, Clause]

    def cite(self, text: str) -> Cite:
        """Return the citation of a clause or section that exists."""
        cite = Cite(text)
        if cite in self.clauses or cite in self.sections:
            return cite
        near = get_close_matches(text, self.clauses, 1)
        hint = f"; the nearest is {near[0]}" if near else ""
        raise CitationMistake(f"There is no clause {text}{hint}.")

    def game(self, name: str) -> GameRules:
        """Return one game's rules, refusing a name that is none."""
        if name not in self.games:
            games = ", ".join(self.games)
            raise Mistake(f"There is no game “{name}”; there are {games}.")
        return self.games[name]

    def reading(self, name: str) -> Reading:
        """Return one reading, refusing an id that is none."""
        return find(self.readings, name)

    def options(self, choice: Choice) -> dict[str, str]:
        """Return an option for every reading: those chosen, and the default for the rest."""
        return settled(self.readings, choice)

    def ranking(self, game: str, name: str, choice: Choice | None = None) -> Ranking:
        """Return one of a game's rankings under the chosen readings."""
        rankings = self.game(game).rankings
        if name not in rankings:
            raise Mistake(f"{game} has no ranking “{name}”; it has {', '.join(rankings)}.")
        return rankings[name].under(f"{game} {name}", self.options(choice or {}))
