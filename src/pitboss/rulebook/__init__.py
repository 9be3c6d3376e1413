"""The law as data: clauses, rankings, paytables, meters and readings, each with its citation.

>>> rulebook().clauses["639a.11(c)(3)(i)"].duty
'Dealer below ace-king: give back the Bet and pay the Ante under 639a.12(a) and (b).'
>>> cite("639a.11(c)(9)")  # cites-nothing
Traceback (most recent call last):
pitboss.rulebook.citation.CitationMistake: There is no clause ...; 639a.11(c) has (1), (2), (3), (4), (5), (6).
"""

from pitboss.rulebook.book import GameRules, Rulebook
from pitboss.rulebook.citation import CitationMistake, Cite
from pitboss.rulebook.clauses import Bearer, Chapter, Clause, Kind, Section, Status
from pitboss.rulebook.loader import cite, load, rulebook
from pitboss.rulebook.meters import Amount, Envy, Meter, Meters, Percent
from pitboss.rulebook.pay import ForOne, Loss, NotPaid, Odds, Pay, Push, Share
from pitboss.rulebook.paytables import Paytables
from pitboss.rulebook.readings import Reading
from pitboss.rulebook.toml import DataMistake

__all__ = [
    "rulebook",
    "Rulebook",
    "GameRules",
    "load",
    "cite",
    "Cite",
    "CitationMistake",
    "DataMistake",
    "Chapter",
    "Section",
    "Clause",
    "Status",
    "Kind",
    "Bearer",
    "Reading",
    "Paytables",
    "Pay",
    "Odds",
    "ForOne",
    "Share",
    "Push",
    "Loss",
    "NotPaid",
    "Meters",
    "Meter",
    "Amount",
    "Percent",
    "Envy",
]
