"""The rulebook: the clauses, rankings, paytables and meters of every game, and the readings."""

import re
from collections.abc import Mapping

import msgspec

from pitboss.errors import Mistake
from pitboss.ranking import Ranking
from pitboss.rulebook.citation import CitationMistake, Cite
from pitboss.rulebook.clauses import Chapter, Clause, Section
from pitboss.rulebook.meters import Meters
from pitboss.rulebook.paytables import Paytables, Table
from pitboss.rulebook.procedures import Procedures
from pitboss.rulebook.rankings import PrintedRanking
from pitboss.rulebook.readings import Choice, Reading, complete_options, find_reading
from pitboss.rulebook.sign_wording import Wording


class GameRules(msgspec.Struct, frozen=True):
    """One chapter as data."""

    chapter: Chapter
    rankings: Mapping[str, PrintedRanking]
    paytables: Mapping[str, Paytables]
    meters: Mapping[str, Meters]
    procedures: Procedures
    wording: Wording


class Rulebook(msgspec.Struct, frozen=True):
    """The rules of every game, the readings, and every clause by its citation."""

    games: Mapping[str, GameRules]
    readings: Mapping[str, Reading]
    sections: Mapping[str, Section]
    clauses: Mapping[str, Clause]

    def cite(self, text: str) -> Cite:
        """Return the citation of an existing clause or section; raise `CitationMistake` otherwise."""
        cite = Cite(text)
        if cite in self.clauses or cite in self.sections:
            return cite
        raise CitationMistake(f"There is no clause {text}; {self._near(cite)}.")

    def _near(self, cite: Cite) -> str:
        """Describe the nearest existing parent of an unknown citation and its parts."""
        if cite.section not in self.sections:
            chapters = [f"{game.chapter.id}.1 to .{len(game.chapter.sections)}" for game in self.games.values()]
            return f"the sections are {', '.join(chapters)}"
        parent = str(cite)
        while parent not in self.clauses and parent != cite.section:
            parent = parent[: max(parent.rfind("("), parent.rfind(":"))]
        parts = [clause.removeprefix(parent) for clause in self.clauses if clause.startswith(parent)]
        own = [part for part in parts if re.fullmatch(r"\(\w+\)|:[a-z-]+", part)]
        return f"{parent} has {', '.join(own) or 'no parts'}"

    def game(self, name: str) -> GameRules:
        """Return one game's rules; raise `Mistake` for an unknown game."""
        if name not in self.games:
            games = ", ".join(self.games)
            raise Mistake(f"There is no game “{name}”; there are {games}.")
        return self.games[name]

    def reading(self, name: str) -> Reading:
        """Return one reading; raise `Mistake` for an unknown id."""
        return find_reading(self.readings, name)

    def options(self, choice: Choice) -> dict[str, str]:
        """Return an option for every reading: the chosen one, else the default."""
        return complete_options(self.readings, choice)

    def paytable(self, game: str, wager: str, letter: str, choice: Choice | None = None) -> Table:
        """Return one of a wager's paytables under the chosen readings."""
        paytables = self.game(game).paytables
        if wager not in paytables:
            raise Mistake(f"{game} has no wager “{wager}”; it has {', '.join(paytables)}.")
        return paytables[wager].under(letter, self.options(choice or {}))

    def ranking(self, game: str, name: str, choice: Choice | None = None) -> Ranking:
        """Return one of a game's rankings under the chosen readings."""
        rankings = self.game(game).rankings
        if name not in rankings:
            raise Mistake(f"{game} has no ranking “{name}”; it has {', '.join(rankings)}.")
        return rankings[name].under(f"{game} {name}", self.options(choice or {}))
