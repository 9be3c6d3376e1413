"""The declarations of the games, and `settle`, which every consumer uses.

>>> from pitboss.games import GAMES, Bounds, Hands, agree, settle
>>> from pitboss.rulebook import rulebook
>>> terms = agree(
...     GAMES["caribbean-stud"], rulebook(), offered={"ante": Bounds()}, letters={}, readings={}, unit=100
... )
>>> for line in settle(terms, Hands.of(player="Kc Kd 8s 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 1000}, [2]):
...     print(line.wager, line.outcome, line.returned, line.pays, line.cite)
ante win 1000 1000 639a.11(c)(3)(ii)(B)
bet win 2000 2000 639a.11(c)(3)(ii)(B)
"""

from collections.abc import Mapping
from typing import Final

from pitboss.games.cajun_stud import CAJUN_STUD
from pitboss.games.caribbean_stud import CARIBBEAN_STUD
from pitboss.games.declarations import Bonus, Decision, Game, Outcome, Place, Result, Wager
from pitboss.games.four_card_prime import FOUR_CARD_PRIME
from pitboss.games.payout_limit import limit_counts
from pitboss.games.settlement import settle
from pitboss.games.settlement_inputs import FOLD, Balances, Hands, Other, check_wagers, stakes
from pitboss.games.settlement_line import Line
from pitboss.games.terms import Bounds, Terms, agree

GAMES: Final[Mapping[str, Game]] = {game.name: game for game in (CARIBBEAN_STUD, FOUR_CARD_PRIME, CAJUN_STUD)}

__all__ = [
    "FOLD",
    "GAMES",
    "Balances",
    "Bonus",
    "Bounds",
    "Decision",
    "Game",
    "Hands",
    "Line",
    "Other",
    "Outcome",
    "Place",
    "Result",
    "Terms",
    "Wager",
    "agree",
    "check_wagers",
    "limit_counts",
    "settle",
    "stakes",
]
